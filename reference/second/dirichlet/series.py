"""The logarithm of the exact profile, by series all of whose terms are positive.

With q = 1/(1 + e^(epsilon/step)) and F = q^alpha (1-q)^(alpha+step) / B(alpha, alpha+step),

    delta     = F * sum of T_n                                    (proofs_notes/positive-series.md)
    1 - delta = F * [S(alpha+step, alpha, 1-q) + S(alpha+step, alpha, q)]

where S(a, b, x) = sum of (a+b)_n x^n / (a)_(n+1) (DLMF 8.17.8). The second line is what reflection,
I_q(a, b) = 1 - I_(1-q)(b, a), makes of the definition, because e^epsilon = ((1-q)/q)^step; it
serves where the step is so large that delta is not small, and T_n would grow for about step terms
before it falls. Sums of positive terms are rounded down throughout for the lower end and up
throughout for the upper one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

import gmpy2
from gmpy2 import mpfr, mpz

from ...dyadic import Dyadic
from ...precision import check_budget
from ..directed import OutOfReachError, Rounding, Span, roundings
from .profile_integral import log_integral

# A sum of more terms than this takes too long: a second, and often there are several of them.
MAX_TERMS = 200_000
# A sum of more terms than this times the square of the bits takes longer than the integral.
_LONG_SUM = 0.4
# A smaller step leaves no delta so near to 1 that a bound on the rest would do.
_LEAST_STEP = 64
_SHORT_BITS = 64
# The estimate of the number of terms is made in doubles, which must hold 2 alpha + step.
_LARGEST_WHOLE = 2**1000
# The clock and the size of the remainder are looked at once in so many terms.
_TERMS_BETWEEN_LOOKS = 16
# What some thousand roundings take from the sums, and a dozen from the rest.
_GUARD_BITS = 24

# A sum's terms, all rounded one way, from one end of the point.
_Terms: TypeAlias = Callable[[Rounding, mpfr], Iterator[mpfr]]
# Bounds every ratio of consecutive terms from the n-th on, the point's factor left out.
_Ratio: TypeAlias = Callable[[int], Fraction]


def log_profile(bits: int, alpha: Fraction, step: Fraction, epsilon: Fraction) -> Span:
    """Enclose log delta(epsilon) of the dominating pair, its absolute error near 2**-bits.

    Rigorous: every rounding is directed and every remainder bounded. Where delta is next to 1 a
    bound on the rest says so; where the sum is long it is taken as an integral. Raises
    OutOfReachError where each way would be too long.
    """
    work = bits + _GUARD_BITS + _bits_lost(alpha, step, epsilon)
    slope = Span.of(epsilon / step, work)
    log_rest = -(-slope).exp().log1p()  # log(1 - q)
    log_point = log_rest - slope  # log q
    point, rest = log_point.exp(), log_rest.exp()
    whole = log_beta(alpha, alpha + step, bits + _GUARD_BITS + _bits_of_log_gamma(alpha, step))
    if step > _LEAST_STEP:
        hidden = _log_hidden(alpha, step, slope, point, whole)
        if hidden is not None and hidden.high < -bits:  # nats, and so more than enough
            return Span((-(hidden.exp())).log1p().low, Span.of(0, work).high)
    log_front = Span.of(alpha, work) * log_point + Span.of(alpha + step, work) * log_rest - whole
    direct, mirrored = _terms_of_both(bits + _GUARD_BITS, alpha, step, point.middle)
    if min(direct, mirrored) > _LONG_SUM * (bits + _GUARD_BITS) ** 2 and point.low > 0:
        return log_front + log_integral(bits, alpha, step, point)
    if min(direct, mirrored) > MAX_TERMS:
        raise OutOfReachError
    if direct <= mirrored:
        return log_front + _profile_sum(alpha, step, point).log()
    sums = beta_sum(alpha + step, alpha, rest) + beta_sum(alpha + step, alpha, point)
    return (-(log_front.exp() * sums)).log1p()


def _log_hidden(
    alpha: Fraction, step: Fraction, slope: Span, point: Span, log_of_beta: Span
) -> Span | None:
    """Enclose an upper bound on log(1 - delta), or None where delta is not near 1.

    That is m epsilon/step + log B(alpha + m, alpha + step - m) - log B(alpha, alpha + step), for
    any m between 0 and step (proofs_notes/profile-integral.md); the best is near
    (2 alpha + step) q - alpha.
    """
    bits = log_of_beta.bits
    best = Span.of(2 * alpha + step, bits) * point - Span.of(alpha, bits)
    if not (gmpy2.is_finite(best.low) and best.low > 0):
        return None
    moved = Dyadic.rounded(best.low_fraction, _SHORT_BITS, up=False).as_fraction()
    if not (isinstance(moved, Fraction) and 0 < moved < step):
        return None
    moment = log_beta(alpha + moved, alpha + step - moved, bits) - log_of_beta
    return Span.of(moved, bits) * slope + moment


def log_beta(first: Fraction, second: Fraction, bits: int) -> Span:
    """Enclose log B(first, second) through MPFR's log Gamma; it cancels near its zeros."""
    together = Span.of(first + second, bits).lgamma()
    return Span.of(first, bits).lgamma() + Span.of(second, bits).lgamma() - together


def log_of(value: Fraction, bits: int) -> Span:
    """Enclose the logarithm of a positive rational, precisely near 1 too."""
    if 2 * abs(value - 1) < 1:
        return Span.of(value - 1, bits).log1p()
    return Span.of(value, bits).log()


def _bits_lost(alpha: Fraction, step: Fraction, epsilon: Fraction) -> int:
    """Bits before the binary point of the powers' logarithms, which mostly cancel."""
    size = int(alpha * epsilon / step + 2 * alpha + step) + 1
    return size.bit_length() + size.bit_length().bit_length()


def _bits_of_log_gamma(alpha: Fraction, step: Fraction) -> int:
    """Bits before the binary point of the log Gammas, which mostly cancel, too."""
    size = int(2 * alpha + step) + alpha.denominator.bit_length() + step.denominator.bit_length()
    return size.bit_length() + size.bit_length().bit_length()


def _terms_of_both(bits: int, alpha: Fraction, step: Fraction, point: float) -> tuple[float, float]:
    """Estimate how many terms the two lines take, infinitely many where one does not serve.

    The second costs nothing but terms where the step exceeds some standard deviations of P and Q:
    there 1 - delta leaves most of the bits of delta.
    """
    whole = 2 * alpha + step
    if whole > _LARGEST_WHOLE:
        return math.inf, math.inf
    direct = terms_expected(bits, point, 1 - point, float(whole), float(alpha + 1))
    if step * step <= 4 * whole:
        return direct, math.inf
    return direct, terms_expected(bits, 1 - point, point, float(whole), float(alpha + step + 1))


def terms_expected(bits: int, point: float, rest: float, above: float, below: float) -> float:
    """Estimate how many terms of ratio x (above+n)/(below+n) matter; a matter of speed only."""
    nats = bits * math.log(2)
    ratio = point * max(1.0, above / below)
    geometric = nats / -math.log(ratio) if 0 < ratio < 1 else 0.0 if ratio == 0 else math.inf
    if rest == 0:
        return geometric
    peak = max(0.0, (point * above - below) / rest)
    spread = (nats + math.sqrt(nats * nats + 2 * nats * rest * (below + peak))) / rest
    return min(peak + spread, geometric)


def _profile_sum(alpha: Fraction, step: Fraction, point: Span) -> Span:
    """Enclose the sum of T_n.

    The remainder after T_n is at most T_n rho/(1-rho), once rho = q (1+1/(n+1)) max{1, r} < 1,
    r = (2 alpha+step+n)/(alpha+n+1); the note proves the ratio.
    """

    def ratio(n: int) -> Fraction:
        return Fraction(n + 2, n + 1) * max(Fraction(1), (2 * alpha + step + n) / (alpha + n + 1))

    return _enclosed(point, ratio, lambda *way: _profile_terms(alpha, step, *way))


def _profile_terms(
    alpha: Fraction, step: Fraction, rounding: Rounding, point: mpfr
) -> Iterator[mpfr]:
    """Yield T_0 = step/(alpha(alpha+step)), and on by the recurrence for T_n and U_n.

    f_n = q(2 alpha+step+n-1), T_n = f_n/(alpha+n) (T_(n-1) + U_(n-1) step/(alpha+step+n)),
    U_n = f_n U_(n-1)/(alpha+step+n), all multiplied out to integers over one denominator.
    """
    one, (low, gap) = _over_one_denominator(alpha, step)
    above = low + gap
    factor, below_t, below_u = low + above, low + one, above + one
    term, other = rounding.div(gap * one, low * above), rounding.div(one, above)
    add, mul, div = rounding.add, rounding.mul, rounding.div
    while True:
        yield term
        grown, shared = mul(point, factor), div(other, below_u)
        term = div(mul(add(term, mul(shared, gap)), grown), below_t)
        other = mul(shared, grown)
        factor, below_t, below_u = factor + one, below_t + one, below_u + one


def beta_sum(first: Fraction, second: Fraction, point: Span) -> Span:
    """Enclose S(first, second, point).

    Term m+1 is x (a+b+m)/(a+1+m) of term m, at most x max{1, the same at n} from m = n on.
    """

    def ratio(n: int) -> Fraction:
        return max(Fraction(1), (first + second + n) / (first + 1 + n))

    return _enclosed(point, ratio, lambda *way: _beta_terms(first, second, *way))


def _beta_terms(
    first: Fraction, second: Fraction, rounding: Rounding, point: mpfr
) -> Iterator[mpfr]:
    """Yield (a+b)_n x^n / (a)_(n+1)."""
    one, (low, gap) = _over_one_denominator(first, second)
    factor, below = low + gap, low
    term = rounding.div(one, low)
    mul, div = rounding.mul, rounding.div
    while True:
        yield term
        below += one
        term = div(mul(mul(term, point), factor), below)
        factor += one


def _over_one_denominator(first: Fraction, second: Fraction) -> tuple[mpz, tuple[mpz, mpz]]:
    shared = math.lcm(first.denominator, second.denominator)
    return mpz(shared), (mpz(int(first * shared)), mpz(int(second * shared)))


def _enclosed(point: Span, ratio: _Ratio, terms: _Terms) -> Span:
    """Enclose a sum of positive terms that increase with the point, remainder included."""
    _, up = roundings(point.bits)
    low, count = _summed_until_small(point, ratio, terms)
    high = last = mpfr(0, point.bits)
    for term in islice(terms(up, point.high), count):
        high, last = up.add(high, term), term
    rho = point * Span.of(ratio(count - 1), point.bits)
    left = Span.of(1, point.bits) - rho
    if left.sign <= 0:  # the floats that stopped the sum were wrong in their last digit
        return Span(low, mpfr("inf", point.bits))
    return Span(low, up.add(high, up.mul(last, (rho / left).high)))


def _summed_until_small(point: Span, ratio: _Ratio, terms: _Terms) -> tuple[mpfr, int]:
    """Return a lower bound on the sum, and after how many terms the rest does not matter."""
    down, _ = roundings(point.bits)
    partial = mpfr(0, point.bits)
    for n, term in enumerate(terms(down, point.low)):
        partial = down.add(partial, term)
        if n % _TERMS_BETWEEN_LOOKS == _TERMS_BETWEEN_LOOKS - 1:
            check_budget()
            rho = point.middle * float(ratio(n))
            if rho < 1 and down.mul(term, rho / (1 - rho)) < down.div_2exp(partial, point.bits):
                return partial, n + 1
            if n > 2 * MAX_TERMS:
                break
    raise OutOfReachError
