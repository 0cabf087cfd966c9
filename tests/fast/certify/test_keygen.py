"""`keygen`: two new files, the private one its owner's alone at every moment, whatever happens."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Cli, calling
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from simplexcert.certify import files
from simplexcert.certify.certificate import key_pair
from simplexcert.certify.certificate.signing import public_key_in
from simplexcert.certify.cli.checking import PASSPHRASE_VARIABLE
from simplexcert.reference.errors import InputError

GOOD = Path(__file__).parents[1] / "adversarial" / "good"
SECRET = "correct horse battery"  # noqa: S105
PRIVATE, PUBLIC = Path("me.private.pem"), Path("me.public.pem")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(PASSPHRASE_VARIABLE, raising=False)


@pytest.fixture(params=[0o000, 0o022, 0o777])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def mode_of(file: Path) -> int:
    return stat.S_IMODE(file.lstat().st_mode)


def names() -> set[str]:
    return {file.name for file in Path().iterdir()}


@pytest.mark.usefixtures("umask")
def test_the_private_key_is_its_owner_s_alone_whatever_the_umask(cli: Cli) -> None:
    assert cli("keygen", "--out", "me").code == 0
    assert mode_of(PRIVATE) == 0o600


@pytest.mark.parametrize("secret", [None, SECRET])
def test_what_the_new_key_signs_verifies_by_its_public_half(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, secret: str | None
) -> None:
    if secret is not None:
        monkeypatch.setenv(PASSPHRASE_VARIABLE, secret)
    made = json.loads(cli("keygen", "--out", "me", "--json").out)
    assert made == {
        "schema_version": 1,
        "private": str(PRIVATE),
        "public": str(PUBLIC),
        "fingerprint": public_key_in(PUBLIC).keyid,
        "encrypted": secret is not None,
    }
    Path("c.json").write_bytes((GOOD / "release.json").read_bytes())
    signed = cli("sign", "c.json", "--key", PRIVATE)
    assert signed.code == 0
    assert made["fingerprint"] in signed.out
    checked = ["--key", PUBLIC, "--fingerprint", made["fingerprint"], "--require-signed"]
    assert cli("verify", "c.json", *checked).code == 0


def test_a_passphrase_encrypts_the_private_key(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE_VARIABLE, SECRET)
    assert "encrypted by your passphrase" in cli("keygen", "--out", "me").out
    content = PRIVATE.read_bytes()
    assert content.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
    load_pem_private_key(content, SECRET.encode())
    with pytest.raises(ValueError, match="password"):
        load_pem_private_key(content, b"another passphrase")


def test_a_key_without_a_passphrase_is_told(cli: Cli) -> None:
    assert f"NOT encrypted: set {PASSPHRASE_VARIABLE}" in cli("keygen", "--out", "me").out


def test_two_keys_are_two(cli: Cli) -> None:
    cli("keygen", "--out", "me")
    cli("keygen", "--out", "you")
    assert public_key_in("me.public.pem").keyid != public_key_in("you.public.pem").keyid


def test_nothing_of_the_private_key_is_printed(cli: Cli) -> None:
    printed = cli("keygen", "--out", "me")
    lines = PRIVATE.read_text().splitlines()
    assert not [line for line in lines if line in printed.out + printed.err]


@pytest.mark.parametrize("taken", [PRIVATE, PUBLIC], ids=str)
@pytest.mark.parametrize("kind", ["file", "link", "folder"])
def test_a_name_that_is_taken_leaves_everything_as_it_was(cli: Cli, taken: Path, kind: str) -> None:
    if kind == "file":
        taken.write_text("precious")
    elif kind == "link":
        taken.symlink_to("nowhere")
    else:
        taken.mkdir()
    found = cli("keygen", "--out", "me")
    assert (found.code, found.out) == (3, "")
    assert f"{taken} is there" in found.err
    assert names() == {str(taken)}
    assert kind != "file" or taken.read_text() == "precious"


def test_a_private_name_that_is_taken_at_the_last_moment_leaves_that_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write = key_pair.write_durably

    def and_then_another(path: Path, content: bytes) -> None:
        write(path, content)
        PRIVATE.write_text("precious")

    monkeypatch.setattr(key_pair, "write_durably", and_then_another)
    with pytest.raises(InputError, match="it is there"):
        key_pair.make_key_pair("me", None)
    assert names() == {str(PRIVATE)}
    assert PRIVATE.read_text() == "precious"


@pytest.mark.parametrize("secret", ["", "fourteen chars", "a" * 40, "\N{PILE OF POO}" * 400])
def test_a_weak_passphrase_makes_no_key(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, secret: str
) -> None:
    monkeypatch.setenv(PASSPHRASE_VARIABLE, secret)
    found = cli("keygen", "--out", "me")
    assert found.code == 3
    assert "the passphrase is weak" in found.err
    assert names() == set()


def test_a_passphrase_that_no_library_takes_makes_no_key(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "ab" * key_pair.MOST_PASSPHRASE_BYTES)
    assert "more than 1023 bytes" in cli("keygen", "--out", "me").err
    assert names() == set()


def test_the_longest_passphrase_and_bytes_of_no_text_are_taken(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = os.fsdecode(b"\xff" + b"ab" * 511)
    monkeypatch.setenv(PASSPHRASE_VARIABLE, secret)
    assert cli("keygen", "--out", "me").code == 0
    load_pem_private_key(PRIVATE.read_bytes(), os.fsencode(secret))


@pytest.mark.parametrize("prefix", ["", "-", "keys/", "no such folder/me"])
def test_a_prefix_that_names_no_new_file_is_refused(cli: Cli, prefix: str) -> None:
    found = cli("keygen", "--out", prefix)
    assert (found.code, found.out) == (3, "")
    assert names() == set()


# What stands at a step of the disk is what a run leaves that is killed there.
STEPS = ("open", "fchmod", "fsync", "link", "unlink", "close")


def test_killed_anywhere_no_private_key_is_alone_nor_for_others_nor_in_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[frozenset[str]] = []

    def look() -> None:
        seen.append(frozenset(names()))
        for file in Path().iterdir():
            # Also as long as it has no byte yet.
            if "private" in file.name:
                assert mode_of(file) == 0o600
                assert PUBLIC.exists()
        for file in (PRIVATE, PUBLIC):
            assert not file.exists() or file.read_bytes().endswith(b"KEY-----\n")

    def looking(step: Callable[..., Any]) -> Callable[..., Any]:
        def then(*arguments: Any, **named: Any) -> Any:
            look()
            found = step(*arguments, **named)
            look()
            return found

        return then

    for name in STEPS:
        monkeypatch.setattr(files.os, name, looking(getattr(os, name)))
    key_pair.make_key_pair("me", None)
    monkeypatch.undo()
    assert frozenset({str(PUBLIC)}) in seen
    assert seen[-1] == {str(PRIVATE), str(PUBLIC)}


def test_a_disk_that_fails_leaves_neither_file(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fchmod", full)
    with pytest.raises(InputError, match="No space"):
        key_pair.make_key_pair("me", None)
    assert names() == set()
