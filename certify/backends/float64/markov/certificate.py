"""Certificates of a release of a chain in float64, rounded up.

An entry of the group inverse is wrong by some n^3 2^-53 of the largest one (``chain``), which is
at most twice kappa (proofs_notes/fundamental-matrix.md, same-differences), and kappa is half the
sum of n differences: n^4 units and more cover it. What rounding to the grid adds is rational.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from ..doubled import UNIT, rounded_towards
from .chain import condition_number
from .structure import closed_class, reachable

# For each of the four factors n of an error of kappa, and for each of some operations.
_KAPPA_UNITS, _UNITS = 64, 32
_LOG_2 = float(np.log(2.0))


def certificate_stationary(
    Q: Sequence[Sequence[float]],
    k: Sequence[float],
    sizes: Sequence[int],
    beta: float,
    grid_bits: int,
) -> float:
    """Return an upper bound on kappa times half the largest radius, at most 1."""
    matrix = np.asarray(Q, dtype=np.float64)
    closed = closed_class(matrix)
    if not reachable(matrix)[np.ix_(closed, closed)].all():
        return 1.0
    moved = [min(half + _half_norm(size, grid_bits), 1.0) for size, half in _halves(k, sizes, beta)]
    if not moved:
        return 0.0
    room = 1.0 + (_KAPPA_UNITS * len(k) ** 4 + _UNITS) * UNIT
    with np.errstate(all="ignore"):
        bound = condition_number(Q) * max(moved) * room
    return min(1.0, bound)  # in this order also where kappa is not a number


def certificate_ergodicity(
    k: Sequence[float], sizes: Sequence[int], beta: float, grid_bits: int
) -> float:
    """Return an upper bound on the sum of half the radii, at most half the number of states."""
    moved = [min(half + _entry(size, grid_bits), 1.0) for size, half in _halves(k, sizes, beta)]
    bound = sum(moved) * (1.0 + (len(moved) + _UNITS) * UNIT)
    return min(bound, float(len(k) // 2))


def _halves(k: Sequence[float], sizes: Sequence[int], beta: float) -> Iterator[tuple[int, float]]:
    """Yield the size of each row that is random, and an upper bound on half of its r_i."""
    random = [(float(one), int(size)) for one, size in zip(k, sizes, strict=True) if size > 1]
    for one, size in random:
        ways = size * _LOG_2 + np.log1p(-(2.0 ** (1 - size)))
        signs = np.log(len(random)) - np.log(beta) + ways
        yield size, float(np.sqrt(signs / (2.0 * (one + 1.0))) * (1.0 + _UNITS * UNIT))


def _half_norm(size: int, grid_bits: int) -> float:
    up = min(size // 2, 1 << grid_bits)
    return rounded_towards(Fraction(up * (size - up), size << grid_bits), np.inf)


def _entry(size: int, grid_bits: int) -> float:
    return rounded_towards(Fraction(size - 1, size << grid_bits), np.inf)
