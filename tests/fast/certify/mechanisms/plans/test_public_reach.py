"""Whether a law can be drawn from is decided by public parameters, and never by the data."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from each import each_of
from noise_cases import LISTED, SEQUENCE
from private_files import CELLS, GIVEN, IDENTITY, MEAN, MOVES, SQUARE, Case

WIDE = {"epsilon": 1000, "delta": "0.9"}
# Each floor is just below what is drawn from, and these data are far above it.
BELOW = {
    "identity": IDENTITY.where(k="0.00999"),
    "average": MEAN.where(k="0.00999"),
    "counts": GIVEN.where(k="0.00999"),
    "matrix": SQUARE.where(k="0.00999"),
    "model": MOVES.where(k=["0.00999", 8, 7]),
    "histogram": CELLS.where(alpha="0.000999"),
}
ABOVE = {
    "identity": IDENTITY.where(k="1.1e300"),
    "average": MEAN.where(k="1.1e300"),
    "counts": GIVEN.where(k="1.1e300"),
    "matrix": SQUARE.where(k="1.1e300"),
    "model": MOVES.where(k=["1.1e300", 8, 7]),
    "histogram": CELLS.where(step="1e283"),
}


@each_of("kind", BELOW)
@each_of("cases", [BELOW, ABOVE])
def test_data_are_not_read_where_a_neighbour_might_be_out_of_reach(
    tmp_path: Path, cases: dict[str, Case], kind: str
) -> None:
    unread = replace(cases[kind], claim=WIDE).of("no file that anybody could read")
    assert "by its parameters an alpha" in unread.refusal(tmp_path)


def test_a_floor_that_can_just_be_drawn_from_is_drawn_from(tmp_path: Path) -> None:
    assert IDENTITY.where(k="0.01").rows(tmp_path)[0][0] == "885617/500000000"
    assert GIVEN.where(k="0.01").rows(tmp_path)[0][2] == "3/2000"
    assert CELLS.where(alpha="0.001", step="0.01").rows(tmp_path)[0][1] == "1/1000"


@pytest.mark.parametrize(
    "case",
    [
        SEQUENCE.where(lipschitz="1e1001").listing(query=None, weights=[["1e1000", 0, 0]]),
        SEQUENCE.where(values=[["1e1000", 0, 0]], lipschitz="1e1001", scale="1e999").listing(
            query=None
        ),
        LISTED.where(values=["1e1001", 0, 0, 0, 0]),
    ],
)
def test_data_are_not_read_where_an_answer_could_be_too_large(tmp_path: Path, case: Case) -> None:
    assert "could have more than 1000 digits" in case.of("no file").refusal(tmp_path)
