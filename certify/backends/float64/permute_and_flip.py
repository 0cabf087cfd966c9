"""Permute-and-flip: delta and its inverses, never on the unsafe side.

delta is 1 - e^(-(r - epsilon)/2), the difference of two doubles being exact as two.
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Reals, two_sum

_SUBNORMAL = 5e-324
# Round-off of a few quotients, and of expm1 and log1p within four units each.
_FEW = 16 * UNIT


def delta(largest_loss: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on delta, at most 1."""
    high, low = two_sum(largest_loss, -epsilon)
    over = np.where(np.isnan(low), high, high + low)
    found = -np.expm1(-over / 2) * (1 + _FEW) + _SUBNORMAL
    return np.where(largest_loss > epsilon, np.minimum(found, 1.0), 0.0)


def epsilon(largest_loss: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the least epsilon, the largest loss itself at delta 0."""
    less = -2.0 * np.log1p(-delta) * (1 - _FEW)
    found = np.maximum(np.nextafter(largest_loss - less, np.inf), 0.0)
    return np.where(delta > 0, np.minimum(found, largest_loss), largest_loss)


def largest_loss_for_dp(epsilon: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the largest of the largest losses."""
    more = -2.0 * np.log1p(-delta) * (1 - _FEW)
    return np.where(delta > 0, np.maximum(np.nextafter(epsilon + more, 0.0), epsilon), epsilon)
