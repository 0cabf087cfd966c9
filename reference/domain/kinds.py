"""Kinds of domain: a number in an interval, a vector, a law on the simplex, a table of rows.

Each reads what is given, says whether it is admitted, and tells a search where to look. A hint for
the search is no condition. Matrices, chains and networks have their own modules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias, runtime_checkable

from ..errors import InputError
from ..exact import Nested, exact_integer, exact_number, exact_text, shown
from ..exact_lists import (
    Row,
    exact_rows,
    exact_sum,
    exact_vector,
    exact_whole_numbers,
    off_by_rounding,
)

Exact: TypeAlias = Fraction | int
Vector: TypeAlias = tuple[Fraction, ...]
Rows: TypeAlias = tuple[Row, ...]
# A number, a word, a record, or a list of values.
Value: TypeAlias = Nested
SearchRange: TypeAlias = tuple[str, str]

# Vectors beyond daily use have so many times the entries.
_LONGER = 8
# Longer vectors and tables are not read; nothing here is meant for so many entries.
MAX_ENTRIES = 10_000
MAX_ROWS = 10_000


@runtime_checkable
class Domain(Protocol):
    """A parameter's domain: a kind of value, which of them are admitted, and where to search."""

    @property
    def kind(self) -> str:
        """The name of the kind, as published."""

    @property
    def search(self) -> tuple[object, ...]:
        """Where a search should look."""

    def read(self, name: str, value: object) -> Value:
        """Return the exact parameter. Raises InputError where it is malformed."""

    def admits(self, value: Value) -> bool:
        """Whether the value lies in the domain."""

    def stray(self, name: str, value: Value) -> str:
        """Return the part of the value that is not admitted, named and shown; "" if all is."""

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""


@dataclass(frozen=True)
class Interval:
    """The values that one real or integer parameter may take, and where a search should look.

    Hints for drawing test points, both with positive ends, and no conditions: ``search`` is where
    daily use is, ``beyond`` what a share of the points reach to; where it is empty, `reach` says.
    """

    kind: str = "real"
    above: Fraction | None = None
    at_least: Fraction | None = None
    below: Fraction | None = None
    at_most: Fraction | None = None
    search: SearchRange = ("0.001", "1000")
    beyond: SearchRange | None = None

    @property
    def reach(self) -> SearchRange:
        """Where the points beyond daily use lie: what is stated, else as far as the domain goes.

        Real numbers go to 1e-9 and 1e9, whole ones stay.
        """
        if self.beyond is not None or self.kind == "integer":
            return self.beyond or self.search
        low, high = self.search
        from_zero = self.above in {None, 0} and self.at_least in {None, 0}
        without_end = self.below is None and self.at_most is None
        return (
            min(low, "1e-9", key=Fraction) if from_zero else low,
            max(high, "1e9", key=Fraction) if without_end else high,
        )

    def read(self, name: str, value: object) -> Exact:
        """Return the exact parameter. Raises InputError if it is no such number."""
        return exact_integer(value, name) if self.kind == "integer" else exact_number(value, name)

    def admits(self, value: Value) -> bool:
        """Whether the value is a number in the interval."""
        return not isinstance(value, tuple | str) and (
            (self.above is None or value > self.above)
            and (self.at_least is None or value >= self.at_least)
            and (self.below is None or value < self.below)
            and (self.at_most is None or value <= self.at_most)
        )

    def stray(self, name: str, value: Value) -> str:
        """Return the part of the value that is not admitted, named and shown; "" if all is."""
        return "" if self.admits(value) else f"{name} = {shown(value)}"

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it, such as ``0 < gamma < 1``."""
        left = _bound(self.above, " < ") or _bound(self.at_least, " <= ")
        right = _bound(self.below, "", " < ") or _bound(self.at_most, "", " <= ")
        return f"{left}{name}{right}"


@dataclass(frozen=True)
class Entries:
    """The vectors that a parameter may be: ``fewest`` or more entries, each in one interval.

    Hints for the search: ``longest_searched`` is how many entries a drawn point has at most, and
    `longest_beyond` one beyond daily use; ``as_long_as`` names an earlier parameter that it is
    drawn with the length of. That the lengths must be equal is a condition of the quantity, not of
    its parameters one by one.
    """

    each: Interval
    longest_searched: int = 8
    kind: str = "vector"
    fewest: int = 1
    as_long_as: str | None = None

    @property
    def longest_beyond(self) -> int:
        """How many entries a point beyond daily use has at most."""
        return _LONGER * self.longest_searched

    @property
    def search(self) -> SearchRange:
        """Where a search should look for an entry."""
        return self.each.search

    def read(self, name: str, value: object) -> Vector | tuple[int, ...]:
        """Return the exact vector, integers as integers. Raises InputError if it is none."""
        if self.each.kind == "integer":
            return exact_whole_numbers(value, name, MAX_ENTRIES, self.fewest)
        return exact_vector(value, name, MAX_ENTRIES)

    def admits(self, value: Value) -> bool:
        """Whether the value is a vector, long enough, whose entries lie in the interval."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the first entry that is not admitted, named and shown; nothing if all are."""
        if not isinstance(value, tuple) or len(value) < self.fewest:
            return f"{name} = {shown(value)}"
        items: Sequence[Value] = value
        found = (self.each.stray(f"{name}, entry {at}", item) for at, item in enumerate(items, 1))
        return next(filter(None, found), "")

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it, such as ``0 < each of alpha``."""
        fewest = f", at least {self.fewest} of them" if self.fewest > 1 else ""
        return f"{self.each.describe(f'each of {name}')}{fewest}"


@dataclass(frozen=True)
class Law(Entries):
    """The vectors on the probability simplex: shares of which the exact sum is 1.

    A search draws them on a dyadic grid, so that their doubles sum to one exactly.
    """

    each: Interval = Interval(at_least=Fraction(0), at_most=Fraction(1), search=("1e-6", "1"))
    fewest: int = 2

    def stray(self, name: str, value: Value) -> str:
        """Return the first entry that is not admitted, or the sum where it is not 1."""
        found = Entries.stray(self, name, value)
        if found or not isinstance(value, tuple):
            return found
        total = exact_sum((item for item in value if not isinstance(item, tuple | str)), name)
        if total == 1:
            return ""
        return f"{name} = {shown(value)}, with sum {shown(total)}{off_by_rounding(total)},"

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"{Entries.describe(self, name)}, and a sum of exactly 1"


@dataclass(frozen=True)
class Table:
    """The tables that a parameter may be: rows of named columns, each column in one interval.

    Hints for the search: ``longest_searched`` is how many rows a drawn point has at most, and
    ``longest_beyond`` one beyond daily use.
    """

    kind: str
    columns: tuple[tuple[str, Interval], ...]
    longest_searched: int = 3
    longest_beyond: int = 12

    @property
    def search(self) -> tuple[SearchRange, ...]:
        """Where a search should look, column by column."""
        return tuple(column.search for _, column in self.columns)

    def read(self, name: str, value: object) -> Rows:
        """Return the exact rows, integers as integers. Raises InputError if it is no table."""
        readers = {
            title: exact_integer if column.kind == "integer" else exact_number
            for title, column in self.columns
        }
        return exact_rows(value, name, readers, MAX_ROWS)

    def admits(self, value: Value) -> bool:
        """Whether the value is a table of which every number lies in its column's interval."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the first number that is not admitted, by row and column; nothing if all are."""
        if not isinstance(value, tuple) or not value:
            return f"{name} = {shown(value)}"
        rows: Sequence[Value] = value
        found = (self._stray_in(f"{name}, row {at}", row) for at, row in enumerate(rows, 1))
        return next(filter(None, found), "")

    def _stray_in(self, name: str, row: Value) -> str:
        if not isinstance(row, tuple) or len(row) != len(self.columns):
            return f"{name} = {shown(row)}"
        pairs = zip(self.columns, row, strict=True)
        found = (column.stray(f"{name}, {title}", item) for (title, column), item in pairs)
        return next(filter(None, found), "")

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        titles = ", ".join(title for title, _ in self.columns)
        parts = ", ".join(column.describe(title) for title, column in self.columns)
        return f"in each row [{titles}] of {name} {parts}"


@dataclass(frozen=True)
class Word:
    """The words that a parameter may be, such as which of two norms is meant."""

    words: tuple[str, ...]
    kind: str = "word"

    @property
    def search(self) -> tuple[str, ...]:
        """The words: a search tries each of them."""
        return self.words

    def read(self, name: str, value: object) -> str:
        """Return the word. Raises InputError where it is no text at all."""
        if not isinstance(value, str):
            raise InputError(f"{name} = {shown(value)} is not one of {self._listed()}")
        return value.strip()

    def admits(self, value: Value) -> bool:
        """Whether the value is one of the words."""
        return value in self.words

    def stray(self, name: str, value: Value) -> str:
        """Return the word where it is none of these, named and shown; nothing if it is one."""
        return "" if self.admits(value) else f"{name} = {shown(value)}"

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"{name} one of {self._listed()}"

    def _listed(self) -> str:
        return ", ".join(self.words)


def _bound(value: Fraction | None, after: str, before: str = "") -> str:
    return "" if value is None else f"{before}{exact_text(value)}{after}"


@dataclass(frozen=True)
class Moved(Entries):
    """Vectors of which the second is drawn as the first with something moved, or changed.

    A vector drawn by itself hardly ever agrees with another one in all coordinates but two and in
    the sum of these. ``as_long_as`` names the first; where it names nothing, this is the first.
    That two vectors differ in no more than that is a condition of the quantity.
    """

    fewest: int = 2
    longest_searched: int = 4
