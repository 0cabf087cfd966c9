"""Read private vectors, one a record, whose coordinates have public names.

A file may have them in any order, which is not told: a file that was sorted would tell the ranks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ....reference.errors import InputError
from ....reference.exact import parse_json
from .numbers import Room, exact_fields, exact_or_none
from .quiet import told
from .table import FIRST_LINE, MAX_COLUMNS, Table, read_table, require_names
from .text import text_of

JSON_NAME = ".json"
# So many names with a number of a few hundred digits each; a longer object takes long to read.
MAX_JSON = 16 * 1024 * 1024


@dataclass(frozen=True, repr=False)
class Vectors:
    """Vectors with their coordinates in the public order, and where each stands in the file."""

    values: Sequence[tuple[Fraction, ...]]
    places: Sequence[str]


def read_vectors(path: Path, names: Sequence[str]) -> Vectors:
    """Return the vectors of a CSV file whose header names the coordinates. Raises InputError."""
    table = read_table(path)
    order = _order(table.header, names, f"{path}: the header in line 1 does")
    room = Room(table.size * len(order))
    columns = [_column(table, at, room) for at in order]
    places = [table.place(record) for record in range(table.size)]
    return Vectors(list(zip(*columns, strict=True)), places)


def _order(found: Sequence[str], names: Sequence[str], what: str) -> list[int]:
    """Return where each of the public names stands in a file."""
    if sorted(found) != sorted(names):
        raise InputError(f"{what} not have exactly the names that the claim file lists")
    at = {name: number for number, name in enumerate(found)}
    return [at[name] for name in names]


def _column(table: Table, at: int, room: Room) -> list[Fraction]:
    # The header may be a record of a file without one, so a column goes by its number.
    called = str(at + 1)
    return exact_fields(
        table.column_at(at, called),
        lambda record: f"{table.place(record)}: column {called}",
        room,
    )


def read_vector(path: Path, names: Sequence[str]) -> Vectors:
    """Return the one vector of a CSV file, or of a JSON object of numbers. Raises InputError."""
    if path.suffix.lower() == JSON_NAME:
        return _in_json(path, names)
    found = read_vectors(path, names)
    if len(found.values) != 1:
        raise InputError(f"{path} does not have exactly one line under its header, line "
                         f"{FIRST_LINE}: the vector")  # fmt: skip
    return found


def _in_json(path: Path, names: Sequence[str]) -> Vectors:
    text = text_of(path)
    if len(text) > MAX_JSON:
        raise InputError(f"{path}: JSON of more than {MAX_JSON} characters is not read")
    how = f"{path} is not a JSON object of exact numbers by different names"
    found: Any = told(lambda: parse_json(text), how)
    if not isinstance(found, dict) or not 0 < len(found) <= MAX_COLUMNS:
        raise InputError(how)
    require_names(tuple(found), str(path))
    order = _order(tuple(found), names, f"{path} does")
    values = tuple(map(exact_or_none, found.values()))
    numbers = tuple(value for value in values if value is not None)
    if len(numbers) != len(values):
        raise InputError(f"{path}: coordinate {values.index(None) + 1} is not an exact number")
    return Vectors([tuple(numbers[at] for at in order)], [str(path)])
