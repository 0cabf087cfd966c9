"""Log Gamma in the forms that formulas ask for: a Jensen gap, an exchange, and psi' of a rational.

The Jensen gap of log Gamma, as a sum of positive terms that knows no Gamma.

For u, v > 0, kappa = order - 1 and w = u - kappa (v - u) > 0 write, of any function f,

    D[f] = (f(w) - f(u))/kappa + f(v) - f(u),  at kappa = 0: f(v) - f(u) - (v - u) f'(u).

It vanishes for straight lines, and by Jensen's inequality it is never negative where f is convex,
for u is the mean of w and v with weights 1/order and kappa/order. D[log Gamma] is the Renyi
divergence of Gamma(u) from Gamma(v). From log Gamma(z) = log Gamma(z+M) - sum over n < M of
log(z+n), and Stirling's series at z + M,

    D[log Gamma] = sum over n < M of -D[log(z+n)]
                   + D[z log z] - D[log z]/2 + sum over j >= 1 of B_2j/(2j (2j-1)) D[z^(1-2j)],

the last line at u+M, v+M, w+M. The first sum's terms are positive, -log being convex. The
remainder lies between 0 and the first correction left out: it is the integral over t > 0 of
D[e^(-zt)]/t, which is positive because e^(-zt) is convex in z, times what the truncated expansion
of 1/(e^t - 1) - 1/t + 1/2 leaves over, and that lies between 0 and its first term left out
(DLMF 4.36.3, truncated geometric series in -t^2).

What log Gamma changes by when two arguments exchange a part: a sum that knows no Gamma.

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

psi' of a positive rational by its asymptotic series, shifted to where the series is good.

    psi'(x) = sum over j < J of 1/(x+j)^2 + psi'(y),  y = x + J,
    psi'(y) ~ 1/y + 1/(2 y^2) + sum over m >= 1 of B_2m/y^(2m+1).

For y > 0 the rest after any number of terms lies between 0 and the first omitted term
(proofs_notes/utility.md), so two partial sums enclose.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import mpmath

from ..precision import check_budget
from .directed import OutOfReachError, Span, hull, roundings, sharpened

# The smallest correction is near e^(-2 pi z), below 2**-bits for z above bits/9.
_SHIFT_PER_BIT = Fraction(1, 4)
# Bernoulli numbers for more bits than this take minutes.
_MOST_BITS = 16_384
_GUARD_BITS = 16


@dataclass(frozen=True)
class _Points:
    """The three points u, v, w, each above 0, and kappa; u is between the others, or equal."""

    first: Fraction
    second: Fraction
    far: Fraction
    kappa: Fraction

    @property
    def least(self) -> Fraction:
        """The smallest of the three."""
        return min(self.first, self.second, self.far)

    def moved(self, by: int) -> _Points:
        """Return the points moved upward."""
        return _Points(self.first + by, self.second + by, self.far + by, self.kappa)

    def chords(self, bits: int, count: int = 1) -> tuple[Span, Span]:
        """Enclose log v - log u and (log w - log u)/kappa, or its limit (v - u)(-1/u).

        Or the sums of these over the first ``count`` moves upward by 1.
        """
        rise = _log_of_quotients(self.second, self.first, bits, count)
        if self.kappa:
            fall = _log_of_quotients(self.far, self.first, bits, count)
            return rise, fall / Span.of(self.kappa, bits)
        rates = Span.of(0, bits)
        for n in range(count):
            check_budget()
            rates = rates + Span.of(1 / (self.first + n), bits)
        return rise, Span.of(self.first - self.second, bits) * rates


def _log_of_quotients(top: Fraction, bottom: Fraction, bits: int, count: int) -> Span:
    """Enclose the sum of log((top+n)/(bottom+n)) over n < count, precisely near 0 too.

    Numbers that are close together are multiplied as what they exceed 1 by.
    """
    one = math.lcm(top.denominator, bottom.denominator)
    above, below = int(top * one), int(bottom * one)
    change, close = above - below, 2 * abs(above - below) < below
    product = Span.of(0 if close else 1, bits)
    for _ in range(count):
        check_budget()
        if close:
            factor = Span.of_ratio(change, below, bits)
            product = product + factor + product * factor
        else:
            product = product * Span.of_ratio(below + change, below, bits)
        below += one
    return product.log1p() if close else product.log()


def gap(bits: int, first: Fraction, second: Fraction, order: Fraction) -> Span:
    """Enclose D[log Gamma] at u = ``first``, v = ``second``, which must leave w positive.

    Rigorous, to about ``bits`` correct bits: directed rounding, and a remainder between 0 and the
    first correction left out.
    """
    far = first - (order - 1) * (second - first)
    points = _Points(first, second, far, order - 1)
    return sharpened(bits, lambda precision: _gap(precision + _bits_lost(points), points))


def _bits_lost(points: _Points) -> int:
    """Bits that first orders take from the second; a matter of speed alone."""
    change = abs(points.second - points.first)
    share = _log2((points.least + 1) / change) if change else 0
    return 2 * max(0, share) + max(0, -_log2(points.kappa) if points.kappa else 0) + _GUARD_BITS


def _log2(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length() + 1


def _gap(bits: int, points: _Points) -> Span:
    if bits > _MOST_BITS:
        raise OutOfReachError
    moves = max(0, math.ceil(_SHIFT_PER_BIT * bits - points.least))
    rise, fall = points.chords(bits, moves)
    return _by_stirling(bits, points.moved(moves)) - (rise + fall)


def _by_stirling(bits: int, points: _Points) -> Span:
    """Enclose D[log Gamma] where all three points are above bits/4, or nearly."""
    rise, fall = points.chords(bits)
    # D[z log z]: the parts with log u cancel, (w - u)/kappa being u - v.
    integral = Span.of(points.second, bits) * rise + Span.of(points.far, bits) * fall
    known = integral - Span.of(Fraction(1, 2), bits) * (rise + fall)
    return _corrected(bits, known, points)


def _corrected(bits: int, known: Span, points: _Points) -> Span:
    """Add the corrections above the roundings, and the remainder: from 0 to the next correction."""
    _, up = roundings(bits)
    one, nothing = Span.of(1, bits), Span.of(0, bits)
    inverses = [one / Span.of(z, bits) for z in (points.first, points.second, points.far)]
    squares = [inverse * inverse for inverse in inverses]
    powers, enclosed = inverses, known
    for j in range(1, bits + 2):  # they fall only while j is below pi z, z near bits/4
        check_budget()
        change = _of_powers(powers, inverses[0], 2 * j - 1, points)
        correction = Span.of(_stirling_coefficient(j), bits) * change
        enclosed = known + hull(nothing, correction)
        if max(correction.high, up.minus(correction.low)) <= up.sub(known.high, known.low):
            break
        known = known + correction
        powers = [power * square for power, square in zip(powers, squares, strict=True)]
    return enclosed


def _of_powers(powers: list[Span], inverse: Span, exponent: int, points: _Points) -> Span:
    """Enclose D[z^-m] from the powers at u, v, w and 1/u."""
    at_first, at_second, at_far = powers
    bits = inverse.bits
    if points.kappa:
        fall = (at_far - at_first) / Span.of(points.kappa, bits)
    else:
        rate = Span.of(exponent * (points.second - points.first), bits)
        fall = rate * at_first * inverse
    return fall + at_second - at_first


@cache
def _stirling_coefficient(j: int) -> Fraction:
    """Return B_2j / (2j (2j - 1))."""
    top, bottom = map(int, mpmath.bernfrac(2 * j))
    return Fraction(top, bottom * 2 * j * (2 * j - 1))


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
    return _exchange_corrected(bits, integral + half, points)


def _exchange_corrected(bits: int, leading: Span, points: list[Span]) -> Span:
    """Add the corrections that matter, and the remainder: from 0 to the next correction."""
    work = leading.bits
    powers = [Span.of(1, work) / z for z in points]
    squares = [power * power for power in powers]
    known, least = leading, Span.of(0, work)
    for j in range(1, bits + 2):  # they fall only while j is below pi x, x near bits/4
        check_budget()
        correction = Span.of(_exchange_coefficient(j), work) * _exchanged(powers)
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


def _exchange_coefficient(j: int) -> Fraction:
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


# From y = bits/4 on, about bits/8 terms are enough; more Bernoulli numbers take minutes.
_BITS_A_SHIFT = 4


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
