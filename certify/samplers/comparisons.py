"""Events that never hold for a correct sampler: off the simplex, or two answers that agree wrongly.

A support that is left, even once, or an answer that is another when it is asked for again, has
probability 0 and refutes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from ..backends.draws import Draws
from .constants import CHUNK, DRAWS, TOLERANCE
from .ends import IMPOSSIBLE, Ends, at_most
from .statistics import Statistic


@dataclass(frozen=True)
class OffSimplex:
    """A coordinate is negative, or the exact sum is further from 1 than so many tolerances."""

    dimension: int
    name: ClassVar[str] = "off the simplex"
    trials: ClassVar[int] = DRAWS

    def parameters(self) -> dict[str, Any]:
        """Return nothing: there is one."""
        return {}

    def probability(self) -> Ends:
        """Return 0."""
        return IMPOSSIBLE

    def count(self, draws: Draws) -> int:
        """Count the draws; a sum is exact where rounding could decide.

        Rounding moves a sum of so few numbers, none negative, by less than 2^-49 of it.
        """
        negative = (draws < 0).any(axis=1)
        allowed = self.dimension * TOLERANCE
        with np.errstate(over="ignore"):
            distance = np.abs(draws.sum(axis=1) - 1)
        off = negative | (distance > 2 * float(allowed))
        near = ~off & (distance > float(allowed) / 2)
        exact = (
            abs(sum(map(Fraction, row), Fraction(-1))) > allowed for row in draws[near].tolist()
        )
        return int(np.count_nonzero(off)) + sum(exact)


@dataclass(frozen=True)
class AnotherWhenAskedAgain:
    """A draw of a seed is another, in any bit, when that seed is asked for again."""

    name: ClassVar[str] = "another for the same seed"
    trials: ClassVar[int] = CHUNK

    def parameters(self) -> dict[str, Any]:
        """Return nothing: there is one."""
        return {}

    def probability(self) -> Ends:
        """Return 0."""
        return IMPOSSIBLE

    def count(self, one: Draws, other: Draws) -> int:
        """Count the draws."""
        return int(np.count_nonzero((_bits(one) != _bits(other)).any(axis=1)))


@dataclass(frozen=True)
class SameForAnotherSeed:
    """A draw of one seed is that of another seed at the same place, bit for bit.

    Counted are those whose statistic lies between ``low`` and ``high``; see Repeated.
    """

    statistic: Statistic
    low: Fraction
    high: Fraction
    movement: Fraction
    name: ClassVar[str] = "same for another seed"
    trials: ClassVar[int] = DRAWS // 2

    def parameters(self) -> dict[str, Any]:
        """Return the statistic's, and the range."""
        return {**self.statistic.parameters(), "from": self.low, "to": self.high}

    def probability(self) -> Ends:
        """Bound it by that of two equal values."""
        return at_most(4 * self.movement)

    def count(self, one: Draws, other: Draws) -> int:
        """Count the pairs of draws at one place."""
        size = np.abs(self.statistic.values(one))
        counted = (size >= float(self.low)) & (size <= float(self.high))
        return int(np.count_nonzero(counted & (_bits(one) == _bits(other)).all(axis=1)))


def _bits(draws: Draws) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.ascontiguousarray(draws).view(np.uint64)
