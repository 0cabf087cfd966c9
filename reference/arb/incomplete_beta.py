"""The regularised incomplete beta function, through its series of positive terms.

With S(a, b, x) = sum over n >= 0 of (a + b)_n x^n / (a)_(n+1) = 2F1(1, a + b; a + 1; x) / a,

    I_x(a, b) = x^a (1 - x)^b / B(a, b) * S(a, b, x)          (DLMF 8.17.8)

Every term of S is positive. Past x = a/(a+b) the series is long and I_x is near 1, so there
1 - I_(1-x)(b, a) is evaluated instead; Arb's own `beta_lower` has pockets there in which it is
ten thousand times slower.

FLINT sums S fastest while the parameters are small. For large ones it turns to an integral whose
cost grows with the third power of the precision (a minute at 1100 bits), so from there on the
terms are added up here, unless there are too many of them.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, ctx

from ..precision import check_budget
from .balls import ball, sharpened
from .gamma import log_beta

# Up to this product of precision and second parameter FLINT adds up the series itself.
_SUMMED_BY_FLINT = 400_000
# Above this precision FLINT's integral is slower than any sum that is not hopeless.
_INTEGRAL_BITS = 640
# Numbers of terms up to which a sum is faster than that integral, and beyond which hopeless.
_SHORT_SUM = 20_000
# FLINT integrates, too, where the parameters exceed the precision: slower than so many terms.
_VERY_SHORT_SUM = 1_000
_LONGEST_SUM = 5_000_000
_LARGEST_IN_DOUBLES = 10**307
_FALLS_AT_ONCE, _SMALLEST_RATIO = 0.5, 1e-300
_TERMS_BETWEEN_LOOKS = 64
# Measured on one machine, for `seconds_expected`.
_SECONDS_OF_A_CALL, _SECONDS_OF_A_TERM, _BITS_FOR_TWICE = 2e-5, 6e-7, 300


def beta_series(first: Fraction, second: Fraction, point: arb) -> arb:
    """Enclose S(first, second, point), 0 <= point < 1, first and second > 0.

    Where every way is too long the answer is a ball that says nothing.
    """
    total = first + second
    if total <= ctx.prec:
        return _hypergeometric(first, total, point)
    terms = _terms_needed(first, total, point)
    if total * ctx.prec <= _SUMMED_BY_FLINT and terms > _VERY_SHORT_SUM:
        return _hypergeometric(first, total, point)
    if terms <= _SHORT_SUM or (ctx.prec > _INTEGRAL_BITS and terms <= _LONGEST_SUM):
        return _sum_of_terms(first, total, point)
    return _hypergeometric(first, total, point) if ctx.prec <= _INTEGRAL_BITS else arb("nan")


def _hypergeometric(first: Fraction, total: Fraction, point: arb) -> arb:
    a = ball(first)
    return point.hypgeom_2f1(arb(1), ball(total), a + 1) / a


def _terms_needed(first: Fraction, total: Fraction, point: arb) -> float:
    """Estimate how many terms the working precision needs; a matter of speed alone.

    The terms rise up to n0 = (x c - a - 1)/(1 - x), and then fall like a Gaussian of variance
    (a + n0)/(1 - x), in the end geometrically.
    """
    x = float(point.mid())
    if not x < 1 or total > _LARGEST_IN_DOUBLES:
        return math.inf
    rising = max((float(point.mid() * ball(total)) - float(first) - 1) / (1 - x), 0.0)
    nats = ctx.prec * math.log(2)
    largest = x * max(1.0, float(total / (first + 1)))
    if largest < _FALLS_AT_ONCE:  # every ratio is below this one
        return 2 + nats / -math.log(max(largest, _SMALLEST_RATIO))
    return rising + math.sqrt(2 * nats * (float(first) + rising) / (1 - x)) + nats / (1 - x)


def _sum_of_terms(first: Fraction, total: Fraction, point: arb) -> arb:
    """Add up the series, with a geometric bound on what is left out.

    The ratio of the terms after the n-th is at most r = x max(1, (c + n)/(a + 1 + n)), since that
    fraction is monotone with limit 1; so the rest is at most the n-th term times r/(1 - r).
    """
    a, c = ball(first), ball(total)
    above, step = a + 1, c * point
    term = result = 1 / a
    count = 0
    negligible = arb(2) ** (-ctx.prec)
    while True:
        check_budget()
        for _ in range(_TERMS_BETWEEN_LOOKS):
            term = term * ((step + count * point) / (above + count))
            result = result + term
            count += 1
        ratio = (point * (c + count) / (above + count)).max(point)
        if ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest < result * negligible:
                return result + rest.union(arb(0))
        if not term.is_finite() or count > 2 * _LONGEST_SUM:
            return arb("nan")


def regularised_incomplete_beta(first: Fraction, second: Fraction, point: Fraction) -> arb:
    """Enclose I_point(first, second), 0 <= point <= 1, first and second > 0."""
    if point in (0, 1):
        return arb(int(point))
    if point * (first + second) > first:
        return 1 - _lower_part(second, first, 1 - point)
    return _lower_part(first, second, point)


def regularised_on_ball(
    first: Fraction, second: Fraction, point: arb, log_of_beta: arb, rest: arb | None = None
) -> arb:
    """Enclose I_x(first, second) for every x of a ball inside (0, 1), given log B(first, second).

    For many points and few parameters. Nothing is sharpened: the error is that of the ball and of
    the working precision, relative to I_x below x = a/(a+b) and to 1 - I_x above. ``rest`` is
    1 - x, where that is known better than the difference tells.
    """
    rest = 1 - point if rest is None else rest
    if ball(first + second) * point > ball(first):
        return 1 - _product(second, first, rest, point, log_of_beta)
    return _product(first, second, point, rest, log_of_beta)


def _product(first: Fraction, second: Fraction, point: arb, rest: arb, log_of_beta: arb) -> arb:
    logarithm = ball(first) * point.log() + ball(second) * rest.log()
    return (logarithm - log_of_beta).exp() * beta_series(first, second, point)


def seconds_expected(first: Fraction, second: Fraction, point: arb) -> float:
    """Guess how long one ``regularised_on_ball`` takes; a matter of speed alone."""
    if ball(first + second) * point > ball(first):
        first, second, point = second, first, 1 - point
    total = first + second
    if total <= ctx.prec:
        return _SECONDS_OF_A_CALL * (1 + ctx.prec / _BITS_FOR_TWICE)
    return _SECONDS_OF_A_CALL + _SECONDS_OF_A_TERM * _terms_needed(first, total, point)


def _lower_part(first: Fraction, second: Fraction, point: Fraction) -> arb:
    def value() -> arb:
        logarithm = ball(first) * ball(point).log() + ball(second) * ball(1 - point).log()
        power = (logarithm - log_beta(first, second)).exp()
        return power * beta_series(first, second, ball(point))

    return sharpened(value)
