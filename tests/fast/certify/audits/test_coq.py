"""A certified claim as a theorem for Coq: written of what is provable, and of nothing else."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest
from command_line import Cli, calling
from each import each, each_of
from provable import RELEASES, claimed, nearly_true
from simplexcert import audit
from simplexcert.certify.audits import coq
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

GRADES = "example:benvenuti2025-grades"
_NUMBER = re.compile(r"^Definition (\w+) := (\d+)(?: / (\d+))?\.$", re.MULTILINE)


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


def numbers_in(theorem: str) -> dict[str, Fraction]:
    return {
        name: Fraction(int(top), int(below or 1)) for name, top, below in _NUMBER.findall(theorem)
    }


@each_of("kind", RELEASES)
def test_the_theorem_is_about_the_claims_own_numbers(kind: str) -> None:
    found = nearly_true(kind, "0.3", Fraction(1))
    said = numbers_in(coq.proof_of(found))
    assert said.keys() == {"k", "offset", "floor", "shift", "epsilon", "delta"}
    assert (said["epsilon"], said["delta"]) == (found.claim.epsilon, found.claim.delta)
    facts = found.worst.facts
    assert said["k"] * said["floor"] + said["offset"] == Fraction(str(facts["alpha"]))
    assert said["k"] * said["shift"] == Fraction(str(facts["step"]))


@each_of("kind", RELEASES)
def test_a_delta_above_the_truth_by_a_billionth_is_proved(kind: str) -> None:
    assert coq.proof_of(nearly_true(kind, "0.3", Fraction(1, 10**9)))


def test_tiny_deltas_are_proved() -> None:
    found = claimed("histogram", "40", Fraction(1, 10**60))
    assert found.verdict is Verdict.CERTIFIED
    assert coq.proof_of(found)


def test_a_delta_that_no_figures_tell_from_the_truth_is_refused() -> None:
    found = nearly_true("counts", "0.3", Fraction(1, 10**16))
    assert found.verdict is Verdict.CERTIFIED
    with pytest.raises(InputError, match="so near to the truth"):
        coq.proof_of(found)


@each(["example:song2017-flu", "example:ponnoprat2023-histogram", "example:markov-model"])
def test_of_any_other_loss_no_proof_is_written(example: str) -> None:
    found = audit(example)
    assert found.verdict is Verdict.CERTIFIED
    with pytest.raises(InputError, match="no proof for Coq can be written"):
        coq.proof_of(found)


def test_of_what_is_refuted_no_proof_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is refuted"):
        audit("example:poll").write_proof(tmp_path / "proof.v")
    assert not (tmp_path / "proof.v").exists()


@each([("MOST_TERMS", 10), ("MOST_EXPONENT", 1), ("MOST_DIGITS", 2)])
def test_what_coq_would_take_long_for_is_refused(limit: tuple[str, int]) -> None:
    found = audit(GRADES)
    assert coq.proof_of(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(coq, *limit)
        with pytest.raises(InputError, match="proof for Coq"):
            coq.proof_of(found)


def test_the_command_writes_what_python_writes(cli: Cli, tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine.v", tmp_path / "theirs.v"
    audit(GRADES).write_proof(mine)
    asked = cli("audit", GRADES, "--coq", theirs, "--json")
    assert json.loads(asked.out)["proof"] == str(theirs)
    assert mine.read_text("utf-8") == theirs.read_text("utf-8")
    assert "proof for Coq written to" in cli("audit", GRADES, "--coq", theirs).out


def test_the_command_says_that_nothing_is_proved_of_a_refuted_claim(
    cli: Cli, tmp_path: Path
) -> None:
    asked = cli("audit", "example:poll", "--coq", tmp_path / "proof.v")
    assert asked.code == 1
    assert asked.out.endswith("no proof for Coq was written: nothing is certified\n")
    assert not list(tmp_path.iterdir())


def test_what_cannot_be_proved_is_refused_before_anything_is_written(
    cli: Cli, tmp_path: Path
) -> None:
    wanted = ("--out", tmp_path / "cert.json", "--coq", tmp_path / "proof.v")
    asked = cli("audit", "example:song2017-flu", *wanted)
    assert (asked.code, asked.out, list(tmp_path.iterdir())) == (3, "", [])


def test_nobodys_file_is_written_over(cli: Cli, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.v"
    theirs.write_text("Theorem mine : True.\n", encoding="utf-8")
    assert cli("audit", GRADES, "--coq", theirs).code == 3
    assert theirs.read_text("utf-8") == "Theorem mine : True.\n"
