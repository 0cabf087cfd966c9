"""The chains that are simulated: small ones made up to be instructive, and two of public data."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path

Counts = tuple[tuple[int, ...], ...]
DATA = "SIMPLEXCERT_DATA"
TAXI = "nyc_taxi/manhattan63_od_counts_2018_2020.csv"
MSNBC = "msnbc/transition_counts_17x17.csv"
# Zones with fewer trips than this are left out of the second chain of taxi trips: the printed
# bounds ask for as many records in a row as there are states.
FEWEST_TRIPS = 100
# Every k_i is so many times its least admissible value.
FACTORS = (1, 3, 10, 30, 100, 300, 1000)
# A trap of 1e-20 beside a walk in 100 states: rare enough for theorem 4's printed bound to fail.
# It shows in few draws, and in none at a larger k.
TRAP_STATES, TRAP_ROW, TRAP_FACTORS, TRAP_EFFORT = 100, 10**20, (1, 3), 4


class NoDataError(Exception):
    """The data of a chain are not there; the message says why."""


@dataclass(frozen=True)
class Chain:
    """A chain given by its counts of transitions; a transition never counted is infeasible.

    ``effort`` is how many times as many draws as usual it takes.
    """

    title: str
    counts: Counts
    remark: str = ""
    factors: tuple[int, ...] = FACTORS
    effort: int = 1

    @cached_property
    def matrix(self) -> tuple[tuple[Fraction, ...], ...]:
        """The transition matrix P, exactly."""
        return tuple(tuple(Fraction(c, sum(row)) for c in row) for row in self.counts)

    @cached_property
    def k_minimum(self) -> tuple[Fraction, ...]:
        """benvenuti2025 Assumption 4 with the row's least positive share: 3 N_i/(2 c_i)."""
        return tuple(Fraction(3 * sum(row), 2 * min(filter(None, row))) for row in self.counts)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many transitions each row has, n_i."""
        return tuple(sum(c > 0 for c in row) for row in self.counts)


def uniform(states: int, count: int) -> Counts:
    """Return equal counts everywhere."""
    return ((count,) * states,) * states


def grade_like() -> Counts:
    """Return rows of 100 that pass the same five shares round, the least of them 7."""
    shares = (40, 26, 15, 12, 7)
    return tuple(tuple(shares[(j - i) % 5] for j in range(5)) for i in range(5))


def sticky() -> Counts:
    """Return four states that are each left once in twenty steps."""
    return tuple(tuple(57 if i == j else 1 for j in range(4)) for i in range(4))


def rare_noisy_row() -> Counts:
    """Return the chain whose second state is rare and its row noisy: theorem 5 fails."""
    return ((499_999, 1, 500_000), (2, 1, 2), (500_000, 1, 499_999))


def forty_equal_rows() -> Counts:
    """Return forty rows of two large and 38 small shares: theorem 5 fails."""
    return ((481, 481, *(1,) * 38),) * 40


def ring() -> Counts:
    """Return a walk on twelve states in a ring that goes on, stays or returns, at varied rates."""
    rows = [[0] * 12 for _ in range(12)]
    for state in range(12):
        for step, count in ((-1, 4), (0, 6 + state % 3), (1, 5 + state % 4)):
            rows[state][(state + step) % 12] = count
    return tuple(map(tuple, rows))


def trap(states: int = TRAP_STATES, row: int = TRAP_ROW) -> Counts:
    """Return a state that is left twice in ``row`` steps, and a walk that leads back to it."""
    rows = [[0] * (states + 1) for _ in range(states + 1)]
    rows[0][:3] = [row - 2, 1, 1]
    for state in range(1, states):
        rows[state][state - 1 : state + 2] = [401, 802, 401]
    rows[states][-3:] = [401, 401, 802]
    return tuple(map(tuple, rows))


def from_table(path: str, fewest: int = 1) -> tuple[Counts, list[str]]:
    """Read a square table of counts; states that are left less often are taken out, and named.

    Raises NoDataError where SIMPLEXCERT_DATA is not set or the file is not there.
    """
    folder = os.environ.get(DATA)
    if not folder:
        raise NoDataError(f"set {DATA} to the folder with the data")
    try:
        with (Path(folder) / path).open(encoding="utf-8", newline="") as stream:
            header, *lines = csv.reader(stream)
    except OSError as error:
        raise NoDataError(f"the data are not there: {error}") from error
    table = [[int(cell) for cell in line[1:]] for line in lines]
    kept = [state for state, row in enumerate(table) if sum(row) >= fewest]
    left_out = [label for state, label in enumerate(header[1:]) if state not in kept]
    return tuple(tuple(table[i][j] for j in kept) for i in kept), left_out


def public(title: str, path: str, fewest: int = 1) -> Chain:
    """Return the chain of a public table of counts, with a remark on what was left out."""
    counts, left_out = from_table(path, fewest)
    remark = f"{len(counts)} states, {sum(map(sum, counts))} transitions"
    if left_out:
        few = "no" if fewest == 1 else f"fewer than {fewest}"
        remark += f"; left out because {few} transitions start there: {', '.join(left_out)}"
    return Chain(title, counts, remark)


def rare_trap() -> Chain:
    """Return the chain that speaks against theorem 4 as it is printed."""
    remark = "sparse; speaks against theorem 4"
    return Chain("trap, n = 101", trap(), remark, TRAP_FACTORS, TRAP_EFFORT)


def _made_up(title: str, counts: Callable[[], Counts], remark: str = "") -> Callable[[], Chain]:
    return lambda: Chain(title, counts(), remark)


CHAINS: dict[str, Callable[[], Chain]] = {
    "uniform-5": _made_up("uniform, n = 5", lambda: uniform(5, 20)),
    "uniform-10": _made_up("uniform, n = 10", lambda: uniform(10, 10)),
    "grade-like": _made_up("grade-like, n = 5", grade_like),
    "sticky": _made_up("sticky, n = 4", sticky),
    "ring": _made_up("sparse ring, n = 12", ring, "three transitions in each row"),
    "rare-noisy-row": _made_up("rare noisy row, n = 3", rare_noisy_row, "refutes theorem 5"),
    "forty-equal-rows": _made_up("forty equal rows", forty_equal_rows, "refutes theorem 5"),
    "trap": rare_trap,
    "msnbc": lambda: public("msnbc: pages of a news site", MSNBC),
    "nyc-taxi": lambda: public("nyc_taxi: Manhattan zones", TAXI),
    "nyc-taxi-busy": lambda: public("nyc_taxi: busy Manhattan zones", TAXI, FEWEST_TRIPS),
}


def scaled(k: Sequence[Fraction], factor: int) -> tuple[Fraction, ...]:
    """Return every concentration times a factor."""
    return tuple(factor * one for one in k)
