"""One line a violation, in ASCII, and commands that a shell takes as they were meant."""

from __future__ import annotations

import json
import math
import re
import shlex
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from simplexcert.certify.checks.case import case_from
from simplexcert.certify.checks.judgement import rules_for
from simplexcert.certify.ci.findings import Finding, judged
from simplexcert.certify.ci.violations import (
    MAX_SHOWN,
    Run,
    _compact,
    _quoted,
    lines_about,
    reproducer,
    truth_command,
)
from simplexcert.certify.ci.witnesses import Seen, Shown
from simplexcert.certify.cli import run as cli
from simplexcert.certify.points import Answered, Case
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.quantity import quantity_named

KL = "dirichlet.utility.expected_kl"
VARIANCE = "dirichlet.utility.variance"


def shown_at(case: Case, *, again: bool = True) -> Shown:
    found = Finding(case.quantity, case.check, case.verdict, 1, case)
    return Shown(judged(found, ()), Seen(case, again))


def test_a_line_is_one_line_of_ascii_whatever_is_in_it(run: Run, every_kind: list[Shown]) -> None:
    for shown in every_kind:
        for line in lines_about(run, shown):
            assert line.isascii()
            assert line.isprintable()
            assert re.match(r"(VIOLATION|UNDECIDED|EXPECTED|OUTDATED|REPRODUCE|TRUTH) ", line)


def test_only_an_unexpected_failure_is_a_violation(run: Run, every_kind: list[Shown]) -> None:
    words = [[line.split(" ")[0] for line in lines_about(run, shown)] for shown in every_kind]
    commands = ["REPRODUCE", "TRUTH"]
    assert words == [
        [],
        ["VIOLATION", *commands],
        ["VIOLATION", *commands],
        ["UNDECIDED", *commands],
        [],
        ["EXPECTED"],
        ["OUTDATED"],
    ]


def test_the_fields_are_the_witness(run: Run, every_kind: list[Shown]) -> None:
    line = next(lines_about(run, every_kind[1]))
    assert f"quantity={VARIANCE} check=accuracy verdict=refuted " in line
    assert 'params={"p":"0.5","k":"3.0"} answered="0.25" truth=[0.0625, 0.0625]' in line
    assert ' off="3" side=above' in line
    assert f"backend={json.dumps(f'{run.name} {run.version}')} " in line
    assert 'because="a <reason> & more"' in next(lines_about(run, every_kind[5]))
    assert 'remove="f.txt, line 1"' in next(lines_about(run, every_kind[6]))


def test_last_places_are_told_of_rounding_alone(run: Run) -> None:
    """Of 2 in place of 1 there are 4503599627370496."""
    quantity = quantity_named("markov.communicating_classes")
    (rule,) = rules_for(quantity, {}, {})
    point = {"P": ((0.0, 1.0), (1.0, 0.0))}
    line = next(lines_about(run, shown_at(case_from(quantity, point, 2.0, rule))))
    assert ' off="1" side=above' in line
    assert "ulps" not in line
    quantity = quantity_named("dirichlet.utility.variance_bound")
    (rule,) = rules_for(quantity, {}, {})
    near = case_from(quantity, {"k": 1.0}, 0.125 - 2**-55, rule)
    assert ' off="2.23e-16" ulps=1 side=below' in next(lines_about(run, shown_at(near)))
    at_once = case_from(quantity, {"k": 1.0}, -math.inf, rule)
    assert ' off="unbounded" side=below' in next(lines_about(run, shown_at(at_once)))


def test_a_witness_that_was_seen_again_is_asked_for_alone(every_kind: list[Shown]) -> None:
    words = shlex.split(reproducer(Run("mine:it", "mine", "1", 20, 7), every_kind[1]))
    assert words == [
        "python", "-P", "-m", "simplexcert.certify.ci.again", "mine:it", VARIANCE, "accuracy",
        '{"p":"0x1p-1","k":"0x1.8p+1"}',
    ]  # fmt: skip


def test_another_is_reproduced_by_its_campaign(every_kind: list[Shown]) -> None:
    assert every_kind[1].witness
    shown = shown_at(every_kind[1].witness.case, again=False)
    told = Run("mine:it", "mine", "1", 20, 7, 2.5)
    assert shlex.split(reproducer(told, shown)) == [
        "simplexcert", "certify", "mine:it", "--quantities", VARIANCE, "--cases", "20",
        "--seed", "7", "--case-seconds", "2.5",
    ]  # fmt: skip


@settings(max_examples=60)
@given(st.text(st.characters(exclude_characters="\x00"), min_size=1, max_size=12))
def test_a_word_reaches_bash_as_it_is(word: str) -> None:
    quoted = _quoted(word)
    assert quoted.isascii()
    assert quoted.isprintable()
    done = subprocess.run(["bash", "-c", f"printf %s {quoted}"], capture_output=True, check=True)  # noqa: S607
    assert done.stdout == word.encode()


@given(st.floats(allow_nan=False))
def test_a_double_without_its_last_zeros_is_the_same(value: float) -> None:
    (text,) = json.loads(_compact([value.hex()]))
    assert float.fromhex(text).hex() == value.hex()
    assert len(text) <= len(value.hex())


@pytest.mark.parametrize("text", ["0x1.0p+0 and more", "stationary", "x0x1.00p+1"])
def test_words_keep_their_zeros(text: str) -> None:
    assert json.loads(_compact([text])) == [text]


def test_the_command_for_the_truth_is_one_that_answers(capsys: pytest.CaptureFixture[str]) -> None:
    quantity = quantity_named(KL)
    (rule,) = rules_for(quantity, {}, {})
    case = case_from(quantity, {"p": (0.25, 0.75), "k": 3.0}, 5.0, rule)
    command = truth_command(case)
    assert command == f"""simplexcert evaluate {KL} -p 'p=["1/4","3/4"]' -p k=3"""
    assert cli(shlex.split(command)[1:]) == 0
    assert "proved" in capsys.readouterr().out


def test_what_is_far_too_long_is_cut_and_asked_for_by_its_campaign(run: Run) -> None:
    quantity = quantity_named(KL)
    (rule,) = rules_for(quantity, {}, {})
    law = (1.0, *[0.0] * 9_000)
    case = case_from(quantity, {"p": (0.5, 0.5), "k": 3.0}, 5.0, rule)
    long = Case(**{**vars(case), "parameters": {"p": law, "k": 3.0}})
    line, again, _ = lines_about(run, shown_at(long))
    assert len(line) < MAX_SHOWN + 2_000
    assert "characters)" in line
    assert again.startswith("REPRODUCE simplexcert certify ")


def test_what_a_law_compares_with_is_told(run: Run) -> None:
    quantity = quantity_named(VARIANCE)
    (rule,) = rules_for(quantity, {}, {})
    case = case_from(quantity, {"p": 0.5, "k": 3.0}, 5.0, rule)
    law = Case(**{**vars(case), "others": (Answered(VARIANCE, {"p": 0.5, "k": 3.0}, "0x1p+0"),)})
    assert law.verdict is Verdict.REFUTED
    line = next(lines_about(run, shown_at(law)))
    assert f'others=[{{"quantity":"{VARIANCE}","parameters":{{"p":"0.5"' in line
