"""The gamma family in doubles: log Gamma's differences, digamma and trigamma.

The gamma family in doubles, in forms whose terms do not cancel.

``log_stirling_ratio`` is what is left of 1/Gamma(z + 1) when z**z e**-z is taken out.
``digamma_rise`` is a second difference of log Gamma, divided by one of its two shifts: a sum of
positive terms where the four log Gammas would lose everything.

log z - psi(z) and psi'(z) - 1/z, and how far they fall from z to z + b: sums of positive terms.

With s = 1/x and t = 1/(x + b) at x = z + n, each of 16 lifts adds

    f(s) = s - log(1 + s), whose fall is f(y) + y t, y = b s t/(1 + t);
    s^2/(x + 1), whose fall is t/(x + b + 1) [b s^2/(x + 1) + b s t (s + t)];

and above them the asymptotic series in powers of 1/z, each of which falls by b s t times a sum of
positive terms. The falls are given times z and z^2, which never over- or underflows.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from .doubled import UNIT, Reals
from .jensen import BEND_ERROR, homogeneous, logarithm_bend

# From here on Stirling's series is used: the first omitted term, 1/(156 z**13), is below 1e-16.
_STIRLING_FROM = 12.0
# B_2k / (2k (2k - 1)), k = 6..1 (DLMF 5.11.1).
_STIRLING = (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
_HALF_LOG_TWO_PI = 0.91893853320467274178
# Units of round-off that log_stirling_ratio is wrong by, at most: z log z - z and log Gamma(z + 1)
# below 20 and a few units of each, SciPy's gamma within 12 units on (1, 13).
STIRLING_UNITS = 100.0


def log_stirling_ratio(argument: Reals) -> Reals:
    """Return log(z**z e**-z / Gamma(z + 1)) for z > 0, within 100 units of round-off, absolutely.

    For large z the half logarithm of 2 pi z is added to that, within 2 units of its size.
    """
    large = np.maximum(argument, _STIRLING_FROM)
    inverse = 1.0 / large
    square = inverse * inverse
    remainder = np.full_like(large, _STIRLING[0])
    for coefficient in _STIRLING[1:]:
        remainder = remainder * square + coefficient
    far = -(_HALF_LOG_TWO_PI + 0.5 * np.log(large)) - remainder * inverse
    small = argument < _STIRLING_FROM
    if np.any(small):
        near = argument[small]
        far[small] = special.xlogy(near, near) - near - np.log(special.gamma(near + 1.0))
    return far


# The recurrence is run up to here; the first omitted term of Stirling's series for the trigamma
# function, z**-9 / 30, is then below 3e-15 of the whole (40**-8 / 30 = 5e-15, and more terms of
# the mean are larger).
_SHIFTS = 40
# Terms worked out in one go, in whose order they are added all the same; a matter of speed alone.
_MOST_AT_ONCE = 1 << 14
# Relative error of digamma_rise on either side: 40 shifts of 8 roundings at most, with a
# condition number below 2 in each argument, and the truncation.
RISE_ERROR = 400 * UNIT + 6e-15


def digamma_rise(base: Reals, window: Reals, rise: Reals) -> Reals:
    """Return the mean of psi(z + rise) - psi(z) over z from ``base`` to ``base + window``.

    That is [log Gamma(p) + log Gamma(p + h + r) - log Gamma(p + h) - log Gamma(p + r)] / h for
    p = base > 0, h = window >= 0 (its limit at 0), r = rise >= 0, within RISE_ERROR relative.
    log Gamma(z) = log Gamma(z + 1) - log z lifts the base by 40 with positive terms
    log1p(h r / (z (z + h + r))) / h, and there Stirling's series is differenced exactly.
    """
    total = np.zeros_like(base)
    low = base < _SHIFTS
    if np.any(low):
        total[low] = _lifted(base[low], window[low], rise[low])
    lifted = np.where(low, base + _SHIFTS, base)
    return total + _stirling_rise(lifted, window, rise)


def _lifted(base: Reals, window: Reals, rise: Reals) -> Reals:
    far = window + rise
    total = np.zeros_like(base)
    rows = max(1, min(_SHIFTS, _MOST_AT_ONCE // base.size))
    for first in range(0, _SHIFTS, rows):
        point = base + np.arange(float(first), min(first + rows, _SHIFTS))[:, None]
        share = rise / (point + far)
        terms = share / point * _log_mean(window / point * share)
        for term in terms:
            total += term
    return total


def _log_mean(value: Reals) -> Reals:
    """Return log(1 + x)/x, 1 at 0."""
    return np.where(value > 0.0, np.log1p(value) / np.where(value > 0.0, value, 1.0), 1.0)


def _stirling_rise(base: Reals, window: Reals, rise: Reals) -> Reals:
    """Difference of (z - 1/2) log z + 1/(12 z) - 1/(360 z**3) + 1/(1260 z**5).

    psi' is enveloped by its asymptotic series, so this errs upward, by the next term at most.
    """
    near, across, far = base + window, base + rise, base + window + rise
    product = (rise / far) / base
    logarithm = _log_mean(window * product)
    leading = rise / near * _log_mean(rise / near) + rise / across * _log_mean(window / across)
    leading -= rise / far * logarithm
    ends = (1.0 / base, 1.0 / near, 1.0 / across, 1.0 / far)
    correction = _power_change(1, *ends) / 12 - _power_change(3, *ends) / 360
    correction += _power_change(5, *ends) / 1260
    return leading + 0.5 * product * logarithm + rise * correction


def _power_change(power: int, base: Reals, near: Reals, across: Reals, far: Reals) -> Reals:
    """Return the second difference of z**-power over both shifts, from the four 1/z."""
    total = np.zeros_like(base)
    for first in range(1, power + 1):
        second = power + 1 - first
        total += _power_sum(first, base, across) * near**second
        total += across**first * _power_sum(second, near, far)
    return total


def _power_sum(power: int, left: Reals, right: Reals) -> Reals:
    """Return (left**power - right**power) / h where left = 1/z and right = 1/(z + h)."""
    total = np.zeros_like(left)
    for first in range(1, power + 1):
        total += left**first * right ** (power + 1 - first)
    return total


_LIFTS = 16
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
    return part + np.arange(float(_LIFTS))[:, None]


def _growth(value: Reals) -> Reals:
    """Return 1 - log(1 + y)/y, y >= 0."""
    usual = np.minimum(value, _MOST)
    return np.asarray(usual * logarithm_bend(usual, 1.0 + usual))


def excess(argument: Reals) -> Reals:
    """Return z (log z - psi(z)), which falls from 1 to 1/2."""
    usual = np.maximum(argument, _TINY)
    inverse = 1.0 / _steps(usual)
    near = np.sum(usual * inverse * _growth(inverse), axis=0)
    lifted = usual + _LIFTS
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
    lifted = argument + _LIFTS
    ends = 1.0 / lifted, 1.0 / (lifted + others)
    powers = homogeneous(ends, 2 * len(_DIGAMMA) - 1)
    series = _HALF + sum(c * powers[2 * k + 1] for k, c in enumerate(_DIGAMMA))
    return np.asarray(near + argument * ends[0] * (others * ends[1]) * series)


def slope_excess(argument: Reals) -> Reals:
    """Return z^2 (psi'(z) - 1/z), which falls from 1 to 1/2."""
    points = _steps(argument)
    near = np.sum((argument / points) ** 2 / (points + 1.0), axis=0)
    lifted = argument + _LIFTS
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
    lifted = argument + _LIFTS
    ends = 1.0 / lifted, 1.0 / (lifted + others)
    powers = homogeneous(ends, 2 * len(_TRIGAMMA))
    series = _HALF * powers[1] + sum(c * powers[2 * k + 2] for k, c in enumerate(_TRIGAMMA))
    scale = argument * ends[0] * (others * ends[1])
    return np.asarray(near + scale * (argument * series))
