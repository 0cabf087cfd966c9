"""Orders of what a parameter can be, and moves from one value to others that it is ordered with.

A move says nothing: whether two values are in order is asked of the values, in exact numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Protocol

from ....reference.domain import Interval

# Factors of a real number: nearly none, some, much.
_FACTORS = (1 + 2.0**-10, 2.0, 16.0)


class Order(Protocol):
    """A partial order of a parameter's values."""

    def is_at_most(self, one: Any, other: Any) -> bool:
        """Whether one value is certainly at or below the other; exact values."""

    def moves(self, domain: Any, value: Any) -> Iterator[Any]:
        """Yield other values, as drawn, that are above or below this one."""


class Numbers:
    """Numbers as they are."""

    def is_at_most(self, one: Any, other: Any) -> bool:
        """Whether one number is at most the other."""
        return bool(one <= other)

    def moves(self, domain: Any, value: Any) -> Iterator[Any]:
        """Yield multiples of the number inside the search range, its ends and closed ends."""
        yield from _moved_number(domain, value)


class Entrywise:
    """Lists of numbers of one length, entry by entry."""

    def is_at_most(self, one: Any, other: Any) -> bool:
        """Whether each entry is at most its counterpart."""
        return len(one) == len(other) and all(a <= b for a, b in zip(one, other, strict=True))

    def moves(self, domain: Any, value: Any) -> Iterator[Any]:
        """Yield the list with its first entry moved, then with its last."""
        moves = [_moved_number(domain.each, value[at]) for at in (0, -1)]
        for first, last in zip(*moves, strict=False):
            yield (first, *value[1:])
            yield (*value[:-1], last)


class Contained:
    """Lists that are collections: what stands in one, as often, stands in the other."""

    def is_at_most(self, one: Any, other: Any) -> bool:
        """Whether the other holds everything that the one holds, in whatever order."""
        return Counter(one) <= Counter(other)

    def moves(self, _domain: Any, value: Any) -> Iterator[Any]:
        """Yield the list the other way round, so without its first entry, and without its last."""
        yield value[::-1]
        if len(value) > 1:
            yield value[:0:-1]
            yield value[:-1]


class Releases:
    """Lists of releases [alpha, step, count]: what is higher is less private.

    Up go more releases, and of a release a lower floor, a larger step and a larger count.
    """

    def is_at_most(self, one: Any, other: Any) -> bool:
        """Whether each release of the one, or a less private one, stands in the other."""
        if Contained().is_at_most(one, other):
            return True
        return len(one) <= len(other) and all(
            a[0] >= b[0] and a[1] <= b[1] and a[2] <= b[2] for a, b in zip(one, other, strict=False)
        )

    def moves(self, domain: Any, value: Any) -> Iterator[Any]:
        """Yield the list the other way round, shorter, or with its first release changed."""
        yield from Contained().moves(domain, value)
        (first, *rest) = value
        columns = [column for _, column in domain.columns]
        for at, column in enumerate(columns):
            for moved in _moved_number(column, first[at]):
                yield ((*first[:at], moved, *first[at + 1 :]), *rest)


NUMBERS, ENTRYWISE, CONTAINED, RELEASES = Numbers(), Entrywise(), Contained(), Releases()


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
