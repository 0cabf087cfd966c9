"""A model read off data: counts of transitions between labelled states, and each row's numbers.

The counts come from a CSV file, hostile until checked, with a sentence for each flaw: either a
square table, labels in the first row and the first column, or the header ``from,to,count`` and a
line for each pair of states that was seen.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TypeAlias, cast

import numpy as np

from ...domain.matrices import MAX_STATES
from ...errors import InputError, UnknownNameError
from ...exact import read_file, shown
from ...labels import MAX_COUNT_DIGITS, label_of
from ..structure import Matrix, Pattern, pattern_of, period, reachable
from .privacy import feasible, least_positive
from .rows import listed

_TWO = 2  # states of a chain, and categories of a Dirichlet law


@dataclass(frozen=True)
class _ModelRow:
    """One row of counts: its label, N_i records, n_i transitions seen, least positive count c_i."""

    label: str
    records: int
    feasible: int
    least: int

    @property
    def eta(self) -> Fraction:
        """The least positive share, which is the largest eta that the row has."""
        return Fraction(self.least, self.records)

    @property
    def k_minimum(self) -> Fraction:
        """The smallest k that benvenuti2025 Assumption 4 admits for this eta."""
        return Fraction(3 * self.records, 2 * self.least)


@dataclass(frozen=True)
class DataModel:
    """Counts of transitions between labelled states; each state was left and was entered.

    What is read off it, every N_i, n_i, eta_i and which transitions are feasible, is private data
    unless it was public before. Raises InputError with the state's label and the rule.
    """

    labels: _Labels
    counts: _Counts

    def __post_init__(self) -> None:
        _require_square(self.labels, self.counts)
        for at, label in enumerate(self.labels):
            label_of(label, f"state {at + 1}")
        if len(set(self.labels)) != len(self.labels):
            raise InputError("two states have the same label")
        _require_moved(self.labels, self.counts)

    @classmethod
    def of(cls, counts: Sequence[Sequence[int]], without: Iterable[str] = ()) -> DataModel:
        """Return the model of counts without labels: states are called 1, 2, and so on.

        Those to leave out may be states that were never left or never entered.
        """
        labels = tuple(str(at) for at in range(1, len(counts) + 1))
        table = tuple(map(tuple, counts))
        _require_square(labels, table)
        return cls(*_left(labels, table, tuple(without)))

    @cached_property
    def rows(self) -> tuple[_ModelRow, ...]:
        """Each row's records, feasible transitions and floor, in order."""
        return tuple(
            _ModelRow(label, sum(row), feasible(row), least_positive(row))
            for label, row in zip(self.labels, self.counts, strict=True)
        )

    @cached_property
    def shares(self) -> tuple[tuple[Fraction, ...], ...]:
        """The stochastic matrix P of the data: each count over its row's records."""
        return tuple(
            tuple(Fraction(count, known.records) for count in row)
            for row, known in zip(self.counts, self.rows, strict=True)
        )

    @property
    def irreducible(self) -> bool:
        """Whether every state can be reached from every one by transitions that were seen."""
        return bool(self._paths.all())

    @property
    def period(self) -> int | None:
        """The chain's period, 1 where it is aperiodic; None where it is not irreducible."""
        return period(self._signs) if self.irreducible else None

    @property
    def all_seen(self) -> bool:
        """Whether every transition was seen, so that none has to be known to be infeasible."""
        return all(all(row) for row in self.counts)

    def unreachable(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return each state from which some cannot be reached, with those, by their labels."""
        return tuple(
            (label, tuple(self.labels[int(target)] for target in np.flatnonzero(~found)))
            for label, found in zip(self.labels, self._paths, strict=True)
            if not found.all()
        )

    @property
    def _signs(self) -> Matrix:
        """The counts where only it matters which are positive: no fraction is made of them."""
        return cast("Matrix", self.counts)

    @cached_property
    def _paths(self) -> Pattern:
        """Which state can be reached from which one."""
        return reachable(pattern_of(self._signs))

    def rows_with_fewer(self, transitions: int) -> tuple[str, ...]:
        """Return the labels of the rows with fewer feasible transitions than so many.

        With one only the release is constant: it shows nothing, and no Dirichlet law has it.
        """
        return tuple(row.label for row in self.rows if row.feasible < transitions)

    def without(self, labels: Iterable[str]) -> DataModel:
        """Return the model of the other states alone; their N_i lose the records to these."""
        return DataModel(*_left(self.labels, self.counts, tuple(labels)))


def counts_from(path: str | Path, without: Iterable[str] = ()) -> DataModel:
    """Read a CSV file of counts, square or ``from,to,count``, and leave out some states.

    A state that was never left or never entered is refused with its label. Raises InputError.
    """
    labels, counts = _read_table(path)
    try:
        return DataModel(*_left(labels, counts, tuple(without)))
    except UnknownNameError:
        raise
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _left(labels: _Labels, counts: _Counts, gone: _Labels) -> tuple[_Labels, _Counts]:
    for label in gone:
        if label not in labels:
            raise UnknownNameError("state", label, labels)
    kept = [at for at, label in enumerate(labels) if label not in gone]
    table = tuple(tuple(counts[source][target] for target in kept) for source in kept)
    return tuple(labels[at] for at in kept), table


def _require_square(labels: _Labels, counts: _Counts) -> None:
    size = len(counts)
    if not _TWO <= size <= MAX_STATES:
        raise InputError(f"there are {size} states; a model has 2 to {MAX_STATES}")
    if len(labels) != size:
        raise InputError(f"there are {len(labels)} labels for {size} rows of counts")
    for at, row in enumerate(counts, 1):
        if len(row) != size:
            raise InputError(f"row {at} has {len(row)} counts where there are {size} rows")
        for column, count in enumerate(row, 1):
            if not isinstance(count, int) or isinstance(count, bool) or count < 0:
                raise InputError(
                    f"row {at}, column {column}: {shown(count)} is not a whole number from 0 on"
                )
            if count >= 10**MAX_COUNT_DIGITS:
                raise InputError(f"row {at}, column {column}: {shown(count)} is too large a count")


def _require_moved(labels: _Labels, counts: _Counts) -> None:
    """Raise InputError where a state was never left or never entered."""
    never_left = [label for label, row in zip(labels, counts, strict=True) if not any(row)]
    columns = zip(*counts, strict=True)
    never_entered = [
        label for label, column in zip(labels, columns, strict=True) if not any(column)
    ]
    for found, what in ((never_left, "left (a row without data)"), (never_entered, "entered")):
        if found:
            raise InputError(
                f"{listed(map(shown, found), 'state')} {'was' if len(found) == 1 else 'were'} "
                f"never {what}; leave such states out (without = [label, ...])"
            )


_Labels: TypeAlias = tuple[str, ...]
_Counts: TypeAlias = tuple[tuple[int, ...], ...]
_Lines: TypeAlias = Iterator[tuple[int, list[str]]]

_SPARSE = ("from", "to", "count")
# A table of MAX_STATES states with counts of ten digits has some 11 million bytes.
_MAX_BYTES = 32 * 1024 * 1024
_SQUARE = 2  # a header and a first column at least, hence two cells a line


def _read_table(path: str | Path) -> tuple[_Labels, _Counts]:
    """Return the labels and the counts, row by row as from, column by column as to.

    Raises InputError, which names the file, the line and the rule.
    """
    where = str(path)
    lines = _lines(_text(path), where)
    at, header = next(lines, (1, []))
    if not header:
        raise InputError(f"{where} is empty; it needs a header")
    if tuple(cell.strip() for cell in header) == _SPARSE:
        return _sparse(lines, where)
    return _square(header, at, lines, where)


def _text(path: str | Path) -> str:
    content = read_file(path)
    if len(content) > _MAX_BYTES:
        raise InputError(f"{path} is larger than {_MAX_BYTES} bytes; such a table is not read")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text: {error.reason}") from None


def _lines(text: str, where: str) -> _Lines:
    """Yield the number and the cells of each line that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{where}, line {reader.line_num}: not CSV, {error}") from None


def _sparse(lines: _Lines, where: str) -> tuple[_Labels, _Counts]:
    """Read pairs; states are numbered in the order in which they first stand in a line."""
    labels: dict[str, int] = {}
    seen: dict[tuple[str, str], tuple[int, int]] = {}
    for at, cells in lines:
        place = f"{where}, line {at}"
        _require_width(cells, len(_SPARSE), place)
        pair = label_of(cells[0], f"{place}, from"), label_of(cells[1], f"{place}, to")
        for label in pair:
            labels.setdefault(label, len(labels))
        _require_few(len(labels), place)
        if pair in seen:
            raise InputError(f"{place}: from {shown(pair[0])} to {shown(pair[1])} stood in line "
                             f"{seen[pair][1]} already; a pair has one line")  # fmt: skip
        seen[pair] = _count_of(cells[2], f"{place}, count"), at
    found = [[0] * len(labels) for _ in labels]
    for (source, target), (count, _) in seen.items():
        found[labels[source]][labels[target]] = count
    return tuple(labels), tuple(map(tuple, found))


def _square(header: list[str], at: int, lines: _Lines, where: str) -> tuple[_Labels, _Counts]:
    """Read a table whose rows have the labels of its columns, in the same order."""
    if len(header) < _SQUARE:
        raise InputError(
            f"{where}, line {at} has one cell, {shown(header[0])}; the cells of a table are set "
            "apart by commas"
        )
    _require_few(len(header) - 1, f"{where}, line {at}")
    labels = tuple(
        label_of(cell, f"{where}, line {at}, column {column}")
        for column, cell in enumerate(header[1:], _SQUARE)
    )
    _require_different(labels, f"{where}, line {at}")
    rows = [_row(cells, f"{where}, line {line}", labels, number)
            for number, (line, cells) in enumerate(lines)]  # fmt: skip
    if len(rows) != len(labels):
        raise InputError(
            f"{where}: there are {len(labels)} columns of counts and {len(rows)} rows; a table of "
            f"transitions is square (or its header is {','.join(_SPARSE)})"
        )
    return labels, tuple(rows)


def _row(cells: list[str], place: str, labels: _Labels, number: int) -> tuple[int, ...]:
    _require_width(cells, len(labels) + 1, place)
    label = label_of(cells[0], place)
    wanted = labels[number] if number < len(labels) else None
    if label != wanted:
        column = "no column" if wanted is None else f"column {number + _SQUARE} {shown(wanted)}"
        raise InputError(
            f"{place}: row {number + 1} is {shown(label)} where there is {column}; rows and "
            "columns have the same labels in the same order"
        )
    return tuple(
        int(cell) if _is_count(cell) else _count_of(cell, f"{place}, column {shown(target)}")
        for target, cell in zip(labels, cells[1:], strict=True)
    )


def _count_of(text: str, place: str) -> int:
    """Return a count. Raises InputError where it is none."""
    digits = text.strip(" ")
    if _is_count(digits):
        return int(digits)
    if digits.startswith("-") and _is_whole(digits[1:]) and digits.strip("-0"):
        raise InputError(f"{place}: {shown(digits)} is negative; a count is at least 0")
    if not _is_whole(digits):
        raise InputError(f"{place}: {shown(digits)} is not a whole number, written in digits")
    raise InputError(f"{place}: a count of more than {MAX_COUNT_DIGITS} digits is not read")


def _is_count(digits: str) -> bool:
    return len(digits) <= MAX_COUNT_DIGITS and _is_whole(digits)


def _is_whole(digits: str) -> bool:
    return digits.isascii() and digits.isdigit()


def _require_width(cells: list[str], width: int, place: str) -> None:
    if len(cells) != width:
        raise InputError(f"{place} has {len(cells)} cells where the header has {width}")


def _require_few(states: int, place: str) -> None:
    if states > MAX_STATES:
        raise InputError(f"{place}: more than {MAX_STATES} states are not read")


def _require_different(labels: _Labels, place: str) -> None:
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise InputError(f"{place}: the label {shown(label)} stands twice")
        seen.add(label)
