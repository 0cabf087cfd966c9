"""The inversion of the Laplace transform in ``integrand`` by the trapezoid rule on a hyperbola.

The contour is s(u) = sigma + r (1 - cosh u) + i r sinh u. It passes through the integrand's saddle
sigma on the real axis, and r = 3 sigma/2 gives it there the curvature of the path of steepest
descent of e^s s^-k. Far out the integrand falls like e^((1 - w gamma) Re s), doubly exponentially
in u; so the trapezoid rule converges exponentially, for small and large k. The conjugate half is
left out. Rounded to nearest; not rigorous.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import gmpy2
from gmpy2 import mpc, mpfr

from ..precision import check_budget
from .directed import OutOfReachError
from .integrand import Integrand
from .nearest import binary_exponent, bits_agreed, log_gamma, number, working

# Closer to w gamma = 1 than this the integral for P has two scales, and that for 1 - P is the
# better one even if it hides so many bits of P.
NARROW_SLACK = Fraction(1, 1 << 10)
BITS_HIDDEN = 32

_NATS_PER_BIT = math.log(2)
# What some hundred nodes lose; the exponents' own sizes are added to it.
_GUARD_BITS = 24
# A sum that loses more than this is taken again at a higher precision.
_BITS_TO_LOSE = 12
# A saddle closer to the origin than this part of the precision in nats is passed further out.
_LEAST_SADDLE = 0.03
# r/sigma of one contour and of the other, and how much finer and more precise the other is.
_RADII = (1.5, 1.3)
_FINER = 1.3
_BITS_MORE = 16
# Nodes per nat of precision: 1/pi on the steepest path of a Gaussian, some 0.9 on a hyperbola far
# from one, measured for k below 15; and when to give up.
_NODES_PER_NAT = 0.4
_MORE_NODES, _SMALL_SIZE = 1.3, 15.0
_MOST_NODES = 20_000
# After so many nodes in a row that do not matter the sum ends.
_QUIET_NODES = 3
# The reach of a contour is looked for in such steps of u.
_STRIDE = 1.15
_MOST_STRIDES = 150
# Attempts with ever more nodes; the first is enough unless the integrand has two scales.
_ATTEMPTS = 6
_LEAST_GROWTH, _MOST_GROWTH = 1.3, 8.0
_BITS_SPARED = 8


class Chance(NamedTuple):
    """A probability P, and |gamma dP/dgamma| / P."""

    value: mpfr
    elasticity: mpfr


@dataclass(frozen=True)
class _Rule:
    """How an integral is summed: r/sigma, the number of nodes (about) and the precision."""

    radius: float
    nodes: int
    bits: int


class Inversion:
    """The integral over contours through the saddle, to about ``bits`` bits."""

    def __init__(self, integrand: Integrand, bits: int) -> None:
        self._integrand, self._bits = integrand, bits
        small = 1 / (1 + integrand.size / _SMALL_SIZE)
        self._nodes = _NODES_PER_NAT * (1 + _MORE_NODES * small) * _NATS_PER_BIT * bits

    def two_chances(self) -> tuple[Chance, Chance]:
        """Return the probability by two contours, precisions and numbers of nodes.

        They agree to about ``bits`` bits. Raises OutOfReachError where they do not.
        """
        for _ in range(_ATTEMPTS):
            first = self._chance(_RADII[0], self._nodes, 0)
            second = self._chance(_RADII[1], _FINER * self._nodes, _BITS_MORE)
            agreed = bits_agreed(first.value, second.value)
            if agreed >= self._bits - _BITS_SPARED:
                return first, second
            # The error falls exponentially with the number of nodes.
            growth = 1.1 * self._bits / max(agreed, 1)
            self._nodes *= min(_MOST_GROWTH, max(_LEAST_GROWTH, growth))
        raise OutOfReachError

    def rough_chance(self) -> Chance:
        """Return the probability by one contour alone."""
        return self._chance(_RADII[0], self._nodes, 0)

    @cached_property
    def _saddle(self) -> float:
        return self._integrand.saddle(_LEAST_SADDLE * _NATS_PER_BIT * self._bits)

    @cached_property
    def _guard(self) -> int:
        """Bits for the exponents, and for the sum's roundings."""
        sizes = self._saddle + self._integrand.size * abs(math.log2(self._saddle))
        return _GUARD_BITS + max(self._integrand.bits_of_exponents, int(math.log2(2 + sizes)))

    def _chance(self, radius: float, nodes: float, more_bits: int) -> Chance:
        if nodes > _MOST_NODES:
            raise OutOfReachError
        rule = _Rule(radius, math.ceil(nodes), self._bits + self._guard + more_bits)
        step = mpfr(self._reach(radius) / rule.nodes)
        found, lost = self._summed(rule, step)
        if lost > _BITS_TO_LOSE:
            found, _ = self._summed(_Rule(radius, rule.nodes, rule.bits + lost), step)
        return found

    def _reach(self, radius: float) -> float:
        """Return a u from which on the integrand does not matter."""
        bits = self._integrand.search_bits
        with working(bits):
            top = binary_exponent(self._values(mpfr(0), radius, bits)[0])
            reach = 1 / math.sqrt(self._integrand.size + 1)
            for _ in range(_MOST_STRIDES):
                value, _ = self._values(mpfr(reach), radius, bits)
                if binary_exponent(value) < top - self._bits:
                    return reach
                reach *= _STRIDE
        raise OutOfReachError

    def _values(self, u: mpfr, radius: float, bits: int) -> tuple[mpc, mpc]:
        """Return the integrand and its companion at s(u), times ds/du."""
        check_budget()
        saddle, reach = mpfr(self._saddle), mpfr(radius * self._saddle)
        sinh, cosh = gmpy2.sinh_cosh(u)
        point = mpc(saddle + reach - reach * cosh, reach * sinh)
        slope = mpc(-reach * sinh, reach * cosh)
        value, companion = self._integrand.values(point, saddle, bits)
        return value * slope, companion * slope

    def _summed(self, rule: _Rule, step: mpfr) -> tuple[Chance, int]:
        """Return the trapezoid sum, and how many bits it lost to cancellation."""
        with working(rule.bits):
            first = self._values(mpfr(0), rule.radius, rule.bits)
            total, companion = first[0].imag / 2, first[1].imag / 2
            top, quiet = binary_exponent(first[0]), 0
            for n in range(1, _MOST_NODES):
                value, other = self._values(n * step, rule.radius, rule.bits)
                total, companion = total + value.imag, companion + other.imag
                size = binary_exponent(value)
                top, quiet = max(top, size), quiet + 1 if size < top - rule.bits else 0
                if quiet == _QUIET_NODES:
                    break
            else:
                raise OutOfReachError
            lost = top - binary_exponent(total)
            return Chance(self._front(rule.bits) * step * total, companion / total), lost

    def _front(self, bits: int) -> mpfr:
        """Return Gamma(k)/pi times the exponential at the saddle."""
        saddle, k = mpfr(self._saddle), self._integrand.draw.total
        exponent = self._integrand.rate() * saddle - number(k) * gmpy2.log(saddle)
        return gmpy2.exp(log_gamma(k, bits) + exponent) / gmpy2.const_pi()
