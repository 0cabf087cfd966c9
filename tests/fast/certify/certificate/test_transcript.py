"""Transcripts: read as a stream of bounded size, and only where every line adds up."""

from __future__ import annotations

import gzip
import hashlib
import itertools
import json
import os
import re
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
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.certify import certify_backend, points
from simplexcert.certify.campaign import transcript_writer
from simplexcert.certify.certificate import transcript
from simplexcert.certify.certificate.backend import statement_of
from simplexcert.certify.certificate.errors import TranscriptError
from simplexcert.certify.certificate.models import Statement
from simplexcert.certify.certificate.parts import Digest
from simplexcert.certify.certificate.transcript import (
    is_witness,
    require_transcript,
    seed_of,
    witness_in,
)
from simplexcert.certify.checks.case import gravity_of
from simplexcert.certify.points import line_in
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

SCOPE = "dirichlet.profile.*_for_*"
ENOUGH_FOR_MEMORY = 10_000


@cache
def campaign() -> tuple[Statement, tuple[str, ...]]:
    """Return a certificate and the lines of its transcript."""
    lines: list[str] = []
    # Of four drawn points two have relations; of the others one at the most is the worst.
    found = certify_backend(quantities=SCOPE, cases=8, on_case=lines.append)
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
    with pytest.raises(TranscriptError, match="has to stand"):
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
    "one-for-another": (lambda lines: [*lines[:-1], lines[0]], "has to stand"),
    "of-another-quantity": (changed_line(quantity="made.up"), "no check that was made"),
    "of-a-check-not-made": (changed_line(check="accuracy"), "no check that was made|7 cases"),
    "inapplicable": (changed_line(verdict="inapplicable"), "by its numbers is certified"),
    "refuted": (changed_line(verdict="refuted"), "by its numbers is certified"),
    "undecided": (changed_line(verdict="undecided"), "by its numbers is certified"),
    "an-error": (changed_line(verdict="error"), "the gravest case of the transcript is error"),
    "another-distance": (changed_line(violation="-0x1/0x1"), "tells another distance than it has"),
    "another-side": (changed_line(side="unknown"), "tells another distance than it has"),
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


@each_of("name", LINES)
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
            if json.loads(line)["check"] == check.check
            and is_witness(line_in(line[:-1].encode()), worst)
            and json.loads(line)["quantity"] == check.quantity
        )  # fmt: skip
        other = json.loads(lines[number])
        other["value"] = "0x1.0000000000000p-1074"
        line = rfc8785.dumps(other).decode() + "\n"
        content = "".join([*lines[:number], line, *lines[number + 1 :]]).encode()
        with pytest.raises(
            TranscriptError,
            match=r"not hold a worst|another|note|by its|tries at",
        ):
            require_transcript(packed(tmp_path, content), told(statement, content))


def test_no_case_is_farther_off_than_the_worst(tmp_path: Path) -> None:
    """Of one verdict, too: what a certificate is off by at most is the worst's."""
    replace = msgspec.structs.replace
    statement, lines = campaign()
    content = "".join(lines).encode()
    cases = [line_in(line[:-1].encode()) for line in lines]
    checks = statement.predicate.checks
    tried = 0
    for number, check in enumerate(checks):
        own = [one for one in cases if (one.quantity, one.check) == (check.quantity, check.check)]
        least = min(own, key=gravity_of)
        if gravity_of(least) == gravity_of(max(own, key=gravity_of)):
            continue
        tried += least.verdict is Verdict.CERTIFIED
        other = replace(check, worst=witness_in(least))
        changed = replace(
            statement,
            predicate=replace(
                statement.predicate, checks=[*checks[:number], other, *checks[number + 1 :]]
            ),
        )
        with pytest.raises(TranscriptError, match="not the gravest of the transcript"):
            require_transcript(packed(tmp_path, content), changed)
    assert tried


def test_a_picture_is_of_the_transcripts_cases(tmp_path: Path) -> None:
    statement, lines = campaign()
    file = packed(tmp_path, "".join(lines).encode())
    replace, predicate = msgspec.structs.replace, statement.predicate
    first, *rest = predicate.sample
    for sample in ([*rest, first], [replace(first, size="0x1.0000000000000p+3"), *rest]):
        changed = replace(statement, predicate=replace(predicate, sample=sample))
        with pytest.raises(TranscriptError, match="the sample of cases is not that of"):
            require_transcript(file, changed)


def test_a_truth_as_small_as_an_answer_is_large_is_written_and_read(
    tmp_path: Path, make_backend: Callable[..., str]
) -> None:
    """What is lost at epsilon = 1e308 is e^-1e308, about 2^-1.4e308."""
    lines: list[str] = []
    where = make_backend("dirichlet.profile.epsilon", "answer = 1e308")
    found = certify_backend(
        where, quantities="dirichlet.profile.epsilon", cases=16, on_case=lines.append
    )
    content = "".join(lines).encode()
    assert any(len(json.loads(line)["upper"]) > 300 for line in lines)
    require_transcript(packed(tmp_path, content), statement_of(found))


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


@each_of("name", members(bytes(range(256)) * 9))
def test_a_damaged_file_is_refused(tmp_path: Path, name: str) -> None:
    statement, lines = campaign()
    file = tmp_path / "cases.jsonl.gz"
    file.write_bytes(members("".join(lines).encode())[name])
    with pytest.raises(TranscriptError):
        require_transcript(file, statement)


def test_what_cannot_be_read_is_no_input(tmp_path: Path) -> None:
    statement, _ = campaign()
    os.mkfifo(pipe := tmp_path / "pipe")
    for path in (tmp_path / "missing", tmp_path, Path("/dev/zero"), pipe, "a\0b"):
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


@each_of("many", ["[],", "{},", '"1",', '{"a":"1"},'])
def test_a_line_of_too_many_values_is_refused_before_it_is_read(many: str) -> None:
    """Two mebibytes of empty arrays took thirty-six."""
    _, (line, *_) = campaign()
    values = f'"more":[{many * points.MAX_LINE_VALUES}0]'
    hostile = line.rstrip("\n").replace('"parameters":{', '"parameters":{' + values + ",").encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(points, "_LINE", None)
        with pytest.raises(InputError, match=f"more than {points.MAX_LINE_VALUES} values"):
            line_in(hostile)


def test_bytes_and_lines_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    statement, lines = campaign()
    content = "".join(lines).encode()
    file = packed(tmp_path, content)
    monkeypatch.setattr(transcript, "MAX_BYTES", len(content))
    require_transcript(file, statement)
    monkeypatch.setattr(transcript, "MAX_BYTES", len(content) - 1)
    with pytest.raises(TranscriptError, match="bytes"):
        require_transcript(file, statement)
    monkeypatch.undo()
    name = statement.predicate.checks[0].quantity.replace(".", "_")
    with pytest.raises(TranscriptError, match="is not read"):
        require_transcript(file, told(statement, content, **{name: transcript.MAX_LINES}))


MEMORY = """
import gzip, hashlib, json, resource, sys, pathlib, pickle
import msgspec
import rfc8785
from simplexcert.certify.campaign.batches import Batch, batches_of, drawn_of
from simplexcert.certify.certificate.transcript import seed_of
from simplexcert.certify.certificate.transcript import seed_of
from simplexcert.certify.certificate.errors import TranscriptError
from simplexcert.certify.certificate.transcript import require_transcript
from simplexcert.certify.points import written_point
from simplexcert.certify.search.strategies import point_at
from simplexcert.reference.quantity import quantity_named
statement, line, times, file = pickle.loads(pathlib.Path(sys.argv[1]).read_bytes())
replace = msgspec.structs.replace
predicate = statement.predicate
case, check = json.loads(line), predicate.checks[0]
quantity, seed = quantity_named(check.quantity), seed_of(statement)
first, digest = None, hashlib.sha256()
with gzip.open(file, "wb", compresslevel=1) as stream:
    for batch in batches_of([quantity.name], Batch(None, "", 0, times, seed)):
        for number in range(batch.cases):
            drawn = number < drawn_of(batch.cases)
            point = point_at(quantity, seed, batch.drawn + number) if drawn else {
                **point_at(quantity, seed, 0), "alpha": float(number)}
            case |= {"parameters": written_point(point), "kind": "drawn" if drawn else "found"}
            first = first or case["parameters"]
            content = rfc8785.dumps(case) + b"\\n"
            stream.write(content)
            digest.update(content)
transcript = replace(predicate.transcript, sha256=digest.hexdigest(), cases=times)
opened = 0 if case["note"] == "closed" else times
checks = [replace(check, cases=times, open=opened, trivial=0,
                  worst=replace(check.worst, parameters=first))]
predicate = replace(
    predicate, transcript=transcript, checks=checks, scope=replace(predicate.scope, cases=times))
try:
    require_transcript(file, replace(statement, predicate=predicate))
except TranscriptError as error:  # the last thing that is compared
    assert "the sample of cases" in str(error)
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
    for times in (2_000, ENOUGH_FOR_MEMORY):
        job = statement, line.encode(), times, str(tmp_path / "cases.jsonl.gz")
        (tmp_path / "job").write_bytes(pickle.dumps(job))
        ended = subprocess.run(
            [sys.executable, "-c", MEMORY, str(tmp_path / "job")],
            capture_output=True,
            check=True,
            text=True,
        )
        peaks.append(int(ended.stdout))
    # The lines are some three megabytes, the pieces that are read 64 kilobytes.
    assert peaks[1] - peaks[0] < 2**11  # kibibytes


def of_kind(kind: str, lines: list[str]) -> list[int]:
    """Return where the directions of one quantity at points of a kind stand; none is the worst."""
    worst = [check.worst for check in campaign()[0].predicate.checks if check.worst]
    met = [one.parameters for one in worst]
    tables = list(map(json.loads, lines))
    return [
        at
        for at, table in enumerate(tables)
        if table["kind"] == kind
        and table["check"] == "direction"
        and table["quantity"] == tables[0]["quantity"]
        and table["parameters"] not in met
        # Another line of the same point has to say so, too; but in other forms it is asked anew.
        and not any(
            other["parameters"] == table["parameters"] and other["check"] != "form"
            for other in tables[at + 1 :]
        )
    ]


def with_parameters(lines: list[str], at: int, parameters: object) -> list[str]:
    table = {**json.loads(lines[at]), "parameters": parameters}
    return [*lines[:at], rfc8785.dumps(table).decode() + "\n", *lines[at + 1 :]]


def made_up(lines: list[str]) -> list[str]:
    at = of_kind("drawn", lines)[0]
    table = json.loads(lines[at])["parameters"]
    return with_parameters(lines, at, {**table, "alpha": "0x1.0000000000000p+1"})


def drawn_again(lines: list[str]) -> list[str]:
    """The first drawn point stands a second time, in the place of another."""
    at = of_kind("drawn", lines)[0]
    return with_parameters(lines, at, json.loads(lines[0])["parameters"])


def found_again(change: Callable[[str], str] = str) -> Callable[[list[str]], list[str]]:
    """Return what repeats a found point, its numbers as they are or written in another way."""

    def changed(lines: list[str]) -> list[str]:
        first, second, *_ = of_kind("found", lines)
        table = json.loads(lines[first])["parameters"]
        return with_parameters(lines, second, {name: change(text) for name, text in table.items()})

    return changed


def found_as_drawn(lines: list[str]) -> list[str]:
    first = json.loads(lines[0])["parameters"]
    return with_parameters(lines, of_kind("found", lines)[0], first)


def outside_the_domain(lines: list[str]) -> list[str]:
    at = of_kind("found", lines)[0]
    table = json.loads(lines[at])["parameters"]
    return with_parameters(lines, at, {**table, "alpha": "-0x1.0000000000000p+1"})


def exchanged(lines: list[str]) -> list[str]:
    first = of_kind("found", lines)[0]
    kinds = {"kind": "drawn"}
    line = rfc8785.dumps({**json.loads(lines[first]), **kinds}).decode() + "\n"
    return [*lines[:first], line, *lines[first + 1 :]]


def other_point_for_a_law(lines: list[str]) -> list[str]:
    at = next(at for at, line in enumerate(lines) if '"check":"determinism"' in line)
    table = json.loads(lines[at])["parameters"]
    return with_parameters(lines, at, {**table, "alpha": "0x1.0000000000000p+1"})


def of_a_law(
    check: str, kind: str = "drawn", **changes: object
) -> Callable[[list[str]], list[str]]:
    """Return a change of a law's first line at such a point."""

    def change(lines: list[str]) -> list[str]:
        at, table = next(
            (at, table)
            for at, table in enumerate(map(json.loads, lines))
            if table["check"] == check and table["kind"] == kind and table["others"]
        )
        (other, *rest) = table["others"]
        where = {**other, "parameters": {**other["parameters"], **changes}}
        line = rfc8785.dumps({**table, "others": [where, *rest]}).decode() + "\n"
        return [*lines[:at], line, *lines[at + 1 :]]

    return change


FORGED: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "a-drawn-point-made-up": (made_up, "not of the point that the campaign's seed draws"),
    "a-drawn-point-repeated": (drawn_again, "not of the point that the campaign's seed draws"),
    "a-found-point-repeated": (found_again(), "repeats a point of its batch"),
    "a-found-point-repeated-in-other-words": (
        found_again(lambda text: re.sub("p([+-])", r"p\g<1>0", text)), "repeats a point"),
    "a-found-point-that-was-drawn": (found_as_drawn, "repeats a point of its batch"),
    "a-found-point-outside-the-domain": (outside_the_domain, "alpha"),
    "a-found-point-said-to-be-drawn": (exchanged, "at a found point has to stand"),
    "a-law-at-another-point": (other_point_for_a_law, "is of another point than line"),
    "another-move": (of_a_law("monotone", alpha="0x1.8000000000000p+1"), "tries at its point"),
    "another-target": (of_a_law("inverse", step="0x1.8000000000000p+1"), "tries at its point"),
    "neighbours-that-are-alike": (
        of_a_law("adjacency", u=["0x1.0p+1"] * 2, v=["0x1.0p+1"] * 2), "tries at its point"),
    "two-lines-exchanged": (lambda lines: [lines[1], lines[0], *lines[2:]], "has to stand"),
    "one-left-out-and-one-repeated": (
        lambda lines: [*lines[1:], lines[-1]], "has to stand|seed draws"),
}  # fmt: skip


@each_of("name", FORGED)
def test_a_forged_transcript_is_refused_whatever_its_digest(tmp_path: Path, name: str) -> None:
    statement, lines = campaign()
    change, says = FORGED[name]
    content = "".join(change(list(lines))).encode()
    with pytest.raises(TranscriptError, match=says):
        require_transcript(packed(tmp_path, content), told(statement, content))


@each_of(
    "check, changes, says",
    [
        *((check, {"verdict": "refuted"}, "by its numbers is certified")
          for check in ("determinism", "monotone", "limit", "inverse", "form")),
        ("form", {"note": "loose"}, "note 'loose' where '' is due"),
        ("determinism", {"side": "above"}, "another distance than it has"),
        ("monotone", {"exact": "0x5/0x1", "lower": "0x5p+0", "upper": "0x5p+0"}, "another truth"),
        ("inverse", {"exact": "0x5/0x1", "lower": "0x5p+0", "upper": "0x5p+0"}, "is refuted"),
    ],
)  # fmt: skip
def test_what_is_said_of_a_laws_case_follows_from_its_line(
    tmp_path: Path, check: str, changes: dict[str, object], says: str
) -> None:
    statement, lines = campaign()
    at, table = next(
        (at, table) for at, table in enumerate(map(json.loads, lines))
        if (table["check"], table["verdict"], table["note"]) == (check, "certified", "")
    )  # fmt: skip
    line = rfc8785.dumps({**table, **changes}).decode() + "\n"
    content = "".join([*lines[:at], line, *lines[at + 1 :]]).encode()
    with pytest.raises(TranscriptError, match=says):
        require_transcript(packed(tmp_path, content), told(statement, content))


def test_an_infinite_answer_on_the_unsafe_side_does_not_pass_beside_safe_ones(
    tmp_path: Path, make_backend: Callable[..., str]
) -> None:
    """No distance tells the two apart, so that the worst case may be a safe one."""
    name, lines = "dirichlet.profile.delta", list[str]()
    body = "answer = math.inf if given['epsilon'] > 1 else math.nextafter(truth, math.inf)"
    where = make_backend(name, body)
    statement = statement_of(
        certify_backend(where, quantities=name, cases=16, on_case=lines.append)
    )
    worst = statement.predicate.checks[0].worst
    at, table = next(
        (at, table) for at, table in enumerate(map(json.loads, lines))
        if (table["check"], table["value"]) == ("direction", "inf")
        and not is_witness(line_in(lines[at][:-1].encode()), worst)
        and lines[at + 1].count('"check":"direction"')
    )  # fmt: skip
    changes = {"value": "-inf", "side": "below", "note": ""}
    line = rfc8785.dumps({**table, **changes}).decode() + "\n"
    content = "".join([*lines[:at], line, *lines[at + 1 :]]).encode()
    require_transcript(packed(tmp_path, "".join(lines).encode()), statement)
    with pytest.raises(TranscriptError, match="by its numbers is refuted"):
        require_transcript(packed(tmp_path, content), told(statement, content))


def test_one_answer_stands_on_all_lines_that_hold_it_against_the_truth(tmp_path: Path) -> None:
    lines: list[str] = []
    scope = "dirichlet.add_remove.step_for_renyi"
    statement = statement_of(certify_backend(quantities=scope, cases=2, on_case=lines.append))
    assert [json.loads(line)["check"] for line in lines[:2]] == ["direction", "accuracy"]
    other = {**json.loads(lines[1]), "value": "inf", "violation": None, "side": "above"}
    content = "".join([lines[0], rfc8785.dumps(other).decode() + "\n", *lines[2:]]).encode()
    with pytest.raises(TranscriptError, match="line 2 of the transcript judges another answer"):
        require_transcript(packed(tmp_path, content), told(statement, content))


NOISE = "pufferfish.quilt_scale_exact"


@cache
def campaign_of_noise() -> tuple[Statement, tuple[str, ...], int]:
    """Return a campaign, and the place of a release of two nodes that is another one when turned.

    Points follow from the backend's files, so that it is not known which seed draws one.
    """
    for seed in itertools.count():
        lines: list[str] = []
        found = certify_backend(quantities=NOISE, cases=32, seed=seed, on_case=lines.append)
        for at, table in enumerate(map(json.loads, lines)):
            if (table["check"], table["kind"]) == ("adjacency", "drawn") and table["others"]:
                release = table["others"][0]["parameters"]
                turned = [row[::-1] for row in release["values"]]
                if release["length"] > 1 and turned != release["values"]:
                    return statement_of(found), tuple(lines), at
    raise AssertionError


def a_constant_query(release: dict[str, Any]) -> None:
    release["values"] = [[float(0).hex()] * len(row) for row in release["values"]]


def a_turned_query(release: dict[str, Any]) -> None:
    release["values"] = [row[::-1] for row in release["values"]]


def fewer_nodes(release: dict[str, Any]) -> None:
    release["length"] -= 1


def more_noise(release: dict[str, Any]) -> None:
    release["scale"] = (2 * float.fromhex(release["scale"])).hex()


def of_another_turn(table: dict[str, Any], lines: list[str]) -> None:
    """The release, and the point, of the next point of laws."""
    others = [json.loads(line) for line in lines if '"check":"adjacency"' in line]
    at = [other["others"] for other in others].index(table["others"])
    table.update({name: others[at + 1][name] for name in ("parameters", "value", "others")})


RELEASES: dict[str, Callable[[dict[str, Any], list[str]], None]] = {
    "constant": lambda table, _: a_constant_query(table["others"][0]["parameters"]),
    "turned": lambda table, _: a_turned_query(table["others"][0]["parameters"]),
    "shorter": lambda table, _: fewer_nodes(table["others"][0]["parameters"]),
    "noisier": lambda table, _: more_noise(table["others"][0]["parameters"]),
    "answered": lambda table, _: table["others"][0].update(value="0x1.0000000000000p+0"),
    "another-answer": lambda table, _: table.update(value="0x1.0000000000000p+20"),
    "infinite": lambda table, _: table.update(value="inf", others=[]),
    "none": lambda table, _: table.update(others=[]),
    "two": lambda table, _: table.update(others=table["others"] * 2),
    "of-no-quantity": lambda table, _: table["others"][0].update(quantity="none.at.all"),
    "no-quantity-answered": lambda table, _: table["others"][0].update(
        quantity="none.at.all", value="0x1.0000000000000p+0"
    ),
    "of-another-turn": of_another_turn,
}


@each_of("name", RELEASES)
def test_no_other_release_stands_where_one_is_drawn(tmp_path: Path, name: str) -> None:
    statement, lines, at = campaign_of_noise()
    table = json.loads(lines[at])
    RELEASES[name](table, list(lines))
    forged = [*lines[:at], rfc8785.dumps(table).decode() + "\n", *lines[at + 1 :]]
    for content, refused in (("".join(lines), False), ("".join(forged), True)):
        file = packed(tmp_path, content.encode())
        if not refused:
            require_transcript(file, statement)
            continue
        with pytest.raises(TranscriptError, match="not what adjacency tries at its point"):
            require_transcript(file, told(statement, content.encode()))


def test_the_points_that_are_drawn_hang_on_all_that_the_certificate_is_about(
    tmp_path: Path,
) -> None:
    statement, lines = campaign()
    file = packed(tmp_path, "".join(lines).encode())
    replace = msgspec.structs.replace
    predicate, (subject, *rest) = statement.predicate, statement.subject
    others = {
        "seed": replace(statement, predicate=replace(predicate, seed=1)),
        "subject": replace(statement, subject=[replace(subject, name="other"), *rest]),
        "digest": replace(
            statement, subject=[replace(subject, digest=Digest("0" * 64)), *rest]),
        "version": replace(
            statement,
            predicate=replace(predicate, tool=replace(predicate.tool, version="0.0.7"))),
        "quantities": replace(
            statement,
            predicate=replace(predicate, scope=replace(predicate.scope, names=["made.up"]))),
    }  # fmt: skip
    for name, other in others.items():
        says = "version 0.0.7 draws other points" if name == "version" else "seed draws there"
        with pytest.raises(TranscriptError, match=says):
            require_transcript(file, other)


def test_more_cases_draw_the_same_points_and_more() -> None:
    few, many = (seed_of_campaign(cases) for cases in (4, 7))
    assert few == many


def seed_of_campaign(cases: int) -> str:
    return seed_of(
        statement_of(certify_backend(quantities="dirichlet.profile.total*", cases=cases))
    )


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs")), max_size=20), st.integers())
def test_the_fast_way_to_canonical_form_is_rfc_8785_where_it_is_used(text: str, n: int) -> None:
    table = {"value": text, "a": [text, {"": n % 2**53}], text: {}}
    if rfc8785.dumps(table).isascii():
        assert msgspec.json.encode(table, order="sorted") == rfc8785.dumps(table)
