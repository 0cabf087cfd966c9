"""What log Gamma changes by when two arguments exchange a part: a sum that knows no Gamma.

From Gauss's product, for x, y, x + c, y - c > 0,

    log [Gamma(x) Gamma(y) / (Gamma(x+c) Gamma(y-c))] = sum over n >= 0 of g(n),
    g(t) = log1p(c (y-x-c) / ((x+t)(y+t))),

and g has one sign throughout. The first M terms are multiplied out; with x, y moved up by M, the
rest is Euler and Maclaurin's formula, where every antiderivative and derivative is elementary:

    D[z log z] + g(0)/2 + sum over j >= 1 of B_2j/(2j (2j-1)) D[z^(1-2j)],
    D[f] = f(x) + f(y) - f(x+c) - f(y-c).

The remainder lies between 0 and the first correction left out: it is the integral over u > 0 of
D[e^(-zu)]/u, which is positive because e^(-zu) is convex in z, times what the truncated expansion
of 1/(e^u - 1) - 1/u + 1/2 leaves over, a sum of truncated geometric series in -u^2 (DLMF 4.36.3).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache

from ..precision import check_budget
from .directed import Span, hull

# The smallest correction is near e^(-2 pi x), below 2**-bits for x above bits/9.
_SHIFT_PER_BIT = Fraction(1, 4)
_GUARD_BITS = 16
_SMALLEST_BLOCK = 64  # Bernoulli numbers come in blocks of doubling size


def log_gamma_exchange(bits: int, first: Fraction, second: Fraction, part: Fraction) -> Span:
    """Enclose log [Gamma(x) Gamma(y) / (Gamma(x+c) Gamma(y-c))], x > 0 and 0 < c < y - x.

    x, y, c are ``first``, ``second``, ``part``. Rigorous: directed rounding, and a remainder
    between 0 and the first correction left out. About ``bits`` bits are correct.
    """
    work = bits + _GUARD_BITS
    moves = max(0, math.ceil(_SHIFT_PER_BIT * work - first))
    near = _product_excess(work, first, second, part, moves).log1p()
    far = _far_part(work, first + moves, second + moves, part)
    return near + far


def _product_excess(
    bits: int, first: Fraction, second: Fraction, part: Fraction, count: int
) -> Span:
    """Enclose the product over n < count of 1 + c (y-x-c)/((x+n)(y+n)), less 1."""
    one = math.lcm(first.denominator, second.denominator, part.denominator)
    x, y, c = (int(value * one) for value in (first, second, part))
    gain, excess = c * (y - x - c), Span.of(0, bits)
    for _ in range(count):
        check_budget()
        factor = Span.of_ratio(gain, x * y, bits)
        excess = excess + factor + excess * factor
        x, y = x + one, y + one
    return excess


def _far_part(bits: int, first: Fraction, second: Fraction, part: Fraction) -> Span:
    """Enclose the sum of all g(n) by Euler and Maclaurin's formula; x is some bits/4."""
    gain = part * (second - first - part)
    # D[z log z] is at least gain/y, and its parts are near y log y.
    lost = max(0, _log2(second * second / gain)) + _log2(second).bit_length() + 2
    work = bits + lost
    points = [Span.of(z, work) for z in (first, second, first + part, second - part)]
    integral = _exchanged([z * z.log() for z in points])
    half = Span.of(gain / (first * second), work).log1p() * Span.of(Fraction(1, 2), work)
    return _corrected(bits, integral + half, points)


def _corrected(bits: int, leading: Span, points: list[Span]) -> Span:
    """Add the corrections that matter, and the remainder: from 0 to the next correction."""
    work = leading.bits
    powers = [Span.of(1, work) / z for z in points]
    squares = [power * power for power in powers]
    known, least = leading, Span.of(0, work)
    for j in range(1, bits + 2):  # they fall only while j is below pi x, x near bits/4
        check_budget()
        correction = Span.of(_stirling_coefficient(j), work) * _exchanged(powers)
        enclosed = known + hull(least, correction)
        if enclosed.is_within(bits):
            break
        known = known + correction
        powers = [power * square for power, square in zip(powers, squares, strict=True)]
    return enclosed


def _exchanged(values: list[Span]) -> Span:
    """Return D of a function that has these values at x, y, x + c, y - c."""
    at_x, at_y, at_more, at_less = values
    return at_x + at_y - at_more - at_less


def _log2(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length() + 1


def _stirling_coefficient(j: int) -> Fraction:
    """Return B_2j / (2j (2j - 1))."""
    block = max(_SMALLEST_BLOCK, 1 << j.bit_length())
    return _even_bernoulli_numbers(block)[j] / (2 * j * (2 * j - 1))


@cache
def _even_bernoulli_numbers(count: int) -> list[Fraction]:
    """Return B_0, B_2, ..., B_(2 count) exactly, from the tangent numbers.

    B_2n = (-1)^(n-1) 2n T_n / (4^n (4^n - 1)); the T_n by Brent and Harvey 2011, "Fast computation
    of Bernoulli, Tangent and Secant numbers", algorithm TangentNumbers.
    """
    tangents = [0, 1]
    for k in range(2, count + 1):
        tangents.append((k - 1) * tangents[-1])
    for k in range(2, count + 1):
        check_budget()
        for j in range(k, count + 1):
            tangents[j] = (j - k) * tangents[j - 1] + (j - k + 2) * tangents[j]
    signed = ((-1) ** (n - 1) * 2 * n * tangents[n] for n in range(1, count + 1))
    return [Fraction(1)] + [
        Fraction(top, 4**n * (4**n - 1)) for n, top in enumerate(signed, start=1)
    ]
