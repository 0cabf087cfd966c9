"""The ladder: it climbs until satisfied, and says so when it could not."""

from __future__ import annotations

from fractions import Fraction

import pytest
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import SoundnessError
from simplexcert.reference.precision import (
    Budget,
    BudgetSpentError,
    check_budget,
    climb,
    first_bits,
)


def third_at(bits: int) -> Enclosure:
    third = Fraction(1, 3)
    low, high = (Dyadic.rounded(third, bits, up) for up in (False, True))
    return Enclosure(low, high)


def test_the_ladder_stops_at_the_first_precision_that_satisfies() -> None:
    tried: list[int] = []

    def at(bits: int) -> Enclosure:
        tried.append(bits)
        return third_at(bits)

    climbed = climb(at, lambda found: found.is_narrow(50), 64, Budget())
    assert climbed.satisfied
    assert tried == [64, 128, 256]
    assert climbed.bits == 256


def test_a_spent_budget_of_bits_leaves_the_last_enclosure_undecided() -> None:
    climbed = climb(third_at, lambda found: found.is_narrow(1000), 64, Budget(bits=512))
    assert not climbed.satisfied
    assert climbed.bits == 512
    assert climbed.enclosure.lower <= Fraction(1, 3) <= climbed.enclosure.upper


def test_a_spent_budget_of_time_leaves_the_last_enclosure_undecided() -> None:
    climbed = climb(third_at, lambda _: False, 64, Budget(seconds=0.0))
    assert not climbed.satisfied
    assert climbed.bits == 64


def test_inner_loops_notice_the_deadline_and_what_was_known_is_kept() -> None:
    def at(bits: int) -> Enclosure:
        if bits > 64:
            raise BudgetSpentError
        return third_at(bits)

    climbed = climb(at, lambda _: False, 64, Budget())
    assert not climbed.satisfied
    assert climbed.enclosure == third_at(64)


def test_the_deadline_is_seen_from_inside_and_only_there() -> None:
    def at(bits: int) -> Enclosure:
        with pytest.raises(BudgetSpentError):
            check_budget()
        return third_at(bits)

    climb(at, lambda _: True, 64, Budget(seconds=-1.0))
    check_budget()


def test_enclosures_of_one_number_that_do_not_meet_stop_everything() -> None:
    def at(bits: int) -> Enclosure:
        return Enclosure.of(Fraction(bits))

    with pytest.raises(SoundnessError):
        climb(at, lambda _: False, 64, Budget())


def test_the_first_precision_grows_with_the_digits() -> None:
    assert first_bits(20) == 128
    assert first_bits(1000) > 3322
