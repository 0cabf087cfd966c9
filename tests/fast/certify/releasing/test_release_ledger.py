"""Releases that are recorded: one entry a release, none without the other, however a run ends."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from private_data import Given, given
from simplexcert.certify.cli import run
from simplexcert.certify.releasing import draw_release, published, running
from simplexcert.certify.releasing.ledger import contents, open_ledger, opened, read_ledger
from simplexcert.reference.errors import InputError

_KILLED = """
import os, signal, sys
from simplexcert.certify.releasing.ledger import opened
def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)
opened.deliver = die
from simplexcert.certify.cli import run
run(sys.argv[1:])
"""


@pytest.fixture
def found(tmp_path: Path) -> Given:
    return given(tmp_path, "dirichlet.renyi")


def never(_count: int) -> int:
    raise AssertionError("a bit was drawn")


def test_releases_are_recorded_and_added_up(found: Given, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    one, two = (draw_release(*found, out=tmp_path / f"{at}.json", ledger=ledger) for at in range(2))
    assert one.composition is not None
    assert two.composition is not None
    assert one.composition.entries == 1
    assert two.composition.entries == 2
    assert two.composition.total is not None
    assert two.composition.total.order == 5
    entries = read_ledger(ledger).entries
    assert [x.outputs[0].digest.sha256 for x in entries] == [
        x.statement.predicate.release.file.digest.sha256 for x in (one, two)
    ]
    assert [x.statement.predicate.release.ledger for x in (one, two)] == [
        x.previous for x in entries
    ]


def test_a_seeded_release_is_recorded_as_not_private(found: Given, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    made = draw_release(*found, out=tmp_path / "r.json", ledger=ledger, seed=1)
    assert made.composition is not None
    assert made.composition.total is None
    assert not read_ledger(ledger).entries[0].private


def test_a_ledger_without_a_file_for_the_release_is_refused(found: Given, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="give a file for the release"):
        draw_release(*found, ledger=tmp_path / "ledger.json")
    assert not (tmp_path / "ledger.json").exists()


def test_what_a_ledger_cannot_record_is_refused_before_the_draw(
    found: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "operating_system", never)
    (tmp_path / "there").mkdir()
    for name in ("r.json", ".there/r.json", "there/.r.json"):
        with pytest.raises(InputError):
            draw_release(*found, out=tmp_path / name, ledger=tmp_path / "there" / "ledger.json")
    (tmp_path / "other").write_text("{}", encoding="utf-8")
    with pytest.raises(InputError):
        draw_release(*found, out=tmp_path / "r.json", ledger=tmp_path / "other")


def test_a_ledger_that_draws_could_make_too_large_is_refused_before_the_draw(
    found: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is tried before is shorter than any draw: a limit between the two is met by one."""
    sizes, written = [], opened.ledger_bytes

    def measured(*of: Any) -> bytes:
        sizes.append(len(written(*of)))
        return written(*of)

    with monkeypatch.context() as patch:
        patch.setattr(opened, "ledger_bytes", measured)
        draw_release(*found, out=tmp_path / "r.json", ledger=tmp_path / "one.json")
    tried, made, _ = sizes
    assert tried < made
    monkeypatch.setattr(contents, "MAX_FILE_BYTES", (tried + made) // 2)
    monkeypatch.setattr(published, "operating_system", never)
    with pytest.raises(InputError, match="begin another one"):
        draw_release(*found, out=tmp_path / "s.json", ledger=tmp_path / "two.json")
    assert not (tmp_path / "two.json").exists()


def test_a_ledger_that_another_has_open_is_refused_before_the_draw(
    found: Given, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published, "operating_system", never)
    with open_ledger(tmp_path / "ledger.json"), pytest.raises(InputError, match="another process"):
        draw_release(*found, out=tmp_path / "r.json", ledger=tmp_path / "ledger.json")


def test_a_refused_release_leaves_no_entry(found: Given, tmp_path: Path) -> None:
    found.data.write_text("ticket\nnone\n", encoding="utf-8")
    with pytest.raises(InputError):
        draw_release(*found, out=tmp_path / "r.json", ledger=tmp_path / "ledger.json")
    assert not (tmp_path / "r.json").exists()
    assert not (tmp_path / "ledger.json").exists()


def test_a_run_that_was_killed_after_the_entry_is_finished_by_the_next(
    found: Given, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, ledger = tmp_path / "r.json", tmp_path / "ledger.json"
    arguments = ["release", str(found.claim), "--data", str(found.data), "--ledger", str(ledger)]
    done = subprocess.run(
        [sys.executable, "-c", _KILLED, *arguments, "--out", str(out)], check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL
    assert not out.exists()
    assert len(read_ledger(ledger).entries) == 1
    assert run([*arguments, "--out", str(out)]) == 3
    assert "it is made" in capsys.readouterr().err
    assert json.loads(out.read_bytes())["private"] is True
    assert len(read_ledger(ledger).entries) == 1


def test_what_an_earlier_run_had_left_is_told(
    found: Given, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = tmp_path / "ledger.json"
    arguments = ["release", str(found.claim), "--data", str(found.data), "--ledger", str(ledger)]
    subprocess.run(
        [sys.executable, "-c", _KILLED, *arguments, "--out", str(tmp_path / "one.json")],
        check=False, timeout=60,
    )  # fmt: skip
    assert run([*arguments, "--out", str(tmp_path / "two.json")]) == 0
    assert "is written now: one.json" in capsys.readouterr().out
    assert (tmp_path / "one.json").is_file()


def test_a_report_that_cannot_be_written_after_the_release_says_once_that_it_is_made(
    found: Given, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any
) -> None:
    """Its folder was there when everything that can fail was tried."""
    pages = tmp_path / "pages"
    pages.mkdir()

    def folder_goes(*of: Any) -> Any:
        pages.rmdir()
        return published.drawn(*of)

    monkeypatch.setattr(running, "drawn", folder_goes)
    made = [tmp_path / "r.json", tmp_path / "ledger.json", pages / "page.html"]
    options = zip(("--out", "--ledger", "--report"), map(str, made), strict=True)
    words = ["release", str(found.claim), "--data", str(found.data)]
    assert run([*words, *(text for option in options for text in option)]) == 3
    said = capsys.readouterr().err
    assert said.startswith("simplexcert: cannot write ")
    assert "the report alone is missing" in said
    assert said.count("made") == 1
    assert said.count("do not draw it again") == 1
    assert (tmp_path / "r.json").is_file()
    assert len(read_ledger(tmp_path / "ledger.json").entries) == 1
