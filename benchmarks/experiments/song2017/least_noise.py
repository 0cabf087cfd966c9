"""The least noise on counts of public series, beside what distances and quilts ask for.

A count's law under every secret is known, so what is lost is a number, and the least scale a root;
quilts serve every query, and the Wasserstein distance every pair of laws that far apart. Between
them stands what one coupling shows in the mean (proofs_notes/newer-pufferfish.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr
from simplexcert.reference import evaluate
from simplexcert.reference.pufferfish.additive import laws_by_node
from simplexcert.reference.pufferfish.divergences import Atoms
from simplexcert.reference.structures import STATIONARY, ChainLaw

from ..outcome import Finding, Outcome, Running, Table, Verdict
from ..registry import Setting
from .series import (
    AMPDS,
    EXTRASENSORY,
    KASTEREN,
    UCI,
    EmpiricalChain,
    Series,
    Source,
    ampds_power,
    extrasensory,
    kasteren,
    series_at_hand,
    uci_power,
)

EPSILONS = (Fraction(1, 5), Fraction(1), Fraction(5))
DELTA, ORDER = Fraction(1, 10**5), 8
PURE, AT_DELTA, AT_ORDER = "Laplace", f"normal, delta = {float(DELTA):g}", f"normal, order {ORDER}"
TARGETS = (PURE, AT_DELTA, AT_ORDER)
# A time's window of so many minutes; the least scale takes seconds for each epsilon.
LENGTH, QUICK_LENGTH = 30, 6
# Bins of 200 W at which a level begins: below 400 W, from 400 W, 1 kW and 2 kW on.
LEVELS = (2, 5, 10)
DIGITS = 8
_HALVINGS = 50


@dataclass(frozen=True)
class Row:
    """The scales of one series, target and epsilon, per unit of the count."""

    series: str
    target: str
    epsilon: Fraction
    quilts: float
    distance: float
    coupling: float
    least: float


def levels(read: Callable[[Path], Series]) -> Callable[[Path], Series]:
    """Return what reads a household's power in four levels."""

    def found(path: Path) -> Series:
        whole = read(path)
        people = tuple(
            tuple(np.digitize(piece, LEVELS) for piece in person) for person in whole.people
        )
        return Series(f"power, {whole.title}", ("lowest", "low", "high", "highest"), people)

    return found


SOURCES: tuple[Source, ...] = (
    (EXTRASENSORY, extrasensory),
    (KASTEREN, kasteren),
    (UCI, levels(uci_power)),
    (AMPDS, levels(ampds_power)),
)


def upper(name: str, **given: Any) -> float:
    """Return the safe end of a scale, from the reference."""
    return float(evaluate(name, given, digits=DIGITS).upper)


@dataclass(frozen=True)
class Count:
    """How many minutes of a window a chain spends in its last state."""

    chain: EmpiricalChain
    length: int

    @property
    def given(self) -> dict[str, Any]:
        """The chain and the query, as a quantity takes them."""
        last = len(self.chain.matrix) - 1
        return {**self._class, "values": [[int(state == last) for state in range(last + 1)]]}

    @property
    def _class(self) -> dict[str, Any]:
        return {
            "chains": [{"initial": STATIONARY, "P": self.chain.matrix}],
            "length": self.length,
        }

    def quilts(self, target: str, epsilon: Fraction) -> float:
        """Return what quilts ask for, for every query that a minute changes by at most 1."""
        known = {**self._class, "epsilon": epsilon, "width": self.length}
        if target == PURE:
            return upper("pufferfish.quilt_scale_exact", **known)
        if target == AT_DELTA:
            return upper("pufferfish.gaussian_quilt_scale", **known, delta=DELTA)
        return upper("pufferfish.gaussian_quilt_scale_renyi", **known, order=ORDER)

    def least(self, target: str, epsilon: Fraction) -> float:
        """Return the least scale."""
        noise = "laplace" if target == PURE else "gaussian"
        known = {**self.given, "noise": noise, "epsilon": epsilon}
        if target == AT_ORDER:
            return upper("pufferfish.chain_least_scale_renyi", **known, order=ORDER)
        return upper("pufferfish.chain_least_scale", **known, delta=DELTA * (target == AT_DELTA))

    def couplings(self) -> list[Coupling]:
        """Return the monotone coupling of the count's laws given any two states of a minute."""
        P = tuple(tuple(row) for row in self.chain.matrix)  # noqa: N806
        chains = (ChainLaw(STATIONARY, P),)
        values = tuple(tuple(Fraction(one) for one in row) for row in self.given["values"])
        return [
            monotone(*pair)
            for _chain, _node, laws in laws_by_node(chains, self.length, values)
            for pair in combinations(laws.values(), 2)
        ]


@dataclass(frozen=True)
class Coupling:
    """How far mass moves, and which share it is of all, of where it starts and of where it ends."""

    moved: NDArray[np.float64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    mass: NDArray[np.float64]
    of_start: NDArray[np.float64]
    of_end: NDArray[np.float64]


def monotone(first: Atoms, second: Atoms) -> Coupling:
    """Return the coupling that keeps the order of the line, in exact shares."""
    ours, theirs = (
        [Fraction(weight, law.total) for weight in law.weights] for law in (first, second)
    )
    found, i, j = [], 0, 0
    left, right = ours[0], theirs[0]
    while True:
        mass = min(left, right)
        at, to = first.points[i], second.points[j]
        shares = (mass, mass / ours[i], mass / theirs[j])
        found.append((abs(at - to), i, j, *map(float, shares)))
        left, right = left - mass, right - mass
        if not left:
            i += 1
            if i == len(ours):
                break
            left = ours[i]
        if not right:
            j += 1
            right = theirs[j]
    columns = list(zip(*found, strict=True))
    moved, start, end = (np.array([int(x) for x in column]) for column in columns[:3])
    of_all, of_start, of_end = (np.array(column, dtype=float) for column in columns[3:])
    return Coupling(moved.astype(float), start, end, of_all, of_start, of_end)


def hidden(one: Coupling, target: str, epsilon: float, scale: float) -> bool:
    """Return whether the coupling shows, in the mean, that this scale is enough."""
    moved = one.moved / scale
    with np.errstate(over="ignore"):
        if target == PURE:
            grown = np.exp(moved)
            return all(
                float(np.bincount(place, share * grown).max()) <= math.exp(epsilon)
                for place, share in ((one.start, one.of_start), (one.end, one.of_end))
            )
        if target == AT_ORDER:
            power = np.exp(np.minimum(ORDER * (ORDER - 1) * moved**2 / 2, 700.0))
            return float(one.mass @ power) <= math.exp((ORDER - 1) * epsilon)
        safe = np.where(moved > 0, moved, 1.0)
        lost = ndtr(safe / 2 - epsilon / safe) - math.exp(epsilon) * ndtr(
            -safe / 2 - epsilon / safe
        )
        return float(one.mass @ np.where(moved > 0, lost, 0.0)) <= DELTA


def by_couplings(found: Sequence[Coupling], target: str, epsilon: float, enough: float) -> float:
    """Return the least scale that all couplings show to be enough, in doubles, up to one that is.

    The conditions hold from one scale on, for each coupling.
    """
    largest = enough / 1000
    for one in found:
        if hidden(one, target, epsilon, largest):
            continue
        low, high = largest, enough
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            low, high = (low, middle) if hidden(one, target, epsilon, middle) else (middle, high)
        largest = high
    return largest


def by_distance(distance: float, target: str, epsilon: Fraction) -> float:
    """Return what the Wasserstein distance asks for."""
    if target == PURE:
        return distance / float(epsilon)
    if target == AT_ORDER:
        return distance * math.sqrt(ORDER / (2 * float(epsilon)))
    return distance * upper("gaussian.noise_multiplier_for_dp", epsilon=epsilon, delta=DELTA)


def rows_of(title: str, count: Count, epsilons: Sequence[Fraction]) -> Iterator[Row]:
    """Yield the scales of one series."""
    distance = upper("pufferfish.chain_wasserstein", **count.given)
    couplings = count.couplings()
    for target in TARGETS:
        for epsilon in epsilons:
            asked = by_distance(distance, target, epsilon)
            yield Row(
                title,
                target,
                epsilon,
                count.quilts(target, epsilon),
                asked,
                by_couplings(couplings, target, float(epsilon), asked),
                count.least(target, epsilon),
            )


def least_noise(setting: Setting) -> Running:
    """Find the scales of a count of each series' last state, in a window of minutes."""
    length = QUICK_LENGTH if setting.quick else LENGTH
    epsilons = EPSILONS[1:2] if setting.quick else EPSILONS
    rows: list[Row] = []
    skipped: list[str] = []
    done = 0
    for _number, series in series_at_hand(setting, SOURCES, skipped):
        for row in rows_of(series.title, Count(series.chain, length), epsilons):
            rows.append(row)
            done += 1
            yield done / (len(SOURCES) * len(TARGETS) * len(epsilons))
    about = (
        f"The count of minutes in the last state ({length} minutes, started from the stationary"
        " law of the chain of all counted transitions); private is the state at each minute. A"
        " household's power in four levels. Scales from the reference, rounded up; that by a"
        " coupling in doubles."
    )
    return Outcome((table(rows, length),), (), findings(rows), tuple(skipped), (about,))


def findings(rows: Sequence[Row]) -> tuple[Finding, ...]:
    """Return whether what the paper's mechanisms ask for is enough, and how much more it is."""
    return (
        enough(rows, "W/epsilon (Algorithm 1)", "distance", "for all laws that far apart"),
        enough(rows, "the quilts' scale (Algorithm 3)", "quilts", "for every query"),
    )


def enough(rows: Sequence[Row], name: str, column: str, bound: str) -> Finding:
    """Return whether no least scale of Laplace noise is above what a mechanism asks for."""
    pure = [row for row in rows if row.target == PURE]
    shares = [row.least / getattr(row, column) for row in pure]
    holds = max(shares) <= 1
    return Finding(
        f"{name} is enough Laplace noise",
        f"the least is {min(shares):.3g} to {max(shares):.3g} of it",
        Verdict.AS_PRINTED if holds else Verdict.NOT_AS_PRINTED,
        f"it is a bound {bound}; here they are known",
    )


_Line: TypeAlias = tuple[str | float, ...]


def table(rows: Sequence[Row], length: int) -> Table:
    """Return a line for each series, target and epsilon."""
    return Table(
        "scales",
        f"Scale of the noise on a count of {length} minutes",
        (
            "series", "noise", "epsilon", "quilts", "Wasserstein", "coupling", "least",
            "least/quilts", "least/Wasserstein",
        ),
        tuple(map(_line, rows)),
        note="Coupling: in the mean over the monotone coupling, which is no published condition.",
    )  # fmt: skip


def _line(row: Row) -> _Line:
    scales = (row.quilts, row.distance, row.coupling, row.least)
    shares = (row.least / row.quilts, row.least / row.distance)
    return (row.series, row.target, float(row.epsilon), *scales, *shares)
