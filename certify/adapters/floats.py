"""The step from exact numbers to the floats that other libraries take, never downwards."""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb

from ...reference.arb.balls import enclosure_of


def float_at_least(value: Fraction | float) -> float:
    """Return the smallest float that is not below a number that is at least 0."""
    try:
        nearest = float(value)
    except OverflowError:  # beyond the largest float
        return math.inf
    # Python compares a float with a fraction exactly.
    return nearest if nearest >= value else math.nextafter(nearest, math.inf)


def float_above(value: arb) -> float:
    """Return a float that is not below any number in a ball, nor below 0."""
    upper = enclosure_of(value).upper
    return float_at_least(max(upper, Fraction(0)))
