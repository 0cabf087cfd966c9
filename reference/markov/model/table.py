"""Read counts of transitions from a CSV file, hostile until checked, with a sentence for each flaw.

Either a square table, labels in the first row and the first column, or the header ``from,to,count``
and a line for each pair of states that was seen.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

from ...errors import InputError
from ...exact import read_file, shown
from ...matrix_kinds import MAX_STATES

Labels: TypeAlias = tuple[str, ...]
Counts: TypeAlias = tuple[tuple[int, ...], ...]
Lines: TypeAlias = Iterator[tuple[int, list[str]]]

SPARSE = ("from", "to", "count")
# A table of MAX_STATES states with counts of ten digits has some 11 million bytes.
MAX_BYTES = 32 * 1024 * 1024
# More than any number of records that was ever counted; sums stay short.
MAX_COUNT_DIGITS = 18
MAX_LABEL = 100
_SQUARE = 2  # a header and a first column at least, hence two cells a line


def read_table(path: str | Path) -> tuple[Labels, Counts]:
    """Return the labels and the counts, row by row as from, column by column as to.

    Raises InputError, which names the file, the line and the rule.
    """
    where = str(path)
    lines = _lines(_text(path), where)
    at, header = next(lines, (1, []))
    if not header:
        raise InputError(f"{where} is empty; it needs a header")
    if tuple(cell.strip() for cell in header) == SPARSE:
        return _sparse(lines, where)
    return _square(header, at, lines, where)


def _text(path: str | Path) -> str:
    content = read_file(path)
    if len(content) > MAX_BYTES:
        raise InputError(f"{path} is larger than {MAX_BYTES} bytes; such a table is not read")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 text: {error.reason}") from None


def _lines(text: str, where: str) -> Lines:
    """Yield the number and the cells of each line that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            if cells:
                yield reader.line_num, cells
    except csv.Error as error:
        raise InputError(f"{where}, line {reader.line_num}: not CSV, {error}") from None


def _sparse(lines: Lines, where: str) -> tuple[Labels, Counts]:
    """Read pairs; states are numbered in the order in which they first stand in a line."""
    labels: dict[str, int] = {}
    seen: dict[tuple[str, str], tuple[int, int]] = {}
    for at, cells in lines:
        place = f"{where}, line {at}"
        _require_width(cells, len(SPARSE), place)
        pair = label_of(cells[0], f"{place}, from"), label_of(cells[1], f"{place}, to")
        for label in pair:
            labels.setdefault(label, len(labels))
        _require_few(len(labels), place)
        if pair in seen:
            raise InputError(f"{place}: from {shown(pair[0])} to {shown(pair[1])} stood in line "
                             f"{seen[pair][1]} already; a pair has one line")  # fmt: skip
        seen[pair] = count_of(cells[2], f"{place}, count"), at
    found = [[0] * len(labels) for _ in labels]
    for (source, target), (count, _) in seen.items():
        found[labels[source]][labels[target]] = count
    return tuple(labels), tuple(map(tuple, found))


def _square(header: list[str], at: int, lines: Lines, where: str) -> tuple[Labels, Counts]:
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
            f"transitions is square (or its header is {','.join(SPARSE)})"
        )
    return labels, tuple(rows)


def _row(cells: list[str], place: str, labels: Labels, number: int) -> tuple[int, ...]:
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
        int(cell) if _is_count(cell) else count_of(cell, f"{place}, column {shown(target)}")
        for target, cell in zip(labels, cells[1:], strict=True)
    )


def label_of(text: str, place: str) -> str:
    """Return the label of a state. Raises InputError where it is empty, long or not printable."""
    label = text.strip(" ")
    if not label:
        raise InputError(f"{place}: the label is empty; each state needs one")
    if not label.isprintable() or len(label) > MAX_LABEL:
        raise InputError(
            f"{place}: the label {shown(label)} is not printable text of at most {MAX_LABEL} "
            "characters"
        )
    return label


def count_of(text: str, place: str) -> int:
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


def _require_different(labels: Labels, place: str) -> None:
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise InputError(f"{place}: the label {shown(label)} stands twice")
        seen.add(label)
