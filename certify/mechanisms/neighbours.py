"""Neighbouring inputs: which they are, how much they change, and pairs that nearly attain a bound.

What two releases lose together is a statement on two data sets that are neighbours to both; of
Pufferfish releases on two secrets under one law of a class (proofs_notes/ledger.md).

A record added, next to many others, loses nearly as much as the gamma pair does. With m records in
one cell, the first cell holds none or one: its share is Beta(alpha, R) or Beta(alpha + step, R),
R = alpha + step m. What these two lose is a proved lower bound on what all neighbours do
(proofs_notes/add-remove.md, large-counts-come-near); more cells, without records, only raise R and
the loss. Of other bounds two inputs are given, which are judged alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any, Final

from ...reference.dirichlet.add_remove import shortfall
from ...reference.dirichlet.pair import Pair
from ...reference.dirichlet.renyi import largest_order
from ...reference.domain import Value
from ...reference.errors import DomainError, InputError, UnknownNameError
from ...reference.exact import Texts, exact_text, shown
from .hypotheses import Finding
from .protocol import Claim, Inputs, Parameters
from .questions import Question, Term

# Of all of them both have to be data that every release admits which might be asked.
RECORD_CHANGED: Final = "data that differ in one record, which changes its category"
RECORD_REPLACED: Final = "data that differ in one record, which another one replaces"
RECORD_ADDED: Final = "data that differ in one record, which is added or removed"
# What [data] says of one query alone: any may be asked of the same data.
_OF_THE_QUERY: Final = frozenset({"public", "query", "weights", "values"})


@dataclass(frozen=True)
class Counted:
    """What a release counts of records: of which column which labels; no others are read.

    ``all_occur`` says whether data are no input where a label has no record.
    """

    column: str
    labels: frozenset[str]
    all_occur: bool


def counted_in(data: Mapping[str, Any], *, all_occur: bool) -> Counted | None:
    """Return what [data] says is counted of records, None where it names no column."""
    column, labels = data.get("column"), data.get("categories")
    if not isinstance(column, str) or not isinstance(labels, list):
        return None
    return Counted(column, frozenset(map(str, labels)), all_occur)


@dataclass(frozen=True)
class Adjacency:
    """Which data are neighbours, in words, and what has to be equal for two releases to agree.

    Under Pufferfish privacy they are secrets, and ``laws`` says of which class of laws.
    ``missing`` is what would have to be known and is not. ``rows`` says of each row that is
    released by itself whether neighbours may differ in it, ``counted`` what is counted of records.
    """

    words: str
    fixed: Mapping[str, Any]
    missing: tuple[str, ...] = ()
    laws: str = ""
    rows: tuple[bool, ...] = (True,)
    counted: Counted | None = None

    @property
    def noun(self) -> str:
        """The two things that are not told apart."""
        return "secrets" if self.laws else "neighbours"


def why_none_in_common(found: Sequence[Adjacency]) -> str:
    """Return why no two data sets are neighbours to all these releases, as far as can be told.

    They agree on who is a neighbour of whom; each has two of its own.
    """
    if not any(all(same) for same in zip(*(one.rows for one in found), strict=True)):
        return "no row of the chain has neighbours in every release"
    columns: dict[str, list[Counted]] = {}
    for one in found:
        if one.counted is not None:
            columns.setdefault(one.counted.column, []).append(one.counted)
    read = {column: _read_by_all(same) for column, same in columns.items()}
    for column, same in columns.items():
        needed = [one for one in same if one.all_occur and not one.labels <= read[column]]
        if needed or not read[column]:
            return (
                f"of column {shown(column)} the releases list different labels, so that no data, "
                "or none with a record, are an input of them all"
            )
    whole = all(one.counted is not None for one in found)
    alone = whole and all(len(labels) == 1 for labels in read.values())
    if alone and found[0].words == RECORD_CHANGED:
        return "of each column there is one label that every release reads, so that none can change"
    return ""


def _read_by_all(same: Sequence[Counted]) -> frozenset[str]:
    return frozenset.intersection(*(one.labels for one in same))


@dataclass(frozen=True)
class Unlike:
    """Why releases have no neighbours in common."""

    why: str


def fixed_by(
    claim: Claim,
    data: Mapping[str, Any],
    words: str,
    keys: Sequence[str],
    needed: Sequence[str],
) -> Adjacency:
    """Return neighbours that are fixed by some of the parameters and by what [data] says."""
    given = claim.parameters.given
    said = {key: value for key, value in data.items() if key not in _OF_THE_QUERY}
    missing = tuple(f"{key} in [data]" for key in needed if key not in said)
    return Adjacency(words, {**{key: given.get(key) for key in keys}, "[data]": said}, missing)


REPLACE, ADD_REMOVE = "replace", "add_remove"
# Names of neighbours, and the words in which mechanisms tell of them.
NAMES: Final = {REPLACE: RECORD_CHANGED, ADD_REMOVE: RECORD_ADDED}
# The same of any query, which need not count categories.
OF_ANY_QUERY: Final = {REPLACE: RECORD_REPLACED, ADD_REMOVE: RECORD_ADDED}


def named(found: Adjacency | Unlike) -> str | None:
    """Return the name of neighbours, else their words; None where they are not told of."""
    if isinstance(found, Unlike):
        return None
    told = (*NAMES.items(), *OF_ANY_QUERY.items())
    return next((name for name, words in told if words == found.words), found.words)


# What one record of a histogram changes: the squared 2-norm, and the largest coordinate.
HISTOGRAM_CHANGE = {REPLACE: (Fraction(2), Fraction(1)), ADD_REMOVE: (Fraction(1), Fraction(1))}
SENSITIVITIES = ("delta2_squared", "delta_inf")
_NEIGHBOURS = {
    REPLACE: "Neighbours differ in one record that changes its cell; the number of records is "
    "public. A record added or removed is not covered.",
    ADD_REMOVE: "Neighbours differ in one record that is added or removed. A record that changes "
    "its cell is not covered.",
}
_ONLY_A_BOUND = (
    "That the truth is as large as the bound: it holds for every f with these sensitivities, so it "
    "can certify a claim and not refute it."
)
_NO_OTHER_F = (
    "Anything of another f with the same sensitivities: for that "
    "dirichlet.renyi.epsilon_sensitivity holds, which can be larger."
)
_FEW_CELLS = (
    "That nothing smaller holds for two cells and a public number of records above 1, where no "
    "inputs attain the truth stated here."
)


@dataclass(frozen=True)
class HistogramParameters(Parameters):
    """What one record adds, what each cell has before, and how much f changes by one record."""

    step: Fraction
    alpha: Fraction
    delta2_squared: Fraction
    delta_inf: Fraction
    neighbours: str

    @property
    def sensitivities(self) -> tuple[Fraction, Fraction]:
        """The squared 2-norm and the largest coordinate of a change."""
        return self.delta2_squared, self.delta_inf

    @property
    def is_histogram(self) -> bool:
        """Whether the sensitivities are those of one record of a histogram."""
        return self.sensitivities == HISTOGRAM_CHANGE[self.neighbours]

    def drawn_from(self, counts: Sequence[int]) -> list[Fraction]:
        """Return the parameters of the Dirichlet law at these counts."""
        return [self.step * count + self.alpha for count in counts]


def neighbours_of(value: object, where: str) -> str:
    """Return which inputs are neighbours. Raises InputError for no such word."""
    if not isinstance(value, str):
        raise InputError(f"{where}: neighbours is {shown(value)}; it is one of {_known()}")
    if value not in HISTOGRAM_CHANGE:
        raise UnknownNameError(
            "neighbours", value, HISTOGRAM_CHANGE, f"in {where} (known: {_known()})"
        )
    return value


def _known() -> str:
    return ", ".join(HISTOGRAM_CHANGE)


def require_possible(own: HistogramParameters, where: str) -> None:
    """Raise DomainError if no change has both sensitivities.

    They could be two bounds of which one is slack, but mostly a norm was not squared.
    """
    squared, largest = own.sensitivities
    if largest**2 > squared:
        raise DomainError(
            f"{where}: delta_inf = {shown(largest)} and delta2_squared = {shown(squared)} "
            "contradict each other: one coordinate cannot change by more than the 2-norm, so "
            "delta_inf^2 <= delta2_squared, the square of that norm"
        )


def assumed_of_f(own: HistogramParameters) -> Finding:
    """Return what has to be assumed of f."""
    if own.is_histogram:
        return Finding("f counts records, one cell each", "assumed", "ponnoprat2023 Section 5.1")
    return Finding("f >= 0 has these sensitivities", "assumed", "ponnoprat2023 Section 3.1")


def not_said_of_f(own: HistogramParameters) -> list[str]:
    """Return what a verdict does not say of f and its neighbours."""
    if not own.is_histogram:
        return [_ONLY_A_BOUND]
    few = [_FEW_CELLS] if own.neighbours == REPLACE else []
    return [_NO_OTHER_F, _NEIGHBOURS[own.neighbours], *few]


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
