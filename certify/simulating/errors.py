"""Draws in doubles, without underflow, and their errors: the distance of each draw from the truth.

Nothing here is proved or private; the exact draws of a release are in ``reference.sampling``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...reference.errors import DomainError
from ...reference.markov.ergodicity import ergodicity_coefficient
from ...reference.markov.stationary import stationary_law
from .study import NoiseStudy, SimplexStudy, Study

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


# What each error is, by the name that it has everywhere.
ERRORS: Final = {
    "l1": "distance in the 1-norm (of several rows: their mean)",
    "l2": "distance in the 2-norm (of several rows: their mean)",
    "l2_squared": "its square (of several rows: their mean)",
    "largest": "largest error of any coordinate",
    "kl": "divergence KL(true || released), in nats (of several rows: their mean)",
    "largest_row_l1": "largest distance of any row in the 1-norm",
    "kl_rate": "divergence rate of the chain: rows weighted by the stationary law",
    "stationary": "total variation distance of the stationary laws",
    "ergodicity": "change of the ergodicity coefficient in the maximum norm",
}
# One elimination of n states takes about n^3/3 steps; beyond so many in all (an hour) chains'
# own errors are left out, and it is said.
MOST_CHAIN_STEPS: Final = 10**11


@dataclass(frozen=True)
class Model:
    """A study in doubles, rounded from its exact numbers; ``law`` only where it is a chain."""

    alpha: Array
    target: Array
    law: Array | None
    coefficient: float

    @classmethod
    def of(cls, study: SimplexStudy, *, chain: bool) -> Model:
        """Round a study's exact numbers."""
        alpha = np.array([[float(a) for a in row.alpha] for row in study.rows])
        target = np.array([[float(p) for p in row.target] for row in study.rows])
        if not chain:
            return cls(alpha, target, None, 0.0)
        law = np.array([float(share) for share in stationary_law(study.P)])
        return cls(alpha, target, law, float(ergodicity_coefficient(study.P)))


def has_chain_errors(study: Study, draws: int) -> bool:
    """Whether a chain's own errors are simulated: it is one, and there is time."""
    if not isinstance(study, SimplexStudy) or len(study.rows) ** 3 * draws > MOST_CHAIN_STEPS:
        return False
    if not study.is_chain:
        return False
    try:
        stationary_law(study.P)
    except DomainError:  # it would take too long
        return False
    return True


def simplex_errors(random: np.random.Generator, model: Model, draws: int) -> dict[str, Array]:
    """Draw, and return each error of each draw."""
    logs = log_rows(random, model.alpha, draws)
    drawn = np.exp(logs)
    moved = np.abs(drawn - model.target)
    squares = (moved**2).sum(axis=2)
    divergences = _divergences(model.target, logs, drawn)
    found = {
        "l1": moved.sum(axis=2).mean(axis=1),
        "l2": np.sqrt(squares).mean(axis=1),
        "l2_squared": squares.mean(axis=1),
        "largest": moved.max(axis=(1, 2)),
        "kl": divergences.mean(axis=1),
    }
    if model.law is None:
        return found
    change = np.abs(ergodicity_coefficients(drawn) - model.coefficient)
    return {
        **found,
        "largest_row_l1": moved.sum(axis=2).max(axis=1),
        "kl_rate": np.asarray(divergences @ model.law),
        "stationary": _distances(stationary_laws(logs), model.law),
        "ergodicity": change,
    }


def noise_errors(random: np.random.Generator, study: NoiseStudy, draws: int) -> dict[str, Array]:
    """Draw, and return each error of each draw; squares are taken before the scale is."""
    sizes, scale = np.abs(noise(random, study.numbers, draws)), float(study.scale)
    return {
        "l1": scale * sizes.sum(axis=1),
        "l2": scale * np.sqrt((sizes**2).sum(axis=1)),
        "largest": scale * sizes.max(axis=1),
    }


def _divergences(target: Array, logs: Array, drawn: Array) -> Array:
    """Return KL(p || x) of each row: the sum of p (e^s - 1 - s), s = log x/p, and of x where p = 0.

    The terms e^s - 1 and those x add up to 0; with them no term is negative and none cancels.
    """
    held = target > 0
    shift = logs[:, held] - np.log(target[held])
    terms = drawn.copy()
    terms[:, held] = target[held] * (np.expm1(shift) - shift)
    return np.asarray(terms.sum(axis=2))


def _distances(laws: Array, law: Array) -> Array:
    """Return total variation distances; the likeliest state's change is had from the others'.

    Its own would be lost where it is all but certain: 1 less something small is 1.
    """
    likeliest = int(law.argmax())
    moved = np.delete(laws - law, likeliest, axis=1)
    return np.asarray((np.abs(moved).sum(axis=1) + np.abs(moved.sum(axis=1))) / 2)
