"""What a quilt is worth: the scale that it asks for, or the epsilon that it gives.

A quilt of node i leaves ``card`` nodes near i and has an influence e on the rest. Laplace noise of
scale s per unit of the query's Lipschitz constant gives epsilon once e + card/s <= epsilon
(song2017 Theorem 4.3). Either score rises with card and with e, which is all that the search uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Protocol

import numpy as np
from flint import arb

from ...arb.balls import INFINITY, ball, working_precision
from .tables import Floats

# Bits for bounds on ratios: float64 holds fewer.
_BOUND_BITS = 80
# Ratios beyond this are not told from infinite ones, and numbers of nodes from unlimited ones.
_LARGEST = 2.0**900
_MOST_NODES = 2**62


class Score(Protocol):
    """A number for each quilt, which rises with its card and its influence."""

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the score of a quilt."""

    def of_whole_chain(self, length: int) -> Fraction:
        """Return the score of the empty quilt, so many nodes and no influence, exactly."""

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose the influence at which a quilt of that card reaches the score."""

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the scores, for choosing where to look."""


@dataclass(frozen=True)
class ScaleFor:
    """The noise that a quilt asks for: card/(epsilon - influence), infinite where that is not."""

    epsilon: Fraction

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the scale; infinite once the influence is certainly epsilon or more."""
        left = ball(self.epsilon) - influence
        return INFINITY if left <= 0 else ball(card) / left

    def of_whole_chain(self, length: int) -> Fraction:
        """Return length/epsilon."""
        return length / self.epsilon

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose epsilon - card/score."""
        return ball(self.epsilon) - ball(card) / score

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the scales."""
        left = _about(self.epsilon) - influences
        with np.errstate(all="ignore"):
            return np.where(left > 0, cards / left, np.inf)


@dataclass(frozen=True)
class EpsilonOf:
    """The epsilon that noise gives through a quilt: influence + card * rate.

    ``rate`` is the sum of 1/scale over the releases, per unit of each query's Lipschitz constant.
    """

    rate: Fraction

    def of(self, card: int, influence: arb) -> arb:
        """Enclose the epsilon."""
        return influence + ball(card * self.rate)

    def of_whole_chain(self, length: int) -> Fraction:
        """Return length * rate."""
        return length * self.rate

    def influence_left(self, card: int, score: arb) -> arb:
        """Enclose score - card * rate."""
        return score - ball(card * self.rate)

    def guess(self, cards: Floats, influences: Floats) -> Floats:
        """Return about the epsilons."""
        return influences + cards * _about(self.rate)


def _about(value: Fraction) -> float:
    return float(min(value, Fraction(_LARGEST)))


def most_nodes(score: Score, value: arb) -> int:
    """Return a card beyond which no quilt has a score of ``value`` or less: influences are >= 0.

    What is left for the influence is affine in card, so its root is a quotient.
    """
    at_none, per_node = _affine(score, value)
    found = (at_none / per_node).upper()
    if not found.is_finite() or found > _MOST_NODES:
        return _MOST_NODES
    return max(0, int(found.floor().unique_fmpz() or 0))


def _affine(score: Score, value: arb) -> tuple[arb, arb]:
    at_none = score.influence_left(0, value)
    return at_none, at_none - score.influence_left(1, value)


class RatioBounds:
    """Bounds, by card, on the ratio at which a quilt reaches a score.

    With an upper bound, a quilt of a larger ratio scores more than ``value``; with a lower one, a
    quilt of no larger ratio scores ``value`` or less. 0 where no ratio does, infinite where float64
    ends.
    """

    def __init__(self, score: Score, value: arb, *, above: bool) -> None:
        with working_precision(_BOUND_BITS):
            self._at_none, self._per_node = _affine(score, value)
        self.most = most_nodes(score, value)
        self._above = above
        self._known: dict[int, float] = {}

    def at(self, card: int) -> float:
        """Return the bound for a card."""
        if card > self.most:
            return 0.0
        if card not in self._known:
            with working_precision(_BOUND_BITS):
                left = self._at_none - card * self._per_node
                self._known[card] = _bound(left, above=self._above)
        return self._known[card]


def _bound(log_ratio: arb, *, above: bool) -> float:
    end = log_ratio.exp()
    found = float(end.upper() if above else end.lower())
    # float() rounds to nearest, so the next double on the right side is a bound.
    if not found < _LARGEST:
        return inf if above else _LARGEST if end > _LARGEST else 0.0
    shifted = found * (1 + 2.0**-50) if above else found * (1 - 2.0**-50)
    return 0.0 if log_ratio < 0 and above else shifted
