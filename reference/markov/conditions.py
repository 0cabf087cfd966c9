"""A chain's classes and period, and the conditions that quantities set on them.

Each condition bears the sentence that says why a chain is refused. Classes and period are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..domain import AT_LEAST_ZERO, STOCHASTIC, Condition
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from .stationary import has_one_stationary_law, not_unique
from .structure import Matrix, closed_classes, is_irreducible, pattern_of, period, reachable

SOURCE = "its definition"


def _classes(P: Matrix) -> str:
    return not_unique(closed_classes(P))


def _unreached(P: Matrix) -> str:
    paths = reachable(pattern_of(P))
    source, target = next(zip(*(~paths).nonzero(), strict=True))
    return f"state {target + 1} cannot be reached from state {source + 1}"


ONE_CLOSED_CLASS = Condition(
    "P with one closed class of states", has_one_stationary_law, SOURCE, _classes
)
IRREDUCIBLE = Condition("P irreducible", is_irreducible, SOURCE, _unreached)
CONCENTRATION_OF_EACH_STATE = Condition(
    "as many entries of k as P has rows",
    lambda P, k: len(P) == len(k),
    SOURCE,
    lambda P, k: f"P has {len(P)} rows, k has {len(k)} entries",
)


def chain_of(counts: Sequence[Sequence[int]]) -> tuple[tuple[Fraction, ...], ...]:
    """Return the relative frequencies of what was counted, row by row, exactly."""
    totals = map(sum, counts)  # once a row: there are up to a thousand of a thousand entries
    return tuple(
        tuple(Fraction(count, total) for count in row)
        for row, total in zip(counts, totals, strict=True)
    )


def counted_in_one_class(counts: Sequence[Sequence[int]]) -> bool:
    """Whether the chain that was counted has one closed class of states."""
    return has_one_stationary_law(chain_of(counts))


def classes_counted(counts: Sequence[Sequence[int]]) -> str:
    """Return which closed classes the chain that was counted has, as a sentence."""
    return _classes(chain_of(counts))


NOTE = "proofs_notes/fundamental-matrix.md"


@quantity(
    "markov.period",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(IRREDUCIBLE,),
    rises=UNKNOWN,
)
def period_of_chain(P: STOCHASTIC) -> Fraction:
    """Period of an irreducible chain: the greatest common divisor of the lengths of its cycles."""
    return Fraction(period(P))


@quantity(
    "markov.communicating_classes",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def communicating_classes(P: STOCHASTIC) -> Fraction:
    """Number of classes of states that can be reached from each other; 1: P is irreducible."""
    paths = reachable(pattern_of(P))
    mutual = paths & paths.T
    return Fraction(len({line.tobytes() for line in mutual}))
