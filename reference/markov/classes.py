"""What a chain can do: how many classes its states fall into, and its period, exactly."""

from __future__ import annotations

from fractions import Fraction

from ..domain import AT_LEAST_ZERO, STOCHASTIC
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from .conditions import IRREDUCIBLE
from .structure import pattern_of, period, reachable

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
