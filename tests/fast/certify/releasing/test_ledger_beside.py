"""What stands beside a ledger and is not in it: told, however hostile the folder is."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from command_line import calling
from each import each_of
from ledger_entries import grades, output
from private_data import DATA, Given, given
from simplexcert.certify.certificate.release import RELEASED_MARK
from simplexcert.certify.cli import run
from simplexcert.certify.releasing import draw_release
from simplexcert.certify.releasing.ledger import Beside, open_ledger, read_ledger, releases_beside
from simplexcert.certify.releasing.ledger.contents import NO_RELEASES

HERE = "simplexcert.certify.releasing.ledger.opened"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.json"


def commit(ledger: Path, name: str) -> None:
    of = grades(name)
    with open_ledger(ledger) as it:
        it.commit(of, {ledger.parent / name: output(of)})


def found_beside(ledger: Path) -> Beside:
    return releases_beside(ledger, read_ledger(ledger) if ledger.exists() else NO_RELEASES)


def test_what_a_ledger_lists_is_not_told(ledger: Path) -> None:
    commit(ledger, "one.json")
    commit(ledger, "two.json")
    assert found_beside(ledger) == Beside((), complete=True)
    assert found_beside(ledger).warnings == ()


def test_an_older_copy_that_is_put_back_is_told(ledger: Path) -> None:
    commit(ledger, "one.json")
    older = ledger.read_bytes()
    commit(ledger, "two.json")
    ledger.write_bytes(older)
    assert found_beside(ledger).unlisted == ("two.json",)
    ledger.unlink()
    assert found_beside(ledger).unlisted == ("one.json", "two.json")


def test_another_ledger_s_releases_are_told(ledger: Path) -> None:
    commit(ledger, "one.json")
    commit(ledger.with_name("other.json"), "two.json")
    assert found_beside(ledger).unlisted == ("two.json",)


def test_a_listed_release_under_another_name_is_listed(ledger: Path) -> None:
    commit(ledger, "one.json")
    (ledger.parent / "copy.json").write_bytes((ledger.parent / "one.json").read_bytes())
    assert found_beside(ledger).unlisted == ()


def test_a_listed_name_with_another_release_is_told(ledger: Path) -> None:
    commit(ledger, "one.json")
    (ledger.parent / "one.json").write_bytes(output(grades("another")))
    assert found_beside(ledger).unlisted == ("one.json",)


@each_of("mechanism", list(DATA))
def test_every_release_bears_the_mark_by_which_it_is_found(mechanism: str, tmp_path: Path) -> None:
    made = draw_release(*given(tmp_path, mechanism), out=tmp_path / "r.json", seed=1)
    assert made.content.startswith(RELEASED_MARK)
    assert releases_beside(tmp_path / "ledger.json", NO_RELEASES).unlisted == ("r.json",)


def test_other_files_are_no_releases(ledger: Path, tmp_path: Path) -> None:
    found = given(tmp_path, "dirichlet.renyi")
    draw_release(*found, out=tmp_path / "r.json", certificate=tmp_path / "c.json", ledger=ledger)
    for name, content in (("empty", b""), ("short", RELEASED_MARK[:-1]), ("text", b"{}\n")):
        (tmp_path / name).write_bytes(content)
    assert found_beside(ledger) == Beside((), complete=True)


def test_links_pipes_and_folders_are_no_releases(ledger: Path, tmp_path: Path) -> None:
    """A pipe that nobody writes into would be waited for without end."""
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "r.json"
    target.write_bytes(output(grades()))
    (tmp_path / "link").symlink_to(target)
    (tmp_path / "nowhere").symlink_to(tmp_path / "none")
    os.mkfifo(tmp_path / "pipe")
    assert found_beside(ledger) == Beside((), complete=True)


@pytest.mark.parametrize("name", ["pipe", "gone"])
def test_a_file_that_turns_into_something_else_is_told_and_not_waited_for(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    monkeypatch.setattr(f"{HERE}._names", lambda _: ([name], True))
    assert found_beside(ledger) == Beside((), complete=False)


def test_hidden_files_are_not_looked_at(ledger: Path, tmp_path: Path) -> None:
    """So is what a release that is being written leaves beside its place."""
    (tmp_path / ".r.json.abcd_123").write_bytes(output(grades()))
    assert found_beside(ledger) == Beside((), complete=True)


def test_no_more_names_are_looked_at_than_the_limit(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for at in range(4):
        (tmp_path / f"r{at}").write_bytes(output(grades()))
    monkeypatch.setattr(f"{HERE}.MAX_NAMES", 3)
    found = found_beside(ledger)
    assert (len(found.unlisted), found.complete) == (3, False)
    assert "not every file" in found.warnings[1]


def test_no_more_bytes_are_read_than_the_limit(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A large file is passed over, and a smaller one behind it is not."""
    small = output(grades())
    (tmp_path / "large").write_bytes(RELEASED_MARK + b" " * len(small))
    (tmp_path / "small").write_bytes(small)
    monkeypatch.setattr(f"{HERE}.MAX_BYTES", len(small))
    assert found_beside(ledger) == Beside(("small",), complete=False)
    (tmp_path / "second").write_bytes(small)
    assert found_beside(ledger) == Beside(("second",), complete=False)


def test_a_hole_of_a_terabyte_takes_no_time(ledger: Path, tmp_path: Path) -> None:
    with (tmp_path / "hole").open("wb") as stream:
        stream.write(RELEASED_MARK)
        stream.truncate(2**40)
    assert found_beside(ledger) == Beside((), complete=False)


def test_a_file_that_cannot_be_read_is_told(
    ledger: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the user who runs this; root may read everything, so it is refused here."""
    for name in ("closed", "open"):
        (tmp_path / name).write_bytes(output(grades()))
    real = os.open

    def opened(path: Path, *flags: int) -> int:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return real(path, *flags)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", opened)
        found = found_beside(ledger)
    assert found == Beside(("open",), complete=False)


def test_a_folder_that_cannot_be_listed_is_told(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refused)
    assert found_beside(ledger) == Beside((), complete=False)


def test_many_are_told_by_a_few_names() -> None:
    (said,) = Beside(tuple(f"r{at}" for at in range(9)), complete=True).warnings
    assert "r0, r1, r2, r3, r4 and 4 more" in said


# The commands.


def test_the_command_warns_and_its_json_lists(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(ledger, "one.json")
    other = ledger.parent / "two\x1b[31m.json"
    other.write_bytes(output(grades()))
    (ledger.parent / os.fsdecode(b"\xff")).write_bytes(output(grades("more")))
    outcome = calling(capsys, "ledger")(ledger)
    assert outcome.code == 0
    assert "and not in it: two\\x1b[31m.json, \\udcff." in outcome.out
    shape = json.loads(calling(capsys, "ledger")(ledger, "--json").out)
    assert shape["beside"] == {"unlisted": [other.name, "\udcff"], "complete": True}


def test_a_release_warns_of_what_stood_there_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once a ledger is put back or gone, the next release says so (and is made)."""
    found: Given = given(tmp_path, "dirichlet.renyi")
    ledger = tmp_path / "ledger.json"
    one = draw_release(*found, out=tmp_path / "one.json", ledger=ledger)
    assert one.beside == Beside((), complete=True)
    ledger.unlink()
    given_again = ["release", str(found.claim), "--data", str(found.data), "--ledger", str(ledger)]
    assert run([*given_again, "--out", str(tmp_path / "two.json")]) == 0
    assert "and not in it: one.json." in capsys.readouterr().out
    assert run([*given_again, "--out", str(tmp_path / "three.json"), "--json"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert shape["beside"] == {"unlisted": ["one.json"], "complete": True}
