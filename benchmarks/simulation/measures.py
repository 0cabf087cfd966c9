"""What is measured on each draw, and what is told of it: a mean and its standard error."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.stationary import stationary_law

from .chains import Chain, scaled
from .draws import (
    Array,
    condition_numbers,
    ergodicity_coefficients,
    log_rows,
    stationary_laws,
)

# The certificates may fail one time in twenty.
BETA = Fraction(1, 20)
# Numbers in one batch of matrices: 16 MB.
_BATCH = 2_000_000
# With a fundamental matrix beyond this, doubles say nothing of its differences of rows.
_ILL_CONDITIONED = 1e12


@dataclass(frozen=True)
class Model:
    """A chain in doubles, rounded from its exact numbers, with the concentrations of a release."""

    P: Array
    law: Array
    coefficient: float
    k: Array
    sizes: Array

    @classmethod
    def of(cls, chain: Chain, factor: int) -> Model:
        """Round what is known exactly."""
        return cls(
            np.array(chain.matrix, dtype=np.float64),
            np.array(stationary_law(chain.matrix), dtype=np.float64),
            float(ergodicity_coefficient(chain.matrix)),
            np.array(scaled(chain.k_minimum, factor), dtype=np.float64),
            np.array(chain.sizes, dtype=np.float64),
        )

    def radii(self) -> Array:
        """Return r_i: with probability 1 - beta no row moves further in the 1-norm."""
        n = len(self.P)
        moving = np.maximum(self.sizes, 2)
        ways = np.log(n / float(BETA)) + np.log(2**moving - 2)
        return np.where(self.sizes > 1, np.sqrt(2 * ways / (self.k + 1)), 0.0)


def statistics(model: Model, logs: Array) -> dict[str, Array]:
    """Return one number for each draw and statistic."""
    drawn = np.exp(logs)
    moved = np.abs(drawn - model.P)
    rows, columns = moved.sum(axis=2), moved.sum(axis=1).max(axis=1)
    laws = stationary_laws(logs)
    distance = distances(laws, model.law)
    change = np.abs(ergodicity_coefficients(drawn) - model.coefficient)
    return {
        "total_variation": distance,
        "coefficient_change": change,
        "kl": _divergences(model, logs),
        "deviations": rows.sum(axis=1),
        "largest_deviation": rows.max(axis=1),
        "largest_deviation_square": rows.max(axis=1) ** 2,
        "column_deviation": columns,
        **_certified(model, drawn, laws, distance, change),
    }


def distances(laws: Array, law: Array) -> Array:
    """Return total variation distances; the likeliest state's change is had from the others'.

    Its own would be lost where it is all but certain: 1 less something small is 1.
    """
    likeliest = int(law.argmax())
    moved = np.delete(laws - law, likeliest, axis=1)
    return np.asarray((np.abs(moved).sum(axis=1) + np.abs(moved.sum(axis=1))) / 2)


def _divergences(model: Model, logs: Array) -> Array:
    """Return KL(P || P~) of chains: the sum of pi_i P_ij (e^x - 1 - x), x = log P~_ij/P_ij.

    The terms e^x - 1 add up to 0 in each row; with them no term is negative and none is large.
    """
    feasible = model.P > 0
    shift = logs[:, feasible] - np.log(model.P[feasible])
    weight = (model.law[:, None] * model.P)[feasible]
    return np.asarray((np.expm1(shift) - shift) @ weight)


def _certified(
    model: Model, drawn: Array, laws: Array, distance: Array, change: Array
) -> dict[str, Array]:
    """Return what rests on the private chain alone: its certificates, and how often they fail."""
    radii = model.radii()
    failed = (change > radii.sum() / 2).astype(np.float64)
    found = {"ergodicity_certificate_fails": failed}
    numbers = condition_numbers(drawn, laws)
    if not (numbers < _ILL_CONDITIONED).all():
        return found
    return {
        **found,
        "scaled_variation": distance / numbers,
        "stationary_certificate": np.minimum(numbers * radii.max() / 2, 1),
        "stationary_certificate_fails": (distance > numbers * radii.max() / 2).astype(np.float64),
    }


def simulated(chain: Chain, factor: int, draws: int, seed: int) -> dict[str, Mean]:
    """Return the means of all statistics with every k_i at ``factor`` times its minimum.

    The seed, the chain and the factor fix the draws, whatever else is simulated.
    """
    model = Model.of(chain, factor)
    random = np.random.default_rng([seed, factor, *chain.title.encode()])
    batch = max(1, min(draws, _BATCH // model.P.size))
    parts = []
    for start in range(0, draws, batch):
        logs = log_rows(random, model.k[:, None] * model.P, min(batch, draws - start))
        parts.append(statistics(model, logs))
    known = set.intersection(*(set(part) for part in parts))
    return {
        name: Mean.of(np.concatenate([part[name] for part in parts]))
        for name in parts[0]
        if name in known
    }
