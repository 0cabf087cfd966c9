"""Gaussian Markov quilts: normal noise that hides a chain's nodes, whatever the query.

Given the nodes of a quilt, the far part of the data has one law under both values of a node, and
the near part moves a query by at most its card, per unit of the query's Lipschitz constant in the
2-norm. So normal noise is read at an epsilon, or a Renyi divergence, that is less by the influence;
song2017's quilts are the same with Laplace noise (proofs_notes/gaussian-quilts.md).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Annotated

import numpy as np
from flint import arb, ctx

from ... import gaussian
from ...arb.balls import INFINITY, ball, enclosure_of
from ...domain import AT_LEAST_ZERO, CHAINS, OpenProbability, Positive
from ...quantity import Side, Truth, quantity
from ...relations import each, more
from ...vocabulary import Meaning
from ..laplace_renyi import RENYI_ORDER
from .exact import CONDITIONS, LENGTH, SCALES, WIDTH, worst_node
from .score import Floats

NOTE = "proofs_notes/gaussian-quilts.md"
SIGMAS = Annotated[
    SCALES, Meaning("standard deviation of the normal noise of each release", "[10, 20]")
]
# Multipliers of a table from which search guesses; nothing rests on it.
_PLACES = 64
# A guess at an epsilon is proved this far on either side of it.
_BESIDE = (2.0**-40, 2.0**-30, 2.0**-20)


@dataclass(frozen=True)
class GaussianScaleFor:
    """The sigma that a quilt asks for: card times the multiplier for (epsilon - influence, delta).

    Infinite where the influence is more than epsilon.
    """

    epsilon: Fraction
    delta: Fraction

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the sigma."""
        left = ball(self.epsilon) - influence
        if left < 0:
            return INFINITY
        if not (left.is_finite() and left.lower() >= 0):
            return arb("nan")
        known = enclosure_of(left)
        ends = {Fraction(known.lower), Fraction(known.upper)}
        found = [_multiplier(end, self.delta) for end in ends]
        return ball(card) * found[0].union(found[-1])

    def of_whole_chain(self, length: int) -> arb:
        """Enclose length times the multiplier for (epsilon, delta)."""
        return ball(length) * _multiplier(self.epsilon, self.delta)

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose epsilon less that of normal noise of score/card at delta; it rises with score."""
        if not card:
            return ball(self.epsilon)
        if not (score > 0 and score.is_finite()):
            return arb("nan")
        known = enclosure_of(score)
        ends = {Fraction(known.lower), Fraction(known.upper)}
        found = [self._epsilon(end / card) for end in ends]
        return ball(self.epsilon) - found[0].union(found[-1])

    def _epsilon(self, multiplier: Fraction) -> arb:
        """Enclose the epsilon of normal noise at delta: a guess, with both signs proved."""
        target = ball(self.delta)
        about = _epsilon_about(float(multiplier), float(self.delta))
        for share in _BESIDE:
            low, high = arb(about) * (1 - share), arb(about) * (1 + share)
            above = gaussian.profile(multiplier, low) > target
            if above and gaussian.profile(multiplier, high) < target:
                return low.union(high)
        found: arb | Fraction = gaussian.epsilon(multiplier, self.delta)
        return ball(found) if isinstance(found, Fraction) else found

    def card_left(self, score: arb) -> arb:
        """Enclose the score over the multiplier for (epsilon, delta)."""
        return score / _multiplier(self.epsilon, self.delta)

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the sigmas."""
        places, multipliers = self._table
        left = min(float(self.epsilon), 1e300) - influences
        with np.errstate(all="ignore"):
            found = np.exp(np.interp(left, places, multipliers)) * cards
        return np.where(left >= 0, found, np.inf)

    @cached_property
    def _table(self) -> tuple[Floats, Floats]:
        """Return some epsilons, up to the claimed one, with about log of their multipliers."""
        places = [self.epsilon * at / _PLACES for at in range(_PLACES + 1)]
        found = [float(_multiplier(at, self.delta).log()) for at in places]
        return np.array([float(at) for at in places]), np.array(found)


def _multiplier(epsilon: Fraction, delta: Fraction) -> arb:
    return _known_multiplier(epsilon, delta, ctx.prec)


@lru_cache(maxsize=4_096)
def _known_multiplier(epsilon: Fraction, delta: Fraction, _bits: int) -> arb:
    """Return the multiplier at the working precision, which is asked again by other quilts."""
    found: arb = gaussian.noise_multiplier_for_dp(epsilon, delta)
    return found


def _epsilon_about(multiplier: float, delta: float) -> float:
    """Return about the epsilon of normal noise at delta, in doubles; 0 where it is not found."""
    low, high = 0.0, 1 / (2 * multiplier**2) + math.sqrt(-2 * math.log(delta)) / multiplier
    for _ in range(100):
        middle = (low + high) / 2
        near, far = (middle * multiplier + way / (2 * multiplier) for way in (-1, 1))
        try:
            first = math.erfc(near / math.sqrt(2)) / 2
            second = math.exp(middle) * math.erfc(far / math.sqrt(2)) / 2
        except OverflowError:
            return 0.0
        low, high = (middle, high) if first - second > delta else (low, middle)
    return low


@dataclass(frozen=True)
class RenyiScaleFor:
    """The sigma that a quilt asks for: card sqrt(order/(2 (epsilon - influence)))."""

    order: Fraction
    epsilon: Fraction

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the sigma; infinite once the influence is certainly epsilon or more."""
        left = ball(self.epsilon) - influence
        return INFINITY if left <= 0 else ball(card) * (ball(self.order / 2) / left).sqrt()

    def of_whole_chain(self, length: int) -> arb:
        """Enclose length sqrt(order/(2 epsilon))."""
        return self.of(length, arb(0))

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose epsilon - order (card/score)^2/2."""
        rate = ball(card) / score
        return ball(self.epsilon) - ball(self.order / 2) * rate * rate

    def card_left(self, score: arb) -> arb:
        """Enclose score sqrt(2 epsilon/order)."""
        return score * ball(2 * self.epsilon / self.order).sqrt()

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the sigmas."""
        half = min(float(self.order) / 2, 1e300)
        left = min(float(self.epsilon), 1e300) - influences
        with np.errstate(all="ignore"):
            return np.where(left > 0, cards * np.sqrt(half / left), np.inf)


@dataclass(frozen=True)
class RenyiOf:
    """The Renyi divergence that noise gives through a quilt: influence + order card^2 rate/2.

    ``rate`` is the sum of 1/scale^2 over the releases, per unit of each query's Lipschitz constant
    in the 2-norm.
    """

    order: Fraction
    rate: Fraction

    def _of_noise(self, card: int) -> Fraction:
        return self.order * card**2 * self.rate / 2

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the divergence."""
        return influence + ball(self._of_noise(card))

    def of_whole_chain(self, length: int) -> Fraction:
        """Return order length^2 rate/2."""
        return self._of_noise(length)

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose score - order card^2 rate/2."""
        return score - ball(self._of_noise(card))

    def card_left(self, score: arb) -> arb:
        """Enclose sqrt(2 score/(order rate))."""
        return (score / ball(self._of_noise(1))).sqrt()

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the divergences."""
        with np.errstate(over="ignore"):
            return influences + cards * cards * float(min(self._of_noise(1), Fraction(2) ** 1000))


def rate_of_squares(scales: Iterable[Fraction]) -> Fraction:
    """Return the sum of 1/scale^2, 1 over the square of the one scale that loses as much."""
    return sum((1 / scale**2 for scale in scales), Fraction(0))


@quantity(
    "pufferfish.gaussian_quilt_scale",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\sigma = \max_{\theta, t} \; \min_Q \; \mathrm{card}(X_N) \, s(\varepsilon - e(Q "
    r"\mid X_t), \delta), \quad s(\varepsilon, \delta) = \min \{ s : \delta(s, \varepsilon) \le "
    r"\delta \}",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=("length", more("chains")),
    falls="epsilon delta width",
    slow=True,
)
def gaussian_quilt_scale(
    chains: CHAINS, length: LENGTH, epsilon: Positive, delta: OpenProbability, width: WIDTH
) -> arb:
    """Standard deviation of normal noise with which quilts give (epsilon, delta), for any query.

    Per unit of the query's Lipschitz constant in the 2-norm. The largest over chains and nodes of
    the least card times ``gaussian.noise_multiplier_for_dp`` at epsilon less the influence. It is
    enough, and need not be the least that is.
    """
    return worst_node(chains, length, GaussianScaleFor(epsilon, delta), width).score


@quantity(
    "pufferfish.gaussian_quilt_scale_renyi",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\sigma = \max_{\theta, t} \; \min_Q \; \mathrm{card}(X_N) \sqrt{\frac{\lambda}{2 "
    r"(\varepsilon - e(Q \mid X_t))}}",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=("length", "order", more("chains")),
    falls="epsilon width",
)
def gaussian_quilt_scale_renyi(
    chains: CHAINS, length: LENGTH, order: RENYI_ORDER, epsilon: Positive, width: WIDTH
) -> arb:
    """Standard deviation of normal noise for a Renyi epsilon at an order by quilts, for any query.

    Per unit of the query's Lipschitz constant in the 2-norm. It is enough, and need not be the
    least that is.
    """
    return worst_node(chains, length, RenyiScaleFor(order, epsilon), width).score


@quantity(
    "pufferfish.gaussian_quilt_renyi",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\max_{\theta, t} \; \min_Q \left( e(Q \mid X_t) + \frac{\lambda}{2} "
    r"\mathrm{card}(X_N)^2 \sum_j \frac{1}{\sigma_j^2} \right)",
    conditions=CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=("length", "order", more("chains")),
    falls=("width", each("scales")),
)
def gaussian_quilt_renyi(
    chains: CHAINS, length: LENGTH, order: RENYI_ORDER, scales: SIGMAS, width: WIDTH
) -> arb:
    """Renyi divergence that several releases with normal noise give together by quilts.

    Of any queries, per unit of their Lipschitz constants in the 2-norm, also where they are chosen
    in view of earlier answers. The influence counts once, and one quilt serves all releases.
    """
    return worst_node(chains, length, RenyiOf(order, rate_of_squares(scales)), width).score
