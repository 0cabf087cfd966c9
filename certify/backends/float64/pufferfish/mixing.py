"""Eigengaps of a chain, and MQMApprox by them.

Eigengaps and the smallest stationary probability of a chain, never above the truth.

With D the stationary law, S = D^(1/2) P D^(-1/2) and v the vector of the roots of D, the second
largest eigenvalue of P P* is the largest of S S^T - v v^T. That it is at most m is proved by a
Cholesky factor of m - (S S^T - v v^T) (Rump 2006: one that runs to its end in doubles proves that
the matrix plus c is positive definite, c = (n + 1)u/(1 - 2(n + 1)u) times its trace). Entries of
the two non-negative parts carry few relative roundings, and the norms of both are at most 1.

Influences that are twice an inverse hyperbolic tangent, and MQMApprox, never below the truth.

Any lags prove an upper bound of the least score over quilts, so finding the best ones is a matter
of accuracy. That two-sided quilts bound every node, and that the largest over the nodes of the less
of L_i and R_i is at most max(R_j, L_(j+1)) for every j, is proofs_notes/eigengap.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards
from .chain import reachable, stationary_law

Matrix = Sequence[Sequence[float]]
_PAIR = 2
# Tries of a bound, each with twice the room of the one before.
_TRIES = 30
# Roundings of an entry of S: of two laws, their roots and quotient, and of the product with P.
_ENTRY = 8


def stationary_minimum(P: Matrix) -> float:
    """Return a lower bound on the smallest stationary probability, 0 where it is not found."""
    law = stationary_law(np.array(P, dtype=np.float64)) if _is_irreducible(P) else None
    return 0.0 if law is None else float(law.min()) * (1.0 - 4 * UNIT)


def eigengap(P: Matrix) -> float:
    """Return a lower bound on 1 less the second eigenvalue of P P*, multiplicities counted."""
    known = _known(P, lambda other: 1 - other**2)
    if known is not None:
        return known
    parts = _symmetrised(P)
    if parts is None:
        return 0.0
    scaled, v = parts
    size = len(v)
    matrix = scaled @ scaled.T - np.outer(v, v)
    doubt = 2.0 * (size + 2 * _ENTRY + 4) * UNIT
    return max(0.0, _below(1.0 - _largest_eigenvalue(matrix, doubt)))


def eigengap_reversible(P: Matrix) -> float:
    """Return a lower bound on twice 1 less the largest modulus but one of the eigenvalues of P."""
    known = _known(P, lambda other: 2 * (1 - abs(other)))
    if known is not None:
        return known
    parts = _symmetrised(P)
    if parts is None:
        return 0.0
    scaled, v = parts
    # S is symmetric where P is reversible, up to the roundings of its entries.
    matrix = (scaled + scaled.T) / 2 - np.outer(v, v)
    doubt = 2.0 * (_ENTRY + 4) * UNIT
    largest = max(_largest_eigenvalue(matrix, doubt), _largest_eigenvalue(-matrix, doubt))
    return max(0.0, _below(2.0 * (1.0 - largest)))


def _below(value: float) -> float:
    """Return less than what was rounded to this after a subtraction from 1."""
    return value - 4 * UNIT


def _is_irreducible(P: Matrix) -> bool:
    return bool(reachable(np.array(P) > 0).all())


def _known(P: Matrix, of_two: Callable[[Fraction], Fraction]) -> float | None:
    """Return the gap where it is known exactly: 0, of equal rows, or from the other eigenvalue."""
    moves = np.array(P) > 0
    steps_back = moves.astype(np.float64) @ moves.T > 0
    if not (_is_irreducible(P) and reachable(steps_back).all()):
        return 0.0
    if all(list(row) == list(P[0]) for row in P):
        return float(of_two(Fraction(0)))
    if len(P) == _PAIR:
        return rounded_towards(of_two(Fraction(P[0][0]) + Fraction(P[1][1]) - 1), -np.inf)
    return None


def _symmetrised(P: Matrix) -> tuple[Reals, Reals] | None:
    """Return S and v up to a few roundings; nothing where a law or an entry is too small."""
    matrix = np.array(P, dtype=np.float64)
    law = stationary_law(matrix)
    if law is None:
        return None
    roots = np.sqrt(law)
    return roots[:, None] / roots[None, :] * matrix, roots


def _largest_eigenvalue(matrix: Reals, doubt: float) -> float:
    """Return a number that no eigenvalue exceeds of what is within ``doubt`` of a matrix."""
    size = len(matrix)
    symmetric = (matrix + matrix.T) / 2
    about = float(np.linalg.eigvalsh(symmetric)[-1])
    room = (size + 2) * UNIT
    for _ in range(_TRIES):
        bound = about + room
        shifted = bound * np.eye(size) - symmetric
        trace = float(np.abs(np.diagonal(shifted)).sum())
        # Its own roundings: one a diagonal entry, and halving the sum of two.
        slack = 2.0 * (size + 4) * UNIT * trace + 4 * UNIT * (abs(bound) + 1.0)
        if _is_positive(shifted):
            return bound + slack + doubt + 8 * UNIT
        room *= 2
    return math.inf


def _is_positive(matrix: Reals) -> bool:
    try:
        np.linalg.cholesky(matrix)
    except np.linalg.LinAlgError:
        return False
    return True


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


class _Kind(NamedTuple):
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
        return _Kind(pi_min, gap, epsilon, offset, sides).least_score()

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
