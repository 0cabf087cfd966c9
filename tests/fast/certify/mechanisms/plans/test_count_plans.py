"""Counts: of records or as given, refused just outside each hypothesis, and nothing told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from each import each_of
from private_files import CELLS, GIVEN, RECORDS, Case
from simplexcert.certify.mechanisms import reading

LINES = "category,count\nA,{}\nB,{}\nC,{}\n"


def _records(a: int, b: int, c: int) -> str:
    return "pupil,grade\n" + "".join(f"zq_private,{x}\n" for x in "A" * a + "B" * b + "C" * c)


@pytest.mark.parametrize("case", [GIVEN, RECORDS])
def test_counts_are_refused_below_the_floor_and_nowhere_else(tmp_path: Path, case: Case) -> None:
    def of(*counts: int) -> Case:
        return case.of(LINES.format(*counts) if case is GIVEN else _records(*counts))

    assert of(2, 14, 4).rows(tmp_path) == [["2", "14", "4"]]
    assert "a count is below eta N" in of(1, 14, 5).refusal(tmp_path)
    assert "a count is below eta N" in of(15, 5, 0).refusal(tmp_path)


def test_a_floor_that_no_count_attains_is_kept(tmp_path: Path) -> None:
    assert GIVEN.where(eta="0.11").of(LINES.format(3, 13, 4)).rows(tmp_path)
    assert "below eta N" in GIVEN.where(eta="0.11").of(LINES.format(2, 14, 4)).refusal(tmp_path)


@pytest.mark.parametrize("case", [GIVEN, RECORDS])
def test_the_number_of_records_is_the_claims(tmp_path: Path, case: Case) -> None:
    assert case.rows(tmp_path)
    for size in (19, 21):
        assert f"N = {size}" in case.where(N=size).refusal(tmp_path)


def test_the_categories_are_as_many_as_the_claims(tmp_path: Path) -> None:
    for n in (2, 4):
        assert f"n = {n}" in GIVEN.where(n=n).refusal(tmp_path)


@each_of(
    "record, said",
    [
        ("zq_private,zq_771234", "line 22: column 'grade' holds a label"),
        ("zq_private,a", "line 22: column 'grade' holds a label"),
        ("zq_private,", "line 22: column 'grade' is empty"),
        ("zq_private", "line 22: the line has more or fewer"),
        ("zq_private,A,771234", "line 22: the line has more or fewer"),
    ],
)
def test_a_record_of_no_listed_category_is_refused_with_its_line(
    tmp_path: Path, record: str, said: str
) -> None:
    assert said in RECORDS.of(RECORDS.content + record + "\n").refusal(tmp_path)


@each_of("case", [GIVEN, CELLS])
@each_of(
    "count", ["-771234", "7712.34", "771234e1", "1e3", "zq_private", "", "+771234", "٣", "NaN",
              "7" * 19, "771 234"],
)  # fmt: skip
def test_a_count_is_written_in_digits(tmp_path: Path, case: Case, count: str) -> None:
    said = case.of(LINES.format(count, 10, 3)).refusal(tmp_path)
    assert "line 2: column" in said


@each_of("case", [GIVEN, CELLS])
@each_of(
    "content, said",
    [
        ("category,count\nA,7\nB,13\n", "does not have a line for each"),
        ("category,count\nA,7\nB,10\nA,3\nC,1\n", "line 4: a category has one line"),
        ("category,count\nA,7\nB,10\nC,3\nzq_private,0\n", "line 5: column 'category' holds"),
        ("zq_private,count\nA,7\nB,10\nC,3\n", "is not category,count"),
        ("count,category\n7,A\n10,B\n3,C\n", "is not category,count"),
    ],
)
def test_given_counts_have_one_line_a_category(
    tmp_path: Path, case: Case, content: str, said: str
) -> None:
    assert said in case.of(content).refusal(tmp_path)


@each_of(
    "data, said",
    [
        ({"categories": None}, "needs categories"),
        ({"categories": "ABC"}, "names in quotes"),
        ({"categories": ["A"]}, "needs 2 or more"),
        ({"categories": ["A", "B", "B"]}, "stands twice"),
        ({"column": 7}, "needs column"),
        ({"column": ""}, "needs column"),
        ({"column": "mark"}, "no column 'mark'"),
    ],
)
def test_data_say_how_to_read_the_file(tmp_path: Path, data: dict[str, object], said: str) -> None:
    assert said in RECORDS.listing(**data).refusal(tmp_path)


def test_so_many_labels_are_read_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_COLUMNS", 3)
    assert GIVEN.rows(tmp_path)
    monkeypatch.setattr(reading, "MAX_COLUMNS", 2)
    assert "more than 2 names" in GIVEN.refusal(tmp_path)


@pytest.mark.parametrize("case", [GIVEN, RECORDS])
def test_the_order_of_a_file_says_nothing(tmp_path: Path, case: Case) -> None:
    assert case.rows(tmp_path) == [["7", "10", "3"]]


def test_an_empty_cell_is_drawn_like_any_other(tmp_path: Path) -> None:
    assert CELLS.of(LINES.format(0, 8, 0)).rows(tmp_path) == [["3/2", "7/2", "3/2"]]


@pytest.mark.parametrize(
    ("neighbours", "squared", "largest"), [("replace", 2, 1), ("add_remove", 1, 1)]
)
def test_a_histogram_changes_no_more_than_the_claim_says(
    tmp_path: Path, neighbours: str, squared: int, largest: int
) -> None:
    case = CELLS.where(neighbours=neighbours)
    assert case.where(delta2_squared=squared, delta_inf=largest).rows(tmp_path)
    assert case.where(delta2_squared=squared + 7, delta_inf=largest).rows(tmp_path)
    low = case.where(delta2_squared=squared, delta_inf="0.99")
    assert "delta_inf is below 1" in low.refusal(tmp_path)
    low = case.where(delta2_squared="0.99", delta_inf="0.9")
    assert f"delta2_squared is below {squared}" in low.refusal(tmp_path)


def test_a_histogram_of_no_records_is_drawn_like_any_other(tmp_path: Path) -> None:
    column = {"column": "grade", "categories": ["A", "B", "C"]}
    empty = replace(CELLS.where(neighbours="add_remove"), data=column, content="pupil,grade\n")
    assert empty.rows(tmp_path) == [["3/2", "3/2", "3/2"]]
    assert "number of records is not N" in RECORDS.of("pupil,grade\n").refusal(tmp_path)
