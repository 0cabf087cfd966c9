"""The events that are counted: each holds for a trial or not, with a probability that is enclosed.

A trial is one draw, or some draws that no other trial of the event has; so the count of trials for
which it holds is binomial, whatever the sampler.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from ..backends.draws import Draws
from .distributions import IMPOSSIBLE, Ends, at_most
from .statistics import TOLERANCE, Ratio, Share, Statistic, below

# Draws at each point. With these a scale or a concentration that is off by 5 % is found with
# probability 0.999 at every fixed point.
DRAWS = 200_000
# Draws asked for at once, each time with another seed: what is kept of them is counts.
CHUNK = 5_000
# Draws that are held against each other for equal values.
BLOCK = 1_000
# A ratio of two coordinates is looked at where their sum is at least this.
LEAST_SUM = Fraction(1, 2**700)


class Event(Protocol):
    """What is counted among draws of one seed, or, for a Comparison, between two answers."""

    @property
    def name(self) -> str:
        """The test's name."""

    @property
    def trials(self) -> int:
        """How many trials the draws of one point are."""

    def parameters(self) -> dict[str, Any]:
        """What tells it from others of its name; doubles as Fractions."""

    def probability(self) -> Ends:
        """Enclose the probability that it holds for a trial of a correct sampler."""


@runtime_checkable
class Counted(Event, Protocol):
    """An event of draws of one seed."""

    def count(self, draws: Draws) -> int:
        """Return for how many trials it holds."""


@dataclass(frozen=True)
class Below:
    """A statistic is smaller than a threshold."""

    statistic: Statistic
    threshold: Fraction
    trials: ClassVar[int] = DRAWS

    @property
    def name(self) -> str:
        """Its name."""
        return f"{self.statistic.name} below"

    def parameters(self) -> dict[str, Any]:
        """Return the statistic's, and the threshold."""
        return {**self.statistic.parameters(), "below": self.threshold}

    def probability(self) -> Ends:
        """Enclose it."""
        return below(self.statistic, self.threshold)

    def count(self, draws: Draws) -> int:
        """Count the draws."""
        return int(np.count_nonzero(self.statistic.values(draws) < float(self.threshold)))


@dataclass(frozen=True)
class Within:
    """A statistic is at least one threshold and below another."""

    statistic: Statistic
    low: Fraction
    high: Fraction
    trials: ClassVar[int] = DRAWS

    @property
    def name(self) -> str:
        """Its name."""
        return f"{self.statistic.name} within"

    def parameters(self) -> dict[str, Any]:
        """Return the statistic's, and both thresholds."""
        return {**self.statistic.parameters(), "from": self.low, "below": self.high}

    def probability(self) -> Ends:
        """Enclose the difference."""
        return below(self.statistic, self.high).minus(below(self.statistic, self.low))

    def count(self, draws: Draws) -> int:
        """Count the draws."""
        values = self.statistic.values(draws)
        inside = (values >= float(self.low)) & (values < float(self.high))
        return int(np.count_nonzero(inside))


@dataclass(frozen=True)
class BothBelow:
    """A statistic is smaller than a threshold at both of two consecutive draws."""

    statistic: Statistic
    threshold: Fraction
    trials: ClassVar[int] = DRAWS // 2

    @property
    def name(self) -> str:
        """Its name."""
        return f"{self.statistic.name} twice below"

    def parameters(self) -> dict[str, Any]:
        """Return the statistic's, and the threshold."""
        return {**self.statistic.parameters(), "below": self.threshold}

    def probability(self) -> Ends:
        """Enclose the square: draws are independent."""
        once = below(self.statistic, self.threshold)
        return once.times(once)

    def count(self, draws: Draws) -> int:
        """Count the disjoint pairs."""
        small = self.statistic.values(draws) < float(self.threshold)
        return int(np.count_nonzero(small[0::2] & small[1::2]))


@dataclass(frozen=True)
class SumAndRatioBelow:
    """The sum of two coordinates and the share of the first in it, which are independent."""

    alpha: tuple[Fraction, ...]
    first: int
    second: int
    most_sum: Fraction
    most_ratio: Fraction
    name: ClassVar[str] = "sum and ratio below"
    trials: ClassVar[int] = DRAWS

    def parameters(self) -> dict[str, Any]:
        """Return the two coordinates, and both thresholds."""
        return {
            "coordinates": [self.first, self.second],
            "sum": self.most_sum,
            "ratio": self.most_ratio,
        }

    def probability(self) -> Ends:
        """Enclose the product."""
        small = Within(Share(self.alpha, (self.first, self.second)), LEAST_SUM, self.most_sum)
        ratio = Ratio(self.alpha, self.first, self.second)
        return small.probability().times(below(ratio, self.most_ratio))

    def count(self, draws: Draws) -> int:
        """Count the draws whose sum is not too small for its parts to have their digits."""
        sums = Share(self.alpha, (self.first, self.second)).values(draws)
        ratios = Ratio(self.alpha, self.first, self.second).values(draws)
        counted = (sums >= float(LEAST_SUM)) & (sums < float(self.most_sum))
        return int(np.count_nonzero(counted & (ratios < float(self.most_ratio))))


# Events that only a law with atoms has often: zeros, equal values, values of few bits.
#
# Their probability under the exact law is bounded above; too many refute, too few never do.


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


# Events that never hold for a correct sampler: off the simplex, or two answers that agree wrongly.
#
# A support that is left, even once, or an answer that is another when it is asked for again, has
# probability 0 and refutes.


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
