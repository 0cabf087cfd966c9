"""Draws of privatised chains in doubles, without underflow and without subtraction.

Nothing here is proved: these are the numbers that bounds are held against.
"""

from __future__ import annotations

import numpy as np
from simplexcert.certify.simulating.errors import (
    Array,
    ergodicity_coefficients,
    log_rows,
    stationary_laws,
)

__all__ = [
    "Array",
    "condition_numbers",
    "dobrushin_coefficients",
    "ergodicity_coefficients",
    "log_rows",
    "stationary_laws",
]


def dobrushin_coefficients(matrices: Array) -> Array:
    """Return half the largest 1-norm of a difference of two rows, for each matrix."""
    largest = np.zeros(len(matrices))
    for state in range(1, matrices.shape[1]):
        apart = np.abs(matrices[:, :state] - matrices[:, state, None]).sum(axis=2)
        np.maximum(largest, apart.max(axis=1) / 2, out=largest)
    return largest


def condition_numbers(matrices: Array, laws: Array) -> Array:
    """Return tau_1 of each chain's fundamental matrix, as accurate as a solve in doubles is.

    Infinite for all of them where one is singular in doubles.
    """
    try:
        inverted = np.linalg.inv(np.eye(matrices.shape[1]) - matrices + laws[:, None, :])
    except np.linalg.LinAlgError:
        return np.full(len(matrices), np.inf)
    return dobrushin_coefficients(np.asarray(inverted, dtype=np.float64))
