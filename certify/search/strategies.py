"""Hypothesis strategies for the parameters of a quantity, made from its domain alone.

A float that is drawn is taken as the dyadic number it is, so the backend and the reference get
exactly the same input. Every real parameter is drawn in three ways: evenly in log scale, by
Hypothesis's own taste in floats, and from its edges; now and then one takes the value of another,
which is where formulas tend to break.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import TypeAlias

from hypothesis import strategies as st

from ...reference.quantity import Interval, Quantity
from ..checks.case import exact_point

Point: TypeAlias = dict[str, float | int]

# Values at which special cases of gamma functions, betas and logarithms live.
_SPECIAL = (0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 0.25, 1e-3, 100.0)
# One draw in so many copies another parameter's value.
_COPY_ONE_IN = 12


def points(quantity: Quantity) -> st.SearchStrategy[Point]:
    """Return a strategy for points inside the domain of a quantity, its edges included."""

    @st.composite
    def drawn(draw: st.DrawFn) -> Point:
        point: Point = {}
        for name, interval in quantity.parameters.items():
            point[name] = draw(_values(interval))
            if interval.kind == "real" and draw(st.integers(1, _COPY_ONE_IN)) == 1:
                point[name] = draw(_copied(interval, point, point[name]))
        return point

    return drawn().filter(lambda point: quantity.admits(exact_point(point)))


def _values(interval: Interval) -> st.SearchStrategy[float | int]:
    low, high = (float(Fraction(end)) for end in interval.search)
    if interval.kind == "integer":
        return _whole(int(low), int(high))
    return st.one_of(
        st.floats(math.log(low), math.log(high)).map(lambda power: math.exp(power)),
        st.floats(low, high),
        st.sampled_from(_edges(interval, low, high)),
    ).filter(lambda value: interval.admits(Fraction(value)))


def _whole(low: int, high: int) -> st.SearchStrategy[int]:
    logs = st.floats(math.log(low), math.log(high)).map(lambda power: round(math.exp(power)))
    return st.one_of(logs.map(lambda n: min(max(n, low), high)), st.sampled_from([low, low + 1]))


def _edges(interval: Interval, low: float, high: float) -> list[float]:
    ends = [interval.above, interval.at_least, interval.below, interval.at_most]
    exact_ends = [float(end) for end in ends if end is not None]
    candidates = [low, high, *_SPECIAL, *_beside([low, high, *exact_ends, 1.0, 2.0])]
    return sorted(
        {
            value
            for value in candidates
            if interval.admits(Fraction(value)) and (low <= value <= high or value in exact_ends)
        }
    )


def _beside(values: Iterable[float]) -> list[float]:
    return [
        neighbour
        for value in values
        for neighbour in (value, math.nextafter(value, 0), math.nextafter(value, math.inf))
    ]


def _copied(
    interval: Interval, point: Point, otherwise: float | int
) -> st.SearchStrategy[float | int]:
    fitting = [float(value) for value in point.values() if interval.admits(Fraction(value))]
    return st.sampled_from(fitting or [otherwise])
