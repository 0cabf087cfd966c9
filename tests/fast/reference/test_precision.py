"""The ladder: it climbs until satisfied, and says so when it could not.

The time for all climbs together: none goes on beyond it, and what is known by then is kept.
"""

from __future__ import annotations

import time
from fractions import Fraction

import pytest
from simplexcert.reference import evaluate
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import SoundnessError
from simplexcert.reference.precision import (
    MAX_SECONDS,
    Budget,
    BudgetSpentError,
    all_within,
    check_budget,
    climb,
    first_bits,
    seconds_left,
    unlimited,
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


LONG = Budget(3600)
KNOWN = Enclosure.infinite()


def test_no_climb_begins_after_the_end() -> None:
    with all_within(0.0), pytest.raises(BudgetSpentError):
        climb(lambda _: KNOWN, lambda _: True, 128, LONG)


def test_a_climb_under_way_ends_with_what_it_has() -> None:
    def slow(_bits: int) -> Enclosure:
        time.sleep(0.05)
        return KNOWN

    with all_within(0.01):
        found = climb(slow, lambda _: False, 128, LONG)
    assert (found.enclosure, found.satisfied) == (KNOWN, False)


def test_a_climb_that_is_stopped_midway_keeps_what_is_known() -> None:
    asked = []

    def slow(bits: int) -> Enclosure:
        asked.append(bits)
        if len(asked) > 1:
            time.sleep(0.1)
            check_budget()
        return KNOWN

    with all_within(0.05):
        found = climb(slow, lambda _: False, 128, LONG)
    assert (found.enclosure, len(asked)) == (KNOWN, 2)


def test_an_inner_limit_never_outlasts_an_outer_one() -> None:
    with all_within(1.0):
        with all_within(3600.0):
            assert seconds_left() <= 1.0
        with all_within(None):
            assert seconds_left() <= 1.0
        with all_within(0.0), pytest.raises(BudgetSpentError):
            check_budget()
        check_budget()
    assert seconds_left() == MAX_SECONDS
    check_budget()


def test_a_limit_is_lifted_for_a_block_and_holds_again_after_it() -> None:
    with all_within(0.0):
        with unlimited():
            assert climb(lambda _: KNOWN, lambda _: True, 128, LONG).satisfied
            assert seconds_left() == MAX_SECONDS
        with pytest.raises(BudgetSpentError):
            check_budget()


def test_no_limit_is_no_limit() -> None:
    with all_within(None):
        assert evaluate("dirichlet.profile.delta", {"alpha": 1, "step": 1, "epsilon": 1}).narrow
