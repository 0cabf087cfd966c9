"""Estimates of delta by samples, and how far from the certified delta they are.

All extreme points are permutations of one (claim benvenuti2025.delta-extreme-points), so that the
fraction that misses the good set has the same law for each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import exp, lgamma, log, log1p

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simulation.draws import Array, log_rows
from simulation.grades import FLOOR, KINDS, K

from ..numbers import upper
from ..registry import Setting
from .grades import GAMMA

# The other delta that the paper prints, (2.68, 0.0214) in 6.2: gamma is chosen for it.
TAXI_DELTA = Fraction("0.0214")
POINTS = KINDS - 1
# Estimates that are averaged, and the most samples of one point in all of them together.
MOST_ESTIMATES, FEWEST_ESTIMATES = 1_000, 12
MOST_DRAWS, QUICK_DRAWS = 1_000_000, 20_000
# Vectors drawn at once: 8 MB.
_BATCH = 200_000


@dataclass(frozen=True)
class Point:
    """The mean relative errors at a number of samples: of one fraction, and of the largest."""

    samples: int
    estimates: int
    one: Mean
    largest: Mean
    exact: float


def gammas_by_delta() -> dict[float, float]:
    """Return the gamma of the grades, and that of the larger delta, by the certified delta."""
    given = {"k": K, "eta": FLOOR, "n": KINDS}
    # The doubles themselves are what is sampled with and what is certified.
    gammas = (float(GAMMA), upper("dirichlet.counts.gamma", **given, delta=TAXI_DELTA))
    return {upper("dirichlet.counts.delta_bound", **given, gamma=g): g for g in gammas}


def point(setting: Setting, delta: float, gamma: float, samples: int) -> Point:
    """Estimate delta by so many samples of each extreme point, many times."""
    most = QUICK_DRAWS if setting.quick else MOST_DRAWS
    estimates = min(MOST_ESTIMATES, max(FEWEST_ESTIMATES, most // samples))
    random = setting.generator(f"{gamma:.6g}", samples)
    missed = np.array([fractions(random, gamma, samples) for _ in range(estimates)])
    relative = np.abs(missed - delta) / delta
    largest = np.abs(missed.max(axis=1) - delta) / delta
    # Fractions of different extreme points are independent: each is an estimate.
    one = Mean.of(relative.ravel())
    return Point(samples, estimates, one, Mean.of(largest), mean_relative_error(delta, samples))


def fractions(random: np.random.Generator, gamma: float, samples: int) -> list[float]:
    """Return the share of samples that misses the good set, for each extreme point."""
    return [
        sum(misses(random, gamma, size) for size in batches(samples)) / samples
        for _ in range(POINTS)
    ]


def batches(samples: int) -> Iterator[int]:
    """Yield the sizes of batches."""
    for start in range(0, samples, _BATCH):
        yield min(_BATCH, samples - start)


def misses(random: np.random.Generator, gamma: float, samples: int) -> int:
    """Return how many of so many draws have a coordinate below gamma."""
    logs: Array = log_rows(random, np.array([vertex()]), samples)[:, 0]
    return int((logs.min(axis=1) < log(gamma)).sum())


def vertex() -> list[float]:
    """Return k times an extreme point: all shares but one are eta."""
    return [float(K * FLOOR)] * POINTS + [float(K * (1 - POINTS * FLOOR))]


def mean_relative_error(delta: float, samples: int) -> float:
    """Return E|X/M - delta|/delta for X of M draws, by De Moivre's formula."""
    least = int(delta * samples) + 1
    chosen = lgamma(samples + 1) - lgamma(least + 1) - lgamma(samples - least + 1)
    likely = chosen + least * log(delta) + (samples - least + 1) * log1p(-delta)
    return 2 * least / samples * exp(likely) / delta
