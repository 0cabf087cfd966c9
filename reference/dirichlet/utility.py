"""How far one coordinate of a release falls from its input: x of Dirichlet(k p) against p.

One coordinate is Beta(k p, k (1-p)). With p = 0 or p = 1 it is p itself.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ..arb.balls import ball, sharpened
from ..arb.gamma import log_beta
from ..domain import A_PROBABILITY, Positive, Probability
from ..quantity import Side, Truth, quantity

UTILITY_NOTE = "proofs_notes/utility.md"
_HALF = Fraction(1, 2)


@quantity(
    "dirichlet.utility.variance",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=UTILITY_NOTE,
    within=A_PROBABILITY,
    falls="k",
    vanishes="high k",
)
def variance(p: Probability, k: Positive) -> Fraction:
    """Variance of a coordinate with mean p: p (1-p)/(k+1), a rational."""
    return p * (1 - p) / (k + 1)


@quantity(
    "dirichlet.utility.variance_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source="fallin2023 equation 16",
    within=A_PROBABILITY,
    falls="k",
)
def variance_bound(k: Positive) -> Fraction:
    """Largest variance of a coordinate, that of mean 1/2: 1/(4 (k+1)), a rational."""
    return 1 / (4 * (k + 1))


@quantity(
    "dirichlet.utility.absolute_deviation",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=UTILITY_NOTE,
    within=A_PROBABILITY,
    falls="k",
)
def absolute_deviation(p: Probability, k: Positive) -> arb | Fraction:
    """Mean distance of a coordinate from its mean p.

    2 p^(k p) (1-p)^(k (1-p)) / (k B(k p, k (1-p))); 0 for p = 0 and for p = 1.
    """
    return _deviation(p, k)


def _deviation(p: Fraction, k: Fraction) -> arb | Fraction:
    if p in (0, 1):
        return Fraction(0)
    return sharpened(lambda: (_log_peak(p, k) - log_beta(k * p, k * (1 - p))).exp() * ball(2 / k))


def _log_peak(p: Fraction, k: Fraction) -> arb:
    return ball(k * p) * ball(p).log() + ball(k * (1 - p)) * ball(1 - p).log()


@quantity(
    "dirichlet.utility.absolute_deviation_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source="fallin2023 equation 15",
    within=A_PROBABILITY,
    falls="k",
)
def absolute_deviation_bound(k: Positive) -> arb | Fraction:
    """Largest mean distance of a coordinate from its mean, that of p = 1/2.

    Gamma(k) 2^(1-k) / (k Gamma(k/2)^2). It is a bound for every k (proofs_notes/utility.md).
    """
    return _deviation(_HALF, k)
