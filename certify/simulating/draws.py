"""Draws in doubles, without underflow: for studies, and never private.

Nothing here is proved; the exact draws of a release are in ``reference.sampling``.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


def log_rows(random: np.random.Generator, alphas: Array, draws: int) -> Array:
    """Return logarithms of matrices whose rows are Dirichlet laws on the positive alphas.

    A Gamma variable of shape a underflows where a is below about 1/700; its logarithm is had from
    G(a) = G(a + 1) U^(1/a), for every a.
    """
    positive = alphas > 0
    shape = alphas[positive]
    found = np.log(random.standard_gamma(shape + 1, size=(draws, shape.size)))
    found -= random.standard_exponential(size=found.shape) / shape
    logs = np.full((draws, *alphas.shape), -np.inf)
    logs[:, positive] = found
    logs -= logs.max(axis=2, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=2, keepdims=True))
    return logs


def noise(random: np.random.Generator, numbers: int, draws: int) -> Array:
    """Return Laplace noise of scale 1, a row a draw."""
    return random.laplace(size=(draws, numbers))


def stationary_laws(logs: Array) -> Array:
    """Return each irreducible chain's stationary law, by elimination of one state at a time.

    The elimination of Grassmann, Taksar and Heyman only adds, multiplies and divides, here in
    logarithms: every entry is accurate, however rare the state.
    """
    work, states = logs.copy(), logs.shape[1]
    for last in range(states - 1, 0, -1):
        leaving = np.logaddexp.reduce(work[:, last, :last], axis=1)
        work[:, :last, last] -= leaving[:, None]
        through = work[:, :last, last, None] + work[:, last, None, :last]
        np.logaddexp(work[:, :last, :last], through, out=work[:, :last, :last])
    law = np.zeros(work.shape[:2])
    for state in range(1, states):
        law[:, state] = np.logaddexp.reduce(law[:, :state] + work[:, :state, state], axis=1)
    law -= law.max(axis=1, keepdims=True)
    law = np.exp(law)
    return np.asarray(law / law.sum(axis=1, keepdims=True))


def ergodicity_coefficients(matrices: Array) -> Array:
    """Return each matrix's coefficient in the maximum norm: the largest spread of a column."""
    ordered, half = np.sort(matrices, axis=1), matrices.shape[1] // 2
    if not half:
        return np.zeros(len(matrices))
    spread = ordered[:, -half:].sum(axis=1) - ordered[:, :half].sum(axis=1)
    return np.asarray(spread.max(axis=1))
