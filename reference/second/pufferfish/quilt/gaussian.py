"""Second opinions on Gaussian Markov quilts: node by node, quilt by quilt, roots in MPFR.

Of all quilts that leave so many nodes near the protected one that with the least ratio is chosen in
exact rationals, as for Laplace noise; only then it is asked what normal noise it takes.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from ....enclosure import Enclosure
from ....structures import ChainLaw
from ...directed import OutOfReachError, Span, or_nothing
from ...dirichlet.series import log_of
from ...gaussian import log_profile
from ...opinion import second_opinion
from ...roots import bracketed
from .exact import Rational, Score, log_ratio, worst


@second_opinion("pufferfish.gaussian_quilt_scale", engine="mpfr", rigorous=True)
@or_nothing
def gaussian_quilt_scale(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    epsilon: Fraction,
    delta: Fraction,
    width: int,
) -> Enclosure:
    """Enclose the sigma for (epsilon, delta), searching node by node; rigorous."""
    return worst(bits, chains, length, width, multiplier_score(bits, epsilon, delta))


@second_opinion("pufferfish.gaussian_quilt_scale_renyi", engine="mpfr", rigorous=True)
@or_nothing
def gaussian_quilt_scale_renyi(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    order: Fraction,
    epsilon: Fraction,
    width: int,
) -> Enclosure:
    """Enclose the sigma for a Renyi epsilon, searching node by node; rigorous."""
    return worst(bits, chains, length, width, renyi_scale_score(bits, order, epsilon))


def multiplier_score(bits: int, epsilon: Fraction, delta: Fraction) -> Score:
    """Return the sigma that a quilt asks for; it falls as epsilon less the influence rises."""

    def score(near: int, ratio: Rational) -> Span | None:
        left = Span.of(epsilon, bits) - log_ratio(bits, ratio)
        if left.sign < 0:
            return None
        ends = (left.high_fraction, max(left.low_fraction, Fraction(0)))
        found = [_multiplier(bits, end, delta) for end in ends]
        return Span.of(near, bits) * Span(found[0].low, found[1].high)

    return score


@lru_cache(maxsize=4_096)
def _multiplier(bits: int, epsilon: Fraction, delta: Fraction) -> Span:
    """Enclose the least noise multiplier for (epsilon, delta)."""

    def excess(point: Fraction, precision: int) -> Span:
        return log_of(delta, precision) - log_profile(precision, point, epsilon)

    bracket = bracketed(excess, 1 / (epsilon + delta), bits)
    if bracket.low is None or bracket.high is None:
        raise OutOfReachError
    return Span(Span.of(bracket.low, bits).low, Span.of(bracket.high, bits).high)


def renyi_scale_score(bits: int, order: Fraction, epsilon: Fraction) -> Score:
    """Return card sqrt(order/(2 (epsilon - influence)))."""

    def score(near: int, ratio: Rational) -> Span | None:
        left = Span.of(epsilon, bits) - log_ratio(bits, ratio)
        if left.sign < 0:
            return None
        square = (Span.of(order / 2, bits) / left).log()
        return Span.of(near, bits) * (square / Span.of(2, bits)).exp()

    return score


@second_opinion("pufferfish.gaussian_quilt_renyi", engine="mpfr", rigorous=True)
@or_nothing
def gaussian_quilt_renyi(
    bits: int,
    chains: tuple[ChainLaw, ...],
    length: int,
    order: Fraction,
    scales: tuple[Fraction, ...],
    width: int,
) -> Enclosure:
    """Enclose the Renyi divergence of all noise together, searching node by node; rigorous."""
    return worst(bits, chains, length, width, renyi_score(bits, order, scales))


def renyi_score(bits: int, order: Fraction, scales: Sequence[Fraction]) -> Score:
    """Return the divergence that noise of these scales gives through a quilt."""
    halved = sum((order / (scale * scale) for scale in scales), Fraction(0)) / 2

    def score(near: int, ratio: Rational) -> Span:
        return log_ratio(bits, ratio) + Span.of(near * near * halved, bits)

    return score
