"""What a quilt is worth, rounded up: the scale that it asks for, or the epsilon that it gives.

A quilt leaves ``card`` nodes near the protected one and has an influence on the rest. Either score
rises with both. A few roundings, of u = 2^-53 each, are made, and a factor makes up for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards

_UP = 1.0 + 10 * UNIT
_WHOLE = 2.0**52  # numbers of nodes up to here are exact in doubles
_HUGE = 10**300
# A card that no quilt with a given score has is told from one that some quilt has with this room.
_ROOM = 1.0 + 2.0**-40


class Score(Protocol):
    """A number for each quilt, which rises with its card and its influence."""

    def of(self, cards: Reals, influences: Reals) -> Reals:
        """Return the scores of quilts, rounded up; infinite where there is none."""

    def of_whole_chain(self, length: int) -> float:
        """Return the score of the trivial quilt, all nodes and no influence, rounded up."""

    def most_nodes(self, value: float) -> float:
        """Return about the card beyond which no quilt has a score of a value or less."""


@dataclass(frozen=True)
class ScaleFor:
    """The noise that a quilt asks for: card/(epsilon - influence)."""

    epsilon: float

    def of(self, cards: Reals, influences: Reals) -> Reals:
        """Return the scales; infinite where the influence may reach epsilon."""
        with np.errstate(all="ignore"):
            left = self.epsilon - influences
            return np.where(left > 0, cards / left * _UP, np.inf)

    def of_whole_chain(self, length: int) -> float:
        """Return length/epsilon."""
        return rounded_towards(Fraction(length) / Fraction(self.epsilon), np.inf)

    def most_nodes(self, value: float) -> float:
        """Return value * epsilon, and some room."""
        return value * self.epsilon * _ROOM


@dataclass(frozen=True)
class EpsilonOf:
    """The epsilon that noise gives through a quilt: influence + card * (sum of 1/scale)."""

    scales: Sequence[float]

    @property
    def _exact(self) -> Fraction:
        return sum((1 / Fraction(scale) for scale in self.scales), Fraction(0))

    def of(self, cards: Reals, influences: Reals) -> Reals:
        """Return the epsilons."""
        rate = rounded_towards(self._exact, np.inf)
        with np.errstate(all="ignore"):
            return (influences + cards * rate) * _UP

    def of_whole_chain(self, length: int) -> float:
        """Return length * rate."""
        return rounded_towards(length * self._exact, np.inf)

    def most_nodes(self, value: float) -> float:
        """Return value/rate, and some room."""
        with np.errstate(all="ignore"):
            most = np.float64(value) / rounded_towards(self._exact, -np.inf) * _ROOM
        return float(most) if most >= 0 else np.inf


def limit_of(width: int) -> float:
    """Return a double that no sum of lags rounded up to it exceeds the width by."""
    return float(width) if width < _WHOLE else float(min(width, _HUGE)) / _ROOM
