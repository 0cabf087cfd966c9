"""A case from a point: inside of the domain with the truth, outside of it with the reason."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from ...reference.domain import Interval
from ...reference.enclosure import Enclosure
from ...reference.enclosures import Enclosed, Enclosures, entries_of
from ...reference.exact import Nested, exact_json
from ...reference.quantity import Quantity
from ..points import Given, Point, exact_point, written_point
from .doubles import doubles_around
from .edges import intervals_of, is_narrow
from .flags import flags_of_point, flags_of_truth
from .models import VectorCase
from .outside import Outside
from .points import case_id, inputs_exact
from .truth import NARROW_DIGITS, truth_at

# An exact truth of more digits is left to the decimals.
_LONGEST_EXACT = 400


class Inside(NamedTuple):
    """A point of the domain that may become a case, and what is known of it besides."""

    point: Point
    comment: str = ""
    flags: tuple[str, ...] = ()


def case_outside(quantity: Quantity, outside: Outside) -> VectorCase:
    """Return the case of a point outside of the domain."""
    return VectorCase(
        id=case_id(quantity.name, outside.point),
        result="invalid",
        flags=sorted(outside.flags),
        comment=outside.why,
        inputs=written_point(outside.point),
        inputs_exact=inputs_exact(outside.point),
        lower=None,
        upper=None,
        lower_double=None,
        upper_double=None,
        exact=None,
    )


def case_inside(quantity: Quantity, inside: Inside) -> VectorCase | None:
    """Return the case of a point of the domain; None where no engine can do what a case needs."""
    point = inside.point
    truth = truth_at(quantity, exact_point(point))
    if truth is None or _overflows(truth):
        return None
    flags = {*inside.flags, *flags_of_point(point), *flags_of_truth(quantity, truth)}
    lower, upper = truth.decimals(NARROW_DIGITS)
    exact = _exact_told(truth)
    if exact is not None:
        flags.add("ExactTruth")
    refusable = "HugeTruth" in flags or is_beyond(quantity, point) or is_narrow(quantity, point)
    return VectorCase(
        id=case_id(quantity.name, point),
        result="acceptable" if refusable else "valid",
        flags=sorted(flags),
        comment=inside.comment,
        inputs=written_point(point),
        inputs_exact=inputs_exact(point),
        lower=lower,
        upper=upper,
        lower_double=_shaped(lambda entry: doubles_around(entry)[0].hex(), truth),
        upper_double=_shaped(lambda entry: doubles_around(entry)[1].hex(), truth),
        exact=exact,
    )


def _overflows(truth: Enclosed) -> bool:
    """Whether some finite truth is beyond the largest double: none could be answered then."""
    return any(
        entry != Enclosure.infinite() and math.isinf(doubles_around(entry)[1])
        for _, entry in entries_of(truth)
    )


def _exact_told(truth: Enclosed) -> Any:
    """Return the truth as fractions, where it is known exactly and short."""
    exact: Nested | None = truth.exact
    told = None if exact is None else exact_json(exact)
    return None if len(str(told)) > _LONGEST_EXACT else told


def _shaped(change: Callable[[Enclosure], str], found: Enclosed) -> Any:
    """Return what becomes of every entry, in lists of the array's shape."""
    if isinstance(found, Enclosures):
        return [_shaped(change, entry) for entry in found.entries]
    return change(found)


def is_beyond(quantity: Quantity, point: Given) -> bool:
    """Whether some number lies outside of its search range, and is no closed end of its domain."""
    return any(
        _is_beyond(interval, Fraction(value))
        for _, _, interval, value in intervals_of(quantity, point)
    )


def _is_beyond(interval: Interval, value: Fraction) -> bool:
    low, high = map(Fraction, interval.search)
    closed = (interval.at_least, interval.at_most)
    if closed == (None, None) and interval.above is None:  # of any sign
        return bool(value) and not low <= abs(value) <= high
    return not low <= value <= high and value not in closed
