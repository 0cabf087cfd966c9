"""Divergences and distances of laws on finitely many points, rounded up.

Doubles are rational, so what is decided by comparing sums of masses is decided exactly, in whole
numbers: masses times a power of two.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np

from ..doubled import UNIT, rounded_towards

Vector = Sequence[float]
Sets = Sequence[Sequence[int]]
# Relative: a logarithm within two units in the last place.
_UP = 1.0 + 8 * UNIT
_NEARLY_LARGEST = 1.0 - 8 * UNIT


def max_divergence(p: Vector, q: Vector) -> float:
    """Return an upper bound on the largest log(p_i/q_i), infinite where it is."""
    return log_above(largest_ratio(p, q))


def closeness(p: Vector, q: Vector, secrets: Sets) -> float:
    """Return an upper bound on the largest max-divergence, either way, given a secret."""
    worst = Fraction(1)
    for secret in secrets:
        ours, theirs = ([law[number - 1] for number in {*secret}] for law in (p, q))
        mine, other = _exact_sum(ours), _exact_sum(theirs)
        if not (mine or other):
            continue
        there, back = largest_ratio(ours, theirs), largest_ratio(theirs, ours)
        if there is None or back is None or not (mine and other):
            return math.inf
        worst = max(worst, there * other / mine, back * mine / other)
    return log_above(worst)


def largest_ratio(p: Vector, q: Vector) -> Fraction | None:
    """Return the largest p_i/q_i where p_i > 0, exactly; None where it is infinite."""
    tops, bottoms = np.array(p, dtype=np.float64), np.array(q, dtype=np.float64)
    tops, bottoms = tops[tops > 0], bottoms[tops > 0]
    if not (bottoms > 0).all():
        return None
    if not len(tops):
        return Fraction(0)
    with np.errstate(over="ignore"):
        ratios = tops / bottoms
    among = np.flatnonzero(ratios >= ratios.max() * _NEARLY_LARGEST)
    return max(Fraction(float(tops[at])) / Fraction(float(bottoms[at])) for at in among)


def log_above(ratio: Fraction | None) -> float:
    """Return an upper bound on the log of a ratio that is at least 1; of 1 it is 0."""
    if ratio is None:
        return math.inf
    excess = rounded_towards(ratio - 1, np.inf)
    if excess < math.inf:
        return math.log1p(excess) * _UP
    return (math.log(ratio.numerator) - math.log(ratio.denominator)) * _UP


def _exact_sum(values: Iterable[float]) -> Fraction:
    return sum(map(Fraction, values), Fraction(0))


class Atoms(NamedTuple):
    """A law on the line: increasing points, and positive whole weights in proportion to it."""

    points: tuple[Fraction | int, ...]
    weights: tuple[int, ...]

    @property
    def total(self) -> int:
        """The weight of the whole law."""
        return sum(self.weights)


def atoms_of(points: Iterable[float], masses: Iterable[float]) -> Atoms:
    """Return the law with these masses, points that stand twice added up, zeros left out."""
    pairs = [(point, mass) for point, mass in zip(points, masses, strict=True) if mass]
    fractions = [mass.as_integer_ratio() for _, mass in pairs]
    common = max((bottom for _, bottom in fractions), default=1)  # powers of two
    found: dict[float, int] = {}
    for (point, _), (top, bottom) in zip(pairs, fractions, strict=True):
        found[point] = found.get(point, 0) + top * (common // bottom)
    ordered = sorted(found)
    return Atoms(tuple(map(Fraction, ordered)), tuple(found[point] for point in ordered))


def is_same_law(one: Atoms, other: Atoms) -> bool:
    """Whether two laws are one, decided exactly."""
    mine, theirs = one.total, other.total
    return one.points == other.points and all(
        a * theirs == b * mine for a, b in zip(one.weights, other.weights, strict=True)
    )


def largest_move(one: Atoms, other: Atoms) -> Fraction:
    """Return the largest move of the monotone coupling of two laws, exactly."""
    mine, theirs = one.total, other.total
    ours = [weight * theirs for weight in accumulate(one.weights)]
    others = [weight * mine for weight in accumulate(other.weights)]
    i = j = 0
    here, there = [*map(Fraction, one.points)], [*map(Fraction, other.points)]
    best = Fraction(0)
    while True:
        best = max(best, abs(here[i] - there[j]))
        if i == len(ours) - 1 and j == len(others) - 1:
            return best
        first, second = ours[i], others[j]
        i, j = i + (first <= second), j + (second <= first)


def law_of(law: Mapping[str, Any]) -> Atoms:
    """Return the law that a parameter means."""
    return atoms_of(map(float, law["points"]), map(float, law["mass"]))


def wasserstein(mu: Mapping[str, Any], nu: Mapping[str, Any]) -> float:
    """Return the infinity-Wasserstein distance of two laws, rounded up."""
    return rounded_towards(largest_move(law_of(mu), law_of(nu)), np.inf)


def compared(
    values: Vector, laws: Sequence[Vector], secrets: Sets, pairs: Sets
) -> Iterable[tuple[Atoms, Atoms]]:
    """Yield the query's laws given each secret of a pair, where both are possible."""
    for law in laws:
        given = [
            atoms_of(
                (float(values[number - 1]) for number in {*secret}),
                (float(law[number - 1]) for number in {*secret}),
            )
            for secret in secrets
        ]
        for pair in pairs:
            one, other = (given[secret - 1] for secret in pair)
            if one.weights and other.weights:
                yield one, other


def wasserstein_scale(
    values: Vector, laws: Sequence[Vector], secrets: Sets, pairs: Sets, epsilon: float
) -> float:
    """Return W/epsilon of a finite instantiation, rounded up."""
    moves = [largest_move(*both) for both in compared(values, laws, secrets, pairs)]
    return rounded_towards(max(moves, default=Fraction(0)) / Fraction(epsilon), np.inf)
