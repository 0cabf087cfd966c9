"""delta of independent releases together, its inverse, and the line that is chosen for it.

Where a vertical line crosses the axis, how far apart its nodes are, and bounds without a line.

The plan is a matter of speed and of tightness alone: every line is safe. The bounds are Chernoff's,
log delta <= log M(c) - c epsilon + log c^c/(1+c)^(1+c) at any c, the best that is found.

delta of independent releases together and its inverse, never below the truth.

One release has its own closed form (``profile``). For several the smallest of 1, Chernoff's bound
and a vertical line is taken; each of them is an upper bound by itself, whatever the plan is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from scipy import special

from . import inverses, profile
from .doubled import UNIT, Indices, Reals
from .moment_line import (
    MomentLine,
    Releases,
    change_off_axis,
    log_chernoff,
    log_delta_on,
    log_moments,
    moment_line,
    releases_of,
)
from .roots import safe_root
from .tails import probability

# c/(limit - c) is sought between these, on grids of so many points, each time around the best one.
_ODDS, _GRID, _ZOOMS = (1e-40, 1e13), 25, 4
# Natural logarithm of what is negligible beside delta: 2^-55.
_NEGLIGIBLE = -38.0
# The line is looked for within so many widths of the saddle, and as far in odds; there the
# integrand may be e^3 times as large as at the saddle.
_WIDTHS, _WIDER, _SPARE = 12.0, 1e4, 3.0


class _Plan(NamedTuple):
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


def plan(releases: Releases, epsilon: float, log_delta: float | None = None) -> _Plan | None:
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
    return _Plan(float(points[best]), step, target - float(exponent[best]))


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


Table = Sequence[Sequence[float]]

_MOST_NODES = 1 << 16
_LARGEST = float(np.finfo(np.float64).max)
_NEAR_ONE = 0.5  # from here on target - 1 is exact
_LARGEST_EPSILON = 1e100  # beyond, no line is tried
_POLISHES = 2  # lines through the saddle of the epsilon that was found last


def delta(releases: Table, epsilon: float) -> float:
    """Return an upper bound on the delta of all releases together, at most 1."""
    with np.errstate(all="ignore"):
        alone = _single(releases)
        if alone:
            return float(profile.delta(*map(_one, (*alone, epsilon)))[0])
        several = releases_of(releases)
        if several is None:
            return 1.0
        return float(probability(_one(log_delta(several, float(epsilon))))[0])


def log_delta(releases: Releases, epsilon: float) -> float:
    """Return an upper bound on log delta, at most 0."""
    bound = log_chernoff_delta(releases, epsilon)
    line = _line(releases, plan(releases, epsilon), epsilon, bound)
    return min(bound, _on(line, epsilon)) if line else bound


def _on(line: MomentLine, epsilon: float) -> float:
    value = float(log_delta_on(line, _one(epsilon))[0])
    return math.inf if math.isnan(value) else value


def _line(
    releases: Releases, chosen: _Plan | None, epsilon: float, bound: float
) -> MomentLine | None:
    """Return the planned line, or None where what it leaves out exceeds a known bound."""
    if chosen is None or not epsilon < _LARGEST_EPSILON:
        return None
    last = _one(chosen.step * _MOST_NODES)
    left_out = change_off_axis(releases, chosen.crossing, last).real[0]
    moment = log_moments(releases, _one(chosen.crossing)).value[0] - chosen.crossing * epsilon
    left_out += moment - math.log(math.pi * float(last[0]))
    if not left_out < bound:
        return None
    return moment_line(releases, *chosen, _MOST_NODES)


def epsilon(releases: Table, delta: float) -> float:
    """Return an upper bound on the smallest epsilon at which delta is as small as this.

    Infinite at delta = 0 alone; the largest double where nothing is known.
    """
    with np.errstate(all="ignore"):
        alone = _single(releases)
        if alone:
            return float(inverses.epsilon(*map(_one, (*alone, delta)))[0])
        if delta == 0.0:
            return math.inf
        if delta == 1.0:
            return 0.0
        several = releases_of(releases)
        return _LARGEST if several is None else _epsilon(several, float(delta))


def _epsilon(releases: Releases, delta: float) -> float:
    target = _log_below(delta)
    if log_delta(releases, 0.0) <= target:
        return 0.0
    best = chernoff_epsilon(releases, target)
    if not 0.0 < best < _LARGEST:
        return 0.0 if best <= 0.0 else _LARGEST
    for _ in range(_POLISHES):
        line = _line(releases, plan(releases, best, target), best, 0.0)
        if line is None:
            break
        best = _root(line, target, best)
    return best


def _root(line: MomentLine, target: float, safe: float) -> float:
    """Return a smaller epsilon at which the line shows a delta below the target, or ``safe``."""

    def excess(_: Indices, point: Reals) -> Reals:
        return log_delta_on(line, point) - target

    return float(safe_root(excess, _one(safe), np.zeros(1))[0])


def _log_below(target: float) -> float:
    """Return a lower bound on log(target), 0 < target < 1."""
    value = math.log1p(target - 1.0) if target > _NEAR_ONE else math.log(target)
    return value * (1.0 + 8 * UNIT)


def _single(releases: Table) -> tuple[float, float] | None:
    """Return floor and step where there is one release alone."""
    (alpha, step, count), *others = releases
    return None if others or count != 1 else (float(alpha), float(step))


def _one(value: float) -> Reals:
    return np.array([value], dtype=np.float64)
