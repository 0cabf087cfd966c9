"""Numbers rounded to nearest, for the opinions that are not rigorous.

The arithmetic is that of mpmath's gmpy2 backend, MPFR and MPC, through contexts of its own: the
caller's gmpy2 context and mpmath's precision are put back. log Gamma is mpmath's. What is computed
here is a number and not an enclosure; ``widened`` makes of two of them what is as good as one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

import gmpy2
import mpmath
from gmpy2 import mpc, mpfr, mpz

from ..dyadic import Dyadic
from ..enclosure import Enclosure
from .directed import OutOfReachError

# gmpy2 ships no types.
Context: TypeAlias = Any

# Sums of complex numbers of more bits take minutes.
MAX_BITS = 16_384
# Below every exponent that MPFR has.
_NO_EXPONENT = -(1 << 62)
# By how many of their differences two values are widened.
_WIDENING = 10


def working(bits: int) -> Context:
    """Return a fresh context that rounds to nearest at ``bits``, for one ``with`` statement."""
    if bits > MAX_BITS:
        raise OutOfReachError
    return gmpy2.context(precision=bits)


def number(value: Fraction | mpfr) -> mpfr:
    """Return a number rounded to the context's precision."""
    if isinstance(value, Fraction):
        return gmpy2.get_context().div(mpz(value.numerator), mpz(value.denominator))
    return +value


def as_fraction(value: mpfr) -> Fraction:
    """Return a finite number exactly."""
    mantissa, exponent = value.as_mantissa_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


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
    low, high = sorted((as_fraction(first), as_fraction(second)))
    margin = _WIDENING * (high - low) + high / (1 << bits)
    if low - margin >= limit or high <= 0:
        return Enclosure.nothing_known()
    return Enclosure(
        Dyadic.rounded(max(low - margin, Fraction(0)), 2 * bits, up=False),
        Dyadic.rounded(min(high + margin, limit), 2 * bits, up=True),
    )
