"""Counts that lose nearly as much as the gamma pair does: a record added, next to many others.

With m records in one cell, the first cell holds none or one: its share is Beta(alpha, R) or
Beta(alpha + step, R) with R = alpha + step m. What these two lose is a proved lower bound on what
all neighbours do (proofs_notes/add-remove.md, large-counts-come-near); more cells, without
records, only raise R and the loss.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.arb.gamma import log_beta
from ...reference.domain import Value
from ...reference.exact import Texts, exact_text, shown
from .protocol import Claim, Inputs
from .questions import Question, Term

# How many times larger than 1 + alpha the sum R is; neighbours come as near as about its inverse.
_TIMES = (10**3, 10**6, 10**9, 10**12)
# For e^epsilon and the threshold; a matter of how near the bound is, not of its truth.
_BITS = 256
# A threshold with a larger exponent than this many nats is not tried.
_MOST_NATS = 20_000
_DIGITS_OF_THRESHOLD = 20
# A smaller threshold would not be read as a parameter (`exact`): this one is tried in its place.
_MOST_PLACES = 9_000
_DIGITS_PER_BIT = Fraction(30103, 100000)


@dataclass(frozen=True)
class Threshold:
    """A short decimal: so many units of the last of its places."""

    units: int
    places: int

    @property
    def value(self) -> Fraction:
        """The number itself."""
        return Fraction(self.units, 10**self.places)

    def __str__(self) -> str:
        return f"{self.units}e-{self.places}"


def inputs_near(claim: Claim, facts: Mapping[str, Texts]) -> Iterator[tuple[Inputs, Question]]:
    """Yield counts, with what they lose: exactly at an order, at least so much at an epsilon."""
    alpha, step = claim.number("alpha"), claim.number("step")
    for times in _TIMES:
        records = ceil(times * (1 + alpha) / step)
        rest = alpha + step * records
        if claim.order is not None:
            yield _inputs(records, facts), _divergence(claim, claim.order, rest)
            continue
        threshold = _threshold(claim, rest)
        if threshold is not None:
            event = {"event": f"the first share is below {threshold}"}
            yield _inputs(records, {**facts, **event}), _on_event(claim, rest, threshold.value)


def _divergence(claim: Claim, order: Fraction, rest: Fraction) -> Question:
    alpha, step = claim.number("alpha"), claim.number("step")
    point: dict[str, Value] = {"u": (alpha, rest), "v": (alpha + step, rest), "order": order}
    term = Term("dirichlet.renyi.divergence", point)
    return Question("epsilon_at_order", claim.epsilon, (term,))


def _on_event(claim: Claim, rest: Fraction, threshold: Fraction) -> Question:
    """Ask for P(A) - t Q(A), A the event, t slightly above e^epsilon: delta is at least that."""
    alpha, step = claim.number("alpha"), claim.number("step")
    point: dict[str, Value] = {"count": 1, "rest": rest, "gamma": threshold}
    return Question(
        "delta_at_epsilon",
        claim.delta or Fraction(0),
        (
            Term("dirichlet.tail.uniform", {**point, "alpha": alpha}),
            Term("dirichlet.tail.uniform", {**point, "alpha": alpha + step}, -_above_exp(claim)),
        ),
    )


def _above_exp(claim: Claim) -> Fraction:
    with working_precision(_BITS):
        above = enclosure_of(ball(claim.epsilon).exp()).upper
    if not isinstance(above, Fraction):
        raise TypeError("e^epsilon is not finite")
    return above


def _threshold(claim: Claim, rest: Fraction) -> Threshold | None:
    """Return about the share at which the ratio of the two densities is e^epsilon; None if tiny.

    Every threshold gives a lower bound, so its rounding is a matter of sharpness alone.
    """
    alpha, step, epsilon = claim.number("alpha"), claim.number("step"), claim.epsilon
    if epsilon > _MOST_NATS * min(step, Fraction(1)):
        return None
    with working_precision(_BITS + step.denominator.bit_length()):
        rise = log_beta(alpha + step, rest) - log_beta(alpha, rest)
        point: arb = ((rise - ball(epsilon)) / ball(step)).exp()
        upper = enclosure_of(point).upper
    upper = min(upper, Fraction(1)) if isinstance(upper, Fraction) else Fraction(1)
    # Said by lengths alone: the number may have a hundred million bits.
    octaves = upper.denominator.bit_length() - upper.numerator.bit_length()
    if octaves * _DIGITS_PER_BIT > _MOST_PLACES:
        return Threshold(1, _MOST_PLACES)
    places = _DIGITS_OF_THRESHOLD + int(int(1 / upper).bit_length() * _DIGITS_PER_BIT)
    return Threshold(int(upper * 10**places), places)


def _inputs(records: int, facts: Mapping[str, Texts]) -> Inputs:
    others = "no records in further cells, if there are any"
    count = shown(records)
    sentence = f"counts (0, {count}) and (1, {count}) in two cells; others: {others}"
    if "event" in facts:
        sentence = f"{sentence}; told apart where {facts['event']}"
    return Inputs(["0", exact_text(records)], ["1", exact_text(records)], others, sentence, facts)
