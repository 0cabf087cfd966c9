"""A table as a naive Bayes classifier takes it: split, with numbers in bins of the training part.

The paper's bins are read off the data, and so are these; a private classifier's have to be public.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..registry import Setting
from .uci import Source

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]

# Section 5.1: 70 to 30, and 10 bins.
TRAINING_SHARE, BINS = 0.7, 10
# All experiments split a table alike.
_SPLIT = "ponnoprat2023.split"


@dataclass(frozen=True)
class Split:
    """Integers from 0 on: features by column, labels; of a training and of a test part."""

    source: Source
    train: Codes
    train_labels: Codes
    test: Codes
    test_labels: Codes
    sizes: tuple[int, ...]
    classes: int
    positive_share: float

    @property
    def instances(self) -> int:
        """How many records both parts have together."""
        return len(self.train) + len(self.test)


def split(source: Source, setting: Setting) -> Split:
    """Read a table and split it at random. Raises NoDataError."""
    records = list(source.records(setting))
    order = shuffled(source.name, len(records), setting)
    train, test = np.split(order, [round(TRAINING_SHARE * len(records))])
    labels = np.array([record[source.label].strip() for record in records])
    columns = [
        binned(np.array([float(record[name]) for record in records]), train)
        if name in source.numeric
        else coded(np.array([record[name].strip() for record in records]))
        for name in source.features
    ]
    codes, positions = np.column_stack(columns), coded(labels)
    return Split(
        source,
        *(codes[train], positions[train], codes[test], positions[test]),
        tuple(int(column.max()) + 1 for column in columns),
        int(positions.max()) + 1,
        float(np.mean(labels == source.positive)),
    )


def shuffled(name: str, records: int, setting: Setting) -> Codes:
    """Return the records of a table in the order in which they are split."""
    return replace(setting, id=_SPLIT).generator(name).permutation(records)


def coded(column: NDArray[np.str_]) -> Codes:
    """Return the position of each value among all values of the table, in their order."""
    return np.unique(column, return_inverse=True)[1].astype(np.int64)


def binned(column: Floats, train: Codes) -> Codes:
    """Return each number's bin between the training part's quantiles, equal ones taken once."""
    known = column[train]
    edges = np.unique(np.quantile(known, np.arange(1, BINS) / BINS))
    inner = edges[edges < known.max()]
    return np.searchsorted(inner, column, side="left").astype(np.int64)
