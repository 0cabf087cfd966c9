"""The threat model: it has every command, and what it says is not noticed is indeed not noticed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import rfc8785
from ledger_entries import grades, output
from simplexcert.certify.cli.running import simplexcert
from simplexcert.certify.releasing.ledger import open_ledger, read_ledger, releases_beside
from simplexcert.certify.releasing.ledger.contents import NO_RELEASES

ROOT = Path(__file__).resolve().parents[3]
MODEL = ROOT / "proofs_notes" / "threat-model.md"
POLICY = ROOT / ".github" / "SECURITY.md"
_LINK = re.compile(r"\]\(([^)#]+)\)")


def commit(ledger: Path, name: str) -> None:
    of = grades(name)
    with open_ledger(ledger) as it:
        it.commit(of, {ledger.parent / name: output(of)})


def two_releases(folder: Path) -> tuple[Path, Any]:
    """Return a ledger of two releases, and what it says."""
    ledger = folder / "ledger.json"
    commit(ledger, "one")
    commit(ledger, "two")
    return ledger, json.loads(ledger.read_bytes())


def test_every_command_stands_in_the_threat_model() -> None:
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \|", MODEL.read_text("utf-8"), re.MULTILINE)
    told = [name for row in rows for name in re.findall(r"\w+", row)]
    assert sorted(told) == sorted(simplexcert.commands)


def test_how_to_report_and_the_threat_model_are_found() -> None:
    for page in (MODEL, POLICY):
        links = _LINK.findall(page.read_text("utf-8"))
        assert links
        for link in links:
            assert (page.parent / link).resolve().is_file(), link
    readme = _LINK.findall((ROOT / "README.md").read_text("utf-8"))
    assert {"proofs_notes/threat-model.md", ".github/SECURITY.md"} <= set(readme)
    assert "../proofs_notes/threat-model.md" in _LINK.findall(POLICY.read_text("utf-8"))


def test_a_last_entry_that_is_removed_or_changed_is_not_noticed(tmp_path: Path) -> None:
    ledger, said = two_releases(tmp_path)
    changed = json.loads(json.dumps(said))
    changed["entries"][1]["claim"]["name"] = "another"
    for value in (changed, {**said, "entries": said["entries"][:1]}):
        ledger.write_bytes(rfc8785.dumps(value))
        assert read_ledger(ledger).entries


def test_an_older_copy_without_the_later_files_is_not_noticed(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    commit(ledger, "one")
    older = ledger.read_bytes()
    commit(ledger, "two")
    ledger.write_bytes(older)
    assert releases_beside(ledger, read_ledger(ledger)).unlisted == ("two",)
    (tmp_path / "two").unlink()
    assert releases_beside(ledger, read_ledger(ledger)).warnings == ()


def test_two_copies_that_both_go_on_are_not_noticed(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    here, _ = two_releases(tmp_path / "here")
    there = tmp_path / "there" / "ledger.json"
    there.write_bytes(here.read_bytes())
    commit(here, "three")
    commit(there, "four")
    assert len(read_ledger(here).entries) == len(read_ledger(there).entries) == 3


def test_a_release_further_down_or_hidden_is_not_warned_of(tmp_path: Path) -> None:
    (tmp_path / "down").mkdir()
    for name in ("down/one", ".two"):
        (tmp_path / name).write_bytes(output(grades()))
    assert releases_beside(tmp_path / "ledger.json", NO_RELEASES).warnings == ()
