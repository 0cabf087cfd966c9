"""alpha - (order - 1) a b, of which the sign decides whether a divergence is finite."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np

from .doubled import Flags, Reals, plus, single, times, two_sum

# Below this share of alpha the difference is formed from exact fractions: two doubles hold it to
# 2**-100 of alpha.
_CANCELLED = 2.0**-30
# Products outside of these sizes are not error-free; exact fractions take over.
_TINIEST, _HUGEST = 1e-60, 1e60
_SMALLEST, _LARGEST = 5e-324, float(np.finfo(np.float64).max)


def room(alpha: Reals, order: Reals, *factors: Reals) -> Reals:
    """Return alpha - (order - 1) * factors within 2 units of round-off, of the true sign.

    -1 stands for anything that is not positive.
    """
    used = times(two_sum(order, -np.ones_like(order)), single(factors[0]))
    for factor in factors[1:]:
        used = times(used, single(factor))
    left = plus(single(alpha), (-used[0], -used[1]))[0]
    exactly = ~(np.abs(left) > _CANCELLED * alpha)
    for part in (alpha, order, *factors):
        exactly |= _outside(part)
    for index in np.flatnonzero(exactly):
        left[index] = _exactly(*(Fraction(float(part[index])) for part in (alpha, order, *factors)))
    return np.where(left > 0, left, -1.0)


def _outside(value: Reals) -> Flags:
    return (value < _TINIEST) | (value > _HUGEST)


def _exactly(alpha: Fraction, order: Fraction, *factors: Fraction) -> float:
    """Return the room rounded, but never rounded to 0."""
    left = alpha - (order - 1) * prod(factors)
    return rounded(left) if left > 0 else -1.0


def rounded(value: Fraction) -> float:
    """Return the nearest double, but neither 0 nor infinity for a number that is not."""
    size = abs(value)
    if not size:
        return 0.0
    near = _LARGEST if size >= Fraction(_LARGEST) else max(float(size), _SMALLEST)
    return near if value > 0 else -near
