"""Laplace noise: exact delta, epsilon and Renyi divergence, and the least noise that is private.

A query whose values at neighbouring inputs are at most the sensitivity apart, in the 1-norm, is
released with independent Laplace noise. Only the noise multiplier counts, b = scale over
sensitivity: the pair Lap(1, b) against Lap(0, b) dominates every pair of neighbours, however many
coordinates change, and those that differ by the sensitivity in one coordinate attain it, in either
order (proofs_notes/laplace.md).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from .arb.balls import ball, sharpened
from .domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    NOISE_MULTIPLIER,
    Condition,
    Interval,
    NonNegative,
    Order,
    Probability,
)
from .quantity import Side, Truth, quantity
from .relations import InverseOf

NOTE = "proofs_notes/laplace.md"
BELOW_ONE = Annotated[
    Fraction,
    Interval(
        at_least=Fraction(0),
        below=Fraction(1),
        search=("1e-12", "0.99"),
        beyond=("1e-300", "0.999999"),
    ),
]
_SOME_LOSS = Condition(
    "epsilon + delta > 0",
    lambda epsilon, delta: epsilon + delta > 0,
    f"{NOTE}: no noise hides everything",
)


@quantity(
    "laplace.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\delta = \max \{ 0, 1 - e^{(\varepsilon - 1/\sigma)/2} \}",
    within=A_PROBABILITY,
    falls="noise_multiplier epsilon",
    vanishes="high epsilon, high noise_multiplier",
)
def delta(noise_multiplier: NOISE_MULTIPLIER, epsilon: NonNegative) -> arb | Fraction:
    """Exact delta of Laplace noise: the hockey-stick of Lap(1, b) against Lap(0, b) at e^epsilon.

    The same in both orders; 0 from epsilon = 1/b on.
    """
    left = 1 / noise_multiplier - epsilon
    if left <= 0:
        return Fraction(0)
    return sharpened(lambda: -(-ball(left) / 2).expm1())


@quantity(
    "laplace.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \{ 0, 1/\sigma + 2 \log(1 - \delta) \}",
    within=AT_LEAST_ZERO,
    falls="noise_multiplier delta",
    vanishes="high delta",
    inverse=InverseOf("laplace.delta", "delta", "epsilon"),
)
def epsilon(noise_multiplier: NOISE_MULTIPLIER, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which Laplace noise has at most ``delta``; 1/b at delta = 0."""
    if delta in (0, 1):
        return (1 - delta) / noise_multiplier
    found = sharpened(lambda: ball(1 / noise_multiplier) + 2 * (-ball(delta)).log1p())
    return found.max(arb(0))


@quantity(
    "laplace.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"mironov2017 Proposition 6 (one coordinate); {NOTE}",
    formula=r"D_{\lambda} = \frac{1}{\lambda - 1} \log \Big( \frac{\lambda}{2 \lambda - 1} "
    r"e^{(\lambda - 1)/\sigma} + \frac{\lambda - 1}{2 \lambda - 1} e^{-\lambda/\sigma} \Big)",
    within=AT_LEAST_ZERO,
    rises="order",
    falls="noise_multiplier",
    vanishes="high noise_multiplier",
)
def renyi(noise_multiplier: NOISE_MULTIPLIER, order: Order) -> arb:
    """Exact Renyi divergence of Laplace noise, the same in both orders of the pair.

    Order 1 is Kullback-Leibler, 1/b + e^(-1/b) - 1.
    """

    def formula() -> arb:
        shift = ball(1 / noise_multiplier)
        if order == 1:
            return shift + (-shift).expm1()
        twice = 2 * order - 1
        lost = ball((order - 1) / twice) * (-ball(twice) * shift).expm1()
        return shift + lost.log1p() / ball(order - 1)

    return sharpened(formula)


@quantity(
    "laplace.noise_multiplier_for_dp",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\frac{1}{\varepsilon - 2 \log(1 - \delta)}",
    conditions=(_SOME_LOSS,),
    within=AT_LEAST_ZERO,
    falls="epsilon delta",
    inverse=InverseOf("laplace.delta", "delta", "noise_multiplier"),
)
def noise_multiplier_for_dp(epsilon: NonNegative, delta: BELOW_ONE) -> arb | Fraction:
    """Smallest noise multiplier at which Laplace noise is (epsilon, delta)-private."""
    if delta == 0:
        return 1 / epsilon
    return 1 / (ball(epsilon) - 2 * (-ball(delta)).log1p())
