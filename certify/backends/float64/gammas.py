"""The gamma family in doubles, in forms whose terms do not cancel.

``log_stirling_ratio`` is what is left of 1/Gamma(z + 1) when z**z e**-z is taken out.
``digamma_rise`` is a second difference of log Gamma, divided by one of its two shifts: a sum of
positive terms where the four log Gammas would lose everything.
"""

from __future__ import annotations

import numpy as np
from scipy import special

from .doubled import UNIT, Reals

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
    for step in range(_SHIFTS):
        point = base + step
        share = rise / (point + far)
        total += share / point * _log_mean(window / point * share)
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
