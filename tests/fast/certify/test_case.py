"""A case: what is drawn reaches the backend as lists, and is written down without loss."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from simplexcert.certify.checks.case import answered, case_from
from simplexcert.certify.checks.judgement import rules_for
from simplexcert.certify.points import Given, exact_point, written
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import quantities

POINT: Given = {"releases": ((0.1, 0.5, 3), (2.0, 1.0, 1)), "u": (0.1, 2.0), "k": 0.1, "n": 4}


def test_a_backend_is_given_tables_as_lists_of_lists() -> None:
    given = answered(lambda **given: given, POINT)
    assert given == {
        "releases": [[0.1, 0.5, 3], [2.0, 1.0, 1]], "u": [0.1, 2.0], "k": 0.1, "n": 4}  # fmt: skip
    assert isinstance(given, dict)
    assert [type(item) for item in given["releases"][0]] == [float, float, int]


def test_a_backend_that_changes_its_lists_changes_no_point() -> None:
    def spoil(releases: list[list[Any]], **_others: Any) -> float:
        releases[0][0] = releases[1] = None  # type: ignore[call-overload]
        return 1.0

    assert answered(spoil, POINT) == 1.0
    assert POINT["releases"] == ((0.1, 0.5, 3), (2.0, 1.0, 1))


def test_floats_are_written_in_hex_and_integers_as_they_are() -> None:
    assert written(POINT["releases"]) == [
        ["0x1.999999999999ap-4", "0x1.0000000000000p-1", 3],
        ["0x1.0000000000000p+1", "0x1.0000000000000p+0", 1],
    ]
    assert written(POINT["u"]) == ["0x1.999999999999ap-4", "0x1.0000000000000p+1"]


def test_a_point_is_exactly_what_its_floats_are() -> None:
    exact = exact_point(POINT)
    assert exact["releases"] == ((Fraction(0.1), Fraction(1, 2), 3), (Fraction(2), Fraction(1), 1))
    assert exact["u"] == (Fraction(0.1), Fraction(2))


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(("answer", "verdict"), [(1.5, "certified"), (1.25, "refuted")])
def test_a_case_with_a_table_is_judged_and_written_as_one_line(answer: float, verdict: str) -> None:
    quantity = quantities()["made.steps"]
    point: Given = {"releases": ((1.0, 0.5, 3),), "scale": 1.0}
    (rule,) = rules_for(quantity, {}, {})
    case = case_from(quantity, point, answer, rule)
    assert case.verdict is Verdict(verdict)
    one, half = "0x1.0000000000000p+0", "0x1.0000000000000p-1"
    assert case.as_json()["parameters"] == {"releases": [[one, half, 3]], "scale": one}
    assert f'"releases":[["{one}","{half}",3]]' in case.line()
