"""Inputs that lose nearly as much as a bound that none attains, and so refute what is below them.

A record added, next to many others, loses nearly as much as the gamma pair does. With m records in
one cell, the first cell holds none or one: its share is Beta(alpha, R) or Beta(alpha + step, R),
R = alpha + step m. What these two lose is a proved lower bound on what all neighbours do
(proofs_notes/add-remove.md, large-counts-come-near); more cells, without records, only raise R and
the loss. Of other bounds two inputs are told, which are judged alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import ceil

from ...reference.dirichlet.add_remove import shortfall
from ...reference.dirichlet.pair import Pair
from ...reference.dirichlet.renyi import largest_order
from ...reference.domain import Value
from ...reference.exact import Texts, exact_text, shown
from .protocol import Claim, Inputs
from .questions import Question, Term
from .sensitivities import HistogramParameters

# The loss falls short of the bound by about one part in 10 to this power: few records, which are
# read easily, come first; a claim closer to the truth than the last of these stays undecided.
_PLACES = (3, 12, 50, 350)


def inputs_near(claim: Claim, facts: Mapping[str, Texts]) -> Iterator[tuple[Inputs, Question]]:
    """Yield counts, with what they lose: exactly at an order, at least so much at an epsilon."""
    if claim.order is None and not claim.delta:
        yield _without_bound(claim, facts)
        return
    for places in _PLACES:
        if claim.order is None:
            yield _short_of_the_bound(claim, facts, places)
        else:
            own = HistogramParameters.of(claim)
            records = ceil(10**places * (1 + own.alpha) / own.step)
            question = Question(
                "epsilon_at_order", claim.epsilon, (_divergence(claim, claim.order, records),)
            )
            yield _inputs(records, facts), question


def pair_near(claim: Claim, pair: Pair, inputs: Inputs) -> Iterator[tuple[Inputs, Question]]:
    """Yield the two inputs of a pair that attains no bound, in both orders, with what they lose."""
    scale = pair.alpha / pair.first[0]
    first, second = (tuple(scale * share for share in one) for one in (pair.first, pair.second))
    turned = replace(inputs, first=inputs.second, second=inputs.first)
    for told, u, v in ((inputs, first, second), (turned, second, first)):
        yield told, _asked_of_pair(claim, u, v)


def _asked_of_pair(claim: Claim, u: tuple[Fraction, ...], v: tuple[Fraction, ...]) -> Question:
    """Ask for what two laws lose; at delta 0 for a divergence that is infinite, like the loss."""
    if claim.order is None and claim.delta:
        point: dict[str, Value] = {"u": u, "v": v, "epsilon": claim.epsilon}
        return Question("delta_at_epsilon", claim.delta, (Term("dirichlet.pair.delta", point),))
    falls, step = next((a, b - a) for a, b in zip(u, v, strict=True) if a < b)
    order = claim.order or largest_order(falls, step)
    term = Term("dirichlet.renyi.divergence", {"u": u, "v": v, "order": order})
    key = "epsilon_at_delta" if claim.order is None else "epsilon_at_order"
    return Question(key, claim.epsilon, (term,))


def _without_bound(claim: Claim, facts: Mapping[str, Texts]) -> tuple[Inputs, Question]:
    """Return counts whose loss is unbounded: no epsilon is enough at delta 0.

    The epsilon at delta 0 is at least the divergence at any order, and from one order on that is
    infinite, however many records there are elsewhere.
    """
    own = HistogramParameters.of(claim)
    order = largest_order(own.alpha, own.step)
    question = Question("epsilon_at_delta", claim.epsilon, (_divergence(claim, order, 1),))
    infinite = {"infinite_at_order": exact_text(order)}
    return _inputs(1, {**facts, **infinite}, "the loss is unbounded"), question


def _short_of_the_bound(
    claim: Claim, facts: Mapping[str, Texts], places: int
) -> tuple[Inputs, Question]:
    """Return counts whose delta falls short of the gamma pair's by at most the share that is told.

    See proofs_notes/add-remove.md, short-of-the-bound.
    """
    own = HistogramParameters.of(claim)
    alpha, step = own.alpha, own.step
    records = ceil(max(Fraction(1), 10**places * shortfall(alpha, step, Fraction(1))) / step)
    lacks = shortfall(alpha, step, alpha + step * records)
    point: dict[str, Value] = {"alpha": alpha, "step": step, "epsilon": claim.epsilon}
    term = Term("dirichlet.add_remove.delta", point, 1 - lacks)
    question = Question("delta_at_epsilon", claim.delta or Fraction(0), (term,))
    told = {"falls_short_by_at_most": exact_text(lacks)}
    sentence = f"their delta is at least 1 - {shown(lacks)} times the bound"
    return _inputs(records, {**facts, **told}, sentence), question


def _divergence(claim: Claim, order: Fraction, records: int) -> Term:
    own = HistogramParameters.of(claim)
    alpha, step = own.alpha, own.step
    rest = alpha + step * records
    return Term(
        "dirichlet.renyi.divergence",
        {"u": (alpha, rest), "v": (alpha + step, rest), "order": order},
    )


def _inputs(records: int, facts: Mapping[str, Texts], said: str = "") -> Inputs:
    others = "no records in further cells, if there are any"
    count = shown(records)
    sentence = f"counts (0, {count}) and (1, {count}) in two cells; others: {others}"
    if said:
        sentence = f"{sentence}; {said}"
    return Inputs(["0", exact_text(records)], ["1", exact_text(records)], others, sentence, facts)
