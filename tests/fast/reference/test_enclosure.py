"""Enclosures: exact ends, three-valued comparison, decimals rounded outward; arrays of them."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import product

import pytest
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from simplexcert.reference.enclosure import (
    Enclosed,
    Enclosure,
    Enclosures,
    Trilean,
    entries_of,
    entry_at,
    largest_size,
    mapped,
    met,
    number_in,
    overlap,
)
from simplexcert.reference.errors import SoundnessError

dyadics = st.builds(Dyadic, st.integers(-(2**80), 2**80), st.integers(-200, 200))
enclosures = st.tuples(dyadics, dyadics).map(lambda pair: Enclosure(min(pair), max(pair)))


def value(end: Dyadic) -> Fraction:
    exact = end.as_fraction()
    assert isinstance(exact, Fraction)
    return exact


@given(dyadics, dyadics)
def test_dyadics_are_ordered_as_the_numbers_they_are(first: Dyadic, second: Dyadic) -> None:
    assert (first < second) == (value(first) < value(second))
    assert (first <= second) == (value(first) <= value(second))
    assert (first == second) == (value(first) == value(second))


@given(dyadics, st.integers(0, 60))
def test_equal_dyadics_have_equal_hashes(end: Dyadic, shift: int) -> None:
    same = Dyadic(end.mantissa << shift, end.exponent - shift)
    assert same == end
    assert hash(same) == hash(end)


@given(dyadics, st.fractions())
def test_a_dyadic_compares_exactly_with_a_rational(end: Dyadic, other: Fraction) -> None:
    expected = (value(end) > other) - (value(end) < other)
    assert end.compared_with(other) == expected


def test_astronomical_exponents_compare_at_once() -> None:
    tiny, tinier = Dyadic(3, -(10**15)), Dyadic(1, -(10**15))
    assert Dyadic(0) < tinier < tiny < Dyadic(1, 10**15) < PLUS_INFINITY
    assert MINUS_INFINITY < Dyadic(-1, 10**15) < Dyadic(-1, -(10**15)) < Dyadic(0)
    assert tiny.compared_with(Fraction(1, 10**100)) == -1


@given(st.fractions(), st.integers(2, 200), st.booleans())
def test_rounding_to_a_dyadic_keeps_to_its_side(exact: Fraction, bits: int, up: bool) -> None:
    rounded = Dyadic.rounded(exact, bits, up)
    assert (value(rounded) >= exact) if up else (value(rounded) <= exact)
    assert abs(value(rounded) - exact) * 2 ** (bits - 2) <= abs(exact)


@given(dyadics, st.integers(1, 40), st.booleans())
def test_decimals_round_to_their_side(end: Dyadic, digits: int, up: bool) -> None:
    printed = Fraction(end.decimal(digits, up))
    assert (printed >= value(end)) if up else (printed <= value(end))
    assert abs(printed - value(end)) * 10 ** (digits - 1) <= abs(value(end))


def test_decimals_of_astronomical_numbers_bracket_them() -> None:
    end = Dyadic(1, -(10**12))
    down, up = end.decimal(20, up=False), end.decimal(20, up=True)
    # log10(2) * 10^12 = 301029995663.98...; the leading digits are 10^(1 - 0.98...).
    assert down.split("e")[1] == up.split("e")[1] == "-301029995664"
    assert Fraction(down.split("e")[0]) < Fraction(up.split("e")[0])
    assert Fraction(up.split("e")[0]) - Fraction(down.split("e")[0]) < Fraction(1, 10**18)


def test_short_numbers_are_printed_plainly() -> None:
    assert Dyadic(1, -1).decimal(22, up=True) == "0.5"
    assert Dyadic(-5, 0).decimal(22, up=True) == "-5"
    assert Dyadic(1, -20).decimal(22, up=False) == "9.5367431640625e-7"
    assert PLUS_INFINITY.decimal(5, up=True) == "inf"
    assert Dyadic(0).decimal(5, up=True) == "0"


def test_inverted_ends_are_a_soundness_error() -> None:
    with pytest.raises(SoundnessError):
        Enclosure(Dyadic(2), Dyadic(1))


def test_a_three_valued_answer_is_no_condition() -> None:
    with pytest.raises(TypeError, match="three-valued"):
        bool(Trilean.FALSE)


@given(enclosures, st.fractions())
def test_comparisons_say_unknown_exactly_when_the_number_is_inside(
    enclosure: Enclosure, other: Fraction
) -> None:
    low, high = value(enclosure.low), value(enclosure.high)
    below, above = enclosure.is_below(other), enclosure.is_above(other)
    assert (below is Trilean.TRUE) == (high < other)
    assert (above is Trilean.TRUE) == (low > other)
    assert (below is Trilean.FALSE) == (low >= other and high >= other)
    assert (below is Trilean.UNKNOWN) == (low < other <= high)


def test_nothing_known_decides_nothing() -> None:
    known = Enclosure.nothing_known()
    assert known.is_below(Fraction(0)) is Trilean.UNKNOWN
    assert known.is_above(Fraction(0)) is Trilean.UNKNOWN
    assert not known.is_narrow(1)
    assert known.decimals(3) == ("-inf", "inf")


def test_an_infinite_number_is_above_every_rational() -> None:
    infinite = Enclosure.infinite()
    assert infinite.is_above(Fraction(10**100)) is Trilean.TRUE
    assert infinite.is_narrow(20)
    assert infinite.lower == infinite.upper == float("inf")


@given(enclosures, enclosures)
def test_meeting_keeps_what_both_allow(first: Enclosure, second: Enclosure) -> None:
    if first.overlaps(second):
        both = first.meet(second)
        assert both.low == max(first.low, second.low)
        assert both.high == min(first.high, second.high)
    else:
        with pytest.raises(SoundnessError):
            first.meet(second)


@given(enclosures, st.integers(1, 30))
def test_narrow_means_the_published_width_with_room_to_print(
    enclosure: Enclosure, digits: int
) -> None:
    low, high = value(enclosure.low), value(enclosure.high)
    size = max(abs(low), abs(high))
    if enclosure.is_narrow(digits):
        assert 2 * (high - low) * 10 ** (digits - 1) <= size
        printed_low, printed_high = map(Fraction, enclosure.decimals(digits))
        printed_size = max(abs(printed_low), abs(printed_high))
        assert (printed_high - printed_low) * 10 ** (digits - 1) <= printed_size
    elif high > low:
        assert 3 * (high - low) * 10 ** (digits - 1) > size


def test_a_known_rational_is_a_point_with_decimals_on_both_sides() -> None:
    third = Enclosure.of(Fraction(1, 3))
    assert third.is_point
    assert third.decimals(3) == ("0.33333", "0.33334")
    assert third.is_below(Fraction(1, 3)) is Trilean.FALSE
    assert third.is_above(Fraction(1, 3)) is Trilean.FALSE


@given(enclosures)
def test_enclosures_survive_pickling_exactly(enclosure: Enclosure) -> None:
    assert pickle.loads(pickle.dumps(enclosure)) == enclosure  # noqa: S301


def test_enclosures_overlap_where_one_number_lies_in_both() -> None:
    ends = [(low, high) for low in range(4) for high in range(low, 4)]
    for (low, high), (least, most) in product(ends, ends):
        one, other = Enclosure(Dyadic(low), Dyadic(high)), Enclosure(Dyadic(least), Dyadic(most))
        shared = set(range(low, high + 1)) & set(range(least, most + 1))
        assert one.overlaps(other) is bool(shared)


NOTHING = Enclosure.nothing_known()


def between(low: int, high: int) -> Enclosure:
    return Enclosure(Dyadic(low), Dyadic(high))


def array(*pairs: tuple[int, int]) -> Enclosures:
    return Enclosures(tuple(between(*pair) for pair in pairs))


def test_entries_meet_one_by_one() -> None:
    assert met(array((0, 3), (5, 9)), array((1, 4), (2, 6))) == array((1, 3), (5, 6))


def test_what_a_number_lies_in_holds_for_every_entry() -> None:
    expected = array((0, 3), (2, 4))
    assert met(array((-1, 3), (2, 9)), between(0, 4)) == expected
    assert met(between(0, 4), array((-1, 3), (2, 9))) == expected


@pytest.mark.parametrize(
    "other", [array((0, 1), (5, 6)), array((0, 1)), Enclosures((array((0, 1), (2, 3)),))]
)
def test_arrays_of_other_numbers_or_shapes_do_not_meet(other: Enclosures) -> None:
    with pytest.raises(SoundnessError):
        met(array((0, 1), (2, 3)), other)


def test_an_array_and_a_number_do_not_overlap_unless_nothing_is_known() -> None:
    assert not overlap(array((0, 1)), between(0, 1))
    assert not overlap(between(0, 1), array((0, 1)))
    assert overlap(array((0, 1)), NOTHING)
    assert overlap(NOTHING, array((0, 1)))


def test_an_array_is_as_narrow_as_its_widest_entry() -> None:
    point = Enclosure.of(Fraction(1, 3))
    assert Enclosures((point, point)).is_narrow(20)
    assert not Enclosures((point, between(0, 1))).is_narrow(2)
    assert not Enclosures((Enclosures((point, between(0, 1))),)).is_narrow(2)


def test_an_array_is_exact_where_all_entries_are() -> None:
    third = Enclosure.of(Fraction(1, 3))
    assert Enclosures((third, third)).exact == (Fraction(1, 3), Fraction(1, 3))
    assert Enclosures((third, between(0, 1))).exact is None
    assert Enclosures((Enclosures((between(0, 1),)),)).exact is None


def test_ends_and_decimals_have_the_shape_of_the_array() -> None:
    table = Enclosures((array((0, 1), (2, 3)), array((4, 5), (6, 7))))
    assert table.lower == ((0, 2), (4, 6))
    assert table.upper == ((1, 3), (5, 7))
    assert table.decimals(5) == ([["0", "2"], ["4", "6"]], [["1", "3"], ["5", "7"]])


def test_every_entry_is_found_at_its_place() -> None:
    table: Enclosed = Enclosures((array((0, 1), (2, 3)), array((4, 5), (6, 7))))
    places = dict(entries_of(table))
    assert list(places) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert all(entry_at(table, place) == entry for place, entry in places.items())
    assert entry_at(between(0, 1), ()) == between(0, 1)


@each_of("place", [(), (0,), (3,), (1, 1), (-1,)])
def test_no_entry_is_found_at_any_other_place(place: tuple[int, ...]) -> None:
    with pytest.raises(LookupError):
        entry_at(array((0, 1), (2, 3)), place)


def test_the_largest_size_is_that_of_the_entry_farthest_from_zero() -> None:
    assert largest_size(array((-7, -5), (1, 6))) == between(5, 7)
    assert largest_size(array((-2, 3))) == between(0, 3)
    assert largest_size(array((-3, 2), (-1, 1))) == between(0, 3)


def test_an_array_is_no_number() -> None:
    assert number_in(between(0, 1)) == between(0, 1)
    with pytest.raises(TypeError):
        number_in(array((0, 1)))


def test_a_nested_sequence_keeps_its_shape() -> None:
    found = mapped(Enclosure.of, [(Fraction(1), Fraction(2)), [Fraction(3)]])
    assert found.exact == ((1, 2), (3,))
