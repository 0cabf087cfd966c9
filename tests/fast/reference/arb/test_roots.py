"""Certified roots: both signs are proved, at every scale, whatever the function's shape."""

from __future__ import annotations

from fractions import Fraction

import pytest
from each import each_of
from flint import arb
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.reference.arb.balls import INFINITY, ball, enclosure_of, working_precision
from simplexcert.reference.arb.roots import positive_root
from simplexcert.reference.likely import looking_near

scales = st.integers(-300, 300).map(lambda power: Fraction(10) ** power)
factors = st.fractions(min_value=Fraction(1, 1000), max_value=1000)


@given(scales, factors, st.integers(1, 9))
def test_a_power_gives_its_root(scale: Fraction, factor: Fraction, power: int) -> None:
    target = scale * factor
    with working_precision(128):
        root = positive_root(lambda x: (ball(x / target)).log() * power, start=Fraction(1))
        assert root.contains(ball(target).mid())
        assert enclosure_of(root).is_narrow(20)


@given(st.fractions(min_value=Fraction(1, 100), max_value=100))
def test_both_signs_are_proved_at_the_ends(target: Fraction) -> None:
    def excess(x: Fraction) -> arb:
        return (ball(x) - ball(target)) * (1 + ball(x))

    with working_precision(128):
        root = enclosure_of(positive_root(excess, start=Fraction(1)))
        assert excess(Fraction(root.lower)) <= 0
        assert excess(Fraction(root.upper)) >= 0
        assert root.is_narrow(20)


def test_an_infinite_value_at_the_limit_bounds_the_root() -> None:
    def excess(x: Fraction) -> arb:
        return INFINITY if x >= 1 else -ball(1 - x).log() - 1000

    with working_precision(128):
        root = enclosure_of(positive_root(excess, start=Fraction(1, 2), limit=Fraction(1)))
    assert root.is_narrow(20)
    assert root.upper >= 1 - Fraction(1, 10**400)


def test_a_landing_on_the_root_itself_still_gives_a_narrow_bracket() -> None:
    # At the root no precision can tell the sign; the points beside it can.
    with working_precision(128):
        root = positive_root(lambda x: ball(x) - 3, start=Fraction(2))
        assert root.contains(arb(3))
        assert enclosure_of(root).is_narrow(20)


@each_of("start", ["3", "3/2", "6", "12"])
def test_a_search_that_passes_over_the_root_itself_finds_it_all_the_same(start: str) -> None:
    with working_precision(128):
        root = positive_root(lambda x: ball(x) - 3, start=Fraction(start))
        assert root.contains(arb(3))
        assert enclosure_of(root).is_narrow(20)


def test_signs_that_never_show_leave_everything_open() -> None:
    with working_precision(128):
        root = enclosure_of(positive_root(lambda _: arb(0, 1), start=Fraction(3)))
    assert not root.is_narrow(1)
    assert root.lower <= 0
    assert root.upper == float("inf")


def test_a_noisy_function_widens_the_bracket_and_never_misses() -> None:
    noise = arb(0, 2.0**-20)
    with working_precision(128):
        root = positive_root(lambda x: ball(x) - 3 + noise, start=Fraction(1))
    assert root.contains(arb(3))
    assert not enclosure_of(root).is_narrow(20)


@pytest.mark.parametrize("steepness", [1, 50])
def test_a_jump_is_bracketed_by_bisection(steepness: int) -> None:
    third = Fraction(1, 3)
    with working_precision(128):
        root = positive_root(
            lambda x: arb(steepness) if x > third else arb(-steepness), start=Fraction(1)
        )
        assert root.contains(ball(third).mid())
        assert enclosure_of(root).is_narrow(20)


@each_of("likely", ["1/1000", "2999/1000", "3", "3001/1000", "10", "1000"])
def test_a_root_is_proved_wherever_it_is_said_to_be(likely: str) -> None:
    with working_precision(128), looking_near(Fraction(likely)):
        root = positive_root(lambda x: ball(x) ** 2 - 9, start=Fraction(1), limit=Fraction(100))
        assert root.contains(arb(3))
        assert enclosure_of(root).is_narrow(20)


def test_a_flat_place_where_the_root_is_said_to_be_leads_nowhere_else() -> None:
    third = Fraction(1, 3)
    with working_precision(128), looking_near(Fraction(3)):
        root = positive_root(lambda x: arb(1) if x > third else arb(-1), start=Fraction(1))
        assert root.contains(ball(third).mid())
        assert enclosure_of(root).is_narrow(20)


def test_from_where_a_root_is_not_the_search_goes_on_outward() -> None:
    third = Fraction(1, 3)
    asked = []

    def excess(x: Fraction) -> arb:
        asked.append(x)
        return arb(1) if x > third else arb(-1)

    with working_precision(128), looking_near(Fraction(9, 25)):
        root = positive_root(excess, start=Fraction(40))
        assert root.contains(ball(third).mid())
    assert max(asked) < Fraction(1, 2)


def test_a_place_that_is_far_from_the_start_is_left() -> None:
    asked = []

    def excess(x: Fraction) -> arb:
        asked.append(x)
        return arb(1) if x > 3 else arb(-1)

    with working_precision(128), looking_near(Fraction(10) ** 300):
        root = positive_root(excess, start=Fraction(5))
    assert root.contains(arb(3))
    assert asked[2] == 5
