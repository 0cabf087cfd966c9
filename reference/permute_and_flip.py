"""Permute-and-flip: exact delta and epsilon; the largest of its losses that is private.

Candidates are looked at in random order, and one of utility u is taken with chance exp(c (u - the
largest utility)); it is the largest of utilities with exponential noise of scale 1/c. Between
neighbours the gap of two utilities, times c, moves by at most r, the largest loss: r = 2cD where
each utility moves by at most D, r = cD where all move one way. At every epsilon two candidates lose
as much as Laplace noise of scale 1/r, and none lose more (proofs_notes/permute-and-flip.md).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from .arb.balls import INFINITY, ball, sharpened
from .domain import A_PROBABILITY, AT_LEAST_ZERO, Interval, NonNegative, Probability
from .quantity import Side, Truth, quantity
from .relations import InverseOf

NOTE = "proofs_notes/permute-and-flip.md"
LARGEST_LOSS = Annotated[
    Fraction, Interval(above=Fraction(0), search=("0.01", "10"), beyond=("1e-9", "1000"))
]


@quantity(
    "permute_and_flip.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\delta = (1 - e^{(\varepsilon - r)/2})_+",
    within=A_PROBABILITY,
    rises="largest_loss",
    falls="epsilon",
    vanishes="high epsilon",
)
def delta(largest_loss: LARGEST_LOSS, epsilon: NonNegative) -> arb | Fraction:
    """Exact delta of permute-and-flip, the worst over all utilities, in both orders.

    0 from epsilon = largest_loss on.
    """
    if epsilon >= largest_loss:
        return Fraction(0)
    return -ball((epsilon - largest_loss) / 2).expm1()


@quantity(
    "permute_and_flip.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \{ 0, r + 2 \log (1 - \delta) \}",
    within=AT_LEAST_ZERO,
    rises="largest_loss",
    falls="delta",
    vanishes="high delta",
    inverse=InverseOf("permute_and_flip.delta", "delta", "epsilon"),
)
def epsilon(largest_loss: LARGEST_LOSS, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which permute-and-flip has at most ``delta``.

    The largest loss itself at delta = 0, and 0 from the total variation distance 1 - e^(-r/2) on.
    """
    if delta == 0:
        return largest_loss
    if delta == 1:
        return Fraction(0)
    found = sharpened(lambda: ball(largest_loss) + 2 * (-ball(delta)).log1p())
    return Fraction(0) if found < 0 else found.max(arb(0))


@quantity(
    "permute_and_flip.largest_loss_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\varepsilon - 2 \log (1 - \delta)",
    within=AT_LEAST_ZERO,
    rises="epsilon delta",
)
def largest_loss_for_dp(epsilon: NonNegative, delta: Probability) -> arb | Fraction:
    """Largest of the largest losses at which permute-and-flip is (epsilon, delta)-private.

    epsilon itself at delta = 0, infinite at delta = 1.
    """
    if delta == 0:
        return epsilon
    if delta == 1:
        return INFINITY
    return ball(epsilon) - 2 * (-ball(delta)).log1p()
