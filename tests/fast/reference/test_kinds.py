"""Kinds of domain: what each admits, what it says of the rest, and what it tells a search."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

import pytest
from each import each_of
from simplexcert.reference.domain import (
    COUNTS,
    LAW,
    NORM,
    RELEASES,
    ROWS,
    Condition,
    Domain,
    Entries,
    Interval,
    Law,
    Table,
    Value,
)
from simplexcert.reference.domain.kinds import MAX_ENTRIES, MAX_ROWS
from simplexcert.reference.errors import InputError

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
LAW_DOMAIN, RELEASES_DOMAIN, ROWS_DOMAIN = (get_args(kind)[1] for kind in (LAW, RELEASES, ROWS))
POSITIVE = Law(Interval(above=Fraction(0), at_most=Fraction(1)))


def test_the_published_kinds_are_those_of_the_interface() -> None:
    assert isinstance(LAW_DOMAIN, Law)
    assert isinstance(RELEASES_DOMAIN, Table)
    assert [domain.kind for domain in (LAW_DOMAIN, RELEASES_DOMAIN, ROWS_DOMAIN)] == [
        "vector", "releases", "rows"]  # fmt: skip
    assert [title for title, _ in RELEASES_DOMAIN.columns] == ["alpha", "step", "count"]
    assert [title for title, _ in ROWS_DOMAIN.columns] == ["w", "gamma"]


@each_of(
    "domain, value",
    [
        (LAW_DOMAIN, (HALF, HALF)),
        (LAW_DOMAIN, (Fraction(0), Fraction(1), Fraction(0))),
        (LAW_DOMAIN, (THIRD, THIRD, THIRD)),
        (POSITIVE, (THIRD, 2 * THIRD)),
        (RELEASES_DOMAIN, ((HALF, THIRD, 1),)),
        (RELEASES_DOMAIN, ((HALF, THIRD, 1), (THIRD, Fraction(10**9), 10**9))),
        (ROWS_DOMAIN, ((1, Fraction(0)), (50, Fraction(1)))),
        (Entries(Interval(), fewest=2), (HALF, HALF)),
    ],
)
def test_what_lies_in_the_domain_is_admitted(domain: Domain, value: Value) -> None:
    assert domain.admits(value)
    assert domain.stray("it", value) == ""
    assert domain.read("it", value) == value


@each_of(
    "domain, value, stray",
    [
        (LAW_DOMAIN, (Fraction(1),), "p = [1]"),
        (LAW_DOMAIN, (HALF, THIRD), "p = [0.5, 1/3], with sum 5/6,"),
        (LAW_DOMAIN, (HALF, THIRD, THIRD), "p = [0.5, 1/3, 1/3], with sum 7/6,"),
        (LAW_DOMAIN, (2 * HALF, HALF, -HALF), "p, entry 3 = -0.5"),
        (LAW_DOMAIN, ((HALF, HALF), (HALF, HALF)), "p, entry 1 = [0.5, 0.5]"),
        (LAW_DOMAIN, HALF, "p = 0.5"),
        (POSITIVE, (Fraction(1), Fraction(0)), "p, entry 2 = 0"),
        (Entries(Interval(), fewest=2), (HALF,), "p = [0.5]"),
        (RELEASES_DOMAIN, ((HALF, THIRD, 1), (HALF, Fraction(0), 1)), "p, row 2, step = 0"),
        (RELEASES_DOMAIN, ((Fraction(-1), THIRD, 1),), "p, row 1, alpha = -1"),
        (RELEASES_DOMAIN, ((HALF, THIRD, 0),), "p, row 1, count = 0"),
        (RELEASES_DOMAIN, ((HALF, THIRD),), "p, row 1 = [0.5, 1/3]"),
        (RELEASES_DOMAIN, (HALF, THIRD), "p, row 1 = 0.5"),
        (RELEASES_DOMAIN, (), "p = []"),
        (RELEASES_DOMAIN, 3, "p = 3"),
        (ROWS_DOMAIN, ((0, HALF),), "p, row 1, w = 0"),
        (ROWS_DOMAIN, ((1, HALF), (1, 4 * THIRD)), "p, row 2, gamma = 4/3"),
        (Interval(), ((HALF, THIRD),), "p = [[0.5, 1/3]]"),
    ],
)
def test_what_lies_outside_is_named_by_its_place(domain: Domain, value: Value, stray: str) -> None:
    assert not domain.admits(value)
    assert domain.stray("p", value) == stray


def test_domains_are_described_as_a_person_would_write_them() -> None:
    assert LAW_DOMAIN.describe("p") == (
        "0 <= each of p <= 1, at least 2 of them, and a sum of exactly 1"
    )
    assert RELEASES_DOMAIN.describe("releases") == (
        "in each row [alpha, step, count] of releases 0 < alpha, 0 < step, 1 <= count"
    )
    assert ROWS_DOMAIN.describe("rows") == "in each row [w, gamma] of rows 1 <= w, 0 <= gamma <= 1"


def test_an_integer_of_a_table_is_read_as_one() -> None:
    ((alpha, step, count),) = RELEASES_DOMAIN.read("releases", '[["1/2", 0.125, "3.0"]]')
    assert (alpha, step, count) == (HALF, Fraction(1, 8), 3)
    assert type(count) is int


def test_tables_and_vectors_as_long_as_the_limit_are_read_and_longer_ones_are_not() -> None:
    assert len(ROWS_DOMAIN.read("rows", [[1, 0]] * MAX_ROWS)) == MAX_ROWS
    with pytest.raises(InputError, match="a list of 10001 rows is longer than 10000"):
        ROWS_DOMAIN.read("rows", [[1, 0]] * (MAX_ROWS + 1))
    with pytest.raises(InputError, match="a list of 10001 numbers is longer than 10000"):
        LAW_DOMAIN.read("p", [1] * (MAX_ENTRIES + 1))


def test_a_law_whose_sum_cannot_be_held_is_refused() -> None:
    hostile = tuple(Fraction(1, 10**9999 + at) for at in range(1, 100))
    with pytest.raises(InputError, match="p: the sum of the entries has too many digits"):
        LAW_DOMAIN.stray("p", hostile)


COUNTS_DOMAIN, NORM_DOMAIN = (get_args(kind)[1] for kind in (COUNTS, NORM))


@each_of(
    "value, stray",
    [
        (((1, 2), (0, 5)), ""),
        (((1, 2), (0, 0)), "counts, row 2, without data (all counts 0),"),
        (((1, -2), (0, 1)), "counts, row 1, entry 2 = -2"),
        (((1, 2),), "counts = [[1, 2]], of one state,"),
        (((1, 2), (1,)), "counts, row 2 = [1], of length 1 where there are 2 rows,"),
    ],
)
def test_counts_are_square_and_every_row_has_data(value: Value, stray: str) -> None:
    assert COUNTS_DOMAIN.stray("counts", value) == stray


def test_counts_are_whole_numbers() -> None:
    assert COUNTS_DOMAIN.read("counts", [["1", 2.0], [3, 0]]) == ((1, 2), (3, 0))
    with pytest.raises(InputError, match=r"row 1, entry 2: 0.5 is not a whole number"):
        COUNTS_DOMAIN.read("counts", [[1, HALF], [3, 0]])


def test_a_word_is_one_of_those_that_are_listed() -> None:
    assert NORM_DOMAIN.read("norm", " row ") == "row"
    assert NORM_DOMAIN.admits("row")
    assert NORM_DOMAIN.stray("norm", "rows") == "norm = 'rows'"
    assert NORM_DOMAIN.describe("norm") == "norm one of row, column"


def test_a_condition_says_why_where_it_can() -> None:
    source = "a test"
    assert Condition("u even", lambda u: not u % 2, source).reason({"u": 3}) == ""
    because = Condition("u even", lambda u: not u % 2, source, lambda u: f"{u} is odd")
    assert because.reason({"u": 3}) == "; 3 is odd"
