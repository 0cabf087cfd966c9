"""The scale of a class of two-state chains, by its corner."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.errors import DomainError
from simplexcert.reference.pufferfish.two_state import quilt_scale_two_state, worst_corner


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with working_precision(128):
        yield


def stay(low: str, high: str) -> Fraction:
    return worst_corner(Fraction(low), Fraction(high)).P[0][0]


def test_the_corner_is_the_end_farther_from_a_half() -> None:
    assert stay("0.3", "0.6") == Fraction("0.3")
    assert stay("0.3", "0.8") == Fraction("0.8")
    assert stay("0.1", "0.2") == Fraction("0.1")
    assert stay("0.6", "0.7") == Fraction("0.7")


def test_independent_entries_need_one_entry() -> None:
    half = Fraction(1, 2)
    answer = evaluate(
        "pufferfish.quilt_scale_two_state",
        {"low": half, "high": half, "length": 9, "epsilon": 2, "width": 9},
    )
    assert answer.enclosure.lower == answer.enclosure.upper == half


def test_no_quilt_in_reach_leaves_the_trivial_one() -> None:
    high = Fraction(999, 1000)
    assert quilt_scale_two_state(high, high, 9, Fraction(1, 2), 9) == 18


def test_an_empty_class_is_refused() -> None:
    point = {"low": "0.6", "high": "0.4", "length": "9", "epsilon": "1", "width": "9"}
    with pytest.raises(DomainError, match="low <= high"):
        evaluate("pufferfish.quilt_scale_two_state", point)
