"""Gaussian noise: delta and Renyi divergence never below the truth, and the inverses of delta.

With p = epsilon s, h = 1/(2s), a = p - h, b = p + h, and R Mills' ratio (proofs_notes/gaussian.md),

    delta = phi(a) [R(a) - R(b)] = phi(a) (integral from a to b of G),   G = 1 - x R(x) = -R'(x),

which falls in p and rises in h: p is rounded down and h up. G is convex, so the trapezoid bounds
the integral; on the right of 0 G(a) <= (a^2 + 3)/(a^4 + 6 a^2 + 3) does, as G falls. Each bound
holds by itself, the least is taken.
SciPy's erfcx is within 1e-13 (Johnson 2012, "Faddeeva package"); five times that is allowed.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from .doubled import UNIT, Indices, Reals, two_product, two_sum
from .roots import largest, safe_root

_MILLS = 5e-13  # relative doubt of a Mills ratio, its constant included
_FRONT = 1.0 + 64 * UNIT  # of the density, of a product and of the last sum
_ROOT_OF_TWO = math.sqrt(2.0)
_SCALE = math.sqrt(math.pi / 2.0)
_LEAST_POINT = -5.0  # further left Mills' ratio grows without need
_FARTHEST = 1e70
_LARGEST = float(np.finfo(np.float64).max)
_SUBNORMAL = 5e-324
_LOG_UNITS = 4
_NEAR_ONE = 0.5  # from here on a value - 1 is exact


def delta(noise_multiplier: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on delta, at most 1."""
    point = np.maximum(np.nextafter(epsilon * noise_multiplier, -np.inf), 0.0)
    half = np.nextafter(0.5 / noise_multiplier, np.inf)
    a, dropped = two_sum(point, -half)
    b = point + half
    density = _density(a, dropped)
    far = _SCALE * special.erfcx(b / _ROOT_OF_TWO)
    held = np.maximum(a, _LEAST_POINT)
    near = _SCALE * special.erfcx(held / _ROOT_OF_TWO)
    right = density * (near * (1 + _MILLS) - far * (1 - _MILLS))
    # Left of the point: Phi(-a) - phi(a) R(b), each within a few units of rounding.
    left = special.ndtr(-a) * (1 + _MILLS) - density * far * (1 - _MILLS) / _FRONT**2
    width = 2.0 * half
    mean = (_fall(held, near) + _fall(b, far)) / 2
    even = np.where(a > _LEAST_POINT, density * width * mean, np.inf)
    square = a * a
    tail = density * width * ((3.0 + square) / (3.0 + square * (6.0 + square)))
    tail = np.where((a > 0) & (a < _FARTHEST), tail, np.inf)
    exact = np.where(a > _LEAST_POINT, right, left)
    found = np.fmin(np.fmin(exact, even), tail) * _FRONT
    found = np.where(np.isnan(found), 1.0, found) + _SUBNORMAL
    return np.clip(found, 0.0, 1.0)


def _density(high: Reals, low: Reals) -> Reals:
    """Return an upper bound on phi of a sum of two doubles, within some units of rounding."""
    square, dropped = two_product(high, high)
    moved = np.exp(-(dropped / 2 + high * low))
    value = np.exp(-square / 2) * moved / math.sqrt(2.0 * math.pi) * (1 + 32 * UNIT)
    # So far out that squares overflow, the density is no double.
    return np.where(np.abs(high) < _FARTHEST, value, 0.0)


def _fall(point: Reals, mills: Reals) -> Reals:
    """Return an upper bound on G, where the ratio at the point is known."""
    return 1.0 - point * mills + np.abs(point) * mills * _MILLS + 4 * UNIT


def _log_target(target: Reals) -> Reals:
    """Return a lower bound on a logarithm, as -inf at 0."""
    value = np.where(target > _NEAR_ONE, np.log1p(target - 1.0), np.log(target))
    return value * (1.0 + _LOG_UNITS * UNIT)


def _log_delta(noise_multiplier: Reals, epsilon: Reals) -> Reals:
    value = delta(noise_multiplier, epsilon)
    found = np.where(value > _NEAR_ONE, np.log1p(value - 1.0), np.log(value))
    return found * (1.0 - _LOG_UNITS * UNIT)


def epsilon(noise_multiplier: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the least epsilon; infinite at delta 0."""
    aim = _log_target(np.where(delta > 0, delta, 1.0))
    over = 1.0 / noise_multiplier
    # Chernoff's bound is safe by itself.
    top = (over * over / 2 + over * np.sqrt(-2 * aim)) * (1 + 32 * UNIT)
    done = (_log_delta(noise_multiplier, np.zeros_like(aim)) <= aim) | (delta >= 1.0)
    result = np.where(done, 0.0, np.where(np.isnan(top), np.inf, top))
    where = np.flatnonzero((result > 0) & (result < _LARGEST) & (delta > 0))

    def excess(chosen: Indices, point: Reals) -> Reals:
        index = where[chosen]
        return _log_delta(noise_multiplier[index], point) - aim[index]

    if where.size:
        result[where] = safe_root(excess, result[where], np.zeros(where.size))
    return np.where(delta > 0, result, np.inf)


def renyi(noise_multiplier: Reals, order: Reals) -> Reals:
    """Return an upper bound on order/(2 s^2)."""
    value = order / 2 / noise_multiplier / noise_multiplier * (1 + 8 * UNIT)
    return np.nextafter(value, np.inf)


def noise_multiplier_for_dp(epsilon: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the least noise multiplier."""
    aim = _log_target(delta)

    # In the multiplier's inverse the bound rises, and a small one is safe.
    def excess(chosen: Indices, over: Reals) -> Reals:
        spread = 1.0 / over * (1 - 2 * UNIT)
        return _log_delta(spread, epsilon[chosen]) - aim[chosen]

    start = np.maximum(np.sqrt(epsilon * epsilon / 4 + delta * delta), 1e-300)
    found = largest(excess, start, np.full_like(epsilon, _LARGEST))
    return np.where(found > 0, 1.0 / found * (1 + 4 * UNIT), np.inf)
