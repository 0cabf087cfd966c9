"""Points of the domain at which implementations fail: its ends, and those of joint conditions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from ...reference.domain import Entries, IndexSet, Interval, Law, Table
from ...reference.quantity import Quantity
from ..points import Given, Point, exact_point
from .points import Place, changed

# How far a number moves, by this share of it, for a condition that then breaks to be called narrow:
# a hundred times what evaluating it in doubles can be off by.
_ROUNDING = 2.0**-40
# Factors by which a number may leave a joint domain.
_AWAY = (2.0, 4.0, 16.0, 256.0, 2.0**20, 0.5, 0.25, 2.0**-4, 2.0**-8, 2.0**-20)


class Edge(NamedTuple):
    """A point of the domain, and why it is there."""

    point: Point
    comment: str


def intervals_of(quantity: Quantity, point: Given) -> Iterator[tuple[str, Place, Interval, Any]]:
    """Yield every number of a point that an interval of its own bounds: where, that, and what.

    Shares of a law are bound to one another, and are left out; so is what records hold.
    """
    for name, domain in quantity.parameters.items():
        value: Any = point[name]
        if isinstance(domain, Interval):
            yield name, (), domain, value
        elif isinstance(domain, Entries) and not isinstance(domain, Law | IndexSet):
            yield from ((name, (at,), domain.each, item) for at, item in enumerate(value))
        elif isinstance(domain, Table):
            for at, row in enumerate(value):
                for column, item in enumerate(row):
                    yield name, (at, column), domain.columns[column][1], item


def edge_points(quantity: Quantity, base: Given) -> Iterator[Edge]:
    """Yield points at and next to the ends of the domain and of the search, made from one inside.

    And those that are the last double before a condition on several parameters breaks.
    """
    for name, place, interval, leaf in intervals_of(quantity, base):
        for value in _ends(interval):
            point = changed(base, name, place, value)
            if quantity.admits(exact_point(point)):
                yield Edge(point, f"{name} at or next to an end")
        if isinstance(leaf, float) and leaf > 0:
            yield from _last_inside(quantity, base, (name, place, interval, leaf))


def _ends(interval: Interval) -> list[float | int]:
    """Return the ends of the domain, or the doubles next to them, and those of the search.

    No number next to 0 but 0 itself: what underflows, flags of their own are for.
    """
    low, high = map(Fraction, interval.search)
    if interval.kind == "integer":
        return [int(low), int(low) + 1, int(high)]
    ends = [float(low), float(high)]
    for end, inward in (
        (interval.above, math.inf),
        (interval.at_least, math.inf),
        (interval.below, -math.inf),
        (interval.at_most, -math.inf),
    ):
        if end is not None:
            ends.append(float(end))
            ends += [math.nextafter(float(end), inward)] if end else []
    return [end for end in dict.fromkeys(ends) if interval.admits(Fraction(end))]


def _last_inside(
    quantity: Quantity, base: Given, where: tuple[str, Place, Interval, float]
) -> Iterator[Edge]:
    """Yield the points in which one number went as far as a condition on several lets it."""
    name, place, interval, leaf = where

    def inside(value: float) -> bool:
        return quantity.admits(exact_point(changed(base, name, place, value)))

    # Towards 0 the last double inside would be the smallest there is, which is no edge of interest.
    away = sorted(
        value
        for value in (*(leaf * factor for factor in _AWAY), *_ends(interval))
        if value > 0 and interval.admits(Fraction(value))
    )
    above = [value for value in away if value > leaf]
    below = [value for value in reversed(away) if value < leaf]
    for way in (above, below):
        past = next((value for value in way if not inside(value)), None)
        if past is not None and _alone(quantity, changed(base, name, place, past)):
            last = _last(leaf, past, inside)
            comment = f"{name} is the last double before a condition on several breaks"
            yield Edge(changed(base, name, place, last), comment)


def is_narrow(quantity: Quantity, point: Given) -> bool:
    """Whether a condition on several parameters holds by no more than rounding.

    There an implementation that evaluates it in doubles may take the point for one outside.
    """
    return any(
        not quantity.admits(exact_point(near)) and _alone(quantity, near)
        for name, place, _, leaf in intervals_of(quantity, point)
        if isinstance(leaf, float)
        for factor in (1 - _ROUNDING, 1 + _ROUNDING)
        for near in [changed(point, name, place, leaf * factor)]
    )


def _alone(quantity: Quantity, point: Given) -> bool:
    """Whether each parameter alone is in its domain."""
    exact = exact_point(point)
    return all(domain.admits(exact[name]) for name, domain in quantity.parameters.items())


def has_whole_numbers(quantity: Quantity, point: Given) -> bool:
    """Whether whole numbers are integers: a drawn vector may be a copy of one of reals."""
    return all(
        isinstance(value, int)
        for _, _, interval, value in intervals_of(quantity, point)
        if interval.kind == "integer"
    )


def _last(good: float, bad: float, inside: Any) -> float:
    """Return a double inside whose neighbour towards ``bad`` is not: bisection, all in doubles."""
    while (middle := good + (bad - good) / 2) not in (good, bad):
        good, bad = (middle, bad) if inside(middle) else (good, middle)
    return good
