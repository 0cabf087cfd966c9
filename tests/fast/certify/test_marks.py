"""Nobody's file is written over: what is there has to be empty, or bear our format's mark."""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
from pathlib import Path

import pytest
from command_line import Cli, calling
from each import each_of
from simplexcert.certify import marks
from simplexcert.certify.cli import run
from simplexcert.certify.files import require_ours, whole_file, write_whole
from simplexcert.certify.marks import Mark
from simplexcert.certify.releasing.ledger.contents import NO_RELEASES, ledger_bytes
from simplexcert.reference.errors import InputError

VARIANCE = "dirichlet.utility.variance"
ALL = {
    name: mark
    for name, mark in vars(marks).items()
    if isinstance(mark, Mark) and mark is not marks.PACKAGED
}
# What some other program wrote, as near to ours as it can be.
STATEMENT = {"_type": "https://in-toto.io/Statement/v1", "predicateType": "https://slsa.dev/x"}
FOREIGN = {
    "text": b"my thesis\n",
    "json": b"{}",
    "deep": b"[" * 100_000,
    "statement": json.dumps(STATEMENT).encode(),
    "envelope": json.dumps(
        {
            "payload": base64.b64encode(json.dumps(STATEMENT).encode()).decode(),
            "payloadType": "application/vnd.in-toto+json",
        }
    ).encode(),
    "sarif": b'{"runs": [{"tool": {"driver": {"name": "other"}}}]}',
    "sarif-of-two": json.dumps(
        {"runs": [{"tool": {"driver": {"name": name}}} for name in ("simplexcert", "other")]}
    ).encode(),
    "no-runs": b'{"runs": []}',
    "page": b"<!DOCTYPE html>\n<html><head><title>simplexcert</title>",
    "junit": b'<?xml version="1.0"?>\n<testsuites name="pytest">',
    "packed": gzip.compress(b"my thesis"),
    "packed-after-nothing": gzip.compress(b"") + gzip.compress(b"my thesis"),
    "packed-checks": gzip.compress(b'{"check":"http","status":"ok"}\n'),
    "expectations": b"# failures that are expected\n* * # mine\n",
    "heading": b"# Test vectors\n\nmy thesis\n",
    "picture": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "table": b"epsilon,delta\n1,2\n",
    "curve": b"epsilon,lower,upper,verdict\n1,2,3,guilty\n",
    "theorem": b"(* a note: *) Theorem mine : True.\n",
    "document": b"%PDF-1.4\n/Creator (another)\n",
    "ledger": b'{"type": "https://example.org/release-ledger/v1"}',
}


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a file of each format, written by the command that writes it."""
    at = tmp_path_factory.mktemp("ours")
    files = ["--out", at / "c.json", "--transcript", at / "t.gz", "--report", at / "r.html"]
    files += ["--junit", at / "j.xml", "--sarif", at / "s.json", "--failures", at / "f.txt"]
    simulated = ["simulate", "example:ponnoprat2023-histogram", "--draws", "100"]
    simulated += ["--input", "[1, 2]", "--out", at / "simulated", "--plot", at / "plot.svg"]
    curve = ["curve", VARIANCE, "-p", "p=0:1:3", "-p", "k=1"]
    for words in (
        ["audit", "example:benvenuti2025-grades", "--coq", at / "proof.v"],
        [*curve, "--csv", at / "curve.csv", "--plot", at / "curve.pdf"],
        ["certify", "--quantities", VARIANCE, "--cases", "3", *files],
        ["vectors", "--quantities", VARIANCE, "--cases", "12", "--out", at / "vectors"],
        simulated,
    ):
        assert run([str(word) for word in words]) in (0, 2, 5), words
    (at / "ledger.json").write_bytes(ledger_bytes(NO_RELEASES, "ledger"))
    return {
        "CERTIFICATE": at / "c.json",
        "TRANSCRIPT": at / "t.gz",
        "LEDGER": at / "ledger.json",
        "REPORT": at / "r.html",
        "COQ": at / "proof.v",
        "JUNIT": at / "j.xml",
        "SARIF": at / "s.json",
        "EXPECTED": at / "f.txt",
        "VECTORS": at / "vectors" / f"{VARIANCE}.json",
        "INDEX": at / "vectors" / "index.json",
        "SCHEMA": at / "vectors" / "vectors-v0.schema.json",
        "VECTORS_PAGE": at / "vectors" / "VECTORS.md",
        "SIMULATION": at / "simulated" / "simulation.json",
        "ERRORS": at / "simulated" / "errors.csv",
        "PNG": at / "simulated" / "errors.png",
        "SVG": at / "plot.svg",
        "CURVE": at / "curve.csv",
        "PDF": at / "curve.pdf",
    }


def test_a_file_bears_the_mark_of_its_own_format_and_no_other(ours: dict[str, Path]) -> None:
    assert set(ours) == set(ALL)
    for name, file in ours.items():
        borne = {each for each, mark in ALL.items() if mark.is_borne(io.BytesIO(file.read_bytes()))}
        assert borne == {name}


def test_a_signed_certificate_bears_the_mark(ours: dict[str, Path]) -> None:
    payload = base64.b64encode(ours["CERTIFICATE"].read_bytes()).decode()
    envelope = {"payload": payload, "payloadType": "application/vnd.in-toto+json", "signatures": []}
    assert marks.CERTIFICATE.is_borne(io.BytesIO(json.dumps(envelope).encode()))


@each_of("name", FOREIGN)
def test_what_another_program_wrote_bears_none_and_stays(tmp_path: Path, name: str) -> None:
    file = tmp_path / "file"
    file.write_bytes(FOREIGN[name])
    for mark in ALL.values():
        with pytest.raises(InputError, match=f"is no {mark.kind} of ours"):
            require_ours(file, mark)
        with pytest.raises(InputError, match="of ours"):
            write_whole(file, b"new", mark)
    assert file.read_bytes() == FOREIGN[name]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_an_empty_file_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for mark in ALL.values():
        require_ours(tmp_path / "file", mark)
    write_whole(tmp_path / "file", b"new", marks.REPORT)
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_pipe_that_came_meanwhile_is_no_empty_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(InputError, match="no regular file"):
        write_whole(pipe, b"new", marks.REPORT)
    assert pipe.is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_a_file_that_came_meanwhile_stays(tmp_path: Path) -> None:
    """What was looked at before the work is looked at again when its result is written."""
    file = tmp_path / "file"

    def write() -> None:
        with whole_file(file, marks.REPORT) as stream:
            stream.write(b"new")
            file.write_bytes(b"my thesis")

    with pytest.raises(InputError, match="no report of ours"):
        write()
    assert file.read_bytes() == b"my thesis"
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize(
    "words",
    [
        ["certify", "--quantities", VARIANCE, "--cases", "3", "--out"],
        ["certify", "--quantities", VARIANCE, "--cases", "3", "--transcript"],
        ["certify", "--quantities", VARIANCE, "--cases", "3", "--report"],
        ["certify", "--quantities", VARIANCE, "--cases", "3", "--junit"],
        ["certify", "--quantities", VARIANCE, "--cases", "3", "--sarif"],
        ["audit", "example:dirichlet.identity", "--out"],
        ["audit", "example:dirichlet.identity", "--report"],
        ["report", "c.json", "--out"],
        ["sign", "c.json", "--key", "none.pem", "--out"],
        ["simulate", "example:dirichlet.identity", "--plot"],
        ["curve", VARIANCE, "-p", "p=0:1:3", "-p", "k=1", "--plot"],
        ["curve", VARIANCE, "-p", "p=0:1:3", "-p", "k=1", "--csv"],
        ["claims", "gohari2020.theorem-1", "--check", "--out"],
    ],
    ids=lambda words: f"{words[0]} {words[-1]}",
)
def test_no_command_writes_over_a_file_that_is_not_ours_nor_begins_its_work(
    cli: Cli,
    ours: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.json").write_bytes(ours["CERTIFICATE"].read_bytes())
    for work in (
        "campaign.batches.run_batch",
        "audits.decision.decide",
        "certificate.verification.checked",
        "papers.derive.derived",
        "simulating.running.simulate",
        "curves.quantities.curve_of_quantity",
    ):
        monkeypatch.setattr(f"simplexcert.certify.{work}", None)
    name = "thesis.png" if "--plot" in words else "thesis.txt"
    (tmp_path / name).write_text("my thesis")
    before = sorted(tmp_path.iterdir())
    found = cli(*words, name)
    assert (found.code, found.out) == (3, "")
    assert "of ours" in found.err
    assert (tmp_path / name).read_text() == "my thesis"
    assert sorted(tmp_path.iterdir()) == before


def test_a_folder_of_vectors_with_somebodys_file_by_our_name_is_left_alone(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "VECTORS.md").write_text("# My notes\n")
    found = cli("vectors", "--quantities", VARIANCE, "--cases", "12", "--out", tmp_path)
    assert found.code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["VECTORS.md"]


def test_a_folder_of_a_simulation_with_somebodys_file_is_left_alone(
    cli: Cli, tmp_path: Path
) -> None:
    (tmp_path / "errors.csv").write_text("epsilon,error\n1,2\n")
    found = cli("simulate", "example:ponnoprat2023-histogram", "--input", "[1, 2]",
                "--draws", "100", "--out", tmp_path)  # fmt: skip
    assert found.code == 3
    assert [path.name for path in tmp_path.iterdir()] == ["errors.csv"]


def test_what_is_ours_is_written_over_as_it_was(cli: Cli, ours: dict[str, Path]) -> None:
    again = {name: ours[name] for name in ("CERTIFICATE", "TRANSCRIPT", "REPORT", "JUNIT", "SARIF")}
    before = {name: file.read_bytes() for name, file in again.items()}
    options = ["--out", "--transcript", "--report", "--junit", "--sarif"]
    files = [word for pair in zip(options, again.values(), strict=True) for word in pair]
    found = cli("certify", "--quantities", VARIANCE, "--cases", "3", *files)
    assert found.code == 0
    assert {name: file.read_bytes() for name, file in again.items()} == before


def test_a_link_that_takes_the_place_of_a_file_while_it_is_made_is_no_regular_file(
    tmp_path: Path,
) -> None:
    other, target = tmp_path / "other", tmp_path / "file"
    other.write_bytes(b"")

    def write() -> None:
        with whole_file(target, marks.LEDGER) as to:
            to.write(b"x")
            target.symlink_to(other)

    with pytest.raises(InputError, match="no regular file"):
        write()
    assert other.read_bytes() == b""
    assert sorted(tmp_path.iterdir()) == [target, other]
