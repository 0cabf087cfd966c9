"""Second opinions on Laplace noise in MPFR, directed, from the law of the loss; all are rigorous.

With m = 1/b the loss of Lap(1, b) against Lap(0, b) is m with chance 1/2 and -m with chance
e^(-m)/2, and exceeds l in between with chance 1 - e^((l - m)/2)/2, under the other law with
e^(-(l + m)/2)/2 (proofs_notes/laplace.md).
"""

from __future__ import annotations

from fractions import Fraction

from ..enclosure import Enclosure
from ..likely import likely_answer
from .directed import Span, or_nothing, sharpened
from .dirichlet.series import log_of
from .opinion import second_opinion
from .roots import bracketed


@second_opinion("laplace.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, noise_multiplier: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the chance of a larger loss less e^epsilon times that under the other law."""
    if epsilon >= 1 / noise_multiplier:
        return Enclosure.of(Fraction(0), bits)
    return sharpened(bits, lambda work: _delta(noise_multiplier, epsilon, work)).enclosure()


def _delta(noise_multiplier: Fraction, epsilon: Fraction, bits: int) -> Span:
    half, one = (Span.of(Fraction(1, part), bits) for part in (2, 1))
    most = Span.of((epsilon - 1 / noise_multiplier) / 2, bits)
    least = Span.of((epsilon + 1 / noise_multiplier) / 2, bits)
    above = one - most.exp() * half
    return above - Span.of(epsilon, bits).exp() * ((-least).exp() * half)


@second_opinion("laplace.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, noise_multiplier: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the root of delta - target between two proved signs."""
    if delta == 0:
        return Enclosure.of(1 / noise_multiplier, bits)
    if delta == 1 or (_delta(noise_multiplier, Fraction(0), bits) - Span.of(delta, bits)).sign < 0:
        return Enclosure.of(Fraction(0), bits)

    def excess(point: Fraction, precision: int) -> Span:
        if point >= 1 / noise_multiplier:
            return Span.of(1, precision)
        found = sharpened(precision, lambda work: _delta(noise_multiplier, point, work))
        return log_of(delta, precision) - found.log()

    start = 1 / noise_multiplier
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


@second_opinion("laplace.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, noise_multiplier: Fraction, order: Fraction) -> Enclosure:
    """Enclose the logarithm of a power's mean, or the mean, atom by atom and between them."""
    return sharpened(bits, lambda work: _renyi(1 / noise_multiplier, order, work)).enclosure()


def _renyi(shift: Fraction, order: Fraction, bits: int) -> Span:
    m, half = Span.of(shift, bits), Span.of(Fraction(1, 2), bits)
    low = (-m).exp()
    if order == 1:
        # The mean of both atoms, and the integral of l e^((l - m)/2)/4 over (-m, m).
        atoms = m * half - m * half * low
        between = m * half - Span.of(1, bits) + low * (m * half + Span.of(1, bits))
        return atoms + between
    power, twice = Span.of(order - 1, bits), Span.of(2 * order - 1, bits)
    # Relative to the upper atom's e^((order - 1) m).
    far = (-(twice * m)).exp()
    atoms = (Span.of(1, bits) + far) * half
    between = -(-(twice * m)).expm1() / (twice + twice)
    return m + (atoms + between).log() / power


@second_opinion("laplace.noise_multiplier_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def noise_multiplier_for_dp(bits: int, epsilon: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the reciprocal of the shift at which e^((epsilon - shift)/2) is 1 - delta."""
    if delta == 0:
        return Enclosure.of(1 / epsilon, bits)

    def shift(work: int) -> Span:
        kept = log_of(1 - delta, work)
        return Span.of(epsilon, work) - kept - kept

    return (Span.of(1, bits + 8) / sharpened(bits + 8, shift)).enclosure()
