"""Events that only a law with atoms has often: zeros, equal values, values of few bits.

Their probability under the exact law is bounded above; too many refute, too few never do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ..backends.draws import Draws
from .constants import BLOCK, DRAWS
from .ends import Ends, at_most
from .statistics import Statistic, below


@dataclass(frozen=True)
class Zero:
    """Some coordinate is exactly 0: an underflow, which is as rare as the law says, or a floor."""

    statistics: tuple[Statistic, ...]
    name: ClassVar[str] = "zero"
    trials: ClassVar[int] = DRAWS

    def parameters(self) -> dict[str, Any]:
        """Return nothing: there is one."""
        return {}

    def probability(self) -> Ends:
        """Bound it by the sum over the coordinates."""
        return at_most(sum((below(one, one.least).upper for one in self.statistics), Fraction(0)))

    def count(self, draws: Draws) -> int:
        """Count the draws."""
        return int(np.count_nonzero((draws == 0).any(axis=1)))


@dataclass(frozen=True)
class Repeated:
    """Two of a block of draws have the same value, where a value has no mass worth mention.

    ``movement`` bounds how far on the scale of probabilities rounding moves a value between ``low``
    and ``high``; two equal values are then exact draws within twice that of each other.
    """

    statistic: Statistic
    low: Fraction
    high: Fraction
    movement: Fraction
    name: ClassVar[str] = "repeated"
    trials: ClassVar[int] = DRAWS // BLOCK

    def parameters(self) -> dict[str, Any]:
        """Return the statistic's, and the range."""
        return {**self.statistic.parameters(), "from": self.low, "to": self.high}

    def probability(self) -> Ends:
        """Bound it by the sum over the pairs of a block."""
        return at_most(BLOCK * (BLOCK - 1) // 2 * 4 * self.movement)

    def count(self, draws: Draws) -> int:
        """Count the blocks."""
        values = np.sort(self.statistic.values(draws).reshape(-1, BLOCK), axis=1)
        counted = (np.abs(values) >= float(self.low)) & (np.abs(values) <= float(self.high))
        equal = (values[:, 1:] == values[:, :-1]) & counted[:, 1:]
        return int(np.count_nonzero(equal.any(axis=1)))


@dataclass(frozen=True)
class FewBits:
    """A value has no more bits than a float32: float32 arithmetic, or a grid.

    Each of the ``doubles`` that are such and lie in the range is hit with a probability of at most
    twice the movement.
    """

    statistic: Statistic
    low: Fraction
    high: Fraction
    movement: Fraction
    doubles: int
    name: ClassVar[str] = "few bits"
    trials: ClassVar[int] = DRAWS
    # Of the 52 bits after the point, those that a float32 lacks.
    lacking: ClassVar[int] = 2**29 - 1

    def parameters(self) -> dict[str, Any]:
        """Return the statistic's, and the range."""
        return {**self.statistic.parameters(), "from": self.low, "to": self.high}

    def probability(self) -> Ends:
        """Bound it by the sum over the doubles."""
        return at_most(self.doubles * 2 * self.movement)

    def count(self, draws: Draws) -> int:
        """Count the draws."""
        values = np.ascontiguousarray(np.abs(self.statistic.values(draws)))
        counted = (values >= float(self.low)) & (values <= float(self.high))
        short = values.view(np.uint64) & np.uint64(self.lacking) == 0
        return int(np.count_nonzero(counted & short))
