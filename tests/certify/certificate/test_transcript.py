"""Transcripts: read as a stream of bounded size, and only where every line adds up."""

from __future__ import annotations

import gzip
import hashlib
import json
import resource
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.certify import certify
from simplexcert.certify.certificate import transcript_stream
from simplexcert.certify.certificate.errors import TranscriptError
from simplexcert.certify.certificate.models import Statement
from simplexcert.certify.certificate.statement import statement_of
from simplexcert.certify.certificate.transcript_reading import require_transcript
from simplexcert.certify.transcript import transcript_writer
from simplexcert.reference.errors import InputError

SCOPE = "dirichlet.profile.*_for_*"
ENOUGH_FOR_MEMORY = 20_000


@cache
def campaign() -> tuple[Statement, tuple[str, ...]]:
    """Return a certificate and the lines of its transcript."""
    lines: list[str] = []
    found = certify(quantities=SCOPE, cases=6, on_case=lines.append)
    return statement_of(found), tuple(lines)


def packed(folder: Path, content: bytes) -> Path:
    file = folder / "cases.jsonl.gz"
    file.write_bytes(gzip.compress(content, mtime=0))
    return file


def told(statement: Any, content: bytes, **changed: int) -> Any:
    """Return the certificate with the digest of these lines, and with other numbers of cases."""
    replace = msgspec.structs.replace
    predicate = statement.predicate
    transcript = replace(predicate.transcript, sha256=hashlib.sha256(content).hexdigest())
    checks = [
        replace(check, cases=changed.get(check.quantity.replace(".", "_"), check.cases))
        for check in predicate.checks
    ]
    return replace(statement, predicate=replace(predicate, transcript=transcript, checks=checks))


def test_a_campaigns_own_transcript_adds_up(tmp_path: Path) -> None:
    statement, lines = campaign()
    with transcript_writer(tmp_path / "cases.jsonl.gz") as write:
        for line in lines:
            write(line)
    require_transcript(tmp_path / "cases.jsonl.gz", statement)
    require_transcript(packed(tmp_path, "".join(lines).encode()), statement)


def test_a_transcript_of_another_order_is_that_of_another_campaign(tmp_path: Path) -> None:
    statement, lines = campaign()
    content = "".join(reversed(lines)).encode()
    with pytest.raises(TranscriptError, match="another campaign"):
        require_transcript(packed(tmp_path, content), statement)
    require_transcript(packed(tmp_path, content), told(statement, content))


def changed_line(**changes: object) -> Callable[[list[str]], list[str]]:
    """Return a change of a direction's line, which stays canonical and is no worst case."""

    def change(lines: list[str]) -> list[str]:
        worst = [check.worst for check in campaign()[0].predicate.checks if check.worst]
        met = [one.parameters for one in worst]
        at, table = next(
            (at, table)
            for at, table in enumerate(map(json.loads, lines))
            if table["check"] == "direction" and table["parameters"] not in met
        )
        line = rfc8785.dumps({**table, **changes}).decode() + "\n"
        return [*lines[:at], line, *lines[at + 1 :]]

    return change


LINES: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "dropped": (lambda lines: lines[:-1], r"cases, \d+ were judged"),
    "one-more": (lambda lines: [*lines, lines[-1]], r"more than the \d+ cases"),
    "one-for-another": (lambda lines: [*lines[:-1], lines[0]], "has 7 cases, 6 were judged"),
    "of-another-quantity": (changed_line(quantity="made.up"), "no check that was made"),
    "of-a-check-not-made": (changed_line(check="accuracy"), "no check that was made|7 cases"),
    "inapplicable": (changed_line(verdict="inapplicable"), "is inapplicable, not certified"),
    "refuted": (changed_line(verdict="refuted"), "the gravest case of the transcript is refuted"),
    "undecided": (changed_line(verdict="undecided"), "is undecided, not certified"),
    "verdict-unknown": (changed_line(verdict="fine"), "is no case"),
    "field-more": (changed_line(extra=1), "is no case"),
    "parameter-no-hex": (changed_line(parameters={"alpha": "0.5"}), "is no case"),
    "value-a-number": (changed_line(value=1), "is no case"),
    "spaces": (lambda lines: [lines[0].replace(":", ": ", 1), *lines[1:]], "not in canonical"),
    "escape": (
        lambda lines: [lines[0].replace("quantity", "quantit\\u0079", 1), *lines[1:]],
        "not in canonical"),
    "key-twice": (
        lambda lines: [lines[0].replace("{", '{"check":"accuracy",', 1), *lines[1:]],
        "not in canonical"),
    "carriage-return": (lambda lines: [lines[0][:-1] + "\r\n", *lines[1:]], "not in canonical"),
    "empty-line": (lambda lines: ["\n", *lines[1:]], "is no case"),
    "no-line-end": (lambda lines: [*lines[:-1], lines[-1][:-1]], "has no end"),
    "list": (lambda lines: ["[]\n", *lines[1:]], "is no case"),
    "deep": (lambda lines: ["[" * 50_000 + "\n", *lines[1:]], "is no case"),
    "endless-line": (lambda lines: ["1" * 2**21 + "1\n", *lines[1:]], "a line of more than"),
    "no-utf-8-in-a-key": (
        lambda lines: [lines[0].replace('"check"', '"\udc80check"', 1), *lines[1:]], "is no case"),
    "no-utf-8": (lambda lines: ["\udcff\n", *lines[1:]], "is no case"),
    "lone-surrogate": (changed_line(value="\\ud800"), "the gravest|another|no case|canonical"),
}  # fmt: skip


@pytest.mark.parametrize("name", LINES)
def test_lines_that_do_not_add_up_are_refused_whatever_their_digest(
    tmp_path: Path, name: str
) -> None:
    statement, lines = campaign()
    change, says = LINES[name]
    content = "".join(change(list(lines))).encode(errors="surrogateescape")
    if name == "lone-surrogate":
        content = content.replace(b"\\\\ud800", b"\\ud800")
    file = packed(tmp_path, content)
    with pytest.raises(TranscriptError, match=says):
        require_transcript(file, told(statement, content))


def test_every_worst_case_must_be_among_the_lines(tmp_path: Path) -> None:
    statement, lines = campaign()
    for check in statement.predicate.checks:
        worst = check.worst
        assert worst is not None
        number = next(
            number for number, line in enumerate(lines)
            if {"quantity": check.quantity, "check": check.check,
                **msgspec.to_builtins(worst)}.items() <= json.loads(line).items()
        )  # fmt: skip
        other = json.loads(lines[number])
        other["value"] = "0x1.0000000000000p-1074"
        line = rfc8785.dumps(other).decode() + "\n"
        content = "".join([*lines[:number], line, *lines[number + 1 :]]).encode()
        with pytest.raises(TranscriptError, match="does not hold a worst case"):
            require_transcript(packed(tmp_path, content), told(statement, content))


def members(content: bytes) -> dict[str, bytes]:
    whole = gzip.compress(content, mtime=0)
    return {
        "empty": b"",
        "cut-in-its-head": whole[:5],
        "cut-in-the-middle": whole[: len(whole) // 2],
        "cut-in-its-checksum": whole[:-1],
        "checksum-wrong": whole[:-8] + bytes(4) + whole[-4:],
        "length-wrong": whole[:-4] + bytes(4),
        "byte-wrong": whole[:100] + bytes([whole[100] ^ 1]) + whole[101:],
        "something-follows": whole + b"\0",
        "another-follows": whole + gzip.compress(b""),
        "plain": content,
        "zlib-and-no-gzip": zlib.compress(content),
        "lines-of-nothing": gzip.compress(b""),
    }


@pytest.mark.parametrize("name", members(bytes(range(256)) * 9))
def test_a_damaged_file_is_refused(tmp_path: Path, name: str) -> None:
    statement, lines = campaign()
    file = tmp_path / "cases.jsonl.gz"
    file.write_bytes(members("".join(lines).encode())[name])
    with pytest.raises(TranscriptError):
        require_transcript(file, statement)


def test_what_cannot_be_read_is_no_input(tmp_path: Path) -> None:
    statement, _ = campaign()
    for path in (tmp_path / "missing", tmp_path, Path("/dev/zero"), "a\0b"):
        with pytest.raises(InputError):
            require_transcript(path, statement)


def test_a_bomb_goes_off_as_far_as_the_first_line_that_is_too_long(tmp_path: Path) -> None:
    """A thousandfold compression costs no more than one line's length."""
    statement, _ = campaign()
    bomb = packed(tmp_path, bytes(2**28))
    assert bomb.stat().st_size < 2**19
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(TranscriptError, match="a line of more than"):
        require_transcript(bomb, statement)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 2**14  # kibibytes


def test_bytes_and_lines_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statement, lines = campaign()
    content = "".join(lines).encode()
    file = packed(tmp_path, content)
    monkeypatch.setattr(transcript_stream, "MAX_BYTES", len(content))
    require_transcript(file, statement)
    monkeypatch.setattr(transcript_stream, "MAX_BYTES", len(content) - 1)
    with pytest.raises(TranscriptError, match="bytes"):
        require_transcript(file, statement)
    monkeypatch.undo()
    name = statement.predicate.checks[0].quantity.replace(".", "_")
    with pytest.raises(TranscriptError, match="is not read"):
        require_transcript(file, told(statement, content, **{name: transcript_stream.MAX_LINES}))


MEMORY = """
import gzip, hashlib, resource, sys, pathlib, pickle
import msgspec
from simplexcert.certify.certificate.transcript_reading import require_transcript
statement, line, times, file = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())
digest = hashlib.sha256()
with gzip.open(file, "wb", compresslevel=1) as stream:
    for _ in range(times):
        stream.write(line)
        digest.update(line)
replace = msgspec.structs.replace
predicate = statement.predicate
transcript = replace(predicate.transcript, sha256=digest.hexdigest(), cases=times)
checks = [replace(predicate.checks[0], cases=times)]
statement = replace(statement, predicate=replace(predicate, transcript=transcript, checks=checks))
require_transcript(file, statement)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_number_of_cases(tmp_path: Path) -> None:
    import pickle

    statement, lines = campaign()
    worst = statement.predicate.checks[0].worst
    (line,) = {
        line for line in lines
        if worst and json.loads(line)["parameters"] == worst.parameters
        and json.loads(line)["quantity"] == statement.predicate.checks[0].quantity
        and json.loads(line)["check"] == statement.predicate.checks[0].check
    }  # fmt: skip
    peaks = []
    for times in (100, ENOUGH_FOR_MEMORY):
        job = statement, line.encode(), times, str(tmp_path / "cases.jsonl.gz")
        (tmp_path / "job").write_bytes(pickle.dumps(job))
        ended = subprocess.run(
            [sys.executable, "-c", MEMORY, str(tmp_path / "job")],
            capture_output=True,
            check=True,
            text=True,
        )
        peaks.append(int(ended.stdout))
    # The lines are some six megabytes, the pieces that are read 64 kilobytes.
    assert peaks[1] - peaks[0] < 2**11  # kibibytes


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs")), max_size=20), st.integers())
def test_the_fast_way_to_canonical_form_is_rfc_8785_where_it_is_used(text: str, n: int) -> None:
    table = {"value": text, "a": [text, {"": n % 2**53}], text: {}}
    if rfc8785.dumps(table).isascii():
        assert msgspec.json.encode(table, order="sorted") == rfc8785.dumps(table)
