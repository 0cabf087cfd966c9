"""Laws on finitely many points of a line: divergences, distances, losses with Laplace noise.

Divergences and distances of laws on finitely many points, rounded up.

Doubles are rational, so what is decided by comparing sums of masses is decided exactly, in whole
numbers: masses times a power of two.

The exact loss of a number released with Laplace noise, between laws of the number, rounded up.

The supremum over outcomes is a maximum over the support points (proofs_notes/laplace-loss.md). A
density there is what lies to the left, decayed step by step, and what lies to the right: sums of
positive terms, of which each costs a rounding or two, and an exponential of a sum of gaps/scale,
which costs as many roundings as that is large. Where that would underflow the logarithms of the
densities are summed instead.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from ..doubled import UNIT, Reals, rounded_towards

Vector = Sequence[float]
_Sets = Sequence[Sequence[int]]
# Relative: a logarithm within two units in the last place.
_UP = 1.0 + 8 * UNIT
_NEARLY_LARGEST = 1.0 - 8 * UNIT


def max_divergence(p: Vector, q: Vector) -> float:
    """Return an upper bound on the largest log(p_i/q_i), infinite where it is."""
    return log_above(largest_ratio(p, q))


def closeness(p: Vector, q: Vector, secrets: _Sets) -> float:
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


def _atoms_of(points: Iterable[float], masses: Iterable[float]) -> Atoms:
    """Return the law with these masses, points that stand twice added up, zeros left out."""
    pairs = [(point, mass) for point, mass in zip(points, masses, strict=True) if mass]
    fractions = [mass.as_integer_ratio() for _, mass in pairs]
    common = max((bottom for _, bottom in fractions), default=1)  # powers of two
    found: dict[float, int] = {}
    for (point, _), (top, bottom) in zip(pairs, fractions, strict=True):
        found[point] = found.get(point, 0) + top * (common // bottom)
    ordered = sorted(found)
    return Atoms(tuple(map(Fraction, ordered)), tuple(found[point] for point in ordered))


def _is_same_law(one: Atoms, other: Atoms) -> bool:
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
    return _atoms_of(map(float, law["points"]), map(float, law["mass"]))


def wasserstein(mu: Mapping[str, Any], nu: Mapping[str, Any]) -> float:
    """Return the infinity-Wasserstein distance of two laws, rounded up."""
    return rounded_towards(largest_move(law_of(mu), law_of(nu)), np.inf)


def compared(
    values: Vector, laws: Sequence[Vector], secrets: _Sets, pairs: _Sets
) -> Iterable[tuple[Atoms, Atoms]]:
    """Yield the query's laws given each secret of a pair, where both are possible."""
    for law in laws:
        given = [
            _atoms_of(
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
    values: Vector, laws: Sequence[Vector], secrets: _Sets, pairs: _Sets, epsilon: float
) -> float:
    """Return W/epsilon of a finite instantiation, rounded up."""
    moves = [largest_move(*both) for both in compared(values, laws, secrets, pairs)]
    return rounded_towards(max(moves, default=Fraction(0)) / Fraction(epsilon), np.inf)


# Decays of e^-400 = 2^-577 of one law's total stay far above what underflows.
MOST_DECAY = 400.0
_HUGE = 1e300


def laplace_loss(mu: Mapping[str, Any], nu: Mapping[str, Any], scale: float) -> float:
    """Return an upper bound on the largest log-ratio, either way, of two densities under noise."""
    return _loss_of_pair(law_of(mu), law_of(nu), float(scale))


def instantiation_loss(
    values: Vector, laws: Sequence[Vector], secrets: _Sets, pairs: _Sets, scale: float
) -> float:
    """Return an upper bound on the largest loss of any pair of secrets under any law."""
    both = compared(values, laws, secrets, pairs)
    return max((_loss_of_pair(one, other, float(scale)) for one, other in both), default=0.0)


def _loss_of_pair(one: Atoms, other: Atoms, scale: float) -> float:
    return loss_of_group([one, other], Fraction(scale))


def loss_of_group(laws: Sequence[Atoms], scale: Fraction) -> float:
    """Return an upper bound on the largest loss between two of some laws; 0 where all are one."""
    if all(_is_same_law(laws[0], law) for law in laws[1:]):
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
