"""Discrete Laplace noise: exact delta, epsilon and Renyi divergence, and the least private noise.

A whole number that changes by at most the sensitivity D between neighbours is released with noise
that is k with a chance in proportion to e^(-|k|/t), t the scale: the two-sided geometric law. The
law shifted by D against itself dominates every pair of neighbours, and those that differ by D
attain it, in either order (proofs_notes/discrete-noise.md).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, TypeVar

from flint import acb, arb

from .arb.balls import INFINITY, ball, sharpened
from .arb.roots import positive_near, positive_root
from .domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    Condition,
    Interval,
    NonNegative,
    Order,
    Probability,
    count_from,
)
from .laplace import BELOW_ONE
from .quantity import Side, Truth, quantity
from .relations import InverseOf
from .vocabulary import Meaning

NOTE = "proofs_notes/discrete-noise.md"
SCALE = Annotated[
    Fraction,
    Interval(above=Fraction(0), search=("0.1", "100"), beyond=("0.01", "1e5")),
    Meaning("scale of the noise: a whole number k has a chance like e^(-|k|/t)", "2", "t"),
]
SENSITIVITY = Annotated[int, count_from(1, 20, 1_000)]
_Point = TypeVar("_Point", arb, acb)
_SOME_LOSS = Condition(
    "epsilon + delta > 0",
    lambda epsilon, delta: epsilon + delta > 0,
    f"{NOTE}: no noise hides everything",
)


@quantity(
    "discrete_laplace.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\delta = 1 - a^n + a^n \frac{1 - s}{1 + a}, \quad a = e^{-1/t}, \quad "
    r"n = \Big\lceil \frac{\Delta - \varepsilon t}{2} \Big\rceil - 1, \quad "
    r"s = e^{\varepsilon - (\Delta - 2 n)/t}",
    within=A_PROBABILITY,
    rises="sensitivity",
    falls="scale epsilon",
    vanishes="high epsilon, high scale",
)
def delta(scale: SCALE, sensitivity: SENSITIVITY, epsilon: NonNegative) -> arb | Fraction:
    """Exact delta of discrete Laplace noise: the hockey-stick of the shifted law at e^epsilon.

    The same in both orders; 0 from epsilon = sensitivity/scale on. A sum of two positive terms.
    """
    left = (sensitivity - epsilon * scale) / 2
    if left <= 0:
        return Fraction(0)
    turned = -(-left // 1) - 1  # n: the losses (sensitivity - 2 j)/scale, j <= n, exceed epsilon
    missing = 2 * (left - turned) / scale  # -log s, in (0, 2/scale]

    def formula() -> arb:
        lost = ball(turned / scale)
        own = -(-ball(missing)).expm1() / (1 + (-ball(1 / scale)).exp())
        return -(-lost).expm1() + (-lost).exp() * own

    return sharpened(formula)


@quantity(
    "discrete_laplace.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\max \Big\{ 0, \frac{\Delta - 2 n}{t} + \log \big( (1 + a)(1 - \delta) a^{-n} - a "
    r"\big) \Big\}, \quad n = \lfloor -t \log(1 - \delta) \rfloor",
    within=AT_LEAST_ZERO,
    rises="sensitivity",
    falls="scale delta",
    vanishes="high delta",
    inverse=InverseOf("discrete_laplace.delta", "delta", "epsilon"),
)
def epsilon(scale: SCALE, sensitivity: SENSITIVITY, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which discrete Laplace noise has at most ``delta``.

    sensitivity/scale at delta = 0.
    """
    if delta in (0, 1):
        return (1 - delta) * sensitivity / scale

    def formula() -> arb:
        kept = (-ball(delta)).log1p()
        turned = (-kept * ball(scale)).floor()
        whole = turned.unique_fmpz()
        if whole is None:  # next to a kink: the two formulas meet there
            return arb("nan")
        n = int(whole)
        near = (kept + ball(n / scale)).expm1()  # (1 - delta) a^(-n) - 1
        root = (-ball(1 / scale)).exp()
        return ball((sensitivity - 2 * n) / scale) + ((1 + root) * near).log1p()

    return sharpened(formula).max(arb(0))


@quantity(
    "discrete_laplace.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"D_{\lambda} = \frac{\Delta}{t} + \frac{1}{\lambda - 1} \log \frac{1}{1 + a} \Big( 1 "
    r"+ b^{\Delta} + (1 - a) \frac{b - b^{\Delta}}{1 - b} \Big), \quad b = a^{2 \lambda - 1}",
    within=AT_LEAST_ZERO,
    rises="order sensitivity",
    falls="scale",
    vanishes="high scale",
)
def renyi(scale: SCALE, sensitivity: SENSITIVITY, order: Order) -> arb:
    """Exact Renyi divergence of discrete Laplace noise, the same in both orders of the pair.

    Order 1 is Kullback-Leibler, sensitivity/t - 2a (1 - a^sensitivity)/(t (1 - a^2)).
    """

    def formula() -> arb:
        shift = ball(1 / scale)
        most = ball(sensitivity / scale)
        if order == 1:
            ratio = (-most).expm1() / (-2 * shift).expm1()
            return most - 2 * shift * (-shift).exp() * ratio
        over = ball(order - 1)
        return most + log_moment_ratio(shift, sensitivity, over) / over

    return sharpened(formula)


def log_moment_ratio(shift: arb, sensitivity: int, power: arb) -> arb:
    """Enclose log E e^(zL) - z sensitivity/t at a real z >= 0; ``shift`` is 1/t."""
    return _less_than_one(shift, sensitivity, power).log1p()


def moment_ratio(shift: arb, sensitivity: int, power: _Point) -> _Point:
    """Enclose E e^(z(L - sensitivity/t)) on the right of the imaginary axis."""
    return 1 + _less_than_one(shift, sensitivity, power)


def _less_than_one(shift: arb, sensitivity: int, power: _Point) -> _Point:
    root, one = (-shift).exp(), -(2 * power + 1) * shift
    whole = one * sensitivity
    # (1 - a)(b - b^D)/(1 - b), of the losses between the two largest.
    between = (1 - root) * one.exp() * (whole - one).expm1() / one.expm1()
    return (whole.exp() - root + between) / (1 + root)


@quantity(
    "discrete_laplace.noise_multiplier_for_dp",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"\min \{ t/\Delta : \delta(t, \Delta, \varepsilon) \le \delta \}",
    conditions=(_SOME_LOSS,),
    within=AT_LEAST_ZERO,
    falls="epsilon delta",
    inverse=InverseOf(
        "discrete_laplace.delta",
        "delta",
        multiples={"scale": lambda given: Fraction(given["sensitivity"])},
    ),
)
def noise_multiplier_for_dp(
    sensitivity: SENSITIVITY, epsilon: NonNegative, delta: BELOW_ONE
) -> arb | Fraction:
    """Smallest scale over sensitivity at which discrete Laplace noise is (epsilon, delta)-private.

    delta falls strictly as the scale grows, until it is 0; 1/epsilon at delta = 0.
    """
    if delta == 0:
        return 1 / epsilon
    target = ball(delta).log()

    def excess(multiplier: Fraction) -> arb:
        found = _delta_at(multiplier * sensitivity, sensitivity, epsilon)
        return INFINITY if isinstance(found, Fraction) else target - found.log()

    # That of the continuous law.
    start = 1 / (ball(epsilon) - 2 * (-ball(delta)).log1p())
    return positive_root(excess, positive_near(start))


_delta_at = delta
