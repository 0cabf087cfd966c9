"""Randomized response: exact delta, epsilon and Renyi divergence; the most truth that is private.

Each record answers with its own category with the truth probability p, else with one of the k - 1
others, each as likely: r = (1 - p)/(k - 1). Two records of different categories have the laws
(p, r) and (r, p) on both categories and the same on all others, in either order
(proofs_notes/randomized-response.md). Neighbours replace a record; that one has answered at all is
not hidden.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from .arb.balls import INFINITY, ball, sharpened
from .domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    Interval,
    NonNegative,
    Order,
    Probability,
    count_from,
)
from .quantity import Side, Truth, quantity
from .relations import InverseOf

NOTE = "proofs_notes/randomized-response.md"
CATEGORIES = Annotated[int, count_from(2, 20, 1_000_000)]
TRUTH_PROBABILITY = Annotated[
    Fraction,
    Interval(
        at_least=Fraction(0),
        at_most=Fraction(1),
        search=("0.1", "0.99"),
        beyond=("1e-9", "0.999999999"),
    ),
]


def likelier(categories: int, truth_probability: Fraction) -> tuple[Fraction, Fraction]:
    """Return the larger and the smaller of p and r."""
    other = (1 - truth_probability) / (categories - 1)
    return max(truth_probability, other), min(truth_probability, other)


@quantity(
    "randomized_response.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\delta = \max \{ 0, p - e^{\varepsilon} r, r - e^{\varepsilon} p \}, \quad "
    r"r = \frac{1 - p}{k - 1}",
    within=A_PROBABILITY,
    falls="epsilon",
    vanishes="high epsilon",
)
def delta(
    categories: CATEGORIES, truth_probability: TRUTH_PROBABILITY, epsilon: NonNegative
) -> arb | Fraction:
    """Exact delta of randomized response: the hockey-stick of two categories' laws at e^epsilon.

    The same in both orders. 0 from log(p/r) on, rational at epsilon = 0 and where one of p and r
    is 0.
    """
    return profile(*likelier(categories, truth_probability), epsilon)


def profile(high: Fraction, low: Fraction, epsilon: Fraction) -> arb | Fraction:
    """Enclose delta by the chances of the likelier answer and of the other, epsilon >= 0."""
    if low == 0 or epsilon == 0:
        return high - low
    left = sharpened(lambda: ball(high) - ball(epsilon).exp() * ball(low))
    return Fraction(0) if left < 0 else left.max(arb(0))


@quantity(
    "randomized_response.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \Big\{ 0, \log \frac{\max\{p, r\} - \delta}{\min\{p, r\}} \Big\}",
    within=AT_LEAST_ZERO,
    falls="delta",
    vanishes="high delta",
    inverse=InverseOf("randomized_response.delta", "delta", "epsilon"),
)
def epsilon(
    categories: CATEGORIES, truth_probability: TRUTH_PROBABILITY, delta: Probability
) -> arb | Fraction:
    """Smallest epsilon at which randomized response has at most ``delta``.

    0 from |p - r| on; infinite below that where one of p and r is 0.
    """
    high, low = likelier(categories, truth_probability)
    if delta >= high - low:
        return Fraction(0)
    if low == 0:
        return INFINITY
    return sharpened(lambda: ball((high - delta) / low - 1).log1p())


@quantity(
    "randomized_response.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"mironov2017 Proposition 5 (two categories); {NOTE}",
    formula=r"D_{\lambda} = \frac{1}{\lambda - 1} \log \big( p^{\lambda} r^{1 - \lambda} + "
    r"r^{\lambda} p^{1 - \lambda} + (k - 2) r \big)",
    within=AT_LEAST_ZERO,
    rises="order",
)
def renyi(
    categories: CATEGORIES, truth_probability: TRUTH_PROBABILITY, order: Order
) -> arb | Fraction:
    """Exact Renyi divergence of randomized response, the same in both orders of the pair.

    Order 1 is Kullback-Leibler, (p - r) log(p/r). 0 where p = r, infinite where one of them is 0.
    """
    high, low = likelier(categories, truth_probability)
    if high == low:
        return Fraction(0)
    if low == 0:
        return INFINITY
    rest = 1 - high - low

    def formula() -> arb:
        most = ball(high / low - 1).log1p()
        if order == 1:
            return ball(high - low) * most
        over = ball(order - 1)
        far = ball(low) * (-2 * over * most).exp()
        # Relative to the likelier answer's e^((order - 1) most); what is left of 1 is exact.
        if over * most > 1:
            mean = ball(high) + far + ball(rest) * (-over * most).exp()
            return most + mean.log() / over
        grown = ball(high) * (over * most).expm1() + ball(low) * (-over * most).expm1()
        return grown.log1p() / over

    return sharpened(formula)


@quantity(
    "randomized_response.truth_probability_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\frac{e^{\varepsilon} + (k - 1) \delta}{e^{\varepsilon} + k - 1}",
    within=A_PROBABILITY,
    rises="epsilon delta",
    falls="categories",
)
def truth_probability_for_dp(
    categories: CATEGORIES, epsilon: NonNegative, delta: Probability
) -> arb | Fraction:
    """Largest truth probability at which randomized response is (epsilon, delta)-private.

    Rational at epsilon = 0 and at delta = 1.
    """
    others = categories - 1
    if epsilon == 0 or delta == 1:
        return (1 + others * delta) / categories if delta < 1 else Fraction(1)

    def formula() -> arb:
        grown = ball(epsilon).exp()
        return (grown + ball(others * delta)) / (grown + others)

    return sharpened(formula)
