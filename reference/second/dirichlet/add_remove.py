"""Second opinions on Gamma(alpha) against Gamma(alpha + step), a record added or removed.

Where the first engine sums one series for the difference of two incomplete gammas, these take the
difference of two series, and sums of positive terms for the divergence
(``gamma.gap``). All are rigorous.

The logarithm of the gamma pair's delta, from two incomplete gammas each by its own series.

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

from ...dyadic import PLUS_INFINITY, Dyadic
from ...enclosure import Enclosure
from ...likely import likely_answer
from ...precision import check_budget
from ..directed import OutOfReachError, Rounding, Span, hull, or_nothing, roundings
from ..gamma import gap
from ..opinion import second_opinion
from ..roots import bracketed
from .profile import odds_of
from .series import log_of


@second_opinion("dirichlet.add_remove.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, alpha: Fraction, step: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the gamma pair's hockey-stick divergence at e^epsilon; rigorous."""
    found = log_gamma_profile(bits, alpha, step, epsilon).exp_enclosure()
    return Enclosure(found.low, min(found.high, Dyadic(1)))


@second_opinion("dirichlet.add_remove.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, alpha: Fraction, step: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the smallest epsilon at which the gamma pair's delta is at most ``delta``; rigorous.

    0 from the total variation on, infinite at delta 0, else a root between two proved signs; where
    delta cannot be told from the total variation, maybe one alone.
    """
    if delta == 0:
        return Enclosure.infinite()
    room = log_gamma_profile(bits, alpha, step, Fraction(0)) - log_of(delta, bits)
    if room.sign < 0 or delta == 1:
        return Enclosure.of(Fraction(0), bits)

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_gamma_profile(precision, alpha, step, point)

    # Left of its value at 0, log delta falls by about alpha/step for each unit of epsilon.
    start = Fraction(max(room.middle, 2.0**-bits)) * step / alpha
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


@second_opinion("dirichlet.add_remove.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, alpha: Fraction, step: Fraction, order: Fraction) -> Enclosure:
    """Enclose the divergence as a sum of positive terms, infinite from (order-1) step >= alpha on.

    Rigorous; at order 1 by the same sum's limit.
    """
    if (order - 1) * step >= alpha:
        return Enclosure.infinite()
    return gap(bits, alpha, alpha + step, order).enclosure()


@second_opinion("dirichlet.add_remove.step_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def step_for_dp(bits: int, alpha: Fraction, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the largest step at which the gamma pair is (epsilon, delta)-private; rigorous.

    Delta increases in the step (proofs_notes/add-remove.md): two proved signs.
    """

    def excess(step: Fraction, precision: int) -> Span:
        return log_gamma_profile(precision, alpha, step, epsilon) - log_of(delta, precision)

    return bracketed(excess, alpha / (1 + epsilon), bits, likely=likely_answer()).enclosure()


@second_opinion("dirichlet.add_remove.step_for_renyi", engine="mpfr", rigorous=True)
@or_nothing
def step_for_renyi(bits: int, alpha: Fraction, order: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the largest step whose divergence is at most epsilon at this order; rigorous.

    The divergence increases in the step (proofs_notes/add-remove.md): two proved signs. Solved for
    odds = step/(limit - step), limit = alpha/(order-1), which stay apart below the limit.
    """
    limit = alpha / (order - 1) if order > 1 else None

    def step_at(odds: Fraction) -> Fraction:
        return alpha * odds if limit is None else limit * odds / (1 + odds)

    def excess(odds: Fraction, precision: int) -> Span:
        divergence = gap(precision, alpha, alpha + step_at(odds), order)
        return divergence.log() - log_of(epsilon, precision)

    beyond = None if limit is None else Fraction(1 << 2 * bits)
    likely = odds_of(likely_answer(), alpha, limit)
    found = bracketed(excess, Fraction(1), bits, beyond, likely=likely)
    low = Dyadic(0) if found.low is None else Dyadic.rounded(step_at(found.low), bits, up=False)
    last = limit if found.high is None else step_at(found.high)
    return Enclosure(low, PLUS_INFINITY if last is None else Dyadic.rounded(last, bits, up=True))


# A sum of more terms than this takes some seconds.
_MAX_TERMS = 1_000_000
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
            if n > _MAX_TERMS:
                break
    raise OutOfReachError


def _is_too_long(x: float, floor: float, bits: int) -> bool:
    """Whether term MAX_TERMS is not yet 2**-bits of the first, so that no sum of so many ends.

    The ratios of terms fall, the last of them is x/(floor + MAX_TERMS). A matter of speed alone.
    """
    return x > 0 and _MAX_TERMS * math.log((floor + _MAX_TERMS) / x) < bits * math.log(2)


def _terms(first: Fraction, rounding: Rounding, point: mpfr) -> Iterator[mpfr]:
    """Yield x^n/(a)_(n+1), a = p/q, as products of (q x)/(p + n q), all rounded one way."""
    one, below = mpz(first.denominator), mpz(first.numerator)
    mul, div = rounding.mul, rounding.div
    scaled, term = mul(point, one), div(one, below)
    while True:
        yield term
        below += one
        term = div(mul(term, scaled), below)
