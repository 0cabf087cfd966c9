"""The inversion of the Laplace transform below by the trapezoid rule on a hyperbola.

The contour is s(u) = sigma + r (1 - cosh u) + i r sinh u. It passes through the integrand's saddle
sigma on the real axis, and r = 3 sigma/2 gives it there the curvature of the path of steepest
descent of e^s s^-k. Far out the integrand falls like e^((1 - w gamma) Re s), doubly exponentially
in u; so the trapezoid rule converges exponentially, for small and large k. The conjugate half is
left out. Rounded to nearest; not rigorous.

The integrand whose Laplace inversion is the chance of missing a good set, or of meeting it.

For x ~ Dirichlet(a_1, ..., a_w, rest), k the sum of all parameters, and a contour from
e^(-i pi) infinity to e^(i pi) infinity around the origin,

    P(some x_i < gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k (1 - prod Q(a_i, gamma s)) ds,
    P(all x_i >= gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k prod Q(a_i, gamma s) ds.

On the positive axis either integrand has one minimum: s^-k F(s) is the Laplace transform of a
positive function, whose logarithm is convex. Rounded to nearest; not rigorous.
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
from ...nearest import binary_exponent, bits_agreed, log_gamma, number, working
from .shares import Draw, Shares

# Closer to w gamma = 1 than this the integral for P has two scales, and that for 1 - P is the
# better one even if it hides so many bits of P.
NARROW_SLACK = Fraction(1, 1 << 10)
BITS_HIDDEN = 32

# What some hundred nodes lose; the exponents' own sizes are added to it.
_GUARD_BITS = 24
# A sum that loses more than this is taken again at a higher precision.
_BITS_TO_LOSE = 12
# A saddle closer to the origin than this part of the precision in nats is passed further out.
_LEAST_SADDLE = 0.03
# r/sigma of one contour and of the other.
_RADII = (1.5, 1.3)
# Nodes per nat of precision: 1/pi on the steepest path of a Gaussian, some 0.9 on a hyperbola far
# from one, measured for k below 15.
_NODES_PER_NAT = 0.4
_MORE_NODES, _SMALL_SIZE = 1.3, 15.0


class Chance(NamedTuple):
    """A probability P, and |gamma dP/dgamma| / P."""

    value: mpfr
    elasticity: mpfr


class Inversion:
    """The integral over contours through the saddle, to about ``bits`` bits."""

    def __init__(self, integrand: Integrand, bits: int) -> None:
        self._integrand, self._bits = integrand, bits
        small = 1 / (1 + integrand.size / _SMALL_SIZE)
        self._nodes = _NODES_PER_NAT * (1 + _MORE_NODES * small) * trapezoid.NATS_PER_BIT * bits

    def two_chances(self) -> tuple[Chance, Chance]:
        """Return the probability by two contours, precisions and numbers of nodes.

        They agree to about ``bits`` bits. Raises OutOfReachError where they do not.
        """

        def agreement(first: Chance, second: Chance) -> int:
            return bits_agreed(first.value, second.value)

        return trapezoid.two_that_agree(self._chance, agreement, self._bits)

    def rough_chance(self) -> Chance:
        """Return the probability by one contour alone."""
        return self._chance(0, 1.0)

    @cached_property
    def _saddle(self) -> float:
        return self._integrand.saddle(_LEAST_SADDLE * trapezoid.NATS_PER_BIT * self._bits)

    @cached_property
    def _guard(self) -> int:
        """Bits for the exponents, and for the sum's roundings."""
        sizes = self._saddle + self._integrand.size * abs(math.log2(self._saddle))
        return _GUARD_BITS + max(self._integrand.bits_of_exponents, int(math.log2(2 + sizes)))

    def _chance(self, which: int, more: float) -> Chance:
        """Return the probability by one of the two contours, with so many times the nodes."""
        radius, nodes = _RADII[which], self._nodes * more * trapezoid.FINER**which
        bits = self._bits + self._guard + trapezoid.BITS_MORE * which
        step = trapezoid.step_for(self._reach(radius), nodes)
        found, lost = self._summed(radius, step, bits)
        if lost > _BITS_TO_LOSE:
            found, _ = self._summed(radius, step, bits + lost)
        return found

    def _reach(self, radius: float) -> float:
        """Return a u from which on the integrand does not matter."""
        bits = self._integrand.search_bits
        start = 1 / math.sqrt(self._integrand.size + 1)
        with working(bits):
            return trapezoid.reach(lambda u: self._values(u, radius, bits), start, self._bits)

    def _values(self, u: mpfr, radius: float, bits: int) -> tuple[mpc, mpc]:
        """Return the integrand and its companion at s(u), times ds/du."""
        check_budget()
        saddle, away = mpfr(self._saddle), mpfr(radius * self._saddle)
        sinh, cosh = gmpy2.sinh_cosh(u)
        point = mpc(saddle + away - away * cosh, away * sinh)
        slope = mpc(-away * sinh, away * cosh)
        value, companion = self._integrand.values(point, saddle, bits)
        return value * slope, companion * slope

    def _summed(self, radius: float, step: mpfr, bits: int) -> tuple[Chance, int]:
        """Return the trapezoid sum, and how many bits it lost to cancellation."""
        sums = trapezoid.sums_until_quiet(lambda u: self._values(u, radius, bits), step, bits)
        with working(bits):
            value = self._front(bits) * step * sums.total
            lost = sums.top - binary_exponent(sums.total)
            return Chance(value, sums.companion / sums.total), lost

    def _front(self, bits: int) -> mpfr:
        """Return Gamma(k)/pi times the exponential at the saddle."""
        saddle, k = mpfr(self._saddle), self._integrand.draw.total
        exponent = self._integrand.rate() * saddle - number(k) * gmpy2.log(saddle)
        return gmpy2.exp(log_gamma(k, bits) + exponent) / gmpy2.const_pi()


_SEARCH_BITS = 64
# The saddle is found to this part of its width, in so many steps at most.
_SADDLE_WIDTH = 0.02
_MOST_PROBES = 80
_BISECTED_EVERY = 3


@dataclass(frozen=True)
class Threshold:
    """gamma, and 1 - w gamma, which need not be what rounding leaves of it."""

    gamma: Fraction | mpfr
    slack: Fraction | mpfr

    @classmethod
    def at(cls, gamma: Fraction, draw: Draw) -> Threshold:
        """Return the exact threshold, w gamma < 1."""
        return cls(gamma, 1 - draw.count * gamma)


class Integrand:
    """e^s s^-k (1 - prod Q), or e^s s^-k prod Q for the chance that all ``survive``."""

    def __init__(self, draw: Draw, threshold: Threshold, survive: bool) -> None:
        self.draw, self.threshold, self.survive = draw, threshold, survive
        self.size = float(draw.total)
        self.slack = float(threshold.slack)
        if self.slack <= 0:
            raise OutOfReachError
        # Without the factor e^(w z) the exponents e^s and e^(-w z) nearly cancel.
        cancelling = 0 if survive else -math.log2(self.slack)
        self.search_bits = _SEARCH_BITS + int(cancelling)

    @cached_property
    def bits_of_exponents(self) -> int:
        """How many bits the integrand's exponents have before the binary point, at the saddle."""
        with working(_SEARCH_BITS):
            below = abs(float(gmpy2.log2(number(self.threshold.gamma))))
        return int(math.log2(2 + self.size * (1 + below)))

    def values(self, point: mpc, saddle: mpfr, bits: int) -> tuple[mpc, mpc]:
        """Return the integrand over its exponential at the saddle, and that with z dF/dz for F.

        F is 1 - prod Q or prod Q; the sign of its derivative is left out.
        """
        found = self._shares(point, bits)
        way, rate = point - saddle, self.rate()
        weight = gmpy2.exp(rate * way - number(self.draw.total) * gmpy2.log(point / saddle))
        chance = found.upper if self.survive else found.lower
        return weight * chance, weight * found.density

    def rate(self) -> mpfr:
        """Return the exponent's factor of s: a scaled prod Q has e^(w gamma s) in it."""
        return number(self.threshold.slack) if self.survive else mpfr(1)

    def _shares(self, point: mpc, bits: int) -> Shares:
        return self.draw.shares(number(self.threshold.gamma) * point, bits, self.survive)

    def saddle(self, least: float) -> float:
        """Return the minimum on the positive axis, or ``least`` if that is further right.

        At the minimum sigma - k + z F'/F = 0, z = gamma sigma; 0 < z F'/F for F = 1 - prod Q, and
        -z F'/F < w z + sum of (1 - a_i)+ for F = prod Q.
        """
        low, high = least, self.size
        if self.survive:
            groups = self.draw.groups.items()
            spare = sum(count * max(0.0, 1 - float(alpha)) for alpha, count in groups)
            low = max(self.size, least / self.slack)
            high = (self.size + spare) / self.slack
        return self._where_it_turns(low, high) if low < high else low

    def _where_it_turns(self, low: float, high: float) -> float:
        """Return where the pull changes sign; regula falsi by the Illinois rule, and bisection."""
        left, right = self._pull(low), self._pull(high)
        if left >= 0:
            return low
        width, side = _SADDLE_WIDTH / math.sqrt(self.size + 1), 0
        for probe in range(_MOST_PROBES):
            if high - low <= width * low:
                break
            by_value = right > left and probe % _BISECTED_EVERY
            middle = low + (high - low) * (left / (left - right) if by_value else 0.5)
            value = self._pull(middle)
            if value < 0:
                right = right / 2 if side < 0 else right
                low, left, side = middle, value, -1
            else:
                left = left / 2 if side > 0 else left
                high, right, side = middle, value, 1
        return (low + high) / 2

    def _pull(self, sigma: float) -> float:
        """Return sigma times the derivative of log(e^sigma sigma^-k F(gamma sigma))."""
        with working(self.search_bits):
            found = self._shares(mpc(sigma), self.search_bits)
            whole = -found.upper if self.survive else found.lower
            return float(mpfr(sigma) - number(self.draw.total) + (found.density / whole).real)
