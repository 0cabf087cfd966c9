"""Count a private file's transitions between public states, some of which are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from .numbers import whole_fields
from .squares import is_sparse, sparse, square
from .table import read_table
from .tallies import COUNT

Counts = list[list[int]]


def counts_of_transitions(
    path: Path, columns: tuple[str, str], states: Sequence[str], kept: int
) -> Counts:
    """Return how many records go from each state to each, one record a line. Raises InputError.

    The first ``kept`` states are those that are told of; a record from or to another is left out.
    """
    table = read_table(path)
    sources, targets = (table.numbered(column, states) for column in columns)
    seen = Counter(zip(sources, targets, strict=True))
    return [[seen[source, target] for target in range(kept)] for source in range(kept)]


def given_transitions(path: Path, states: Sequence[str], kept: int) -> Counts:
    """Return the counts of a file, square or with the header from,to,count. Raises InputError."""
    table = read_table(path, corner=True)
    if is_sparse(table, COUNT):
        found = sparse(table, COUNT, states, whole_fields, 0)
    else:
        found = square(table, states, whole_fields)
    return [row[:kept] for row in found[:kept]]
