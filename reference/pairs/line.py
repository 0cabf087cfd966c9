"""delta of composed pairs by the trapezoid rule on a vertical line, aliases and tail bounded.

On Re z = c > 0 the rule gives delta and its aliases, all positive, so it overestimates
(proofs_notes/pairs.md). A line is planned for one epsilon, and serves every other rigorously.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import acb, arb

from ..arb.balls import ball, working_precision
from ..precision import check_budget
from .pair import Pair, Reals

# Nats by which an estimate of delta, and what is negligible beside it, may be off.
_SPARE_NATS = 5.0
_SPARE_BITS = 24
_LOG_OF_TWO = math.log(2)
# The saddle is sought between these, on grids of so many points, each around the best one.
_CROSSINGS, _GRID, _ZOOMS = (1e-9, 1e12), 41, 5
_NEAR = 1e-3
_NODES_BETWEEN_LOOKS = 1_000
# A crossing is looked for within so many widths of the saddle, and by such a factor.
_WIDTHS, _WIDER = 12.0, 1e3


@dataclass(frozen=True)
class Composed:
    """Several events, each a pair and how often it happens."""

    events: tuple[tuple[Pair, int], ...]

    @property
    def count(self) -> int:
        """How many events there are."""
        return sum(count for _, count in self.events)

    def log_moments_about(self, crossings: Reals) -> Reals:
        """Return about the sum of the events' log M."""
        found = np.zeros_like(crossings)
        for pair, count in self.events:
            found = found + count * pair.log_moments_about(crossings)
        return found

    def log_bound_about(self, crossing: float, height: float) -> float:
        """Return about the sum of the events' bounds."""
        return sum(n * pair.log_bound_about(crossing, height) for pair, n in self.events)

    def log_moment(self, crossing: arb) -> arb:
        """Enclose the sum of the events' log M at a real point."""
        return sum((n * pair.log_moment(crossing) for pair, n in self.events), arb(0))

    def log_bound(self, crossing: arb, height: arb) -> arb:
        """Bound log |M| on the line from a height on."""
        return sum((n * pair.log_bound(crossing, height) for pair, n in self.events), arb(0))

    def moments(self, crossing: arb, step: arb, nodes: int, spare: int) -> list[acb]:
        """Enclose the product of all M, each as often as it happens, at every node."""
        product: list[acb] = []
        for pair, count in self.events:
            found = pair.moments(crossing, step, nodes, spare + count.bit_length())
            for j, value in enumerate(found):
                if j % _NODES_BETWEEN_LOOKS == 0:
                    check_budget()
                found[j] = value**count * product[j] if product else value**count
            product = found
        return product


@dataclass(frozen=True)
class Plan:
    """Nodes crossing + i j step, |j| <= nodes, at so many bits; all numbers are exact.

    The aliases are bounded through M at ``left`` and ``right``.
    """

    crossing: arb
    left: arb
    right: arb
    step: arb
    nodes: int
    bits: int


def planned(pairs: Composed, epsilon: float, nats: float, most_nodes: int) -> Plan | None:
    """Return the line with the longest step for so many nats of delta; None where it is too long.

    A matter of speed alone: any line gives a true enclosure.
    """
    saddle = saddle_about(pairs, epsilon)
    if not math.isfinite(saddle.log_delta):
        return None
    negligible = saddle.log_delta - nats - _SPARE_NATS
    points = _candidates(saddle)
    exponent = pairs.log_moments_about(points) - points * epsilon
    high = exponent - np.log(points) - np.log1p(points)
    rates, lefts, rights = _rates(points, exponent - negligible, -negligible)
    rates[~(high <= saddle.lowest + _SPARE_NATS)] = np.inf
    best = int(np.argmin(rates))
    if not 0 < rates[best] < math.inf:
        return None
    step, crossing = 2 * math.pi / float(rates[best]), float(points[best])
    nodes = _nodes_needed(pairs, crossing, step, negligible + crossing * epsilon, most_nodes)
    if nodes is None:
        return None
    size = max(float(exponent[best]) - negligible, 0.0) / _LOG_OF_TWO
    left, right = arb(float(lefts[best])), arb(float(rights[best]))
    bits = math.ceil(size) + _SPARE_BITS + 2 * pairs.count.bit_length()
    return Plan(arb(crossing), left, right, arb(step), nodes, bits)


@dataclass(frozen=True)
class Saddle:
    """About where e^f/(z (z + 1)) is least, its logarithm there, and delta's by its bend."""

    crossing: float
    lowest: float
    width: float
    log_delta: float


def saddle_about(pairs: Composed, epsilon: float) -> Saddle:
    """Return the saddle on the right of 0, in doubles; what is not to be told is not a number."""
    (low, high), best, lowest = _CROSSINGS, 1.0, math.nan
    for _ in range(_ZOOMS):
        points = np.geomspace(low, high, _GRID)
        values = pairs.log_moments_about(points) - points * epsilon
        values = values - np.log(points) - np.log1p(points)
        values = np.where(np.isfinite(values), values, np.inf)
        at = int(np.argmin(values))
        best, lowest = float(points[at]), float(values[at])
        low, high = float(points[max(at - 1, 0)]), float(points[min(at + 1, _GRID - 1)])
    f = pairs.log_moments_about(best * np.array([1 - _NEAR, 1.0, 1 + _NEAR]))
    if not (math.isfinite(lowest) and np.all(np.isfinite(f))):
        return Saddle(best, math.nan, math.nan, math.nan)
    bend = float(f[0] - 2 * f[1] + f[2]) / (best * _NEAR) ** 2 + best**-2 + (1 + best) ** -2
    if not 0 < bend < math.inf:
        return Saddle(best, math.nan, math.nan, math.nan)
    estimate = min(lowest - math.log(2 * math.pi * bend) / 2, 0.0)
    return Saddle(best, lowest, 1 / math.sqrt(bend), estimate)


def _candidates(saddle: Saddle) -> Reals:
    """Return crossings around the saddle, in increasing order."""
    near = saddle.crossing + saddle.width * np.linspace(-_WIDTHS, _WIDTHS, 49)
    wide = saddle.crossing * np.geomspace(1 / _WIDER, _WIDER, 33)
    points = np.concatenate([near, wide, [saddle.crossing]])
    found: Reals = np.unique(points[points > 0])
    return found


def _rates(points: Reals, excess: Reals, at_zero: float) -> tuple[Reals, Reals, Reals]:
    """Return the least 2 pi/step at each crossing, and where both bounds on aliases are taken.

    The aliases on one side are about e^(f(a) - (2 pi/step) |c - a|), for any a on that side.
    """
    points, excess = np.concatenate([[0.0], points]), np.concatenate([[at_zero], excess])
    away = points[None, :] - points[:, None]
    with np.errstate(all="ignore"):
        share = np.where(np.isfinite(excess), excess, np.inf)[None, :] / np.abs(away)
    left, right = np.where(away < 0, share, np.inf), np.where(away > 0, share, np.inf)
    at_left, at_right = np.argmin(left, axis=1), np.argmin(right, axis=1)
    rows = np.arange(points.size)
    rates = np.maximum(left[rows, at_left], right[rows, at_right])
    return rates[1:], points[at_left][1:], points[at_right][1:]


def _nodes_needed(
    pairs: Composed, crossing: float, step: float, log_negligible: float, most: int
) -> int | None:
    """Return about the least number of nodes whose end is negligible; None where too many."""

    def enough(nodes: int) -> bool:
        height = nodes * step
        bound = pairs.log_bound_about(crossing, height) - math.log(math.pi * height)
        return bound < log_negligible

    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
        if high > most:
            return None
    while high - low > 1 + high // 32:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


class Line:
    """A planned line with its moments, ready for any epsilon; it keeps its own precision."""

    def __init__(self, pairs: Composed, plan: Plan) -> None:
        self._plan, self._pairs = plan, pairs
        with working_precision(plan.bits):
            c, last = plan.crossing, plan.step * plan.nodes
            # Overwritten one by one: a long line fills much of the memory.
            self._values = pairs.moments(c, plan.step, plan.nodes, plan.bits)
            for j, value in enumerate(self._values):
                z = self._node(j)
                self._values[j] = value / (z * (z + 1))
            self._beyond = pairs.log_bound(c, last) - (arb.pi() * last).log()
            self._sides = [(at, pairs.log_moment(at)) for at in (plan.left, plan.right)]

    def delta(self, epsilon: Fraction) -> arb:
        """Enclose delta at any real epsilon; NaN where a bound does not apply."""
        check_budget()
        plan = self._plan
        with working_precision(plan.bits):
            over, total = ball(epsilon), -self._values[0].real / 2
            front = (-plan.crossing * over).exp()
            for j, value in enumerate(self._values):
                angle = -over * (plan.step * j)
                total += (value * acb(angle.cos(), angle.sin())).real
            total = 2 * front * total
            rule = total * plan.step / (2 * arb.pi())
            end = (self._beyond - plan.crossing * over).exp()
            return rule + end.union(-end) - self._aliases(over).union(arb(0))

    def _node(self, j: int) -> acb:
        return acb(self._plan.crossing, self._plan.step * j)

    def _aliases(self, epsilon: arb) -> arb:
        """Bound the sum of all aliases by a geometric series on each side."""
        plan, rate = self._plan, 2 * arb.pi() / self._plan.step
        if not (0 <= plan.left < plan.crossing < plan.right):
            return arb("nan")
        total = arb(0)
        for at, moment in self._sides:
            ratio = (-rate * abs(plan.crossing - at)).exp()
            total += (moment - at * epsilon).exp() * ratio / (1 - ratio)
        return total


def chernoff(pairs: Composed, epsilon: Fraction, crossing: arb) -> arb:
    """Bound log delta by log M(c) - c epsilon + log(c^c/(1 + c)^(1 + c)) at any c > 0."""
    least = crossing * crossing.log() - (1 + crossing) * crossing.log1p()
    return pairs.log_moment(crossing) - crossing * ball(epsilon) + least
