"""Cases of points: inside of the domain with the truth, outside of it with the reason.

Truths come from both engines, so narrow that a reader with doubles alone can judge. No time limit
decides what a file holds: the same seed gives the same bytes on any machine. It is precision that
is bounded; where time runs out all the same, nothing is written.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from ...reference.domain import Interval, Value
from ...reference.dyadic import Dyadic, leading
from ...reference.enclosure import Enclosed, Enclosure, Enclosures, entries_of, overlap
from ...reference.errors import SimplexcertError, SoundnessError
from ...reference.evaluation import climb_quantity, climb_second
from ...reference.exact import Nested, exact_json, exact_text
from ...reference.precision import Budget, Climbed
from ...reference.quantity import Quantity, Side
from ..checks.judgement import CASE_MAX_BITS
from ..points import Given, Point, exact_point, written_point
from .flags import flags_of_point, flags_of_truth
from .outside import Outside
from .points import case_id, inputs_exact, intervals_of, is_narrow
from .schema import VectorCase

_LARGEST = sys.float_info.max
# The smallest above 0, 2^-1074; the positions of a leading bit that is surely below it, and of one
# that is surely beyond the largest.
_SMALLEST = math.ulp(0.0)
_LEAST_LEADING = sys.float_info.min_exp - sys.float_info.mant_dig
_MOST_LEADING = sys.float_info.max_exp


def double_beside(end: Dyadic, *, up: bool) -> float:
    """Return the largest double at or below an endpoint, or the smallest at or above it."""
    if not end.is_finite:
        return math.copysign(math.inf, end.kind)
    if end.mantissa < 0:
        # 0 is added because -0 has another text in hex.
        return 0.0 - double_beside(Dyadic(-end.mantissa, end.exponent), up=not up)
    if end.mantissa == 0:
        return 0.0
    # Exponents can be astronomical: no fraction is built for what doubles do not reach.
    if leading(end) < _LEAST_LEADING:
        return _SMALLEST if up else 0.0
    if leading(end) > _MOST_LEADING:
        return math.inf if up else _LARGEST
    return _fraction_beside(Fraction(end.as_fraction()), up=up)


def _fraction_beside(value: Fraction, *, up: bool) -> float:
    """Return the nearest double, or its neighbour where that is on the wrong side."""
    if value < 0:
        return 0.0 - _fraction_beside(-value, up=not up)  # so that -0 is 0
    try:
        nearest = float(value)  # Python rounds a fraction correctly
    except OverflowError:
        return math.inf if up else _LARGEST
    wrong = Fraction(nearest) < value if up else Fraction(nearest) > value
    return math.nextafter(nearest, math.inf if up else -math.inf) if wrong else nearest


def doubles_around(found: Enclosure) -> tuple[float, float]:
    """Return the largest double at or below a number and the smallest at or above it.

    Of a number that is not known exactly: at or below its lower end, at or above its upper end.
    """
    if found.exact is not None:
        return _fraction_beside(found.exact, up=False), _fraction_beside(found.exact, up=True)
    return double_beside(found.low, up=False), double_beside(found.high, up=True)


def is_decided(found: Enclosure, *, up: bool) -> bool:
    """Whether every double is certainly on the safe side of the number, or certainly not.

    The safe side is at or above it (``up``), or at or below. It is decided for a number known
    exactly, and where of two neighbouring doubles around the enclosure the unsafe one lies outside.
    Then answers are on the safe side just as they are on that of the other double.
    """
    if found.is_point:
        return True
    low, high = doubles_around(found)
    strictly = _dyadic(low) < found.low if up else found.high < _dyadic(high)
    return strictly and math.nextafter(low, math.inf) == high


def _dyadic(value: float) -> Dyadic:
    if math.isinf(value):
        return Dyadic(0, 0, 1 if value > 0 else -1)
    top, bottom = value.as_integer_ratio()
    return Dyadic(top, 1 - bottom.bit_length())


# Significant digits to which an enclosure is narrow.
_NARROW_DIGITS = 23
_SECOND_DIGITS = 17
# For one point and one engine. Most take milliseconds; what takes longer is kept out by ranges.
MAX_SECONDS = 120.0


class TooSlowError(SimplexcertError):
    """A truth was not found in time; nothing is written, for it would depend on the machine."""


def truth_at(quantity: Quantity, exact: Mapping[str, Value]) -> Enclosed | None:
    """Return the first engine's enclosure, with which the second engine's overlaps.

    None where either needs more precision than is allowed. Where a side is safe, the enclosure says
    of every double whether it is on that side. Raises TooSlowError, and SoundnessError if
    the engines contradict each other.
    """
    first = _within_time(
        quantity,
        lambda budget: climb_quantity(
            quantity, exact, lambda found: _is_enough(quantity, found), budget, _NARROW_DIGITS
        ),
    )
    if first is None:
        return None
    second = _within_time(
        quantity,
        lambda budget: climb_second(
            quantity, exact, lambda found: found.is_narrow(_SECOND_DIGITS), budget, _SECOND_DIGITS
        ),
    )
    if second is None:
        return None
    if not overlap(second, first):
        at = ", ".join(f"{name} = {exact_text(value)}" for name, value in exact.items())
        raise SoundnessError(f"the two engines contradict each other on {quantity.name} at {at}")
    return first


def _is_enough(quantity: Quantity, found: Enclosed) -> bool:
    """Whether an enclosure is narrow and, where a side is safe, decides every double."""
    if not found.is_narrow(_NARROW_DIGITS):
        return False
    up = quantity.safe is Side.UPPER
    return quantity.safe is Side.NONE or all(
        is_decided(entry, up=up) for _, entry in entries_of(found)
    )


def _within_time(quantity: Quantity, climb: Callable[[Budget], Climbed]) -> Enclosed | None:
    """Return the enclosure of a climb; None if it ran out of precision, an error if out of time."""
    budget = Budget(MAX_SECONDS, CASE_MAX_BITS)
    climbed = climb(budget)
    if climbed.satisfied:
        return climbed.enclosure
    if budget.is_over():
        raise TooSlowError(
            f"{quantity.name}: one case took more than {MAX_SECONDS:g} s, and what is left out for "
            "time would depend on the machine; take other --quantities, fewer --cases or another "
            "--seed"
        )
    return None


# An exact truth of more digits is left to the decimals.
_LONGEST_EXACT = 400


class Inside(NamedTuple):
    """A point of the domain that may become a case, with a comment and flags."""

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
        issue=None,
    )


def case_inside(quantity: Quantity, inside: Inside) -> VectorCase | None:
    """Return the case of a point of the domain; None where an engine is not narrow enough."""
    point = inside.point
    truth = truth_at(quantity, exact_point(point))
    if truth is None or _overflows(truth):
        return None
    flags = {*inside.flags, *flags_of_point(point), *flags_of_truth(quantity, truth)}
    lower, upper = truth.decimals(_NARROW_DIGITS)
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
        issue=None,
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
    """Return the text of every entry, in lists of the array's shape."""
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
