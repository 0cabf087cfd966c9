"""Moves from one value of a parameter to others that it is ordered with.

A move says nothing: whether two values are in order is asked of the values, in exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from ....reference.domain import Interval
from ....reference.relations import Order

# Factors of a real number: nearly none, some, much.
_FACTORS = (1 + 2.0**-10, 2.0, 16.0)


def moves_in(order: Order, domain: Any, value: Any) -> Iterator[Any]:
    """Yield other values, as drawn, that are above or below this one in an order."""
    match order:
        case Order.NUMBERS:
            yield from _moved_number(domain, value)
        case Order.ENTRYWISE:
            moves = [_moved_number(domain.each, value[at]) for at in (0, -1)]
            for first, last in zip(*moves, strict=False):
                yield (first, *value[1:])
                yield (*value[:-1], last)
        case Order.CONTAINED:
            yield from _shorter(value)
        case Order.RELEASES:
            yield from _shorter(value)
            yield from _other_first(domain, value)


def _shorter(value: Any) -> Iterator[Any]:
    """Yield a list the other way round, so without its first entry, and without its last."""
    yield value[::-1]
    if len(value) > 1:
        yield value[:0:-1]
        yield value[:-1]


def _other_first(domain: Any, value: Any) -> Iterator[Any]:
    """Yield a list of releases with one number of the first release moved."""
    (first, *rest) = value
    for at, (_, column) in enumerate(domain.columns):
        for moved in _moved_number(column, first[at]):
            yield ((*first[:at], moved, *first[at + 1 :]), *rest)


def in_turn(moves: Iterator[Any], turn: int) -> Sequence[Any]:
    """Return all moves, beginning with another one at each turn."""
    found = list(moves)
    at = turn % len(found) if found else 0
    return found[at:] + found[:at]


def _moved_number(interval: Interval, value: float) -> Iterator[float]:
    """Yield other numbers of the search range, its ends, and closed ends of the domain.

    Whole numbers stay in the search range: beyond it they may be sizes that take minutes.
    """
    low, high = map(Fraction, interval.search)
    if interval.kind == "integer":
        whole = int(value)
        steps: list[float] = [whole + 1, whole - 1, whole * 2, whole // 2]
        ends: list[float] = [int(low), int(high)]
    else:
        steps = [move for by in _FACTORS for move in (value * by, value / by)]
        closed = [end for end in (interval.at_least, interval.at_most) if end is not None]
        ends = [float(end) for end in (low, high, *closed)]
    inside = (move for move in steps if low <= move <= high)
    # The ends come first: there are not many turns, and edges and corners lie in between.
    yield from (move for move in dict.fromkeys([*ends, *inside]) if move != value)
