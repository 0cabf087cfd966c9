"""Laplace noise: delta, its inverses and the Renyi divergence, never below the truth.

With m = 1/b delta is 1 - e^(-(m - epsilon)/2), and m - epsilon = (1 - epsilon b)/b, whose product
is exact as two doubles. The divergence is a difference that loses no more than its parts' doubts
doubled (proofs_notes/laplace.md, bounds-of-doubles).
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Reals, two_product

_SUBNORMAL = 5e-324
# Round-off of a few quotients, and of expm1 and log1p within four units each.
_FEW = 1.0 + 16 * UNIT
# Each of the two terms is within 64 units: its series, and before them y and u within 12.
_OF_A_DIFFERENCE = 1.0 + 256 * UNIT
# Below, y - 1 + e^-y and -log(1 - x) - x are summed as series; the first omitted terms are below
# 2^-53 of the sums.
_SMALL_Y, _TERMS_OF_Y, _SMALL_X, _TERMS_OF_X = 0.5, 14, 0.125, 18


def delta(noise_multiplier: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on delta, at most 1."""
    high, low = two_product(epsilon, noise_multiplier)
    # Of a factor too large to be halved the dropped part is not told.
    low = np.where(np.isnan(low), -2 * UNIT * high, low)
    over = (1.0 - high) - low
    found = -np.expm1(-over / noise_multiplier / 2) * _FEW + _SUBNORMAL
    return np.where(over > 0, np.minimum(found, 1.0), 0.0)


def epsilon(noise_multiplier: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the least epsilon."""
    most = np.nextafter(1.0 / noise_multiplier, np.inf)
    less = -2.0 * np.log1p(-delta) * (1.0 - 8 * UNIT)
    return np.maximum(np.nextafter(most - less, np.inf), 0.0)


def renyi(noise_multiplier: Reals, order: Reals) -> Reals:
    """Return an upper bound on the divergence."""
    shift = 1.0 / noise_multiplier
    over = order - 1.0
    twice = over + order
    y = twice * shift
    from_it = _rise(y) / twice
    share = over / twice * -np.expm1(-y)
    # s(x)/(order - 1) = (s(x)/x) (1 - e^-y)/(2 order - 1): nothing is divided by 0 at order 1.
    taken = _mean_rise(share) * -np.expm1(-y) / twice
    found = (from_it - taken) * _OF_A_DIFFERENCE + _SUBNORMAL
    # It is at most the largest loss.
    most = np.nextafter(shift, np.inf)
    return np.where(np.isfinite(y), np.minimum(found, most), most)


def noise_multiplier_for_dp(epsilon: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the least noise multiplier."""
    return np.nextafter(1.0 / (epsilon - 2.0 * np.log1p(-delta)) * _FEW, np.inf)


def _rise(y: Reals) -> Reals:
    """Return y - 1 + e^-y: the sum of y^2/2! - y^3/3! + ... where it would cancel."""
    near = np.minimum(y, _SMALL_Y)
    total = np.zeros_like(near)
    for index in range(_TERMS_OF_Y, 1, -1):
        total = (1.0 - near * total) / index
    return np.where(y < _SMALL_Y, near * near * total, y + np.expm1(-y))


def _mean_rise(x: Reals) -> Reals:
    """Return (-log(1 - x) - x)/x, 0 <= x < 1/2: the sum of x/2 + x^2/3 + ... near 0."""
    near = np.minimum(x, _SMALL_X)
    total = np.zeros_like(near)
    for index in range(_TERMS_OF_X, 1, -1):
        total = near * (1.0 / index + total)
    far = np.maximum(x, _SMALL_X)
    return np.where(x < _SMALL_X, total, -np.log1p(-far) / far - 1.0)
