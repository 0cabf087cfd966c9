"""Where a vertical line crosses the axis, how far apart its nodes are, and bounds without a line.

The plan is a matter of speed and of tightness alone: every line is safe. The bounds are Chernoff's,
log delta <= log M(c) - c epsilon + log c^c/(1+c)^(1+c) at any c, the best that is found.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import special

from .doubled import UNIT, Reals
from .loss_moments import Releases, log_chernoff, log_moments

# c/(limit - c) is sought between these, on grids of so many points, each time around the best one.
_ODDS, _GRID, _ZOOMS = (1e-40, 1e13), 25, 4
# Natural logarithm of what is negligible beside delta: 2^-55.
_NEGLIGIBLE = -38.0
# The line is looked for within so many widths of the saddle, and as far in odds; there the
# integrand may be e^3 times as large as at the saddle.
_WIDTHS, _WIDER, _SPARE = 12.0, 1e4, 3.0


class Plan(NamedTuple):
    """A crossing, a step, and the logarithm of what is negligible, beside M(c)."""

    crossing: float
    step: float
    negligible: float


def log_chernoff_delta(releases: Releases, epsilon: float) -> float:
    """Return an upper bound on log delta, at most 0."""

    def bound(points: Reals) -> Reals:
        at, moved, factor = log_moments(releases, points), points * epsilon, log_chernoff(points)
        return at.value + at.doubt - moved + factor + 8 * UNIT * (moved - factor + at.value)

    return min(_least(bound, releases.limit)[1], 0.0)


def chernoff_epsilon(releases: Releases, log_target: float) -> float:
    """Return an upper bound on the smallest epsilon of a delta; 0 or below where it is 0."""

    def bound(points: Reals) -> Reals:
        at, factor = log_moments(releases, points), log_chernoff(points)
        whole = at.value + at.doubt + factor - log_target
        whole += 8 * UNIT * (at.value - factor - log_target)
        return whole / points * (1.0 + np.sign(whole) * 4 * UNIT)

    return _least(bound, releases.limit)[1]


def _least(function: Callable[[Reals], Reals], limit: float) -> tuple[float, float]:
    """Return the point with the least value that is seen between 0 and the limit, and the value."""
    (low, high), best, least = _ODDS, limit / 2, math.inf
    for _ in range(_ZOOMS):
        odds = np.geomspace(low, high, _GRID)
        points = limit * (odds / (1.0 + odds))
        values = function(points)
        values = np.where(np.isnan(values), np.inf, values)
        index = int(np.argmin(values))
        if values[index] < least:
            best, least = float(points[index]), float(values[index])
        low, high = float(odds[max(index - 1, 0)]), float(odds[min(index + 1, _GRID - 1)])
    return best, least


def plan(releases: Releases, epsilon: float, log_delta: float | None = None) -> Plan | None:
    """Return the longest step with negligible aliases, and where the line then crosses.

    ``log_delta`` is what the aliases are to be small beside, by default an estimate.
    """

    def height(points: Reals) -> Reals:
        return _exponent(releases, epsilon, points) - np.log(points) - np.log1p(points)

    saddle, lowest = _least(height, releases.limit)
    bend = _curvature(releases, saddle)
    if not (math.isfinite(lowest) and 0.0 < bend < math.inf):
        return None
    if log_delta is None:
        log_delta = lowest - 0.5 * math.log(2.0 * math.pi * bend)
    target = min(log_delta, 0.0) + _NEGLIGIBLE
    points = _candidates(saddle, 1.0 / math.sqrt(bend), releases.limit)
    exponent = _exponent(releases, epsilon, points)
    rates = _rates(points, exponent - target, -target)
    rates[~(height(points) <= lowest + _SPARE)] = np.inf
    best = int(np.argmin(rates))
    if not 0.0 < rates[best] < math.inf:
        return None
    step = 2.0 * math.pi / float(rates[best])
    return Plan(float(points[best]), step, target - float(exponent[best]))


def _exponent(releases: Releases, epsilon: float, points: Reals) -> Reals:
    return log_moments(releases, points).value - points * epsilon


def _curvature(releases: Releases, point: float) -> float:
    """Return the second derivative of the integrand's logarithm at the saddle."""
    shift = point * releases.step
    low, high = releases.alpha - shift, releases.alpha + releases.step + shift
    each = special.polygamma(1, low) + special.polygamma(1, high)
    bend = float(np.sum(releases.number * releases.step * (releases.step * each)))
    return bend + point**-2 + (1.0 + point) ** -2


def _candidates(saddle: float, width: float, limit: float) -> Reals:
    """Return abscissae around the saddle, in increasing order."""
    near = saddle + width * np.linspace(-_WIDTHS, _WIDTHS, 49)
    odds = saddle / (limit - saddle) * np.geomspace(1.0 / _WIDER, _WIDER, 33)
    points = np.concatenate([near, limit * (odds / (1.0 + odds)), [saddle]])
    return np.unique(points[(points > 0.0) & (points < limit)])


def _rates(points: Reals, excess: Reals, at_zero: float) -> Reals:
    """Return the least 2 pi/h at each crossing for which aliases on both sides are negligible.

    Those on one side are e^(f(a) - (2 pi/h) |c - a|) at most, for any a on that side.
    """
    away = points[None, :] - points[:, None]
    share = np.where(np.isfinite(excess), excess, np.inf)[None, :] / np.abs(away)
    left = np.min(np.where(away < 0.0, share, np.inf), axis=1)
    right = np.min(np.where(away > 0.0, share, np.inf), axis=1)
    rate: Reals = np.maximum(np.minimum(left, at_zero / points), right)
    return rate
