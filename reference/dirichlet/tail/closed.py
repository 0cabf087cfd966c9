"""The tail between closed bounds: cheap at any size, narrow where it is next to 0 or 1.

A single coordinate is x ~ Beta(a, b), of mean m = a/(a + b). With D the relative entropy of m to
gamma, (a + b) D = a log(m/gamma) + b log((1 - m)/(1 - gamma)), and F = gamma^a/(a B(a, b)),

    P(x < gamma) <= e^(-(a + b) D) for gamma <= m,  P(x >= gamma) <= e^(-(a + b) D) for gamma >= m,
    F (1 - gamma)^max(b - 1, 0) <= P(x < gamma) <= F (1 - gamma)^min(b - 1, 0)

(proofs_notes/tail-worst-input.md, one-coordinate-in-closed-form). The bracket puts them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from ...arb.balls import ball, extra_bits, sharpened
from ...arb.gamma import log_beta
from .event import Miss


@dataclass(frozen=True)
class _Single:
    """Bounds of one coordinate, points: on P(x < gamma) from both sides, on P(x >= gamma)."""

    below_at_least: arb
    below_at_most: arb
    above_at_most: arb


def probability(miss: Miss) -> arb:
    """Enclose the probability of a miss, 0 < gamma < 1, by numbers that need no series."""
    at_most, least, survival = arb(0), arb(0), arb(1)
    for alpha, count in miss.groups:
        single = _single(alpha, miss.total - alpha, miss.gamma)
        at_most += count * single.below_at_most
        least = least.max(single.below_at_least)
        survival *= single.above_at_most**count
    return least.max((1 - survival).lower()).union(at_most.upper().min(arb(1)))


def _single(alpha: Fraction, others: Fraction, gamma: Fraction) -> _Single:
    front = ball(alpha) * ball(gamma).log() - ball(alpha).log() - log_beta(alpha, others)
    bent = ball(others - 1) * ball(1 - gamma).log()
    at_least = (front + bent.min(arb(0))).exp().lower()
    at_least = at_least.max(arb(0)).min(arb(1)) if at_least.is_finite() else arb(0)
    at_most, above = _at_most_1(front + bent.max(arb(0))), (1 - at_least).upper()
    chernoff = _at_most_1(-_entropy(alpha, others, gamma))
    if gamma * (alpha + others) < alpha:
        at_most = at_most.min(chernoff)
    else:
        above = above.min(chernoff)
    return _Single(at_least, at_most, above)


def _at_most_1(logarithm: arb) -> arb:
    """Return an upper bound on e to this power, and 1 where that is larger, or hidden by sizes."""
    found = logarithm.exp().upper()
    return found.min(arb(1)) if found.is_finite() else arb(1)


def _entropy(alpha: Fraction, others: Fraction, gamma: Fraction) -> arb:
    """Enclose (a + b) D; 0 at the mean itself.

    Next to the mean it is of the size of 1, a difference of numbers as large as the parameters.
    """
    total = alpha + others
    mean = alpha / total
    if mean == gamma:
        return arb(0)

    def value() -> arb:
        first = ball(alpha) * ball(mean / gamma).log()
        return first + ball(others) * ball((1 - mean) / (1 - gamma)).log()

    with extra_bits(int(total).bit_length()):
        return sharpened(value)
