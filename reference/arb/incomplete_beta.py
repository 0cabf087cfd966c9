"""The regularised incomplete beta function, through its series of positive terms.

With S(a, b, x) = sum over n >= 0 of (a + b)_n x^n / (a)_(n+1) = 2F1(1, a + b; a + 1; x) / a,

    I_x(a, b) = x^a (1 - x)^b / B(a, b) * S(a, b, x)          (DLMF 8.17.8)

Every term of S is positive, and FLINT bounds the truncation. Past x = a/(a+b) the series is long
and I_x is near 1, so there 1 - I_(1-x)(b, a) is evaluated instead; Arb's own `beta_lower` has
pockets there in which it is ten thousand times slower.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from .balls import ball, sharpened
from .gamma import log_beta


def beta_series(first: Fraction, second: Fraction, point: arb) -> arb:
    """Enclose S(first, second, point), 0 <= point < 1, first and second > 0."""
    one, a = arb(1), ball(first)
    return point.hypgeom_2f1(one, ball(first + second), ball(first + 1)) / a


def regularised_incomplete_beta(first: Fraction, second: Fraction, point: Fraction) -> arb:
    """Enclose I_point(first, second), 0 <= point <= 1, first and second > 0."""
    if point in (0, 1):
        return arb(int(point))
    if point * (first + second) > first:
        return 1 - _lower_part(second, first, 1 - point)
    return _lower_part(first, second, point)


def _lower_part(first: Fraction, second: Fraction, point: Fraction) -> arb:
    def value() -> arb:
        logarithm = ball(first) * ball(point).log() + ball(second) * ball(1 - point).log()
        power = (logarithm - log_beta(first, second)).exp()
        return power * beta_series(first, second, ball(point))

    return sharpened(value)
