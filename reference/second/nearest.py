"""Numbers rounded to nearest, for the opinions that are not rigorous.

The arithmetic is that of mpmath's gmpy2 backend, MPFR and MPC, through contexts of its own: the
caller's gmpy2 context and mpmath's precision are put back. log Gamma is mpmath's. What is computed
here is a number and not an enclosure; ``widened`` makes of two of them what is as good as one.

Gamma at complex points is by Stirling's series after a move to the right,

    log Gamma(z) = (z - 1/2) log z - z + log(2 pi)/2 + sum of B_2j/(2j (2j-1)) z^(1-2j),
    Gamma(z) = Gamma(z+M)/(z (z+1) ... (z+M-1)),

with M so large that z+M is right of the imaginary axis and bits/5 or more from 0. Not rigorous.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from typing import Any, TypeAlias

import gmpy2
import mpmath
from gmpy2 import mpc, mpfr, mpz

from ..dyadic import Dyadic
from ..enclosure import Enclosure
from ..precision import check_budget
from .directed import OutOfReachError

# gmpy2 ships no types.
_Context: TypeAlias = Any

# Sums of complex numbers of more bits take minutes.
MAX_BITS = 16_384
# Below every exponent that MPFR has.
_NO_EXPONENT = -(1 << 62)
# By how many of their differences two values are widened.
_WIDENING = 10
# Widened values are below 2^5 times the larger one.
_FAR = 8


def working(bits: int) -> _Context:
    """Return a fresh context that rounds to nearest at ``bits``, for one ``with`` statement."""
    if bits > MAX_BITS:
        raise OutOfReachError
    return gmpy2.context(precision=bits)


def number(value: Fraction | mpfr) -> mpfr:
    """Return a number rounded to the context's precision."""
    if isinstance(value, Fraction):
        return gmpy2.get_context().div(mpz(value.numerator), mpz(value.denominator))
    return +value


def as_fraction(value: mpfr, lifted: int = 0) -> Fraction:
    """Return a finite number exactly, times a power of two."""
    mantissa, exponent = value.as_mantissa_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** (int(exponent) + lifted)


def log_gamma(value: Fraction, bits: int) -> mpfr:
    """Return log Gamma of a positive rational by mpmath."""
    with mpmath.mp.workprec(bits):
        found = mpmath.mp.loggamma(mpmath.mp.mpf(value.numerator) / value.denominator)
        negative, mantissa, exponent, _ = found._mpf_  # its exact form
    with working(bits):
        size = gmpy2.mul_2exp(mpfr(mpz(mantissa)), max(exponent, 0))
        size = gmpy2.div_2exp(size, max(-exponent, 0))
        return -size if negative else size


def binary_exponent(value: mpc | mpfr) -> int:
    """Return e such that |value| is about 2**e; for 0, what is below all others.

    Raises OutOfReachError where the value is not finite: here sums that went wrong come to light.
    """
    parts = (value.real, value.imag)
    if not gmpy2.is_finite(value):
        raise OutOfReachError
    return max((int(gmpy2.get_exp(x)) for x in parts if x != 0), default=_NO_EXPONENT)


def inverse(value: mpc) -> mpc:
    """Return 1/value; MPC's own division takes ten times as long."""
    return value.conjugate() * (1 / gmpy2.norm(value))


def bits_agreed(first: mpfr, second: mpfr) -> int:
    """Return how many leading bits two numbers share."""
    with working(max(first.precision, second.precision)):
        return binary_exponent(second) - binary_exponent(first - second)


def widened(first: mpfr, second: mpfr, bits: int, limit: Fraction) -> Enclosure:
    """Return the hull of two values, widened by ten differences and a rounding at ``bits``.

    Not proved to contain anything. The number is known to lie between 0 and ``limit``; two values
    that do not go with that say nothing.
    """
    top = max(binary_exponent(first), binary_exponent(second))
    if top == _NO_EXPONENT:
        return Enclosure.nothing_known()
    # Times 2^-top, so that fractions stay short however small the values are.
    low, high = sorted((as_fraction(first, -top), as_fraction(second, -top)))
    most = _lifted(limit, -top)
    margin = _WIDENING * (high - low) + high / (1 << bits)
    if low - margin >= most or high <= 0:
        return Enclosure.nothing_known()
    lower = Dyadic.rounded(max(low - margin, Fraction(0)), 2 * bits, up=False)
    upper = Dyadic.rounded(min(high + margin, most), 2 * bits, up=True)
    return Enclosure(
        Dyadic(lower.mantissa, lower.exponent + top), Dyadic(upper.mantissa, upper.exponent + top)
    )


def _lifted(limit: Fraction, power: int) -> Fraction:
    """Return a limit times 2**power, or one that nothing near 1 reaches."""
    if limit.numerator.bit_length() - limit.denominator.bit_length() + power > _FAR:
        return Fraction(1 << _FAR)
    return limit * Fraction(2) ** power


# On the imaginary axis the smallest term is near e^(-2 pi |z|), 2**-bits for |z| = bits/9.
_RADIUS_PER_BIT = 0.2


class Stirling:
    """Gamma at one precision, that of the context in which it is asked."""

    def __init__(self, bits: int) -> None:
        self._radius = _RADIUS_PER_BIT * bits
        with working(bits):
            self._coefficients = [number(c) for c in _coefficients(bits, self._radius)]
            self._constant = gmpy2.log(2 * gmpy2.const_pi()) / 2

    def parts(self, point: mpc) -> tuple[mpc, mpc]:
        """Return log Gamma(z+M), and the product that Gamma(z+M) is to be divided by."""
        moves = self._moves(float(point.real), float(point.imag))
        product = mpc(1)
        for _ in range(moves):
            product = product * point
            point = point + 1
        check_budget()
        return self._by_series(point), product

    def _moves(self, real: float, imaginary: float) -> int:
        height = abs(imaginary)
        missing = self._radius**2 - height**2
        return max(0, math.ceil((math.sqrt(missing) if missing > 0 else 0.0) - real))

    def _by_series(self, point: mpc) -> mpc:
        """Sum the series by Horner's rule; far out fewer terms are enough."""
        one = inverse(point)
        square = one * one
        total = mpc(0)
        for coefficient in self._coefficients:
            total = total * square + coefficient
        return (point - mpfr(0.5)) * gmpy2.log(point) - point + self._constant + total * one


@cache
def _coefficients(bits: int, radius: float) -> tuple[Fraction, ...]:
    """Return the coefficients that matter at that distance from 0, the last one first."""
    found: list[Fraction] = []
    for j in range(1, bits + 2):
        top, bottom = map(int, mpmath.bernfrac(2 * j))
        found.append(Fraction(top, bottom * 2 * j * (2 * j - 1)))
        size = math.log2(abs(top)) - math.log2(abs(bottom)) - (2 * j - 1) * math.log2(radius)
        if size < -bits:
            break
    return tuple(reversed(found))
