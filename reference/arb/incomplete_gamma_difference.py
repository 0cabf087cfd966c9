"""A difference of two lower incomplete gamma series, term by term without subtraction.

With V(a) = sum over n >= 0 of x^n/(a)_(n+1), for which P(a, x) = x^a e^-x/Gamma(a) * V(a), this is
V(a) - V(a + shift). Its terms T_n = x^n [1/(a)_(n+1) - 1/(a+shift)_(n+1)] are positive and obey

    T_n = x/(a+n) * [T_(n-1) + U_(n-1) shift/(a+shift+n)],   U_n = x U_(n-1)/(a+shift+n),

so no digit cancels however small the shift (proofs_notes/add-remove.md).
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, ctx

from ..precision import check_budget
from .balls import ball

_TERMS_BETWEEN_LOOKS = 32
# A sum of more terms than this is not begun: some ten seconds on one machine.
_LONGEST_SUM = 10_000_000


def series_difference(parameter: Fraction, shift: Fraction, point: arb) -> arb:
    """Enclose V(parameter) - V(parameter + shift) at ``point`` = x >= 0, both above 0.

    Each T_(m+1)/T_m with m >= n is at most r = x (n+2)/((n+1)(a+n+1)), so what follows T_n is at
    most T_n r/(1 - r). Where the sum is too long the answer is a ball that says nothing.
    """
    if not _terms_needed(parameter, point) < _LONGEST_SUM:
        return arb("nan")
    low, high, move = ball(parameter), ball(parameter + shift), ball(shift)
    other = 1 / high
    term = result = move * other / low
    negligible, count = arb(2) ** -ctx.prec, 0
    while term.is_finite():
        check_budget()
        for _ in range(_TERMS_BETWEEN_LOOKS):
            count += 1
            factor = 1 / (high + count)
            term = (term + other * move * factor) * point / (low + count)
            other = other * point * factor
            result += term
        ratio = point * (count + 2) / ((low + count + 1) * (count + 1))
        if ratio < 1:
            rest = term * ratio / (1 - ratio)
            if rest.abs_upper() < result.abs_upper() * negligible:
                return result + rest.union(arb(0))
    return arb("nan")


def _terms_needed(parameter: Fraction, point: arb) -> float:
    """Estimate the number of terms: rising up to x - a, then falling like a Gaussian."""
    beyond = _LONGEST_SUM**2  # where the sum is hopeless, and a float need not hold the number
    if not point.is_finite() or parameter > beyond or point > beyond:
        return math.inf
    a, x, nats = float(parameter), float(point.mid()), ctx.prec * math.log(2)
    return max(x - a, 0.0) + math.sqrt(2 * nats * max(a, x)) + nats
