"""Baselines of song2017 Section 5: one entry, a group, and Ghosh and Kleinberg 2016; rounded up.

The matrix of influences of a chain holds the same three numbers but near the first node
(proofs_notes/baselines.md). Larger influences make the sums over rows of the inverse of 1 - Gamma
larger, and elimination subtracts from 1 alone, so every step is rounded towards a larger sum; in
decimals of 60 digits, as with a norm near 1 no double is near enough to an influence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from itertools import permutations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..doubled import Reals, rounded_towards
from .chain import STATIONARY, ChainLaw
from .mixing import whole_number_above

_Whole: TypeAlias = NDArray[Any]  # of whole numbers of any size

# Rows from the first one on that are looked at one by one; later ones are bounded together.
_MOST_ROWS = 4_096
_SECOND = 2
# The sums are as large as 1 over what the norm is below 1, of chains in doubles 2^53 and more: 60
# digits keep 1e-12 of a sum of 1e40.
_DIGITS = 60
_UP = Context(prec=_DIGITS, rounding=ROUND_CEILING, traps=[])
_DOWN = Context(prec=_DIGITS, rounding=ROUND_FLOOR, traps=[])
_ZERO, _ONE = Decimal(0), Decimal(1)


def entry_scale(lipschitz: Reals, epsilon: Reals) -> Reals:
    """Return upper bounds on lipschitz/epsilon."""
    return np.array([_quotient(a, 1, e) for a, e in _points(lipschitz, epsilon)])


def group_scale(lipschitz: Reals, size: Reals, epsilon: Reals) -> Reals:
    """Return upper bounds on lipschitz * size/epsilon."""
    points = _points(lipschitz, size, epsilon)
    return np.array([_quotient(a, whole_number_above(n), e) for a, n, e in points])


def _points(*columns: Reals) -> list[tuple[float, ...]]:
    return list(zip(*(column.tolist() for column in columns), strict=True))


def _quotient(lipschitz: float, size: int, epsilon: float) -> float:
    return rounded_towards(Fraction(lipschitz) * size / Fraction(epsilon), np.inf)


def gk16_scale(chains: Sequence[ChainLaw], length: int, epsilon: float) -> float:
    """Return an upper bound on the scale by Ghosh and Kleinberg 2016; infinite if none is found."""
    influences = [_influences(chain) for chain in chains]
    largest = max(
        Gamma(*three, length, transposed).largest_sum()
        for three in influences
        for transposed in (False, True)
    )
    if not largest.is_finite():
        return math.inf
    return rounded_towards(2 * Fraction(largest) / Fraction(epsilon), np.inf)


def _influences(chain: ChainLaw) -> tuple[Decimal, Decimal, Decimal]:
    """Return upper bounds on the influences on a node of the two beside it, and on node 1."""
    matrix = _whole(chain["P"])
    twice = matrix @ matrix
    before = _influence(matrix, twice.T)
    after = _influence(matrix.T, twice)
    initial = chain["initial"]
    if isinstance(initial, str):
        first = after if initial == STATIONARY else _influence(matrix.T, matrix)
        return before, after, first
    law = _whole([initial])
    return before, after, _influence(matrix.T[:, law[0] > 0], law @ matrix)


def _whole(rows: Sequence[Sequence[float]]) -> _Whole:
    """Return rows of doubles times one power of two that makes all of them whole numbers."""
    exact = [[Fraction(entry) for entry in row] for row in rows]
    scale = max(entry.denominator for row in exact for entry in row)
    return np.array([[int(entry * scale) for entry in row] for row in exact], dtype=object)


def _influence(rows: _Whole, others: _Whole) -> Decimal:
    """Return half the log of the largest rows[a][x]/rows[b][x] * others[l][b]/others[l][a].

    Infinite where an entry is 0.
    """
    if not ((rows > 0).all() and (others > 0).all()):
        return Decimal("Infinity")
    largest, columns = Fraction(1), others.T
    for a, b in permutations(range(len(rows)), 2):
        share = _largest_quotient(rows[a], rows[b]) * _largest_quotient(columns[b], columns[a])
        largest = max(largest, share)
    ratio = _UP.divide(Decimal(largest.numerator), Decimal(largest.denominator))
    # A logarithm is rounded to the nearest in every context.
    return _UP.divide(_UP.next_plus(_UP.ln(ratio)), Decimal(2))


def _largest_quotient(tops: _Whole, bottoms: _Whole) -> Fraction:
    """Return the largest quotient of two rows of positive whole numbers, entry by entry."""
    top, bottom = tops[0], bottoms[0]
    for other, under in zip(tops[1:], bottoms[1:], strict=True):
        if other * bottom > top * under:
            top, bottom = other, under
    return Fraction(top, bottom)


class Gamma(NamedTuple):
    """The matrix of influences of a chain, or its transpose: what stands beside the diagonal."""

    before: Decimal
    after: Decimal
    first: Decimal
    length: int
    transposed: bool

    def left(self, row: int) -> Decimal:
        """Return what stands to the left of the diagonal, 0 in row 1."""
        if row == 1:
            return _ZERO
        if not self.transposed:
            return self.before
        return self.first if row == _SECOND else self.after

    def right(self, row: int) -> Decimal:
        """Return what stands to the right of the diagonal, 0 in the last row."""
        if row == self.length:
            return _ZERO
        if self.transposed:
            return self.before
        return self.first if row == 1 else self.after

    def largest_sum(self) -> Decimal:
        """Return an upper bound on the largest sum over a row of the inverse of 1 - Gamma.

        The sums solve s_i = 1 + left s_(i-1) + right s_(i+1), so s_i = u_i + v_i s_(i+1).
        """
        if not max(self.before, self.after, self.first).is_finite():
            return Decimal("Infinity")
        u, v = [_ZERO], [_ZERO]
        for row in range(1, min(self.length, _MOST_ROWS) + 1):
            room = _DOWN.subtract(_ONE, _UP.multiply(self.left(row), v[-1]))
            if not room > 0:
                return Decimal("Infinity")
            u.append(_UP.divide(_UP.fma(self.left(row), u[-1], _ONE), room))
            v.append(_UP.divide(self.right(row), room))
        total = self._rest(u[-1], v[-1]) if len(u) - 1 < self.length else _ZERO
        largest = total
        for ahead, share in zip(reversed(u[1:]), reversed(v[1:]), strict=True):
            total = _UP.fma(share, total, ahead)
            largest = max(largest, total)
        return largest

    def _rest(self, u: Decimal, v: Decimal) -> Decimal:
        """Return a bound on the sums of all later rows (proofs_notes/baselines.md#later-rows)."""
        room = _DOWN.subtract(_ONE, _UP.add(self.before, self.after))
        last = _DOWN.subtract(_ONE, v)
        if not (room > 0 and last > 0):
            return Decimal("Infinity")
        return max(_UP.divide(_ONE, room), _UP.divide(u, last))
