"""Plans of Laplace releases of sequences: the answers again, and every way to be refused."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from each import each_of
from noise_cases import (
    DOWN,
    LAW,
    OTHER,
    PIECES,
    REST,
    SEQUENCE,
    STATES,
    UP,
    centres,
    column,
    noise,
    public,
)
from simplexcert.certify.mechanisms.pufferfish import noise as laplace
from simplexcert.reference.errors import InputError

WEIGHTS = [["1/3", 2, 0], [-1, "0.5", 7]]
WALK = (UP, UP, DOWN, DOWN, REST, DOWN)


def test_a_histogram_is_the_count_of_each_state(tmp_path: Path) -> None:
    plan = noise(SEQUENCE, tmp_path)
    assert plan.names == STATES
    assert plan.centres == tuple(WALK.count(state) for state in STATES)
    assert (plan.scale, plan.scalar) == (40, False)


def test_a_relative_histogram_is_divided_by_the_public_length(tmp_path: Path) -> None:
    case = SEQUENCE.listing(query="relative histogram").where(lipschitz="1/3")
    assert centres(case, tmp_path) == ["1/3", "1/2", "1/6"]


def test_weights_give_one_number_a_row(tmp_path: Path) -> None:
    case = SEQUENCE.listing(query=None, weights=WEIGHTS).where(lipschitz=100)
    plan = noise(case, tmp_path)
    at = [STATES.index(state) for state in WALK]
    assert plan.centres == tuple(sum(Fraction(row[x]) for x in at) for row in WEIGHTS)
    assert (plan.names, plan.scalar) == (("1", "2"), False)


def test_one_row_of_values_gives_one_number(tmp_path: Path) -> None:
    case = SEQUENCE.listing(query=None).where(values=[[1, "1/3", 5]], lipschitz=5)
    plan = noise(case, tmp_path)
    assert plan.centres == (2 + 3 * Fraction(1, 3) + 5,)
    assert (plan.names, plan.scalar) == (("answer",), True)


def test_a_row_of_values_for_each_step_is_read_step_by_step(tmp_path: Path) -> None:
    values = [[10**step, 2 * 10**step, 3 * 10**step] for step in range(6)]
    case = SEQUENCE.listing(query=None).where(values=values, lipschitz=200000)
    assert centres(case, tmp_path) == ["232211"]


def test_pieces_are_counted_together(tmp_path: Path) -> None:
    assert centres(PIECES, tmp_path) == ["3", "2", "1"]
    relative = PIECES.listing(query="relative histogram").where(lipschitz="1/3")
    assert centres(relative, tmp_path) == ["1/2", "1/3", "1/6"]


def test_answers_on_drawn_sequences_are_those_of_a_plain_count(tmp_path: Path) -> None:
    random, chains = Random(10), [{"initial": "any", "P": [["1/3"] * 3] * 3}]  # noqa: S311
    for length in (1, 2, 50, 1000):
        drawn = random.choices(STATES, k=length)
        case = SEQUENCE.where(chains=chains, length=length).of(column(*drawn))
        assert noise(case, tmp_path).centres == tuple(Counter(drawn)[one] for one in STATES)


@pytest.mark.parametrize(
    ("data", "change"),
    [
        ({"query": "histogram"}, "2"),
        ({"query": "relative histogram"}, "1/3"),
        ({"query": None, "weights": WEIGHTS}, "8.5"),
        ({"query": None, "weights": [[0, 0, "1/7"]]}, "1/7"),
    ],
)
def test_the_lipschitz_constant_covers_what_one_node_changes(
    tmp_path: Path, data: dict[str, object], change: str
) -> None:
    case = SEQUENCE.listing(**data)
    assert noise(case.where(lipschitz=change), tmp_path).scale == 40
    small = str(Fraction(change) - Fraction(1, 10**9))
    assert f"changes by up to {change} in the 1-norm" in case.where(lipschitz=small).refusal(
        tmp_path
    )


def test_without_a_lipschitz_constant_it_is_one(tmp_path: Path) -> None:
    release = {key: value for key, value in SEQUENCE.release.items() if key != "lipschitz"}
    assert "lipschitz = 1" in replace(SEQUENCE, release=release).refusal(tmp_path)


def test_several_scales_are_refused_and_one_is_not(tmp_path: Path) -> None:
    release = {key: value for key, value in SEQUENCE.release.items() if key != "scale"}
    several = replace(SEQUENCE, release={**release, "scales": [40, 50]})
    assert "--ledger" in several.refusal(tmp_path)
    assert noise(several.where(scales=["81/2"]), tmp_path).scale == Fraction(81, 2)


def test_exactly_one_query_is_needed(tmp_path: Path) -> None:
    valued = SEQUENCE.where(values=[[1, 0, 0]])
    assert "values in [release] are the query" in valued.refusal(tmp_path)
    weighed = valued.listing(query=None, weights=WEIGHTS)
    assert "leave weights out" in weighed.refusal(tmp_path)
    assert "exactly one query" in SEQUENCE.listing(query=None).refusal(tmp_path)
    assert "exactly one query" in SEQUENCE.listing(weights=WEIGHTS).refusal(tmp_path)


def test_a_query_by_another_name_is_refused(tmp_path: Path) -> None:
    assert "did you mean 'histogram'" in SEQUENCE.listing(query="histgram").refusal(tmp_path)
    assert "query is 3" in SEQUENCE.listing(query=3).refusal(tmp_path)


def test_weights_have_an_entry_for_each_state(tmp_path: Path) -> None:
    for rows, said in (
        ([[1, 2]], "2 entries a row"),
        ([[1, 2, 3], [1, 2]], "weights"),
        ([], "weights"),
        ([["x", 1, 2]], "not a number"),
    ):
        assert said in SEQUENCE.listing(query=None, weights=rows).refusal(tmp_path)


def test_weights_that_take_too_long_to_compare_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = SEQUENCE.listing(query=None, weights=[[0, 1, 0]] * 4)
    for most, taken in ((11, False), (12, True)):
        monkeypatch.setattr(laplace, "MAX_DIFFERENCES", most)
        if taken:
            assert len(noise(case.where(lipschitz=4), tmp_path).centres) == 4
        else:
            assert "more than 11 differences" in case.refusal(tmp_path)


def test_the_claim_names_every_state(tmp_path: Path) -> None:
    for states, said in (
        (None, "needs states"),
        (["zq", "yq"], "lists 2 names"),
        (["zq", "yq", "zq"], "twice"),
        ("zq", "lists names"),
    ):
        assert said in SEQUENCE.listing(states=states).refusal(tmp_path)


def test_the_column_has_to_be_named_and_to_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs column"):
        noise(SEQUENCE.listing(column=None), tmp_path)
    with pytest.raises(InputError, match="no column 'weather'"):
        noise(SEQUENCE.listing(column="weather"), tmp_path)


@pytest.mark.parametrize("steps", [5, 7])
def test_a_sequence_of_another_length_is_refused(tmp_path: Path, steps: int) -> None:
    said = SEQUENCE.of(column(*(UP,) * steps)).refusal(tmp_path)
    assert "does not have length = 6 lines" in said
    assert noise(SEQUENCE.of(column(*(UP,) * 6)), tmp_path).centres == (6, 0, 0)


def test_a_length_of_more_digits_than_python_writes_is_refused_with_a_sentence(
    tmp_path: Path,
) -> None:
    longest = replace(SEQUENCE, release={**SEQUENCE.release, "length": "1e5000", "scale": 2000})
    assert "records are more than a data file holds" in longest.refusal(tmp_path)


def test_pieces_go_with_lengths_and_lengths_with_pieces(tmp_path: Path) -> None:
    assert "goes with lengths" in PIECES.listing(piece=None).refusal(tmp_path)
    assert "goes with lengths" in SEQUENCE.listing(piece="zq_at").refusal(tmp_path)


@each_of("lengths", [[4, 2], [6], [2, 3], [2, 4, 1], [2, 2, 2], [1, 5]])
def test_pieces_of_other_lengths_are_refused(tmp_path: Path, lengths: list[int]) -> None:
    said = PIECES.where(lengths=lengths).refusal(tmp_path)
    assert f"the claim's {len(lengths)} pieces" in said


def test_a_piece_that_goes_on_after_another_one_is_refused(tmp_path: Path) -> None:
    content = f"day,state\nzq_private1,{UP}\nzq_private2,{UP}\nzq_private1,{UP}\n"
    case = PIECES.where(lengths=[1, 1, 1]).of(content)
    assert "line 4: a piece goes on after another one" in case.refusal(tmp_path)


@pytest.mark.parametrize(
    ("walk", "line"),
    [
        ((DOWN, UP, UP, UP, UP, UP), 2),  # no sequence starts with down
        ((UP, REST, DOWN, UP, UP, UP), 3),
        ((UP, UP, UP, UP, UP, REST), 7),
        ((REST, REST, DOWN, DOWN, UP, REST), 3),
    ],
)
def test_a_sequence_that_no_law_allows_is_refused_by_its_line(
    tmp_path: Path, walk: tuple[str, ...], line: int
) -> None:
    said = SEQUENCE.of(column(*walk)).refusal(tmp_path)
    assert f"line {line}: no law of the class allows" in said


def test_one_law_of_the_class_has_to_allow_all_of_a_piece(tmp_path: Path) -> None:
    both = SEQUENCE.where(chains=[LAW, OTHER])
    other = (UP, REST, UP, UP, UP, REST)
    assert noise(both.of(column(*other)), tmp_path).centres == (4, 0, 2)
    mixed = (UP, UP, DOWN, UP, REST, REST)
    said = both.of(column(*mixed)).refusal(tmp_path)
    assert "line 6: no law of the class allows" in said


def _pieces(*walk: str) -> str:
    lines = (f"zq_private{1 + (at > 1)},{state}\n" for at, state in enumerate(walk))
    return "day,state\n" + "".join(lines)


def test_each_piece_may_follow_a_law_of_its_own(tmp_path: Path) -> None:
    both = PIECES.where(chains=[LAW, OTHER])
    content = _pieces(UP, DOWN, REST, REST, UP, REST)
    assert "line 5: no law" in PIECES.of(content).refusal(tmp_path)
    assert "line 3: no law" in PIECES.where(chains=[OTHER]).of(content).refusal(tmp_path)
    assert noise(both.of(content), tmp_path).centres == (2, 1, 3)
    worse = _pieces(UP, DOWN, REST, REST, DOWN, UP)
    assert "line 7: no law" in both.of(worse).refusal(tmp_path)


def test_the_first_impossible_piece_is_named(tmp_path: Path) -> None:
    content = _pieces(UP, REST, DOWN, UP, UP, REST)
    assert "line 3: no law" in PIECES.of(content).refusal(tmp_path)


def test_a_start_belongs_to_the_piece_that_it_starts(tmp_path: Path) -> None:
    content = _pieces(UP, DOWN, DOWN, UP, UP, UP)
    no_start = {"initial": ["1/2", 0, "1/2"], "P": [["1/3"] * 3] * 3}
    no_move = {"initial": "any", "P": [[1, 0, 0], ["1/3"] * 3, ["1/3"] * 3]}
    for law, line in ((no_start, 4), (no_move, 3)):
        assert f"line {line}: no law" in PIECES.where(chains=[law]).of(content).refusal(tmp_path)
    assert noise(PIECES.where(chains=[no_start, no_move]).of(content), tmp_path).centres[0] == 4


def test_the_step_from_one_piece_to_the_next_is_no_move(tmp_path: Path) -> None:
    content = PIECES.content.replace(f"zq_private1,{DOWN}", f"zq_private1,{UP}")
    assert noise(PIECES.of(content), tmp_path).centres == (4, 1, 1)


def test_each_piece_starts_as_the_law_says(tmp_path: Path) -> None:
    content = PIECES.content.replace(REST, DOWN)
    assert "line 4: no law of the class allows" in PIECES.of(content).refusal(tmp_path)


def test_a_stationary_chain_starts_in_states_that_come_back(tmp_path: Path) -> None:
    moves = [["1/2", "1/2", 0], [0, 0, 1], [0, "1/2", "1/2"]]  # up is left for ever
    steady = SEQUENCE.where(chains=[{"initial": "stationary", "P": moves}])
    started = column(UP, UP, DOWN, REST, REST, DOWN)
    assert "line 2: no law" in steady.of(started).refusal(tmp_path)
    later = column(DOWN, REST, REST, DOWN, REST, REST)
    assert noise(steady.of(later), tmp_path).centres == (0, 2, 4)
    free = SEQUENCE.where(chains=[{"initial": "any", "P": moves}])
    assert noise(free.of(started), tmp_path).centres == (2, 2, 2)


@pytest.mark.parametrize("field", ["zq_private_else", "", f"{UP}x", UP.upper()])
def test_a_field_that_is_no_state_is_refused_by_its_line(tmp_path: Path, field: str) -> None:
    assert "line 4" in SEQUENCE.of(column(UP, UP, field, UP, UP, UP)).refusal(tmp_path)


def test_what_has_to_be_public_is_the_length_the_states_and_the_class() -> None:
    assert public(SEQUENCE) == ("length", "states", "class")
    assert public(PIECES) == ("lengths", "states", "class")


def test_a_plan_shows_nothing(tmp_path: Path) -> None:
    assert "zq_private" not in repr(noise(SEQUENCE, tmp_path))
