"""delta of a composition by the trapezoid rule on a hyperbola, rounded to nearest; not rigorous.

    delta = (1/2 pi i) integral of e^f(z)/(z (z+1)) dz    across the axis between 0 and M's pole,
    1 - delta = minus the same integral                   between -1 and 0.

The contour is z(u) = c + B (cos(phi) (cosh u - 1) + i sin(phi) sinh u). It crosses the axis at the
saddle c, and goes away to the right at the angle phi, where the factor e^(-z epsilon) falls, too;
all further poles of M on that side are on the axis. Shifted by i v in u it goes away at phi + v: no
pole is met and the integrand still falls for angles above 0, if B (1 - cos phi) is at most c's
distance from the pole on the right, and below pi/2 + arctan(pi S/epsilon), S the sum of all steps,
if B is small enough for the pole on the left; phi is half of that, or more where M is Gaussian. So
the trapezoid rule converges exponentially, and the integrand falls doubly exponentially. The
conjugate half is left out.

Where the integrand e^f/|z (z+1)| of a composition is least on the axis between two poles.

There f' - 1/z - 1/(1+z), which increases, is 0. It only decides where a contour crosses the axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ....precision import check_budget
from ... import trapezoid
from ...directed import OutOfReachError
from ...nearest import Stirling, binary_exponent, number, working
from .moments import Losses, Number

_GUARD_BITS, _SEARCH_BITS, _LOOK_BITS = 24, 64, 24
# How one rule and the other share the angle, and where they cross the axis in widths of the saddle.
_SHARES, _CROSSINGS = (0.5, 0.46), (0.0, 0.3)
# While M looks like e^(z^2), so many widths from the saddle on, it falls beyond an angle of pi/4
# only: there the contour is steeper, if it would not be steep enough.
_STEEP_SHARES, _STEEP_ENOUGH, _GAUSSIAN_WIDTHS = (0.75, 0.71), math.pi / 3, 8
# Nodes per nat: 1/pi for a Gaussian, reach/(2 pi d) for a strip of half-width d; some are added.
_GAUSSIAN_NODES, _MORE_NODES = 0.33, 1.1


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

    @cached_property
    def _saddle(self) -> _Saddle:
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

    def _angle(self, rule: int) -> float:
        angle = _SHARES[rule] * self._widest
        with working(_SEARCH_BITS):
            to_pole = float(number(self._losses.limit) - self._saddle.exact)
        if angle > _STEEP_ENOUGH or to_pole < _GAUSSIAN_WIDTHS * self._saddle.width:
            return angle
        return _STEEP_SHARES[rule] * self._widest

    def _contour(self, rule: int) -> _Hyperbola:
        found, angle = self._saddle, self._angle(rule)
        shift = _CROSSINGS[rule] * found.width
        right = (found.to_right - shift) / (1 - math.cos(angle))
        left = (found.to_left + shift) / (math.cos(angle) - math.cos(self._widest))
        with working(found.point.precision):
            return _Hyperbola(found.point + mpfr(shift), min(left, right), angle)

    def two_chances(self) -> tuple[Chance, Chance]:
        """Return the probability by two contours, precisions and numbers of nodes.

        They agree to about ``bits`` bits. Raises OutOfReachError where they do not.
        """
        return trapezoid.two_that_agree(self.chance, _agreement, self._bits)

    def chance(self, which: int, more: float = 1.0) -> Chance:
        """Return the probability by one of the two contours, with so many times the nodes."""
        contour = self._contour(which)
        bits = self._bits + self._guard + trapezoid.BITS_MORE * which
        length = self._reach(contour)
        room = min(contour.angle, self._widest - contour.angle)
        nodes = _MORE_NODES * trapezoid.NATS_PER_BIT * self._bits
        nodes *= _GAUSSIAN_NODES + length / (2 * math.pi * room)
        return self._summed(
            contour, trapezoid.step_for(length, nodes * more * trapezoid.FINER**which), bits
        )

    def _reach(self, contour: _Hyperbola) -> float:
        """Return a u from which on the integrand does not matter."""
        bits = _SEARCH_BITS + self._guard
        start = min(1.0, self._saddle.width / contour.size)
        with working(bits):
            base = self._exponent(mpc(contour.crossing), bits)
            return trapezoid.reach(lambda u: self._value(contour, u, base, bits), start, self._bits)

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
        sums = trapezoid.sums_until_quiet(lambda u: self._value(contour, u, base, bits), step, bits)
        with working(bits):
            part = -sums.total if self._survives else sums.total
            if not part > 0:
                raise trapezoid.TooFewNodesError
            scale = gmpy2.log(part * step / gmpy2.const_pi())
            return Chance(base.real + scale, -sums.companion / sums.total)


def _agreement(first: Chance, second: Chance) -> int:
    """Return how many relative bits two probabilities share."""
    with working(second.logarithm.precision):
        return -binary_exponent(first.logarithm - second.logarithm)


def _exactly(epsilon: Number) -> mpfr:
    with working(_SEARCH_BITS):
        return number(epsilon)


def is_better_survived(losses: Losses, epsilon: Number) -> bool:
    """Whether 1 - delta is the smaller number, by a rough look; not above the mean loss."""
    with working(4 * _SEARCH_BITS):
        if losses.slope(mpfr(0), epsilon) <= 0:
            return False
    found = Inversion(losses, epsilon, _LOOK_BITS, survives=True).chance(0)
    return bool(found.logarithm < -trapezoid.NATS_PER_BIT)


_SADDLE_BITS = 64
# A logit beyond this has no double's exponent.
_MOST_LOGIT = 700.0
_MOST_PROBES = 200
_BISECTED_EVERY = 3
# The saddle is found to this part of its width.
_CLOSE_ENOUGH = 0.1
_BITS_PER_NAT = 1.4427


@dataclass(frozen=True)
class _Saddle:
    """The point, its width (curvature to the power -1/2), and the distances of the two poles."""

    point: mpfr
    width: float
    to_left: float
    to_right: float
    bits_lost: int

    @property
    def exact(self) -> mpfr:
        """The point to few bits."""
        with working(_SADDLE_BITS):
            return +self.point


def saddle(losses: Losses, epsilon: Number, survives: bool) -> _Saddle:
    """Return the saddle between 0 and M's pole, or between -1 and 0 if ``survives``."""
    search = _Search(losses, epsilon, survives)
    low, high = search.outward()
    return search.inward(low, high)


class _Search:
    """Points of the strip by their logit: c = limit t/(1+t), or -1/(1+t), t = e^logit."""

    def __init__(self, losses: Losses, epsilon: Number, survives: bool) -> None:
        self._losses, self._epsilon, self._survives = losses, epsilon, survives
        limit = losses.limit + 1
        lost = abs(limit.numerator.bit_length() - limit.denominator.bit_length())
        self._lost = 2 * lost + _bits_of(epsilon)

    def _bits(self, logit: float) -> int:
        return _SADDLE_BITS + self._lost + int(2 * _BITS_PER_NAT * abs(logit))

    def _place(self, logit: float) -> tuple[mpfr, mpfr, mpfr]:
        """Return the point and its distances from the poles, in the context."""
        odds = gmpy2.exp(mpfr(logit))
        whole = mpfr(1) if self._survives else number(self._losses.limit)
        left, right = whole * odds / (1 + odds), whole / (1 + odds)
        return (-right if self._survives else left), left, right

    def pull(self, logit: float) -> float:
        """Return the derivative of the integrand's logarithm."""
        with working(self._bits(logit)):
            point, _, _ = self._place(logit)
            poles = 1 / point + 1 / (1 + point)
            return float(self._losses.slope(point, self._epsilon) - poles)

    def outward(self) -> tuple[float, float]:
        """Return two logits between which it changes its sign."""
        low = high = 0.0
        up, size = self.pull(0.0) < 0, 1.0
        while size < _MOST_LOGIT:
            logit = size if up else -size
            if (self.pull(logit) < 0) != up:
                return (low, logit) if up else (logit, high)
            low = high = logit
            size *= 2
        raise OutOfReachError

    def inward(self, low: float, high: float) -> _Saddle:
        """Return the saddle between two logits: regula falsi and bisection."""
        left, right = self.pull(low), self.pull(high)
        for probe in range(_MOST_PROBES):
            share = left / (left - right) if probe % _BISECTED_EVERY else 0.5
            middle = low + (high - low) * min(max(share, 0.01), 0.99)
            value = self.pull(middle)
            low, left, high, right = (
                (middle, value, high, right) if value < 0 else (low, left, middle, value)
            )
            found = self._found(middle)
            if abs(value) * found.width < _CLOSE_ENOUGH:
                return found
        return found

    def _found(self, logit: float) -> _Saddle:
        bits = self._bits(logit)
        with working(bits):
            point, left, right = self._place(logit)
            curvature = self._losses.curvature(point)
            curvature += float(1 / point**2 + 1 / (1 + point) ** 2)
            width = 1 / math.sqrt(curvature)
            return _Saddle(point, width, float(left), float(right), bits - _SADDLE_BITS)


def _bits_of(epsilon: Number) -> int:
    size = epsilon if isinstance(epsilon, Fraction) else Fraction(float(epsilon))
    return int(abs(size)).bit_length()
