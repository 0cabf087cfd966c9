"""Exact lists and tables: read number by number, and refused with a sentence that says where."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np
import pytest
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import exact_integer, exact_number, parse_json
from simplexcert.reference.exact_lists import exact_rows, exact_sum, exact_vector

COLUMNS = {"alpha": exact_number, "count": exact_integer}


@pytest.mark.parametrize(
    "given", ['["1/2", 0.1, 3]', ["1/2", "0.1", 3], ("0.5", Fraction(1, 10), 3.0)]
)
def test_a_vector_is_read_entry_by_entry(given: object) -> None:
    assert exact_vector(given, "alpha", 3) == (Fraction(1, 2), Fraction(1, 10), Fraction(3))


def test_an_array_of_floats_is_the_dyadics_it_holds() -> None:
    assert exact_vector(np.array([0.1, 2.0]), "alpha", 3) == (Fraction(0.1), Fraction(2))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("0.1", "alpha: '0.1' is not a list of numbers"),
        ("[]", "the list is empty; it holds numbers"),
        ({"a": 1}, "not a list of numbers"),
        (None, "not a list of numbers"),
        ('[1, "x"]', "alpha, entry 2: 'x' is not a number"),
        ("[1, [2]]", "alpha, entry 2: .* is not a number"),
        ("[1, 2, 3, 4]", "alpha: a list of 4 numbers is longer than 3"),
        ("[1, 2", "alpha is not JSON"),
        ([float("nan")], "not a finite number"),
    ],
)
def test_what_is_no_vector_is_answered_with_a_sentence(given: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        exact_vector(given, "alpha", 3)


@pytest.mark.parametrize(
    "given",
    [
        '[["1/2", 3], [0.1, "4"]]',
        [["1/2", 3], ["0.1", 4.0]],
        ((0.5, 3), (Fraction(1, 10), "8/2")),
        parse_json('[["1/2", 3], [0.1, 4.0]]'),
        [np.array([0.5, 3.0]), ("1/10", np.int64(4))],
    ],
)
def test_a_table_is_read_row_by_row_and_its_integers_stay_integers(given: object) -> None:
    found = exact_rows(given, "releases", COLUMNS, 2)
    assert found == ((Fraction(1, 2), 3), (Fraction(1, 10), 4))
    assert [[type(item) for item in row] for row in found] == [[Fraction, int]] * 2


def test_an_array_of_two_dimensions_is_a_table() -> None:
    found = exact_rows(np.array([[0.1, 2.0], [0.5, 1.0]]), "releases", COLUMNS, 2)
    assert found == ((Fraction(0.1), 2), (Fraction(1, 2), 1))


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("0.1", r"releases: '0\.1' is not a list of rows \[alpha, count\]"),
        ("[]", "the list is empty; it holds rows"),
        ({"a": 1}, "not a list of rows"),
        (None, "not a list of rows"),
        ("[[1, 2]", "releases is not JSON"),
        ("[1, 2]", r"releases, row 1: 1 is not a list of numbers \[alpha, count\]"),
        ('[[1, 2], "[1, 2]"]', "releases, row 2: .* is not a list of numbers"),
        ("[[1, 2], []]", "releases, row 2: the list is empty"),
        ("[[1, 2], [1]]", r"releases, row 2: \[1\] lacks count"),
        ("[[1, 2, 3]]", "releases, row 1: a list of 3 numbers is longer than 2"),
        ('[[1, 2], ["x", 2]]', "releases, row 2, alpha: 'x' is not a number"),
        ("[[1, [2]]]", r"releases, row 1, count: \[2\] is not a number"),
        ("[[1, true]]", "releases, row 1, count: True is a truth value"),
        ("[[1, 2.5]]", "releases, row 1, count: 5/2 is not a whole number"),
        ([(1, float("nan"))], "releases, row 1, count: nan is not a finite number"),
        ("[[1, 1e99999]]", "releases: the exponent"),
        ([[1, 1]] * 4, "releases: a list of 4 rows is longer than 3"),
        ("[" * 100_000, "nested too deeply"),
    ],
    ids=lambda given: str(given)[:30],
)
def test_what_is_no_table_is_answered_by_row_and_column(given: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        exact_rows(given, "releases", COLUMNS, 3)
    assert len(str(caught.value)) < 300


def test_a_sum_is_exact() -> None:
    assert exact_sum([Fraction(1, 3), Fraction(1, 6), 2], "p") == Fraction(5, 2)
    assert exact_sum([Fraction(0.1)] * 10, "p") != 1


def test_a_sum_of_unreasonable_size_is_refused_at_once() -> None:
    # Denominators 10^9999 + 1, + 2, ...: what they have in common is small.
    hostile = [Fraction(1, 10**9999 + at) for at in range(1, 2000)]
    began = time.monotonic()
    with pytest.raises(InputError, match="p: the sum of the entries has too many digits"):
        exact_sum(hostile, "p")
    assert time.monotonic() - began < 1
