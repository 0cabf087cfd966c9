"""One number from what was drawn for it: evenly in log scale, evenly, or from its edges.

Whole numbers come in, a share of [0, 1) and a way of turning it into a value of the interval, so
the same draw is the same value everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeAlias

from ...reference.domain import Interval

# A way, and the parts of a share.
Choice: TypeAlias = tuple[int, ...]

# Three parts make up as many bits as a double has, so that every share is exact and below 1.
PART_BITS = (18, 18, 17)
# Values at which special cases of gamma functions, betas and logarithms live.
_SPECIAL = (1e-3, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 100.0)


def number(interval: Interval, choice: Choice, others: Sequence[float]) -> float | int:
    """Return the value of an interval that a choice stands for; others' values may be copied."""
    if interval.kind == "integer":
        return _whole(interval, share(choice), at_edge=is_way(choice, _edge))
    return WAYS[choice[0]](interval, share(choice), others)


def is_way(choice: Choice, way: Way) -> bool:
    """Whether the way that was drawn is this one."""
    return WAYS[choice[0]] is way


def share(choice: Choice) -> float:
    """Return the number in [0, 1) whose binary digits the parts are."""
    position = 0
    for part, bits in zip(choice[1:], PART_BITS, strict=True):
        position = (position << bits) | part
    return math.ldexp(position, -sum(PART_BITS))


Way: TypeAlias = Callable[[Interval, float, Sequence[float]], float]


@cache
def _range(interval: Interval) -> tuple[float, float]:
    low, high = (float(Fraction(end)) for end in interval.search)
    return low, high


def _log_uniform(interval: Interval, place: float, _others: Sequence[float]) -> float:
    low, high = _range(interval)
    return min(max(low * float((high / low) ** place), low), high)


def _uniform(interval: Interval, place: float, _others: Sequence[float]) -> float:
    low, high = _range(interval)
    return low + (high - low) * place


def _short(interval: Interval, place: float, others: Sequence[float]) -> float:
    """A number of two significant decimals, such as people write."""
    return float(f"{_log_uniform(interval, place, others):.1e}")


def _edge(interval: Interval, place: float, _others: Sequence[float]) -> float:
    edges = _edges(interval)
    return edges[int(place * len(edges))]


def at_end(interval: Interval, place: float, _others: Sequence[float]) -> float:
    """An end of the search range, or an end of the domain that belongs to it."""
    closed = [float(end) for end in (interval.at_least, interval.at_most) if end is not None]
    ends = [*closed, *(end for end in _range(interval) if interval.admits(Fraction(end)))]
    return ends[int(place * len(ends))]


def a_copy(interval: Interval, place: float, others: Sequence[float]) -> float:
    """The value of a number drawn before, if the search range has it."""
    low, high = _range(interval)
    fitting = [value for value in others if low <= value <= high]
    return fitting[int(place * len(fitting))] if fitting else _edge(interval, place, others)


WAYS: tuple[Way, ...] = (
    *[_log_uniform] * 8,
    *[_uniform] * 3,
    *[_short] * 2,
    *[_edge] * 2,
    at_end,
    a_copy,
)


def _whole(interval: Interval, place: float, *, at_edge: bool) -> int:
    low, high = (int(end) for end in _range(interval))
    if at_edge:
        return (low, low + 1, high)[int(3 * place)]
    if low < 1:
        return low + int((high - low + 1) * place)
    return min(max(round(low * float((high / low) ** place)), low), high)


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
