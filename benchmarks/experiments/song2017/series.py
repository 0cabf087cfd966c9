"""Public series of states: pieces without a gap, and the chain that is counted from them.

- activity/extrasensory_states.csv.gz: what 37 people did (ExtraSensory, UC San Diego);
- activity/kasteren_minute_activity.csv.gz: what one person did in each of three houses;
- household_power/uci_minute_state51_uint8.npy: a household's power, each minute of 60 days;
- household_power/ampds2_mains_9days.csv.gz: another's, nine days in three pieces (AMPds2).
"""

from __future__ import annotations

import csv
import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from simplexcert.reference import evaluate
from simulation.chains import NoDataError

from ..registry import Setting

States = NDArray[np.int64]
EXTRASENSORY = "activity/extrasensory_states.csv.gz"
KASTEREN = "activity/kasteren_minute_activity.csv.gz"
UCI = "household_power/uci_minute_state51_uint8.npy"
AMPDS = "household_power/ampds2_mains_9days.csv.gz"
# song2017 Section 5.3.1: a longer gap, in seconds, starts a new chain.
LONGEST_GAP = 600
# lying and sitting, standing, walking, running and cycling: nearly the paper's four activities.
POSTURES, MERGED = ("sedentary", "standing", "walking", "active"), np.array([0, 0, 1, 2, 3, 3])
# The files' codes of leaving the house and of going to bed; 0 is "none annotated".
AT_HOME, CODES = ("away", "in bed", "other", "none annotated"), {1: 0, 10: 1, 0: 3}
OTHER = 2
POWER_BINS = 51
# A file of the data, and who reads it.
Source: TypeAlias = "tuple[str, Callable[[Path], Series]]"


@dataclass(frozen=True)
class Series:
    """People's pieces; every piece is a chain of its own."""

    title: str
    bins: tuple[str, ...]
    people: tuple[tuple[States, ...], ...]

    @cached_property
    def pieces(self) -> tuple[States, ...]:
        """All pieces of all people."""
        return tuple(piece for person in self.people for piece in person)

    @cached_property
    def lengths(self) -> list[int]:
        """The pieces' lengths."""
        return [len(piece) for piece in self.pieces]

    @cached_property
    def chain(self) -> EmpiricalChain:
        """The chain of all counted transitions."""
        return EmpiricalChain(counted(self.pieces, len(self.bins)))

    def shares(self) -> NDArray[np.float64]:
        """Return the relative frequencies of the bins."""
        counts = np.bincount(np.concatenate(self.pieces), minlength=len(self.bins))
        return np.asarray(counts / counts.sum())


@dataclass(frozen=True)
class EmpiricalChain:
    """The chain of a table of counts, whose states are all left and reached."""

    counts: NDArray[np.int64]

    @cached_property
    def matrix(self) -> list[list[Fraction]]:
        """The transitions, exactly."""
        return [[Fraction(int(c), int(row.sum())) for c in row] for row in self.counts]

    @cached_property
    def rows(self) -> list[list[float]]:
        """The transitions, rounded."""
        return [[float(entry) for entry in row] for row in self.matrix]

    @cached_property
    def stationary_minimum(self) -> float:
        """The least share of a state under the stationary law, from the reference."""
        return float(evaluate("pufferfish.stationary_minimum", {"P": self.matrix}).lower)

    @cached_property
    def gap(self) -> float:
        """The gap of P P*, from the reference."""
        return float(evaluate("pufferfish.eigengap", {"P": self.matrix}).lower)


def counted(pieces: Sequence[States], states: int) -> NDArray[np.int64]:
    """Return the transitions inside the pieces, without the states that never occur."""
    counts = np.zeros((states, states), dtype=np.int64)
    for piece in pieces:
        np.add.at(counts, (piece[:-1], piece[1:]), 1)
    kept = np.flatnonzero(counts.sum(axis=0) + counts.sum(axis=1))
    return counts[np.ix_(kept, kept)]


def cut(states: States, apart: NDArray[np.bool_]) -> tuple[States, ...]:
    """Return the pieces of a series that is cut wherever two neighbours are apart."""
    return tuple(np.split(states, np.flatnonzero(apart) + 1))


def lines(path: Path) -> Iterator[list[str]]:
    """Yield the lines of a compressed CSV file, without its header."""
    with gzip.open(path, "rt", encoding="utf-8", newline="") as stream:
        reader = csv.reader(stream)
        next(reader)
        yield from reader


def extrasensory(path: Path) -> Series:
    """Return the postures of people; records without one are left out."""
    table = np.array([[int(cell) for cell in line] for line in lines(path)])
    table = table[table[:, 2] >= 0]
    people = [table[table[:, 0] == subject] for subject in np.unique(table[:, 0])]
    pieces = (cut(MERGED[one[:, 2]], np.diff(one[:, 1]) > LONGEST_GAP) for one in people)
    return Series(f"{len(people)} people (ExtraSensory)", POSTURES, tuple(pieces))


def kasteren(path: Path) -> Series:
    """Return what is known of one person in each house, minute by minute."""
    houses: dict[str, list[int]] = {}
    for house, _minute, activity in lines(path):
        houses.setdefault(house, []).append(CODES.get(int(activity), OTHER))
    people = tuple((np.array(states),) for states in houses.values())
    return Series(f"{len(people)} houses (van Kasteren)", AT_HOME, people)


def uci_power(path: Path) -> Series:
    """Return the power of the household in bins of 200 W, in one piece."""
    states = np.load(path, allow_pickle=False).astype(np.int64)
    return Series("60 days (UCI)", power_bins(), ((states,),))


def ampds_power(path: Path) -> Series:
    """Return the power of the other household, cut where minutes are missing."""
    table = list(lines(path))
    times = np.array([np.datetime64(line[0]) for line in table])
    states = np.array([int(line[2]) for line in table])
    pieces = cut(states, np.diff(times) != np.timedelta64(1, "m"))
    return Series("9 days (AMPds2)", power_bins(), (pieces,))


def power_bins() -> tuple[str, ...]:
    """Return the names of the bins: where each begins, in watts."""
    return tuple(f"{200 * state} W" for state in range(POWER_BINS))


def series_at_hand(
    setting: Setting, sources: Sequence[Source], skipped: list[str]
) -> Iterator[tuple[int, Series]]:
    """Yield the number and the series of each source; those without data are told in ``skipped``.

    Raises NoDataError where there is none at all.
    """
    for number, (path, read) in enumerate(sources, 1):
        try:
            found = read(setting.data(path))
        except NoDataError as error:
            skipped.append(f"{path}: {error}")
            continue
        yield number, found
    if len(skipped) == len(sources):
        raise NoDataError("; ".join(skipped))
