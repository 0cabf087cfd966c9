"""Second opinions on discrete Gaussian noise in MPFR, directed; all are rigorous.

By sums of positive terms, outcome by outcome: delta is the mean of 1 - e^(epsilon - L) over the
losses L above epsilon, a divergence the logarithm of the mean of e^((order - 1) L). What is left of
a sum is below a geometric series (proofs_notes/discrete-noise.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

from ..enclosure import Enclosure
from ..likely import likely_answer
from ..precision import check_budget
from .directed import OutOfReachError, Span, hull, or_nothing
from .dirichlet.series import log_of
from .opinion import second_opinion
from .roots import bracketed

_MOST_TERMS, _TERMS_BETWEEN_LOOKS = 20_000, 64
_GUARD_BITS = 40
_NATS_PER_BIT = math.log(2)


@second_opinion("discrete_gaussian.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, scale: Fraction, sensitivity: int, epsilon: Fraction) -> Enclosure:
    """Enclose the mean of 1 - e^(epsilon - L) over the losses above epsilon."""
    return log_profile(bits, scale, sensitivity, epsilon).exp_enclosure()


def log_profile(bits: int, scale: Fraction, sensitivity: int, epsilon: Fraction) -> Span:
    """Enclose log delta, outcome by outcome from the first whose loss exceeds epsilon."""
    work, rate = bits + _GUARD_BITS, 1 / (2 * scale**2)
    # Outcomes k + sensitivity of the shifted law have the loss (2 k + sensitivity) sensitivity rate
    # twice; the first term's logarithm is taken out.
    first = (Fraction(sensitivity, 2) + epsilon * scale**2 / sensitivity) // 1 + 1 - sensitivity
    if first < -_MOST_TERMS:
        raise OutOfReachError
    start = max(first, 0)
    out = -rate * start**2

    def term(k: int) -> Span:
        loss = (2 * k + sensitivity) * sensitivity * rate
        own = Span.of(-rate * k * k - out, work).exp()
        return own * -(Span.of(epsilon - loss, work).expm1())

    total = Span.of(0, work)
    for k in range(first, start):
        _look(k)
        total = total + term(k)
    total = total + _sum_from(start, rate, work, term)
    logarithm = total.log() + Span.of(out, work)
    return logarithm - _log_whole(rate, work)


def _look(k: int) -> None:
    if k % _TERMS_BETWEEN_LOOKS == 0:
        check_budget()


def _sum_from(start: int, rate: Fraction, bits: int, term: Callable[[int], Span]) -> Span:
    """Enclose the sum of terms, each at most its part e^(-rate k^2) of a Gaussian, from k >= 0 on.

    Each is 1 - e^(-x) times that part, x rising: the sizes of the parts bound what is left.
    """
    needed = bits * _NATS_PER_BIT
    steps = math.sqrt(start * start + needed / float(rate)) - start if rate < 2**64 else 1.0
    last = start + math.ceil(steps) + 2
    if last - start > _MOST_TERMS:
        raise OutOfReachError
    total = Span.of(0, bits)
    for k in range(start, last):
        _look(k)
        total = total + term(k)
    one = Span.of(1, bits)
    ratio = Span.of(-rate * (2 * last + 1), bits).exp()
    rest = Span.of(-rate * (last * last - start * start), bits).exp() / (one - ratio)
    return total + hull(Span.of(0, bits), rest)


def _log_whole(rate: Fraction, bits: int) -> Span:
    """Enclose the logarithm of the sum of e^(-rate k^2) over all whole numbers."""

    def term(k: int) -> Span:
        return Span.of(-rate * k * k, bits).exp()

    total = _sum_from(0, rate, bits, term)
    return (total + total - Span.of(1, bits)).log()


@second_opinion("discrete_gaussian.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, scale: Fraction, sensitivity: int, delta: Fraction) -> Enclosure:
    """Enclose the smallest epsilon with at most ``delta`` between two proved signs."""
    if delta == 0:
        return Enclosure.infinite()
    room = log_profile(bits, scale, sensitivity, Fraction(0)) - log_of(delta, bits)
    if delta == 1 or room.sign < 0:
        return Enclosure.of(Fraction(0), bits)

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_profile(precision, scale, sensitivity, point)

    start = Fraction(max(room.middle, 2.0**-bits)) * sensitivity / scale
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


@second_opinion("discrete_gaussian.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, scale: Fraction, sensitivity: int, order: Fraction) -> Enclosure:
    """Enclose the logarithm of a power's mean, outcome by outcome, or the mean of the loss."""
    rate = 1 / (2 * scale**2)
    if order == 1:  # the shifted law's mean is the shift
        return Enclosure.of(sensitivity * sensitivity * rate, bits)
    work = bits + _GUARD_BITS
    place = order * sensitivity
    middle = round(place)
    # -rate (order (k - D)^2 - (order - 1) k^2) is -rate (k - place)^2 + rate place (place - D).
    away = place - middle

    def left(k: int) -> Span:
        return Span.of(-rate * k * (k + 2 * away), work).exp()

    def right(k: int) -> Span:
        return Span.of(-rate * k * (k - 2 * away), work).exp()

    total = _theta(rate, away, work, left) + _theta(rate, away, work, right) - Span.of(1, work)
    front = rate * (place * (place - sensitivity) - away * away)
    logarithm = Span.of(front, work) + total.log() - _log_whole(rate, work)
    return (logarithm / Span.of(order - 1, work)).enclosure()


def _theta(rate: Fraction, away: Fraction, bits: int, term: Callable[[int], Span]) -> Span:
    """Enclose the sum over k >= 0 of e^(-rate (k^2 +- 2 k away)), |away| at most 1/2.

    From the last term on each is at most e^(-2 rate k) of the one before.
    """
    needed = bits * _NATS_PER_BIT
    last = 3 + math.ceil(math.sqrt(needed / float(rate))) if rate < 2**64 else 3
    if last > _MOST_TERMS or 2 * abs(away) > 1:
        raise OutOfReachError
    total = Span.of(0, bits)
    for k in range(last):
        _look(k)
        total = total + term(k)
    ratio = Span.of(-2 * rate * last, bits).exp()
    rest = term(last) / (Span.of(1, bits) - ratio)
    return total + hull(Span.of(0, bits), rest)
