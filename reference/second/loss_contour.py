"""delta of a composition by the trapezoid rule on a hyperbola, rounded to nearest; not rigorous.

    delta = (1/2 pi i) integral of e^f(z)/(z (z+1)) dz    across the axis between 0 and M's pole,
    1 - delta = minus the same integral                   between -1 and 0.

The contour is z(u) = c + B (cos(phi) (cosh u - 1) + i sin(phi) sinh u). It crosses the axis at the
saddle c, and goes away to the right at the angle phi, where the factor e^(-z epsilon) falls, too;
all further poles of M on that side are on the axis. Shifted by i v in u it goes away at phi + v: no
pole is met and the integrand still falls for angles above 0, if B (1 - cos phi) is at most c's
distance from the pole on the right, and below pi/2 + arctan(pi S/epsilon), S the sum of all steps,
if B is small enough for the pole on the left; phi is half of that. So the trapezoid rule converges
exponentially, and the integrand falls doubly exponentially. The conjugate half is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ..precision import check_budget
from .directed import OutOfReachError
from .loss_moments import Losses, Number
from .loss_saddle import Saddle, saddle
from .nearest import binary_exponent, number, working
from .stirling import Stirling

_NATS_PER_BIT = math.log(2)
_GUARD_BITS, _SEARCH_BITS, _LOOK_BITS = 24, 64, 24
# How one rule and the other share the angle, where they cross the axis in widths of the saddle,
# and how much finer and more precise the other is.
_SHARES, _CROSSINGS = (0.5, 0.46), (0.0, 0.3)
_FINER, _BITS_MORE = 1.3, 16
# Nodes per nat: 1/pi for a Gaussian, reach/(2 pi d) for a strip of half-width d; some are added.
_GAUSSIAN_NODES, _MORE_NODES = 0.33, 1.1
_MOST_NODES = 20_000
# After so many nodes in a row that do not matter the sum ends.
_QUIET_NODES = 3
_MOST_DOUBLINGS, _HALVINGS = 200, 3
# Attempts with ever more nodes; the first is mostly enough.
_ATTEMPTS = 6
_LEAST_GROWTH, _MOST_GROWTH = 1.3, 8.0
_BITS_SPARED = 8


class Chance(NamedTuple):
    """The logarithm of delta, or of 1 - delta, and its derivative in epsilon."""

    logarithm: mpfr
    rate: mpfr


@dataclass(frozen=True)
class _Hyperbola:
    """The contour's crossing, its size B and its angle."""

    crossing: mpfr
    size: float
    angle: float

    def at(self, u: mpfr) -> tuple[mpc, mpc]:
        """Return z(u) and dz/du."""
        sinh, cosh = gmpy2.sinh_cosh(u)
        across = mpfr(self.size * math.cos(self.angle))
        along = mpfr(self.size * math.sin(self.angle))
        # cosh u - 1 without cancellation, for u is small where releases are many.
        risen = sinh * sinh / (cosh + 1)
        point = mpc(self.crossing + across * risen, along * sinh)
        return point, mpc(across * sinh, along * cosh)


class Inversion:
    """delta, or 1 - delta if ``survives``, to about ``bits`` relative bits."""

    def __init__(self, losses: Losses, epsilon: Number, bits: int, survives: bool) -> None:
        self._losses, self._epsilon = losses, epsilon
        self._bits, self._survives = bits, survives
        self._stirlings: dict[int, Stirling] = {}
        self._more = 1.0

    @cached_property
    def _saddle(self) -> Saddle:
        return saddle(self._losses, self._epsilon, self._survives)

    @cached_property
    def _guard(self) -> int:
        """Bits for the exponents' own sizes, and for what the poles next to the saddle take."""
        exponents = self._losses.size + abs(self._saddle.exact * _exactly(self._epsilon)) + 2
        digits = int(exponents).bit_length()
        return _GUARD_BITS + digits + digits.bit_length() + self._saddle.bits_lost

    @cached_property
    def _widest(self) -> float:
        """The largest angle at which the integrand falls."""
        with working(_SEARCH_BITS):
            steps, epsilon = float(number(self._losses.steps)), float(number(self._epsilon))
        return math.pi / 2 + math.atan2(math.pi * steps, epsilon)

    def _contour(self, rule: int) -> _Hyperbola:
        found, angle = self._saddle, _SHARES[rule] * self._widest
        shift = _CROSSINGS[rule] * found.width
        right = (found.to_right - shift) / (1 - math.cos(angle))
        left = (found.to_left + shift) / (math.cos(angle) - math.cos(self._widest))
        with working(found.point.precision):
            return _Hyperbola(found.point + mpfr(shift), min(left, right), angle)

    def two_chances(self) -> tuple[Chance, Chance]:
        """Return the probability by two contours, precisions and numbers of nodes.

        They agree to about ``bits`` bits. Raises OutOfReachError where they do not.
        """
        for _ in range(_ATTEMPTS):
            first, second = self.chance(0), self.chance(1)
            agreed = _agreement(first, second)
            if agreed >= self._bits - _BITS_SPARED:
                return first, second
            growth = 1.1 * self._bits / max(agreed, 1)
            self._more *= min(_MOST_GROWTH, max(_LEAST_GROWTH, growth))
        raise OutOfReachError

    def chance(self, rule: int) -> Chance:
        """Return the probability by one of the two contours alone."""
        contour = self._contour(rule)
        bits = self._bits + self._guard + _BITS_MORE * rule
        reach = self._reach(contour)
        nats = _NATS_PER_BIT * self._bits
        room = min(contour.angle, self._widest - contour.angle)
        nodes = _MORE_NODES * nats * (_GAUSSIAN_NODES + reach / (2 * math.pi * room))
        nodes *= self._more * _FINER**rule
        if nodes > _MOST_NODES:
            raise OutOfReachError
        return self._summed(contour, mpfr(reach / math.ceil(nodes)), bits)

    def _reach(self, contour: _Hyperbola) -> float:
        """Return a u from which on the integrand does not matter."""
        bits = _SEARCH_BITS + self._guard
        with working(bits):
            base = self._exponent(mpc(contour.crossing), bits)

            def is_small(u: float) -> bool:
                value, _ = self._value(contour, mpfr(u), base, bits)
                return binary_exponent(value) < top - self._bits

            top = binary_exponent(self._value(contour, mpfr(0), base, bits)[0])
            low, high = 0.0, min(1.0, self._saddle.width / contour.size)
            for _ in range(_MOST_DOUBLINGS):
                if is_small(high):
                    break
                low, high = high, high * 2
            else:
                raise OutOfReachError
            for _ in range(_HALVINGS):
                middle = (low + high) / 2
                low, high = (low, middle) if is_small(middle) else (middle, high)
            return high

    def _exponent(self, point: mpc, bits: int) -> mpc:
        """Return f; Stirling's series is made once for each precision."""
        if bits not in self._stirlings:
            self._stirlings[bits] = Stirling(bits)
        return self._losses.logarithm(point, self._epsilon, self._stirlings[bits], bits)

    def _value(self, contour: _Hyperbola, u: mpfr, base: mpc, bits: int) -> tuple[mpc, mpc]:
        """Return the integrand over e^base, times dz/du, and that times z."""
        check_budget()
        point, slope = contour.at(u)
        weight = gmpy2.exp(self._exponent(point, bits) - base) * slope / (point + 1)
        return weight / point, weight

    def _summed(self, contour: _Hyperbola, step: mpfr, bits: int) -> Chance:
        with working(bits):
            base = self._exponent(mpc(contour.crossing), bits)
            value, weight = self._value(contour, mpfr(0), base, bits)
            total, other = value.imag / 2, weight.imag / 2
            top, quiet = binary_exponent(value), 0
            for n in range(1, _MOST_NODES):
                value, weight = self._value(contour, n * step, base, bits)
                total, other = total + value.imag, other + weight.imag
                quiet = quiet + 1 if binary_exponent(value) < top - bits else 0
                if quiet == _QUIET_NODES:
                    break
            else:
                raise OutOfReachError
            sign = -1 if self._survives else 1
            if not sign * total > 0:
                raise OutOfReachError
            scale = gmpy2.log(sign * total * step / gmpy2.const_pi())
            return Chance(base.real + scale, -other / total)


def _agreement(first: Chance, second: Chance) -> int:
    """Return how many relative bits two probabilities share."""
    with working(second.logarithm.precision):
        return -binary_exponent(first.logarithm - second.logarithm)


def _exactly(epsilon: Number) -> mpfr:
    with working(_SEARCH_BITS):
        return number(epsilon)


def is_better_survived(losses: Losses, epsilon: Number) -> bool:
    """Whether 1 - delta is the smaller number, by a rough look."""
    found = Inversion(losses, epsilon, _LOOK_BITS, survives=True).chance(0)
    return bool(found.logarithm < -_NATS_PER_BIT)
