"""The exact loss of a number released with Laplace noise, between laws of the number, rounded up.

The supremum over outcomes is a maximum over the support points (proofs_notes/laplace-loss.md). A
density there is what lies to the left, decayed step by step, and what lies to the right: sums of
positive terms, of which each costs a rounding or two, and an exponential of a sum of gaps/scale,
which costs as many roundings as that is large. Where that would underflow the logarithms of the
densities are summed instead.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards
from .line import Atoms, Sets, Vector, compared, is_same_law, law_of

# Decays of e^-400 = 2^-577 of one law's total stay far above what underflows.
MOST_DECAY = 400.0
_UP = 1.0 + 8 * UNIT
_HUGE = 1e300


def laplace_loss(mu: Mapping[str, Any], nu: Mapping[str, Any], scale: float) -> float:
    """Return an upper bound on the largest log-ratio, either way, of two densities under noise."""
    return _loss_of_pair(law_of(mu), law_of(nu), float(scale))


def instantiation_loss(
    values: Vector, laws: Sequence[Vector], secrets: Sets, pairs: Sets, scale: float
) -> float:
    """Return an upper bound on the largest loss of any pair of secrets under any law."""
    both = compared(values, laws, secrets, pairs)
    return max((_loss_of_pair(one, other, float(scale)) for one, other in both), default=0.0)


def _loss_of_pair(one: Atoms, other: Atoms, scale: float) -> float:
    return loss_of_group([one, other], Fraction(scale))


def loss_of_group(laws: Sequence[Atoms], scale: Fraction) -> float:
    """Return an upper bound on the largest loss between two of some laws; 0 where all are one."""
    if all(is_same_law(laws[0], law) for law in laws[1:]):
        return 0.0
    points = sorted({point for law in laws for point in law.points})
    masses = np.zeros((len(laws), len(points)))
    place = {point: at for at, point in enumerate(points)}
    for row, law in zip(masses, laws, strict=True):
        total = law.total
        for point, weight in zip(law.points, law.weights, strict=True):
            row[place[point]] = weight / total  # of whole numbers: rounded once
    return loss_between(gaps_of(points, scale), masses, 1.0)


def gaps_of(points: Sequence[Fraction | int], scale: Fraction) -> Reals:
    """Return the distances of neighbours in scales, each rounded once."""
    gaps = [rounded_towards((b - a) / scale, np.inf) for a, b in pairwise(points)]
    return np.array(gaps, dtype=np.float64)


def loss_between(gaps: Reals, masses: Reals, roundings: float) -> float:
    """Return an upper bound on the largest loss between any two laws, each one row of masses.

    Masses carry so many roundings; what underflowed in them adds up to less than 2^-800.
    """
    with np.errstate(all="ignore"):
        if not gaps.sum() < _HUGE:
            return math.inf
        if not gaps.sum() <= MOST_DECAY:
            return _loss_of_logs(gaps, masses, roundings)
        densities = _densities(gaps, masses)
        ratio = float((densities.max(axis=0) / densities.min(axis=0)).max())
    # Each step: a decay within 2 ulp of an argument with 2 roundings, a product and a sum.
    cost = 2.0 * (roundings + 8.0 * (len(gaps) + 1) + 2.0 * float(gaps.sum())) + 4.0
    return math.log(max(ratio, 1.0)) * _UP + 1.01 * UNIT * cost


def _densities(gaps: Reals, masses: Reals) -> Reals:
    """Return the densities times twice the scale, from the left and from strictly to the right."""
    decays = np.exp(-gaps)
    left, right = np.empty_like(masses), np.zeros_like(masses)
    left[:, 0] = masses[:, 0]
    for at, decay in enumerate(decays, 1):
        left[:, at] = left[:, at - 1] * decay + masses[:, at]
    for at in range(len(decays) - 1, -1, -1):
        right[:, at] = (right[:, at + 1] + masses[:, at + 1]) * decays[at]
    return left + right


def _loss_of_logs(gaps: Reals, masses: Reals, roundings: float) -> float:
    """Return the same from logarithms, whose error is in proportion to their size."""
    logs = np.log(masses)
    left, right = np.empty_like(logs), np.full_like(logs, -np.inf)
    left[:, 0] = logs[:, 0]
    for at, gap in enumerate(gaps, 1):
        left[:, at] = np.logaddexp(left[:, at - 1] - gap, logs[:, at])
    for at in range(len(gaps) - 1, -1, -1):
        right[:, at] = np.logaddexp(right[:, at + 1], logs[:, at + 1]) - gaps[at]
    densities = np.logaddexp(left, right)
    sizes = np.abs(np.where(np.isfinite(densities), densities, 0.0)).max()
    loss = float((densities.max(axis=0) - densities.min(axis=0)).max())
    smallest = float(np.abs(logs[np.isfinite(logs)]).max(initial=0.0))
    doubt = (sizes + smallest + 2.0) * 16 * len(gaps) + 2.0 * roundings + 4.0
    found = loss + 1.01 * UNIT * doubt
    return float(min(math.inf, found))
