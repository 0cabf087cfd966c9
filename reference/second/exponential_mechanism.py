"""Second opinions on the exponential mechanism in MPFR, directed; all are rigorous.

delta by hyperbolic sines, its inverses by the other roots, the divergence as a sum of two powers.
"""

from __future__ import annotations

from fractions import Fraction

from ..enclosure import Enclosure
from .directed import Span, or_nothing, sharpened
from .opinion import second_opinion


def _sinh(half: Span) -> Span:
    return (half.expm1() - (-half).expm1()) / Span.of(2, half.bits)


def _root(of: Span) -> Span:
    return (of.log() / Span.of(2, of.bits)).exp()


@second_opinion("exponential_mechanism.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, loss_range: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose 2 e^(epsilon/2) sinh((r - epsilon)/4)^2/sinh(r/2)."""
    if loss_range <= epsilon:
        return Enclosure.of(Fraction(0), bits)

    def found(work: int) -> Span:
        quarter = _sinh(Span.of((loss_range - epsilon) / 4, work))
        front = Span.of(2, work) * Span.of(epsilon / 2, work).exp()
        return front * quarter * quarter / _sinh(Span.of(loss_range / 2, work))

    return sharpened(bits, found).enclosure()


@second_opinion("exponential_mechanism.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, loss_range: Fraction, delta: Fraction) -> Enclosure:
    """Enclose 2 log(e^(r/2) - sqrt(delta (e^r - 1)))."""
    if delta == 0:
        return Enclosure.of(loss_range, bits)

    def found(work: int) -> Span:
        grown = Span.of(loss_range / 2, work).exp()
        lost = _root(Span.of(delta, work) * Span.of(loss_range, work).expm1())
        return Span.of(2, work) * (grown - lost).log()

    if delta == 1:
        return Enclosure.of(Fraction(0), bits)
    answer = sharpened(bits, found)
    return Enclosure.of(Fraction(0), bits) if answer.sign < 0 else answer.enclosure()


@second_opinion("exponential_mechanism.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, loss_range: Fraction, order: Fraction) -> Enclosure:
    """Enclose the mean loss, or log(p e^((order-1) t) + (1-p) e^((order-1)(t-r)))/(order-1)."""

    def found(work: int) -> Span:
        r, one = Span.of(loss_range, work), Span.of(1, work)
        grown = r.exp()
        if order == 1:
            place = ((grown - one) / r).log()
            first = (grown - place.exp()) / (grown - one)
            return first * place + (one - first) * (place - r)
        power = Span.of(order - 1, work)
        fallen = (-(power * r)).exp()
        top = power * (grown - fallen) / (Span.of(order, work) * (one - fallen))
        first, place = (grown - top) / (grown - one), top.log()
        mean = first * (power * place).exp() + (one - first) * (power * (place - r)).exp()
        return mean.log() / power

    return sharpened(bits, found).enclosure()


@second_opinion("exponential_mechanism.loss_range_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def loss_range_for_dp(bits: int, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose -2 log((e^(epsilon/2) - sqrt(delta (e^epsilon - 1 + delta)))/(e^epsilon + delta))."""
    if delta == 0:
        return Enclosure.of(epsilon, bits)
    if delta == 1:
        return Enclosure.infinite()

    def found(work: int) -> Span:
        part, grown = Span.of(delta, work), Span.of(epsilon, work).exp()
        root = _root(part * (Span.of(epsilon, work).expm1() + part))
        low = (Span.of(epsilon / 2, work).exp() - root) / (grown + part)
        return -(Span.of(2, work) * low.log())

    return sharpened(bits, found).enclosure()
