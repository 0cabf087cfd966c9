"""A judged case beside its line: all that the line rounds or leaves out, exact, as text.

The line tells the point, the answer and the verdict; what is written here tells the truth's exact
ends and the distance. A case that is read back must have the very line that it belongs to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosure
from ...reference.errors import InputError, SimplexcertError
from ...reference.quantity import quantity_named
from ..points import Answered, Case, PointKind, point_from
from ..verdict import Verdict

# Whole numbers in hexadecimal: their length is bounded by the line's, and reading them is linear.
_WHOLE = re.compile(r"-?[0-9a-f]+", re.ASCII)
# No exponent of a truth has more hexadecimal digits: FLINT's own are far below 2^(4 times that).
_LONGEST_EXPONENT = 40
_MOST_PLACES = 2

# A tally's worst case, or one of those for the picture.
Use = Literal["sample", "worst"]


class WrittenEnd(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A dyadic number, or an infinity by the sign of its kind."""

    mantissa: str
    exponent: Annotated[str, Meta(max_length=_LONGEST_EXPONENT)]
    kind: Literal[-1, 0, 1]


class WrittenCase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a case has besides its line, whose place in its batch is told, and what it is for."""

    place: Annotated[int, Meta(ge=0)]
    use: Use
    low: WrittenEnd
    high: WrittenEnd
    exact: str | None
    ulps: str | None
    side: str
    violation: str
    reason: str


class LineOfCase(msgspec.Struct, frozen=True):
    """A transcript's line, as far as a case is read from it."""

    quantity: str
    check: str
    kind: PointKind
    verdict: Verdict
    parameters: dict[str, Any]
    entry: Annotated[list[int], Meta(max_length=_MOST_PLACES)]
    value: str
    others: list[LineOfOther] = []


class LineOfOther(msgspec.Struct, frozen=True):
    """What a law compares with, in a transcript's line."""

    quantity: str
    parameters: dict[str, Any]
    value: str | None


def written_case(case: Case, place: int, use: Use) -> WrittenCase:
    """Return what is to be written beside a case's line."""
    truth = case.truth
    return WrittenCase(
        place,
        use,
        _end(truth.low),
        _end(truth.high),
        None if truth.exact is None else _ratio(truth.exact),
        None if case.ulps is None else _ratio(case.ulps),
        case.side,
        _ratio(case.violation),
        case.reason,
    )


def case_again(line: str, told: LineOfCase, beside: WrittenCase) -> Case:
    """Return the case that was written. Raises InputError where the two do not belong together."""
    try:
        case = Case(
            told.quantity,
            told.check,
            _point(told.quantity, told.parameters),
            told.value,
            told.verdict,
            Enclosure(_dyadic(beside.low), _dyadic(beside.high), _optional(beside.exact)),
            _optional(beside.ulps),
            beside.side,
            _fraction(beside.violation),
            beside.reason,
            tuple(told.entry),
            tuple(_answered(other) for other in told.others),
            told.kind,
        )
        same = case.line() == line
    except (SimplexcertError, ValueError, OverflowError, TypeError) as error:
        raise InputError(f"a case cannot be read back: {error}") from None
    if not same:
        raise InputError("a case does not have the line that it is written beside")
    return case


def _answered(other: LineOfOther) -> Answered:
    return Answered(other.quantity, _point(other.quantity, other.parameters), other.value)


def _point(quantity: str, parameters: Mapping[str, Any]) -> Any:
    return point_from(quantity_named(quantity), parameters)


def _end(end: Dyadic) -> WrittenEnd:
    return WrittenEnd(f"{end.mantissa:x}", f"{end.exponent:x}", end.kind)  # type: ignore[arg-type]


def _dyadic(end: WrittenEnd) -> Dyadic:
    return Dyadic(_whole(end.mantissa), _whole(end.exponent), end.kind)


def _ratio(value: Fraction) -> str:
    return f"{value.numerator:x}/{value.denominator:x}"


def _optional(text: str | None) -> Fraction | None:
    return None if text is None else _fraction(text)


def _fraction(text: str) -> Fraction:
    top, _, bottom = text.partition("/")
    if not _whole(bottom) > 0:
        raise InputError("a fraction without a positive denominator")
    return Fraction(_whole(top), _whole(bottom))


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise InputError("Expected a whole number in hexadecimal")
    return int(text, 16)
