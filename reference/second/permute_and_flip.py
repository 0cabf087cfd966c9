"""Second opinions on permute-and-flip in MPFR, directed; all are rigorous.

delta by a hyperbolic sine, its inverses by logarithms of exponentials.
"""

from __future__ import annotations

from fractions import Fraction

from ..enclosure import Enclosure
from .directed import Span, or_nothing, sharpened
from .opinion import second_opinion


@second_opinion("permute_and_flip.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, largest_loss: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose 2 e^((epsilon - r)/4) sinh((r - epsilon)/4)."""
    if largest_loss <= epsilon:
        return Enclosure.of(Fraction(0), bits)

    def found(work: int) -> Span:
        quarter = Span.of((largest_loss - epsilon) / 4, work)
        return (-quarter).exp() * (quarter.expm1() - (-quarter).expm1())

    return sharpened(bits, found).enclosure()


@second_opinion("permute_and_flip.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, largest_loss: Fraction, delta: Fraction) -> Enclosure:
    """Enclose 2 log(e^(r/2) - delta e^(r/2))."""
    if delta == 0:
        return Enclosure.of(largest_loss, bits)
    if delta == 1:
        return Enclosure.of(Fraction(0), bits)

    def found(work: int) -> Span:
        grown = Span.of(largest_loss / 2, work).exp()
        return Span.of(2, work) * (grown - Span.of(delta, work) * grown).log()

    answer = sharpened(bits, found)
    return Enclosure.of(Fraction(0), bits) if answer.sign < 0 else answer.enclosure()


@second_opinion("permute_and_flip.largest_loss_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def largest_loss_for_dp(bits: int, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose 2 log(e^(epsilon/2)/(1 - delta))."""
    if delta == 0:
        return Enclosure.of(epsilon, bits)
    if delta == 1:
        return Enclosure.infinite()

    def found(work: int) -> Span:
        grown = Span.of(epsilon / 2, work).exp()
        return Span.of(2, work) * (grown / Span.of(1 - delta, work)).log()

    return sharpened(bits, found).enclosure()
