"""Chains that are counted: rows above their floors over public transitions, and nothing told."""

from __future__ import annotations

from pathlib import Path

import pytest
from each import each_of
from private_files import MOVES, STEPS
from simplexcert.certify.mechanisms.markov_model import model
from simplexcert.certify.mechanisms.plan import SimplexPlan

TABLE = ",a,b,c\na,{}\nb,0,{}\nc,{},0,0\n"


@each_of(
    "first, said",
    [
        ("1,9,10", "row 'a': a count is below eta N"),
        ("0,10,10", "row 'a': a count is below eta N"),
        ("3,7,11", "row 'a': the number of records is not N = 20"),
        ("3,7,9", "row 'a': the number of records is not N = 20"),
        ("3,7,-10", "line 2: column 4 is not a whole number"),
        ("3,7,zq_private", "line 2: column 4 is not a whole number"),
        ("3,7,", "line 2: column 4 is not a whole number"),
    ],
)
def test_each_row_keeps_its_floor(tmp_path: Path, first: str, said: str) -> None:
    assert MOVES.of(TABLE.format("2,8,10", "3,7", 7712)).rows(tmp_path)
    assert said in MOVES.of(TABLE.format(first, "3,7", 7712)).refusal(tmp_path)


def test_each_row_has_its_own_floor(tmp_path: Path) -> None:
    near = MOVES.of(TABLE.format("3,7,10", "2,8", 7712))
    assert near.where(eta=["0.1", "0.2", 1]).rows(tmp_path)
    assert "row 'b': a count is below" in near.where(eta=["0.1", "0.3", 1]).refusal(tmp_path)


def test_a_row_of_one_transition_has_no_neighbours_and_is_constant(tmp_path: Path) -> None:
    assert MOVES.rows(tmp_path)[2] == ["7", "0", "0"]


def test_records_and_counts_make_one_plan(tmp_path: Path) -> None:
    sparse = STEPS.listing(**{"from": None, "to": None}).of(
        "from,to,count\nc,a,4\na,a,3\na,b,7\na,c,10\nb,c,7\nb,b,3\nb,a,0\n"
    )
    assert sparse.rows(tmp_path) == STEPS.rows(tmp_path)


def test_rows_and_names_are_the_claims_states(tmp_path: Path) -> None:
    plan = STEPS.plan(tmp_path)
    assert isinstance(plan, SimplexPlan)
    assert plan.matrix
    assert [row.label for row in plan.rows] == ["a", "b", "c"]
    assert {row.names for row in plan.rows} == {("a", "b", "c")}


def test_a_record_of_an_infeasible_transition_is_refused(tmp_path: Path) -> None:
    said = STEPS.of(STEPS.content + "b,771234,a\n").refusal(tmp_path)
    assert "row 'b': a record makes a transition" in said
    assert "row 'b'" in MOVES.of(MOVES.content.replace("b,0,", "b,7712,")).refusal(tmp_path)


@pytest.mark.parametrize("record", ["a,771234,zq_private", "zq_private,771234,a", "a,771234,", "a"])
def test_a_record_of_no_listed_state_is_refused_with_its_line(tmp_path: Path, record: str) -> None:
    assert "line 36" in STEPS.of(STEPS.content + record + "\n").refusal(tmp_path)


def test_the_feasible_transitions_are_as_many_as_the_claim_says(tmp_path: Path) -> None:
    for n in ([3, 3, 1], [2, 2, 1]):
        assert "transitions are feasible from" in MOVES.where(n=n).refusal(tmp_path)
    assert "from 'b'" in MOVES.listing(feasible={"c": ["a"]}).refusal(tmp_path)


def test_a_chain_that_is_reducible_by_its_feasible_transitions_is_refused(tmp_path: Path) -> None:
    stuck = MOVES.listing(feasible={"b": ["b", "c"], "c": ["c"]})
    assert "reducible" in stuck.refusal(tmp_path)
    unentered = MOVES.where(n=[2, 2, 1]).listing(
        feasible={"a": ["b", "c"], "b": ["b", "c"], "c": ["b"]}
    )
    assert "reducible" in unentered.refusal(tmp_path)


@each_of(
    "data, said",
    [
        ({"states": ["a", "b"], "feasible": {}}, "lists 2, but [release] has 3 rows"),
        ({"states": None}, "needs states"),
        ({"feasible": {"d": ["a"]}}, "unknown state 'd'"),
        ({"feasible": {"b": ["d"]}}, "unknown state 'd'"),
        ({"feasible": ["b"]}, "it is a table"),
        ({"to": None}, "needs to"),
        ({"from": "origin"}, "no column 'origin'"),
    ],
)
def test_data_say_how_to_read_the_file(tmp_path: Path, data: dict[str, object], said: str) -> None:
    assert said in STEPS.listing(**data).refusal(tmp_path)


def test_so_many_states_are_read_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "MAX_STATES", 3)
    assert MOVES.rows(tmp_path)
    monkeypatch.setattr(model, "MAX_STATES", 2)
    assert "more than 2" in MOVES.refusal(tmp_path)


def test_labels_of_the_release_are_the_states(tmp_path: Path) -> None:
    assert MOVES.where(labels=["a", "b", "c"]).rows(tmp_path) == MOVES.rows(tmp_path)
    assert "labels" in MOVES.where(labels=["b", "a", "c"]).refusal(tmp_path)


def test_what_was_read_off_the_data_is_not_released(tmp_path: Path) -> None:
    assert "read_off" in MOVES.where(read_off_the_data=["eta"]).refusal(tmp_path)


def test_records_of_a_state_that_is_left_out_are_not_counted(tmp_path: Path) -> None:
    left = STEPS.of(STEPS.content + "a,771234,far\nfar,771234,far\nfar,771234,c\n")
    assert "holds a label" in left.refusal(tmp_path)
    assert "left_out_of_the_data" in left.listing(without=["far"]).refusal(tmp_path)
    assert "left_out_of_the_data" in left.where(left_out_of_the_data=["far"]).refusal(tmp_path)
    told = left.listing(without=["far"]).where(left_out_of_the_data=["far"])
    assert told.rows(tmp_path) == STEPS.rows(tmp_path)
    both = left.listing(without=["c"]).where(left_out_of_the_data=["c"])
    assert "stands in states and in without" in both.refusal(tmp_path)


def test_a_table_has_the_states_that_are_left_out_too(tmp_path: Path) -> None:
    told = MOVES.listing(without=["far"]).where(left_out_of_the_data=["far"])
    whole = ",far,a,b,c\nfar,7712,7,7,7\na,9,3,7,10\nb,7712,0,3,7\nc,9,7712,0,0\n"
    assert told.of(whole).rows(tmp_path) == MOVES.rows(tmp_path)
    assert "the header in line 1" in told.refusal(tmp_path)
