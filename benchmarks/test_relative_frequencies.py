"""What a private histogram of a state series costs: song2017's mechanisms on public data.

A relative-frequency histogram of states under MQMExact, MQMApprox (for any start and for a
stationary one), group DP and Ghosh and Kleinberg 2016, at epsilon 0.2, 1 and 5: the Laplace scale
on each bin, times the length of the series, and the expected error in the 1-norm. The class is the
one chain that the data suggest, with a stationary start; states that never occur are left out of
it, which is said. Set SIMPLEXCERT_DATA to a folder that holds

- household_power/uci_minute_state51_uint8.npy: the power of a household by the minute (UCI Machine
  Learning Repository, "Individual household electric power consumption");
- activity/extrasensory_states.csv.gz: what people did, with columns subject, second and state
  (ExtraSensory);
- msnbc/sequences.npz: pages visited, arrays states and lengths (UCI, "MSNBC.com").

Without it all of this is skipped. Nothing here asserts a time.
"""

from __future__ import annotations

import csv
import gzip
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError
from simplexcert.reference.pufferfish.empirical import EmpiricalChain, chain_from_sequences

EPSILONS = ("0.2", "1", "5")
DIGITS = 15
# Rows of one subject further apart are no transition, and states below 0 are none reported.
MOST_SECONDS = 90
Series = NDArray[np.int64]


def household(folder: Path) -> list[Series]:
    """Return one series of states, by the minute."""
    return [np.load(folder / "household_power/uci_minute_state51_uint8.npy")]


def activity(folder: Path) -> list[Series]:
    """Return a series for each stretch of a subject's records without a gap."""
    with gzip.open(folder / "activity/extrasensory_states.csv.gz", "rt") as stream:
        rows = [tuple(map(int, row)) for row in list(csv.reader(stream))[1:]]
    table = np.array(rows, dtype=np.int64)
    subject, second, _ = table.T
    cuts = (np.diff(subject) != 0) | (np.diff(second) > MOST_SECONDS)
    pieces = np.split(table[:, 2], np.flatnonzero(cuts) + 1)
    return [run for piece in pieces for run in labelled_runs(piece)]


def labelled_runs(piece: Series) -> Iterator[Series]:
    """Yield the stretches of a series in which every state is known."""
    known = piece >= 0
    for run in np.split(piece, np.flatnonzero(np.diff(known)) + 1):
        if run[0] >= 0:
            yield run


def msnbc(folder: Path) -> list[Series]:
    """Return one series for each user of the site."""
    stored = np.load(folder / "msnbc/sequences.npz")
    return np.split(stored["states"], np.cumsum(stored["lengths"], dtype=np.int64)[:-1])


@dataclass
class Release:
    """A series to publish a histogram of: its pieces' lengths, its states, its chain."""

    lengths: tuple[int, ...]
    chain: EmpiricalChain

    @property
    def chains(self) -> list[dict[str, Any]]:
        """The class of chains, as a parameter."""
        return [{"initial": "stationary", "P": self.chain.P}]

    @cached_property
    def gap(self) -> Fraction | float:
        """A lower end of the gap of the chain, multiplicities counted."""
        return evaluate("pufferfish.eigengap", {"P": self.chain.P}, digits=DIGITS).lower

    @cached_property
    def least(self) -> Fraction | None:
        """The smallest stationary probability."""
        return evaluate("pufferfish.stationary_minimum", {"P": self.chain.P}).exact

    def scale(self, name: str, **parameters: object) -> float:
        """Return an upper end of a scale per unit of the query's Lipschitz constant."""
        answer = evaluate(f"pufferfish.{name}", parameters, digits=DIGITS)
        assert answer.narrow
        return float(answer.upper)

    def exact(self, epsilon: str) -> float:
        """Return MQMExact's."""
        lengths = sorted(set(self.lengths))
        return self.scale(
            "quilt_scale_pieces",
            chains=self.chains,
            lengths=lengths[-1:],
            epsilon=epsilon,
            width=lengths[-1],
        )

    def approx(self, epsilon: str, *, suffix: str = "") -> float:
        """Return MQMApprox's, which asks for an irreducible, aperiodic chain with a gap."""
        return self.scale(
            f"quilt_scale_approx{suffix}",
            pi_min=self.least,
            gap=self.gap,
            length=max(self.lengths),
            epsilon=epsilon,
        )

    def stationary_approx(self, epsilon: str) -> float:
        """Return MQMApprox's where the chain starts from its stationary law."""
        return self.approx(epsilon, suffix="_stationary")

    def group(self, epsilon: str) -> float:
        """Return group DP's: the longest piece is one group."""
        return self.scale("group_scale", lipschitz=1, size=max(self.lengths), epsilon=epsilon)

    def gk16(self, epsilon: str) -> float:
        """Return Ghosh and Kleinberg's, where their condition holds."""
        longest = max(self.lengths)
        return self.scale("gk16_scale", chains=self.chains, length=longest, epsilon=epsilon)

    def error(self, scale: float) -> float:
        """Return the expected 1-norm of the noise: one state moves 2/T of the histogram."""
        return len(self.chain.states) * scale * 2 / sum(self.lengths)


MECHANISMS: dict[str, Callable[[Release, str], float]] = {
    "MQMExact": Release.exact,
    "MQMApprox, any start": Release.approx,
    "MQMApprox, stationary start": Release.stationary_approx,
    "group DP": Release.group,
    "Ghosh and Kleinberg 2016": Release.gk16,
}
SOURCES: dict[str, tuple[Callable[[Path], list[Series]], int]] = {
    "household power by the minute": (household, 51),
    "activity of 37 people": (activity, 6),
    "pages of a news site": (msnbc, 17),
}


def loaded(title: str) -> Release:
    """Return the series, or skip where its data are absent."""
    folder = os.environ.get("SIMPLEXCERT_DATA")
    if not folder:
        pytest.skip("set SIMPLEXCERT_DATA to the folder with the data")
    read, _ = SOURCES[title]
    try:
        pieces = read(Path(folder))
    except OSError as error:
        pytest.skip(f"the data of {title} are not there: {error}")
    chain = chain_from_sequences(pieces)
    return Release(chain.lengths, chain)


@pytest.mark.parametrize("title", SOURCES)
def test_error_of_a_relative_frequency_histogram(
    title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    release = loaded(title)
    lines = list(table(title, release))
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 (a table is the point of this benchmark)


def table(title: str, release: Release) -> Iterator[str]:
    """Yield the lines of one series."""
    chain, states = release.chain, SOURCES[title][1]
    yield (
        f"\n{title}: {sum(release.lengths)} states in {len(release.lengths)} pieces, the longest "
        f"{max(release.lengths)}; {len(chain.states)} of {states} states occur and have a "
        "successor, the others are left out of the class"
    )
    yield from (f"  {remark}" for remark in chain.unidentified)
    start = time.perf_counter()
    gap, least = float(release.gap), float(release.least or 0)
    spent = 1e3 * (time.perf_counter() - start)
    yield f"  gap {gap:.6g}, smallest stationary probability {least:.6g} ({spent:.1f} ms for both)"
    yield f"{'':<30}{'epsilon':>8}{'scale/Lipschitz':>18}{'expected L1':>14}{'ms':>10}"
    for name, mechanism in MECHANISMS.items():
        for epsilon in EPSILONS:
            yield f"{name:<30}{epsilon:>8}{line(release, mechanism, epsilon)}"


def line(release: Release, mechanism: Callable[[Release, str], float], epsilon: str) -> str:
    """Return scale, expected error and time of one mechanism, or why it does not apply."""
    start = time.perf_counter()
    try:
        scale = mechanism(release, epsilon)
    except DomainError as error:
        return f"  does not apply: it needs {str(error).rpartition('it needs ')[2]}"
    spent = 1e3 * (time.perf_counter() - start)
    return f"{scale:>18.4f}{release.error(scale):>14.5f}{spent:>10.1f}"
