"""Who is a neighbour of whom, decided on rational numbers by the papers' definitions alone.

Nothing here knows how pairs are drawn (`drawn_neighbours`) or what they lose. In a vector the
protected coordinates stand first; which ones they are changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from simplexcert.reference.adjacency import Vector

Histogram: TypeAlias = tuple[int, ...]
# A record replaced takes one from a count and adds one to another.
_REPLACED, _ADDED = [-1, 1], [1]


@dataclass(frozen=True)
class Bordered:
    """gohari2020 Definition 1: vectors of n shares, the first w protected; neighbours within b.

    Protected shares are at least eta and leave at least eta_bar to the others.
    """

    n: int
    w: int
    eta: Fraction
    eta_bar: Fraction
    b: Fraction

    @property
    def room(self) -> Fraction:
        """How far a protected share can rise above eta."""
        return 1 - self.eta_bar - self.w * self.eta

    @property
    def step(self) -> Fraction:
        """The largest change of one share."""
        return min(self.b / 2, self.room)

    def admits(self, p: Vector) -> bool:
        """Whether p is an input."""
        protected = p[: self.w]
        return (
            len(p) == self.n
            and sum(p) == 1
            and min(p) > 0
            and min(protected) >= self.eta
            and sum(protected) <= 1 - self.eta_bar
        )

    def are_adjacent(self, p: Vector, q: Vector) -> bool:
        """Whether both are inputs that differ by at most b in two protected shares alone."""
        if not (self.admits(p) and self.admits(q)):
            return False
        changes = [(place, a - b) for place, (a, b) in enumerate(zip(p, q, strict=True)) if a != b]
        return (
            len(changes) <= 2
            and all(place < self.w for place, _ in changes)
            and sum(abs(change) for _, change in changes) <= self.b
        )

    def good(self, outcome: Vector, gamma: Fraction) -> bool:
        """Whether an output lies in the good set: protected shares of at least gamma."""
        return (
            len(outcome) == self.n
            and sum(outcome) == 1
            and min(outcome) > 0
            and min(outcome[: self.w]) >= gamma
        )


@dataclass(frozen=True)
class Collections:
    """gohari2020 Definition 3: N vectors, one of which changes to a neighbour of its own."""

    member: Bordered
    N: int

    def are_adjacent(self, first: tuple[Vector, ...], second: tuple[Vector, ...]) -> bool:
        """Whether two collections differ in at most one member, which is then adjacent."""
        if not len(first) == len(second) == self.N:
            return False
        pairs = list(zip(first, second, strict=True))
        return (
            all(self.member.admits(p) and self.member.admits(q) for p, q in pairs)
            and sum(p != q for p, q in pairs) <= 1
            and all(self.member.are_adjacent(p, q) for p, q in pairs)
        )


def mean(vectors: tuple[Vector, ...]) -> Vector:
    """Return the average query's answer."""
    return tuple(sum(column) / Fraction(len(vectors)) for column in zip(*vectors, strict=True))


@dataclass(frozen=True)
class Matrices:
    """fallin2023 Definition 4: each row may change to a neighbour of its own, at the same time.

    ``changed_rows`` is how many do at most; as printed, all of them.
    """

    rows: tuple[Bordered, ...]
    changed_rows: int

    def are_adjacent(self, first: tuple[Vector, ...], second: tuple[Vector, ...]) -> bool:
        """Whether rows are adjacent, row by row, and no more than so many differ."""
        return (
            len(first) == len(second) == len(self.rows)
            and all(map(Bordered.are_adjacent, self.rows, first, second))
            and sum(p != q for p, q in zip(first, second, strict=True)) <= self.changed_rows
        )


@dataclass(frozen=True)
class Counts:
    """benvenuti2025 Definitions 2 and 3: N records in n categories, a share of eta or more each."""

    n: int
    N: int
    eta: Fraction

    @property
    def least(self) -> int:
        """The smallest count."""
        return ceil(self.eta * self.N)

    def admits(self, counts: Histogram) -> bool:
        """Whether these are the counts of an input."""
        return (
            len(counts) == self.n
            and sum(counts) == self.N
            and all(Fraction(count, self.N) >= self.eta for count in counts)
        )

    def are_adjacent(self, first: Histogram, second: Histogram) -> bool:
        """Whether both are inputs and one record at most is in another category."""
        both = self.admits(first) and self.admits(second)
        return both and _changes(first, second) in ([], _REPLACED)

    def shares(self, counts: Histogram) -> Vector:
        """Return what is released."""
        return tuple(Fraction(count, self.N) for count in counts)

    def good(self, outcome: Vector, gamma: Fraction) -> bool:
        """Whether every coordinate of an output is at least gamma."""
        return len(outcome) == self.n and sum(outcome) == 1 and min(outcome) >= gamma > 0


def is_record_replaced(first: Histogram, second: Histogram) -> bool:
    """Whether one record of a histogram is replaced: two counts change by one, the sum does not."""
    return min(*first, *second) >= 0 and _changes(first, second) == _REPLACED


def is_record_added(less: Histogram, more: Histogram) -> bool:
    """Whether the second histogram is the first with one record more."""
    return min(less) >= 0 and _changes(less, more) == _ADDED


def _changes(first: Histogram, second: Histogram) -> list[int]:
    if len(first) != len(second):
        raise ValueError("two histograms of different length")
    return sorted(b - a for a, b in zip(first, second, strict=True) if a != b)
