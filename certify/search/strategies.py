"""Hypothesis strategies for the parameters of a quantity, made from its domain alone.

A float that is drawn is taken as the dyadic number it is, so the backend and the reference get
exactly the same input. A real parameter is drawn evenly in log scale, evenly, with few digits, or
from its edges; now and then it takes the value of another, where special cases tend to live.

Hypothesis mixes constants into its draws that it finds in the source of whatever modules happen to
be loaded, the backend's among them. Points would then depend on more than the seed. So everything
is decoded from whole numbers far above any constant in anybody's source, and from short ranges of
them: in a long range Hypothesis keeps close to the lower end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import islice
from typing import TypeAlias

from hypothesis import strategies as st

from ...reference.domain import Domain, Entries, Interval
from ...reference.quantity import Quantity
from ..checks.case import exact_point

Drawn: TypeAlias = float | int | tuple[float, ...]
Point: TypeAlias = dict[str, Drawn]

_FAR_ABOVE_CONSTANTS = 1 << 400
# Three parts make up as many bits as a double has, so that every share is exact and below 1.
_PART_BITS = (18, 18, 17)
# Values at which special cases of gamma functions, betas and logarithms live.
_SPECIAL = (1e-3, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 100.0)


def points(quantity: Quantity) -> st.SearchStrategy[Point]:
    """Return a strategy for points inside the domain of a quantity, its edges included."""
    choice = st.tuples(_below(len(_WAYS)), *(_below(1 << bits) for bits in _PART_BITS))
    draws = st.tuples(*[choice] * sum(map(_draws, quantity.parameters.values())))
    return draws.map(lambda raw: _decoded(quantity, raw)).filter(
        lambda point: quantity.admits(exact_point(point))
    )


def _below(count: int) -> st.SearchStrategy[int]:
    first = _FAR_ABOVE_CONSTANTS
    return st.integers(first, first + count - 1).map(lambda drawn: drawn - first)


def _draws(domain: Domain) -> int:
    """Return how many numbers a parameter takes: a vector's length, and its entries."""
    return 1 + domain.longest_searched if isinstance(domain, Entries) else 1


Choice: TypeAlias = tuple[int, ...]


def _decoded(quantity: Quantity, raw: tuple[Choice, ...]) -> Point:
    point: Point = {}
    left = iter(raw)
    for name, domain in quantity.parameters.items():
        if isinstance(domain, Entries):
            point[name] = _vector(domain, next(left), list(islice(left, domain.longest_searched)))
        else:
            point[name] = _number(domain, next(left), _numbers(point))
    return point


def _numbers(point: Point) -> list[float]:
    return [float(value) for value in point.values() if not isinstance(value, tuple)]


def _number(interval: Interval, choice: Choice, others: list[float]) -> float | int:
    way, *parts = choice
    share = _share(parts)
    if interval.kind == "integer":
        return _whole(interval, share, at_edge=_WAYS[way] is _edge)
    return _WAYS[way](interval, share, others)


def _vector(domain: Entries, length: Choice, choices: list[Choice]) -> tuple[float, ...]:
    """Return as many entries as one draw says; now and then one takes the value of another."""
    entries: list[float] = []
    for choice in choices[: 1 + int(_share(list(length[1:])) * len(choices))]:
        entries.append(_number(domain.each, choice, entries))
    return tuple(entries)


def _share(parts: list[int]) -> float:
    """Return the number in [0, 1) whose binary digits the parts are."""
    position = 0
    for part, bits in zip(parts, _PART_BITS, strict=True):
        position = (position << bits) | part
    return math.ldexp(position, -sum(_PART_BITS))


Way: TypeAlias = Callable[[Interval, float, list[float]], float]


@cache
def _range(interval: Interval) -> tuple[float, float]:
    low, high = (float(Fraction(end)) for end in interval.search)
    return low, high


def _log_uniform(interval: Interval, share: float, _others: list[float]) -> float:
    low, high = _range(interval)
    return min(max(low * float((high / low) ** share), low), high)


def _uniform(interval: Interval, share: float, _others: list[float]) -> float:
    low, high = _range(interval)
    return low + (high - low) * share


def _short(interval: Interval, share: float, others: list[float]) -> float:
    """A number of two significant decimals, such as people write."""
    return float(f"{_log_uniform(interval, share, others):.1e}")


def _edge(interval: Interval, share: float, _others: list[float]) -> float:
    edges = _edges(interval)
    return edges[int(share * len(edges))]


def _end(interval: Interval, share: float, _others: list[float]) -> float:
    """An end of the search range, or an end of the domain that belongs to it."""
    closed = [float(end) for end in (interval.at_least, interval.at_most) if end is not None]
    ends = [*closed, *(end for end in _range(interval) if interval.admits(Fraction(end)))]
    return ends[int(share * len(ends))]


def _copy(interval: Interval, share: float, others: list[float]) -> float:
    """The value of a number drawn before, if the search range has it."""
    low, high = _range(interval)
    fitting = [value for value in others if low <= value <= high]
    return fitting[int(share * len(fitting))] if fitting else _edge(interval, share, others)


_WAYS: tuple[Way, ...] = (
    *[_log_uniform] * 8,
    *[_uniform] * 3,
    *[_short] * 2,
    *[_edge] * 2,
    _end,
    _copy,
)


def _whole(interval: Interval, share: float, *, at_edge: bool) -> int:
    low, high = (int(end) for end in _range(interval))
    if at_edge:
        return (low, low + 1, high)[int(3 * share)]
    return min(max(round(low * float((high / low) ** share)), low), high)


@cache
def _edges(interval: Interval) -> tuple[float, ...]:
    """The ends of the domain and of the search range, their neighbours, and special values."""
    low, high = _range(interval)
    ends = [interval.above, interval.at_least, interval.below, interval.at_most]
    exact_ends = [float(end) for end in ends if end is not None]
    beside = [
        neighbour
        for value in (low, high, *exact_ends, *_SPECIAL)
        for neighbour in (value, math.nextafter(value, 0), math.nextafter(value, math.inf))
    ]
    fitting = {
        value
        for value in beside
        if interval.admits(Fraction(value)) and (low <= value <= high or value in exact_ends)
    }
    return tuple(sorted(fitting))
