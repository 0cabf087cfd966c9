"""Hostile certificates, checked in by name: each is refused, with its own error and in a sentence.

A row of table.toml may give the arguments of `verify`. Where it does not, a signed certificate is
checked by the key that signed it, a transcript against the good certificate.
"""

from __future__ import annotations

import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from each import each_of
from simplexcert.certify.certificate import errors, verify
from simplexcert.certify.certificate.policy import Policy
from simplexcert.certify.cli import run
from simplexcert.reference.errors import InputError
from simplexcert.reference.exact import exact_number

HERE = Path(__file__).parent
TABLE: dict[str, dict[str, Any]] = tomllib.loads((HERE / "table.toml").read_text(encoding="utf-8"))
FEWEST = 40
MADE = runpy.run_path(str(HERE / "make_hostile.py"))
CHANGES: Mapping[str, Callable[[bytes], bytes]] = MADE["CHANGES"]
file_of: Callable[[str], Path] = MADE["file_of"]
forged_file: Callable[[str], Path] = MADE["forged_file"]
ERRORS = {**vars(errors), "InputError": InputError}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE)


def arguments_of(name: str, file: str) -> list[str]:
    """Return the arguments of `verify` with a file in the place of the one that is changed."""
    base: str = TABLE[name]["from"]
    usual = ["{it}", "--key", "good/public.pem"] if "-signed" in base else ["{it}"]
    usual = ["good/backend.json", "--transcript", "{it}"] if base.endswith(".gz") else usual
    # A certificate that states a forged transcript's digest is held against that.
    own = forged_file(name)
    cases = own if not file.startswith("good/") and own.exists() else HERE / "good/cases.jsonl.gz"
    places = {"{it}": file, "{cases}": str(cases)}
    return [places.get(part, part) for part in TABLE[name].get("arguments", usual)]


def verified(arguments: list[str]) -> None:
    """Verify in this process; raises what `verify` raises."""
    given: dict[str, list[str]] = {
        "--key": [],
        "--subject": [],
        "--transcript": [],
        "--max-slack": [],
    }
    for option, value in zip(arguments[1::2], arguments[2::2], strict=True):
        given[option].append(value)
    (transcript,) = given["--transcript"] or [None]
    keys, subject = given["--key"], given["--subject"]
    policy = (
        Policy(max_slack=exact_number(given["--max-slack"][0])) if given["--max-slack"] else None
    )
    verify(arguments[0], keys=keys, subject=subject, transcript=transcript, policy=policy)


@cache
def require_good(*arguments: str) -> None:
    verified(list(arguments))


@pytest.mark.parametrize("error", sorted({row["error"] for row in TABLE.values()}))
def test_a_hostile_certificate_is_refused_with_its_own_error(error: str) -> None:
    wrong = {}
    for name in (name for name, row in TABLE.items() if row["error"] == error):
        require_good(*arguments_of(name, f"good/{TABLE[name]['from']}"))
        try:
            verified(arguments_of(name, str(file_of(name))))
        except Exception as raised:  # noqa: BLE001 (whatever it is, it is told)
            if type(raised) is ERRORS[error]:
                continue
            wrong[name] = repr(raised)
        else:
            wrong[name] = "verified"
    assert wrong == {}


# The command tells an error of each kind; in tests/long, of each file.
ONE_A_KIND = {row["error"]: name for name, row in TABLE.items()}.values()


def require_a_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["verify", *arguments_of(name, str(file_of(name)))])
    told = capsys.readouterr()
    assert code == (3 if TABLE[name]["error"] == "InputError" else 1)
    assert told.out == ""
    assert told.err.startswith("simplexcert: ")
    assert told.err.count("\n") == 1
    assert told.err.isprintable() or told.err[:-1].isprintable()
    assert "fault of simplexcert" not in told.err


@each_of("name", ONE_A_KIND)
def test_the_command_says_so_in_a_sentence(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    require_a_sentence(name, capsys)


def test_the_hostile_files_are_what_the_changes_make_of_good_ones() -> None:
    assert len(TABLE) >= FEWEST
    assert set(TABLE) == set(CHANGES)
    assert {file_of(name) for name in TABLE} == set((HERE / "hostile").iterdir())
    for name, change in CHANGES.items():
        made = change((HERE / "good" / TABLE[name]["from"]).read_bytes())
        # Compressed bytes are as the library's version makes them.
        if file_of(name).suffix != ".gz":
            assert file_of(name).read_bytes() == made, name


def test_every_kind_of_error_is_raised_by_some_file() -> None:
    kinds = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.CertificateError)
    }
    assert kinds - {"CertificateError"} <= {row["error"] for row in TABLE.values()}


def test_another_program_can_be_held_against_the_set() -> None:
    """The script needs nothing but Python, so that a fresh environment can be tried by it."""
    command = [sys.executable, "-I", str(HERE / "run_against.py"), "--only", "signature-of-*"]
    program = [sys.executable, "-c", "from simplexcert.certify.cli import main; main()"]
    ended = subprocess.run(
        [*command, "--", *program], capture_output=True, text=True, check=False, timeout=120
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "refused 2 of 2" in ended.stdout
    accepts_all = [sys.executable, "-c", ""]
    ended = subprocess.run(
        [*command, "--", *accepts_all], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 1
