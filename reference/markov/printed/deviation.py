"""The lower bound that both papers print for the mean absolute deviation of one coordinate."""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ...arb.balls import ball, sharpened
from ...arb.gamma import log_beta


def least_deviation_as_printed(k: Fraction, low: Fraction, rest: Fraction) -> arb:
    """Enclose 2 low^(k (1-rest)) rest^(k (1-low)) / (k B(k low, k rest)), low + rest <= 1.

    It is a lower bound of the mean absolute deviation of a coordinate whose mean p is at least
    ``low`` and 1 - p at least ``rest``: each factor is bounded for itself, so it is a far one
    (benvenuti2025 Lemma 8, fallin2023 (34) and (37); proofs_notes/markov-printed.md).
    """
    return sharpened(lambda: _logarithm(k, low, rest).exp() * ball(2 / k))


def _logarithm(k: Fraction, low: Fraction, rest: Fraction) -> arb:
    powers = ball(k * (1 - rest)) * ball(low).log() + ball(k * (1 - low)) * ball(rest).log()
    return powers - log_beta(k * low, k * rest)


def as_ball(value: arb | Fraction) -> arb:
    """Return the ball of a number; a ball is itself."""
    return ball(value) if isinstance(value, Fraction) else value
