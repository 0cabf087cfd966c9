"""The scores of quilts, of chains and networks alike, from exact ratios: logarithms by MPFR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

from gmpy2 import mpq

from ....enclosure import Enclosure
from ...directed import Span

Rational: TypeAlias = "mpq"
# The score of a quilt that leaves so many nodes and has that ratio; None where it is infinite.
Score: TypeAlias = "Callable[[int, Rational], Span | None]"


def influence_of(bits: int, ratio: Rational | None) -> Enclosure:
    """Enclose the logarithm of a largest ratio; None stands for an infinite one, 1 is exact."""
    if ratio is None:
        return Enclosure.infinite()
    return Enclosure.of(Fraction(0), bits) if ratio == 1 else _log(bits, ratio).enclosure()


def scale_score(bits: int, epsilon: Fraction) -> Score:
    """Return the scale that a quilt asks for this epsilon."""

    def score(near: int, ratio: Rational) -> Span | None:
        left = Span.of(epsilon, bits) - _log(bits, ratio)
        return None if left.sign < 0 else Span.of(near, bits) / left

    return score


def epsilon_score(bits: int, scales: Sequence[Fraction]) -> Score:
    """Return the epsilon that noise of these scales gives through a quilt."""
    rate = sum((1 / scale for scale in scales), Fraction(0))

    def score(near: int, ratio: Rational) -> Span:
        return Span.of(near * rate, bits) + _log(bits, ratio)

    return score


def _log(bits: int, ratio: Rational) -> Span:
    excess = ratio - 1
    return Span.of_ratio(int(excess.numerator), int(excess.denominator), bits).log1p()
