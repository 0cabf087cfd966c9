"""The group inverse of I - P, and the stationary law, from one inverse: exactly, or in balls.

For any state s, G = (I - P + 1 e_s)^-1 exists, pi = e_s G, A# = G - 1 (pi G), and the rows of G
differ as those of A# do (proofs_notes/fundamental-matrix.md). Rationals are taken where they cost
little, or where as many bits are asked for as they have; balls elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias, TypeVar

from flint import arb, arb_mat, ctx, fmpq, fmpq_mat

from ..arb.balls import ball, extra_bits
from ..precision import BudgetSpentError, seconds_left
from .stationary import determinant_bits, exact_matrix, seconds_exactly, stationary_law
from .structure import Matrix, closed_classes, pattern_of, reachable

Number: TypeAlias = arb | Fraction
Numbers: TypeAlias = tuple[Number, ...]
Table: TypeAlias = tuple[Numbers, ...]
Grid = TypeVar("Grid", fmpq_mat, arb_mat)

ZERO, ONE = Fraction(0), Fraction(1)
# Exact solves that take less than this are preferred to balls; a matter of speed alone.
_CHEAP_SECONDS = 0.5
# Elimination in balls lost 45 to 60 bits for 300 to 1000 states: measured, and for width alone.
_SPARE_BITS = 64
# FLINT's inverse of n x n balls cannot be interrupted. At p bits it took at most about
# 1.5e-8 n^3 (p/128)^1.3 s, n from 100 to 1000 and p from 128 to 8192: measured, for time alone.
_SECONDS_PER_CUBE, _USUAL_BITS, _GROWTH = 1.5e-8, 128, 1.3
# Elimination for one right side takes at most about this part of that.
_SOLVE = 0.25


def forgets_at_once(P: Matrix) -> bool:
    """Whether all rows are equal: then pi is a row, A# = I - 1 pi, and I - P + 1 pi = I."""
    return all(row == P[0] for row in P)


def law_of(P: Matrix) -> Numbers:
    """Enclose the stationary law of a chain with one closed class; exactly 0 outside of it."""
    (closed,) = closed_classes(P)
    if forgets_at_once(P):
        return tuple(P[0])
    if _is_cheap_exactly(P, closed):
        return stationary_law(P)
    law: list[Number] = [ZERO] * len(P)
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
    if forgets_at_once(P):
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
            [(x == y) - P[x][y] + (ONE if y == state else ZERO) for y in states] for x in states
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


def _centred(inverse: Grid, make: type[Grid], state: int, shift: int) -> Grid:
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
        tuple(entry if meets else ZERO for entry, meets in zip(row, line, strict=True))
        for row, line in zip(rows, met, strict=True)
    )
