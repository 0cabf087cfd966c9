"""delta and epsilon of composed pairs by another contour than the first engine's; not rigorous.

A vertical line, or a hyperbola that leans to the right, on which the trapezoid rule has steps that
grow with the distance; two rules with another crossing, lean, number of nodes and precision, in
MPC, rounded to nearest.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Protocol

import gmpy2
import numpy as np
from gmpy2 import mpc, mpfr

from ..enclosure import Enclosure, Trilean
from ..precision import check_budget, end_the_climb
from .directed import OutOfReachError
from .nearest import as_fraction, binary_exponent, number, widened, working
from .trapezoid import two_that_agree

GUARD_BITS, SPARED_BITS, _BITS_MORE = 40, 10, 16
NATS_PER_BIT = math.log(2)
# How one rule and the other lean, cross the axis, and are finer.
_LEANS, _CROSSINGS, FINER = (0.07, 0.05), (0.0, 0.25), (1.0, 1.25)
_STRIP, _SPARE_NATS = 0.5, 6.0
# A precision has so many bits more than the digits need that it is chosen for.
FIRST_BITS, MORE_THAN_ASKED = 32, 40
# Products at so few bits that take some seconds.
_MOST_PRODUCTS, _FEW_BITS = 250_000, 200
# At twice the bits even the shortest rule takes so many times as long: nodes, points and bits are
# twice as many each.
_NEXT_RUNG = 8
# What is too long by less than this is tried.
_NEARLY = 0.9
_QUIET, _NO_EXPONENT = 4, -(1 << 62)
# Saddles are sought in doubles, which hold the fourth powers of such sizes.
LARGEST = 10**70
_MOST_NEWTON = 60
_CLOSE, _LEAST_EPSILON, _TINY = 1e-3, 1e-9, Fraction(1, 10**300)


class Moments(Protocol):
    """The moment function M of all losses together, in one order."""

    @property
    def count(self) -> int:
        """How many losses are added, for the bits that their powers take."""

    def leans(self, epsilon: float) -> bool:
        """Whether M e^(-z epsilon) stays small on a contour that leans to the right."""

    def log_moment(self, crossing: float) -> float:
        """Return about log M at a real point; infinite where it has none."""

    def moment(self, crossing: float, bits: int, which: int) -> tuple[Callable[[mpc], mpc], int]:
        """Return M on and above the real axis near a crossing, and the products that it takes."""

    def envelope(self, crossing: float, bits: int, which: int) -> Callable[[mpc], mpc] | None:
        """Return what is at least about the size of M up the contour, where M rises again.

        None where it does not: then it tells by itself that what follows is small.
        """


def saddle_of(log_moment: Callable[[float], float], epsilon: float) -> tuple[float, float, float]:
    """Return the saddle of e^(log M - z epsilon)/(z (z + 1)), its width, and about log delta."""

    def height(c: float) -> float:
        return log_moment(c) - c * epsilon - math.log(c) - math.log1p(c)

    low, high = math.log(1e-9), math.log(1e7)
    for _ in range(4):
        grid = np.linspace(low, high, 25)
        values = [height(math.exp(each)) for each in grid]
        if not any(math.isfinite(each) for each in values):
            raise OutOfReachError
        at = int(np.nanargmin(values))
        low, high = float(grid[max(at - 1, 0)]), float(grid[min(at + 1, 24)])
    c, near = math.exp(float(grid[at])), 1e-3
    bend = (height(c * (1 + near)) - 2 * height(c) + height(c * (1 - near))) / (near * c) ** 2
    if not 0 < bend < math.inf:
        raise OutOfReachError
    return c, 1 / math.sqrt(bend), min(height(c) - math.log(2 * math.pi * bend) / 2, 0.0)


class _TooLongError(OutOfReachError):
    """A rule has more nodes, or more points, than some seconds are enough for."""


def require_reach(products: float, bits: int) -> None:
    """Raise _TooLongError where so many products at this precision would take too long."""
    if not products * bits <= _MOST_PRODUCTS * _FEW_BITS:
        raise _TooLongError


class Rule:
    """The nodes of one rule on z(u) = c + B (sin k (cosh u - 1) + i cos k sinh u), with moments.

    The contour leans to the right by so little that on Im t = b > 0 |w^z| stays bounded along it;
    steps in u grow with the distance. It answers for every epsilon near the planned.
    """

    def __init__(self, order: Moments, epsilon: float, bits: int, which: int, more: float) -> None:
        self._order = order
        saddle, width, log_delta = saddle_of(order.log_moment, epsilon)
        self._crossing = saddle + _CROSSINGS[which] * width
        rise = order.log_moment(self._crossing) - self._crossing * epsilon - log_delta
        self.bits = bits + GUARD_BITS + _BITS_MORE * which + 2 * order.count.bit_length()
        self.bits += max(math.ceil(rise / NATS_PER_BIT), 0)
        self._scale = min(2 * width, saddle)
        self._lean = _LEANS[which] if order.leans(epsilon) else 0.0
        nats = bits * NATS_PER_BIT
        self._step = 2 * math.pi * _STRIP / (nats + _SPARE_NATS) / (more * FINER[which])
        with working(self.bits):
            self._nodes = self._summands(mpfr(epsilon), which)

    def _summands(self, epsilon: mpfr, which: int) -> list[tuple[mpc, mpc]]:
        """Return z and M/(z (z + 1)) dz/du at every node that matters at this epsilon."""
        moment, products = self._order.moment(self._crossing, self.bits, which)
        envelope = self._order.envelope(self._crossing, self.bits, which)
        nodes: list[tuple[mpc, mpc]] = []
        quiet, top = 0, _NO_EXPONENT
        while quiet < _QUIET:
            require_reach((len(nodes) + 1) * products, self.bits)
            check_budget()
            z, slope = self._place(mpfr(self._step) * len(nodes))
            front = slope / (z * (z + 1))
            value = moment(z) * front
            nodes.append((z, value))
            shown = value if envelope is None else envelope(z) * front
            size = binary_exponent(shown * gmpy2.exp(-z * epsilon))
            top, quiet = max(top, size), quiet + 1 if size < top - self.bits + _BITS_MORE else 0
        self.products = len(nodes) * products
        return nodes

    def _place(self, u: mpfr) -> tuple[mpc, mpc]:
        """Return z(u) and dz/du."""
        sinh, cosh = gmpy2.sinh_cosh(u)
        right, up = (
            mpfr(self._scale * part) for part in (math.sin(self._lean), math.cos(self._lean))
        )
        return mpc(self._crossing + right * (cosh - 1), up * sinh), mpc(right * sinh, up * cosh)

    def at(self, epsilon: mpfr) -> tuple[mpfr, mpfr]:
        """Return delta and its derivative in epsilon."""
        delta, slope = mpfr(0), mpfr(0)
        for j, (z, value) in enumerate(self._nodes):
            term = value * gmpy2.exp(-z * epsilon) / (2 if j == 0 else 1)
            delta, slope = delta + term.imag, slope - (z * term).imag
        front = mpfr(self._step) / gmpy2.const_pi()
        return delta * front, slope * front


def two_rules(bits: int, order: Moments, epsilon: float) -> tuple[Rule, Rule]:
    """Return two rules whose deltas agree to about ``bits`` bits.

    A climb ends where not even the shortest one is within reach: more bits would not help.
    """
    # Products and bits of each rule, as if it had its usual number of nodes.
    usual: dict[int, tuple[float, int]] = {}

    def rule(which: int, more: float) -> Rule:
        try:
            if which in usual:  # it has about so many times as many nodes
                products, bits_of_rule = usual[which]
                require_reach(_NEARLY * more * products, bits_of_rule)
            found = Rule(order, epsilon, bits, which, more)
        except _TooLongError:
            if more <= _NEXT_RUNG:
                end_the_climb("a rule would take too long, and longer at more bits")
            raise
        usual[which] = found.products / more, found.bits
        return found

    def shared(first: Rule, second: Rule) -> int:
        with working(second.bits):
            one, other = (each.at(mpfr(epsilon))[0] for each in (first, second))
            return binary_exponent(one) - binary_exponent(one - other)

    return two_that_agree(rule, shared, bits)


def larger(found: list[Enclosure]) -> Enclosure:
    """Return the larger of some numbers, enclosed."""
    return Enclosure(max(each.low for each in found), max(each.high for each in found))


def estimate(bits: int, order: Moments, epsilon: Fraction) -> Enclosure:
    """Return the hull of two rules' deltas, widened."""
    if epsilon > LARGEST:
        raise OutOfReachError
    found, bits = [], max(bits - MORE_THAN_ASKED, FIRST_BITS)
    for rule in two_rules(bits, order, float(epsilon)):
        with working(rule.bits):
            found.append(rule.at(number(epsilon))[0])
    return widened(found[0], found[1], bits - SPARED_BITS, Fraction(1))


def root(bits: int, order: Moments, delta: Fraction) -> Enclosure:
    """Return the hull of two rules' epsilons, widened."""
    found, bits = [], max(bits - MORE_THAN_ASKED, FIRST_BITS)
    about = epsilon_about(order, delta)
    for rule in two_rules(bits, order, about):
        with working(rule.bits):
            target, here = gmpy2.log(number(delta)), mpfr(about)
            for _ in range(_MOST_NEWTON):
                value, slope = rule.at(here)
                if not value > 0:
                    raise OutOfReachError
                moved = max(here - (gmpy2.log(value) - target) * value / slope, here / 4)
                close = binary_exponent(moved - here) < binary_exponent(here) - bits - 4
                here = moved
                if close:
                    break
            else:
                raise OutOfReachError
            found.append(here)
    limit = 4 * max(as_fraction(each) for each in found)
    return widened(found[0], found[1], bits - SPARED_BITS, limit)


def is_reached_at_zero(bits: int, order: Moments, delta: Fraction) -> bool:
    """Whether delta at epsilon 0 is below the target. Raises OutOfReachError: it is close."""
    for precision in (FIRST_BITS, bits):
        is_above = estimate(precision, order, Fraction(0)).is_above(delta)
        if is_above is not Trilean.UNKNOWN:
            return is_above is Trilean.FALSE
    raise OutOfReachError


def epsilon_about(order: Moments, delta: Fraction) -> float:
    """Return about the epsilon of a delta, by Newton's method on the saddle's estimate."""
    epsilon, target = 1.0, math.log(delta) if delta > _TINY else -1e6
    for _ in range(_MOST_NEWTON):
        crossing, _, log_delta = saddle_of(order.log_moment, epsilon)
        moved = max(epsilon + (log_delta - target) / crossing, epsilon / 16)
        if abs(log_delta - target) < _CLOSE or epsilon < _LEAST_EPSILON:
            break
        epsilon = moved
    return epsilon
