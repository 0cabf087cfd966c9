"""How odd a count is: the exact binomial tail, and the counts from which on it refutes.

Both sides are looked at: a count above what the largest possible probability expects is held
against that, one below against the smallest, and the tail is doubled. So a sampler whose
probability lies within the ends is refuted at a level with at most that probability.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

from ...reference.arb.balls import working_precision
from ...reference.arb.incomplete_beta import regularised_incomplete_beta
from ..verdict import Verdict
from .constants import FALSE_ALARM, PRECISION_BITS
from .ends import CERTAIN, IMPOSSIBLE, Ends, ends_of, within_one

_KEPT = 8192


@lru_cache(_KEPT)
def at_least(count: int, trials: int, probability: Fraction) -> Ends:
    """Enclose P(K >= count), K binomial: I_p(count, trials - count + 1)."""
    if count <= 0:
        return CERTAIN
    if count > trials or probability == 0:
        return IMPOSSIBLE
    with working_precision(PRECISION_BITS):
        first, second = Fraction(count), Fraction(trials - count + 1)
        return ends_of(regularised_incomplete_beta(first, second, probability))


def at_most_count(count: int, trials: int, probability: Fraction) -> Ends:
    """Enclose P(K <= count): as many failures are left."""
    return at_least(trials - count, trials, 1 - probability)


def doubled_tail(count: int, trials: int, probability: Ends) -> Ends:
    """Enclose twice the tail on the count's side, at the end nearest to it; 1 within the ends."""
    if count > trials * probability.upper:
        tail = at_least(count, trials, probability.upper)
    elif count < trials * probability.lower:
        tail = at_most_count(count, trials, probability.lower)
    else:
        return CERTAIN
    return within_one(2 * tail.lower, 2 * tail.upper)


def level(tests_in_all: int) -> Fraction:
    """Return the probability that one test may refute a correct sampler with (Bonferroni)."""
    return FALSE_ALARM / tests_in_all


def tail_verdict(tail: Ends, tests_in_all: int) -> Verdict:
    """Return what a tail says: refuted only if it is certainly below the level."""
    if tail.upper < level(tests_in_all):
        return Verdict.REFUTED
    return Verdict.CERTIFIED if tail.lower >= level(tests_in_all) else Verdict.UNDECIDED


def refuting_counts(trials: int, probability: Ends, tests_in_all: int) -> tuple[int, int]:
    """Return counts such that any at or below the first and any from the second on refutes.

    -1 and trials + 1 stand for none.
    """

    def refutes(count: int) -> bool:
        tail = doubled_tail(count, trials, probability)
        return tail_verdict(tail, tests_in_all) is Verdict.REFUTED

    smallest_above = floor(trials * probability.upper) + 1
    high = _first(refutes, smallest_above, trials + 1)
    largest_below = ceil(trials * probability.lower) - 1
    gap = _first(lambda gap: refutes(largest_below - gap), 0, largest_below + 1)
    return largest_below - gap, high


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first of low, ..., high - 1 for which a monotone condition holds, else high."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return high


def power(trials: int, probability: Ends, actual: Ends, tests_in_all: int) -> Ends:
    """Enclose the probability that a count refutes, of a sampler whose own lies in ``actual``.

    The chance of a high count rises with that probability, the chance of a low one falls.
    """
    low, high = refuting_counts(trials, probability, tests_in_all)
    least = at_least(high, trials, actual.lower).lower
    least += at_most_count(low, trials, actual.upper).lower
    most = at_least(high, trials, actual.upper).upper
    most += at_most_count(low, trials, actual.lower).upper
    return within_one(least, most)
