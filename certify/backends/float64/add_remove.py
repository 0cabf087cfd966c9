"""A record added or removed: delta and Renyi divergence, and their inverses.

What adding or removing a record costs: Renyi divergence, and the largest step for a budget.

The pair is Gamma(alpha) against Gamma(alpha + step), whose divergence is step^2 C with C of
``jensen`` at u = alpha, v = alpha + step, w = alpha - (order - 1) step.

delta when a record is added or removed, never below the truth, and its inverses.

With x = alpha e^y, y = [log Gamma(alpha + step) - log Gamma(alpha) - epsilon]/step - log alpha,

    delta = alpha R(alpha) e^(-alpha (e^y - 1 - y)) * sum of T_n,
    T_0 = step/(alpha + step), U_0 = alpha/(alpha + step), all over alpha,
    T_n = x/(alpha + n) (T_(n-1) + U_(n-1) step/(alpha + step + n)),
    U_n = x/(alpha + step + n) U_(n-1),

R as in ``gammas`` (proofs_notes/add-remove.md, where the remainder is bounded, too). y at epsilon 0
is lifted by 16, and there formed from Stirling's series without its large terms. Where the series
would be long the answer is delta of a record replaced, which is larger.
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Indices, Reals, unboxed
from .gammas import STIRLING_UNITS, log_stirling_ratio
from .inverses import largest_step, smallest_epsilon
from .jensen import (
    BEND_ERROR,
    CURVATURE_ERROR,
    Gap,
    curvature,
    entropy_bend,
    homogeneous,
    product,
    usable,
)
from .profile import log_delta as log_delta_of_replacing
from .renyi import over_target, room
from .roots import largest

_LARGEST = float(np.finfo(np.float64).max)


def renyi(alpha: Reals, step: Reals, order: Reals) -> Reals:
    """Return an upper bound on the divergence, infinite exactly from its largest order on."""
    far = room(alpha, order, step)
    given = Gap(alpha, step, alpha + step, far, order - 1.0)
    value, flags = np.full_like(alpha, _LARGEST), usable(given)
    if np.any(flags):
        bent = curvature(Gap(*(part[flags] for part in given))) * (1.0 + CURVATURE_ERROR)
        value[flags] = product(bent, step[flags], step[flags])
    return np.where(far > 0, value, np.inf)


def step_for_renyi(alpha: Reals, order: Reals, epsilon: Reals) -> Reals:
    """Return a step of which the divergence, increasing in it, is at most epsilon."""

    def excess(chosen: Indices, step: Reals) -> Reals:
        return over_target(renyi(alpha[chosen], step, order[chosen]), epsilon[chosen])

    limit = np.where(order > 1, alpha / np.maximum(order - 1.0, UNIT * UNIT), np.inf)
    limit = np.nextafter(np.minimum(limit, _LARGEST / 4), np.inf)
    return largest(excess, np.minimum(alpha, limit / 2), limit)


_SHIFTS = 16
# B_2k/(2k (2k-1)), k = 1..7; the rest, over the step, is below 15 z^-16 3617/122400 < 3e-20.
_STIRLING = (1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188, -691 / 360360, 1 / 156)
_TINIEST, _HUGEST = 1e-140, 1e140
_MOST_TERMS = 4000
_BLOCK = 8
_NEGLIGIBLE = 2.0**-58
_DIGITS = 40.0
_UNITS_A_STEP = 10.0  # of a term: two sums and a quotient, a product, and again for the partner
_UNITS_OF_MEAN = 24.0  # of y, of each part that is added up; a bend has its own
_SUBNORMAL = 5e-324


def _rise(alpha: Reals, step: Reals) -> tuple[Reals, Reals]:
    """Return y at epsilon 0, and an absolute bound on its error."""
    low = alpha < _SHIFTS
    lifted = np.where(low, alpha + _SHIFTS, alpha)
    slope = step / lifted
    first = slope * entropy_bend(slope, 1.0 + slope)
    second = -0.5 * np.log1p(slope) / step
    near, far = 1.0 / lifted, 1.0 / (lifted + step)
    powers = homogeneous((near, far), 2 * len(_STIRLING) - 2)
    third = sum((part * powers[2 * k] for k, part in enumerate(_STIRLING)), np.zeros_like(alpha))
    third = -near * far * third
    value, sizes = first + second + third, first - second - third
    if np.any(low):
        points = alpha[low] + np.arange(float(_SHIFTS))[:, None]
        lifts = np.sum(np.log1p(step[low] / points), axis=0) / step[low]
        ratio = np.log(lifted[low] / alpha[low])
        value[low] += ratio - lifts
        sizes[low] += ratio + lifts
    return value, _UNITS_OF_MEAN * UNIT * sizes + BEND_ERROR * first + 4 * UNIT * near


def log_delta(alpha: Reals, step: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on log delta, at most 0, for one-dimensional arrays."""
    result = np.full_like(alpha, np.nan)
    usual = (alpha > _TINIEST) & (alpha < _HUGEST) & (step > _TINIEST) & (step < _HUGEST)
    usual &= (epsilon / step < _HUGEST) & ((epsilon == 0) | (epsilon > _TINIEST))
    if np.any(usual):
        result[usual] = _log_delta(alpha[usual], step[usual], epsilon[usual])
    left = np.isnan(result)
    if np.any(left):
        result[left] = log_delta_of_replacing(alpha[left], step[left], epsilon[left])
    return np.minimum(result, 0.0)


def _log_delta(alpha: Reals, step: Reals, epsilon: Reals) -> Reals:
    rise, doubt = _rise(alpha, step)
    slope = epsilon / step
    rise, doubt = rise - slope, doubt + 2 * UNIT * (np.abs(rise) + slope)
    drift = np.expm1(rise)
    deviance = np.maximum(alpha * (drift - rise), 0.0)
    ratio = log_stirling_ratio(alpha)
    spread = (np.abs(drift) + np.abs(rise)) * 4 * UNIT + np.abs(drift) * doubt
    # The second order of what y is wrong by, and what a large alpha leaves of R's logarithm.
    spread = alpha * (spread + np.exp(rise) * doubt * doubt)
    error = spread + STIRLING_UNITS * UNIT + 4 * UNIT * np.abs(ratio)
    logarithm, rest = _summed(alpha, step, alpha * np.exp(rise), doubt + 4 * UNIT)
    value = ratio - deviance + logarithm
    error = error + rest + 4 * UNIT * (np.abs(ratio) + deviance + np.abs(logarithm))
    return np.asarray(value + error * (1.0 + 1e-3))


def _summed(alpha: Reals, step: Reals, point: Reals, doubt: Reals) -> tuple[Reals, Reals]:
    """Return log(alpha sum of T_n) for x within ``doubt`` relative, and a bound on its error.

    NaN where the series would be too long.
    """
    result, error = np.full_like(alpha, np.nan), np.zeros_like(alpha)
    peak = np.maximum(point - alpha, 0.0)
    length = peak + np.sqrt(2 * _DIGITS * (alpha + peak)) + 2 * _DIGITS
    length = np.where(point < alpha / 2, 2 * _DIGITS, length)
    where = np.flatnonzero(length < _MOST_TERMS)
    if not where.size:
        return result, error
    alpha, step, point = alpha[where], step[where], point[where]
    second = alpha + step
    term, partner = step / second, alpha / second
    weighted, left = np.zeros_like(term), np.full_like(term, np.inf)
    floor, rise, bottom, place = unboxed(alpha, step, second, point)
    term, partner, total = unboxed(term, partner, term.copy())
    for done in range(0, 2 * _MOST_TERMS, _BLOCK):
        before = total
        for index in range(done + 1, done + _BLOCK + 1):
            below = bottom + index
            term = place / (floor + index) * (term + partner * (rise / below))
            partner = partner * (place / below)
            total = total + term
        last = done + _BLOCK
        weighted += (total - before) * last
        shrink = point / (alpha + last + 1.0) * ((last + 2.0) / (last + 1.0))
        left = np.where(shrink < 1.0, term * shrink / (1.0 - shrink), np.inf)
        if np.all(left <= _NEGLIGIBLE * total):
            break
    units = _UNITS_A_STEP * UNIT + 2 * doubt[where]
    whole = total + left * (1.0 + 1e-9)
    result[where] = np.where(np.isfinite(whole), np.log(whole), np.nan)
    error[where] = units * weighted / total + UNIT * (last + 16)
    return result, error


def delta(alpha: Reals, step: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on delta, at most 1; the smallest normal double where it is less."""
    value = np.exp(log_delta(alpha, step, epsilon)) * (1.0 + 8 * UNIT)
    return np.minimum(np.nextafter(np.fmax(value, np.finfo(np.float64).tiny), 1.0), 1.0)


def epsilon(alpha: Reals, step: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the smallest epsilon whose delta is at most ``delta``.

    Infinite at delta = 0. Starts from the closed bound log(C/delta) step/alpha of the note.
    """
    return smallest_epsilon(log_delta, _closed_epsilon, alpha, step, delta)


def _closed_epsilon(alpha: Reals, step: Reals, target: Reals) -> Reals:
    """Return an upper bound on log(C/delta) step/alpha, finite.

    It is step (1 + y) + step/alpha log(step R(alpha)/((alpha + step) delta)), y at epsilon 0.
    """
    rise, doubt = _rise(alpha, step)
    ratio, share = log_stirling_ratio(alpha), np.log(step / (alpha + step))
    rest = share + ratio - target
    size = np.abs(share) + np.abs(ratio) + np.abs(target) + STIRLING_UNITS
    value = step * (1.0 + rise) + step / alpha * rest
    slack = step * (doubt + 8 * UNIT * (1.0 + np.abs(rise))) + step / alpha * (16 * UNIT * size)
    slack += _SUBNORMAL * (size + 8.0)  # of a subnormal quotient and what it is multiplied by
    value = np.nextafter(value + slack * (1.0 + 1e-9), np.inf)
    return np.where(np.isnan(value), _LARGEST, np.minimum(value, _LARGEST))


def step_for_dp(alpha: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return a step of which delta at epsilon, increasing in it, is at most ``delta``."""
    return largest_step(log_delta, alpha, epsilon, delta)
