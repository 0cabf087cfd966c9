"""The chain of taxi trips, its zones merged, and what private forms of it do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import pi, sqrt

import numpy as np
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference.markov.stationary import stationary_law
from simulation.draws import Array, log_rows, stationary_laws
from simulation.measures import distances

from ..certified import upper
from ..registry import Setting
from .zones import GAMMA, Zones, taxi_zones

# The strongest epsilon of Figures 2 and 3: zones are merged until theirs is at most so much.
TARGET = Fraction("3.73")
DRAWS, QUICK_DRAWS = 1_000, 50
# Draws in one batch: 64 MB of logarithms for 40 zones.
BATCH = 250


@dataclass(frozen=True)
class Point:
    """The chain at one multiple of the least k: its privacy and the laws of its private forms."""

    factor: Fraction
    epsilon: float
    delta: float
    exact_delta: float
    distance: Mean
    mean: Array
    one: Array
    rate: float
    bound: float | None


def merged(setting: Setting) -> tuple[Zones, str]:
    """Return the zones merged to the target, and a sentence on them. Raises NoDataError."""
    zones, remark = taxi_zones(setting)
    found = zones.merged_to(TARGET)
    assert found is not None, "three zones have a smaller epsilon"
    joined = sum(len(names) > 1 for names in found.names)
    return found, (
        f"{remark}. Merged to {len(found.counts)} zones ({joined} of several), the most for which"
        f" `markov.model.merge_plan` finds an epsilon of at most {float(TARGET)}; gamma ="
        f" {float(GAMMA)}. {'Every' if found.meets_the_hypotheses else 'Not every'} row then meets"
        f" Assumptions 3 and 4; each eta is the row's own, from {float(min(found.floors)):.2g} to"
        f" {float(max(found.floors)):.2g}."
    )


def points(setting: Setting, zones: Zones, tenths: Sequence[int]) -> Iterator[Point]:
    """Yield the chain at each multiple, with the proved bound at the first and the last."""
    for tenth in tenths:
        yield point(setting, zones, Fraction(tenth, 10), bounded=tenth in (tenths[0], tenths[-1]))


def point(setting: Setting, zones: Zones, factor: Fraction, *, bounded: bool) -> Point:
    """Privatise the chain so many times at one multiple of the least k."""
    laws = private_laws(setting, zones, factor)
    law = np.array(stationary_law(zones.matrix), dtype=np.float64)
    epsilon = zones.epsilon(factor)
    given = {"P": zones.matrix, "k": zones.k(factor)}
    return Point(
        factor,
        epsilon,
        zones.delta(factor),
        zones.exact_delta(factor, epsilon),
        Mean.of(distances(laws, law)),
        laws.mean(axis=0),
        laws[0],
        # For large k the mean distance comes near to this.
        sqrt(2 / pi) * upper("markov.stationary_rate", **given),
        upper("markov.stationary_bound", **given) if bounded else None,
    )


def private_laws(setting: Setting, zones: Zones, factor: Fraction) -> Array:
    """Return the stationary laws of private chains."""
    random = setting.generator("taxis", str(factor))
    alphas = np.array(zones.k(factor), dtype=np.float64)[:, None] * np.array(
        zones.matrix, dtype=np.float64
    )
    draws = QUICK_DRAWS if setting.quick else DRAWS
    batches = [min(BATCH, draws - start) for start in range(0, draws, BATCH)]
    return np.concatenate([stationary_laws(log_rows(random, alphas, size)) for size in batches])
