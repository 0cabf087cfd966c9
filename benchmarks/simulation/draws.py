"""Draws of privatised chains in doubles, without underflow and without subtraction.

Nothing here is proved: these are the numbers that bounds are held against.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def log_rows(random: np.random.Generator, alphas: Array, draws: int) -> Array:
    """Return logarithms of chains whose rows are Dirichlet laws on the positive alphas.

    A Gamma variable of shape a underflows where a is below about 1/700; its logarithm is had from
    G(a) = G(a + 1) U^(1/a), for every a.
    """
    feasible = alphas > 0
    shape = alphas[feasible]
    found = np.log(random.standard_gamma(shape + 1, size=(draws, shape.size)))
    found -= random.standard_exponential(size=found.shape) / shape
    logs = np.full((draws, *alphas.shape), -np.inf)
    logs[:, feasible] = found
    logs -= logs.max(axis=2, keepdims=True)
    logs -= np.log(np.exp(logs).sum(axis=2, keepdims=True))
    return logs


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
    spread = ordered[:, -half:].sum(axis=1) - ordered[:, :half].sum(axis=1)
    return np.asarray(spread.max(axis=1))


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
