"""The level gamma at which a good set is missed with a given probability."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from flint import arb

from ...arb.balls import ball, middle, sign
from ...arb.gamma import log_beta
from ...arb.roots import positive_root
from ...dyadic import Dyadic
from ...enclosure import Trilean
from .event import Miss
from .route import probability

WORST_INPUT_NOTE = "proofs_notes/tail-worst-input.md"
# Levels below this (1e-39456) are not told apart: as fractions they would take minutes.
_SMALLEST = Fraction(1, 1 << (1 << 17))
_START_BITS = 32


def level_of(miss_at: Callable[[Fraction], Miss], delta: Fraction) -> arb:
    """Enclose the gamma at which the probability of a miss is delta, 0 < delta < 1.

    The probability increases from 0 to 1 on (0, 1/count) (proofs_notes/tail-worst-input.md), so
    two proved signs enclose the only root. An astronomically small one is only bounded.
    """
    limit = Fraction(1, miss_at(Fraction(1)).count)
    target = ball(delta).log()

    def excess(gamma: Fraction) -> arb:
        return probability(miss_at(gamma)).log() - target

    start = _start(miss_at(limit), delta)
    if start == _SMALLEST and sign(excess(_SMALLEST)) is Trilean.TRUE:
        return arb(0).union(ball(_SMALLEST))
    return positive_root(excess, start, limit)


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
