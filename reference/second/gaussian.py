"""Second opinions on Gaussian noise: Mills' ratios in MPFR, directed; all are rigorous.

With a = epsilon s - 1/(2s), b = epsilon s + 1/(2s), e^epsilon phi(b) = phi(a), so

    delta = phi(a) [R(a) - R(b)],   R(x) = (1 - Phi(x))/phi(x)     (proofs_notes/gaussian.md).

R is a continued fraction whose convergents lie on both sides of it by turns; where it would be
long, e^(x^2/2) times the complementary error function.
"""

from __future__ import annotations

import math
from fractions import Fraction

from gmpy2 import mpfr

from ..enclosure import Enclosure
from ..likely import likely_answer
from ..precision import check_budget
from .directed import OutOfReachError, Span, hull, or_nothing, roundings
from .dirichlet.series import log_of
from .opinion import second_opinion
from .roots import bracketed

_GUARD_BITS = 24
_MOST_DOUBLINGS = 4
# Below, and where more terms are needed, the error function is quicker.
_LEAST_OF_FRACTION, _MOST_TERMS = 4.0, 2_000
_NATS_PER_BIT = math.log(2)


@second_opinion("gaussian.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, noise_multiplier: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the hockey-stick of N(1, s^2) against N(0, s^2) by Mills' ratios."""
    return log_profile(bits, noise_multiplier, epsilon).exp_enclosure()


@second_opinion("gaussian.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, noise_multiplier: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the smallest epsilon with at most ``delta`` between two proved signs."""
    if delta == 0:
        return Enclosure.infinite()
    room = log_profile(bits, noise_multiplier, Fraction(0)) - log_of(delta, bits)
    if room.sign < 0 or delta == 1:
        return Enclosure.of(Fraction(0), bits)

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_profile(precision, noise_multiplier, point)

    start = Fraction(max(room.middle, 2.0**-bits)) / noise_multiplier
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


@second_opinion("gaussian.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, noise_multiplier: Fraction, order: Fraction) -> Enclosure:
    """Enclose half the order over the squared noise multiplier."""
    spread = Span.of(noise_multiplier, bits)
    return (Span.of(order, bits) / (spread * spread + spread * spread)).enclosure()


@second_opinion("gaussian.noise_multiplier_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def noise_multiplier_for_dp(bits: int, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the smallest noise multiplier between two proved signs."""

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_profile(precision, point, epsilon)

    start = 1 / (epsilon + delta)
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


def log_profile(bits: int, noise_multiplier: Fraction, epsilon: Fraction) -> Span:
    """Enclose log delta to about 2**-bits where four doublings leave room for what cancels."""
    # The two ratios agree in about log2 of (1 + epsilon s) s bits.
    agreeing = noise_multiplier * (1 + epsilon * noise_multiplier)
    work = bits + _GUARD_BITS + math.ceil(agreeing).bit_length()
    for _ in range(_MOST_DOUBLINGS):
        found = log_profile_at(noise_multiplier, Span.of(epsilon, work))
        _, up = roundings(work)
        if up.mul_2exp(up.sub(found.high, found.low), bits) <= 1:
            break
        work *= 2
    return found


def log_profile_at(noise_multiplier: Fraction, epsilon: Span) -> Span:
    """Enclose log delta at an enclosed epsilon, at its precision."""
    bits = epsilon.bits
    scaled, half = (
        epsilon * Span.of(noise_multiplier, bits),
        Span.of(1 / (2 * noise_multiplier), bits),
    )
    near, far = scaled - half, scaled + half
    square = near * near / Span.of(2, bits)
    log_density = -square - log_root_of_two_pi(bits)
    if near.sign >= 0:
        return log_density + (_mills(near) - _mills(far)).log()
    # Left of 0 the first ratio would be huge: delta = Phi(-a) - phi(a) R(b).
    return (_tail(near) - log_density.exp() * _mills(far)).log()


def log_root_of_two_pi(bits: int) -> Span:
    """Enclose log(2 pi)/2."""
    down, up = roundings(bits)
    return (Span(down.const_pi(), up.const_pi()) * Span.of(2, bits)).log() / Span.of(2, bits)


def _tail(point: Span) -> Span:
    """Enclose the chance that a standard normal exceeds a point; it falls."""
    down, up = roundings(point.bits)
    scaled = point / _root_of_two(point.bits)
    two = mpfr(2, point.bits)
    return Span(down.div(down.erfc(scaled.high), two), up.div(up.erfc(scaled.low), two))


def _root_of_two(bits: int) -> Span:
    down, up = roundings(bits)
    two = mpfr(2, bits)
    return Span(down.sqrt(two), up.sqrt(two))


def _mills(point: Span) -> Span:
    """Enclose Mills' ratio of a positive number; it falls, so both ends are enough."""
    if not point.low > 0:
        return _by_error_function(point)
    low, high = Span(point.high, point.high), Span(point.low, point.low)
    if point.low == point.high:
        return _mills_at(low)
    return hull(_mills_at(low), _mills_at(high))


def _mills_at(point: Span) -> Span:
    size = point.middle
    if not math.isfinite(size):
        raise OutOfReachError
    terms = math.ceil((point.bits * _NATS_PER_BIT) ** 2 / (8 * size * size)) + 8
    if size < _LEAST_OF_FRACTION or terms > _MOST_TERMS:
        return _by_error_function(point)
    return hull(_convergent(point, terms), _convergent(point, terms + 1))


def _convergent(point: Span, terms: int) -> Span:
    """Enclose 1/(x + 1/(x + 2/(x + ... + terms/x))), below R for odd numbers of terms."""
    check_budget()
    value = point
    for n in range(terms, 0, -1):
        value = point + Span.of(n, point.bits) / value
    return Span.of(1, point.bits) / value


def _by_error_function(point: Span) -> Span:
    square = point * point / Span.of(2, point.bits)
    return (square + log_root_of_two_pi(point.bits)).exp() * _tail(point)
