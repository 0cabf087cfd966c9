"""Several Dirichlet tables when a record is added or removed: gamma pairs, composed exactly.

Each of ``count`` independent tables is dominated by P = Gamma(alpha) against Q = Gamma(alpha +
step), all in the same order. With M(z) = [K^z Gamma(alpha - z step)/Gamma(alpha)]^count and
K = Gamma(alpha + step)/Gamma(alpha), delta is an integral of M on a vertical line, and that of the
other order the same integral of M(-1 - z). The trapezoid rule overestimates such an integral, and
what lies beyond its last node is bounded (proofs_notes/private-models.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from flint import acb, arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.dirichlet.add_remove import delta as delta_of_one
from ...reference.dirichlet.composition.moments import Releases
from ...reference.dirichlet.composition.route import delta_of
from ...reference.precision import check_budget
from .privacy import End

Point = TypeVar("Point", arb, acb)
# What rule and end may add to delta, as a power of two below the delta that is asked about: enough
# for a parameter that is a thousandth off at most. A matter of usefulness.
_BITS_BELOW = 20
_SPARE_BITS = 64
# Steps of the search for the crossing; each leaves two thirds of the interval.
_THIRDS = 32
# How far out of the way from the crossing to the pole the bound on the aliases is taken.
_OUTWARDS = Fraction(7, 8)
# With more nodes the bound by Beta pairs answers, a little above.
_MOST_NODES = 4_000
_MOST_DOUBLINGS = 60


@dataclass(frozen=True)
class _Losses:
    """The privacy loss of all tables together, a record being added, or removed."""

    alpha: Fraction
    step: Fraction
    count: int
    epsilon: Fraction
    removes: bool

    def logarithm(self, point: Point) -> Point:
        """Enclose log M(z) - z epsilon; NaN unless Gamma's argument is certainly off the cut."""
        a, s = ball(self.alpha), ball(self.step)
        turned = -1 - point if self.removes else point
        argument = a - turned * s
        if not (argument.real > 0 or argument.imag > 0 or argument.imag < 0):
            return point * arb("nan")
        rise = (a + s).lgamma() - a.lgamma()
        one = turned * rise + argument.lgamma() - a.lgamma()
        return one * self.count - point * ball(self.epsilon)

    def integrand(self, point: acb) -> arb:
        """Enclose the real part of M(z) e^(-z epsilon)/(z (z + 1))."""
        value = self.logarithm(point).exp() / (point * (point + 1))
        return value.real

    @property
    def far(self) -> Fraction:
        """Where to look for a crossing: up to M's pole, or to where it has long begun to rise."""
        limit = self.alpha / self.step
        return 4 * (1 + limit + self.epsilon / self.step) if self.removes else limit


@dataclass(frozen=True)
class _Rule:
    """A vertical line, and the nodes on it."""

    crossing: arb
    step: arb
    nodes: int


def delta_upper(
    alpha: Fraction, step: Fraction, count: int, epsilon: Fraction, about: Fraction
) -> End:
    """Return a proved upper bound on delta, next to it where delta is near ``about``.

    The larger of both orders, adding and removing. One table has a quantity of its own; where a
    rule would be too long, Beta pairs bound what gamma pairs lose.
    """
    bits = _SPARE_BITS + _BITS_BELOW + about.denominator.bit_length()
    with working_precision(bits):
        if count == 1:
            return enclosure_of(delta_of_one(alpha, step, epsilon)).upper
        kinds = (_Losses(alpha, step, count, epsilon, removes) for removes in (False, True))
        sums = [_upper(losses, about) for losses in kinds]
        if None not in sums:
            return max(found for found in sums if found is not None)
        return enclosure_of(delta_of(Releases.of([(alpha, step, count)]), epsilon)).upper


def _upper(losses: _Losses, about: Fraction) -> End | None:
    """Return the upper end of one order's delta; None where the rule would be too long."""
    rule = _planned(losses, about)
    if rule is None:
        return None
    total = losses.integrand(acb(rule.crossing))
    for j in range(1, rule.nodes + 1):
        check_budget()
        total += 2 * losses.integrand(acb(rule.crossing, j * rule.step))
    height = rule.nodes * rule.step
    end = losses.logarithm(acb(rule.crossing, height)).real.exp() / (arb.pi() * height)
    found = total * rule.step / (2 * arb.pi()) + end
    return min(enclosure_of(found).upper, Fraction(1)) if found.is_finite() else None


def _planned(losses: _Losses, about: Fraction) -> _Rule | None:
    """Choose the line, the step and the last node: a matter of speed and width, not of truth."""
    crossing = ball(_crossing(losses))
    nats = -(ball(about).log()) + _BITS_BELOW * arb(2).log()
    step = _step(losses, crossing, nats)
    if step is None or not step > 0:
        return None
    nodes = 1
    for _ in range(_MOST_DOUBLINGS):
        height = nodes * step
        end = losses.logarithm(acb(crossing, height)).real - (arb.pi() * height).log()
        if end < -nats or nodes > _MOST_NODES:
            break
        nodes *= 2
    return _Rule(crossing, step, nodes) if nodes <= _MOST_NODES else None


def _step(losses: _Losses, crossing: arb, nats: arb) -> arb | None:
    """Return the step at which the aliases on both sides are e^-nats or less."""
    further = (ball(losses.far) - crossing) * ball(_OUTWARDS)
    if losses.removes:
        further = crossing + 1
    excess = losses.logarithm(crossing + further) + nats
    left = 2 * arb.pi() * crossing / nats
    if not excess.is_finite() or not further > 0:
        return None
    right = 2 * arb.pi() * further / excess if excess > 0 else left
    return arb((min(right, left)).mid())


def _crossing(losses: _Losses) -> Fraction:
    """Return about the point of the real axis where the integrand is least."""
    low, high = Fraction(0), losses.far

    def height(place: Fraction) -> float:
        point = ball(place)
        value = losses.logarithm(point) - (point * (point + 1)).log()
        return float(value.mid()) if value.is_finite() else float("inf")

    for _ in range(_THIRDS):
        third = (high - low) / 3
        if height(low + third) < height(high - third):
            high -= third
        else:
            low += third
    return ((low + high) / 2).limit_denominator(1 << 30)
