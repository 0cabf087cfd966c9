"""DP-SGD, never below the truth: delta and epsilon by Chernoff's bound, one step in closed form.

With t ~ N(-u^2/2, u^2), w = 1 - q + q e^t and F(v) = E w^v (proofs_notes/dpsgd.md)

    log delta <= T log F(v) - c epsilon + c log c - (1 + c) log(1 + c),   v = c + 1, or -c,

at any c > 0, the best that is seen; the larger of both orders. F is a trapezoid rule on the real
axis, within a factor of 1 +- r: on Im t = +-a |density| grows by e^(a^2/2u^2), and |w|^v by at most
cos(a/2)^v where v < 0, so r = 2 e^(a^2/2u^2) cos(a/2)^min(v,0)/(e^(2 pi a/h) - 1) at any a < pi.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from . import gaussian
from .doubled import UNIT, Reals
from .moment_line import log_chernoff

_WIDTHS = 12.0
_FINENESS, _LONGEST_STEP = 4.0, 0.2
_SHIFTS = np.array([0.05, 0.1, 0.2, 0.4, 0.8, 1.4, 2.0])
_LARGEST_RATIO = 1e-3
_MOST_POINTS, _FARTHEST = 20_000, 600.0
# Crossings are sought between these, on grids of so many points, each around the best one.
_CROSSINGS, _GRID, _ZOOMS = (1e-6, 1e8), 29, 5
# Of the chance beyond so many widths, less a step.
_LOG_BEYOND = -65.0
_UNITS = 16.0
# Where no more is known of the truth than such a bound, that is known to 2^-28 of it.
ROOM = 1 + 2.0**-26


def delta(
    noise_multiplier: float, sampling_probability: float, steps: float, epsilon: float
) -> float:
    """Return an upper bound on delta, at most 1."""
    s, q = noise_multiplier, sampling_probability
    with np.errstate(all="ignore"):
        if q >= 1.0:
            return _normal(_over_root(s, steps), epsilon)
        if steps == 1:
            return _one_step(s, q, epsilon)
        found = max(_log_delta(s, q, steps, epsilon, removed) for removed in (True, False))
        return min(float(np.nextafter(np.exp(found) * ROOM, np.inf)), 1.0)


def epsilon(
    noise_multiplier: float, sampling_probability: float, steps: float, delta: float
) -> float:
    """Return an upper bound on the smallest epsilon; infinite at delta 0."""
    s, q = noise_multiplier, sampling_probability
    if delta <= 0.0:
        return math.inf
    if delta >= 1.0:
        return 0.0
    with np.errstate(all="ignore"):
        if q >= 1.0:
            one = np.array([_over_root(s, steps)])
            return float(gaussian.epsilon(one, np.array([delta]))[0])
        found = max(_epsilon(s, q, steps, delta, removed) for removed in (True, False))
        return max(found, 0.0) * ROOM


def _over_root(s: float, steps: float) -> float:
    """Return a lower bound on s/sqrt(T)."""
    return float(s / math.sqrt(steps) * (1 - 8 * UNIT))


def _normal(s: float, epsilon: float) -> float:
    return float(gaussian.delta(np.array([s]), np.array([epsilon]))[0])


def _one_step(s: float, q: float, epsilon: float) -> float:
    """Return an upper bound in each order by the Gaussian profile, which falls with its epsilon."""
    threshold = math.log1p(math.expm1(epsilon) / q) if epsilon < _FARTHEST else epsilon
    if not math.isfinite(threshold):
        threshold = epsilon
    removed = q * _normal(s, threshold * (1 - 8 * UNIT)) * (1 + 4 * UNIT)
    # An added record's losses are below -log(1 - q): nothing beyond.
    under = q + math.expm1(-epsilon) + 8 * UNIT  # an upper bound on e^-epsilon - 1 + q
    added = 0.0
    if under > 0:
        left = under * math.exp(min(epsilon, _FARTHEST)) * (1 + 8 * UNIT)
        low = max(math.log(q / under) - 16 * UNIT * (1 + abs(math.log(q))), 0.0)
        added = min(left, 1.0) * _normal(s, low)
    return min(max(removed, added) * (1 + 8 * UNIT) + 5e-324, 1.0)


def log_moments(s: float, q: float, steps: float, crossings: Reals, removed: bool) -> Reals:
    """Return an upper bound on T log F at each crossing; infinite where none is seen."""
    return np.array([_log_moment(s, q, steps, float(c), removed) for c in crossings])


def _log_moment(s: float, q: float, steps: float, crossing: float, removed: bool) -> float:
    u, power = 1 / s, crossing + 1 if removed else -crossing
    step = min(u / _FINENESS, _LONGEST_STEP, 1 / math.sqrt(1 + abs(power)))
    high = (max(power, 0.0) - 0.5) * u * u + _WIDTHS * u + step
    low = -u * u / 2 - _WIDTHS * u - step
    if removed:
        high = max(high, 3 - math.log(q))
    count = (high - low) / step
    if not (count <= _MOST_POINTS and high < _FARTHEST):
        return math.inf
    ratio = _rule_error(u, power, step)
    if not ratio < _LARGEST_RATIO:
        return math.inf
    t = low + step * np.arange(math.ceil(count) + 1)
    square = ((t + u * u / 2) * s) ** 2 / 2
    moved = power * np.log1p(q * np.expm1(t))
    logs = moved - square + _UNITS * UNIT * (np.abs(moved) + square + np.abs(t * s) * u + 4)
    most = float(np.max(logs))
    whole = most + math.log(float(np.sum(np.exp(logs - most)))) + math.log(step * s)
    whole -= math.log(2 * math.pi) / 2
    # The sums beyond: densities fall there, w <= 1 below 0 and w <= e^x w(high) e^-high above.
    if removed:
        last = math.log1p(q * math.expm1(float(t[-1]))) - float(t[-1])
        beyond = power * last + power * (power - 1) * u * u / 2
        lowest = 0.0 + power * math.log1p(q * math.expm1(min(low, 0.0)))
    else:
        beyond, lowest = 0.0, power * math.log1p(-q)
    for extra in (beyond, lowest):
        whole = float(np.logaddexp(whole, extra + _LOG_BEYOND))
    whole -= math.log1p(-ratio)
    whole += _UNITS * UNIT * (abs(whole) + abs(most) + 64)
    return steps * whole + 4 * UNIT * steps * abs(whole)


def _rule_error(u: float, power: float, step: float) -> float:
    """Return an upper bound on r at the best of some shifts."""
    lost = _SHIFTS**2 / (2 * u * u) + min(power, 0.0) * np.log(np.cos(_SHIFTS / 2))
    found = lost - 2 * math.pi * _SHIFTS / step + math.log(2) + 1e-9
    least = float(np.min(found))
    return 2 * math.exp(least) if least < 0 else math.inf


def _log_delta(s: float, q: float, steps: float, epsilon: float, removed: bool) -> float:
    """Return an upper bound on log delta of one order, at most 0."""

    def bound(c: Reals) -> Reals:
        moment = log_moments(s, q, steps, c, removed)
        moved = c * epsilon
        found: Reals = moment - moved + log_chernoff(c) + 8 * UNIT * (np.abs(moment) + moved)
        return found

    return min(least(bound), 0.0)


def _epsilon(s: float, q: float, steps: float, delta: float, removed: bool) -> float:
    """Return an upper bound on the least epsilon of one order."""
    target = math.log(delta)
    target -= 4 * UNIT * abs(target)

    def bound(c: Reals) -> Reals:
        whole = log_moments(s, q, steps, c, removed) + log_chernoff(c) - target
        whole = whole + 16 * UNIT * (np.abs(whole) + abs(target))
        found: Reals = whole / c * (1 + 4 * UNIT * np.sign(whole))
        return found

    return least(bound)


def least(bound: Callable[[Reals], Reals]) -> float:
    """Return the least value that is seen at any crossing."""
    (low, high), lowest = _CROSSINGS, math.inf
    for _ in range(_ZOOMS):
        points = np.geomspace(low, high, _GRID)
        values = bound(points)
        values = np.where(np.isnan(values), np.inf, values)
        at = int(np.argmin(values))
        lowest = min(lowest, float(values[at]))
        low, high = float(points[max(at - 1, 0)]), float(points[min(at + 1, _GRID - 1)])
    return lowest
