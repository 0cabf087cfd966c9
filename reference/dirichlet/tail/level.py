"""The level gamma at which a good set is missed with a given probability."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from ...arb.balls import ball, middle, sign
from ...arb.gamma import log_beta
from ...arb.roots import positive_near, positive_root
from ...dyadic import Dyadic
from ...enclosure import Trilean
from . import closed
from .event import Miss
from .route import probability

WORST_INPUT_NOTE = "proofs_notes/tail-worst-input.md"
# Levels below this (1e-39456) are not told apart: as fractions they would take minutes.
_SMALLEST = Fraction(1, 1 << (1 << 17))
_START_BITS = 32
# From this floor on the draw is so narrow that its spread tells where to look; speed alone.
_NARROW = Fraction(2) ** 20
_SMALL_PART = Fraction(1, 16)


def level_of(miss_at: Callable[[Fraction], Miss], delta: Fraction) -> arb:
    """Enclose the gamma at which the probability of a miss is delta, 0 < delta < 1.

    The probability increases from 0 to 1 on (0, 1/count) (proofs_notes/tail-worst-input.md), so
    two proved signs enclose the only root. An astronomically small one is only bounded.
    """
    limit = Fraction(1, miss_at(Fraction(1)).count)
    chance = ball(delta)
    target = chance.log()

    def excess(gamma: Fraction) -> arb:
        miss = miss_at(gamma)
        if miss.known is not None:
            return probability(miss).log() - target
        # Far from the root, where every other way may be long, closed bounds show the sign.
        bounds = closed.probability(miss)
        if bounds < chance:
            return bounds.abs_upper().log() - target
        return (bounds.abs_lower() if bounds > chance else probability(miss)).log() - target

    likely = _likely(miss_at(limit), delta)
    if likely is not None:
        return positive_root(excess, *likely)
    start = _start(miss_at(limit), delta)
    if start == _SMALLEST and sign(excess(_SMALLEST)) is Trilean.TRUE:
        return arb(0).union(ball(_SMALLEST))
    return positive_root(excess, start, limit)


def _likely(miss: Miss, delta: Fraction) -> tuple[Fraction, Fraction, Fraction] | None:
    """Return a gamma below the root, its limit, and the part of it within which the root is.

    By Chernoff's bound for a normal law: some spreads below the mean, for a draw that has one.
    """
    alpha, count = miss.groups[0]
    if alpha < _NARROW:
        return None
    nats = (ball(count) / ball(delta)).log()
    away = positive_near((2 * nats * ball((miss.total - alpha) / (miss.total * alpha))).sqrt())
    if away > _SMALL_PART:
        return None
    return alpha / miss.total * (1 - away * 5 / 4), miss.gamma, 4 * away


def _start(miss: Miss, delta: Fraction) -> Fraction:
    """Return a gamma near the root: where the smallest parameter's first term would be delta.

    P(x < gamma) is about gamma^a/(a B(a, k - a)); a matter of speed alone.
    """
    alpha, count = miss.groups[0]
    others = miss.total - alpha
    front = ball(delta * alpha / count).log() + log_beta(alpha, others)
    guess = (front / ball(alpha)).exp().mid()
    highest = miss.gamma / 2
    if not guess.is_finite() or guess >= ball(highest):
        return highest
    if guess <= ball(_SMALLEST):
        return _SMALLEST
    return Fraction(Dyadic.rounded(middle(guess), _START_BITS, up=True).as_fraction())
