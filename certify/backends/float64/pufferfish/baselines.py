"""Baselines of song2017 Section 5: one entry, a group, and Ghosh and Kleinberg 2016; rounded up.

The matrix of influences of a chain holds the same three numbers but near the first node
(proofs_notes/baselines.md). Larger influences make the sums over rows of the inverse of 1 - Gamma
larger, and elimination subtracts from 1 alone, so every step is rounded towards a larger sum.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards
from .chain import STATIONARY, ChainLaw
from .mixing import whole_number_above

# Rows from the first one on that are looked at one by one; later ones are bounded together.
_MOST_ROWS = 4_096
_UP = 1.0 + 4 * UNIT
_DOWN = 1.0 - 4 * UNIT
_SECOND = 2


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
    with np.errstate(all="ignore"):
        sums = [
            Gamma(*_influences(chain), length, transposed).largest_sum()
            for chain in chains
            for transposed in (False, True)
        ]
    largest = max(sums)
    if not largest < math.inf:
        return math.inf
    return rounded_towards(2 * Fraction(largest) / Fraction(epsilon), np.inf)


def _influences(chain: ChainLaw) -> tuple[float, float, float]:
    """Return upper bounds on the influences on a node of the two beside it, and on node 1."""
    matrix = np.array(chain["P"], dtype=np.float64)
    twice = matrix @ matrix
    before = _influence(matrix, twice.T)
    after = _influence(matrix.T, twice)
    initial = chain["initial"]
    if isinstance(initial, str):
        first = after if initial == STATIONARY else _influence(matrix.T, matrix)
        return before, after, first
    law = np.array(initial, dtype=np.float64)
    return before, after, _influence(matrix.T[:, law > 0], (law @ matrix)[None, :])


def _influence(rows: Reals, others: Reals) -> float:
    """Return half the log of the largest rows[a][x]/rows[b][x] * others[l][b]/others[l][a]."""
    first = (rows[:, None, :] / rows[None, :, :]).max(axis=2)
    second = (others.T[None, :, :] / others.T[:, None, :]).max(axis=2)
    ratio = max(float((first * second).max()), 1.0)
    # Sums of as many positive products as there are states stand in two places, besides few more.
    return (math.log(ratio) * _UP + 1.01 * UNIT * (2 * len(others[0]) + 8)) / 2


class Gamma(NamedTuple):
    """The matrix of influences of a chain, or its transpose: what stands beside the diagonal."""

    before: float
    after: float
    first: float
    length: int
    transposed: bool

    def left(self, row: int) -> float:
        """Return what stands to the left of the diagonal, 0 in row 1."""
        if row == 1:
            return 0.0
        if not self.transposed:
            return self.before
        return self.first if row == _SECOND else self.after

    def right(self, row: int) -> float:
        """Return what stands to the right of the diagonal, 0 in the last row."""
        if row == self.length:
            return 0.0
        if self.transposed:
            return self.before
        return self.first if row == 1 else self.after

    def largest_sum(self) -> float:
        """Return an upper bound on the largest sum over a row of the inverse of 1 - Gamma.

        The sums solve s_i = 1 + left s_(i-1) + right s_(i+1), so s_i = u_i + v_i s_(i+1).
        """
        u, v = [0.0], [0.0]
        for row in range(1, min(self.length, _MOST_ROWS) + 1):
            room = (1.0 - self.left(row) * v[-1] * _UP) * _DOWN - UNIT
            if not room > 0:
                return math.inf
            u.append((1.0 + self.left(row) * u[-1]) / room * _UP)
            v.append(self.right(row) / room * _UP)
        total = self._rest(u[-1], v[-1]) if len(u) - 1 < self.length else 0.0
        largest = total
        for ahead, share in zip(reversed(u[1:]), reversed(v[1:]), strict=True):
            total = (ahead + share * total) * _UP
            largest = max(largest, total)
        return largest

    def _rest(self, u: float, v: float) -> float:
        """Return a bound on the sums of all later rows (proofs_notes/baselines.md#later-rows)."""
        room = (1.0 - (self.before + self.after) * _UP) * _DOWN - UNIT
        last = (1.0 - v) * _DOWN
        if not (room > 0 and last > 0):
            return math.inf
        return max(1.0 / room, u / last) * _UP
