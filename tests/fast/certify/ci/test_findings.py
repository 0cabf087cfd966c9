"""A file of expected failures needs a reason for each, and names that exist; then it ends a run."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from each import each_of
from simplexcert.certify.checks.relations.cases import RELATIONS
from simplexcert.certify.ci import findings as module
from simplexcert.certify.ci.findings import (
    CHECKS,
    ExpectedFailure,
    Finding,
    Outcome,
    exit_code_of,
    expectation,
    expected_failures_in,
    judged,
    unmatched,
)
from simplexcert.certify.verdict import Verdict, exit_code, overall
from simplexcert.reference.errors import InputError

DELTA = "dirichlet.profile.delta"
LINE = ExpectedFailure(DELTA, "direction", "known", "f, line 1")


def listed(folder: Path, text: str | bytes) -> tuple[ExpectedFailure, ...]:
    file = folder / "expected.txt"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return expected_failures_in(file)


def found(verdict: Verdict, check: str = "direction") -> Finding:
    return Finding(DELTA, check, verdict, 0 if verdict is Verdict.INAPPLICABLE else 1)


def test_a_line_is_a_quantity_a_check_and_a_reason(tmp_path: Path) -> None:
    text = f"\n# a remark\n  {DELTA}\tdirection  #  known, # 12 \r\nmarkov.* *#all of it\n"
    first, second = listed(tmp_path, text)
    assert (first.quantity, first.check, first.reason) == (DELTA, "direction", "known, # 12")
    assert first.place.endswith("expected.txt, line 3")
    assert second.covers("markov.stationary", "accuracy")
    assert not second.covers(DELTA, "accuracy")
    assert expectation([first, second], DELTA, "direction") is first
    assert expectation([first, second], DELTA, "accuracy") is None


def test_a_file_with_nothing_in_it_expects_nothing(tmp_path: Path) -> None:
    assert listed(tmp_path, "") == listed(tmp_path, "# nothing\n\n") == ()


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    assert listed(tmp_path, b"\xef\xbb\xbf" + f"{DELTA} direction # why\n".encode())


@each_of(
    "text, says",
    [
        (f"{DELTA} direction", "the reason is missing"),
        (f"{DELTA} direction #  ", "the reason is missing"),
        (f"{DELTA} # why", "is not of the form QUANTITY CHECK  # reason"),
        (f"{DELTA} direction accuracy # why", "is not of the form"),
        ("dirichlet.profile.delto direction # why", "did you mean 'dirichlet.profile.delta'?"),
        (f"{DELTA} directions # why", "unknown check 'directions'; did you mean 'direction'?"),
        (f"{DELTA} direction # a\x00b", "printable"),
        (f"{DELTA} direction # {'x' * 1001}", "at most 1000 printable"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"#" * (2**20 + 1), "is larger than 1048576 bytes"),
        (b"a b # c\n" * 5_001, "expects more than 5000 failures; use globs"),
    ],
)
def test_what_is_no_such_line_is_told_with_its_place(
    tmp_path: Path, text: str | bytes, says: str
) -> None:
    with pytest.raises(InputError, match=r"expected\.txt") as error:
        listed(tmp_path, text)
    assert says in str(error.value)


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    (line,) = listed(tmp_path, f"{DELTA} direction\u2028# why\n")
    assert line.reason == "why"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        expected_failures_in(tmp_path / "nothing")


def test_every_law_is_a_check_that_can_be_expected_to_fail() -> None:
    assert {law.check for law in RELATIONS} <= set(CHECKS)
    assert {"direction", "accuracy"} <= set(CHECKS)


@pytest.mark.parametrize("strict", [False, True])
def test_with_nothing_expected_the_exit_code_is_the_verdicts(strict: bool) -> None:
    for size in range(len(Verdict) + 1):
        for verdicts in combinations(Verdict, size):
            parts = [
                judged(replace(found(verdict), quantity=verdict.value), ()) for verdict in verdicts
            ]
            whole = exit_code(overall(verdicts), strict=strict)
            assert exit_code_of(parts, strict=strict) == whole


def test_laws_of_a_quantity_that_is_not_shown_to_be_sound_are_no_run() -> None:
    law = replace(found(Verdict.CERTIFIED), check="determinism")
    parts = [judged(each, ()) for each in (found(Verdict.INAPPLICABLE), law)]
    assert exit_code_of(parts) == exit_code(Verdict.INAPPLICABLE)


@pytest.mark.parametrize("verdict", [Verdict.REFUTED, Verdict.ERROR, Verdict.UNDECIDED])
def test_an_expected_failure_fails_no_run_and_keeps_its_verdict(verdict: Verdict) -> None:
    part = judged(found(verdict), [LINE])
    assert (part.outcome, part.finding.verdict) == (Outcome.EXPECTED, verdict)
    assert exit_code_of([part], strict=True) == 0


@pytest.mark.parametrize("verdict", [Verdict.REFUTED, Verdict.ERROR])
def test_a_failure_of_another_check_fails_the_run(verdict: Verdict) -> None:
    parts = [judged(found(Verdict.REFUTED), [LINE]), judged(found(verdict, "accuracy"), [LINE])]
    assert exit_code_of(parts) == 1


def test_what_is_expected_to_fail_and_passes_fails_the_run() -> None:
    part = judged(found(Verdict.CERTIFIED), [LINE])
    assert part.outcome is Outcome.OUTDATED
    assert exit_code_of([part]) == 1


def test_what_is_inapplicable_is_neither_expected_nor_a_pass() -> None:
    part = judged(found(Verdict.INAPPLICABLE), [LINE])
    assert part.outcome is Outcome.SKIPPED
    assert exit_code_of([part]) == 5
    assert unmatched([LINE], [part]) == [LINE.place]


def test_the_limits_are_those_of_the_module() -> None:
    assert (module.MAX_BYTES, module.MAX_LINES, module.MAX_REASON) == (2**20, 5000, 1000)
