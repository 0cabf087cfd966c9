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
from .constants import DRAWS, LEAST_SUM
from .ends import Ends
from .statistics import Ratio, Share, Statistic, below


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
