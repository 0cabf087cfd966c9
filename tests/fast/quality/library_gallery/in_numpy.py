"""Textbook code on NumPy's linear algebra, as a user would write it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from .libraries import FUNDAMENTAL, MODULI, STATIONARY, Imported

Rows: TypeAlias = Sequence[Sequence[float]]


def stationary(P: Rows) -> list[float]:
    values, vectors = np.linalg.eig(np.asarray(P).T)
    found = np.real(vectors[:, np.argmin(abs(values - 1))])
    return [float(share) for share in found / found.sum()]


def fundamental(P: Rows) -> list[list[float]]:
    rows, pi = np.asarray(P), np.asarray(stationary(P))
    found = np.linalg.inv(np.eye(len(rows)) - rows + np.outer(np.ones(len(rows)), pi))
    return [[float(entry) for entry in row] for row in found]


def moduli(P: Rows) -> list[float]:
    return sorted((float(abs(value)) for value in np.linalg.eigvals(np.asarray(P))), reverse=True)


_FUNCTIONS = {STATIONARY: stationary, FUNDAMENTAL: fundamental, MODULI: moduli}
library = Imported(
    "NumPy",
    "2.4.6",
    tuple(_FUNCTIONS),
    {STATIONARY: "0.3999835756", FUNDAMENTAL: "3.573512366e+10", MODULI: "0.2500000051"},
    functions=_FUNCTIONS,
    installed=np.__version__,
    module=__name__,
)
