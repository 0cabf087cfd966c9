"""How surely faults are found: enclosed, not simulated.

A sampler of another law of the same family is refuted by an event with the probability that its
own count refutes; a campaign finds it at least as surely as its most powerful event does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from simplexcert.certify.samplers.distributions import Ends, within_one
from simplexcert.certify.samplers.events import Event, Zero
from simplexcert.certify.samplers.points import DIRICHLET, Point
from simplexcert.certify.samplers.results import (
    MOST_TESTS,
    at_least,
    at_most_count,
    doubled_tail,
    tail_verdict,
)
from simplexcert.certify.verdict import Verdict


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


def scaled(point: Point, factor: Fraction) -> Point:
    """Return a point whose concentration, or scale, is another: a faulty sampler's law."""
    return replace(point, values=tuple(factor * value for value in point.values))


def least_power(point: Point, actual: Point, enough: Fraction = Fraction(1)) -> Fraction:
    """Return a lower bound of the probability that draws of ``actual``'s law refute at ``point``.

    It is that of one event, the first threshold that finds it with ``enough`` or the best of all.
    MOST_TESTS share the false alarms.
    """
    best = Fraction(0)
    for event, own in _under(point, actual):
        best = max(best, power(event.trials, event.probability(), own, MOST_TESTS).lower)
        if best >= enough:
            break
    return best


def _under(point: Point, actual: Point) -> Iterator[tuple[Event, Ends]]:
    """Yield each threshold's event, and its probability under the other law."""
    field = "alpha" if point.sampler == DIRICHLET else "scale"
    value = actual.values if point.sampler == DIRICHLET else actual.values[0]
    for event in point.events():
        statistic = getattr(event, "statistic", None)
        if event.name.endswith((" below", " within")) and statistic is not None:
            moved = replace(statistic, **{field: value})
            yield event, replace(event, statistic=moved).probability()  # type: ignore[type-var]


def least_power_of_floor(point: Point, rate: Fraction) -> Fraction:
    """Return a lower bound of the probability that exact zeros at a rate refute at ``point``."""
    event = next(event for event in point.events() if isinstance(event, Zero))
    return power(event.trials, event.probability(), Ends(rate, Fraction(1)), MOST_TESTS).lower
