"""What the trapezoid rule on the line Re s = sigma leaves out, bounded: aliases and the tail.

Everything is relative to e^sigma sigma^-k, and proved in tail-contour.md.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ...arb.balls import INFINITY, ball
from ...arb.gamma import log_beta
from ...precision import check_budget
from .event import Miss
from .laplace import UpperBounds

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
