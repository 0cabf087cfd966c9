"""The Jensen gap of log Gamma, as a sum of positive terms that knows no Gamma.

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
