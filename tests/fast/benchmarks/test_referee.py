"""The referee's page: how far answers are off, on which side, and that nothing is left out."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
import referee
from simplexcert.certify.backends.accountants import ACCOUNTANTS
from simplexcert.certify.points import Case, Line
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import InputError
from simplexcert.reference.quantity import Side

HALF, TINY = Fraction(1, 2), Fraction(1, 2**60)
ROW = referee.Row(
    accountant="one",
    name="One",
    version="1.0",
    quantity="gaussian.delta",
    judged_as="upper",
    domain={"epsilon": ["0", "1"]},
    verdict="refuted",
    failed_checks=["direction"],
    cases=2,
    wrong=1,
    errors=1,
    undecided=0,
    first_error="it broke",
    unsafe=0.25,
    unsafe_at={"epsilon": "0.5"},
    unsafe_answer="0.375",
    unsafe_truth=["0.5", "0.5"],
    unsafe_from_least_delta=None,
    second_opinion="overlaps",
    loose_median=1.0,
    loose_worst=math.inf,
    seconds=0.125,
    seconds_of_the_truth=None,
    again="simplexcert certify third-party:one",
)


def line(value: float | str, truth: Fraction = HALF) -> Line:
    text = value if isinstance(value, str) else value.hex()
    case = Case(
        "gaussian.delta",
        "direction",
        {"noise_multiplier": 1.0, "epsilon": 0.5},
        text,
        Verdict.CERTIFIED,
        Enclosure.of(truth),
        Fraction(0),
        "above",
        Fraction(0),
        "",
    )
    return Line.of(case)


@pytest.mark.parametrize(
    ("value", "below", "above"),
    [(0.375, Fraction(1, 4), 0), (0.5, 0, 0), (1.0, 0, 1)],
)
def test_what_is_unsafe_below_is_loose_above(value: float, below: float, above: float) -> None:
    assert referee.off(line(value), Side.UPPER) == referee.Off(Fraction(below), Fraction(above))
    assert referee.off(line(value), Side.LOWER) == referee.Off(Fraction(above), Fraction(below))


def test_an_infinite_bound_is_infinitely_loose() -> None:
    assert referee.off(line(math.inf), Side.UPPER) == referee.Off(Fraction(0), math.inf)


@pytest.mark.parametrize("value", ["ValueError()", "nan"])
def test_what_is_no_number_has_no_distance(value: str) -> None:
    assert referee.off(line(value), Side.UPPER) is None


def test_a_distance_beyond_doubles_is_infinite() -> None:
    assert referee.rounded(Fraction(10**400)) == math.inf


def test_a_delta_below_any_meaning_is_told_apart() -> None:
    assert [referee.is_tiny(line(0.5, truth)) for truth in (HALF, TINY)] == [False, True]


def test_an_absent_accountant_is_told_and_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(where: str) -> None:
        raise InputError(f"{where} is not here")

    monkeypatch.setattr(referee, "load_backend", missing)
    absent: dict[str, str] = {}
    assert list(referee.rows(1, 1, absent)) == []
    assert absent == {name: f"third-party:{name} is not here" for name in ACCOUNTANTS}


def test_the_page_and_the_json_have_every_row(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(_cases: int, _jobs: int, absent: dict[str, str]) -> Iterator[referee.Row]:
        absent["two"] = "it is not here"
        yield ROW

    monkeypatch.setattr(referee, "rows", found)
    referee.main(str(tmp_path), "2", "1")
    capsys.readouterr()
    written = json.loads((tmp_path / "referee.json").read_text(encoding="utf-8"), parse_float=str)
    (row,) = written["rows"]
    assert (row["unsafe"], row["loose_worst"], row["seconds_of_the_truth"]) == ("0.25", "inf", None)
    assert written["absent"] == {"two": "it is not here"}
    page = (tmp_path / "referee.md").read_text(encoding="utf-8")
    assert (
        "| one | 1.0 | gaussian.delta | upper | refuted | direction | 1 of 2 | 0.25 |  | 1 | inf "
        "| 0.12 |  |" in page
    )
    for told in ("answered 0.375, truth in [0.5, 0.5]", "`it broke`", "**two**: it is not here"):
        assert told in page
