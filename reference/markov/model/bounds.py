"""What benvenuti2025 prints of a model's privacy: the largest of its rows' epsilons and deltas."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from flint import arb

from ...arb.balls import ball
from ...dirichlet import counts
from ...dirichlet.tail import bracket, routed
from ...dirichlet.tail.event import Miss
from ...domain import A_PROBABILITY, COUNTS, Condition
from ...precision import check_budget
from ...quantity import Routed, Shape, Side, Truth, quantity
from ...relations import UNKNOWN, each
from .each_row import EachRow, SameLength
from .row_lists import CATEGORIES, CHANCES, ETAS, FEW_KS, GAMMAS, KS, PAPER, RECORDS, Whole, largest

Ends: TypeAlias = tuple[arb, arb]
TWO = 2  # categories, fewer than which no Dirichlet law has


def feasible(row: Whole) -> int:
    """Return how many transitions were seen, n_i."""
    return sum(1 for count in row if count)


def least_positive(row: Whole) -> int:
    """Return the least positive count, c_i; there is one."""
    return min(count for count in row if count)


def _constant_row(counts: tuple[Whole, ...]) -> int:
    """Return the first row, counted from 1, with a single feasible transition; 0 without one."""
    return next((at for at, row in enumerate(counts, 1) if feasible(row) < TWO), 0)


TWO_IN_EACH_ROW = Condition(
    "two feasible transitions or more in each row",
    lambda counts: not _constant_row(counts),
    "a Dirichlet law has two categories or more",
    lambda counts: f"row {_constant_row(counts)} has n = 1, so its release would be constant",
)


@quantity(
    "markov.model.k_minimum",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source="benvenuti2025 Assumption 4",
    conditions=(TWO_IN_EACH_ROW,),
    shape=Shape.VECTOR,
    rises=UNKNOWN,
)
def k_minimum(counts: COUNTS) -> tuple[Fraction, ...]:
    """Smallest k of each row that benvenuti2025 Assumption 4 admits: 3 N_i / (2 c_i).

    c_i is the least positive count of the row, c_i/N_i the largest eta_i that the row has.
    """
    return tuple(Fraction(3 * sum(row), 2 * least_positive(row)) for row in counts)


@quantity(
    "markov.model.epsilon_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=f"{PAPER}, equation 6 in each row",
    conditions=(
        SameLength.of("k", "eta", "N", "n", "gamma"),
        *map(EachRow.of, counts.EPSILON_CONDITIONS),
    ),
    falls=each("gamma"),
)
def epsilon_bound(k: KS, eta: ETAS, N: RECORDS, n: CATEGORIES, gamma: GAMMAS) -> arb | Fraction:
    """Epsilon that benvenuti2025 Theorem 3 prints: the largest of its rows' by equation 6."""
    found = []
    for row in sorted(set(zip(k, eta, N, n, gamma, strict=True))):
        check_budget()
        found.append(counts.epsilon_bound(*row))
    return largest(found)


@quantity(
    "markov.model.delta_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"{PAPER}, equation 7 in each row",
    within=A_PROBABILITY,
    conditions=(SameLength.of("k", "eta", "n", "gamma"), EachRow.of(counts.BORDERED)),
    rises=each("gamma"),
    quick="k <= 60",
)
def delta_bound(k: FEW_KS, eta: ETAS, n: CATEGORIES, gamma: CHANCES) -> Routed:
    """Delta that benvenuti2025 Theorem 3 prints: the largest of its rows' by equation 7.

    Only rows that a bracket by incomplete betas leaves in the race are worked out
    (proofs_notes/tail-worst-input.md, bracket).
    """
    rows = sorted(set(zip(k, eta, n, gamma, strict=True)))
    found = [routed(miss) for miss in _in_the_race([counts.worst_miss(*row) for row in rows])]
    ways = ", ".join(dict.fromkeys(answer.route for answer in found))
    return Routed(largest(answer.value for answer in found), ways)


def _in_the_race(misses: list[Miss]) -> list[Miss]:
    """Return the events that are not certainly less probable than another."""
    certain = [miss for miss in misses if miss.known == 1]
    if certain:
        return certain[:1]
    ends = [_bracket(miss) for miss in misses]
    least = ends[0][0]
    for low, _ in ends[1:]:
        least = least.max(low)
    return [miss for miss, (_, high) in zip(misses, ends, strict=True) if not high < least]


def _bracket(miss: Miss) -> Ends:
    """Return a number that the probability is at least, and one that it is at most."""
    check_budget()
    if miss.known is not None:
        return ball(miss.known), ball(miss.known)
    found = bracket.probability(miss)
    return (found.lower(), found.upper()) if found.is_finite() else (arb(0), arb(1))
