"""A backend's report says what its certificate says, in numbers that a person can read."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from report_pages import Reading, backend, page, taken_apart
from simplexcert.certify.certificate.models import Sample, Statement
from simplexcert.certify.report.page.error_plot import error_picture, group_of
from simplexcert.certify.verdict import Verdict

DELTA, STEP, PLAIN = (
    "dirichlet.profile.delta",
    "dirichlet.profile.step_for_dp",
    "dirichlet.utility.variance",
)


def with_check(**fields: object) -> Statement:
    statement = backend()
    first, *others = statement.predicate.checks
    predicate = replace(statement.predicate, checks=[replace(first, **fields), *others])
    return replace(statement, predicate=predicate)


def reading_of(statement: Statement) -> Reading:
    return taken_apart(page(statement))


def one(quantity: str, side: str, ulps: str = "2.5", size: str = "0x1.0p+0") -> Sample:
    return Sample(quantity, "direction", ulps, side, size)  # type: ignore[arg-type]


def test_every_check_stands_in_the_report() -> None:
    reading = reading_of(backend())
    for check in backend().predicate.checks:
        assert check.quantity in reading.within("th")
        assert check.second in reading.within("td")
        assert str(check.cases) in reading.within("td")


def test_a_worst_case_is_told_in_decimals_and_exactly() -> None:
    worst = backend().predicate.checks[0].worst
    assert worst
    reading = reading_of(backend())
    for value in (*worst.parameters.values(), worst.value):
        assert isinstance(value, str)
        assert repr(float.fromhex(value)) in reading.text
        assert value in reading.within("code")
    assert f"between {worst.lower} and {worst.upper}" in reading.text


def test_a_refuted_check_is_shown_at_once_and_others_on_demand() -> None:
    def is_open(statement: Statement) -> list[bool]:
        found = [attributes for tag, attributes in reading_of(statement).tags if tag == "details"]
        # Behind the plot's table stand the worst cases, before the files.
        return ["open" in attributes for attributes in found[1:-1]]

    assert not any(is_open(backend()))
    assert any(is_open(with_check(verdict=Verdict.REFUTED)))


def test_the_sentence_counts_answers_once_however_many_checks_judge_them() -> None:
    statement = backend()
    assert len(statement.predicate.checks) == 2
    assert "this software was asked 12 times" in reading_of(statement).text


@pytest.mark.parametrize(
    ("quantity", "side", "group"),
    [
        (DELTA, "above", "on the safe side"),
        (DELTA, "at", "on the safe side"),
        (DELTA, "below", "on the unsafe side"),
        (STEP, "below", "on the safe side"),
        (STEP, "above", "on the unsafe side"),
        (PLAIN, "above", "of a quantity without a safe side"),
        ("no.such.quantity", "above", "of a quantity without a safe side"),
    ],
)
def test_an_answer_is_drawn_by_its_side(quantity: str, side: str, group: str) -> None:
    assert group_of(one(quantity, side)) == group


def test_answers_without_a_finite_place_are_left_to_the_table() -> None:
    sample = [one(DELTA, "above"), one(DELTA, "above", "unbounded"), one(DELTA, "at", size="inf")]
    picture = error_picture(sample)
    assert picture
    assert len(picture.rows) == 3
    assert "2 of them have no finite place" in picture.notes[1]
    assert "on the safe side (1)" in picture.svg


def test_where_nothing_can_be_drawn_there_is_no_plot() -> None:
    assert error_picture([]) is None
    assert error_picture([one(DELTA, "above", "unbounded")]) is None
    predicate = replace(backend().predicate, sample=[])
    assert "svg" not in reading_of(replace(backend(), predicate=predicate)).names()


def test_long_distances_are_shortened_without_loss() -> None:
    text = reading_of(with_check(ulps="4510000000000000")).text
    assert "4.51e+15 ulps" in text


MATRIX = [["0x1.0000000000000p-1", "0x1.0000000000000p-1"], [1, "0x0.0p+0"]]


@pytest.mark.parametrize(
    ("entry", "said"),
    [([1, 2], "row 1, column 2 of the answer"), ([2], "number 2 of the answer"), ([], None)],
)
def test_the_worst_entry_of_an_array_is_named(entry: list[int], said: str | None) -> None:
    worst = backend().predicate.checks[0].worst
    assert worst
    changed = replace(worst, entry=entry, parameters={"P": MATRIX})
    cells = reading_of(with_check(worst=changed)).within("dd")
    assert [cell for cell in cells if "of the answer" in cell] == ([said] if said else [])
    assert "[[0.5, 0.5], [1, 0.0]] " in cells


@pytest.mark.parametrize(
    ("accuracy", "said"),
    [
        ("3961408125713217/39614081257132168796771975168", "at most 1e-13 "),
        ("1/2", "at most 0.5 "),
        ("1/3", "at most 1/3"),
        ("1/0", "at most 1/0"),
        ("9" * 400, "at most 9999999"),
    ],
)
def test_a_promise_is_told_as_it_was_written(accuracy: str, said: str) -> None:
    cells = reading_of(with_check(accuracy=accuracy)).within("dd")
    assert any(said in cell for cell in cells)
