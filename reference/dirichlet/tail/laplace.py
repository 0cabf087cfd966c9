"""The transform behind the contours: H(s) = 1 - prod of Q(alpha, gamma s), and what bounds it.

With independent gamma variables g_i of shape a_i and rate s, H(s) is the probability that some
protected g_i is below gamma. Given their sum t it is delta(gamma/t), so

    delta(gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k H(s) ds      (tail-contour.md)

over Re s = sigma > 0, or over any path to the left of it that goes around the negative axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from flint import acb, arb

from ...arb.balls import ball
from ...arb.incomplete_gamma import Expansion
from ...arb.incomplete_gamma_plan import Plan
from .event import Miss


@dataclass(frozen=True)
class Transform:
    """H near one part of a contour, with an expansion of Q for each different parameter."""

    gamma: arb
    log_gamma: arb
    expansions: tuple[tuple[Expansion, int], ...]

    @classmethod
    def of(cls, miss: Miss, plans: tuple[Plan, ...]) -> Transform:
        """Return the transform by the expansions that were planned, at the working precision."""
        gamma = ball(miss.gamma)
        expansions = tuple(
            (Expansion(alpha, plan.kind, int(plan.terms)), count)
            for (alpha, count), plan in zip(miss.groups, plans, strict=True)
        )
        return cls(gamma, gamma.log(), expansions)

    def parts(self, point: acb, logarithm: acb) -> list[tuple[acb, acb, int]]:
        """Enclose P and Q at gamma s for each parameter; ``logarithm`` encloses log s."""
        scaled, shifted = self.gamma * point, self.log_gamma + logarithm
        return [(*part.both(scaled, shifted), count) for part, count in self.expansions]


def probability_of_any(parts: list[tuple[acb, acb, int]]) -> acb:
    """Enclose 1 - prod of Q^count as P_1 + Q_1 P_2 + Q_1 Q_2 P_3 + ...: small P keep their bits."""
    total, none = acb(0), acb(1)
    for lower, upper, count in parts:
        several, power = geometric_sum(upper, count)
        total += none * lower * several
        none *= power
    return total


def geometric_sum(base: acb, count: int) -> tuple[acb, acb]:
    """Enclose 1 + q + ... + q^(count-1) and q^count, in about 2 log2(count) products each."""
    total, power = acb(0), acb(1)
    for bit in f"{count:b}":
        total, power = total * (1 + power), power * power
        if bit == "1":
            total, power = total + power, power * base
    return total, power


class UpperBounds:
    """Bounds on |Q(alpha, z)| e^(Re z), |z| = size, for every parameter of an event.

    |Gamma(a, z)| e^(Re z) is at most Gamma(a, |z|) e^|z| for a >= 1, which is at most
    Gamma(a) e^|z|, and |z|^(a-1)/(1 - (a-1)/|z|); for a <= 1 it is at most |z|^(a-1) if
    Re z > 0, and |Im z|^(a-1) elsewhere. Valid off the negative axis (tail-contour.md).
    """

    def __init__(self, miss: Miss) -> None:
        """Work out what does not depend on z, at the working precision."""
        self._groups = [
            (ball(alpha - 1), ball(alpha).lgamma(), alpha < 1, count)
            for alpha, count in miss.groups
        ]

    def logarithms(self, size: arb, distance: arb) -> list[arb]:
        """Bound the logarithms; distance is |z| if Re z > 0, and |Im z| elsewhere."""
        log_size = size.log()
        return [
            less * distance.log() - log_gamma
            if below_one
            else _log_bound(less, log_gamma, size, log_size)
            for less, log_gamma, below_one, _ in self._groups
        ]

    def log_product(self, size: arb, distance: arb) -> arb:
        """Bound the logarithm of the product over all coordinates."""
        logarithms = self.logarithms(size, distance)
        return sum(
            (count * log for log, (*_, count) in zip(logarithms, self._groups, strict=True)),
            arb(0),
        )


def _log_bound(less: arb, log_gamma: arb, size: arb, log_size: arb) -> arb:
    if not size > less:
        return size
    return size.min(less * log_size - log_gamma - (1 - less / size).log())


def bits_for_logarithms(total: float, loss: float) -> int:
    """Return how many bits exponents of size k log k take, and a sum that loses so many nats."""
    return int(math.log2(total + 2) + math.log2(math.log(total + 3) + 2) + loss / math.log(2)) + 20
