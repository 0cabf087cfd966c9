"""psi' of a positive rational by its asymptotic series, shifted to where the series is good.

    psi'(x) = sum over j < J of 1/(x+j)^2 + psi'(y),  y = x + J,
    psi'(y) ~ 1/y + 1/(2 y^2) + sum over m >= 1 of B_2m/y^(2m+1).

For y > 0 the rest after any number of terms lies between 0 and the first omitted term
(proofs_notes/utility.md), so two partial sums enclose.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import mpmath

from ..precision import check_budget
from .directed import OutOfReachError, Span, hull

# From y = bits/4 on, about bits/8 terms are enough; more Bernoulli numbers take minutes.
_BITS_A_SHIFT = 4
_MOST_BITS = 16_384


def trigamma(x: Fraction, bits: int) -> Span:
    """Enclose psi'(x), x > 0, with about ``bits`` correct bits."""
    if bits > _MOST_BITS:
        raise OutOfReachError
    shifts = max(0, bits // _BITS_A_SHIFT + 1 - int(x))
    one, total = Span.of(1, bits), Span.of(0, bits)
    for j in range(shifts):
        check_budget()
        inverse = one / Span.of(x + j, bits)
        total = total + inverse * inverse
    return total + _asymptotic(one / Span.of(x + shifts, bits), bits)


def _asymptotic(inverse: Span, bits: int) -> Span:
    """Enclose psi'(1/inverse) by partial sums; the last term is added in part."""
    square = inverse * inverse
    total = inverse + Span.of(Fraction(1, 2), bits) * square
    power, m = inverse * square, 1
    while True:
        term = Span.of(_bernoulli(2 * m), bits) * power
        if _is_below(term, total, bits) or 2 * m > bits:
            return total + hull(Span.of(0, bits), term)
        total, power, m = total + term, power * square, m + 1


def _is_below(term: Span, total: Span, bits: int) -> bool:
    limit = total * Span.of(Fraction(1, 1 << bits), bits)
    return (limit - term).sign > 0 and (limit + term).sign > 0


@cache
def _bernoulli(index: int) -> Fraction:
    return Fraction(*map(int, mpmath.bernfrac(index)))
