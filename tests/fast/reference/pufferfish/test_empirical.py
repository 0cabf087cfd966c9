"""Chains from data: exact counts, gaps, and what the data do not tell, in sentences."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest
from each import each_of
from simplexcert.reference.domain.matrices import MAX_STATES
from simplexcert.reference.errors import DomainError, InputError
from simplexcert.reference.pufferfish.empirical import chain_from_sequences

HALF = Fraction(1, 2)


def test_counts_become_exact_shares() -> None:
    found = chain_from_sequences([[0, 0, 1, 0, 1, 1, 0]])
    assert found.states == (0, 1)
    assert found.transitions == ((1, 2), (2, 1))
    assert ((Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3))) == found.P
    assert found.stationary == (HALF, HALF)
    assert found.lengths == (7,)
    assert found.unidentified == ()
    assert found.law().initial == "stationary"
    assert found.law().P == found.P


def test_nothing_is_counted_over_a_gap_or_between_sequences() -> None:
    whole = chain_from_sequences([["b", "a", "a"], ["b", "b"], ["a", "b"]])
    for cut in (
        chain_from_sequences([["b", "a", "a", None, "b", "b", None, None, "a", "b"]]),
        chain_from_sequences([["b", "a", "a", "?", "b", "b", "?", "?", "a", "b"]], gap="?"),
    ):
        assert cut == whole
    assert whole.lengths == (3, 2, 2)
    assert whole.transitions == ((1, 1), (1, 1))


def test_arrays_lists_and_strings_are_read_alike() -> None:
    numbers = [1, 2, 2, 1, 2, -1, 2, 1]
    by_list = chain_from_sequences([numbers], gap=-1)
    assert chain_from_sequences([np.array(numbers)], gap=-1) == by_list
    by_text = chain_from_sequences(["".join("?" if n < 0 else str(n) for n in numbers)], gap="?")
    assert by_text.transitions == by_list.transitions
    assert by_text.states == ("1", "2")


def test_states_are_in_the_order_asked_for_and_those_never_seen_are_named() -> None:
    found = chain_from_sequences([[0, 1, 0, 0]], states=[1, 7, 0])
    assert found.states == (1, 0)
    assert found.never_seen == (7,)
    assert found.transitions == ((0, 1), (1, 1))
    assert any("never occur are left out: 7" in remark for remark in found.unidentified)


def test_mixed_labels_stay_as_they_came() -> None:
    assert chain_from_sequences([["x", 1, "x", 1]]).states == ("x", 1)


def test_a_state_without_a_successor_is_left_out_and_so_is_one_that_only_leads_there() -> None:
    found = chain_from_sequences([[0, 1, 0, 2, 3], [1, 0, 1, 3]])
    assert found.states == (0, 1)
    assert found.without_next == (2, 3)
    assert found.transitions == ((0, 2), (2, 0))
    assert any("3 transitions into them: 2, 3" in remark for remark in found.unidentified)


def test_two_closed_sets_have_no_stationary_law() -> None:
    found = chain_from_sequences([[0, 0], [1, 1]])
    assert found.stationary is None
    assert "stationary law is not unique" in found.unidentified[-1]
    with pytest.raises(DomainError, match="not unique"):
        found.law()


def test_passing_states_and_periods_are_said() -> None:
    passing = chain_from_sequences([[0, 1, 1]])
    assert passing.stationary == (0, 1)
    assert "reducible" in passing.unidentified[0]
    assert passing.unidentified[0].endswith(": 0")
    turning = chain_from_sequences(["abcabca"])
    assert "period 3" in turning.unidentified[0]


class NeitherEqualNorNot:
    """Like pandas.NA, which answers every comparison with itself and is neither true nor false."""

    def __eq__(self, other: object) -> Any:
        return self

    def __hash__(self) -> int:
        return 12345

    def __bool__(self) -> bool:
        raise TypeError


@each_of(
    "sequences, options, sentence",
    [
        ("abc", {}, "as a list of them"),
        ([1, 2], {}, "sequence 1 is no list"),
        ([[[1], [2]]], {}, "sequence 1 is no list"),
        ([[1.0, float("nan"), 1.0]], {}, "NaN is no state"),
        ([[1, 2]], {}, "no transition is left"),
        ([[1], [2]], {}, "no transition is left"),
        ([], {}, "no transition is left"),
        ([[1, 1, 5]], {"states": [1]}, "not in the list: 5"),
        ([[1, 1]], {"states": [1, 1]}, "twice"),
        ([list(range(MAX_STATES + 1))], {}, "group them"),
        ([count()], {}, "group them"),
        (None, {}, "as a list of them"),
        (5, {}, "as a list of them"),
        ([[np.array([1, 2]), np.array([1, 3])]], {}, "sequence 1 is no list"),
        ([[1, 1]], {"gap": [3]}, "the mark of a gap"),
        ([[1, 1]], {"states": 1}, "the list of states"),
        ([[1, 1]], {"states": [[1]]}, "the list of states"),
        ([np.full(MAX_STATES + 1, np.nan)], {}, "NaN is no state"),
        ([[1, NeitherEqualNorNot(), 1]], {}, "NaN is no state"),
    ],
)
def test_what_cannot_be_used_is_refused(sequences: Any, options: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        chain_from_sequences(sequences, **options)


def test_a_million_steps_take_no_time_to_speak_of() -> None:
    steps = np.random.default_rng(7).integers(0, 51, 10**6)
    started = time.perf_counter()
    found = chain_from_sequences([steps])
    # Measured at 0.35 s; the bound is what a machine under load may need.
    assert time.perf_counter() - started < 10
    assert sum(map(sum, found.transitions)) == 10**6 - 1
    assert sum(found.stationary or ()) == 1
