"""Read a private table of numbers between states: square with labels, or a line for each pair.

Which states there are is public; the file's rows and columns may stand in any order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from ....reference.errors import InputError
from .table import FIRST_LINE, Table
from .tallies import require_different

SOURCE, TARGET = "from", "to"

Number = TypeVar("Number")
# What reads the fields of a file: it raises InputError with the place where a field is none.
Fields = Callable[[Sequence[str], Callable[[int], str]], list[Number]]


def is_sparse(table: Table, what: str) -> bool:
    """Whether a table has a line for each pair: from, to, and what is between them."""
    return table.header == (SOURCE, TARGET, what)


def sparse(
    table: Table, what: str, states: Sequence[str], read: Fields[Number], nothing: Number
) -> list[list[Number]]:
    """Return numbers by source and target, ``nothing`` where no line is. Raises InputError."""
    sources, targets = (table.numbered(key, states) for key in (SOURCE, TARGET))
    pairs = list(zip(sources, targets, strict=True))
    require_different(pairs, table, "a pair of states has one line")
    numbers = read(table.column(what), lambda record: f"{table.place(record)}: column {what}")
    found = [[nothing] * len(states) for _ in states]
    for (source, target), number in zip(pairs, numbers, strict=True):
        found[source][target] = number
    return found


def square(table: Table, states: Sequence[str], read: Fields[Number]) -> list[list[Number]]:
    """Return numbers by source and target, of a table whose first column has the sources.

    The table was read with a corner. Raises InputError.
    """
    columns = _columns(table, states)
    rows = _rows(table, states)
    return [_row(table, record, columns, read) for record in rows]


def _columns(table: Table, states: Sequence[str]) -> list[int]:
    """Return in which column each state stands."""
    labels = table.header[1:]
    if sorted(labels) != sorted(states):
        raise InputError(f"{table.where}: the header in line 1 does not have, after its first "
                         "field, exactly the states that the claim file lists")  # fmt: skip
    return [labels.index(state) + 1 for state in states]


def _rows(table: Table, states: Sequence[str]) -> list[int]:
    """Return in which record each state stands."""
    labels = table.column_at(0, "1")
    if sorted(labels) != sorted(states):
        raise InputError(f"{table.where}: the first column does not have, from line {FIRST_LINE} "
                         "on, exactly the states that the claim file lists")  # fmt: skip
    return [labels.index(state) for state in states]


def _row(table: Table, record: int, columns: Sequence[int], read: Fields[Number]) -> list[Number]:
    fields = table.record(record)
    return read(
        [fields[at] for at in columns],
        lambda place: f"{table.place(record)}: column {columns[place] + 1}",
    )
