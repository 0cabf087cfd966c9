"""From Renyi privacy of one order to (epsilon-hat, delta) as ponnoprat2023 Lemma 3 prints it."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from ..arb.balls import ball, sharpened, sign
from ..domain import AT_LEAST_ZERO, ONE, Interval, NonNegative, OpenProbability
from ..enclosure import Trilean
from ..quantity import LeastSound, Side, Truth, quantity

# Both sides of a tie are powers; with more bits than this they are not built.
_MAX_BITS = 1 << 20

AboveOne = Annotated[Fraction, Interval(above=ONE, search=("1.01", "200"))]


@quantity(
    "dirichlet.renyi.to_approximate_dp",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("renyi.epsilon_for_dp", lambda point: point, "the same parameters"),
    source="ponnoprat2023 Lemma 3",
    within=AT_LEAST_ZERO,
    rises="epsilon",
    falls="delta",
)
def to_approximate_dp(
    order: AboveOne, epsilon: NonNegative, delta: OpenProbability
) -> arb | Fraction:
    """Epsilon-hat that ponnoprat2023 Lemma 3 prints for (order, epsilon)-Renyi privacy; at least 0.

    epsilon + log(1 - 1/order) - log(delta order)/(order - 1), and 0 where that is negative, for
    delta falls as epsilon-hat rises. The least that is sound is `renyi.epsilon_for_dp`.
    """
    if _is_tie(order, epsilon, delta):
        return Fraction(0)
    found = sharpened(
        lambda: (
            ball(epsilon) + ball(1 - 1 / order).log() - ball(delta * order).log() / ball(order - 1)
        )
    )
    return Fraction(0) if sign(found) is Trilean.FALSE else found


def _is_tie(order: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether epsilon-hat is exactly 0, which precision would never show; only at epsilon 0.

    Elsewhere it is a rational number other than 0 plus a multiple of the logarithm of an algebraic
    one, never 0. At epsilon 0 it needs a whole order and delta order = (1 - 1/order)^(order - 1).
    """
    if epsilon or order.denominator != 1:
        return False
    power = int(order) - 1
    if power * power.bit_length() > _MAX_BITS:
        return False
    return delta * order == (1 - 1 / order) ** power
