"""Coefficients of ergodicity in float64: sums of distances, so that nothing cancels.

A difference of two doubles costs one rounding, a sum of n nonnegative numbers n of them: the
relative error is at most about n 2^-53.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def ergodicity_coefficient(P: Sequence[Sequence[float]]) -> float:
    """Return the largest sum of distances of a column's entries to their median."""
    matrix = np.asarray(P, dtype=np.float64)
    # The upper median is an entry, and does as well as the mean of two: nothing is rounded here.
    middle = np.sort(matrix, axis=0)[len(matrix) // 2]
    return float(np.abs(matrix - middle).sum(axis=0).max())


def dobrushin_coefficient(P: Sequence[Sequence[float]]) -> float:
    """Return the largest of half the 1-norm of the difference of two rows."""
    matrix = np.asarray(P, dtype=np.float64)
    return max(float(np.abs(matrix - row).sum(axis=1).max()) for row in matrix) / 2
