"""The transform behind the contours, H(s) = 1 - prod of Q(alpha, gamma s): bounds and saddle.

With independent gamma variables g_i of shape a_i and rate s, H(s) is the probability that some
protected g_i is below gamma. Given their sum t it is delta(gamma/t), so

    delta(gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k H(s) ds      (tail-contour.md)

over Re s = sigma > 0, or over any path to the left of it that goes around the negative axis.

The contours cross the real axis at the saddle of the integrand, in plain doubles: a matter of speed
alone. Any positive crossing gives a true enclosure; at the saddle the integrand is largest on the
line and falls fastest along it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb

from ...arb.balls import ball
from ...arb.incomplete_gamma import Expansion, Plan
from ...precision import check_budget
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


# Parameters outside this range are left to the other routes: doubles do not tell the saddle there.
_SMALLEST, _LARGEST = Fraction(1, 10**9), 10**9
# The saddle need be known to a small part of the integrand's width, 1/sqrt(k) in logarithms.
_PART_OF_WIDTH = 0.05
# Where the methods below have not settled by then, what they have is good enough.
_MOST_STEPS, _MOST_TERMS = 60, 1_000_000
_DOUBLE = 2.0**-53


@dataclass(frozen=True)
class Doubles:
    """An event's parameters as doubles; gamma as a logarithm, since it may underflow."""

    groups: tuple[tuple[float, int], ...]
    rest: float
    total: float
    log_gamma: float

    @classmethod
    def of(cls, miss: Miss) -> Doubles | None:
        """Return the parameters as doubles, or None where doubles are not enough."""
        smallest = min(alpha for alpha, _ in miss.groups)
        if smallest < _SMALLEST or miss.total > _LARGEST:
            return None
        groups = tuple((float(alpha), count) for alpha, count in miss.groups)
        size = math.log(miss.gamma.numerator) - math.log(miss.gamma.denominator)
        return cls(groups, float(miss.rest), float(miss.total), size)

    def point(self, crossing: float) -> float:
        """Return gamma times the crossing."""
        return math.exp(self.log_gamma + math.log(crossing))


def log_transform(event: Doubles, crossing: float) -> tuple[float, float]:
    """Estimate log H and s H'/H at s, H(s) = 1 - prod of Q(alpha, gamma s)."""
    log_point = event.log_gamma + math.log(crossing)
    parts = [(_logarithms(alpha, log_point), count) for alpha, count in event.groups]
    log_all = sum(count * log_q for (_, log_q, _), count in parts)
    log_slope = _log_sum(
        [math.log(count) + density + log_all - log_q for (_, log_q, density), count in parts]
    )
    before, missed = 0.0, []
    for (log_p, log_q, _), count in parts:
        missed.append(before + _log_any(log_p, log_q, count))
        before += count * log_q
    value = _log_sum(missed)
    return value, math.exp(min(log_slope - value, 700.0))


def log_lower_parts(event: Doubles, crossing: float) -> list[float]:
    """Estimate log P(alpha, gamma s) for each different parameter."""
    log_point = event.log_gamma + math.log(crossing)
    return [_logarithms(alpha, log_point)[0] for alpha, _ in event.groups]


def _log_any(log_p: float, log_q: float, count: int) -> float:
    """Return log(1 - q^count), accurate where p = 1 - q is tiny."""
    if count * math.exp(log_p) < _DOUBLE:
        return math.log(count) + log_p
    return math.log(max(-math.expm1(count * log_q), 5e-324))


def _log_sum(logarithms: list[float]) -> float:
    top = max(logarithms)
    return top + math.log(math.fsum(math.exp(x - top) for x in logarithms))


def _logarithms(alpha: float, log_point: float) -> tuple[float, float, float]:
    """Estimate log P(a, x), log Q(a, x) and log of x dP/dx."""
    check_budget()
    point = math.exp(min(log_point, 700.0))
    density = alpha * log_point - point - math.lgamma(alpha)
    if point <= alpha + 1:
        log_p = min(density - math.log(alpha) + math.log(_rising_sum(alpha, point)), -_DOUBLE)
        return log_p, math.log(max(-math.expm1(log_p), 5e-324)), density
    log_q = min(density + math.log(_upper_fraction(alpha, point)), -1e-300)
    return math.log1p(-math.exp(log_q)), log_q, density


def _rising_sum(alpha: float, point: float) -> float:
    term = total = 1.0
    while term > _DOUBLE * total:
        alpha += 1
        term *= point / alpha
        total += term
    return total


def _upper_fraction(alpha: float, point: float) -> float:
    """Evaluate Gamma(a, x) x^-a e^x by Lentz's method, x > a + 1 (DLMF 8.9.2)."""
    b, c = point + 1 - alpha, 1e300
    value = d = 1 / b
    for n in range(1, _MOST_TERMS):
        factor = -n * (n - alpha)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        value *= d * c
        if abs(d * c - 1) < 4 * _DOUBLE:
            break
    return value


def saddle(event: Doubles) -> float:
    """Return about the least value of e^s s^-k H(s) on s > 0, the only stationary point there.

    s - k + s H'/H increases through 0; its zero is below k, since H increases.
    """

    def slope(logarithm: float) -> float:
        crossing = math.exp(logarithm)
        return crossing - event.total + log_transform(event, crossing)[1]

    high = math.log(event.total)
    low, step = high, 0.05
    at_high = slope(high)
    while (at_low := slope(low)) > 0 and low > high - 100:
        high, at_high = low, at_low
        low, step = low - step, 2 * step
    return math.exp(_zero(slope, (low, at_low), (high, at_high), event.total))


def _zero(
    slope: Callable[[float], float],
    below: tuple[float, float],
    above: tuple[float, float],
    total: float,
) -> float:
    """Find the zero between two points of opposite sign by the Illinois method."""
    (low, at_low), (high, at_high) = below, above
    for _ in range(_MOST_STEPS):
        if high - low < _PART_OF_WIDTH / math.sqrt(total + 1) or at_high <= at_low:
            break
        middle = high - at_high * (high - low) / (at_high - at_low)
        at_middle = slope(middle)
        if abs(at_middle) < _PART_OF_WIDTH * math.sqrt(total):
            return middle
        if at_middle > 0:
            high, at_high, at_low = middle, at_middle, at_low / 2
        else:
            low, at_low, at_high = middle, at_middle, at_high / 2
    return (low + high) / 2
