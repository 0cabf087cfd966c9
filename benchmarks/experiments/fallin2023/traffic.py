"""A chain of 32 states from the turning counts at hand, in the place of Gainesville's streets.

Eight intersections whose counts meet the paper's hypotheses are laid on a grid of two rows and four
columns that is closed to a torus. The layout is made up, the shares of the turns are real: a state
is a direction of travel towards an intersection, and whoever turns there comes to the next one in
the new direction. Each row has the three entries right, ahead, left; W holds the two largest.
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from simplexcert.reference import evaluate
from simulation.chains import NoDataError
from simulation.draws import Array, log_rows

from ..numbers import upper
from ..registry import Setting

TURNS = "traffic_turns/intersection_turning_counts.csv.gz"
ROWS, COLUMNS, DIRECTIONS = 2, 4, 4
# Section V: the least entry of W, and the least that is left outside.
ETA, ETA_BAR, STEP, GAMMA, PROTECTED = Fraction("0.1"), Fraction("0.051"), "0.025", "0.001", 2
# The files' order of approaches, and the grid step of each: southbound, west, north, east.
STEPS = ((1, 0), (0, -1), (-1, 0), (0, 1))
# Of each approach the counts are of those who turn right, go ahead and turn left: to the direction
# so many places further in that order (southbound, right is west).
TURNING = (1, 0, 3)

Approaches = tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Intersection:
    """An intersection's counts, one triple for each approach."""

    name: str
    turns: Approaches

    @property
    def meets_the_hypotheses(self) -> bool:
        """Whether each approach's two largest shares are in W, with enough left outside."""
        return all(map(admissible, self.turns))


@dataclass(frozen=True)
class Traffic:
    """The chain of eight intersections."""

    intersections: tuple[Intersection, ...]

    @cached_property
    def matrix(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return the transition probabilities, exactly."""
        return tuple(
            row(at, direction, turns)
            for at, one in enumerate(self.intersections)
            for direction, turns in enumerate(one.turns)
        )

    def alphas(self, k: float) -> Array:
        """Return k P."""
        return k * np.array(self.matrix, dtype=np.float64)

    def drawn(self, random: np.random.Generator, k: float, draws: int) -> Array:
        """Return the logarithms of so many private chains; zeros stay."""
        return log_rows(random, self.alphas(k), draws)

    def state(self, number: int) -> str:
        """Return a state's name."""
        at, direction = divmod(number, DIRECTIONS)
        return f"{'SWNE'[direction]} to {self.intersections[at].name}"

    @property
    def remark(self) -> str:
        """Return a sentence on the chain."""
        total = sum(sum(map(sum, one.turns)) for one in self.intersections)
        return (
            f"{len(self.matrix)} states: four directions towards each of"
            f" {len(self.intersections)} intersections, {total} vehicle movements ({TURNS}). Of the"
            " intersections whose every approach meets the hypotheses (two entries of at least eta"
            " = 0.1, eta_bar = 0.051 left) those of the most vehicles. Their shares are real, the"
            f" grid that joins them is made up. b = {STEP}, gamma = {GAMMA}, |W| = {PROTECTED}."
        )


def traffic(setting: Setting) -> Traffic:
    """Return the chain. Raises NoDataError where there are no eight such intersections."""
    with gzip.open(setting.data(TURNS), "rt", encoding="utf-8", newline="") as stream:
        found = [one for one in read(csv.reader(stream)) if one.meets_the_hypotheses]
    if len(found) < ROWS * COLUMNS:
        raise NoDataError(f"{TURNS} has fewer than eight intersections that meet the hypotheses")
    found.sort(key=lambda one: sum(map(sum, one.turns)), reverse=True)
    chain = Traffic(tuple(found[: ROWS * COLUMNS]))
    assert evaluate("markov.communicating_classes", {"P": chain.matrix}).upper == 1
    return chain


def read(lines: Iterator[list[str]]) -> Iterator[Intersection]:
    """Yield the intersections of a table: name second, then four approaches of three turns."""
    next(lines)
    for line in lines:
        counts = list(map(int, line[4:]))
        triples = (counts[start : start + 3] for start in range(0, len(counts), 3))
        yield Intersection(line[1], tuple((a, b, c) for a, b, c in triples))


def admissible(turns: tuple[int, int, int]) -> bool:
    """Whether the two largest shares are at least eta and the third at least eta_bar."""
    outside, least, _ = sorted(turns)
    total = sum(turns)
    return outside >= ETA_BAR * total > 0 and least >= ETA * total


def row(at: int, direction: int, turns: tuple[int, int, int]) -> tuple[Fraction, ...]:
    """Return a state's transition probabilities."""
    found = [Fraction(0)] * (ROWS * COLUMNS * DIRECTIONS)
    for turn, count in zip(TURNING, turns, strict=True):
        found[next_state(at, (direction + turn) % DIRECTIONS)] += Fraction(count, sum(turns))
    return tuple(found)


def next_state(at: int, direction: int) -> int:
    """Return the state after an intersection is left in a direction."""
    down, across = STEPS[direction]
    place = (at // COLUMNS + down) % ROWS * COLUMNS + (at % COLUMNS + across) % COLUMNS
    return place * DIRECTIONS + direction


def privacy(k: str) -> tuple[float, float]:
    """Return epsilon and delta by fallin2023 Theorem 1."""
    given = {"k": k, "eta": ETA, "rows": [[PROTECTED, GAMMA]]}
    epsilon = upper("dirichlet.matrix.epsilon_bound", **given, eta_bar=ETA_BAR, b=STEP)
    return epsilon, upper("dirichlet.matrix.delta_bound", **given)


def exact_delta(k: str, epsilon: str) -> float:
    """Return the exact delta at an epsilon where all 32 rows change."""
    given = {"k": k, "eta": ETA, "b": STEP, "changed_rows": ROWS * COLUMNS * DIRECTIONS}
    return upper("dirichlet.matrix.delta", **given, epsilon=epsilon)
