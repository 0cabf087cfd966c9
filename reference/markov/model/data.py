"""A model read off data: counts of transitions between labelled states, and what each row has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np

from ...errors import InputError, UnknownNameError
from ...exact import shown
from ...matrix_kinds import MAX_STATES
from ..structure import Matrix, Pattern, pattern_of, period, reachable
from .bounds import feasible, least_positive
from .each_row import listed
from .table import MAX_COUNT_DIGITS, Counts, Labels, label_of, read_table

_TWO = 2  # states of a chain, and categories of a Dirichlet law


@dataclass(frozen=True)
class ModelRow:
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

    labels: Labels
    counts: Counts

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
    def rows(self) -> tuple[ModelRow, ...]:
        """What each row has, in order."""
        return tuple(
            ModelRow(label, sum(row), feasible(row), least_positive(row))
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
    labels, counts = read_table(path)
    try:
        return DataModel(*_left(labels, counts, tuple(without)))
    except UnknownNameError:
        raise
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _left(labels: Labels, counts: Counts, gone: Labels) -> tuple[Labels, Counts]:
    for label in gone:
        if label not in labels:
            raise UnknownNameError("state", label, labels)
    kept = [at for at, label in enumerate(labels) if label not in gone]
    table = tuple(tuple(counts[source][target] for target in kept) for source in kept)
    return tuple(labels[at] for at in kept), table


def _require_square(labels: Labels, counts: Counts) -> None:
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


def _require_moved(labels: Labels, counts: Counts) -> None:
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
