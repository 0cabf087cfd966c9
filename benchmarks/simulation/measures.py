"""What is measured on each draw, and what is told of it: a mean and its standard error."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference.markov.bounds.certificate import rounding_entry, rounding_norm
from simplexcert.reference.markov.ergodicity import ergodicity_coefficient
from simplexcert.reference.markov.stationary import stationary_law

from .chains import Chain, scaled
from .draws import (
    Array,
    condition_numbers,
    dobrushin_coefficients,
    ergodicity_coefficients,
    log_rows,
    stationary_laws,
)

# The certificates may fail one time in twenty.
BETA = Fraction(1, 20)
# Releases are multiples of 2^-40: doubles keep some digits of what is rounded away.
GRID_BITS = 40
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
        """Return r_i: with probability 1 - beta no draw of a row is further away in the 1-norm."""
        moving = np.maximum(self.sizes, 2)
        ways = np.log(max(1, (self.sizes > 1).sum()) / float(BETA)) + np.log(2**moving - 2)
        return np.where(self.sizes > 1, np.sqrt(2 * ways / (self.k + 1)), 0.0)

    def certified_rows(self) -> Array:
        """Return how far released rows are at most in the 1-norm, where no draw is beyond r_i."""
        rounding = [float(rounding_norm(int(size), GRID_BITS)) for size in self.sizes]
        return np.minimum(self.radii() + rounding, 2)

    def certified_change(self) -> float:
        """Return how far a release's coefficient is at most, where no draw is beyond r_i."""
        rounding = [float(rounding_entry(int(size), GRID_BITS)) for size in self.sizes]
        moved = np.minimum(self.radii() / 2 + rounding, 1).sum()
        return float(min(moved, len(self.P) // 2))


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
        **_certified(model, drawn, laws, distance),
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


def _certified(model: Model, drawn: Array, laws: Array, distance: Array) -> dict[str, Array]:
    """Return what rests on the private chain: in units of its condition, and the certificates.

    A certificate is of the release alone, and says how far that is from the private chain.
    """
    Q = released(drawn)  # noqa: N806
    change = np.abs(ergodicity_coefficients(Q) - model.coefficient)
    numbers, of_release = conditions_and_laws(Q)
    certificate = np.minimum(numbers * model.certified_rows().max() / 2, 1)
    failed = distances(of_release, model.law) > certificate
    found = {
        "stationary_certificate": certificate,
        "stationary_certificate_fails": failed.astype(np.float64),
        "ergodicity_certificate_fails": (change > model.certified_change()).astype(np.float64),
    }
    private = condition_numbers(drawn, laws)
    if (private < _ILL_CONDITIONED).all():
        found["scaled_variation"] = distance / private
    return found


def released(drawn: Array) -> Array:
    """Return draws as they are published: rounded by largest remainders, row by row."""
    steps = np.ldexp(drawn, GRID_BITS)
    whole = np.floor(steps)
    missing = 2.0**GRID_BITS - whole.sum(axis=2, keepdims=True)
    # The place of each entry among the fractions of its row, the largest first.
    places = (whole - steps).argsort(axis=2, kind="stable").argsort(axis=2, kind="stable")
    return np.ldexp(whole + (places < missing), -GRID_BITS)


def conditions_and_laws(matrices: Array) -> tuple[Array, Array]:
    """Return tau_1 of I - Q's group inverse on all states, and the stationary law, of each matrix.

    The inverse of I - Q + 1 u, u uniform, has both. Where there is none in doubles, or one that
    says nothing, the number is infinite and the law is u.
    """
    size = matrices.shape[1]
    uniform = np.full(size, 1 / size)
    shifted = np.eye(size) - matrices + uniform
    numbers, laws = np.full(len(matrices), np.inf), np.tile(uniform, (len(matrices), 1))
    for at, one in enumerate(shifted):
        try:
            inverse = np.linalg.inv(one)
        except np.linalg.LinAlgError:
            continue
        number = float(dobrushin_coefficients(inverse[None])[0])
        if number < _ILL_CONDITIONED:
            numbers[at], laws[at] = number, uniform @ inverse
    return numbers, laws


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
