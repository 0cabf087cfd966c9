"""The inversion of the Laplace transform in ``integrand`` by the trapezoid rule on a hyperbola.

The contour is s(u) = sigma + r (1 - cosh u) + i r sinh u. It passes through the integrand's saddle
sigma on the real axis, and r = 3 sigma/2 gives it there the curvature of the path of steepest
descent of e^s s^-k. Far out the integrand falls like e^((1 - w gamma) Re s), doubly exponentially
in u; so the trapezoid rule converges exponentially, for small and large k. The conjugate half is
left out. Rounded to nearest; not rigorous.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ..precision import check_budget
from . import trapezoid
from .integrand import Integrand
from .nearest import binary_exponent, bits_agreed, log_gamma, number, working

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
