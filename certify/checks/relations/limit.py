"""Answers lie where the quantity can lie, and near its limits where the truth does."""

from __future__ import annotations

from fractions import Fraction

from ....reference.domain import Interval
from ....reference.enclosure import Enclosed, Enclosure, Trilean
from ....reference.errors import InputError
from ....reference.quantity import Quantity
from ....reference.relations import End
from ...backends.answers import Real
from ...points import Given, exact_point
from ...verdict import Verdict
from .relation import (
    SLACK_OF_RELATIONS,
    Ask,
    Declared,
    First,
    Found,
    Ruling,
    Truths,
    Witness,
    Wording,
    answered_as,
    entries_answered,
    is_in_range,
)

# Where the truth is this near to 0, an answer has room for being conservative by a hundredfold.
NEAR = SLACK_OF_RELATIONS / 100


class Limit:
    """An answer lies in the quantity's range, up to 1/100 and what the backend declares.

    At every other turn the point is first moved to an end of a parameter's range where the
    quantity can be near its limit 0: where the truth certainly is (at most 1/10000), the answer is
    at most 1/100. An answer that is so needs no truth. Declarations cannot be broken by it: an
    accuracy or a slack below 1 leaves an answer below 2/10000.
    """

    check = "limit"
    wording = Wording(
        "answers lie where the truth can lie, but for a slack of one hundredth",
        "where the truth lies",
        "The answer lies where the truth can lie.",
        "The answer lies where the truth cannot, by more than the law allows.",
    )

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether the quantity has a range, or a limit at some end."""
        return quantity.within != Enclosure.nothing_known() or quantity.vanishes != ()

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:
        """Take the answer, or ask for one at an end; the truth is needed where it is not near."""
        point = _at_an_end(quantity, first)
        answer = first.answer if point is None else ask(quantity.name, point)
        numbers = entries_answered(quantity, point or first.point, answer)
        if (
            point is not None
            and not numbers[0][0]
            and not _is_near(numbers[0][1], SLACK_OF_RELATIONS)
        ):
            truth = answered_as(quantity.name, point, None)
            return Found(point, numbers[0][1], (truth,))
        slack = declared.slack.get(quantity.name, Fraction(0))
        accuracy = declared.accuracy.get(quantity.name)
        place, value = next(
            (
                (place, value)
                for place, value in numbers
                if not is_in_range(value, quantity.within, slack, accuracy, of_an_entry=bool(place))
            ),
            numbers[0],
        )
        return Found(point or first.point, value, (), place)

    def verdict_on(
        self, witness: Witness, slack: Fraction, accuracy: Fraction | None, truths: Truths
    ) -> Ruling:
        """Hold the answer against the range, and against 0 where the truth is named."""
        within, value = witness.quantity.within, witness.value
        inside = is_in_range(value, within, slack, accuracy, of_an_entry=bool(witness.place))
        found = Verdict.CERTIFIED if inside else Verdict.REFUTED
        if not witness.others:
            return Ruling(found, within, of_quality=True)
        _require_an_end(witness)
        truth = truths(witness.quantity, witness.parameters, _is_decided)
        assert isinstance(truth, Enclosure)
        if _is_near(value, SLACK_OF_RELATIONS) or not inside:
            return Ruling(found, truth, of_quality=True)
        near = truth.is_above(NEAR)
        if near is Trilean.UNKNOWN:
            return Ruling(Verdict.UNDECIDED, truth)
        found = Verdict.REFUTED if near is Trilean.FALSE else found
        return Ruling(found, truth, of_quality=True)


def _is_near(value: Real, most: Fraction) -> bool:
    return -most <= value <= most


def _is_decided(truth: Enclosed) -> bool:
    return isinstance(truth, Enclosure) and truth.is_above(NEAR) is not Trilean.UNKNOWN


def _at_an_end(quantity: Quantity, first: First) -> Given | None:
    """Return the point moved to an end at every other turn, or None."""
    ends = quantity.vanishes
    if not ends or first.turn % 2 == 0:
        return None
    end = ends[first.turn // 2 % len(ends)]
    moved = at_the_end(quantity, end, first.point)
    return moved if quantity.admits(exact_point(moved)) else None


def at_the_end(quantity: Quantity, end: End, point: Given) -> Given:
    """Return a point with one parameter moved to an end."""
    return {**point, end.parameter: _value_at(quantity, end)}


def _value_at(quantity: Quantity, end: End) -> float:
    """Return a closed end of the domain where there is one, else that of the search range."""
    domain = quantity.parameters[end.parameter]
    assert isinstance(domain, Interval)
    closed = domain.at_least if end.lowest else domain.at_most
    low, high = domain.search
    return float(closed if closed is not None else Fraction(low if end.lowest else high))


def _require_an_end(witness: Witness) -> None:
    """Require the truth at the point itself, and a point that is at one of the quantity's ends."""
    quantity, parameters = witness.quantity, witness.parameters
    if len(witness.others) != 1 or witness.others[0].value is not None or witness.place:
        raise InputError("limit: a number is compared with one truth at most")
    (other,) = witness.others
    if other.quantity.name != quantity.name or other.parameters != parameters:
        raise InputError("limit: the truth is not that of the same point")
    if not any(
        parameters[end.parameter] == Fraction(_value_at(quantity, end)) for end in quantity.vanishes
    ):
        raise InputError("limit: no parameter is at an end where the quantity has its limit")
