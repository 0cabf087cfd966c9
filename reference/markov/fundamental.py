"""A chain in the long run: its stationary law, group inverse and fundamental matrices.

For any state s, G = (I - P + 1 e_s)^-1 exists, pi = e_s G, A# = G - 1 (pi G), and the rows of G
differ as those of the group inverse A# of I - P do. Rationals are taken where they cost little, or
where as many bits are asked for as they have; balls elsewhere.

Z+ = (I - P + 1 pi)^-1 is Kemeny and Snell's (1960); both papers print Z- = (I - P - 1 pi)^-1. They
are A# + 1 pi and A# - 1 pi, and all three have the same differences of rows
(proofs_notes/fundamental-matrix.md). The chain may be periodic, and states may be left for good;
only one set of states that is never left is needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import Annotated, TypeAlias, TypeVar

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from ..arb.balls import ball, extra_bits
from ..domain import A_PROBABILITY, AT_LEAST_ZERO, NORM, SIGN, STOCHASTIC, Condition, Stochastic
from ..precision import BudgetSpentError, check_budget, seconds_left
from ..quantity import Shape, Side, Truth, quantity
from ..relations import UNKNOWN
from ..structures import Matrix
from .distances import distance, largest_distance_of_balls, largest_distance_of_rationals
from .stationary import determinant_bits, exact_matrix, seconds_exactly, stationary_law
from .structure import ONE_CLOSED_CLASS, closed_classes, not_unique, pattern_of, reachable

Number: TypeAlias = arb | Fraction
Numbers: TypeAlias = tuple[Number, ...]
Table: TypeAlias = tuple[Numbers, ...]
_Grid = TypeVar("_Grid", fmpq_mat, arb_mat)

_ZERO, _ONE = Fraction(0), Fraction(1)
# Exact solves that take less than this are preferred to balls; a matter of speed alone.
_CHEAP_SECONDS = 0.5
# Elimination in balls lost 45 to 60 bits for 300 to 1000 states: measured, and for width alone.
_SPARE_BITS = 64
# FLINT's inverse of n x n balls cannot be interrupted. At p bits it took at most about
# 1.5e-8 n^3 (p/128)^1.3 s, n from 100 to 1000 and p from 128 to 8192: measured, for time alone.
_SECONDS_PER_CUBE, _USUAL_BITS, _GROWTH = 1.5e-8, 128, 1.3
# Elimination for one right side takes at most about this part of that.
_SOLVE = 0.25


def _forgets_at_once(P: Matrix) -> bool:
    """Whether all rows are equal: then pi is a row, A# = I - 1 pi, and I - P + 1 pi = I."""
    return all(row == P[0] for row in P)


def law_of(P: Matrix) -> Numbers:
    """Enclose the stationary law of a chain with one closed class; exactly 0 outside of it."""
    (closed,) = closed_classes(P)
    if _forgets_at_once(P):
        return tuple(P[0])
    if _is_cheap_exactly(P, closed):
        return stationary_law(P)
    law: list[Number] = [_ZERO] * len(P)
    size, state = len(closed), len(closed) - 1
    with extra_bits(_SPARE_BITS):
        _require_time(size, _SOLVE)
        moves = _shifted_balls(P, closed, state).transpose()
        unit = arb_mat(size, 1, [int(x == state) for x in range(size)])
        solved = moves.solve(unit, nonstop=True, algorithm="lu")
    for at, share in zip(closed, solved.entries(), strict=True):
        law[at] = share
    return tuple(law)


def group_inverse_of(P: Matrix, shift: int = 0) -> Table:
    """Enclose A# + shift 1 pi for a chain with one closed class, A# the group inverse of I - P.

    Entries are exactly 0 where the second state is left for good and is not reached from the first.
    """
    if _forgets_at_once(P):
        return tuple(
            tuple((x == y) - (1 - shift) * share for y, share in enumerate(P[0]))
            for x in range(len(P))
        )
    inverse, state = shifted_inverse(P)
    if isinstance(inverse, fmpq_mat):
        return tuple(exact_rows(_centred(inverse, fmpq_mat, state, shift)))
    return _with_zeros(P, _centred(inverse, arb_mat, state, shift).tolist())


def shifted_inverse(P: Matrix) -> tuple[fmpq_mat | arb_mat, int]:
    """Return G, exactly or in balls, and its state s: the last one of the closed class."""
    (closed,) = closed_classes(P)
    states, state = range(len(P)), closed[-1]
    if _is_cheap_exactly(P, states):
        rows = [
            [(x == y) - P[x][y] + (_ONE if y == state else _ZERO) for y in states] for x in states
        ]
        return exact_matrix(rows).inv(), state
    _require_time(len(P))
    return _shifted_balls(P, states, state).inv(nonstop=True), state


def exact_rows(matrix: fmpq_mat) -> Iterator[tuple[Fraction, ...]]:
    """Yield the rows of a matrix of FLINT's rationals as fractions."""
    for row in matrix.tolist():
        yield tuple(_fraction(entry) for entry in row)


def _fraction(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))


def _is_cheap_exactly(P: Matrix, states: Sequence[int]) -> bool:
    """Whether to take rationals; a matter of speed alone."""
    bits = determinant_bits(P, states)
    seconds = seconds_exactly(len(states), bits)
    return seconds <= _CHEAP_SECONDS or (bits <= ctx.prec and seconds <= seconds_left())


def _require_time(size: int, part: float = 1.0) -> None:
    """Raise BudgetSpentError where an inverse in balls, or a part of one, would take too long."""
    seconds = part * _SECONDS_PER_CUBE * size**3 * (ctx.prec / _USUAL_BITS) ** _GROWTH
    if seconds > seconds_left():
        raise BudgetSpentError(f"the inverse would take about {seconds:.0f} s")


def _shifted_balls(P: Matrix, states: Sequence[int], at: int) -> arb_mat:
    """Return I - P + 1 e_s on some states, s the ``at``-th of them, from 0."""
    size = len(states)
    entries = [
        ball((x == y) - P[source][target] + (y == at))
        for x, source in enumerate(states)
        for y, target in enumerate(states)
    ]
    return arb_mat(size, size, entries)


def _centred(inverse: _Grid, make: type[_Grid], state: int, shift: int) -> _Grid:
    """Return A# + shift 1 pi = G - 1 (pi G - shift pi), pi = e_s G."""
    size = inverse.nrows()
    law = make(1, size, inverse.tolist()[state])
    ones = make(size, 1, [1] * size)
    return inverse - ones * (law * inverse - law * shift)


def _with_zeros(P: Matrix, rows: Sequence[Sequence[arb]]) -> Table:
    """Return the balls, with an exact 0 wherever a state that is left for good is not reached."""
    paths = reachable(pattern_of(P))
    met = (paths | paths.all(axis=0)).tolist()
    return tuple(
        tuple(entry if meets else _ZERO for entry, meets in zip(row, line, strict=True))
        for row, line in zip(rows, met, strict=True)
    )


_NOTE = "proofs_notes/fundamental-matrix.md"
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
    source=_NOTE,
    formula=r"\pi^T P = \pi^T, \quad \sum_i \pi_i = 1",
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
    source=_NOTE,
    formula=r"A^{\#} : \; (I - P) A^{\#} = A^{\#} (I - P) = I - \mathbf{1} \pi^T, \; \pi^T "
    r"A^{\#} = 0",
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
    source=_NOTE,
    formula=r"Z = (I - P + \mathbf{1} \pi^T)^{-1}",
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
    source=_NOTE,
    formula=r"\|(I - P \pm \mathbf{1} \pi^T)^{-1}\|",
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
    source=_NOTE,
    formula=r"\kappa = \frac{1}{2} \max_{i, j} \|A^{\#}_i - A^{\#}_j\|_1",
    within=AT_LEAST_ZERO,
    conditions=(ONE_CLOSED_CLASS,),
    rises=UNKNOWN,
)
def condition_number(P: STOCHASTIC) -> Number:
    """Condition number of pi: half the largest 1-norm of a difference of two rows of A#.

    |pi - pi'|_1 is at most this times the largest |P_i - P'_i|_1, for every chain P' with one
    closed class; Z+ and Z- have the same differences of rows.
    """
    if _forgets_at_once(P):
        return _ONE
    inverse, _ = shifted_inverse(P)
    if isinstance(inverse, fmpq_mat):
        return largest_distance_of_rationals(tuple(exact_rows(inverse))) / 2
    return largest_distance_of_balls(inverse.tolist()) / 2


@quantity(
    "markov.stationary_distance",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\mathrm{TV}(\pi_P, \pi_Q) = \frac{1}{2} \|\pi_P - \pi_Q\|_1",
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
