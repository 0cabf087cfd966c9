"""Influences that are twice an inverse hyperbolic tangent, and MQMApprox, never below the truth.

Any lags prove an upper bound of the least score over quilts, so finding the best ones is a matter
of accuracy. That two-sided quilts bound every node, and that the largest over the nodes of the less
of L_i and R_i is at most max(R_j, L_(j+1)) for every j, is proofs_notes/eigengap.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards

# Relative: an exponential and an inverse hyperbolic tangent within two units in the last place
# each, the second worse conditioned than its argument by a factor of at most 1.3.
_UP = 1.0 + 24 * UNIT
_LEAST = 1e-300
_LARGEST = 1e300
_HALF = 0.5
_WHOLE = 2.0**53
_MOST_STEPS = 64
_NEARLY = 1.0 - 1e-9


def influences(exponents: Reals) -> Reals:
    """Return upper bounds on 2 atanh(e^-y) for lower bounds y; infinite where y is not positive."""
    y = np.where(exponents > 0, exponents, 1.0)
    share = np.exp(-y)
    far = 2.0 * np.arctanh(np.minimum(share, _HALF))
    near = np.log1p(share) - np.log(-np.expm1(-y))
    found = np.where(share < _HALF, far, near) * _UP + _LEAST
    return np.where(exponents > 0, found, np.inf)


def influence(y: float) -> float:
    """Return the same for one number."""
    if not y > 0:
        return math.inf
    share = math.exp(-y)
    if share < _HALF:
        return 2.0 * math.atanh(share) * _UP + _LEAST
    return (math.log1p(share) - math.log(-math.expm1(-y))) * _UP + _LEAST


def whole_number_above(value: float) -> int:
    """Return a whole number that a double stands for, or more where it may have been rounded."""
    return int(value if value < _WHOLE else min(np.nextafter(value, np.inf), _LARGEST))


class Kind(NamedTuple):
    """A kind of quilts: its score's numerator is ``offset`` and the lags of its sides.

    A side is the factor of its influence and its largest lag, None without one.
    """

    pi_min: float
    gap: float
    epsilon: float
    offset: int
    sides: tuple[tuple[int, int | None], ...]

    def influence(self, lag: int) -> float:
        """Return w at a lag, rounded up."""
        return _influence_at(self.pi_min, self.gap, lag)

    def score(self, lags: list[int]) -> float:
        """Return the score at given lags, rounded up; infinite where there is none."""
        spent = 0.0
        for (factor, _), lag in zip(self.sides, lags, strict=True):
            spent += factor * self.influence(lag)
        left = self.epsilon - spent * (1.0 + 4 * UNIT)
        numerator = min(self.offset + sum(lags), _LARGEST)
        return numerator / left * (1.0 + 8 * UNIT) if left > 0 else math.inf

    def least_score(self) -> float:
        """Return a score that the least one over all lags does not exceed, and is about."""
        factors = sum(factor for factor, _ in self.sides)
        share = max(math.tanh(self.epsilon / (4 * factors)), _LEAST)
        lags = [_within(self._lag_near(share) + 1, farthest) for _, farthest in self.sides]
        score = self.score(lags)
        for _ in range(_MOST_STEPS):
            if not score < math.inf:
                break
            lags = [self._best_lag(factor * score, farthest) for factor, farthest in self.sides]
            found = self.score(lags)
            if not found < score:
                break
            score = found
        return score

    def _lag_near(self, share: float) -> int:
        """Return about the lag at which e^(-g t/2)/pi is a given share."""
        return int(min(-(math.log(share) + math.log(self.pi_min)) / self.gap * 2, _LARGEST))

    def _best_lag(self, weight: float, farthest: int | None) -> int:
        """Return about the lag with the least t + weight * w, from where its derivative is 0."""
        slope = min(weight * self.gap, _LARGEST)
        share = 2.0 / (slope + math.hypot(slope, 2.0))
        near = self._lag_near(share)
        lags = {_within(near + more, farthest) for more in (-1, 0, 1, 2)}
        return min(sorted(lags), key=lambda lag: float(lag - near) + weight * self.influence(lag))


# The kinds of quilts of one release ask for the same lags over and over.
@lru_cache(maxsize=1024)
def _influence_at(pi_min: float, gap: float, lag: int) -> float:
    rise = min(gap * min(lag, _LARGEST) / 2, _LARGEST)
    fall = -math.log(pi_min)
    return influence(rise - fall - 8 * UNIT * (rise + fall))


def _within(lag: int, farthest: int | None) -> int:
    return max(1, lag if farthest is None else min(lag, farthest))


def _scale(pi_min: float, gap: float, length: int, epsilon: float, backward: int) -> float:
    """Return an upper bound on MQMApprox's scale."""
    trivial = rounded_towards(Fraction(length) / Fraction(epsilon), np.inf)

    def least(offset: int, *sides: tuple[int, int | None]) -> float:
        return Kind(pi_min, gap, epsilon, offset, sides).least_score()

    inner = least(-1, (backward, None), (1, None))
    # Every quilt of the middle node with one side leaves half of the chain within it.
    if inner * epsilon < (length + 1) // 2 * _NEARLY:
        return min(inner, trivial)

    def left(node: int) -> float:
        return least(length - node, (backward, node - 1)) if node > 1 else math.inf

    def right(node: int) -> float:
        return least(node - 1, (1, length - node)) if node < length else math.inf

    return min(inner, trivial, _at_the_ends(left, right, length))


def _at_the_ends(left: Callable[[int], float], right: Callable[[int], float], length: int) -> float:
    """Return an upper bound on the largest over the nodes of the less of two scores.

    One falls and one rises in the node; they are looked at where they cross.
    """
    low, high = 1, length
    while low < high:
        node = (low + high) // 2
        low, high = (low, node) if right(node) >= left(node) else (node + 1, high)
    if not min(left(low), right(low)) < math.inf or low == 1:
        return math.inf
    return max(right(low - 1), left(low))


def _each(pi_min: Reals, gap: Reals, length: Reals, epsilon: Reals, backward: int) -> Reals:
    points = zip(*(part.tolist() for part in (pi_min, gap, length, epsilon)), strict=True)
    return np.array([_scale(p, g, whole_number_above(n), e, backward) for p, g, n, e in points])


def quilt_scale_approx(pi_min: Reals, gap: Reals, length: Reals, epsilon: Reals) -> Reals:
    """Return upper bounds on MQMApprox's scale for any initial law."""
    return _each(pi_min, gap, length, epsilon, 2)


def quilt_scale_approx_stationary(
    pi_min: Reals, gap: Reals, length: Reals, epsilon: Reals
) -> Reals:
    """Return upper bounds on MQMApprox's scale for chains that start stationary."""
    return _each(pi_min, gap, length, epsilon, 1)
