"""The logarithm of the gamma pair's delta, from two incomplete gammas each by its own series.

With x = (Gamma(alpha+s)/Gamma(alpha) e^-epsilon)^(1/s) (proofs_notes/add-remove.md)

    delta = P(alpha, x) - e^epsilon P(alpha+s, x) = F [S(alpha) - S(alpha+s)],
    F = x^alpha e^-x/Gamma(alpha),   S(a) = sum of x^n/(a)_(n+1)            (DLMF 8.7.1),

for e^epsilon x^s Gamma(alpha)/Gamma(alpha+s) = 1 makes the second factor the first. The difference
is taken as it stands, at a precision that has room for what it loses. Where x is far above alpha
S(alpha) is long, and delta = 1 - Q(alpha, x) - F S(alpha+s) with

    0 < Q(alpha, x) <= F/(x - max(0, alpha-1)):

in the integral of t^(alpha-1) e^-t over t > x, t^(alpha-1) is at most x^(alpha-1) if alpha <= 1,
and else at most x^(alpha-1) e^((alpha-1)(t-x)/x), as log(1+y) <= y.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from gmpy2 import mpfr, mpz

from ..precision import check_budget
from .directed import OutOfReachError, Rounding, Span, hull, roundings

# A sum of more terms than this takes some seconds.
MAX_TERMS = 1_000_000
_TERMS_BETWEEN_LOOKS = 16
_GUARD_BITS = 24
_MOST_DOUBLINGS = 4
# At so many nats for each bit Q does not matter, log 2 and a little more; a matter of width alone.
_NATS_PER_BIT = 0.7


def log_gamma_profile(bits: int, alpha: Fraction, step: Fraction, epsilon: Fraction) -> Span:
    """Enclose log delta(epsilon) of Gamma(alpha) against Gamma(alpha + step).

    Rigorous: directed rounding, and geometric remainders. Its absolute error is near 2**-bits where
    four doublings of the precision are enough for what cancels.
    """
    work = bits + _GUARD_BITS + _bits_lost(alpha, step, epsilon)
    for _ in range(_MOST_DOUBLINGS):
        found = _log_profile(work, alpha, step, epsilon)
        if _is_settled(found, bits):
            break
        work *= 2
    return found


def _bits_lost(alpha: Fraction, step: Fraction, epsilon: Fraction) -> int:
    """Bits before the binary point of the parts of log x, which a small step enlarges.

    Without them x would be known so badly that no series for it ends in reach.
    """
    whole = alpha + step
    size = whole * whole.numerator.bit_length() + alpha.denominator.bit_length() + epsilon
    return int(size / step).bit_length()


def _is_settled(found: Span, bits: int) -> bool:
    """Whether the span is narrower than 2**-bits."""
    _, up = roundings(found.bits)
    return bool(up.mul_2exp(up.sub(found.high, found.low), bits) <= 1)


def _log_profile(bits: int, alpha: Fraction, step: Fraction, epsilon: Fraction) -> Span:
    base, above = Span.of(alpha, bits), Span.of(alpha + step, bits)
    log_gamma = base.lgamma()
    log_point = (above.lgamma() - log_gamma - Span.of(epsilon, bits)) / Span.of(step, bits)
    point = log_point.exp()
    log_front = base * log_point - point - log_gamma
    if _is_hidden(bits, alpha, point):
        rest = log_front.exp() * (_series(alpha + step, point) + _upper_factor(alpha, point))
        return (-rest).log1p()
    return log_front + (_series(alpha, point) - _series(alpha + step, point)).log()


def _is_hidden(bits: int, alpha: Fraction, point: Span) -> bool:
    """Whether Q(alpha, x) is below 2**-bits or so: x - alpha - alpha log(x/alpha) nats are many."""
    x, a = point.middle, max(float(alpha), sys.float_info.min)
    return x > a and x - a - a * math.log(x / a) > _NATS_PER_BIT * bits


def _upper_factor(alpha: Fraction, point: Span) -> Span:
    """Enclose Q(alpha, x)/F from below, and from above where x > alpha - 1 is seen."""
    rest = point - Span.of(max(Fraction(0), alpha - 1), point.bits)
    nothing = Span.of(0, point.bits)
    if rest.sign <= 0:
        return Span(nothing.low, mpfr("inf", point.bits))
    return hull(nothing, Span.of(1, point.bits) / rest)


def _series(first: Fraction, point: Span) -> Span:
    """Enclose S(first), a sum of positive terms that increase with the point.

    Term n+1 is x/(first+n+1) of term n, and the ratios fall: what follows term n is at most
    rho/(1-rho) times it, rho = x/(first+n+1) < 1.
    """
    _, up = roundings(point.bits)
    low, count = _summed_until_small(first, point)
    high = last = mpfr(0, point.bits)
    for term in islice(_terms(first, up, point.high), count):
        high, last = up.add(high, term), term
    rho = point / Span.of(first + count, point.bits)
    left = Span.of(1, point.bits) - rho
    if left.sign <= 0:  # the floats that stopped the sum were wrong in their last digit
        return Span(low, mpfr("inf", point.bits))
    return Span(low, up.add(high, up.mul(last, (rho / left).high)))


def _summed_until_small(first: Fraction, point: Span) -> tuple[mpfr, int]:
    """Return a lower bound on the sum, and after how many terms the rest does not matter."""
    down, _ = roundings(point.bits)
    partial, x, floor = mpfr(0, point.bits), point.middle, float(first)
    if _is_too_long(x, floor, point.bits):
        raise OutOfReachError
    for n, term in enumerate(_terms(first, down, point.low), start=1):
        partial = down.add(partial, term)
        if n % _TERMS_BETWEEN_LOOKS == 0:
            check_budget()
            rho = x / (floor + n)
            if rho < 1 and down.mul(term, rho / (1 - rho)) < down.div_2exp(partial, point.bits):
                return partial, n
            if n > MAX_TERMS:
                break
    raise OutOfReachError


def _is_too_long(x: float, floor: float, bits: int) -> bool:
    """Whether term MAX_TERMS is not yet 2**-bits of the first, so that no sum of so many ends.

    The ratios of terms fall, the last of them is x/(floor + MAX_TERMS). A matter of speed alone.
    """
    return x > 0 and MAX_TERMS * math.log((floor + MAX_TERMS) / x) < bits * math.log(2)


def _terms(first: Fraction, rounding: Rounding, point: mpfr) -> Iterator[mpfr]:
    """Yield x^n/(a)_(n+1), a = p/q, as products of (q x)/(p + n q), all rounded one way."""
    one, below = mpz(first.denominator), mpz(first.numerator)
    mul, div = rounding.mul, rounding.div
    scaled, term = mul(point, one), div(one, below)
    while True:
        yield term
        below += one
        term = div(mul(term, scaled), below)
