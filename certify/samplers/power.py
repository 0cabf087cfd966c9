"""How surely faults are found: enclosed, not simulated.

A sampler of another law of the same family is refuted by an event with the probability that its
own count refutes; a campaign finds it at least as surely as its most powerful event does.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from .atoms import Zero
from .binomial import power
from .constants import MOST_TESTS
from .ends import Ends
from .events import Event
from .points import DIRICHLET, Point


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
