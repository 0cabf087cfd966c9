"""Renyi privacy of Dirichlet(step f + alpha): ponnoprat2023's calibration.

``order`` is the paper's lambda, ``step`` its r, ``delta2_squared`` and ``delta_inf`` the squared
2-norm and the maximum norm by which f changes between neighbours (or bounds on them). Order 1 is
the Kullback-Leibler divergence. What is exactly true of counts is `dirichlet.profile.*` (one
record replaced) and `dirichlet.add_remove.*` (one added or removed).

The tight counterpart of ponnoprat2023 equation 18: any f with known sensitivities.

Dirichlet(step f + alpha) with f >= 0, where f changes by at most sqrt(delta2_squared) in 2-norm
and by at most delta_inf in each coordinate. A known bound f_i >= b acts as alpha + step b
(proofs_notes/renyi-calibration.md).

From Renyi privacy of one order to (epsilon-hat, delta) as ponnoprat2023 Lemma 3 prints it.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Annotated, Any

from flint import arb

from ..adjacency import Released, Sensitive
from ..arb.balls import INFINITY, ball, enclosure_of, sharpened, sign
from ..arb.gamma import trigamma
from ..arb.roots import positive_root
from ..domain import (
    AT_LEAST_ONE,
    AT_LEAST_ZERO,
    ONE,
    ZERO,
    Hypothesis,
    Interval,
    NonNegative,
    OpenProbability,
    Order,
    Positive,
)
from ..enclosure import Trilean
from ..quantity import LeastSound, Side, Truth, quantity
from ..relations import Complete, InverseOf, Promise
from .add_remove import renyi

_NOTE = "proofs_notes/renyi-calibration.md"
_ALGORITHM = "ponnoprat2023 Algorithm 1"
# Line 1 of the algorithm puts three of the four parts that line 2 adds to alpha into psi'.
_KEPT_PARTS, _ALL_PARTS = 3, 4

_Sensitivity = Annotated[Fraction, Interval(above=ZERO, search=("0.1", "10"))]

# What the paper asks of alpha before its equation (18) is used.
HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis(
        "alpha >= 1 + (order - 1) step delta_inf (the equation itself needs > without the 1)",
        lambda order, step, alpha, delta_inf: alpha >= 1 + (order - 1) * step * delta_inf,
        "ponnoprat2023 Theorem 1, Remark 1 with g >= 0",
    ),
)
# What line 1 alone, `dirichlet.renyi.epsilon_bound`, rests on; more than line 2 asks is as good.
ALGORITHM_HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis(
        "alpha >= 1 + 4 (order - 1) step delta_inf (line 2 sets them equal)",
        lambda order, step, alpha, delta_inf: (
            alpha >= 1 + _ALL_PARTS * (order - 1) * step * delta_inf
        ),
        f"{_ALGORITHM}, line 2",
    ),
)
# What the two adjacencies of count vectors make of the sensitivities.
REPLACE_HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis(
        "delta2_squared >= 2 and delta_inf >= 1 (one record of a histogram replaced)",
        lambda delta2_squared, delta_inf: delta2_squared >= 2 and delta_inf >= 1,  # noqa: PLR2004
        "ponnoprat2023 Section 5.1",
    ),
)
ADD_REMOVE_HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis(
        "delta2_squared >= 1 and delta_inf >= 1 (one record of a histogram added or removed)",
        lambda delta2_squared, delta_inf: delta2_squared >= 1 and delta_inf >= 1,
        _NOTE,
    ),
)


def _one_coordinate(alpha: Callable[[Any], Any], where: str) -> LeastSound:
    """Return the loss of one coordinate that changes by delta_inf, a second one being large.

    The sensitivities allow it where delta_inf^2 <= delta2_squared (proofs_notes/add-remove.md).
    """

    def at(point: Any) -> dict[str, Fraction] | None:
        change = point["delta_inf"]
        if change**2 > point["delta2_squared"]:
            return None
        return {"alpha": alpha(point), "step": point["step"] * change, "order": point["order"]}

    return LeastSound("dirichlet.add_remove.renyi", at, where)


_ONE_COORDINATE = _one_coordinate(
    lambda point: point["alpha"],
    "alpha, step delta_inf, order, where delta_inf^2 <= delta2_squared",
)


def _alpha_of_line_2(point: Any) -> Any:
    """Return 1 + 4 (order - 1) step delta_inf, what Algorithm 1 adds to each coordinate."""
    return ONE + _ALL_PARTS * (point["order"] - 1) * point["step"] * point["delta_inf"]


def spread(order: Fraction, step: Fraction, delta2_squared: Fraction, argument: Fraction) -> arb:
    """Enclose order step^2 delta2_squared psi'(argument)/2, the loss of many small changes."""
    return ball(order * step**2 * delta2_squared / 2) * trigamma(ball(argument))


def _neighbours(p: Complete) -> tuple[Released, ...]:
    """Return who is a neighbour of whom in the parameters step f + alpha."""
    return (Released(p["alpha"], p["step"], Sensitive(p["delta2_squared"], p["delta_inf"])),)


def _calibrated(p: Complete) -> tuple[Released, ...]:
    """Return the same for ponnoprat2023 Algorithm 1, whose line 2 chooses alpha."""
    return _neighbours({**p, "alpha": _alpha_of_line_2(p)})


@quantity(
    "dirichlet.renyi.epsilon_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=_one_coordinate(
        _alpha_of_line_2,
        "alpha = 1 + 4 (order - 1) step delta_inf, step delta_inf, order, "
        "where delta_inf^2 <= delta2_squared",
    ),
    source=f"{_ALGORITHM}, line 1",
    formula=r"\frac{\lambda s^2 \Delta_2^2}{2} \, \psi'(1 + 3 (\lambda - 1) s \Delta_{\infty})",
    within=AT_LEAST_ZERO,
    rises="step delta2_squared",
    falls="delta_inf",
    vanishes="low step",
    promise=Promise("limit", _calibrated, "limit"),
)
def epsilon_bound(
    order: Order, step: Positive, delta2_squared: _Sensitivity, delta_inf: _Sensitivity
) -> arb:
    """Epsilon that ponnoprat2023 Algorithm 1 guarantees, alpha = 1 + 4 (order-1) step delta_inf.

    order step^2 delta2_squared psi'(1 + 3 (order-1) step delta_inf)/2.
    """
    argument = 1 + _KEPT_PARTS * (order - 1) * step * delta_inf
    return spread(order, step, delta2_squared, argument)


@quantity(
    "dirichlet.renyi.step",
    safe=Side.LOWER,
    truth=Truth.PRINTED,
    source=f"{_ALGORITHM}, line 1; one root: {_NOTE}",
    formula=r"s : \; \frac{\lambda s^2 \Delta_2^2}{2} \, \psi'(1 + 3 (\lambda - 1) s "
    r"\Delta_{\infty}) = \varepsilon",
    within=AT_LEAST_ZERO,
    rises="epsilon delta_inf",
    falls="delta2_squared",
    inverse=InverseOf("dirichlet.renyi.epsilon_bound", "epsilon", "step"),
    promise=Promise("step", _calibrated, "epsilon"),
)
def step(
    order: Order, epsilon: Positive, delta2_squared: _Sensitivity, delta_inf: _Sensitivity
) -> arb:
    """Step r that ponnoprat2023 Algorithm 1 calibrates: the one whose epsilon_bound is epsilon.

    The bound increases strictly in r from 0 without bound, so the root is unique and lies between
    two points of proved sign. At order 1 it is sqrt(12 epsilon/delta2_squared)/pi.
    """
    if order == 1:
        return ball(12 * epsilon / delta2_squared).sqrt() / arb.pi()
    target = ball(epsilon).log()
    return positive_root(
        lambda point: epsilon_bound(order, point, delta2_squared, delta_inf).log() - target,
        start=_step_near(order, epsilon, delta2_squared, delta_inf),
    )


def _step_near(
    order: Fraction, epsilon: Fraction, delta2_squared: Fraction, delta_inf: Fraction
) -> Fraction:
    """Return about the root, taking 1/(0.6 + y) for psi'(1 + y): a matter of speed alone."""
    scale = 2 * epsilon / (order * delta2_squared)
    half = _KEPT_PARTS * (order - 1) * delta_inf * scale / 2
    near = enclosure_of(ball(half) + ball(half**2 + scale * 3 / 5).sqrt()).lower
    return near if isinstance(near, Fraction) and near > 0 else ONE


@quantity(
    "dirichlet.renyi.epsilon_bound_alpha",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=_ONE_COORDINATE,
    source=f"ponnoprat2023 equation 18; any alpha: {_NOTE}",
    formula=r"\frac{\lambda s^2 \Delta_2^2}{2} \, \psi'(\alpha - (\lambda - 1) s "
    r"\Delta_{\infty})",
    within=AT_LEAST_ZERO,
    rises="order step delta2_squared delta_inf",
    falls="alpha",
    vanishes="low step",
    promise=Promise("limit", _neighbours, "limit"),
)
def epsilon_bound_alpha(
    order: Order,
    step: Positive,
    alpha: Positive,
    delta2_squared: _Sensitivity,
    delta_inf: _Sensitivity,
) -> arb:
    """Epsilon of ponnoprat2023 equation 18, for any alpha; infinite where its proof bounds nothing.

    order step^2 delta2_squared psi'(alpha - (order-1) step delta_inf)/2. It bounds psi' over all
    arguments above that one, hence by infinity from alpha <= (order-1) step delta_inf on, where
    the divergence can be infinite itself.
    """
    argument = alpha - (order - 1) * step * delta_inf
    if argument <= 0:
        return INFINITY
    return spread(order, step, delta2_squared, argument)


@quantity(
    "dirichlet.profile.largest_order",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"1 + \frac{\alpha}{s}",
    within=AT_LEAST_ONE,
    rises="alpha",
    falls="step",
)
def largest_order(alpha: Positive, step: Positive) -> Fraction:
    """Supremum 1 + alpha/step of the orders of finite divergence; infinite at that order itself.

    One for both adjacencies: the pair of `dirichlet.profile` and that of `dirichlet.add_remove`.
    """
    return 1 + alpha / step


# From this order on a change all in one step is the worst.
_ONE_STEP_ORDER = 2


@quantity(
    "dirichlet.renyi.epsilon_sensitivity",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=_ONE_COORDINATE,
    source=_NOTE,
    formula=r"\Delta_2^2 \max \left\{ \frac{\lambda s^2 \psi'(\alpha)}{2}, \; \frac{D(s "
    r"\Delta_{\infty})}{\Delta_{\infty}^2} \right\}, \quad D(t) = "
    r"D_{\lambda}(\Gamma(\alpha) \,\|\, \Gamma(\alpha + t))",
    within=AT_LEAST_ZERO,
    rises="order step delta2_squared delta_inf",
    falls="alpha",
    vanishes="low step",
    promise=Promise("limit", _neighbours, "limit"),
)
def epsilon_sensitivity(
    order: Order,
    step: Positive,
    alpha: Positive,
    delta2_squared: _Sensitivity,
    delta_inf: _Sensitivity,
) -> arb:
    """Renyi privacy of any f with these sensitivities, never above ponnoprat2023 equation 18.

    delta2_squared times the larger of order step^2 psi'(alpha)/2, many small changes, and
    D(step delta_inf)/delta_inf^2, few large ones, D the divergence of Gamma(alpha) from
    Gamma(alpha + step delta_inf). Infinite from alpha <= (order-1) step delta_inf on.
    """
    small = spread(order, step, delta2_squared, alpha)
    if order == 1:
        return small
    large: arb = renyi(alpha, step * delta_inf, order) * ball(delta2_squared / delta_inf**2)
    if order >= _ONE_STEP_ORDER:
        return large
    worse: arb = large.max(small)
    return worse


# Both sides of a tie are powers; with more bits than this they are not built.
_MAX_BITS = 1 << 20

_AboveOne = Annotated[Fraction, Interval(above=ONE, search=("1.01", "200"))]


@quantity(
    "dirichlet.renyi.to_approximate_dp",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("renyi.epsilon_for_dp", lambda point: point, "the same parameters"),
    source="ponnoprat2023 Lemma 3",
    formula=r"\max \left\{ 0, \; \varepsilon + \log\left(1 - \frac{1}{\lambda}\right) - "
    r"\frac{\log(\delta \lambda)}{\lambda - 1} \right\}",
    within=AT_LEAST_ZERO,
    rises="epsilon",
    falls="delta",
)
def to_approximate_dp(
    order: _AboveOne, epsilon: NonNegative, delta: OpenProbability
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
