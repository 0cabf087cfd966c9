"""Second opinions on max-divergence and closeness: differences of logarithms, entry by entry."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ...enclosure import Enclosure
from ..directed import Span, or_nothing, sharpened
from ..opinion import second_opinion
from ..series import log_of
from .line import largest


@second_opinion("pufferfish.max_divergence", engine="mpfr", rigorous=True)
@or_nothing
def max_divergence(bits: int, p: Sequence[Fraction], q: Sequence[Fraction]) -> Enclosure:
    """Enclose the largest log p_i - log q_i; rigorous."""
    return _largest_difference(bits, [(p, q)])


@second_opinion("pufferfish.closeness", engine="mpfr", rigorous=True)
@or_nothing
def closeness(
    bits: int,
    p: Sequence[Fraction],
    q: Sequence[Fraction],
    secrets: Sequence[Sequence[int]],
) -> Enclosure:
    """Enclose the largest difference of the logarithms of both laws given a secret; rigorous.

    log p_i - log P(secret) - log q_i + log Q(secret), where the first engine takes ratios of
    conditional probabilities.
    """
    pairs = []
    for secret in secrets:
        ours, theirs = ([law[number - 1] for number in secret] for law in (p, q))
        pairs += [(ours, theirs), (theirs, ours)] if any(ours) or any(theirs) else []
    return _largest_difference(bits, pairs)


def _largest_difference(
    bits: int, pairs: Sequence[tuple[Sequence[Fraction], Sequence[Fraction]]]
) -> Enclosure:
    """Enclose the largest log-ratio of the first to the second of a pair, each over its sum."""
    if any(_exceeds(first, second) for first, second in pairs):
        return Enclosure.infinite()
    if all(_is_proportional(first, second) for first, second in pairs):
        return Enclosure.of(Fraction(0))

    def at(precision: int) -> Span:
        return largest(
            log_of(ours, precision) - log_of(theirs, precision) + log_of(total, precision)
            for first, second in pairs
            for total in [sum(second, Fraction(0)) / sum(first, Fraction(0))]
            for ours, theirs in zip(first, second, strict=True)
            if ours
        )

    return sharpened(bits, at).enclosure()


def _exceeds(first: Sequence[Fraction], second: Sequence[Fraction]) -> bool:
    """Whether the first is positive somewhere where the second is not."""
    return any(ours and not theirs for ours, theirs in zip(first, second, strict=True))


def _is_proportional(first: Sequence[Fraction], second: Sequence[Fraction]) -> bool:
    whole, their_whole = sum(first), sum(second)
    pairs = zip(first, second, strict=True)
    return all(ours * their_whole == theirs * whole for ours, theirs in pairs)
