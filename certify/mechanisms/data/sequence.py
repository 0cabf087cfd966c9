"""Read states, one a line: a sequence in order of time, in pieces or not, or a network's nodes.

The states' names are public, which state stands where is not: no sentence says it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ....reference.errors import DomainError, InputError
from ....reference.exact import exact_number, parse_json, shown
from .fields import text_of, told
from .table import FIRST_LINE, Table, read_table

# States are numbered from 0, in the order of the laws' rows.
Numbers: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, repr=False)
class States:
    """States by number, one a record of a table, and how long each independent piece is."""

    table: Table
    numbers: Numbers
    lengths: tuple[int, ...]

    @property
    def starts(self) -> Numbers:
        """Which records begin a piece."""
        return np.array([0, *accumulate(self.lengths[:-1])], dtype=np.int64)

    def place(self, record: int) -> str:
        """Return where a record stands, as a sentence begins."""
        return self.table.place(record)

    def counts(self, width: int) -> list[int]:
        """Return how often each of so many states occurs."""
        return [int(count) for count in np.bincount(self.numbers, minlength=width)]


def one_piece(table: Table, column: str, labels: Sequence[str], length: int) -> States:
    """Return a sequence of exactly this length. Raises DomainError if it is not."""
    if table.size != length:
        raise DomainError(
            f"{table.where} does not have length = {shown(length)} lines under its header, one for "
            "each step; the length is public and fixed by the claim"
        )
    return States(table, _numbered(table, column, labels), (length,))


def pieces(
    table: Table, column: str, labels: Sequence[str], piece: str, lengths: tuple[int, ...]
) -> States:
    """Return pieces of exactly these lengths in this order. Raises DomainError if they are not.

    ``piece`` is the column whose field changes where a piece ends.
    """
    names = table.column(piece)
    ends = [at for at, (one, other) in enumerate(pairwise(names), 1) if one != other]
    _require_pieces_whole(table, [names[at] for at in (0, *ends)], [0, *ends])
    if ends != [*accumulate(lengths)][:-1] or table.size != sum(lengths):
        raise DomainError(
            f"{table.where} does not have the claim's {len(lengths)} pieces, of its lengths and in "
            "its order; the lengths are public and fixed by the claim"
        )
    return States(table, _numbered(table, column, labels), lengths)


def _require_pieces_whole(table: Table, names: Sequence[str], starts: Sequence[int]) -> None:
    """Raise InputError if a piece goes on after another one has begun."""
    seen: set[str] = set()
    for name, start in zip(names, starts, strict=True):
        if name in seen:
            raise InputError(f"{table.place(start)}: a piece goes on after another one; the lines "
                             "of a piece stand one after the other")  # fmt: skip
        seen.add(name)


def by_node(table: Table, column: str, labels: Sequence[Sequence[str]]) -> States:
    """Return the state of each node, of which each has its own labels. Raises InputError."""
    if table.size != len(labels):
        raise DomainError(
            f"{table.where} does not have {len(labels)} lines under its header, one for each node "
            "of the claim's networks"
        )
    fields = table.column(column)
    known = [label in names for label, names in zip(fields, labels, strict=True)]
    if not all(known):
        raise InputError(f"{table.place(known.index(False))}: no state of this node that the claim "
                         "file lists")  # fmt: skip
    numbers = [names.index(label) for label, names in zip(fields, labels, strict=True)]
    return States(table, np.array(numbers, dtype=np.int64), (table.size,))


def _numbered(table: Table, column: str, labels: Sequence[str]) -> Numbers:
    return np.array(table.numbered(column, labels), dtype=np.int64)


_ANSWER, DATASET = "answer", "dataset"
_HOW = f'it holds "{_ANSWER}", the exact answer, or "{DATASET}", the number of the data set from 1'


def number_in(file: Path) -> tuple[str, Fraction]:
    """Return which of the two a file gives, and the number. Raises InputError without it.

    The file is JSON, one object with one key, if its name says so, else CSV: a header of one name
    and one line.
    """
    return _in_json(file) if file.suffix.lower() == ".json" else _in_csv(file)


def _in_json(file: Path) -> tuple[str, Fraction]:
    text = text_of(file)
    found = told(lambda: parse_json(text, str(file)), f"{file} is not JSON with exact numbers")
    if not isinstance(found, dict) or len(found) != 1 or not found.keys() <= {_ANSWER, DATASET}:
        raise InputError(f"{file} is not an object with one key: {_HOW}")
    (key, value), *_ = found.items()
    return key, told(lambda: exact_number(value), f"{file}: {key} is not an exact number")


def _in_csv(file: Path) -> tuple[str, Fraction]:
    table = read_table(file)
    key = table.header[0]
    if len(table.header) != 1 or key not in {_ANSWER, DATASET}:
        raise InputError(f"{file}: the header in line 1 is not one name: {_HOW}")
    fields = table.column(key)
    if len(fields) != 1:
        raise InputError(f"{file} does not have exactly one line under its header")
    return key, told(
        lambda: exact_number(fields[0]),
        f"{file}, line {FIRST_LINE}: {key} is not an exact number",
    )
