"""Ends as doubles: the lower one is never above the end, the upper never below, both nearest."""

from __future__ import annotations

import math
import random
import sys
from fractions import Fraction

import pytest
from instances import instances
from simplexcert.reference import Enclosure
from simplexcert.reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic

LARGEST, SMALLEST = sys.float_info.max, math.ulp(0.0)
EXPONENTS = (
    range(-1300, 1100),
    range(-1290, -1060),  # subnormal, and below all doubles
    range(800, 980),  # beside the largest
    range(-60, 10),
)


def drawn(seed: int) -> Dyadic:
    draw = random.Random(seed)  # noqa: S311
    mantissa = draw.getrandbits(draw.choice((1, 5, 53, 54, 60, 200)))
    return Dyadic(draw.choice((1, -1)) * mantissa, draw.choice(draw.choice(EXPONENTS)))


@pytest.mark.parametrize("block", range(instances(4, 200)))
def test_the_two_doubles_enclose_the_end_and_no_double_lies_between(block: int) -> None:
    for seed in range(1000 * block, 1000 * block + 500):
        end = drawn(seed)
        exact, low, high = end.as_fraction(), end.as_float(up=False), end.as_float(up=True)
        assert low <= exact <= high
        if low == high:
            assert Fraction(low) == exact
        else:
            assert math.nextafter(low, math.inf) == high


def test_a_double_is_itself() -> None:
    for value in (0.0, 1.0, -0.1, SMALLEST, sys.float_info.min, LARGEST, -LARGEST):
        end = Dyadic.rounded(Fraction(value), 53, up=False)
        assert end.as_float(up=False) == end.as_float(up=True) == value


@pytest.mark.parametrize("power", [1024, 5000, 10**18])
def test_what_is_larger_than_all_doubles_lies_between_the_largest_and_infinity(power: int) -> None:
    end, negative = Dyadic(1, power), Dyadic(-1, power)
    assert (end.as_float(up=False), end.as_float(up=True)) == (LARGEST, math.inf)
    assert (negative.as_float(up=False), negative.as_float(up=True)) == (-math.inf, -LARGEST)


def test_rounding_up_from_the_largest_double_overflows_to_infinity() -> None:
    end = Dyadic(2**54 - 1, 970)
    assert (end.as_float(up=False), end.as_float(up=True)) == (LARGEST, math.inf)


@pytest.mark.parametrize("power", [-1075, -5000, -(10**18)])
def test_what_is_smaller_than_all_doubles_lies_between_zero_and_the_smallest(power: int) -> None:
    end, negative = Dyadic(1, power), Dyadic(-1, power)
    assert (end.as_float(up=False), end.as_float(up=True)) == (0.0, SMALLEST)
    assert (negative.as_float(up=False), negative.as_float(up=True)) == (-SMALLEST, 0.0)


def test_infinities_stay() -> None:
    assert PLUS_INFINITY.as_float(up=False) == math.inf
    assert MINUS_INFINITY.as_float(up=True) == -math.inf


def test_an_enclosure_of_a_third_has_its_two_neighbouring_doubles() -> None:
    third = Enclosure.of(Fraction(1, 3))
    assert third.lower_float < Fraction(1, 3) < third.upper_float
    assert math.nextafter(third.lower_float, 1) == third.upper_float
