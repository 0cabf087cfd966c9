"""Count what private records hold, or read counts; what is counted is listed, all else refused."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ....reference.errors import InputError
from .numbers import whole_fields
from .table import Table, read_table

CATEGORY, COUNT = "category", "count"


def counts_of_records(path: Path, column: str, categories: Sequence[str]) -> list[int]:
    """Return how many records of a CSV column are of each category. Raises InputError.

    No records are data, too, where one may be removed: refused, they would be told from one record.
    """
    counts = [0] * len(categories)
    for category in read_table(path, least=0).numbered(column, categories):
        counts[category] += 1
    return counts


def given_counts(path: Path, categories: Sequence[str]) -> list[int]:
    """Return the counts that a CSV file has, a line for each category. Raises InputError."""
    table = read_table(path)
    if table.header != (CATEGORY, COUNT):
        raise InputError(f"{path}: the header in line 1 is not {CATEGORY},{COUNT}; for a file of "
                         "records give [data] column")  # fmt: skip
    numbers = table.numbered(CATEGORY, categories)
    require_different(numbers, table, "a category has one line")
    if len(numbers) != len(categories):
        raise InputError(f"{path} does not have a line for each of the categories that the claim "
                         "file lists; write a count of 0 where there is none")  # fmt: skip
    counts = whole_column(table, COUNT)
    return [counts[numbers.index(at)] for at in range(len(categories))]


def whole_column(table: Table, name: str) -> list[int]:
    """Return the counts in a column. Raises InputError with the line."""
    return whole_fields(table.column(name), lambda record: f"{table.place(record)}: column {name}")


def require_different(keys: Sequence[object], table: Table, rule: str) -> None:
    """Raise InputError with the line of the first key that stood before."""
    seen: set[object] = set()
    for record, key in enumerate(keys):
        if key in seen:
            raise InputError(f"{table.place(record)}: {rule}, and this one stood before")
        seen.add(key)
