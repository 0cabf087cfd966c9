"""The taxi trips at hand, and their zones merged one pair after another.

Theorem 1 prints no epsilon for a row of fewer than three transitions, and a large one where trips
are few between a zone of many trips and another. A zone where no trip starts is left out; the
others are merged by markov.model.merge_plan until the target is reached. The plan is read off the
counts: on private ones it would have to be public (claim benvenuti2025.table-1-merging).
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from simplexcert.reference import evaluate
from simulation.chains import TAXI, Counts, from_table

from ..numbers import DIGITS, upper
from ..registry import Setting

GAMMA = Fraction(1, 10**8)
# A quick run has so many zones, those of the most trips.
QUICK_ZONES = 20
# benvenuti2025 Definition 2 asks for so many.
LEAST_TRANSITIONS = 3
# Beyond every epsilon of rows that have one: asks for merges only while a row has none.
ANY_EPSILON = Fraction(10**6)
# The next target is so little below what is reached that no other plan has an epsilon between.
_BELOW = 1 - Fraction(1, 10**9)


@dataclass(frozen=True)
class Zones:
    """Counts between groups of zones, and the names of the zones in each group."""

    counts: Counts
    names: tuple[tuple[str, ...], ...]

    @cached_property
    def records(self) -> list[int]:
        """Return how many trips start in each group."""
        return [sum(row) for row in self.counts]

    @cached_property
    def floors(self) -> list[Fraction]:
        """Return each group's least positive share, its eta."""
        return [
            Fraction(min(filter(None, row)), total)
            for row, total in zip(self.counts, self.records, strict=True)
        ]

    @cached_property
    def feasible(self) -> list[int]:
        """Return how many transitions each group has."""
        return [sum(map(bool, row)) for row in self.counts]

    @property
    def meets_the_hypotheses(self) -> bool:
        """Whether every row has three transitions or more and an eta below 1/4 (Assumption 3)."""
        return min(self.feasible) >= LEAST_TRANSITIONS and max(self.floors) < Fraction(1, 4)

    @property
    def matrix(self) -> list[list[Fraction]]:
        """Return the transition probabilities."""
        return [
            [Fraction(count, total) for count in row]
            for row, total in zip(self.counts, self.records, strict=True)
        ]

    def k(self, factor: Fraction) -> list[Fraction]:
        """Return so many times each row's least k of Assumption 4."""
        return [factor * Fraction(3, 2) / eta for eta in self.floors]

    def epsilon(self, factor: Fraction = Fraction(1)) -> float:
        """Return the epsilon of Theorem 3."""
        given = {"k": self.k(factor), "eta": self.floors, "N": self.records, "n": self.feasible}
        return upper("markov.model.epsilon_bound", **given, gamma=[GAMMA] * len(self.counts))

    def delta(self, factor: Fraction = Fraction(1)) -> float:
        """Return the delta of Theorem 3."""
        given = {"k": self.k(factor), "eta": self.floors, "n": self.feasible}
        return upper("markov.model.delta_bound", **given, gamma=[GAMMA] * len(self.counts))

    def exact_delta(self, factor: Fraction, epsilon: float) -> float:
        """Return the exact delta at an epsilon."""
        given = {"k": self.k(factor), "eta": self.floors, "N": self.records, "epsilon": epsilon}
        return upper("markov.model.delta", **given)

    def merged_to(self, epsilon: Fraction) -> Zones | None:
        """Return the zones merged until Theorem 3 has that epsilon; None if three are too many."""
        given = {"counts": self.counts, "gamma": GAMMA, "epsilon": epsilon}
        plan = evaluate("markov.model.merge_plan", given, digits=DIGITS).upper
        groups = [int(group) - 1 for group in plan]
        return self._merged(groups) if max(groups) else None

    def _merged(self, groups: list[int]) -> Zones:
        size = max(groups) + 1
        counts = [[0] * size for _ in range(size)]
        names: list[tuple[str, ...]] = [()] * size
        for row, of, name in zip(self.counts, groups, self.names, strict=True):
            names[of] += name
            for count, to in zip(row, groups, strict=True):
                counts[of][to] += count
        return Zones(tuple(map(tuple, counts)), tuple(names))


def taxi_zones(setting: Setting) -> tuple[Zones, str]:
    """Return the zones where trips start, and a sentence on them. Raises NoDataError."""
    with setting.data(TAXI).open(encoding="utf-8", newline="") as stream:
        _, *labels = next(csv.reader(stream))
    counts, left_out = from_table(TAXI)
    names: list[tuple[str, ...]] = [(label,) for label in labels if label not in left_out]
    if setting.quick:
        counts, names = busiest(counts, names)
    zones = Zones(counts, tuple(names))
    remark = f"{sum(zones.records)} trips between {len(names)} Manhattan zones ({TAXI})"
    lacking = ", ".join(left_out)
    if setting.quick:
        remark += ", those of the most trips"
    return zones, remark + (f"; no trip starts in zone {lacking}, left out" if lacking else "")


def busiest(counts: Counts, names: list[tuple[str, ...]]) -> tuple[Counts, list[tuple[str, ...]]]:
    """Return the zones where the most trips start, in their order."""
    ranked = sorted(range(len(counts)), key=lambda zone: -sum(counts[zone]))
    kept = sorted(ranked[:QUICK_ZONES])
    return tuple(tuple(counts[i][j] for j in kept) for i in kept), [names[i] for i in kept]


def stairs(zones: Zones, least: int) -> Iterator[Zones]:
    """Yield the zones after each merge that lowers epsilon, down to so many groups."""
    reached = zones.merged_to(ANY_EPSILON)
    while reached is not None:
        yield reached
        if len(reached.counts) <= least:
            return
        reached = reached.merged_to(Fraction(reached.epsilon()) * _BELOW)
