"""The exact privacy of Dirichlet(step f + alpha) when a record is added or removed.

f counts records, one count changes by 1, and the total with it. Among all such neighbours

    P = Gamma(alpha),   Q = Gamma(alpha + step)

dominates in Blackwell's sense, and the counts elsewhere can be so large that a pair of neighbours
comes as near to it as one likes; none attains it (proofs_notes/add-remove.md). The worse order is
always that of P, the smaller count, against Q.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ..adjacency import Grown
from ..arb.balls import INFINITY, ball, enclosure_of, extra_bits, sharpened, sign
from ..arb.gamma import log_gamma
from ..arb.incomplete_gamma import series_difference
from ..arb.roots import positive_root
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    ONE,
    NonNegative,
    OpenProbability,
    Order,
    Positive,
    Probability,
)
from ..enclosure import Trilean
from ..quantity import Side, Truth, quantity
from ..relations import Complete, InverseOf, Promise
from .loss_density import delta_of_large, of_two_gammas
from .renyi_divergence import gap

_NOTE = "proofs_notes/add-remove.md"
# The closed bound on epsilon can be closer to the root than any sign could be decided at.
_SLIGHTLY_MORE = Fraction(1025, 1024)
# For the handful of roundings around the losses that are worked out.
_SPARE_BITS = 16


def _neighbours(p: Complete) -> tuple[Grown, ...]:
    return (Grown(p["alpha"], p["step"]),)


@quantity(
    "dirichlet.add_remove.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\delta = P(\alpha, x) - e^{\varepsilon} P(\alpha + s, x), \quad x = "
    r"\left(\frac{\Gamma(\alpha + s)}{\Gamma(\alpha)}\, e^{-\varepsilon}\right)^{1/s}",
    within=A_PROBABILITY,
    rises="step",
    falls="alpha epsilon",
    vanishes="high epsilon, low step",
    promise=Promise("delta", _neighbours),
)
def delta(alpha: Positive, step: Positive, epsilon: NonNegative) -> arb:
    """Exact delta under adding or removing a record: the hockey-stick at e^epsilon.

    P(alpha, x) - e^epsilon P(alpha + step, x), regularised lower incomplete gammas at
    x = (Gamma(alpha + step)/Gamma(alpha) e^-epsilon)^(1/step), as x^alpha e^-x/Gamma(alpha) times
    a series of positive terms.
    """
    large = _of_large_sizes(alpha, step, epsilon)
    if large is not None and large.is_finite():
        return large
    with extra_bits(_bits_lost(alpha, step, epsilon)):
        logarithm = (_log_gamma_change(alpha, step) - ball(epsilon)) / ball(step)
        point = logarithm.exp()
        front = (ball(alpha) * logarithm - point - log_gamma(alpha)).exp()
        return front * series_difference(alpha, step, point)


def shortfall(alpha: Fraction, step: Fraction, rest: Fraction) -> Fraction:
    """Return a share of delta that two counts with parameters ``rest`` elsewhere lack at most.

    Beta(alpha, rest) against Beta(alpha + step, rest) have at least 1 - 3 a^2 (a + 1)/(step rest)
    times the delta of the gamma pair, a = alpha + step, at every epsilon, if that is not negative
    and rest >= 1 (proofs_notes/add-remove.md, short-of-the-bound).
    """
    more = alpha + step
    return 3 * more**2 * (more + 1) / (step * rest)


def _of_large_sizes(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb | None:
    """Enclose delta without a series where one would be long; None elsewhere."""
    length = (alpha + step).numerator.bit_length()
    sizes = ((alpha + step) * length, alpha * (epsilon / step + length), (alpha + step) / step)
    return delta_of_large(
        lambda: of_two_gammas(alpha),
        lambda: (ball(epsilon) - _log_gamma_change(alpha, step)) / ball(step),
        step,
        alpha,
        sizes,
    )


def _log_gamma_change(alpha: Fraction, step: Fraction) -> arb:
    """Enclose log Gamma(alpha + step) - log Gamma(alpha)."""
    return sharpened(lambda: log_gamma(alpha + step) - log_gamma(alpha))


def _bits_lost(alpha: Fraction, step: Fraction, epsilon: Fraction) -> int:
    """Bits that exponentials of large numbers give away; a matter of width alone."""
    size = 1 + alpha + step
    exponent = size * (1 + epsilon / step + size.numerator.bit_length())
    return exponent.__ceil__().bit_length() + _SPARE_BITS


@quantity(
    "dirichlet.add_remove.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\alpha, s, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="step",
    falls="alpha delta",
    vanishes="high delta",
    inverse=InverseOf("dirichlet.add_remove.delta", "delta", "epsilon"),
    promise=Promise("epsilon", _neighbours),
)
def epsilon(alpha: Positive, step: Positive, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which delta under adding or removing a record is at most ``delta``.

    0 from the total variation on, infinite at delta = 0, else the root of a strictly decreasing
    function, bracketed with both signs proved.
    """
    if delta == 0:
        return INFINITY
    if delta == 1:  # the total variation, always less, can be too near to tell
        return Fraction(0)
    target = ball(delta).log()
    room = sign(_log_delta(alpha, step, Fraction(0)) - target)
    if room is Trilean.FALSE:
        return Fraction(0)
    above = _epsilon_above(alpha, step, target)
    if room is Trilean.UNKNOWN:
        return arb(0).union(above)
    near = enclosure_of(above * ball(_SLIGHTLY_MORE)).upper
    return positive_root(
        lambda point: target - _log_delta(alpha, step, point),
        start=near if isinstance(near, Fraction) and near > 0 else ONE,
    )


def _epsilon_above(alpha: Fraction, step: Fraction, target: arb) -> arb:
    """Enclose log(C/delta) step/alpha, an upper bound on epsilon where delta < total variation.

    C = (Gamma(alpha + step)/Gamma(alpha))^(alpha/step) step / ((alpha + step) Gamma(alpha + 1)).
    """
    front = ball(step / (alpha + step)).log() - log_gamma(alpha + 1)
    rise = _log_gamma_change(alpha, step)
    above: arb = (rise + (front - target) * ball(step / alpha)).max(arb(0))
    return above


def _log_delta(alpha: Fraction, step: Fraction, epsilon: Fraction) -> arb:
    """Enclose the logarithm of delta."""
    value: arb = delta(alpha, step, epsilon)
    return value.log()


@quantity(
    "dirichlet.add_remove.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\frac{F(\alpha - (\lambda - 1) s) + (\lambda - 1) F(\alpha + s) - \lambda "
    r"F(\alpha)}{\lambda - 1}, \quad F = \log \Gamma",
    within=AT_LEAST_ZERO,
    rises="step order",
    falls="alpha",
    vanishes="low step",
    promise=Promise("limit", _neighbours, "limit"),
)
def renyi(alpha: Positive, step: Positive, order: Order) -> arb:
    """Exact Renyi divergence under adding or removing a record; order 1 is Kullback-Leibler.

    [F(alpha - (order-1) step) + (order-1) F(alpha + step) - order F(alpha)]/(order - 1) with
    F = log Gamma, infinite from (order-1) step >= alpha on; at order 1
    F(alpha + step) - F(alpha) - step psi(alpha).
    """
    if (order - 1) * step >= alpha:
        return INFINITY
    return sharpened(lambda: gap(alpha, alpha + step, order))


@quantity(
    "dirichlet.add_remove.step_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\max \{ s : \delta(\alpha, s, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    rises="alpha epsilon delta",
    inverse=InverseOf("dirichlet.add_remove.delta", "delta", "step"),
    promise=Promise("step", _neighbours),
)
def step_for_dp(alpha: Positive, epsilon: NonNegative, delta: OpenProbability) -> arb:
    """Largest step that is (epsilon, delta)-private under adding or removing a record.

    Delta increases strictly in the step, from 0 to 1, so the root is unique.
    """
    target = ball(delta).log()
    return positive_root(
        lambda step: _log_delta(alpha, step, epsilon) - target, start=alpha / (1 + epsilon)
    )


@quantity(
    "dirichlet.add_remove.step_for_renyi",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\max \{ s : D_{\lambda}(\alpha, s) \le \varepsilon \}",
    within=AT_LEAST_ZERO,
    rises="alpha epsilon",
    falls="order",
    inverse=InverseOf("dirichlet.add_remove.renyi", "epsilon", "step"),
    promise=Promise("step", _neighbours, "epsilon"),
)
def step_for_renyi(alpha: Positive, order: Order, epsilon: Positive) -> arb:
    """Largest step whose divergence under adding or removing a record is at most epsilon.

    The divergence increases strictly in the step, from 0, and without bound.
    """
    limit = alpha / (order - 1) if order > 1 else None
    target = ball(epsilon).log()
    return positive_root(
        lambda step: renyi(alpha, step, order).log() - target,
        start=alpha if limit is None else min(alpha, limit / 2),
        limit=limit,
    )
