"""Enclosures of arrays: what holds of an array holds of each of its entries."""

from __future__ import annotations

from fractions import Fraction

import pytest
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.enclosures import (
    Enclosed,
    Enclosures,
    entries_of,
    entry_at,
    largest_size,
    mapped,
    met,
    number_in,
    overlap,
)
from simplexcert.reference.errors import SoundnessError

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


@pytest.mark.parametrize("place", [(), (0,), (3,), (1, 1), (-1,)])
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
