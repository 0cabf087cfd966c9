"""What a chain does in the long run: its stationary law, group inverse and fundamental matrices.

Z+ = (I - P + 1 pi)^-1 is Kemeny and Snell's (1960); both papers print Z- = (I - P - 1 pi)^-1. They
are A# + 1 pi and A# - 1 pi, A# the group inverse of I - P, and all three have the same differences
of rows (proofs_notes/fundamental-matrix.md). The chain may be periodic, and states may be left for
good; only one set of states that is never left is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Annotated

from flint import arb, fmpq_mat

from ..arb.balls import ball
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    NORM,
    SIGN,
    STOCHASTIC,
    Condition,
    Stochastic,
)
from ..precision import check_budget
from ..quantity import Shape, Side, Truth, quantity
from ..relations import UNKNOWN
from ..structures import Matrix
from .conditions import ONE_CLOSED_CLASS
from .distances import distance, largest_distance_of_balls, largest_distance_of_rationals
from .inverse import (
    ONE,
    Number,
    Numbers,
    Table,
    exact_rows,
    forgets_at_once,
    group_inverse_of,
    law_of,
    shifted_inverse,
)
from .stationary import not_unique
from .structure import closed_classes

NOTE = "proofs_notes/fundamental-matrix.md"
OTHER_MATRIX = Annotated[Matrix, Stochastic(as_long_as="P", as_wide_as="P")]

SAME_STATES = Condition(
    "Q of as many states as P",
    lambda P, Q: len(P) == len(Q),
    "its definition",
    lambda P, Q: f"P has {len(P)} rows, Q has {len(Q)}",
)
_ONE_CLOSED_CLASS_OF_THE_OTHER = Condition(
    "Q with one closed class of states",
    lambda Q: len(closed_classes(Q)) == 1,
    "its definition",
    lambda Q: not_unique(closed_classes(Q)),
)


@quantity(
    "markov.stationary",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    within=A_PROBABILITY,
    conditions=(ONE_CLOSED_CLASS,),
    shape=Shape.VECTOR,
    rises=UNKNOWN,
)
def stationary(P: STOCHASTIC) -> Numbers:
    """Stationary law pi, pi P = pi: the share of time that is spent in each state."""
    return law_of(P)


@quantity(
    "markov.group_inverse",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    conditions=(ONE_CLOSED_CLASS,),
    shape=Shape.MATRIX,
    rises=UNKNOWN,
)
def group_inverse(P: STOCHASTIC) -> Table:
    """Group inverse A# of I - P: (I - P) A# = A# (I - P) = I - 1 pi and pi A# = 0."""
    return group_inverse_of(P)


@quantity(
    "markov.fundamental",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    conditions=(ONE_CLOSED_CLASS,),
    shape=Shape.MATRIX,
    rises=UNKNOWN,
)
def fundamental(P: STOCHASTIC) -> Table:
    """Fundamental matrix (I - P + 1 pi)^-1 of Kemeny and Snell, which is A# + 1 pi."""
    return group_inverse_of(P, shift=1)


@quantity(
    "markov.fundamental_norm",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(ONE_CLOSED_CLASS,),
    rises=UNKNOWN,
)
def fundamental_norm(P: STOCHASTIC, norm: NORM, sign: SIGN) -> Number:
    """Norm of a fundamental matrix: largest row or column sum of its absolute values.

    ``sign`` "plus": (I - P + 1 pi)^-1 (Kemeny and Snell), "minus": (I - P - 1 pi)^-1, as
    fallin2023 and benvenuti2025 print it.
    """
    matrix = group_inverse_of(P, shift=1 if sign == "plus" else -1)
    return _largest(map(_size, matrix if norm == "row" else zip(*matrix, strict=True)))


@quantity(
    "markov.condition_number",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(ONE_CLOSED_CLASS,),
    rises=UNKNOWN,
)
def condition_number(P: STOCHASTIC) -> Number:
    """Condition number of pi: half the largest 1-norm of a difference of two rows of A#.

    |pi - pi'|_1 is at most this times the largest |P_i - P'_i|_1, for every chain P' with one
    closed class; Z+ and Z- have the same differences of rows.
    """
    if forgets_at_once(P):
        return ONE
    inverse, _ = shifted_inverse(P)
    if isinstance(inverse, fmpq_mat):
        return largest_distance_of_rationals(tuple(exact_rows(inverse))) / 2
    return largest_distance_of_balls(inverse.tolist()) / 2


@quantity(
    "markov.stationary_distance",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    within=A_PROBABILITY,
    conditions=(SAME_STATES, ONE_CLOSED_CLASS, _ONE_CLOSED_CLASS_OF_THE_OTHER),
    rises=UNKNOWN,
)
def stationary_distance(P: STOCHASTIC, Q: OTHER_MATRIX) -> Number:
    """Total variation distance of the stationary laws of two chains."""
    if P == Q:
        return Fraction(0)
    one, other = law_of(P), law_of(Q)
    exact, as_exact = _fractions(one), _fractions(other)
    if exact is not None and as_exact is not None:
        return distance(exact, as_exact) / 2
    return _size(p - q for p, q in zip(_balls(one), _balls(other), strict=True)) / 2


def _size(row: Iterable[Number]) -> Number:
    """Enclose the sum of absolute values; exactly, if all of them are rationals."""
    check_budget()
    entries = tuple(row)
    exact = _fractions(entries)
    if exact is not None:
        return sum(map(abs, exact), Fraction(0))
    return sum(map(abs, _balls(entries)), arb(0))


def _largest(values: Iterable[Number]) -> Number:
    found = tuple(values)
    exact = _fractions(found)
    return max(exact) if exact is not None else reduce(lambda x, y: x.max(y), _balls(found))


def _fractions(values: Sequence[Number]) -> tuple[Fraction, ...] | None:
    """Return the values, if all of them are exact."""
    exact = tuple(value for value in values if isinstance(value, Fraction))
    return exact if len(exact) == len(values) else None


def _balls(values: Iterable[Number]) -> Iterable[arb]:
    return (_ball(value) for value in values)


def _ball(value: Number) -> arb:
    return ball(value) if isinstance(value, Fraction) else value
