"""Plans of Wasserstein releases: the answer, by itself or by its data set, and every refusal."""

from __future__ import annotations

from pathlib import Path

import pytest
from each import each_of
from noise_cases import JSON_LISTED, LISTED, centres, noise, public


@pytest.mark.parametrize(("number", "answer"), [("1", "7712/3"), ("3.0", "7712/3"), ("4", "9")])
def test_a_data_set_has_the_answer_that_the_claim_lists(
    tmp_path: Path, number: str, answer: str
) -> None:
    plan = noise(LISTED.of(f"dataset\n{number}\n"), tmp_path)
    assert (list(map(str, plan.centres)), plan.scale, plan.scalar) == ([answer], 3000, True)
    assert centres(JSON_LISTED.of(f'{{"dataset": {number}}}'), tmp_path) == [answer]


@pytest.mark.parametrize(("text", "answer"), [("9", "9"), ("7712/3", "7712/3"), ("9.00", "9")])
def test_an_answer_that_is_listed_is_taken(tmp_path: Path, text: str, answer: str) -> None:
    assert centres(LISTED.of(f"answer\n{text}\n"), tmp_path) == [answer]
    assert centres(JSON_LISTED.of(f'{{"answer": "{text}"}}'), tmp_path) == [answer]


def test_a_data_set_or_an_answer_that_no_law_allows_is_refused(tmp_path: Path) -> None:
    for content in ("dataset\n2\n", "dataset\n5\n", "answer\n0\n", "answer\n771234\n"):
        assert "no law of the class allows" in LISTED.of(content).refusal(tmp_path)
    some = [[0, 0, "1/2", "1/2", 0]]  # the answer of data set 1 is that of data set 3, too
    assert centres(LISTED.where(laws=some).of("answer\n7712/3\n"), tmp_path) == ["7712/3"]
    assert "no law" in LISTED.where(laws=some).of("dataset\n1\n").refusal(tmp_path)


@each_of("number", ["0", "6", "-1", "1.5", "771234"])
def test_a_number_of_no_data_set_is_refused(tmp_path: Path, number: str) -> None:
    assert "whole number from 1 to 5" in LISTED.of(f"dataset\n{number}\n").refusal(tmp_path)


@pytest.mark.parametrize("answer", ["1", "7712345", "2570.666", "-9"])
def test_an_answer_that_is_not_listed_is_refused(tmp_path: Path, answer: str) -> None:
    assert "none of those" in LISTED.of(f"answer\n{answer}\n").refusal(tmp_path)


@each_of("bits", ["zq_private", "7712x", "1/0", "1e99999", "nan", "inf", "9" * 10_001])
def test_what_is_no_exact_number_is_refused(tmp_path: Path, bits: str) -> None:
    said = LISTED.of(f"answer\n{bits}\n").refusal(tmp_path)
    assert "line 2: answer is not an exact number" in said
    said = JSON_LISTED.of(f'{{"dataset": "{bits}"}}').refusal(tmp_path)
    assert "dataset is not an exact number" in said


def test_what_has_to_be_public_is_the_class() -> None:
    assert public(LISTED) == ("class",)
