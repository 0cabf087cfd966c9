"""The made-up opinions are as gohari2020 section VI has its own, and outputs as certified."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from each import each_of
from experiments.gohari2020.experts import ADJACENT, EXPERTS, GRAIN, averages, opinions
from experiments.numbers import comes_out, falls
from experiments.outcome import Outcome
from experiments.testing import quick

FLOOR = GRAIN // 20
ERRORS = 5


@pytest.fixture(scope="module")
def experts() -> Outcome:
    return quick("gohari2020.figure-3")


def test_the_averages_differ_by_the_adjacency_over_the_vectors() -> None:
    means = averages(np.random.default_rng(1))
    step = Fraction(ADJACENT, 2 * EXPERTS)
    assert means["Q"][0] - means["P"][0] == step
    assert means["P"][1] - means["Q"][1] == step
    assert means["P"][2] == means["Q"][2]


def test_the_averages_are_exchanges_of_each_other() -> None:
    means = averages(np.random.default_rng(2))
    first, second, third = means["P"]
    assert means["Q"] == (second, first, third)
    assert first + second + third == 1


def test_every_opinion_is_of_the_bordered_simplex() -> None:
    found = opinions(np.random.default_rng(3), EXPERTS)
    assert len(found) == EXPERTS
    assert all(sum(one) == GRAIN and min(one) >= FLOOR for one in found)


def test_the_worst_input_misses_as_often_as_is_certified(experts: Outcome) -> None:
    rows = next(table for table in experts.tables if table.name == "figure-3").rows
    for row in rows:
        missing, missed, error = (float(cell) for cell in row[5:] if cell is not None)
        assert abs(missed - missing) < ERRORS * error


def test_guesses_are_right_as_often_as_is_certified(experts: Outcome) -> None:
    rows = next(table for table in experts.tables if table.name == "figure-3").rows
    for row in rows:
        right, guessed, error = (float(cell) for cell in row[2:5] if cell is not None)
        assert abs(guessed - right) < ERRORS * error


@each_of(
    "printed, value, out",
    [("1.17", 1.1678, True), ("1.16", 1.1678, False), ("20.6", 20.548, False), ("0.5", 0.54, True)],
)
def test_a_printed_number_comes_out_to_the_nearest(
    printed: str,
    value: float,
    out: bool,
) -> None:
    assert comes_out(printed, value) is out


def test_equal_values_do_not_fall() -> None:
    assert falls([3.0, 2.0, 1.0])
    assert not falls([3.0, 2.0, 2.0])
