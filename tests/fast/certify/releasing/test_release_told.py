"""A release that was made is told, whatever comes afterwards: full streams, none, a signal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from instances import instances
from private_data import Given, given
from simplexcert.certify import files
from simplexcert.certify.cli import run
from simplexcert.certify.releasing import delivery, draw_release
from simplexcert.certify.releasing.ledger import open_ledger, read_ledger
from simplexcert.reference.errors import InputError

SUPPORT = Path(__file__).resolve().parents[3] / "support"
COMMAND = [sys.executable, "-c", "from simplexcert.certify.cli import main; main()"]
AT_MOST_SECONDS = 600
# To write two files through their disks, and to let the lock go, takes ten steps and more.
EVERY = instances(3, 1)
FEWEST_STEPS = 10 // EVERY
COUNTS = "the release is made, and counts in"
ALONE = "the release is made: do not draw it again"
NOTHING = "simplexcert: interrupted; nothing half-written was left behind\n"
# Interrupts itself where it would print what was made.
_INTERRUPTED = """
import os, signal
from simplexcert.certify.cli import main
from simplexcert.certify.report import releases as made
def print_made(*_, **_how):
    os.kill(os.getppid(), signal.SIGTERM)
    signal.pause()
made.print_made = print_made
main()
"""


@pytest.fixture
def found(tmp_path: Path) -> Given:
    return given(tmp_path, "dirichlet.renyi")


def words(found: Given, *more: str, out: str = "r.json") -> list[str]:
    """Return a release's words; its files stand beside its data."""
    target = found.data.with_name(out)
    return ["release", str(found.claim), "--data", str(found.data), "--out", str(target), *more]


def into_ledger(found: Given, out: str = "r.json") -> list[str]:
    return words(found, "--ledger", str(found.data.with_name("ledger.json")), out=out)


def done(
    arguments: list[str], program: list[str] = COMMAND, **streams: Any
) -> subprocess.CompletedProcess[str]:
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.run(
        [*program, *arguments], text=True, check=False, timeout=AT_MOST_SECONDS, **both
    )


def interrupted(folder: Path, *options: str) -> list[dict[str, Any]]:
    """Return what is left and said by releases that a signal comes to, at every step."""
    begun = folder / "begun"
    begun.mkdir()
    given(begun, "dirichlet.renyi")
    ran = done(
        [str(begun), str(EVERY), *options],
        [sys.executable, str(SUPPORT / "release_interrupting.py")],
        env={**os.environ, "PYTHONPATH": str(SUPPORT)},
    )
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    assert len(found) >= FEWEST_STEPS
    for one in found:
        assert one["code"] == 128 + one["signal"]
        assert one["hidden"] == [".err", ".out"]
        assert one["err"].count("\n") == 1
    return found


def test_a_signal_at_any_step_of_recording_is_told_with_the_release(tmp_path: Path) -> None:
    """It waits until all files are there; at the last steps the command has printed them."""
    for one in interrupted(tmp_path, "--ledger"):
        assert one["recorded"] == ["r.json", "c.json"]
        assert {"r.json", "c.json", "ledger.json"} < {*one["left"]}
        assert COUNTS in one["err"]
        assert "r.json" in one["err"].partition("written: ")[2]


def test_a_signal_at_any_step_of_writing_leaves_all_files_and_tells(tmp_path: Path) -> None:
    for one in interrupted(tmp_path, "--json"):
        assert {"r.json", "c.json"} < {*one["left"]}
        assert ALONE in one["err"]


def test_a_signal_before_the_release_is_made_is_told_alone(found: Given) -> None:
    before = set(found.data.parent.iterdir())
    program = _INTERRUPTED.replace(
        "report import releases as made", "releasing import running as made"
    )
    program = program.replace("made.print_made", "made.drawn")
    ended = done(into_ledger(found), [sys.executable, "-c", program])
    assert (ended.returncode, ended.stdout, ended.stderr) == (143, "", NOTHING)
    assert set(found.data.parent.iterdir()) == before


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_full_standard_output_is_told_with_the_release(found: Given, more: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ended = done([*into_ledger(found), *more], stdout=full)
    assert ended.returncode == 3
    assert ended.stderr.startswith("simplexcert: cannot write standard output: No space left on")
    assert COUNTS in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert len(read_ledger(found.data.with_name("ledger.json")).entries) == 1


def test_a_pipe_that_nobody_reads_is_no_failure_and_the_release_is_told(found: Given) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    ended = done(words(found), stdout=writes)
    os.close(writes)
    out = found.data.with_name("r.json")
    assert (ended.returncode, ended.stderr) == (0, f"simplexcert: {ALONE}; written: {out}\n")


def test_without_a_standard_output_the_release_is_told_on_standard_error(found: Given) -> None:
    ended = done(words(found), ["sh", "-c", 'exec "$@" >&-', "sh", *COMMAND])
    assert ended.returncode == 0
    assert ALONE in ended.stderr


def test_without_a_standard_error_a_signal_is_told_on_standard_output(found: Given) -> None:
    with Path("/dev/full").open("w") as full:
        ended = done(into_ledger(found), [sys.executable, "-c", _INTERRUPTED], stderr=full)
    assert ended.returncode == 143
    assert COUNTS in ended.stdout


def test_a_full_standard_error_does_not_keep_a_seeded_release_from_being_told(found: Given) -> None:
    with Path("/dev/full").open("w") as full:
        ended = done(words(found, "--seed", "1"), stderr=full)
    assert ended.returncode == 0
    assert "release written to" in ended.stdout


def test_where_nothing_could_be_told_the_next_run_tells(
    found: Given, capsys: pytest.CaptureFixture[str]
) -> None:
    with Path("/dev/full").open("w") as full:
        assert done(into_ledger(found), stdout=full, stderr=full).returncode == 3
    assert run(into_ledger(found)) == 3
    assert "is there already" in capsys.readouterr().err
    assert run(into_ledger(found, "s.json")) == 0
    assert "the ledger's 2 releases together" in capsys.readouterr().out


def test_a_disk_that_fails_once_the_entry_stands_does_not_deny_it(
    found: Given, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger, sync = found.data.with_name("ledger.json"), files._sync_folder

    def failing(folder: Path) -> None:
        if ledger.exists():
            raise OSError(5, "Input/output error")
        sync(folder)

    monkeypatch.setattr(files, "_sync_folder", failing)
    assert run(into_ledger(found)) == 3
    assert "the release is recorded in the ledger" in capsys.readouterr().err
    assert len(read_ledger(ledger).entries) == 1


def test_a_refusal_tells_what_was_written_for_an_earlier_run(
    found: Given, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def cut_short(*_: object) -> None:
        raise InputError("cut short")

    with monkeypatch.context() as patch:
        patch.setattr("simplexcert.certify.releasing.ledger.opened.deliver", cut_short)
        assert run(into_ledger(found)) == 3
    assert COUNTS in capsys.readouterr().err
    found.data.write_text("ticket\nnone\n", encoding="utf-8")
    assert run(into_ledger(found, "s.json")) == 3
    assert "what an earlier run had recorded in" in capsys.readouterr().err
    with open_ledger(found.data.with_name("ledger.json")) as ledger:
        assert ledger.delivered == ()


def test_what_is_taken_back_is_not_told(
    found: Given, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place, certificate = files._place, found.data.with_name("c.json")

    def full(made: Path, target: Path, over: Any) -> None:
        if target == certificate:
            raise OSError(28, "No space left on device")
        place(made, target, over)

    monkeypatch.setattr(files, "_place", full)
    assert run(words(found, "--certificate", str(certificate))) == 3
    said = capsys.readouterr().err
    assert "nothing was written" in said
    assert "; written: " not in said
    assert not found.data.with_name("r.json").exists()


def test_what_a_killed_run_left_without_a_ledger_is_named_and_kept(
    found: Given, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be another run's that is writing: only who holds a ledger's lock may remove any."""
    left = found.data.with_name(".r.json.0123456789abcdef")
    other = found.data.with_name(".r.json.0123")
    for file in (left, other):
        file.write_text("{}")
    assert run(words(found)) == 0
    said = capsys.readouterr().err
    assert said.startswith(f"simplexcert: {left} may be all")
    assert said.count("\n") == 1
    assert left.exists()
    assert found.data.with_name("r.json").is_file()


@pytest.mark.parametrize("ledger", [None, "ledger.json"])
def test_in_python_an_interruption_that_waited_says_that_the_release_is_made(
    found: Given, ledger: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = delivery.Record._write

    def interrupted(*of: Any) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        write(*of)

    monkeypatch.setattr(delivery.Record, "_write", interrupted)
    out = found.data.with_name("r.json")
    where = None if ledger is None else found.data.with_name(ledger)
    with pytest.raises(KeyboardInterrupt) as raised:
        draw_release(found.claim, found.data, out=out, ledger=where)
    assert out.exists()
    (note,) = raised.value.__notes__
    assert note == (ALONE if where is None else f"{COUNTS} {where}: do not draw it again")
