"""Matrices: each row in its own bordered simplex, in any order of the file, and nothing told."""

from __future__ import annotations

from pathlib import Path

import pytest
from each import each_of
from private_files import SHARES, SQUARE
from simplexcert.certify.mechanisms.plan import SimplexPlan

TABLE = ",up,down\nup,{}\ndown,0.2876523,0.7123477\n"
PAIRS = "from,to,share\nup,up,{}\nup,down,{}\ndown,up,0.2876523\ndown,down,0.7123477\n"


@each_of("sparse", [False, True])
@each_of(
    "inside, outside, said",
    [
        ("0.7,0.3", "0.7,0.3000771234", "sum to exactly 1"),
        ("0.1,0.9", "0.0999771234,0.9000228766", "protected coordinate is below eta"),
        ("0.8,0.2", "0.8000771234,0.1999228766", "more than 1 - eta_bar"),
        ("0.8,0.2", "1.771234,-0.771234", "negative"),
        ("0.8,0.2", "0.8,zq_private", "is not an exact number"),
    ],
)
def test_each_row_lies_in_its_bordered_simplex(
    tmp_path: Path, inside: str, outside: str, said: str, *, sparse: bool
) -> None:
    def content(row: str) -> str:
        return PAIRS.format(*row.split(",")) if sparse else TABLE.format(row)

    assert SQUARE.of(content(inside)).rows(tmp_path)
    assert said in SQUARE.of(content(outside)).refusal(tmp_path)


def test_the_order_of_a_file_says_nothing(tmp_path: Path) -> None:
    assert SQUARE.rows(tmp_path) == SHARES.rows(tmp_path)
    assert SQUARE.of(TABLE.format("0.75,0.25")).rows(tmp_path) == SQUARE.rows(tmp_path)


def test_rows_and_names_are_the_claims_states(tmp_path: Path) -> None:
    plan = SQUARE.plan(tmp_path)
    assert isinstance(plan, SimplexPlan)
    assert plan.matrix
    assert [(row.label, row.names) for row in plan.rows] == [
        ("up", ("up", "down")),
        ("down", ("up", "down")),
    ]


@each_of(
    "content, said",
    [
        (",up,zq_private\nup,0.5,0.5\ndown,0.5,0.5\n", "the header in line 1 does not have"),
        (",up,down,zq_private\nup,0.5,0.5,0\ndown,0.5,0.5,0\n", "the header in line 1 does not"),
        (",up,down\nup,0.5,0.5\nzq_private,0.5,0.5\n", "the first column does not have"),
        (",up,down\nup,0.5,0.5\nup,0.771234,0.228766\n", "the first column does not have"),
        (",up,down\nup,0.5,0.5\n", "the first column does not have"),
        (",up,down\nup,,0.771234\ndown,0.5,0.5\n", "column 2 is not an exact number"),
        ("from,to,share\nup,zq_private,1\n", "line 2: column 'to' holds a label"),
        ("from,to,share\nup,up,0.771234\nup,up,0.228766\n", "line 3: a pair of states has one"),
        ("from,to,share\nup,up,\n", "line 2: column 'share' is empty"),
        ("from,to,share\nup,up,771_234\n", "line 2: column share is not an exact number"),
    ],
)
def test_a_table_is_of_the_listed_states(tmp_path: Path, content: str, said: str) -> None:
    assert said in SQUARE.of(content).refusal(tmp_path)


def test_a_share_of_0_is_drawn_where_the_support_is_public(tmp_path: Path) -> None:
    three = SQUARE.where(w=[1, 1, 1]).listing(
        states=["up", "down", "out"], protected={"up": ["up"], "down": ["up"], "out": ["up"]}
    )
    zeros = three.of(
        "from,to,share\nup,up,0.3\nup,down,0.7\ndown,up,0.5\ndown,out,0.5\nout,up,0.6\nout,out,0.4"
    )
    assert "support" in zeros.refusal(tmp_path)
    assert [row.index("0") for row in zeros.knowing("support").rows(tmp_path)] == [2, 1, 1]


@pytest.mark.parametrize("shape", ["w", "rows"])
def test_protected_sets_have_the_sizes_that_the_claim_says(tmp_path: Path, shape: str) -> None:
    def sized(*sizes: int) -> dict[str, object]:
        return {shape: [[size, "0.001"] if shape == "rows" else size for size in sizes]}

    bare = {key: value for key, value in SQUARE.release.items() if key != "w"}
    three = SQUARE.listing(
        states=["up", "down", "out"], protected={"up": ["up"], "down": ["up"], "out": ["up"]}
    )
    for case, sizes, said in (
        (three, (1, 2, 1), "row 'down', but its w is 2"),
        (SQUARE, (1, 2), "no data are an input"),
        (SQUARE, (1, 1, 1), "w of 3 rows"),
    ):
        wrong = case.__class__(case.mechanism, {**bare, **sized(*sizes)}, case.data, case.content)
        assert said in wrong.refusal(tmp_path)
    right = SQUARE.__class__(SQUARE.mechanism, {**bare, **sized(1, 1)}, SQUARE.data, SQUARE.content)
    assert right.rows(tmp_path) == SQUARE.rows(tmp_path)


@each_of(
    "protected, said",
    [
        (None, "lacks row 'up'"),
        ({"up": ["up"]}, "lacks row 'down'"),
        ({"up": ["up"], "down": ["left"]}, "unknown state 'left'"),
        ({"up": ["up"], "left": ["up"]}, "unknown state 'left'"),
        ({"up": ["up"], "down": "up"}, "names in quotes"),
        (["up"], "it is a table"),
    ],
)
def test_protected_sets_are_of_listed_states(tmp_path: Path, protected: object, said: str) -> None:
    assert said in SQUARE.listing(protected=protected).refusal(tmp_path)
