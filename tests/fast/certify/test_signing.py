"""`sign` and `verify` on the command line: who signed, by which key, every slip in a sentence."""

from __future__ import annotations

import base64
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
import rfc8785
from command_line import Cli, calling
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    KeySerializationEncryption,
    NoEncryption,
    PrivateFormat,
)
from each import each_of
from made_signers import private_key, public_pem, signer
from simplexcert.certify.cli.checking import PASSPHRASE_VARIABLE

GOOD = Path(__file__).parents[1] / "adversarial" / "good"
SECRET = "open sesame"  # noqa: S105


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    return calling(capsys)


def private_pem(number: int, encryption: KeySerializationEncryption | None = None) -> bytes:
    form = Encoding.PEM, PrivateFormat.PKCS8, encryption or NoEncryption()
    return private_key(number).private_bytes(*form)


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lay out two keys, a third that is encrypted, and an unsigned certificate of each kind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(PASSPHRASE_VARIABLE, raising=False)
    for number in (0, 1):
        Path(f"{number}.pem").write_bytes(private_pem(number))
        Path(f"{number}.pub").write_bytes(public_pem(number))
    Path("2.pub").write_bytes(public_pem(2))
    Path("2.pem").write_bytes(private_pem(2, BestAvailableEncryption(SECRET.encode())))
    for name in ("backend", "release", "release-refuted"):
        Path(f"{name}.json").write_bytes((GOOD / f"{name}.json").read_bytes())


@pytest.mark.parametrize("name", ["backend", "release"])
def test_what_was_signed_in_place_verifies_by_its_key(cli: Cli, name: str) -> None:
    signed = cli("sign", f"{name}.json", "--key", "0.pem")
    fingerprint = signer(0).public_key.keyid
    assert (signed.code, signed.err) == (0, "")
    assert fingerprint in signed.out
    assert Path(f"{name}.json").read_bytes() == (GOOD / f"{name}-signed.json").read_bytes()
    found = cli("verify", f"{name}.json", "--key", "0.pub", "--fingerprint", fingerprint)
    assert found.code == 0
    assert f"signed by {fingerprint}\n" in found.out


def test_a_key_that_is_not_given_is_told_not_to_be_checked(cli: Cli) -> None:
    cli("sign", "backend.json", "--key", "0.pem")
    cli("sign", "backend.json", "--key", "1.pem")
    found = cli("verify", "backend.json", "--key", "1.pub")
    assert found.code == 0
    told = " ".join(found.out.split())  # a fingerprint fills most of a line
    assert f"{signer(0).public_key.keyid} (not checked against a key)" in told
    assert f"{signer(1).public_key.keyid}\n" in found.out
    table = json.loads(cli("verify", "backend.json", "--key", "1.pub", "--json").out)
    assert table["signed"] is table["authentic"] is True
    assert "is authentic: " in found.out
    assert table["checked_by"] == [signer(1).public_key.keyid]
    assert len(table["signed_by"]) == len({*table["signed_by"]}) == 2


def test_a_signature_that_nobody_checked_makes_no_certificate_authentic(cli: Cli) -> None:
    cli("sign", "backend.json", "--key", "0.pem")
    envelope = json.loads(Path("backend.json").read_bytes())
    envelope["signatures"][0]["sig"] = base64.b64encode(bytes(64)).decode()
    Path("backend.json").write_bytes(rfc8785.dumps(envelope))
    found = cli("verify", "backend.json")
    assert "is consistent: " in found.out
    assert "authentic" not in found.out
    table = json.loads(cli("verify", "backend.json", "--json").out)
    assert (table["signed"], table["authentic"], table["checked_by"]) == (False, False, [])
    assert table["signed_by"] == [signer(0).public_key.keyid]


def test_an_unsigned_certificate_is_checked_all_the_same_and_says_so(cli: Cli) -> None:
    found = cli("verify", "backend.json")
    assert found.code == 0
    assert "unsigned" in found.out
    assert json.loads(cli("verify", "backend.json", "--json").out)["signed"] is False


def test_a_signed_refutation_stays_one(cli: Cli) -> None:
    cli("sign", "release-refuted.json", "--key", "0.pem")
    found = cli("verify", "release-refuted.json", "--key", "0.pub")
    assert (found.code, found.err) == (1, "")
    assert found.out.startswith("REFUTED")


def test_out_leaves_the_certificate_as_it_is(cli: Cli) -> None:
    before = Path("backend.json").read_bytes()
    assert cli("sign", "backend.json", "--key", "0.pem", "--out", "signed.json").code == 0
    assert Path("backend.json").read_bytes() == before
    assert cli("verify", "signed.json", "--key", "0.pub").code == 0


def test_signing_twice_by_one_key_changes_nothing(cli: Cli) -> None:
    cli("sign", "backend.json", "--key", "0.pem")
    once = Path("backend.json").read_bytes()
    assert cli("sign", "backend.json", "--key", "0.pem").code == 0
    assert Path("backend.json").read_bytes() == once


def test_a_passphrase_comes_from_the_environment(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE_VARIABLE, SECRET)
    assert cli("sign", "backend.json", "--key", "2.pem").code == 0
    assert cli("verify", "backend.json", "--key", "2.pub").code == 0
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "wrong")
    assert (
        "cannot be read with this passphrase" in cli("sign", "release.json", "--key", "2.pem").err
    )


def test_a_key_of_more_rounds_than_seconds_allow_is_refused_before_any(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No signal ends the library's derivation: of 2^31 rounds it takes minutes."""
    for name, rounds in (("few", 600_000), ("dear", 0x7FFF_FFFF)):
        integer = b"\x02\x04" + rounds.to_bytes(4)
        encoded = base64.b64encode(b"\x30\x0d\x30\x0b\x06\x01\x2a\x30\x06" + integer).decode()
        Path(f"{name}.pem").write_text(pem_of(encoded), encoding="utf-8")
    monkeypatch.setenv(PASSPHRASE_VARIABLE, "correct horse battery")
    few, many = (cli("sign", "release.json", "--key", f"{key}.pem") for key in ("few", "dear"))
    assert (few.code, many.code) == (3, 3)
    assert "cannot be read with this passphrase" in few.err
    assert "more rounds of its passphrase's derivation than are run" in many.err


def pem_of(encoded: str) -> str:
    name = "ENCRYPTED PRIVATE KEY"
    return f"-----BEGIN {name}-----\n{encoded}\n-----END {name}-----\n"


def test_a_passphrase_is_asked_for_on_a_terminal_and_not_shown(cli: Cli) -> None:
    code = "from simplexcert.certify.cli import main; main()"
    command = [sys.executable, "-c", code, "sign", "backend.json", "--key", "2.pem"]
    parent, child = pty.openpty()
    with subprocess.Popen(
        command, stdin=child, stdout=child, stderr=child, start_new_session=True
    ) as process:
        os.close(child)
        told = b""
        while b"Passphrase" not in told:
            told += os.read(parent, 1024)
        os.write(parent, f"{SECRET}\n".encode())
        try:
            while more := os.read(parent, 1024):
                told += more
        except OSError:  # how a terminal ends
            pass
        assert process.wait(timeout=60) == 0
    os.close(parent)
    assert SECRET.encode() not in told
    assert cli("verify", "backend.json", "--key", "2.pub").code == 0


SLIPS = {
    "passphrase-lacking": (["sign", "backend.json", "--key", "2.pem"], 3, PASSPHRASE_VARIABLE),
    "public-key-to-sign": (["sign", "backend.json", "--key", "0.pub"], 3, "holds a public key"),
    "private-key-to-check": (
        ["verify", "backend.json", "--key", "0.pem"], 3, "holds a private key"),
    "no-key": (["sign", "backend.json"], 3, "--key"),
    "key-missing": (["sign", "backend.json", "--key", "9.pem"], 3, "cannot read 9.pem"),
    "certificate-missing": (["sign", "none.json", "--key", "0.pem"], 3, "cannot read none.json"),
    "key-as-certificate": (["sign", "0.pem", "--key", "0.pem"], 3, "is not JSON"),
    "over-the-key": (
        ["sign", "backend.json", "--key", "0.pem", "--out", "0.pem"], 3, "is the key itself"),
    "over-the-key-by-another-name": (
        ["sign", "backend.json", "--key", "0.pem", "--out", "./0.pem"], 3, "is the key itself"),
    "out-a-folder": (["sign", "backend.json", "--key", "0.pem", "--out", "."], 3, "cannot write"),
    "unsigned-with-a-key": (["verify", "backend.json", "--key", "0.pub"], 1, "signed by nobody"),
    "fingerprint-alone": (["verify", "backend.json", "--fingerprint", "0" * 64], 3, "by --key"),
    "fingerprint-of-another": (
        ["verify", "backend.json", "--key", "0.pub", "--fingerprint", "0" * 64], 1, "pinned"),
    "recheck-alone": (["verify", "backend.json", "--recheck", "all"], 3, "by --transcript"),
    "recheck-of-words": (
        ["verify", "backend.json", "--recheck", "some"], 3, "neither a number of cases nor all"),
    "recheck-of-fewer-than-none": (["verify", "backend.json", "--recheck=-1"], 3, "neither"),
    "recheck-of-none": (
        ["verify", "backend.json", "--transcript", "x", "--recheck", "0"], 3, "one case at least"),
    "recheck-endless": (["verify", "backend.json", "--recheck", "9" * 5000], 3, "neither"),
    "transcript-missing": (
        ["verify", "backend.json", "--transcript", "none.gz"], 3, "cannot read none.gz"),
    "transcript-of-a-release": (
        ["verify", "release.json", "--transcript", "none.gz"], 3, "a release has none"),
}  # fmt: skip


@each_of("name", SLIPS)
def test_a_slip_is_told_in_a_sentence_and_changes_no_file(cli: Cli, name: str) -> None:
    arguments, code, says = SLIPS[name]
    before = {file: file.read_bytes() for file in Path().iterdir()}
    found = cli(*arguments)
    assert (found.code, found.out, found.err.count("\n")) == (code, "", 1)
    assert says in found.err
    assert {file: file.read_bytes() for file in Path().iterdir()} == before


def test_a_transcript_and_its_cases_are_checked(cli: Cli) -> None:
    given = ["verify", "backend.json", "--transcript", GOOD / "cases.jsonl.gz"]
    found = cli(*given, "--recheck", "3")
    assert found.code == 0
    assert "3 more of its cases were judged anew; the truths on its other lines" in found.out
    assert json.loads(cli(*given, "--recheck", "all", "--json").out)["rechecked"] == 96


def test_truths_that_were_not_worked_out_are_their_issuers_word(cli: Cli) -> None:
    given = ["verify", "backend.json", "--transcript", GOOD / "cases.jsonl.gz"]
    said = "the truths on its other lines, its issuer says: `--recheck all`"
    assert said in " ".join(cli(*given).out.split())
    assert "its other lines" not in cli(*given, "--recheck", "all").out


@pytest.mark.parametrize("command", ["verify", "audit", "report", "sign"])
def test_a_pipe_is_refused_and_not_waited_for(cli: Cli, command: str) -> None:
    os.mkfifo("pipe")
    more = {"report": ["--out", "page.html"], "sign": ["--key", "0.pem"]}
    found = cli(command, "pipe", *more.get(command, []))
    assert (found.code, found.out) == (3, "")
    assert "pipe: it is no regular file" in found.err


def test_every_subject_that_is_given_must_be_one(cli: Cli) -> None:
    backend = GOOD / "backend.py"
    assert cli("verify", "backend.json", "--subject", backend).code == 0
    found = cli("verify", "backend.json", "--subject", backend, "--subject", "0.pub")
    assert (found.code, found.out) == (1, "")
