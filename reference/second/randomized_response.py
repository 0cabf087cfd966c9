"""Second opinions on randomized response in MPFR, directed; all are rigorous.

Through l = log(p/r), p the likelier answer's chance: delta = p (1 - e^(epsilon - l)).
"""

from __future__ import annotations

from fractions import Fraction

from ..enclosure import Enclosure
from .directed import Span, or_nothing, sharpened
from .dirichlet.series import log_of
from .opinion import second_opinion


def _chances(categories: int, truth_probability: Fraction) -> tuple[Fraction, Fraction]:
    """Return the chances of the likelier and of the less likely answer."""
    other = (1 - truth_probability) / (categories - 1)
    return (other, truth_probability) if other > truth_probability else (truth_probability, other)


@second_opinion("randomized_response.delta", engine="mpfr", rigorous=True)
@or_nothing
def delta(bits: int, categories: int, truth_probability: Fraction, epsilon: Fraction) -> Enclosure:
    """Enclose the likelier answer's chance times 1 - e^(epsilon - largest loss)."""
    high, low = _chances(categories, truth_probability)
    if low == 0:
        return Enclosure.of(high, bits)

    def found(work: int) -> Span:
        left = Span.of(epsilon, work) - log_of(high / low, work)
        return -(Span.of(high, work) * left.expm1())

    answer = sharpened(bits, found)
    if answer.sign < 0:
        return Enclosure.of(Fraction(0), bits)
    return answer.enclosure()


@second_opinion("randomized_response.epsilon", engine="mpfr", rigorous=True)
@or_nothing
def epsilon(bits: int, categories: int, truth_probability: Fraction, delta: Fraction) -> Enclosure:
    """Enclose the largest loss plus log(1 - delta/p)."""
    high, low = _chances(categories, truth_probability)
    if high - low <= delta:
        return Enclosure.of(Fraction(0), bits)
    if low == 0:
        return Enclosure.infinite()

    def found(work: int) -> Span:
        return log_of(high / low, work) + log_of(1 - delta / high, work)

    return sharpened(bits, found).enclosure()


@second_opinion("randomized_response.renyi", engine="mpfr", rigorous=True)
@or_nothing
def renyi(bits: int, categories: int, truth_probability: Fraction, order: Fraction) -> Enclosure:
    """Enclose the logarithm of the mean of powers of the likelihood ratio, answer by answer."""
    high, low = _chances(categories, truth_probability)
    if high == low:
        return Enclosure.of(Fraction(0), bits)
    if low == 0:
        return Enclosure.infinite()
    others = (categories - 2) * ((1 - truth_probability) / (categories - 1))

    def found(work: int) -> Span:
        loss = log_of(high / low, work)
        first, second = Span.of(high, work), Span.of(low, work)
        if order == 1:
            return (first - second) * loss
        power = Span.of(order - 1, work)
        even = (-(power * loss)).exp()
        # Relative to the likelier answer's power.
        mean = first + Span.of(others, work) * even + second * (even * even)
        return loss + mean.log() / power

    return sharpened(bits, found).enclosure()


@second_opinion("randomized_response.truth_probability_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def truth_probability_for_dp(
    bits: int, categories: int, epsilon: Fraction, delta: Fraction
) -> Enclosure:
    """Enclose 1 less the chance of an untrue answer, (k - 1)(1 - delta)/(e^epsilon + k - 1)."""
    if delta == 1:
        return Enclosure.of(Fraction(1), bits)

    def found(work: int) -> Span:
        others = Span.of(categories - 1, work)
        lost = others * Span.of(1 - delta, work) / (Span.of(epsilon, work).exp() + others)
        return Span.of(1, work) - lost

    return sharpened(bits, found).enclosure()
