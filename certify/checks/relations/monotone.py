"""Monotone: where the truth is monotone in a parameter, so are the answers, up to a slack.

A move from one value of a parameter to another does not say how they are ordered: that is asked of
the values, in exact numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ....reference.domain import Interval
from ....reference.errors import InputError
from ....reference.quantity import Quantity
from ....reference.relations import Order, Trend
from ...points import Given, exact_point
from ...verdict import Verdict
from .relation import (
    NEAR_ONE,
    Ask,
    Declared,
    First,
    Found,
    Ruling,
    Truths,
    Witness,
    Wording,
    answered_as,
    are_in_order,
    number_answered,
    only_changed,
    point_at,
)

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


class Monotone:
    """An answer is held against one at a point that differs in one parameter alone.

    That parameter is one in which the quantity is proved to be monotone, and the two answers have
    to be ordered as the truths are, up to 1/100 and what the backend declares. The turn chooses
    the parameter and how far it moves. Where no move stays in the domain the point is its own
    counterpart, and the two answers have to be equal, as nearly.
    """

    check = "monotone"
    wording = Wording(
        "where the truth rises or falls with a parameter, so do the answers, but for a slack of "
        "one hundredth and what is declared",
        "the other answer",
        "The two answers are in the truth's order.",
        "The two answers are in the wrong order, by more than the law allows.",
    )

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether there is a parameter in which the quantity is known to be monotone."""
        return bool(quantity.trends)

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:  # noqa: ARG002
        """Ask at the moved point, and hold the first answer against that."""
        value = first.number
        moved = _moved(quantity, first)
        number = number_answered(moved, ask(quantity.name, moved))
        return Found(first.point, value, (answered_as(quantity.name, moved, number),))

    def verdict_on(
        self,
        witness: Witness,
        slack: Fraction,
        accuracy: Fraction | None,
        truths: Truths,  # noqa: ARG002
    ) -> Ruling:
        """Order the two points, and require the same order of the answers."""
        if len(witness.others) != 1 or witness.others[0].value is None or witness.place:
            raise InputError("monotone: one number is compared with one other answer")
        (other,) = witness.others
        assert other.value is not None
        if other.quantity.name != witness.quantity.name:
            raise InputError("monotone: the other answer is one of another quantity")
        one, two = (witness.parameters, witness.value), (other.parameters, other.value)
        floor = NEAR_ONE if witness.quantity.log_ratio and one[0] != two[0] else Fraction(0)
        ordered = [
            are_in_order(low[1], high[1], slack, accuracy, floor)
            for low, high in ((one, two), (two, one))
            if _is_ordered(witness.quantity, low[0], high[0])
        ]
        if not ordered:
            raise InputError("monotone: nothing is known of the order of the two points' truths")
        verdict = Verdict.CERTIFIED if all(ordered) else Verdict.REFUTED
        return Ruling(verdict, point_at(other.value), of_quality=True)


def _moved(quantity: Quantity, first: First) -> Given:
    """Return the counterpart of a point: the first move of this turn that the domain admits."""
    trends = quantity.trends or ()
    round_number = first.turn // len(trends)
    for trend in in_turn(iter(trends), first.turn):
        for moved in moves_of(quantity, trend, first.point, round_number):
            return moved
    return first.point


def moves_of(quantity: Quantity, trend: Trend, point: Given, turn: int) -> Iterator[Given]:
    """Yield the counterparts of a point by one trend that the domain admits, another one first."""
    name = trend.parameter
    if not trend.holds_at(exact_point(point)):
        return
    for value in in_turn(moves_in(trend.order, quantity.parameters[name], point[name]), turn):
        moved = {**point, name: value}
        exact = exact_point(moved)
        if quantity.admits(exact) and trend.holds_at(exact):
            yield moved


def _is_ordered(quantity: Quantity, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether some trend says that the truth at one point is at most that at the other.

    At one and the same point that needs no trend.
    """
    changed = only_changed(one, other)
    return not changed or any(
        changed == [trend.parameter]
        and trend.holds_at(one)
        and trend.holds_at(other)
        and _goes_up(trend, one[trend.parameter], other[trend.parameter])
        for trend in quantity.trends or ()
    )


def _goes_up(trend: Trend, one: Any, other: Any) -> bool:
    return trend.order.is_at_most(*((one, other) if trend.rises else (other, one)))
