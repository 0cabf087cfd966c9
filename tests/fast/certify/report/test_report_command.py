"""The command line makes reports: from a certificate that checks, and beside one that is issued."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
import rfc8785
from report_pages import backend, release, taken_apart
from securesystemslib.signer import CryptoSigner
from simplexcert.certify.audited import audit
from simplexcert.certify.certificate.reading import canonical_bytes
from simplexcert.certify.certificate.signing import opened, sealed
from simplexcert.certify.cli import run
from simplexcert.certify.report import terminal

GRADES = "benvenuti2025-grades"
# Two seconds are promised on a machine of its own. Counted is the processor's time, which a busy
# machine lengthens less than the clock's; it is given some more.


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    path = tmp_path / "grades.json"
    path.write_bytes(canonical_bytes(release(GRADES)))
    return path


def changed(content: bytes, path: list[str], value: object) -> bytes:
    table = json.loads(content)
    place = table
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return rfc8785.dumps(table)


def test_a_certificate_of_a_release_gives_a_report(certificate: Path) -> None:
    out = certificate.with_suffix(".html")
    assert run(["report", str(certificate), "--out", str(out)]) == 0
    reading = taken_apart(out.read_bytes())
    assert "Certified under 2 assumptions: 'grades of one course'" in reading.text
    assert "simplexcert verify grades.json" in reading.text
    assert "It was verified when this page was made." in reading.text


def test_each_report_says_what_would_do_instead_of_a_false_claim(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("at-once.html", "later.html", "python.html")]
    at_once, later, python = map(str, paths)
    cert = str(tmp_path / "c.json")
    assert run(["audit", "example:poll", "-q", "--out", cert, "--report", at_once]) == 1
    assert run(["report", cert, "--out", later]) == 0
    audit("example:poll").write_report(python)
    for path in paths:
        assert "2.8430342  (the least, rounded up)" in taken_apart(path.read_bytes()).text


def test_a_certificate_of_a_backend_gives_a_report(tmp_path: Path) -> None:
    path, out = tmp_path / "backend.json", tmp_path / "backend.html"
    path.write_bytes(canonical_bytes(backend()))
    assert run(["report", str(path), "--out", str(out)]) == 0
    assert "Certificate of a numerical backend" in out.read_text(encoding="utf-8")


def test_a_signed_certificate_gives_a_report_that_names_who_signed(certificate: Path) -> None:
    content = opened(certificate.read_bytes(), "it")
    certificate.write_bytes(sealed(content, CryptoSigner.generate_ed25519()))
    (keyid,) = opened(certificate.read_bytes(), "it").keyids
    out = certificate.with_suffix(".html")
    assert run(["report", str(certificate), "--out", str(out)]) == 0
    text = taken_apart(out.read_bytes()).text
    assert f"signed by {keyid} (not checked against a key)" in " ".join(text.split())
    assert hashlib.sha256(certificate.read_bytes()).hexdigest() in text


@pytest.mark.parametrize(
    ("place", "value", "code"),
    [
        (["predicate", "verdict"], "refuted", 1),
        (["predicate", "claim", "epsilon"], "1/10", 1),
        (["predicate", "non_claims"], [], 1),
        (["predicateType"], "https://example.org/", 1),
    ],
)
def test_a_certificate_that_does_not_check_gives_no_report(
    certificate: Path,
    capsys: pytest.CaptureFixture[str],
    place: list[str],
    value: object,
    code: int,
) -> None:
    certificate.write_bytes(changed(certificate.read_bytes(), place, value))
    out = certificate.with_suffix(".html")
    assert run(["report", str(certificate), "--out", str(out)]) == code
    assert not out.exists()
    assert capsys.readouterr().err.startswith("simplexcert: ")


def test_what_is_no_json_is_bad_input(certificate: Path) -> None:
    certificate.write_text("no certificate", encoding="utf-8")
    out = certificate.with_suffix(".html")
    assert run(["report", str(certificate), "--out", str(out)]) == 3
    assert not out.exists()


def test_a_report_is_not_written_over_its_certificate(certificate: Path) -> None:
    before = certificate.read_bytes()
    other = certificate.parent / "." / certificate.name
    assert run(["report", str(certificate), "--out", str(other)]) == 3
    assert certificate.read_bytes() == before


def test_a_report_that_cannot_be_written_is_told_before_the_work(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simplexcert.certify.report.page.report_on", lambda *_: pytest.fail("late"))
    assert (
        run(["report", str(certificate), "--out", str(certificate.parent / "no" / "r.html")]) == 3
    )


def test_audit_writes_a_report_with_or_without_a_certificate(tmp_path: Path) -> None:
    alone, beside, kept = (tmp_path / name for name in ("alone.html", "beside.html", "c.json"))
    claim = f"example:{GRADES}"
    assert run(["audit", claim, "--report", str(alone)]) == 0
    assert run(["audit", claim, "--report", str(beside), "--out", str(kept)]) == 0
    assert "simplexcert verify certificate.json" in taken_apart(alone.read_bytes()).text
    text = taken_apart(beside.read_bytes()).text
    assert "simplexcert verify c.json" in text
    assert "This page was made together with it." in text


def test_a_report_made_with_a_certificate_says_what_one_made_later_says(tmp_path: Path) -> None:
    early, late, kept = (tmp_path / name for name in ("early.html", "late.html", "c.json"))
    run(["audit", f"example:{GRADES}", "--report", str(early), "--out", str(kept)])
    run(["report", str(kept), "--out", str(late)])
    told = "It was verified when this page was made.", "This page was made together with it."
    assert late.read_text(encoding="utf-8").replace(*told) == early.read_text(encoding="utf-8")


def test_certify_writes_a_report(tmp_path: Path) -> None:
    out = tmp_path / "b.html"
    wanted = ["--quantities", "dirichlet.utility.absolute_deviation_bound", "--cases", "5"]
    assert run(["certify", *wanted, "--report", str(out)]) == 0
    assert "this software answered at 5 points" in out.read_text(encoding="utf-8")


def test_two_processes_make_the_same_report(certificate: Path) -> None:
    program = "import sys; from simplexcert.certify.cli import main; main(sys.argv[1:])"
    made = []
    for seed, language in (("1", "C"), ("2", "C.UTF-8")):
        out = certificate.with_suffix(f".{seed}.html")
        subprocess.run(
            [sys.executable, "-c", program, "report", str(certificate), "--out", str(out)],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": language},
            capture_output=True,
            check=True,
        )
        made.append(out.read_bytes())
    assert made[0] == made[1]


def test_what_is_worked_on_is_told_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    assert run(["audit", f"example:{GRADES}", "--json"]) == 0
    captured = capsys.readouterr()
    assert "deciding grades of one course" in captured.err
    assert json.loads(captured.out)["verdict"] == "certified"


def test_a_pipe_is_given_plain_lines_and_no_progress(
    certificate: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    run(["audit", f"example:{GRADES}"])
    run(["report", str(certificate), "--out", str(certificate.with_suffix(".html"))])
    captured = capsys.readouterr()
    assert captured.err == ""
    assert not re.search(r"[\x1b\r]", captured.out)


def test_long_work_writes_a_line_now_and_then_into_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    clock = [0.0]
    monkeypatch.setattr(terminal, "monotonic", lambda: clock[0])
    monkeypatch.setattr(terminal, "_SECONDS_A_LINE", 0.01)
    told: list[str] = []
    with terminal.progress("checking [all]", "cases") as advance:
        # What an earlier run has done says nothing of the pace; nor does what is not done yet.
        for now, done, name in ((0, 100, "a"), (10, 100, "a"), (40, 120, "b"), (90, 120, "b")):
            clock[0] = float(now)
            advance(done, 200, name)
            told.append(line_told_next(capsys))
    assert told == [
        "checking [all] a: 100 of 200 cases, no pace yet",
        "checking [all] a: 100 of 200 cases, no pace yet",
        "checking [all] b: 120 of 200 cases, about 3 min left at this pace",
        # The longer a step takes, the longer the rest will.
        "checking [all] b: 120 of 200 cases, about 6 min left at this pace",
    ]


def line_told_next(capsys: pytest.CaptureFixture[str]) -> str:
    """Wait for a line that is begun from now on, and return it."""
    capsys.readouterr()
    seen = ""
    while seen.count("\n") < 2:
        time.sleep(0.005)
        seen += capsys.readouterr().err
    return seen.splitlines()[1]


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.4, "0 s"), (119.0, "119 s"), (121.0, "2 min"), (9_000.0, "2 h")]
)
def test_a_time_is_told_in_the_unit_that_people_take(seconds: float, said: str) -> None:
    assert terminal._time_said(seconds) == said


def test_a_bar_has_the_name_of_what_is_worked_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    with terminal.progress("checking", "cases") as advance:
        advance(0, 4, "dirichlet.profile.delta")
        advance(1, 4, "dirichlet.[bold]profile.epsilon")
        time.sleep(0.2)
    told = capsys.readouterr().err
    assert "checking dirichlet.[bold]profile.epsilon" in told
    assert "left at this pace" in told


def test_a_bar_stays_on_one_line_however_long_the_name_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    with terminal.progress("checking", "cases") as advance:
        advance(0, 20_000, "name")
        advance(1, 20_000, "dirichlet.add_remove.step_for_renyi_" + "x" * 60)
        time.sleep(0.2)
    told = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", capsys.readouterr().err)
    lines = [line for line in re.split(r"[\r\n]", told) if line.strip()]
    assert any("\N{HORIZONTAL ELLIPSIS}" in line for line in lines)
    assert all((len(line.rstrip()) <= 100 and "left" in line) or "pace" in line for line in lines)


def test_a_name_cannot_style_what_is_told_of_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from simplexcert.certify.report.terminal import working

    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with working("deciding [red]x[/red]"):
        time.sleep(0.2)
    assert "[red]x[/red]" in capsys.readouterr().err
