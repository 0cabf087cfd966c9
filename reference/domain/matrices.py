"""Kinds of domain: stochastic matrices, lists of laws, rows of values, lists of index sets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..exact import shown
from ..exact_lists import exact_list, exact_vector, exact_whole_numbers
from ..structures import Matrix
from .kinds import MAX_ENTRIES, MAX_ROWS, Entries, Interval, Law, SearchRange, Value

# Matrices of more states and longer lists of laws are not read.
MAX_STATES = 1_000
MAX_LAWS = 1_000

# Vectors of any rationals, of which a search draws the positive ones and zero, and their negatives.
ANY_NUMBERS = Entries(Interval(search=("0.001", "30")), longest_searched=4)
# Shares of one outcome alone are allowed here: a law may be of a constant.
SHARES = Law(fewest=1)
_COUNTED = Entries(Interval("integer", at_least=Fraction(0), search=("0", "1000")))
_FROM_ONE = Interval("integer", at_least=Fraction(1), search=("1", "3"))


@dataclass(frozen=True)
class MatrixKind:
    """The matrices that a parameter may be: rows of one length, each of which a row kind admits.

    Hints for the search: how many rows and columns a drawn point has at most, and how many columns
    one beyond daily use, where these are more; ``as_wide_as`` and ``as_long_as`` name earlier
    parameters that have as many entries or states as this has columns, and as this has rows. An
    ``as_long_as`` that is a whole number is the number of rows itself.
    """

    row: Entries = SHARES
    each: str = "row"
    most_rows: int = MAX_ROWS
    longest_searched: int = 2
    widest_searched: int = 3
    widest_beyond: int | None = None
    as_wide_as: str | None = None
    as_long_as: str | None = None
    kind: str = "matrix"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for an entry."""
        return self.row.search

    def read(self, name: str, value: object) -> Matrix:
        """Return the exact rows. Raises InputError if they are none."""

        def read_row(row: object, place: str) -> tuple[Fraction, ...]:
            return exact_vector(row, place, MAX_ENTRIES)

        what = f'{self.each}s such as [["1/2", "1/2"]]'
        return exact_list(value, name, (self.each, read_row), self.most_rows, what)

    def admits(self, value: Value) -> bool:
        """Whether the value is such a matrix."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the first row that is not admitted, named and shown; nothing if all are."""
        if not isinstance(value, tuple) or not value:
            return f"{name} = {shown(value)}"
        return next(filter(None, self._strays(name, value)), "")

    def _strays(self, name: str, rows: tuple[Value, ...]) -> Iterator[str]:
        width = self._width(rows)
        for at, row in enumerate(rows, 1):
            place = f"{name}, {self.each} {at}"
            yield self.row.stray(place, row)
            yield length_stray(place, row, width, self._why(width))

    def _width(self, rows: tuple[Value, ...]) -> int:
        return len(rows[0]) if isinstance(rows[0], tuple) else 0

    def _why(self, width: int) -> str:
        return f"{self.each} 1 has {width}"

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        laws = f", no negative entry, each {self.each}'s sum exactly 1"
        return f"{self.each}s of {name} of one length{laws * isinstance(self.row, Law)}"


@dataclass(frozen=True)
class Stochastic(MatrixKind):
    """The square matrices of two or more states whose rows are laws.

    A hint for the search: ``on_grid_of`` names the whole number b of the parameters for which a
    drawn point has entries that are multiples of 2^-b.
    """

    most_rows: int = MAX_STATES
    widest_beyond: int | None = 12
    on_grid_of: str | None = None

    def stray(self, name: str, value: Value) -> str:
        """Return the first row that is not admitted; nothing if the matrix is stochastic."""
        if isinstance(value, tuple) and len(value) == 1:
            return f"{name} = {shown(value)}, of one state,"
        return MatrixKind.stray(self, name, value)

    def _width(self, rows: tuple[Value, ...]) -> int:
        return len(rows)

    def _why(self, width: int) -> str:
        return f"there are {width} rows"

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"{name} square, 2 rows or more, no negative entry, each row's sum exactly 1"


@dataclass(frozen=True)
class Counts(Stochastic):
    """The square matrices of two or more rows of whole numbers, in each row some that is not 0.

    Entry j of row i counts what was seen to go from state i to state j.
    """

    row: Entries = _COUNTED

    def read(self, name: str, value: object) -> tuple[tuple[int, ...], ...]:  # type: ignore[override]
        """Return the counts. Raises InputError if they are no whole numbers."""

        def read_row(row: object, place: str) -> tuple[int, ...]:
            return exact_whole_numbers(row, place, MAX_ENTRIES)

        return exact_list(value, name, (self.each, read_row), self.most_rows, "rows of counts")

    def stray(self, name: str, value: Value) -> str:
        """Return the first row that is not admitted, or that has no data; nothing if all are."""
        found = Stochastic.stray(self, name, value)
        if found or not isinstance(value, tuple):
            return found
        rows: Sequence[Any] = value
        empty = next((at for at, row in enumerate(rows, 1) if not any(row)), None)
        return "" if empty is None else f"{name}, row {empty}, without data (all counts 0),"

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"{name} square, 2 rows or more, no negative entry, in each row some above 0"


@dataclass(frozen=True)
class IndexSets:
    """The lists of sets of whole numbers from 1, none of them empty, no number twice in one.

    Hints for the search: how many sets a drawn point has at most; ``among`` names an earlier
    parameter whose entries, states or columns are numbered. ``size`` is no hint: the size of every
    set, where that is fixed.
    """

    each: str = "set"
    longest_searched: int = 3
    among: str | None = None
    size: int | None = None
    kind: str = "rows"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a number where nothing tells how many there are."""
        return ("1", "3")

    def read(self, name: str, value: object) -> tuple[tuple[int, ...], ...]:
        """Return the sets as they were given. Raises InputError if they are none."""

        def read_set(numbers: object, place: str) -> tuple[int, ...]:
            return exact_whole_numbers(numbers, place, MAX_ENTRIES)

        example = "[[1, 3], [2]]" if self.size is None else "[[1, 3], [2, 1]]"
        what = f"{self.each}s such as {example}"
        return exact_list(value, name, (self.each, read_set), MAX_ROWS, what)

    def admits(self, value: Value) -> bool:
        """Whether the value is a list of such sets."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the first number that is not admitted, by its place; nothing if all are."""
        if not isinstance(value, tuple) or not value:
            return f"{name} = {shown(value)}"
        found = (
            self._stray_in(f"{name}, {self.each} {at}", row) for at, row in enumerate(value, 1)
        )
        return next(filter(None, found), "")

    def _stray_in(self, name: str, row: Value) -> str:
        found = _NUMBERED.stray(name, row)
        if not found and isinstance(row, tuple) and self.size not in (None, len(row)):
            return f"{name} = {shown(row)}, of length {len(row)},"
        return found

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        size = "" if self.size is None else f"{self.size} "
        return f"in each {self.each} of {name} {size}whole numbers from 1, none of them twice"


@dataclass(frozen=True)
class IndexSet(Entries):
    """The sets of whole numbers from 1, the empty one among them, no number twice."""

    each: Interval = _FROM_ONE
    longest_searched: int = 2
    fewest: int = 0

    def stray(self, name: str, value: Value) -> str:
        """Return the first number that is not admitted, or that stands twice."""
        found = Entries.stray(self, name, value)
        twice = None if found or not isinstance(value, tuple) else first_repeated(value)
        return found if twice is None else f"{name} = {shown(value)}, with {shown(twice)} twice,"

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"{Entries.describe(self, name)}, none of them twice"


_NUMBERED = IndexSet(fewest=1)


def first_repeated(items: tuple[Value, ...]) -> Value | None:
    """Return the first item that stood before; None where all differ."""
    seen: set[Value] = set()
    for item in items:
        if item in seen:
            return item
        seen.add(item)
    return None


def length_stray(place: str, row: Value, length: int, why: str) -> str:
    """Return a row of another length, with the reason for its length; nothing if it is right."""
    if isinstance(row, tuple) and len(row) == length:
        return ""
    entries = len(row) if isinstance(row, tuple) else 0
    return f"{place} = {shown(row)}, of length {entries} where {why},"
