"""How far log(1 + x) and (1 + x) log(1 + x) bend away from x, over x^2: nothing cancels.

Both are 1/2 at 0. ``share`` is 1 + x, given beside x so that each keeps its own digits where x is
near 0 or near -1. Relative errors are at most BEND_ERROR if both are within 3 units of round-off.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from .doubled import UNIT, Flags, Reals

# Between these x the series is used: s = x/(2 + x) is then between -1/3 and 1/3.
_LEAST, _LARGEST = -0.5, 1.0
# 1/3 + s^2/5 + s^4/7 + ...: what follows 17 terms is below 9^-17/37 < 2e-18.
_TERMS = 17
# The direct forms cancel by at most 6.5, and carry 10 units before that.
BEND_ERROR = 80 * UNIT


def logarithm_bend(value: Reals, share: Reals) -> Reals:
    """Return (x - log(1 + x))/x^2 for x > -1, which falls from infinity to 0."""
    close, sine, series = _series(value, share)
    near = 0.5 * (1.0 - sine) * (1.0 - sine * (1.0 - sine) * series)
    far = np.where(close, 1.0, value)
    return np.where(close, near, (far - np.log(share)) / far / far)


def entropy_bend(value: Reals, share: Reals) -> Reals:
    """Return ((1 + x) log(1 + x) - x)/x^2 for x >= -1, which falls from 1 to 0."""
    close, sine, series = _series(value, share)
    near = 0.5 * (1.0 - sine) * (1.0 + sine * (1.0 + sine) * series)
    far = np.where(close, 1.0, value)
    return np.where(close, near, (special.xlogy(share, share) - far) / far / far)


def _series(value: Reals, share: Reals) -> tuple[Flags, Reals, Reals]:
    """Return whether x is close, s = x/(2 + x), and (artanh(s)/s - 1)/s^2 there."""
    close = (value > _LEAST) & (value < _LARGEST)
    sine = np.where(close, value / (1.0 + share), 0.0)
    square = sine * sine
    series = np.full_like(square, 1.0 / (2 * _TERMS + 1))
    for index in range(_TERMS - 1, 0, -1):
        series = series * square + 1.0 / (2 * index + 1)
    return np.asarray(close, dtype=np.bool_), sine, series
