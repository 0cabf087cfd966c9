"""The time for all climbs together: none goes on beyond it, and what is known by then is kept."""

from __future__ import annotations

import time

import pytest
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.precision import (
    MAX_SECONDS,
    Budget,
    BudgetSpentError,
    all_within,
    check_budget,
    climb,
    seconds_left,
    unlimited,
)

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
