"""delta of independent releases together and its inverse, never below the truth.

One release has its own closed form (``profile``). For several the smallest of 1, Chernoff's bound
and a vertical line is taken; each of them is an upper bound by itself, whatever the plan is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from . import inverses, profile
from .doubled import UNIT, Indices, Reals
from .line_plan import Plan, chernoff_epsilon, log_chernoff_delta, plan
from .loss_moments import Releases, log_moments, releases_of
from .moment_line import MomentLine, change_off_axis, log_delta_on, moment_line
from .roots import safe_root
from .tails import probability

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
    releases: Releases, chosen: Plan | None, epsilon: float, bound: float
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
