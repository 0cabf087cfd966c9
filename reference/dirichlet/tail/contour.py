"""delta by Laplace inversion: the trapezoid rule on a line for larger k, a bent path for small k.

With F(s) = e^s s^-k H(s) at the nodes s_j = sigma + i h j of a vertical line, and k > 1,

    Gamma(k) h/(2 pi) * sum over all j of F(s_j) = delta + aliases,
    aliases = sum over m != 0, R_m > 0, of e^(-sigma (R_m - 1)) R_m^(k-1) delta(gamma/R_m) >= 0,

R_m = 1 + 2 pi m/h, by Poisson summation. Some 40 nodes are enough for 20 digits when k is large;
for small k, F falls like a small power, the line is hopeless, and the path is bent (`wedge`). Both
are proved in tail-contour.md; which one is taken is a matter of speed alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import acb, arb, ctx

from ...arb.balls import INFINITY, ball, working_precision
from ...arb.gamma import log_beta
from ...arb.incomplete_gamma import Plan, Region, cheapest_plan
from ...precision import check_budget
from .event import Miss
from .transform import (
    Doubles,
    Transform,
    UpperBounds,
    bits_for_logarithms,
    log_lower_parts,
    log_transform,
    probability_of_any,
    saddle,
)
from .wedge import Wedge, planned_wedge, probability_on_wedge

# Nats beyond the working precision to which each truncation is pushed.
_SPARE_NATS = 4.0
# Bounds are tried at this precision before the line is fixed; speed alone.
_PLANNING_BITS = 64
# Beyond so many nodes (tens of seconds) a line counts as hopeless.
_MOST_NODES = 1_000_000
# Seconds at 180 bits, measured: a coefficient, a term at a node, a parameter at a node, once.
_COEFFICIENT, _TERM, _PARAMETER, _ONCE = 4e-7, 2.2e-7, 2e-5, 1e-3


@dataclass(frozen=True)
class _Line:
    """A line and its nodes. Crossing and step are used as the exact numbers that doubles are."""

    crossing: float
    step: float
    nodes: int
    plans: tuple[Plan, ...]
    bits: int

    @property
    def seconds(self) -> float:
        """Estimate the time that the rule takes."""
        terms = sum(plan.terms for plan in self.plans)
        each = terms * _TERM + len(self.plans) * _PARAMETER
        return (terms * _COEFFICIENT + (self.nodes + 1) * each) * (self.bits / 180) + _ONCE


@lru_cache(maxsize=64)
def planned_line(miss: Miss, bits: int) -> _Line | None:
    """Choose a line that leaves out about 2^-bits of delta, or None; a matter of speed alone."""
    event = Doubles.of(miss)
    if event is None or miss.total <= 1:
        return None
    crossing, nats = saddle(event), bits * math.log(2) + _SPARE_NATS
    # The integrand at the saddle, times the width it has there at least, is about delta.
    log_width = math.log(crossing) - 0.5 * math.log(2 * math.pi * event.total)
    log_sum = log_transform(event, crossing)[0] + log_width
    log_front = math.lgamma(event.total) + crossing - event.total * math.log(crossing)
    with working_precision(_PLANNING_BITS):
        truncation = Truncation(miss, crossing)
        step = _longest_step(truncation, min(log_front + log_sum, 0.0), nats)
        lower = [arb(log).exp() for log in log_lower_parts(event, crossing)]
        nodes = _fewest_nodes(truncation, step, lower, arb(log_sum - nats).exp())
    if nodes > _MOST_NODES:
        return None
    return _with_expansions(event, _Line(crossing, step, int(nodes) + 1, (), bits), nats)


def _longest_step(truncation: Truncation, log_delta: float, nats: float) -> float:
    delta, negligible = arb(log_delta).exp(), arb(log_delta - nats).exp()

    def enough(beyond: float) -> bool:
        x = arb(beyond)
        below = arb(0) if beyond >= 1 else truncation.alias(-x, delta)
        return bool(truncation.alias(x, delta) + below < negligible)

    return 2 * math.pi / _first(enough, 0.25 / float(truncation.total.mid()))


def _fewest_nodes(truncation: Truncation, step: float, lower: list[arb], negligible: arb) -> float:
    def enough(nodes: float) -> bool:
        return bool(truncation.tail(step, int(nodes), lower) * arb(step) < negligible)

    return _first(enough, 1.0)


def _first(enough: Callable[[float], bool], start: float) -> float:
    """Return about the least number above start from which on it is enough."""
    low = high = start
    while not enough(high):
        check_budget()
        low, high = high, 2 * high
        if not high < _MOST_NODES * 4:
            return math.inf
    while high - low > high / 32:
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _with_expansions(event: Doubles, line: _Line, nats: float) -> _Line:
    """Add the cheapest expansion of each incomplete gamma on the line, and the bits it takes."""
    low = event.point(line.crossing)
    most = event.point(math.hypot(line.crossing, line.step * line.nodes))
    region = Region(least=low, most=most, low=low, high=low)
    plans = tuple(cheapest_plan(alpha, region, nats) for alpha, _ in event.groups)
    extra = bits_for_logarithms(event.total, max(plan.loss for plan in plans))
    return _Line(line.crossing, line.step, line.nodes, plans, line.bits + extra)


def probability_on_line(miss: Miss) -> arb:
    """Enclose delta; NaN where the line is hopeless."""
    line = planned_line(miss, ctx.prec)
    if line is None or not math.isfinite(line.seconds):
        return arb("nan")
    with working_precision(line.bits):
        return trapezoid_rule(miss, line)


def trapezoid_rule(miss: Miss, line: _Line) -> arb:
    """Enclose delta by any line, crossing and step > 0, if k > 1; NaN if not."""
    crossing, step = arb(line.crossing), arb(line.step)
    if not (crossing > 0 and step > 0 and miss.total > 1):
        return arb("nan")
    transform, k = Transform.of(miss, line.plans), ball(miss.total)
    log_crossing = crossing.log()
    parts = transform.parts(acb(crossing), acb(log_crossing))
    total = probability_of_any(parts).real
    for j in range(1, line.nodes + 1):
        check_budget()
        height = j * step
        logarithm = acb(arb(1), height / crossing).log()
        there = transform.parts(acb(crossing, height), logarithm + log_crossing)
        rotation = (acb(arb(0), height) - k * logarithm).exp()
        total += 2 * (rotation * probability_of_any(there)).real
    truncation = Truncation(miss, line.crossing)
    tail = 2 * truncation.tail(line.step, line.nodes, [lower.real for lower, _, _ in parts])
    front = (k.lgamma() + crossing - k * log_crossing).exp() * step / (2 * arb.pi())
    rule = front * (total + tail.union(-tail))
    aliases = truncation.aliases(line.step, rule.min(arb(1)))
    return rule - aliases.union(arb(0))


# Aliases that are added up one by one before the rest must be bounded by a geometric series.
_ALIASES = 50
# From this ratio of weights on, the geometric series is close to its first term.
_SHRINKING = 0.5


class Truncation:
    """Bounds for one event and one line, at the precision at which the object was made."""

    def __init__(self, miss: Miss, crossing: float) -> None:
        """Work out what does not depend on the step and on the number of nodes."""
        self.miss, self.crossing = miss, arb(crossing)
        self.gamma, self.total = ball(miss.gamma), ball(miss.total)
        self.upper = UpperBounds(miss)
        self.betas = [
            (ball(alpha), log_beta(alpha, miss.total - alpha) + ball(alpha).log(), count)
            for alpha, count in miss.groups
        ]

    def log_weight(self, beyond: arb) -> arb:
        """Enclose log of e^(-sigma x) (1 + x)^(k-1), the weight of the alias at R = 1 + x > 0."""
        return (self.total - 1) * beyond.log1p() - self.crossing * beyond

    def probability(self, ratio: arb) -> arb:
        """Bound delta(gamma/ratio) by the sum of I_x(a, k-a) at x = gamma/ratio, and by 1.

        I_x(a, b) <= x^a (1-x)^b / (a B(a, b)) / (1 - r), r = x max(1, k/(a+1)): r bounds the
        ratios in its series (positive-series.md).
        """
        x, total = self.gamma / ratio, arb(0)
        if not x < 1:
            return arb(1)
        log_x, log_rest = x.log(), (1 - x).log()
        for a, constant, count in self.betas:
            r = x * (self.total / (a + 1)).max(arb(1))
            if not r < 1:
                return arb(1)
            exponent = a * log_x + (self.total - a) * log_rest - constant
            total += count * exponent.exp() / (1 - r)
        return total.min(arb(1))

    def alias(self, beyond: arb, delta: arb) -> arb:
        """Bound the alias at R = 1 + x > 0, given delta(gamma) <= delta; delta(gamma/R) falls."""
        probability = self.probability(1 + beyond)
        return self.log_weight(beyond).exp() * (
            probability.min(delta) if beyond > 0 else probability
        )

    def aliases(self, step: float, delta: arb) -> arb:
        """Bound the sum of all aliases, those at R > 1 and those at 0 < R < 1."""
        apart = 2 * arb.pi() / arb(step)
        return self._above(apart, delta) + self._below(apart)

    def _above(self, apart: arb, delta: arb) -> arb:
        """Bound the aliases at R > 1: the ratios of the weights fall, and the probabilities."""
        total = arb(0)
        for m in range(1, _ALIASES + 1):
            term = self.alias(m * apart, delta)
            total += term
            ratio = (self.log_weight((m + 1) * apart) - self.log_weight(m * apart)).exp()
            if ratio < _SHRINKING:
                return total + term * ratio / (1 - ratio)
        return INFINITY

    def _below(self, apart: arb) -> arb:
        """Bound the aliases at 0 < R < 1, all of them or all but those of negligible weight.

        The ratios of the weights fall towards 0; a probability is at most 1.
        """
        total, m = arb(0), 1
        while not m * apart > 1:
            check_budget()
            total += self.alias(-m * apart, arb(1))
            if not (m + 1) * apart < 1:
                m += 1
                continue
            here, next_one = self.log_weight(-m * apart), self.log_weight(-(m + 1) * apart)
            ratio = (next_one - here).exp()
            if ratio < _SHRINKING and next_one.exp() / (1 - ratio) < total:
                return total + next_one.exp() / (1 - ratio)
            m += 1
        return total

    def tail(self, step: float, nodes: int, lower_parts: list[arb]) -> arb:
        """Bound the sum over all j > nodes of |F(sigma + i h j)|, given each P(a, gamma sigma).

        From the last node s = sigma + i Y on |F| is bounded by powers of |s|; the nodes of a power
        p > 1 add up to at most |s|^2/(h Y (p-1)) times its value at Y.
        """
        height = nodes * arb(step)
        size = (self.crossing**2 + height**2).sqrt()
        ratio = (size / self.crossing).log()
        scaled, real = self.gamma * size, self.gamma * self.crossing
        logs = [log - real for log in self.upper.logarithms(scaled, scaled)]
        either = self._plain(ratio, logs).min(self._by_parts(ratio, logs, lower_parts))
        return size**2 / (arb(step) * height) * either

    def _plain(self, ratio: arb, logs: list[arb]) -> arb:
        """Bound by |H| <= 1 + prod |Q|: the powers k, and k - sum (a-1) = w + rest."""
        fall = -self.total * ratio
        product = sum(
            (count * log for log, (_, count) in zip(logs, self.miss.groups, strict=True)), fall
        )
        slow = ball(self.miss.count + self.miss.rest - 1)
        return fall.exp() / (self.total - 1) + product.exp() / slow

    def _by_parts(self, ratio: arb, logs: list[arb], lower_parts: list[arb]) -> arb:
        """Bound by |P(a, gamma s)| <= (|s|/sigma)^a P(a, gamma sigma) and max(1, |Q|).

        The power that is left for the part of one coordinate is rest + the sum of min(a, 1) over
        all the others.
        """
        counts = [count for _, count in self.miss.groups]
        growth = sum(
            (count * log.max(arb(0)) for log, count in zip(logs, counts, strict=True)), arb(0)
        )
        power = self.miss.rest + sum(
            (count * min(a, Fraction(1)) for a, count in self.miss.groups), Fraction(0)
        )
        total = arb(0)
        for (alpha, count), lower in zip(self.miss.groups, lower_parts, strict=True):
            left = power - min(alpha, Fraction(1)) - 1
            if left <= 0:
                return INFINITY
            exponent = (ball(alpha) - self.total) * ratio + growth
            total += count * lower * exponent.exp() / ball(left)
        return total


def seconds_expected(miss: Miss) -> float:
    """Estimate the time at the working precision; inf where the route does not go."""
    return min(_seconds(miss))


def probability(miss: Miss) -> arb:
    """Enclose P(some protected coordinate is below gamma), 0 < gamma, w gamma < 1; NaN if hopeless.

    The parameters have to be between 1e-9 and 1e9, their sum included.
    """
    on_line, on_wedge = _seconds(miss)
    if math.isinf(min(on_line, on_wedge)):
        return arb("nan")
    return probability_on_line(miss) if on_line <= on_wedge else probability_on_wedge(miss)


def _seconds(miss: Miss) -> tuple[float, float]:
    """Estimate the time on the line and on the wedge."""
    return _seconds_of(planned_line, miss), _seconds_of(planned_wedge, miss)


def _seconds_of(planner: Callable[[Miss, int], _Line | Wedge | None], miss: Miss) -> float:
    try:
        plan = planner(miss, ctx.prec)
    except (ArithmeticError, ValueError):  # doubles that overflow on the way
        return math.inf
    return plan.seconds if plan else math.inf
