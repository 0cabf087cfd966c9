"""The exact privacy profile of one Dirichlet release, through its dominating pair.

A release draws x ~ Dirichlet(u). Neighbouring inputs move at most ``step`` of the parameter from
one protected coordinate to another, and every protected coordinate stays at or above the floor
``alpha``. Among all such pairs

    P = Beta(alpha, alpha + step),   Q = Beta(alpha + step, alpha)

dominates every other in Blackwell's sense (proofs_notes/dominating-pair.md), so each function
here is exact for the pair and an upper bound for every release. ``alpha`` and ``step`` are in
units of the Dirichlet parameter: a mechanism is a translation into these two numbers.

The tight concentration k is the exact profile solved for k. Floor and step both grow with k,
alpha = k floor and step = k shift, and the pair at a larger k dominates the one at a smaller k, so
delta increases strictly in k (proofs_notes/monotone-roots.md). As k falls to 0 the privacy
loss tends to a two-sided exponential, and delta to

    e^(-c epsilon) / (1 + 2c),   c = floor/shift,

so no k at all reaches a delta at or below that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import comb
from typing import Any

from flint import arb, ctx

from ..adjacency import Floored
from ..arb.balls import INFINITY, ball, enclosure_of, extra_bits, sharpened, sign, working_precision
from ..arb.gamma import digamma_change, log_beta, log_beta_change, trigamma
from ..arb.incomplete_beta import beta_series, regularised_incomplete_beta
from ..arb.roots import positive_near, positive_root
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    NonNegative,
    OpenProbability,
    Order,
    Positive,
    Probability,
)
from ..enclosure import Trilean
from ..quantity import Side, Truth, quantity
from ..relations import Complete, InverseOf, Promise
from .loss_density import delta_of_large, of_two_betas

NOTE = "proofs_notes/dominating-pair.md"
_SERIES_NOTE = "proofs_notes/positive-series.md"
MONOTONE_NOTE = "proofs_notes/monotone-roots.md"

_HALF = Fraction(1, 2)
# Total variation is rational for whole alpha and step; up to this sum it is computed as such.
_MAX_WHOLE_SUM = 4096
# KL is rational for a whole step; up to this step it is computed as such.
_MAX_WHOLE_STEP = 256
# The closed bound on epsilon can be closer to the root than any sign could be decided at.
_SLIGHTLY_MORE = Fraction(1025, 1024)
# The root is looked for near the mean loss where the spread is at most this part of it.
_NARROW_SPREAD = Fraction(1, 16)
_MOST_NEWTON = 60
# For the handful of roundings and sums around the two losses that are worked out.
_SPARE_BITS = 16


def _neighbours(p: Complete) -> tuple[Floored, ...]:
    """Return who is a neighbour of whom, by floor and step."""
    return (Floored(p["alpha"], p["step"]),)


@quantity(
    "dirichlet.profile.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_SERIES_NOTE,
    formula=r"\delta = I_q(\alpha, \alpha + s) - e^{\varepsilon} I_q(\alpha + s, \alpha), \quad "
    r"q = \frac{1}{1 + e^{\varepsilon / s}}",
    within=A_PROBABILITY,
    rises="step",
    falls="alpha epsilon",
    vanishes="high epsilon, low step",
    promise=Promise("delta", _neighbours),
)
def delta(alpha: Positive, step: Positive, epsilon: NonNegative) -> arb | Fraction:
    """Hockey-stick divergence of the dominating pair at e^epsilon: the exact delta.

    I_q(alpha, alpha + step) - e^epsilon I_q(alpha + step, alpha) with q = 1/(1 + e^(epsilon/step)).
    Both incomplete betas carry the factor q^alpha (1-q)^(alpha+step) / B(alpha, alpha+step); what
    is left is a difference of two series, positive term by term, that loses no more than
    1 + log2((alpha + step)/step) bits.
    """
    if epsilon == 0:
        known = _whole_total_variation(alpha, step)
        if known is not None:
            return known
    large = _of_large_sizes(alpha, step, epsilon)
    if large is not None and large.is_finite():
        return large
    with extra_bits(_bits_lost(alpha, step, epsilon)):
        slope = ball(epsilon / step)
        log_rest = -(-slope).exp().log1p()  # log(1 - q)
        log_q = log_rest - slope
        q = log_q.exp()
        weight = ball(alpha) * log_q + ball(alpha + step) * log_rest
        power = (weight - log_beta(alpha, alpha + step)).exp()
        return power * (beta_series(alpha, alpha + step, q) - beta_series(alpha + step, alpha, q))


def _of_large_sizes(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb | None:
    """Enclose delta without a series where one would be long; None elsewhere."""
    sizes = (alpha + step, (alpha + step) * epsilon / step, (alpha + step) / step)
    return delta_of_large(
        lambda: of_two_betas(alpha, step), lambda: ball(epsilon / step), step, alpha, sizes
    )


def _bits_lost(alpha: Fraction, step: Fraction, epsilon: Fraction) -> int:
    """Bits that the series' difference and the exponential of a large logarithm give away."""
    ratio = _log2_above(alpha) - _log2_below(step)
    difference = max(ratio, 0) + 2  # log2((alpha + step)/step)
    exponent = max(ratio + _log2_above(epsilon), _log2_above(alpha), _log2_above(step), 0)
    return difference + exponent + _SPARE_BITS


def _log2_above(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length() + 1


def _log2_below(value: Fraction) -> int:
    return value.numerator.bit_length() - value.denominator.bit_length() - 1


@quantity(
    "dirichlet.profile.total_variation",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"2 I_{1/2}(\alpha, \alpha + s) - 1",
    within=A_PROBABILITY,
    rises="step",
    falls="alpha",
    vanishes="low step",
    promise=Promise("delta", _neighbours),
)
def total_variation(alpha: Positive, step: Positive) -> arb | Fraction:
    """Total variation distance of the dominating pair: delta at epsilon 0.

    2 I_(1/2)(alpha, alpha + step) - 1.
    """
    known = _whole_total_variation(alpha, step)
    if known is not None:
        return known
    large = _of_large_sizes(alpha, step, Fraction(0))
    if large is not None and large.is_finite():
        return large
    return sharpened(lambda: 2 * regularised_incomplete_beta(alpha, alpha + step, _HALF) - 1)


def _whole_total_variation(alpha: Fraction, step: Fraction) -> Fraction | None:
    """For whole alpha and step, the chance that a fair-coin count falls in the gap between them."""
    tosses = 2 * alpha + step - 1
    if alpha.denominator != 1 or step.denominator != 1 or tosses >= _MAX_WHOLE_SUM:
        return None
    n, favourable = int(tosses), 0
    ways = comb(n, int(alpha))
    for heads in range(int(alpha), int(alpha + step)):
        favourable += ways
        ways = ways * (n - heads) // (heads + 1)
    return Fraction(favourable, 2**n)


@quantity(
    "dirichlet.profile.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\alpha, s, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="step",
    falls="alpha delta",
    vanishes="high delta",
    inverse=InverseOf("dirichlet.profile.delta", "delta", "epsilon"),
    promise=Promise("epsilon", _neighbours),
)
def epsilon(alpha: Positive, step: Positive, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which the dominating pair's delta is at most ``delta``.

    0 from the total variation on, infinite at delta = 0 (there is no pure differential privacy),
    else the root of a strictly decreasing function, bracketed with both signs proved.
    """
    if delta == 0:
        return INFINITY
    room = _total_variation_above(alpha, step, delta)
    if room is Trilean.FALSE:
        return Fraction(0)
    if room is Trilean.UNKNOWN:
        return arb(0).union(_epsilon_above(alpha, step, delta))
    target = ball(delta).log()
    near = _spread_of_loss(alpha, step)
    if near is None:
        start = positive_near(_epsilon_above(alpha, step, delta)) * _SLIGHTLY_MORE
    else:
        start = _mean_loss(alpha, step)
    return positive_root(
        lambda point: target - _log_delta(alpha, step, point), start=start, near=near
    )


def _mean_loss(alpha: Fraction, step: Fraction) -> Fraction:
    """Return about the mean of the loss; where its spread is small, delta falls from 1 there."""
    return positive_near(ball(step) * digamma_change(alpha, step))


def _spread_of_loss(alpha: Fraction, step: Fraction) -> Fraction | None:
    """Return about the loss's standard deviation over its mean where that is small; else None.

    It is step sqrt(2/alpha) over step log(1 + step/alpha), as for a large alpha.
    """
    if alpha < 1:
        return None
    spread = positive_near((2 / ball(alpha)).sqrt() / ball(step / alpha).log1p())
    return None if spread > _NARROW_SPREAD else max(spread, Fraction(1, 1 << ctx.prec))


def _total_variation_above(alpha: Fraction, step: Fraction, delta: Fraction) -> Trilean:
    if delta >= 1:
        return Trilean.FALSE
    distance = total_variation(alpha, step)
    if isinstance(distance, Fraction):
        return Trilean.of(distance > delta)
    return sign(distance - ball(delta))


def _epsilon_above(alpha: Fraction, step: Fraction, delta: Fraction) -> arb:
    """Enclose log(C/delta) step/alpha, an upper bound on epsilon; see the note on roots.

    C = step Gamma(2 alpha + step) / (Gamma(alpha + 1) Gamma(alpha + step + 1)).
    """
    front = ball(step / (alpha * (alpha + step)))
    log_factor = front.log() - log_beta(alpha, alpha + step)
    return ((log_factor - ball(delta).log()) * ball(step / alpha)).max(arb(0))


def _log_delta(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    """Enclose the logarithm of the profile."""
    value = delta(alpha, step, epsilon)
    return (ball(value) if isinstance(value, Fraction) else value).log()


@quantity(
    "dirichlet.profile.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"D_\lambda = \frac{1}{\lambda - 1} \log \frac{B(\alpha - (\lambda - 1) s, \alpha + "
    r"\lambda s)}{B(\alpha, \alpha + s)}, \quad D_1 = s (\psi(\alpha + s) - "
    r"\psi(\alpha))",
    within=AT_LEAST_ZERO,
    rises="step order",
    falls="alpha",
    vanishes="low step",
    promise=Promise("limit", _neighbours, "limit"),
)
def renyi(alpha: Positive, step: Positive, order: Order) -> arb | Fraction:
    """Renyi divergence of the dominating pair, in either direction; order 1 is Kullback-Leibler.

    [log B(alpha - (order-1) step, alpha + order step) - log B(alpha, alpha + step)] / (order - 1),
    infinite from (order - 1) step >= alpha on; at order 1 step (psi(alpha + step) - psi(alpha)).
    """
    if order == 1:
        return _kullback_leibler(alpha, step)
    excess = (order - 1) * step
    if excess >= alpha:
        return INFINITY
    return log_beta_change(alpha - excess, alpha + order * step, excess) / ball(order - 1)


def _kullback_leibler(alpha: Fraction, step: Fraction) -> arb | Fraction:
    if step.denominator == 1 and step <= _MAX_WHOLE_STEP:
        return step * sum((1 / (alpha + j) for j in range(int(step))), Fraction(0))
    return ball(step) * digamma_change(alpha, step)


@quantity(
    "dirichlet.profile.step_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    formula=r"\max \{ s : \delta(\alpha, s, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="alpha epsilon delta",
    inverse=InverseOf("dirichlet.profile.delta", "delta", "step"),
    promise=Promise("step", _neighbours),
)
def step_for_dp(alpha: Positive, epsilon: NonNegative, delta: OpenProbability) -> arb:
    """Largest step whose dominating pair is (epsilon, delta)-indistinguishable at this floor.

    The profile increases strictly in the step, from 0 to 1, so the root is unique.
    """
    target = ball(delta).log()
    start = _step_of_mean_loss(alpha, epsilon) if epsilon > 0 else alpha
    near = _spread_of_loss(alpha, start)
    return positive_root(
        lambda step: _log_delta(alpha, step, epsilon) - target,
        start=alpha / (1 + epsilon) if near is None else start,
        near=near,
    )


def _step_of_mean_loss(alpha: Fraction, epsilon: Fraction) -> Fraction:
    """Return about the step whose loss has mean epsilon, by Newton's method from above.

    The mean rises with the step and is convex in it.
    """
    root = (ball(alpha) * ball(epsilon)).sqrt()
    step = positive_near(2 * (root + ball(epsilon)))
    for _ in range(_MOST_NEWTON):
        rise = digamma_change(alpha, step)
        slope = rise + ball(step) * trigamma(ball(alpha + step))
        move = (ball(step) * rise - ball(epsilon)) / slope
        if not move.is_finite() or abs(move) < ball(step) * arb(2) ** (8 - ctx.prec):
            break
        step = positive_near(ball(step) - move)
    return step


@quantity(
    "dirichlet.profile.step_for_renyi",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    formula=r"\max \{ s : D_{\lambda}(\alpha, s) \le \varepsilon \}",
    within=AT_LEAST_ZERO,
    rises="alpha epsilon",
    falls="order",
    inverse=InverseOf("dirichlet.profile.renyi", "epsilon", "step"),
    promise=Promise("step", _neighbours, "epsilon"),
)
def step_for_renyi(alpha: Positive, order: Order, epsilon: Positive) -> arb:
    """Largest step whose dominating pair has Renyi divergence at most epsilon at this order.

    The divergence increases strictly in the step, from 0, and without bound.
    """
    limit = alpha / (order - 1) if order > 1 else None
    start = alpha if limit is None else min(alpha, limit / 2)

    def excess(step: Fraction) -> arb:
        value = renyi(alpha, step, order)
        return (ball(value) if isinstance(value, Fraction) else value).log() - target

    target = ball(epsilon).log()
    return positive_root(excess, start, limit)


_MAX_DECIDING_BITS = 16_384


def largest_k(floor: Fraction, shift: Fraction, epsilon: Fraction, delta: Fraction) -> arb:
    """Enclose the k at which the exact delta, at floor k floor and step k shift, is ``delta``."""
    target = ball(delta).log()
    start, near = 1 / shift, None
    if epsilon > 0:  # the mean loss is about k shift log(1 + shift/floor) for a large k
        likely = positive_near(ball(epsilon / shift) / ball(shift / floor).log1p())
        near = _spread_of_loss(likely * floor, likely * shift)
        start = start if near is None else likely
    return positive_root(
        lambda k: _log_delta(k * floor, k * shift, epsilon) - target, start=start, near=near
    )


def largest_k_of(
    floor: Callable[[Mapping[str, Any]], Fraction], step: Callable[[Mapping[str, Any]], Fraction]
) -> InverseOf:
    """Return a largest k as the inverse of the exact delta at floor k floor, step k step."""
    return InverseOf("dirichlet.profile.delta", "delta", multiples={"alpha": floor, "step": step})


def some_k_reaches(ratio: Fraction, epsilon: Fraction, delta: Fraction) -> Trilean:
    """Whether delta > e^(-c epsilon)/(1 + 2c) for c = ``ratio``.

    The two are never equal at epsilon > 0 (e to a rational power is irrational), so precision
    decides; at epsilon = 0 both are rational.
    """
    share = delta * (1 + 2 * ratio)
    if epsilon == 0:
        return Trilean.of(share > 1)
    bits = 64
    while bits <= _MAX_DECIDING_BITS:
        with working_precision(bits):
            answer = enclosure_of((-ball(ratio * epsilon)).exp()).is_below(share)
        if answer is not Trilean.UNKNOWN:
            return answer
        bits *= 4
    return Trilean.UNKNOWN
