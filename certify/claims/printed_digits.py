"""How a printed decimal comes out of a number: to the nearest, cut off, or rounded up."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from ...reference.enclosure import Enclosure

NEAREST, CUT_OFF, ROUNDED_UP = "rounded to the nearest", "cut off", "rounded up"


def how_it_rounds(printed: str, value: Enclosure) -> str | None:
    """Return how the printed digits come out of the number.

    The empty text where in no way: the enclosure excludes them. None where the enclosure is too
    wide to tell. Signs are as printed; the last printed digit is the unit.
    """
    said = Decimal(printed)
    unit = Fraction(10) ** int(said.as_tuple().exponent)
    at = Fraction(said)
    if _within(value, at - unit / 2, at + unit / 2):
        return NEAREST
    outward = unit if at >= 0 else -unit
    if _within(value, *sorted((at, at + outward))):
        return CUT_OFF
    if _within(value, *sorted((at - outward, at))):
        return ROUNDED_UP
    outside = value.high.compared_with(at - unit) < 0 or value.low.compared_with(at + unit) > 0
    return "" if outside else None


def _within(value: Enclosure, low: Fraction, high: Fraction) -> bool:
    if value.exact is not None:
        return low <= value.exact <= high
    return value.low.compared_with(low) >= 0 and value.high.compared_with(high) <= 0
