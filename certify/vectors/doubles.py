"""The doubles nearest to an endpoint on a named side, for readers that have no larger numbers."""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from ...reference.dyadic import Dyadic, leading
from ...reference.enclosure import Enclosure

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
