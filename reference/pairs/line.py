"""delta of composed pairs by the trapezoid rule on a vertical line, aliases and tail bounded.

On Re z = c > 0 the rule gives delta and its aliases, all positive, so it overestimates
(proofs_notes/pairs.md). A line is planned for one epsilon, and serves every other rigorously.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from flint import acb, arb

from ..arb.balls import ball, working_precision
from ..precision import check_budget
from .pair import Pair, Reals

# Nats by which an estimate of delta, and what is negligible beside it, may be off.
_SPARE_NATS, _NEARLY = 5.0, 0.05
_SPARE_BITS = 24
_LOG_OF_TWO = math.log(2)
# The saddle is sought between these, by golden sections, until it is known to such a part of it.
_CROSSINGS, _GOLDEN, _CLOSELY = (1e-9, 1e12), (math.sqrt(5) - 1) / 2, 1e-4
# Slopes and bends are seen between points so near to each other.
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

    @property
    def cost(self) -> float:
        """About how long a node takes, beside one of a composition that is no part."""
        return 1.0

    def log_delta_about(self, epsilon: float, estimate: float) -> float:  # noqa: ARG002
        """Return about log delta, where the saddle's estimate is given."""
        return estimate

    def epsilons_about(self, log_delta: float) -> Iterator[float]:
        """Yield estimates of the epsilon of a delta; not a number where it is not to be told."""
        yield epsilon_about(self, log_delta)

    def left_out(self, epsilon: arb) -> arb:  # noqa: ARG002 - a part of a composition has some
        """Bound the delta of what the moments leave out, which is nothing as a rule."""
        return arb(0)

    def parted(self, epsilon: float, nats: float) -> Iterator[Composed]:  # noqa: ARG002
        """Yield parts with shorter lines, whose ``left_out`` is negligible at epsilon, if any."""
        return iter(())


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
    found = sides_about(pairs, epsilon, nats)
    if found is None:
        return None
    step, crossing = float(found.step.mid()), float(found.crossing.mid())
    nodes = _nodes_needed(pairs, crossing, step, found.log_size + crossing * epsilon, most_nodes)
    if nodes is None:
        return None
    return Plan(found.crossing, found.left, found.right, found.step, nodes, found.bits)


@dataclass(frozen=True)
class Sides:
    """A crossing, both points that bound the aliases, and a step; ``log_size`` is negligible."""

    crossing: arb
    left: arb
    right: arb
    step: arb
    bits: int
    log_size: float


def sides_about(pairs: Composed, epsilon: float, nats: float) -> Sides | None:
    """Return the crossing of the longest step for so many nats of delta; None: none is seen."""
    saddle = saddle_about(pairs, epsilon)
    if not math.isfinite(saddle.log_delta):
        return None
    negligible = pairs.log_delta_about(epsilon, saddle.log_delta) - nats - _SPARE_NATS
    points = _candidates(saddle)
    exponent = pairs.log_moments_about(points) - points * epsilon
    high = exponent - np.log(points) - np.log1p(points)
    rates, lefts, rights = _rates(points, exponent - negligible, -negligible)
    rates[~(high <= saddle.lowest + _SPARE_NATS)] = np.inf
    best = int(np.argmin(rates))
    if not 0 < rates[best] < math.inf:
        return None
    size = max(float(exponent[best]) - negligible, 0.0) / _LOG_OF_TWO
    bits = math.ceil(size) + _SPARE_BITS + 2 * pairs.count.bit_length()
    crossing, left, right = (arb(float(each[best])) for each in (points, lefts, rights))
    step = arb(2 * math.pi / float(rates[best]))
    return Sides(crossing, left, right, step, bits, negligible)


@dataclass(frozen=True)
class Saddle:
    """About where e^f/(z (z + 1)) is least, its logarithm there, and delta's by its bend."""

    crossing: float
    lowest: float
    width: float
    log_delta: float


def saddle_about(pairs: Composed, epsilon: float) -> Saddle:
    """Return the saddle on the right of 0, in doubles; what is not to be told is not a number.

    The logarithm of the integrand is convex. Where it is not to be told, the crossing is too large.
    """

    def height(crossing: float) -> float:
        value = float(pairs.log_moments_about(np.array([crossing]))[0]) - crossing * epsilon
        value -= math.log(crossing) + math.log1p(crossing)
        return value if math.isfinite(value) else math.inf

    best, lowest = _least_point(height)
    f = pairs.log_moments_about(best * np.array([1 - _NEAR, 1.0, 1 + _NEAR]))
    bend = _bend(f, best)
    if not (math.isfinite(lowest) and 0 < bend < math.inf):
        return Saddle(best, math.nan, math.nan, math.nan)
    return Saddle(best, lowest, 1 / math.sqrt(bend), _log_estimate(lowest, bend))


def epsilon_about(pairs: Composed, log_delta: float) -> float:
    """Return about the epsilon of a delta; not a number where the estimate is not to be told.

    Each crossing is the saddle of one epsilon, at which the estimate of delta falls with it.
    """
    (low, high), epsilon = map(math.log, _CROSSINGS), math.nan
    while high - low > _CLOSELY:
        crossing = math.exp((low + high) / 2)
        f = pairs.log_moments_about(crossing * np.array([1 - _NEAR, 1.0, 1 + _NEAR]))
        bend = _bend(f, crossing)
        if not 0 < bend < math.inf:
            high = math.log(crossing)
            continue
        epsilon = float(f[2] - f[0]) / (2 * crossing * _NEAR) - 1 / crossing - 1 / (1 + crossing)
        lowest = float(f[1]) - crossing * epsilon - math.log(crossing) - math.log1p(crossing)
        excess = _log_estimate(lowest, bend) - log_delta
        if abs(excess) < _NEARLY:
            break
        low, high = (math.log(crossing), high) if excess > 0 else (low, math.log(crossing))
    return epsilon if epsilon > 0 else math.nan


def _least_point(height: Callable[[float], float]) -> tuple[float, float]:
    """Return about where a function of one valley is least, and its value there."""
    low, high = map(math.log, _CROSSINGS)
    left, right = high - (high - low) * _GOLDEN, low + (high - low) * _GOLDEN
    at_left, at_right = height(math.exp(left)), height(math.exp(right))
    while high - low > _CLOSELY:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - (high - low) * _GOLDEN
            at_left = height(math.exp(left))
        else:
            low, left, at_left = left, right, at_right
            right = low + (high - low) * _GOLDEN
            at_right = height(math.exp(right))
    return (math.exp(left), at_left) if at_left <= at_right else (math.exp(right), at_right)


def _bend(f: Reals, crossing: float) -> float:
    """Return about the second derivative of the integrand's logarithm, f being seen around it.

    Not a number where f is not to be told.
    """
    if not np.all(np.isfinite(f)):
        return math.nan
    bend = float(f[0] - 2 * f[1] + f[2]) / (crossing * _NEAR) ** 2
    return bend + crossing**-2 + (1 + crossing) ** -2


def _log_estimate(lowest: float, bend: float) -> float:
    return min(lowest - math.log(2 * math.pi * bend) / 2, 0.0)


def _candidates(saddle: Saddle) -> Reals:
    """Return crossings around the saddle, in increasing order."""
    near = saddle.crossing + saddle.width * np.linspace(-_WIDTHS, _WIDTHS, 49)
    wide = saddle.crossing * np.geomspace(1 / _WIDER, _WIDER, 33)
    points = np.concatenate([near, wide, [saddle.crossing]])
    return np.sort(points[points > 0])


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
            self._sides = [(at, self._log_moment_bound(at)) for at in (plan.left, plan.right)]

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
            found = rule + end.union(-end) - self._aliases(over).union(arb(0))
            return found + self._pairs.left_out(over).union(arb(0))

    def _node(self, j: int) -> acb:
        return acb(self._plan.crossing, self._plan.step * j)

    def _log_moment_bound(self, at: arb) -> arb:
        """Bound log M at a point >= 0; M(0) is 1."""
        return arb(0) if at.is_zero() else self._pairs.log_bound(at, arb(0))

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
