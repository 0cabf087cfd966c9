"""The exponential mechanism: exact delta, epsilon and Renyi divergence; the largest loss range.

A candidate is drawn with a chance proportional to exp(c u), u its utility. At neighbouring data the
losses of all candidates lie in an interval of a known length r, the loss range, wherever that is:
r = 2cD where each utility moves by at most D, r = cD where all move one way. Two losses, r apart,
are the worst, and for every place of theirs some utilities attain them
(proofs_notes/exponential-mechanism.md). The largest of utilities with Gumbel noise is the same.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from .arb.balls import INFINITY, ball, sharpened
from .domain import A_PROBABILITY, AT_LEAST_ZERO, Interval, NonNegative, Order, Probability
from .quantity import Side, Truth, quantity
from .relations import InverseOf

NOTE = "proofs_notes/exponential-mechanism.md"
LOSS_RANGE = Annotated[
    Fraction, Interval(above=Fraction(0), search=("0.01", "10"), beyond=("1e-9", "1000"))
]


@quantity(
    "exponential_mechanism.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\delta = \frac{(1 - e^{(\varepsilon - r)/2})_+^2}{1 - e^{-r}}",
    within=A_PROBABILITY,
    rises="loss_range",
    falls="epsilon",
    vanishes="high epsilon",
)
def delta(loss_range: LOSS_RANGE, epsilon: NonNegative) -> arb | Fraction:
    """Exact delta of the exponential mechanism, the worst over all utilities, in both orders.

    0 from epsilon = loss_range on.
    """
    if epsilon >= loss_range:
        return Fraction(0)
    r = ball(loss_range)
    return ball((epsilon - loss_range) / 2).expm1() ** 2 / -(-r).expm1()


@quantity(
    "exponential_mechanism.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \{ 0, r + 2 \log ( 1 - \sqrt{\delta (1 - e^{-r})} ) \}",
    within=AT_LEAST_ZERO,
    rises="loss_range",
    falls="delta",
    vanishes="high delta",
    inverse=InverseOf("exponential_mechanism.delta", "delta", "epsilon"),
)
def epsilon(loss_range: LOSS_RANGE, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which the exponential mechanism has at most ``delta``.

    The loss range itself at delta = 0, and 0 from the total variation distance tanh(r/4) on.
    """
    if delta == 0:
        return loss_range
    if delta == 1:
        return Fraction(0)

    def formula() -> arb:
        r = ball(loss_range)
        return r + 2 * (-(ball(delta) * -(-r).expm1()).sqrt()).log1p()

    found = sharpened(formula)
    return Fraction(0) if found < 0 else found.max(arb(0))


@quantity(
    "exponential_mechanism.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"t + \frac{\log (1 - s (1 - e^{-(\lambda - 1) r}))}{\lambda - 1}, \quad e^t = "
    r"\frac{(\lambda - 1)(e^r - e^{-(\lambda - 1) r})}{\lambda (1 - e^{-(\lambda - 1) r})}, \quad "
    r"s = \frac{e^t - 1}{e^r - 1}",
    within=AT_LEAST_ZERO,
    rises="loss_range order",
)
def renyi(loss_range: LOSS_RANGE, order: Order) -> arb | Fraction:
    """Exact Renyi divergence of the exponential mechanism, the worst over all utilities.

    Order 1 is Kullback-Leibler, t - rs with e^t = (e^r - 1)/r.
    """

    def formula() -> arb:
        r, over = ball(loss_range), ball(order - 1)
        if order == 1:
            grown = r.expm1() / r
            return grown.log() - r * (grown - 1) / r.expm1()
        lost = -(-over * r).expm1()
        grown = over * (r.expm1() + lost) / (ball(order) * lost)
        share = (grown - 1) / r.expm1()
        return grown.log() + (-share * lost).log1p() / over

    return sharpened(formula)


@quantity(
    "exponential_mechanism.loss_range_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"2 \log \frac{e^{\varepsilon/2} + \sqrt{\delta (e^{\varepsilon} - 1 + \delta)}}"
    r"{1 - \delta}",
    within=AT_LEAST_ZERO,
    rises="epsilon delta",
)
def loss_range_for_dp(epsilon: NonNegative, delta: Probability) -> arb | Fraction:
    """Largest loss range at which the exponential mechanism is (epsilon, delta)-private.

    epsilon itself at delta = 0, infinite at delta = 1.
    """
    if delta == 0:
        return epsilon
    if delta == 1:
        return INFINITY

    def formula() -> arb:
        root = (ball(delta) * (ball(epsilon).expm1() + ball(delta))).sqrt()
        return 2 * (ball(epsilon / 2).exp() + root).log() - 2 * (-ball(delta)).log1p()

    return sharpened(formula)
