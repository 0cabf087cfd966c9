"""A ledger: what it records and refuses, and what a forged one cannot do."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

import jsonschema
import pytest
import rfc8785
from command_line import calling
from ledger_entries import GRADES, entry, grades, output
from simplexcert.certify import files
from simplexcert.certify.files import remove_left_lock
from simplexcert.certify.releasing.ledger import (
    Entry,
    open_ledger,
    opened,
    read_ledger,
)
from simplexcert.certify.releasing.ledger import contents as ledger_models
from simplexcert.certify.releasing.ledger.schema import SCHEMA_FILE, schema_text
from simplexcert.reference.errors import InputError


def commit(ledger: Path, name: str = "r.json", of: Entry | None = None) -> Path:
    """Record a release of this name beside a ledger, and return its file."""
    of = of or grades(name)
    target = ledger.parent / name
    with open_ledger(ledger) as it:
        it.commit(of, {target: output(of)})
    return target


def names(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.json"


def pending_ledger(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Record a release whose output is not written, as if killed, and return where it belongs."""

    def killed(*_: object) -> tuple[str, ...]:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(opened, "deliver", killed)
        with pytest.raises(SystemExit):
            commit(ledger)
    return ledger.parent / "r.json"


def changed(ledger: Path, change: Callable[[Any], None]) -> None:
    """Change what a ledger says, and write it canonically again."""
    value = json.loads(ledger.read_bytes())
    change(value)
    ledger.write_bytes(rfc8785.dumps(value))


def test_what_is_recorded_is_read_again(ledger: Path) -> None:
    commit(ledger, "one.json")
    commit(ledger, "two.json")
    found = read_ledger(ledger)
    assert [one.claim.name for one in found.entries] == ["one.json", "two.json"]
    for one in found.entries:
        written = (ledger.parent / one.outputs[0].name).read_bytes()
        assert sha256(written).hexdigest() == one.outputs[0].digest.sha256
    assert found.pending == []


def test_nothing_but_ledger_and_outputs_is_left(ledger: Path) -> None:
    commit(ledger)
    assert names(ledger.parent) == ["ledger.json", "r.json"]


def test_a_ledger_that_records_nothing_leaves_nothing(ledger: Path) -> None:
    with open_ledger(ledger):
        pass
    assert names(ledger.parent) == []


def test_the_data_are_recorded_with_exact_numbers(ledger: Path) -> None:
    data = {"weights": [[1, 2]], "states": ["a"], "public": []}
    of = entry_of_data(data)
    commit(ledger, of=of)
    assert read_ledger(ledger).entries[0].data == {**data, "weights": [["1", "2"]]}


def entry_of_data(data: dict[str, Any]) -> Entry:
    return entry("dirichlet.counts", {"k": 20, "eta": "0.1", "N": 98, "n": 5}, SAID, data)


SAID = {"epsilon": 3, "delta": "0.01"}


def test_data_that_no_ledger_can_say_are_refused() -> None:
    with pytest.raises(InputError, match="what no ledger can say"):
        entry_of_data({"when": object()})


def test_an_output_that_is_there_is_refused_before_anything_is_recorded(ledger: Path) -> None:
    (ledger.parent / "r.json").write_text("mine")
    with pytest.raises(InputError, match="not drawn over"):
        commit(ledger)
    assert not ledger.exists()
    assert (ledger.parent / "r.json").read_text() == "mine"


def test_a_dangling_link_counts_as_a_file_that_is_there(ledger: Path) -> None:
    (ledger.parent / "r.json").symlink_to(ledger.parent / "nowhere")
    with pytest.raises(InputError, match="not drawn over"):
        commit(ledger)


def test_an_output_outside_the_folder_is_refused(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    of = grades()
    with open_ledger(inner / "ledger.json") as it, pytest.raises(InputError, match="is not in"):
        it.commit(of, {inner / ".." / "r.json": output(of)})
    assert names(inner) == []


def test_an_output_through_a_link_out_of_the_folder_is_refused(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.mkdir(), outer.mkdir()
    (inner / "link").symlink_to(outer)
    of = grades()
    with open_ledger(inner / "ledger.json") as it, pytest.raises(InputError, match="is not in"):
        it.commit(of, {inner / "link" / "r.json": output(of)})
    assert names(outer) == []


def test_an_output_further_down_is_recorded_by_its_relative_name(ledger: Path) -> None:
    (ledger.parent / "down").mkdir()
    commit(ledger, "down/r.json")
    assert read_ledger(ledger).entries[0].outputs[0].name == "down/r.json"


@pytest.mark.parametrize("name", [".hidden", ".git/hooks", "ledger.json", "none/r.json", "r\\n"])
def test_an_odd_output_is_refused(ledger: Path, name: str) -> None:
    (ledger.parent / ".git").mkdir()
    with pytest.raises(InputError):
        commit(ledger, name)
    assert not ledger.exists()


def test_two_outputs_of_one_name_are_refused(ledger: Path) -> None:
    (ledger.parent / "down").mkdir()
    of, target = grades(), ledger.parent / "r.json"
    same = {target: output(of), ledger.parent / "down" / ".." / "r.json": output(of)}
    with open_ledger(ledger) as it, pytest.raises(InputError, match="different names"):
        it.commit(of, same)


def test_an_output_of_another_claim_is_refused(ledger: Path) -> None:
    with open_ledger(ledger) as it, pytest.raises(InputError, match="of another release"):
        it.commit(grades("one"), {ledger.parent / "r.json": output(grades("other"))})
    assert not ledger.exists()


def test_a_seeded_output_is_no_output_of_a_private_entry(ledger: Path) -> None:
    with open_ledger(ledger) as it, pytest.raises(InputError, match="of another release"):
        it.commit(grades(), {ledger.parent / "r.json": output(grades(private=False))})


@pytest.mark.parametrize("content", [b"#!/bin/sh\n", b"{}", b'{"predicateType": "x"}'])
def test_what_is_no_release_is_not_recorded(ledger: Path, content: bytes) -> None:
    with open_ledger(ledger) as it, pytest.raises(InputError):
        it.commit(grades(), {ledger.parent / "r.json": content})
    assert not ledger.exists()


def test_a_possible_release_is_not_yet_recorded(ledger: Path) -> None:
    of, target = grades(), ledger.parent / "r.json"
    with open_ledger(ledger) as it:
        it.require_possible(of, {target: output(of)})
        target.write_text("mine")
        with pytest.raises(InputError, match="not drawn over"):
            it.require_possible(of, {target: output(of)})
    assert not ledger.exists()


def test_a_full_ledger_records_no_more(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit(ledger)
    monkeypatch.setattr(opened, "MAX_ENTRIES", 1)
    with pytest.raises(InputError, match="no more are recorded"):
        commit(ledger, "two.json")


def test_a_ledger_too_large_to_be_read_is_not_written(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simplexcert.certify.releasing.ledger.contents.MAX_FILE_BYTES", 500)
    with pytest.raises(InputError, match="begin another one"):
        commit(ledger)
    assert names(ledger.parent) == []


def test_what_was_recorded_and_not_written_is_written_at_the_next_open(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = pending_ledger(ledger, monkeypatch)
    assert not target.exists()
    assert len(read_ledger(ledger).entries) == 1
    with open_ledger(ledger) as it:
        assert it.delivered == ("r.json",)
    assert target.read_bytes() == output(grades("r.json"))
    assert read_ledger(ledger).pending == []


def test_an_output_with_the_recorded_digest_is_delivered(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = pending_ledger(ledger, monkeypatch)
    target.write_bytes(output(grades("r.json")))
    with open_ledger(ledger):
        pass
    assert read_ledger(ledger).pending == []


@pytest.mark.parametrize("linked", [False, True])
def test_another_file_of_that_name_stops_and_stays(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, *, linked: bool
) -> None:
    target = pending_ledger(ledger, monkeypatch)
    if linked:
        (ledger.parent / "mine").write_bytes(output(grades("r.json")))
        target.symlink_to(ledger.parent / "mine")
    else:
        target.write_text("mine")
    with pytest.raises(InputError, match="another file has its name"), open_ledger(ledger):
        pass
    assert target.is_symlink() == linked
    assert linked or target.read_text() == "mine"
    target.unlink()
    with open_ledger(ledger) as it:
        assert it.delivered == ("r.json",)


def test_an_output_that_cannot_be_written_is_kept_in_the_ledger(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = files.write_durably

    def full(path: Path, content: bytes, *, over: bool = True) -> None:
        if path.name == "r.json":
            raise InputError("no space left")
        real(path, content, over=over)

    monkeypatch.setattr("simplexcert.certify.releasing.ledger.contents.write_durably", full)
    with pytest.raises(InputError, match="written when that is next opened"):
        commit(ledger)
    monkeypatch.undo()
    with open_ledger(ledger) as it:
        assert it.delivered == ("r.json",)


def test_after_a_write_that_may_have_been_no_other_release_is_recorded(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(*_: object, **__: object) -> None:
        raise InputError("the folder could not be synchronised")

    of = grades()
    with open_ledger(ledger) as it:
        monkeypatch.setattr(opened, "write_durably", torn)
        with pytest.raises(InputError, match="synchronised"):
            it.commit(of, {ledger.parent / "one.json": output(of)})
        monkeypatch.undo()
        with pytest.raises(InputError, match="open it again"):
            it.commit(of, {ledger.parent / "two.json": output(of)})


def test_a_second_opening_fails_at_once_with_a_sentence(ledger: Path) -> None:
    with (
        open_ledger(ledger),
        pytest.raises(InputError, match="another process is releasing into"),
        open_ledger(ledger),
    ):
        pass
    with open_ledger(ledger):
        pass


def test_a_lock_that_nobody_holds_is_in_nobody_s_way(ledger: Path) -> None:
    (ledger.parent / ".ledger.json.lock").write_text("of a run that was killed")
    commit(ledger)
    assert len(read_ledger(ledger).entries) == 1


def test_a_file_of_the_lock_s_name_that_holds_anything_stays(ledger: Path) -> None:
    lock = ledger.parent / ".ledger.json.lock"
    lock.write_text("precious")
    commit(ledger)
    remove_left_lock(ledger)
    assert lock.read_text() == "precious"


def test_a_lock_that_was_left_is_removed(ledger: Path) -> None:
    lock = ledger.parent / ".ledger.json.lock"
    lock.touch()
    remove_left_lock(ledger)
    assert not lock.exists()


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_a_lock_that_is_no_regular_file_is_refused(ledger: Path, kind: str) -> None:
    lock, other = ledger.parent / ".ledger.json.lock", ledger.parent / "precious"
    other.write_text("precious")
    lock.mkdir() if kind == "folder" else lock.symlink_to(other)
    with pytest.raises(InputError, match=r"cannot (lock|write)"):
        commit(ledger)
    assert other.read_text() == "precious"


def test_a_ledger_of_two_names_is_refused(ledger: Path) -> None:
    commit(ledger)
    second = ledger.with_name("second.json")
    second.symlink_to(ledger)
    with pytest.raises(InputError, match="no regular file"), open_ledger(second):
        pass
    second.unlink()
    os.link(ledger, second)
    with pytest.raises(InputError, match="second name"), open_ledger(second):
        pass


@pytest.mark.parametrize("name", ["no/ledger.json", "folder", "x\0y"])
def test_a_ledger_in_no_place_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(InputError), open_ledger(tmp_path / name):
        pass


def test_what_a_killed_writer_left_is_removed(ledger: Path) -> None:
    left = ledger.parent / ".ledger.json.0123456789abcdef"
    other = ledger.parent / ".ledger.json.mine"
    left.write_text("torn"), other.write_text("mine")
    commit(ledger)
    assert (left.exists(), other.exists()) == (False, True)


def test_without_hard_links_a_file_that_is_there_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", none)
    files.write_durably(tmp_path / "new", b"1")
    assert (tmp_path / "new").read_bytes() == b"1"
    with pytest.raises(InputError, match="it is there"):
        files.write_durably(tmp_path / "new", b"2")
    assert (tmp_path / "new").read_bytes() == b"1"
    assert names(tmp_path) == ["new"]


def test_with_hard_links_a_file_that_is_there_stays(tmp_path: Path) -> None:
    files.write_durably(tmp_path / "new", b"1")
    with pytest.raises(InputError, match="it is there"):
        files.write_durably(tmp_path / "new", b"2")
    assert (tmp_path / "new").read_bytes() == b"1"
    assert names(tmp_path) == ["new"]


def test_each_file_is_on_the_disk_before_the_next_is_begun(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The content, then the name; the ledger with the entry, the output, the ledger again."""
    of, steps = grades(), []

    def noting(name: str) -> Callable[..., Any]:
        real = getattr(os, name)

        def noted(*arguments: Any, **named: Any) -> Any:
            steps.append(name)
            return real(*arguments, **named)

        return noted

    with open_ledger(ledger) as it, monkeypatch.context() as patch:
        for name in ("fsync", "replace", "link"):
            patch.setattr(os, name, noting(name))
        it.commit(of, {ledger.parent / "r.json": output(of)})
    over, new = ["fsync", "replace", "fsync"], ["fsync", "link", "fsync"]
    assert steps == [*over, *new, *over]


def test_the_schema_is_the_model_s() -> None:
    assert SCHEMA_FILE.read_text("utf-8") == schema_text()


def test_a_ledger_is_as_its_schema_says(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pending_ledger(ledger, monkeypatch)
    validator = jsonschema.Draft202012Validator(json.loads(schema_text()))
    validator.validate(json.loads(ledger.read_bytes()))
    changed(ledger, unknown_field)
    assert not validator.is_valid(json.loads(ledger.read_bytes()))


# What a forged ledger may say, and what it must not do.


def forged(ledger: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], None]) -> None:
    pending_ledger(ledger, monkeypatch)
    changed(ledger, change)


def renamed(name: str) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        value["entries"][0]["outputs"][0]["name"] = name

    return change


@pytest.mark.parametrize(
    "name",
    ["../r.json", "/tmp/r.json", "a/../r.json", ".bashrc", "d/.git", "./r.json", "", "r\n", " r"],  # noqa: S108
)
def test_a_forged_name_is_refused(ledger: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    forged(ledger, monkeypatch, renamed(name))
    before = names(ledger.parent.parent)
    with pytest.raises(InputError), open_ledger(ledger):
        pass
    assert names(ledger.parent) == ["ledger.json"]
    assert names(ledger.parent.parent) == before


def test_a_forged_name_through_a_link_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "outer"
    inner.mkdir(), outer.mkdir()
    (inner / "link").symlink_to(outer)
    forged(inner / "ledger.json", monkeypatch, renamed("link/r.json"))
    with pytest.raises(InputError, match="leads out of"), open_ledger(inner / "ledger.json"):
        pass
    assert names(outer) == []


def test_a_forged_ledger_overwrites_nothing(ledger: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (ledger.parent / "precious").write_text("precious")
    forged(ledger, monkeypatch, renamed("precious"))
    with pytest.raises(InputError, match="another file"), open_ledger(ledger):
        pass
    assert (ledger.parent / "precious").read_text() == "precious"


def with_content(content: bytes) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        value["pending"] = [b64encode(content).decode()]
        value["entries"][0]["outputs"][0]["digest"]["sha256"] = sha256(content).hexdigest()

    return change


@pytest.mark.parametrize(
    "content",
    [
        b"* * * * * rm -rf /\n",
        b'{"scripts": {"install": "rm"}}',
        output(grades("of another")),
        output(grades("r.json")) + b"\n",
    ],
)
def test_nothing_but_the_release_that_is_stated_is_delivered(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    forged(ledger, monkeypatch, with_content(content))
    with pytest.raises(InputError), open_ledger(ledger):
        pass
    assert names(ledger.parent) == ["ledger.json"]


def other_digest(value: Any) -> None:
    value["entries"][0]["outputs"][0]["digest"]["sha256"] = "0" * 64


def no_entries(value: Any) -> None:
    value["entries"] = []


def one_more_pending(value: Any) -> None:
    value["pending"] *= 2


def long_base64(value: Any) -> None:
    value["pending"][0] = value["pending"][0].rstrip("=")[:-1] + "////="


def spare_bits_in_base64(value: Any) -> None:
    """Change bits of the last character that no byte is made of: other text, the same output."""
    text = value["pending"][0]
    body, letters = text.rstrip("="), ascii_uppercase + ascii_lowercase + digits + "+/"
    assert body != text
    value["pending"][0] = text.replace(
        f"{body[-1]}=", f"{letters[letters.index(body[-1]) + 1]}=", 1
    )
    assert b64decode(value["pending"][0]) == b64decode(text)


def no_base64(value: Any) -> None:
    value["pending"][0] = "%%%%"


def unknown_field(value: Any) -> None:
    value["total"] = {"epsilon": "0"}


def other_version(value: Any) -> None:
    value["schema_version"] = 2


def missing_field(value: Any) -> None:
    del value["entries"][0]["private"]


def number(value: Any) -> None:
    value["entries"][0]["data"]["N"] = 5


def hidden_mark(value: Any) -> None:
    value["entries"][0]["claim"]["name"] = "a\u202eb"


def too_deep(value: Any) -> None:
    deep: Any = "x"
    for _ in range(10):
        deep = [deep]
    value["entries"][0]["data"]["deep"] = deep


@pytest.mark.parametrize(
    "change",
    [
        other_digest,
        no_entries,
        one_more_pending,
        long_base64,
        spare_bits_in_base64,
        no_base64,
        unknown_field,
        other_version,
        missing_field,
        number,
        hidden_mark,
        too_deep,
    ],
)
def test_a_changed_ledger_is_refused(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], None]
) -> None:
    forged(ledger, monkeypatch, change)
    with pytest.raises(InputError), open_ledger(ledger):
        pass
    assert names(ledger.parent) == ["ledger.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"a":1,"a":2}',
        b"[" * 100_000,
        b"[" + b"0," * 9 + b"0]",
    ],
)
def test_what_is_no_ledger_is_refused(ledger: Path, content: bytes) -> None:
    ledger.write_bytes(content)
    with pytest.raises(InputError), open_ledger(ledger):
        pass
    assert ledger.read_bytes() == content


@pytest.mark.parametrize("name", ["a" * 5000, "a\0b", "claim.toml/ledger.json"])
def test_a_name_that_no_file_can_have_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "claim.toml").touch()
    for read in (read_ledger, ledger_models.ledger_or_none_yet):
        with pytest.raises(InputError, match="cannot read"):
            read(tmp_path / name)


def test_a_ledger_that_was_laid_out_anew_is_refused(ledger: Path) -> None:
    commit(ledger)
    ledger.write_text(json.dumps(json.loads(ledger.read_bytes()), indent=2))
    with pytest.raises(InputError, match="canonical"):
        read_ledger(ledger)


def test_a_ledger_of_too_many_entries_is_refused(ledger: Path) -> None:
    commit(ledger)

    def many(value: Any) -> None:
        value["entries"] *= ledger_models.MAX_ENTRIES + 1

    changed(ledger, many)
    with pytest.raises(InputError, match="no ledger of this version"):
        read_ledger(ledger)


# Each entry holds the digest of the one before.


def of_three(ledger: Path) -> list[dict[str, Any]]:
    """Record three releases and return the entries as they stand."""
    for name in ("one", "two", "three"):
        commit(ledger, name)
    found: list[dict[str, Any]] = json.loads(ledger.read_bytes())["entries"]
    return found


def digest_of(value: Any) -> str:
    return sha256(rfc8785.dumps(value)).hexdigest()


def test_each_entry_holds_the_digest_of_the_one_before(ledger: Path) -> None:
    """Of canonical JSON, which anybody can work out; the first one that of an empty ledger."""
    entries = of_three(ledger)
    value = json.loads(ledger.read_bytes())
    before = [{**value, "entries": []}, *entries]
    assert [one["previous"] for one in entries] == [digest_of(one) for one in before[:-1]]
    assert read_ledger(ledger).head == digest_of(before[-1])


def test_what_is_pending_is_no_part_of_the_chain(
    ledger: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending_ledger(ledger, monkeypatch)
    head = read_ledger(ledger).head
    with open_ledger(ledger) as it:
        assert it.delivered == ("r.json",)
    commit(ledger, "next.json")
    assert read_ledger(ledger).entries[1].previous == head


def dropped(at: int) -> Callable[[Any], None]:
    def change(value: Any) -> None:
        del value["entries"][at]

    return change


def exchanged(value: Any) -> None:
    entries = value["entries"]
    entries[1], entries[2] = entries[2], entries[1]


def doubled(value: Any) -> None:
    value["entries"].insert(1, value["entries"][1])


def smaller_claim(value: Any) -> None:
    value["entries"][1]["claim"]["epsilon"] = "1"


def other_output(value: Any) -> None:
    value["entries"][1]["outputs"][0]["digest"]["sha256"] = "0" * 64


@pytest.mark.parametrize(
    ("change", "number"),
    [
        (dropped(0), 1),
        (dropped(1), 2),
        (exchanged, 2),
        (doubled, 3),
        (smaller_claim, 3),
        (other_output, 3),
    ],
)
def test_an_entry_that_does_not_follow_the_one_before_is_told(
    ledger: Path, change: Callable[[Any], None], number: int
) -> None:
    of_three(ledger)
    changed(ledger, change)
    content = ledger.read_bytes()
    with pytest.raises(InputError, match=f"entry {number} does not hold the digest of"):
        read_ledger(ledger)
    with pytest.raises(InputError, match="an unchanged copy"):
        commit(ledger, "four")
    assert ledger.read_bytes() == content
    assert not (ledger.parent / "four").exists()


def test_a_last_entry_that_is_missing_shows_in_the_head_alone(ledger: Path) -> None:
    of_three(ledger)
    head = read_ledger(ledger).head
    changed(ledger, dropped(2))
    assert read_ledger(ledger).head != head


# The command.


def test_the_command_shows_entries_and_total(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(ledger, "one.json")
    commit(ledger, "two.json")
    outcome = calling(capsys, "ledger")(ledger)
    assert outcome.code == 0
    assert "one.json" in outcome.out
    assert "together: epsilon = " in outcome.out
    assert f"head: {read_ledger(ledger).head}" in outcome.out
    assert "claimed: epsilon = 4.51, delta = 0.0052" in outcome.out


def test_the_command_s_json_has_every_entry(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(ledger, "one.json")
    outcome = calling(capsys, "ledger")(ledger, "--json")
    shape = json.loads(outcome.out)
    assert [one["name"] for one in shape["entries"]] == ["one.json"]
    assert shape["head"] == read_ledger(ledger).head
    assert shape["composition"]["total"]["epsilon"] == "2.255"
    assert (shape["not_yet_written"], shape["written"]) == ([], [])


def test_the_command_only_writes_when_it_is_told_to(
    ledger: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = pending_ledger(ledger, monkeypatch)
    call = calling(capsys, "ledger")
    assert "perhaps not yet written: r.json" in call(ledger).out
    assert not target.exists()
    assert "written: r.json" in call(ledger, "--deliver").out
    assert target.exists()


def test_the_command_says_what_is_not_private(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit(ledger, of=grades(private=False))
    outcome = calling(capsys, "ledger")(ledger)
    assert "NOT PRIVATE" in outcome.out
    assert "no total: entry 1 was drawn from a seed" in outcome.out


def test_the_command_refuses_what_is_no_ledger(
    ledger: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = calling(capsys, "ledger")
    assert call(ledger).code == 3
    ledger.write_text("{}")
    outcome = call(ledger)
    assert (outcome.code, outcome.out) == (3, "")
    with open_ledger(ledger.with_name("other.json")):
        assert call(ledger.with_name("other.json"), "--deliver").code == 3


def test_numbers_in_what_is_said_of_data_are_exact() -> None:
    assert grades().data == dict(GRADES)
    assert entry_of_data({"N": 98}).data == {"N": "98"}
