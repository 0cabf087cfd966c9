"""Gaussian noise: exact delta, epsilon and Renyi divergence, and the least noise that is private.

A query whose values at neighbouring inputs are at most the sensitivity apart, in the 2-norm, is
released with independent normal noise. Only the noise multiplier counts, s = standard deviation
over sensitivity: the pair N(1, s^2) against N(0, s^2) dominates every pair of neighbours, and those
that are the sensitivity apart attain it, in either order (proofs_notes/gaussian.md). Releases of
multipliers s_1, s_2, ... together are one of 1/s^2 = 1/s_1^2 + 1/s_2^2 + ...
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from .arb.balls import INFINITY, ball, monotone_hull, sharpened, sign
from .arb.roots import positive_near, positive_root
from .domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    NOISE_MULTIPLIER,
    NonNegative,
    OpenProbability,
    Order,
    Probability,
)
from .enclosure import Trilean
from .quantity import Side, Truth, quantity
from .relations import InverseOf

NOTE = "proofs_notes/gaussian.md"


@quantity(
    "gaussian.delta",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"balle2018 Theorem 8; {NOTE}",
    formula=r"\delta = \Phi\Big(\frac{1}{2\sigma} - \varepsilon\sigma\Big) - e^{\varepsilon} "
    r"\Phi\Big(-\frac{1}{2\sigma} - \varepsilon\sigma\Big)",
    within=A_PROBABILITY,
    falls="noise_multiplier epsilon",
    vanishes="high epsilon, high noise_multiplier",
)
def delta(noise_multiplier: NOISE_MULTIPLIER, epsilon: NonNegative) -> arb:
    """Exact delta of Gaussian noise: the hockey-stick of N(1, s^2) against N(0, s^2) at e^epsilon.

    The same in both orders. Two complementary error functions, each known to full relative
    accuracy, at a precision that has room for what their difference loses.
    """
    return profile(noise_multiplier, epsilon)


def profile(noise_multiplier: Fraction | arb, threshold: Fraction | arb) -> arb:
    """Enclose the hockey-stick at e^threshold, a real number of either sign; both may be balls."""

    def formula() -> arb:
        epsilon = ball(threshold) if isinstance(threshold, Fraction) else threshold
        spread = (
            ball(noise_multiplier) if isinstance(noise_multiplier, Fraction) else noise_multiplier
        )
        scaled, half = epsilon * spread, 1 / (2 * spread)
        root = arb(2).sqrt()
        near = monotone_hull(arb.erfc, (scaled - half) / root)
        far = monotone_hull(arb.erfc, (scaled + half) / root)
        return (near - epsilon.exp() * far) / 2

    return sharpened(formula)


@quantity(
    "gaussian.epsilon",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"balle2018 Theorem 8; {NOTE}",
    formula=r"\min \{ \varepsilon \ge 0 : \delta(\sigma, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    falls="noise_multiplier delta",
    vanishes="high delta",
    inverse=InverseOf("gaussian.delta", "delta", "epsilon"),
)
def epsilon(noise_multiplier: NOISE_MULTIPLIER, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which Gaussian noise has at most ``delta``.

    0 from the total variation erf(1/(s sqrt 8)) on, infinite at delta = 0, else the root of a
    strictly decreasing function, bracketed with both signs proved.
    """
    if delta == 0:
        return INFINITY
    if delta == 1:
        return Fraction(0)
    target = ball(delta).log()
    room = sign(profile(noise_multiplier, Fraction(0)).log() - target)
    if room is Trilean.FALSE:
        return Fraction(0)
    above = _epsilon_above(noise_multiplier, target)
    if room is Trilean.UNKNOWN:
        return arb(0).union(above)
    return positive_root(
        lambda point: target - profile(noise_multiplier, point).log(), positive_near(above)
    )


def _epsilon_above(noise_multiplier: Fraction, log_delta: arb) -> arb:
    """Enclose 1/(2 s^2) + sqrt(-2 log delta)/s, a bound on epsilon by Chernoff's."""
    over = ball(1 / noise_multiplier)
    return over**2 / 2 + over * (-2 * log_delta).sqrt()


@quantity(
    "gaussian.renyi",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"mironov2017 Proposition 7; {NOTE}",
    formula=r"D_{\lambda} = \frac{\lambda}{2 \sigma^2}",
    within=AT_LEAST_ZERO,
    rises="order",
    falls="noise_multiplier",
    vanishes="high noise_multiplier",
)
def renyi(noise_multiplier: NOISE_MULTIPLIER, order: Order) -> Fraction:
    """Exact Renyi divergence of Gaussian noise, order/(2 s^2), the same in both orders of the pair.

    Order 1 is Kullback-Leibler.
    """
    return order / (2 * noise_multiplier**2)


@quantity(
    "gaussian.noise_multiplier_for_dp",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"balle2018 Theorem 8 and Algorithm 1; {NOTE}",
    formula=r"\min \{ \sigma > 0 : \delta(\sigma, \varepsilon) \le \delta \}",
    within=AT_LEAST_ZERO,
    falls="epsilon delta",
    inverse=InverseOf("gaussian.delta", "delta", "noise_multiplier"),
)
def noise_multiplier_for_dp(epsilon: NonNegative, delta: OpenProbability) -> arb:
    """Smallest noise multiplier at which Gaussian noise is (epsilon, delta)-private.

    delta falls strictly as it grows, from 1 to 0, so the root is unique; both its signs are proved.
    """
    target = ball(delta).log()
    depth = (-2 * target).sqrt()
    start = ((depth**2 + 2 * ball(epsilon)).sqrt() + depth) / (2 * ball(epsilon + delta))
    return positive_root(lambda point: target - profile(point, epsilon).log(), positive_near(start))
