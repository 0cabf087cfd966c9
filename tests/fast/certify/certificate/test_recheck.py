"""Judging a transcript's cases anew: which are taken, and that a false one among them is found."""

from __future__ import annotations

import gzip
import hashlib
import json
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec
import pytest
import rfc8785
from each import each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.certificate import recheck, statement_of, verify
from simplexcert.certify.certificate.errors import TranscriptError, WitnessError
from simplexcert.certify.certificate.models import Statement
from simplexcert.certify.certificate.reading import canonical_bytes
from simplexcert.certify.certificate.recheck import chosen_places, rechecked
from simplexcert.certify.points import line_in
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

SCOPE = "dirichlet.profile.delta"


@cache
def campaign() -> tuple[Statement, tuple[str, ...]]:
    """Return a certificate and the lines of its transcript."""
    lines: list[str] = []
    found = certify_backend(quantities=SCOPE, cases=30, on_case=lines.append)
    return statement_of(found), tuple(lines)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge in this process, as starting others takes longer than these cases."""
    monkeypatch.setattr(recheck, "_processes", lambda: 1)


def packed(folder: Path, lines: tuple[str, ...]) -> Path:
    file = folder / "cases.jsonl.gz"
    file.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    return file


def about(lines: tuple[str, ...]) -> Statement:
    """Return the certificate with the digest of other lines."""
    statement, _ = campaign()
    replace = msgspec.structs.replace
    digest = hashlib.sha256("".join(lines).encode()).hexdigest()
    transcript = replace(statement.predicate.transcript, sha256=digest)
    return replace(statement, predicate=replace(statement.predicate, transcript=transcript))


def lines_of(check: str) -> list[int]:
    """Return the places of a check's lines."""
    return [at for at, line in enumerate(campaign()[1]) if json.loads(line)["check"] == check]


def with_value(at: int, value: str) -> tuple[str, ...]:
    """Return the lines with another answer in the direction's line of this number."""
    _, lines = campaign()
    number = lines_of("direction")[at]
    line = rfc8785.dumps({**json.loads(lines[number]), "value": value}).decode() + "\n"
    return (*lines[:number], line, *lines[number + 1 :])


@each_of("total, chosen", [(1, 1), (7, 7), (100, 1), (100, 33), (1000, 999)])
def test_places_are_different_in_order_and_one_of_each_stretch(total: int, chosen: int) -> None:
    places = list(chosen_places("d", total, chosen))
    assert len(places) == chosen
    for stretch, place in enumerate(places):
        assert stretch * total <= place * chosen + chosen - 1
        assert (stretch * total) // chosen <= place < ((stretch + 1) * total) // chosen


def test_places_depend_on_the_transcript_alone() -> None:
    first, again, other = (list(chosen_places(d, 10_000, 50)) for d in ("a", "a", "b"))
    assert first == again != other


@pytest.mark.parametrize(("number", "done"), [(1, 1), (5, 5), (None, None), (10**9, None)])
def test_so_many_cases_are_judged_anew(
    tmp_path: Path, number: int | None, done: int | None
) -> None:
    statement, lines = campaign()
    file = packed(tmp_path, lines)
    assert rechecked(file, statement, number) == (done or len(lines), Verdict.CERTIFIED)


def test_several_processes_come_to_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement, lines = campaign()
    file = packed(tmp_path, lines)
    monkeypatch.setattr(recheck, "_WORTH_PROCESSES", 2)
    monkeypatch.setattr(recheck, "_processes", lambda: 2)
    seen: list[tuple[int, int]] = []
    found = rechecked(file, statement, None, lambda done, total: seen.append((done, total)))
    assert found == (len(lines), Verdict.CERTIFIED)
    assert seen[-1] == (len(lines), len(lines))
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    wrong = with_value(29, "-0x1.0000000000000p+0")
    with pytest.raises(WitnessError):
        rechecked(packed(tmp_path, wrong), about(wrong), None)


@each_of("number", [0, 11, 29])
@each_of("value", ["-0x1.0000000000000p+0", "-1/3", "-inf", "nan", "no number"])
def test_a_false_case_is_found_where_all_are_judged(
    tmp_path: Path, number: int, value: str
) -> None:
    wrong = with_value(number, value)
    with pytest.raises(WitnessError):
        rechecked(packed(tmp_path, wrong), about(wrong), None)


def test_a_case_that_cannot_be_decided_anew_is_no_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    statement, lines = campaign()
    monkeypatch.setattr(recheck, "RECHECK_SECONDS", 0.0)
    done, verdict = rechecked(packed(tmp_path, lines), statement, 3)
    assert (done, verdict) in [(3, Verdict.UNDECIDED), (3, Verdict.CERTIFIED)]
    monkeypatch.setattr(recheck, "witness_verdict", lambda *_, **__: Verdict.UNDECIDED)
    assert rechecked(packed(tmp_path, lines), statement, 3) == (3, Verdict.UNDECIDED)


def test_a_law_whose_other_answer_is_false_is_found(tmp_path: Path) -> None:
    _, lines = campaign()
    for law in ("determinism", "monotone"):
        at = lines_of(law)[-1]
        line = json.loads(lines[at])
        line["others"][0]["value"] = "0x1.0000000000000p+900"
        changed = rfc8785.dumps(line).decode() + "\n"
        wrong = (*lines[:at], changed, *lines[at + 1 :])
        with pytest.raises(WitnessError):
            rechecked(packed(tmp_path, wrong), about(wrong), None)


def test_a_transcript_that_changed_in_the_meantime_is_noticed(tmp_path: Path) -> None:
    statement, _ = campaign()
    for lines in (with_value(4, "-0x1.0000000000000p-1"), ("{}\n",) * 60, ("x\n",) * 60):
        with pytest.raises((TranscriptError, WitnessError)):
            rechecked(packed(tmp_path, lines), statement, None)


def test_verify_tells_what_was_judged_anew(tmp_path: Path) -> None:
    statement, lines = campaign()
    file, transcript = tmp_path / "certificate.json", packed(tmp_path, lines)
    file.write_bytes(canonical_bytes(statement))
    found = verify(file, transcript=transcript, recheck=4)
    assert (found.verdict, found.transcript, found.rechecked) == (Verdict.CERTIFIED, True, 4)
    assert verify(file, transcript=transcript).as_json()["rechecked"] == 0
    assert verify(file, transcript=transcript, recheck="all").rechecked == len(lines)
    with pytest.raises(InputError, match="give it, by --transcript"):
        verify(file, recheck=4)
    with pytest.raises(InputError, match="ask for one case at least"):
        verify(file, transcript=transcript, recheck=0)


def test_a_truth_that_is_widened_to_hide_an_answer_that_says_nothing_is_found(
    tmp_path: Path,
) -> None:
    _, lines = campaign()
    at = next(at for at in lines_of("direction") if json.loads(lines[at])["exact"] is None)
    one = "0x1.0000000000000p+0"
    hidden = {**json.loads(lines[at]), "value": one, "upper": "0x1p+0", "note": "closed"}
    forged = (*lines[:at], rfc8785.dumps(hidden).decode() + "\n", *lines[at + 1 :])
    with pytest.raises(WitnessError, match="wider than what is found"):
        rechecked(packed(tmp_path, forged), about(forged), None)


def test_the_ends_of_an_exact_truth_are_those_of_its_number() -> None:
    line = {**json.loads(campaign()[1][0]), "exact": "0x1/0x3"}
    for ends in (("0x0p+0", "0x1p-1"), ("0x5555p-16", "0x1p-1"), ("-inf", "inf")):
        wide = rfc8785.dumps({**line, "lower": ends[0], "upper": ends[1]})
        with pytest.raises(InputError, match="those of the exact number"):
            line_in(wide)
    third = rfc8785.dumps(
        {**line, "lower": "0x5555555555555555p-64", "upper": "0xaaaaaaaaaaaaaaabp-65"}
    )
    assert line_in(third).truth.exact == Fraction(1, 3)
