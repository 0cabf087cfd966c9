"""Second opinions on discrete Laplace noise in MPFR, directed; all are rigorous.

By tails: the noise is at least j >= 0 with chance a^j/(1 + a), a = e^(-1/t), and the loss exceeds
epsilon from one whole number on (proofs_notes/discrete-noise.md). Divergences outcome by outcome.
"""

from __future__ import annotations

from fractions import Fraction

from ..enclosure import Enclosure
from ..likely import likely_answer
from ..precision import check_budget
from .directed import OutOfReachError, Span, or_nothing, sharpened
from .dirichlet.series import log_of
from .opinion import second_opinion
from .roots import bracketed

_MOST_OUTCOMES = 20_000


@second_opinion("discrete_laplace.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, scale: Fraction, sensitivity: int, epsilon: Fraction) -> Enclosure:
    """Enclose the chance of a larger loss less e^epsilon times that under the other law."""
    if epsilon * scale >= sensitivity:
        return Enclosure.of(Fraction(0), bits)
    return sharpened(bits, lambda work: _delta(scale, sensitivity, epsilon, work)).enclosure()


def _delta(scale: Fraction, sensitivity: int, epsilon: Fraction, bits: int) -> Span:
    """Enclose delta where it is positive: the loss at m is (2m - sensitivity)/t."""
    first = (sensitivity + epsilon * scale) / 2 // 1 + 1
    one = Span.of(1, bits)
    below = Span.of((first - 1 - sensitivity) / scale, bits).exp()
    far = Span.of(epsilon - first / scale, bits).exp()
    return one - (below + far) / (one + Span.of(-1 / scale, bits).exp())


@second_opinion("discrete_laplace.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, scale: Fraction, sensitivity: int, delta: Fraction) -> Enclosure:
    """Enclose the root of delta - target between two proved signs."""
    most = sensitivity / scale
    if delta == 0:
        return Enclosure.of(most, bits)
    at_zero = sharpened(bits, lambda work: _delta(scale, sensitivity, Fraction(0), work))
    if delta == 1 or (at_zero - Span.of(delta, bits)).sign < 0:
        return Enclosure.of(Fraction(0), bits)

    def excess(point: Fraction, precision: int) -> Span:
        if point >= most:
            return Span.of(1, precision)
        found = sharpened(precision, lambda work: _delta(scale, sensitivity, point, work))
        return log_of(delta, precision) - found.log()

    return bracketed(excess, most, bits, likely=likely_answer()).enclosure()


@second_opinion("discrete_laplace.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, scale: Fraction, sensitivity: int, order: Fraction) -> Enclosure:
    """Enclose the logarithm of a power's mean, or the mean of the loss, outcome by outcome."""
    if sensitivity > _MOST_OUTCOMES:
        raise OutOfReachError
    return sharpened(bits, lambda work: _renyi(1 / scale, sensitivity, order, work)).enclosure()


def _renyi(shift: Fraction, sensitivity: int, order: Fraction, bits: int) -> Span:
    check_budget()
    one, root = Span.of(1, bits), Span.of(-shift, bits).exp()
    # Chances times 1 + a, by how far an outcome is below the largest loss: 2 j shift.
    chance, rest = root, one - root
    chances = [one]
    for _ in range(1, sensitivity):
        chances.append(rest * chance)
        chance = chance * root
    chances.append(chance)
    if order == 1:
        total = Span.of(0, bits)
        for j, each in enumerate(chances):
            total = total + each * Span.of((sensitivity - 2 * j) * shift, bits)
        return total / (one + root)
    factor = Span.of(-2 * (order - 1) * shift, bits).exp()
    total, power = Span.of(0, bits), one
    for each in chances:
        total, power = total + each * power, power * factor
    relative = (total / (one + root)).log() / Span.of(order - 1, bits)
    return Span.of(sensitivity * shift, bits) + relative


@second_opinion("discrete_laplace.noise_multiplier_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def noise_multiplier_for_dp(
    bits: int, sensitivity: int, epsilon: Fraction, delta: Fraction
) -> Enclosure:
    """Enclose the root of the target less delta between two proved signs."""
    if delta == 0:
        return Enclosure.of(1 / epsilon, bits)

    def excess(point: Fraction, precision: int) -> Span:
        if epsilon * point >= 1:
            return Span.of(1, precision)
        scale = point * sensitivity
        found = sharpened(precision, lambda work: _delta(scale, sensitivity, epsilon, work))
        return log_of(delta, precision) - found.log()

    start = 1 / (epsilon + delta)
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()
