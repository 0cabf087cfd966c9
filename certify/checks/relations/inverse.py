"""What an inverse answers keeps its target, and is not needlessly far from the truth."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ....reference.domain import Entries
from ....reference.enclosure import Enclosed, Enclosure, Trilean
from ....reference.errors import InputError
from ....reference.quantity import Quantity, Side, Truth, quantity_named
from ....reference.relations import InverseOf
from ...backends.answers import Real
from ...points import Answered, Given, exact_point
from ...verdict import Verdict
from .relation import (
    SLACK_OF_RELATIONS,
    TIE,
    Ask,
    Declared,
    First,
    Found,
    Other,
    Ruling,
    Truths,
    Witness,
    Wording,
    answered_as,
    number_answered,
    point_at,
    rounded,
)

# An answer is needlessly far if this many times less (of a step or k: more) would do as well.
_NEEDLESS = 2
# Instead of an answer of 0, which has no multiple: a step, gamma or k as large as this.
INSTEAD_OF_NOTHING = 2.0**-30
_LEAST = sys.float_info.min
_ZERO = Fraction(0)


class _Points(NamedTuple):
    """Where the forward quantity is held against the target: at the answer, and a factor beyond."""

    kept: Given | None
    needless: Given | None


class Inverse:
    """The target holds, certainly, at what was answered; and half of it would not do as well.

    The first half is decided by the reference's forward quantity: at the answer, moved to the safe
    side by the slack that is declared, it does not certainly exceed the target. The second, by the
    backend's own forward quantity: at half the epsilon or scale, at twice the step, gamma or k, it
    does not keep the target with 1/100 to spare. That is asked of a backend which answers it and
    declares no more slack for it than 1/100: then what it says is proof that half would do. An
    infinite answer is held against the inverse itself.
    """

    check = "inverse"
    wording = Wording(
        "what was answered keeps the target, and is not twice as far on the safe side as it has "
        "to be",
        "what the answer gives",
        "What was answered keeps the target.",
        "What was answered does not keep the target.",
    )

    def applies_to(self, quantity: Quantity) -> bool:
        """Whether the quantity is the inverse of another one."""
        return quantity.inverse is not None

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:
        """Ask the backend's own forward quantity where it can be asked."""
        value, forward = first.number, inverse_of(quantity).quantity
        slack = declared.slack.get(quantity.name, Fraction(0))
        points = _points(quantity, first.point, value, slack)
        others: list[Answered] = []
        if points.kept is not None:
            others.append(answered_as(forward, points.kept, None))
        own_slack = declared.slack.get(forward, Fraction(0))
        asked = points.needless is not None and declared.are_asked(forward, points.needless)
        if asked and points.needless and own_slack <= SLACK_OF_RELATIONS:
            own = number_answered(first.point, ask(forward, points.needless))
            others.append(answered_as(forward, points.needless, own))
        return Found(first.point, value, tuple(others))

    def verdict_on(
        self,
        witness: Witness,
        slack: Fraction,
        accuracy: Fraction | None,  # noqa: ARG002
        truths: Truths,
    ) -> Ruling:
        """Hold the forward quantity against the target, at the points that the answer gives."""
        quantity, value = witness.quantity, witness.value
        target = Fraction(witness.parameters[inverse_of(quantity).target])  # type: ignore[arg-type]
        own = _own_forward(witness, slack)
        if isinstance(value, float):
            return _infinite(witness, truths)
        if value < 0:
            safe = quantity.safe is Side.LOWER
            return Ruling(Verdict.CERTIFIED if safe else Verdict.REFUTED, point_at(target))
        kept, against = _kept(witness, target, truths)
        needless = own is not None and own <= target * (1 - SLACK_OF_RELATIONS)
        if kept is Verdict.CERTIFIED and needless:
            return Ruling(Verdict.REFUTED, against, of_quality=True)
        return Ruling(kept, against)


def _kept(witness: Witness, target: Fraction, truths: Truths) -> tuple[Verdict, Enclosure]:
    """Whether the target is kept at the answer; with no truth to ask, a step of 0 keeps any."""
    truth = next((other for other in witness.others if other.value is None), None)
    if truth is None and witness.value == 0 and witness.quantity.safe is Side.UPPER:
        return _no_noise(witness, truths)
    if truth is None:
        found = Verdict.CERTIFIED if witness.value == 0 else Verdict.UNDECIDED
        return found, point_at(target)
    line = target * (1 + TIE)

    def decided(enclosure: Enclosed) -> bool:
        return isinstance(enclosure, Enclosure) and enclosure.is_above(line) is not Trilean.UNKNOWN

    against = truths(truth.quantity, truth.parameters, decided)
    assert isinstance(against, Enclosure)
    found = _VERDICTS[against.is_above(line)]
    if found is Verdict.REFUTED and truth.quantity.truth is Truth.PRINTED:
        found = _kept_by_the_least(truth, decided, line, truths)
    return found, against


def _no_noise(witness: Witness, truths: Truths) -> tuple[Verdict, Enclosure]:
    """Hold a scale of 0, at which there is no loss to ask for, against the inverse itself."""
    truth = truths(
        witness.quantity,
        witness.parameters,
        lambda found: isinstance(found, Enclosure) and found.is_above(_ZERO) is not Trilean.UNKNOWN,
    )
    assert isinstance(truth, Enclosure)
    found = _VERDICTS[truth.is_above(_ZERO)]
    if found is Verdict.REFUTED and witness.quantity.truth is Truth.PRINTED:
        found = Verdict.INAPPLICABLE
    return found, truth


def _kept_by_the_least(
    truth: Other, decided: Callable[[Enclosed], bool], line: Fraction, truths: Truths
) -> Verdict:
    """Return the verdict where a printed number exceeds the target: whether the least does too."""
    least = truth.quantity.least
    point = None if least is None else least.point(truth.parameters)
    if least is None or point is None:
        return Verdict.INAPPLICABLE
    sound = truths(quantity_named(least.quantity), point, decided)
    exceeds = isinstance(sound, Enclosure) and sound.is_above(line) is Trilean.TRUE
    return Verdict.REFUTED if exceeds else Verdict.INAPPLICABLE


_VERDICTS = {
    Trilean.TRUE: Verdict.REFUTED,
    Trilean.FALSE: Verdict.CERTIFIED,
    Trilean.UNKNOWN: Verdict.UNDECIDED,
}


def _infinite(witness: Witness, truths: Truths) -> Ruling:
    """Hold an infinite answer against the inverse itself, which has to be infinite as well.

    On the safe side it keeps any target, and is needlessly far at most.
    """
    truth = truths(witness.quantity, witness.parameters, _says_whether_infinite)
    assert isinstance(truth, Enclosure)
    safe = (witness.value > 0) == (witness.quantity.safe is Side.UPPER)
    if witness.value < 0 or truth.high.is_finite:
        return Ruling(Verdict.REFUTED, truth, of_quality=safe)
    infinite = truth == Enclosure.infinite()
    return Ruling(Verdict.CERTIFIED if infinite else Verdict.UNDECIDED, truth)


def _says_whether_infinite(truth: Enclosed) -> bool:
    return isinstance(truth, Enclosure) and (truth.high.is_finite or truth == Enclosure.infinite())


def _points(quantity: Quantity, point: Mapping[str, Any], value: Real, slack: Fraction) -> _Points:
    """Return the points of the forward quantity that an answer gives, where there are any."""
    if isinstance(value, float) or value < 0:
        return _Points(None, None)
    if quantity.safe is Side.UPPER:
        kept = rounded(value / (1 - slack), 1)
        far = _nearest(value / _NEEDLESS) if value / _NEEDLESS >= _LEAST else None
    else:
        kept = rounded(value / (1 + slack), -1)
        far = _nearest(value * _NEEDLESS) or INSTEAD_OF_NOTHING
    return _Points(_forward_at(quantity, point, kept, 1), _forward_at(quantity, point, far, -1))


def _nearest(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def asks_further(
    quantity: Quantity, point: Mapping[str, Any], value: Real, slack: Fraction
) -> Given | None:
    """Return the point that an answer gives for the backend's own forward quantity, if any."""
    return _points(quantity, point, value, slack).needless


def _forward_at(
    quantity: Quantity, point: Mapping[str, Any], value: float | None, easier: int
) -> Given | None:
    """Return the forward quantity's point for an answer, if it is one of its domain."""
    if value is None or not math.isfinite(value):
        return None
    found = forward_point(quantity, point, value, easier)
    if any(number in (math.inf, -math.inf) for number in found.values()):
        return None
    forward = quantity_named(inverse_of(quantity).quantity)
    return found if forward.admits(exact_point(found)) else None


def forward_point(
    quantity: Quantity, point: Mapping[str, Any], value: float, easier: int
) -> dict[str, Any]:
    """Return the forward quantity's parameters at a value of its inverse.

    Those that are multiples of the value are rounded to doubles on the side that makes the forward
    quantity smaller (``easier`` 1) or larger (-1).
    """
    inverse = inverse_of(quantity)
    forward = quantity_named(inverse.quantity)
    falling = {trend.parameter for trend in forward.trends or () if not trend.rises}
    found: dict[str, Any] = {}
    for name, domain in forward.parameters.items():
        if name in inverse.multiples:
            multiple = Fraction(value) * inverse.multiples[name](exact_point(point))
            found[name] = rounded(multiple, easier if name in falling else -easier)
        elif name == inverse.solves:
            found[name] = (value,) if isinstance(domain, Entries) else value
        else:
            found[name] = point[name]
    return found


def inverse_of(quantity: Quantity) -> InverseOf:
    """Return what a quantity is the inverse of; it must be one."""
    assert quantity.inverse is not None
    return quantity.inverse


def _own_forward(witness: Witness, slack: Fraction) -> Real | None:
    """Return what the backend's own forward quantity answered a factor beyond, if it was asked.

    Raises InputError where the others are not what the answer gives.
    """
    points = _points(witness.quantity, witness.parameters, witness.value, slack)
    truths = [other for other in witness.others if other.value is None]
    owns = [other for other in witness.others if other.value is not None]
    if witness.place or len(truths) != (points.kept is not None) or len(owns) > 1:
        raise InputError("inverse: not what is held against the target of this answer")
    for others, given in ((truths, points.kept), (owns, points.needless)):
        for other in others:
            _require_point(witness, other, given)
    return owns[0].value if owns else None


def _require_point(witness: Witness, other: Other, given: Given | None) -> None:
    name = inverse_of(witness.quantity).quantity
    if given is None or other.quantity.name != name or other.parameters != exact_point(given):
        raise InputError(f"inverse: {name} is not asked at what was answered")
