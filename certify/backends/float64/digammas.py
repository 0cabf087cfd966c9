"""log z - psi(z) and psi'(z) - 1/z, and how far they fall from z to z + b: sums of positive terms.

With s = 1/x and t = 1/(x + b) at x = z + n, each of 16 lifts adds

    f(s) = s - log(1 + s), whose fall is f(y) + y t, y = b s t/(1 + t);
    s^2/(x + 1), whose fall is t/(x + b + 1) [b s^2/(x + 1) + b s t (s + t)];

and above them the asymptotic series in powers of 1/z, each of which falls by b s t times a sum of
positive terms. The falls are given times z and z^2, which never over- or underflows.
"""

from __future__ import annotations

import numpy as np

from .bends import BEND_ERROR, logarithm_bend
from .doubled import UNIT, Reals
from .jensen import homogeneous

_SHIFTS = 16
# log z - psi(z) = 1/(2z) + sum of B_2k/(2k) z^-2k; its next term is below 5e-17 of the
# whole, that of its fall below 6e-16.
_HALF = 0.5
_DIGAMMA = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760)
# psi'(z) - 1/z = 1/(2 z^2) + sum of B_2k z^-(2k+1); the next term of its fall is below 4e-15.
_TRIGAMMA = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730)
# Relative error of what is here on either side: a bend, roundings, 16 sums, the rest of a series.
DIGAMMA_ERROR = BEND_ERROR + 80 * UNIT
_TINY = 1e-290  # below it z (log z - psi(z)) is 1 to within 1e-280
_MOST = 1e300


def _steps(part: Reals) -> Reals:
    return part + np.arange(float(_SHIFTS))[:, None]


def _growth(value: Reals) -> Reals:
    """Return 1 - log(1 + y)/y, y >= 0."""
    usual = np.minimum(value, _MOST)
    return np.asarray(usual * logarithm_bend(usual, 1.0 + usual))


def excess(argument: Reals) -> Reals:
    """Return z (log z - psi(z)), which falls from 1 to 1/2."""
    usual = np.maximum(argument, _TINY)
    inverse = 1.0 / _steps(usual)
    near = np.sum(usual * inverse * _growth(inverse), axis=0)
    lifted = usual + _SHIFTS
    square = 1.0 / lifted / lifted
    series = np.zeros_like(usual)
    for coefficient in reversed(_DIGAMMA):
        series = square * (coefficient + series)
    return np.asarray(near + usual * (_HALF / lifted + series))


def fall(argument: Reals, others: Reals) -> Reals:
    """Return z times the fall of log - psi from z to z + b, for z and b > 0."""
    points, far = _steps(argument), _steps(argument) + others
    share = argument / points
    there = np.minimum(1.0 / far, _MOST)
    slope = others / far
    moved = np.minimum(1.0 / points, _MOST) * slope / (1.0 + there)
    near = np.sum(share * slope / (1.0 + there) * (_growth(moved) + there), axis=0)
    lifted = argument + _SHIFTS
    ends = 1.0 / lifted, 1.0 / (lifted + others)
    powers = homogeneous(ends, 2 * len(_DIGAMMA) - 1)
    series = _HALF + sum(c * powers[2 * k + 1] for k, c in enumerate(_DIGAMMA))
    return np.asarray(near + argument * ends[0] * (others * ends[1]) * series)


def slope_excess(argument: Reals) -> Reals:
    """Return z^2 (psi'(z) - 1/z), which falls from 1 to 1/2."""
    points = _steps(argument)
    near = np.sum((argument / points) ** 2 / (points + 1.0), axis=0)
    lifted = argument + _SHIFTS
    inverse = 1.0 / lifted
    series = np.zeros_like(argument)
    for coefficient in reversed(_TRIGAMMA):
        series = inverse * inverse * (coefficient + series)
    return np.asarray(near + (argument / lifted) ** 2 * (_HALF + lifted * series))


def slope_fall(argument: Reals, others: Reals) -> Reals:
    """Return z^2 times the fall of psi'(z) - 1/z from z to z + b, for z and b > 0."""
    points, far = _steps(argument), _steps(argument) + others
    share, there = argument / points, argument / far
    slope = others / far
    parts = others * share * share / (points + 1.0) + slope * share * (share + there)
    near = np.sum(parts / (far + 1.0), axis=0)
    lifted = argument + _SHIFTS
    ends = 1.0 / lifted, 1.0 / (lifted + others)
    powers = homogeneous(ends, 2 * len(_TRIGAMMA))
    series = _HALF * powers[1] + sum(c * powers[2 * k + 2] for k, c in enumerate(_TRIGAMMA))
    scale = argument * ends[0] * (others * ends[1])
    return np.asarray(near + scale * (argument * series))
