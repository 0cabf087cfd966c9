"""Where the truth is monotone in a parameter, so are the answers, up to the slack of laws."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from ....reference.enclosure import Enclosure
from ....reference.errors import InputError
from ....reference.quantity import Quantity
from ....reference.relations import Trend
from ...points import Given, exact_point
from ...verdict import Verdict
from .law import (
    Ask,
    Declared,
    First,
    Found,
    Truths,
    Witness,
    answered_as,
    number_answered,
    only_changed,
)
from .orders import in_turn, moves_in
from .tolerances import NEAR_ONE, are_in_order, point_at


class Monotone:
    """An answer is held against one at a point that differs in one parameter alone.

    That parameter is one in which the quantity is proved to be monotone, and the two answers have
    to be ordered as the truths are, up to 1/100 and what the backend declares. The turn chooses
    the parameter and how far it moves. Where no move stays in the domain the point is its own
    counterpart, and the two answers have to be equal, as nearly.
    """

    check = "monotone"

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether there is a parameter in which the quantity is known to be monotone."""
        return bool(quantity.trends)

    def needs(self, quantity: Quantity) -> tuple[str, ...]:  # noqa: ARG002
        """Return further quantities that a backend has to answer: none."""
        return ()

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
    ) -> tuple[Verdict, Enclosure]:
        """Order the two points, and require the same order of the answers."""
        if len(witness.others) != 1 or witness.others[0].value is None or witness.place:
            raise InputError("monotone: one number is compared with one other answer")
        (other,) = witness.others
        assert other.value is not None
        if other.quantity != witness.quantity:
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
        return verdict, point_at(other.value)


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
