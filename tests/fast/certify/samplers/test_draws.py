"""Answers of samplers: what is read as draws, and the sentence for what is not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from each import each_of
from simplexcert.certify.backends.draws import BadDrawsError, draws_in
from simplexcert.certify.backends.messages import BackendError


class Strange:
    """An object whose every attribute ends the process."""

    @property
    def __class__(self) -> type:
        raise SystemExit(0)


class Long(list[float]):
    def __len__(self) -> int:
        return 2


class Told(np.ndarray):
    """An array that says other numbers than it holds."""

    def tolist(self) -> list[float]:  # type: ignore[override]
        return [0.5, 0.5]


class ToldFloat(float):
    def __float__(self) -> float:
        return 0.5


@each_of(
    "answer",
    [
        [[0.5, 0.5], [0.25, 0.75]],
        ((0.5, 0.5), (0.25, 0.75)),
        [np.array([0.5, 0.5]), np.array([0.25, 0.75])],
        np.array([[0.5, 0.5], [0.25, 0.75]]),
        np.array([[0.5, 0.5], [0.25, 0.75]], dtype=np.float32),
        [[np.float64(0.5), np.float32(0.5)], [0.25, 0.75]],
    ],
)
def test_tables_of_doubles_are_draws(answer: Any) -> None:
    found = draws_in(answer, 2, 2)
    assert found.dtype == np.float64
    assert found.tolist() == [[0.5, 0.5], [0.25, 0.75]]


@pytest.mark.parametrize("answer", [[1.5, -2], (1.5, -2.0), np.array([1.5, -2.0])])
def test_lists_of_doubles_are_draws_of_numbers(answer: Any) -> None:
    assert draws_in(answer, 2, None).tolist() == [[1.5], [-2.0]]


@each_of(
    "answer, sentence",
    [
        ([[0.5, 0.5]], "answered 1 draws, not 2"),
        ([[0.5, 0.5]] * 3, "answered more than 2 draws, not 2"),
        ([[0.5, 0.5], [1.0]], "answered 1 coordinates at [2], not 2"),
        ([[0.5, 0.5], 1.0], "answered 1.0 at [2], which is no list of coordinates"),
        ([[0.5, 0.5], [0.5, math.nan]], "answered nan at [2,2]"),
        ([[0.5, 0.5], [0.5, math.inf]], "answered inf at [2,2]"),
        ([[0.5, 0.5], [0.5, True]], "answered True at [2,2], which is no double"),
        ([[0.5, 0.5], [0.5, "0.5"]], "answered '0.5' at [2,2], which is no double"),
        ([[0.5, 0.5], [0.5, 2**53 + 1]], "answered 9007199254740993 at [2,2], which is no double"),
        ([[0.5, 0.5], [0.5, np.longdouble(1)]], "which is no double"),
        (np.zeros((2, 3)), "answered an array of shape (2, 3), not (2, 2)"),
        (np.zeros((2, 2), dtype=int), "answered an array of int64, which are no doubles"),
        (np.zeros((2, 2), dtype=object), "answered an array of object, which are no doubles"),
        (np.zeros((2, 2), dtype=np.longdouble), "which are no doubles"),
        (None, "answered None, which is no list of draws"),
        (ValueError("no seed"), "ValueError: no seed"),
        (BackendError("no such alpha"), "no such alpha"),
        (ValueError("\x1b[2J\nCERTIFIED"), "ValueError: ?[2J CERTIFIED"),
        ([[0.5, 0.5], [0.5, 10**400]], "answered a list that raises OverflowError"),
        (Long([1.0] * 3), "which is no list of draws"),
        (np.zeros((2, 2)).view(Told), "which is no list of draws"),
        ([np.zeros(2).view(Told)] * 2, "which is no list of coordinates"),
        (np.ma.masked_array(np.ones((2, 2)), mask=True), "which is no list of draws"),
        ([[0.5, 0.5], [0.5, ToldFloat(0.0)]], "which is no double"),
    ],
)
def test_what_is_no_table_of_doubles_is_told(answer: Any, sentence: str) -> None:
    with pytest.raises(BadDrawsError) as error:
        draws_in(answer, 2, 2)
    assert sentence in str(error.value)


def test_an_answer_that_ends_the_process_is_told() -> None:
    with pytest.raises(BadDrawsError, match="answered a list that raises SystemExit"):
        draws_in([[0.5, 0.5], Strange()], 2, 2)


def test_a_bad_number_has_its_place() -> None:
    with pytest.raises(BadDrawsError, match=r"answered -inf at \[2\]"):
        draws_in([1.0, -math.inf], 2, None)
