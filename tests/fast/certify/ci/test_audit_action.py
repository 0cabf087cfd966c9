"""The audit's composite action: which claims it audits, how, and what its exit code says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from outside_project import AUDIT_ACTION, HOSTILE_WORDS, action_steps

INSTALL, AUDIT = [step for step in action_steps(AUDIT_ACTION) if "run" in step]
GIVEN = {"CLAIMS": "example:x", "STRICT": "false", "SECONDS_EACH": "300", "OUT": "found"}
# A program that ends with the code that its claim's name begins with.
BY_NAME = '#!/bin/sh\nfor claim; do :; done\nexit "$(basename "$claim" | cut -d- -f1)"\n'


def audited(recorded: Any, **given: str) -> tuple[Any, list[str]]:
    done, lines = recorded(AUDIT, **{**GIVEN, **given})
    claims = [lines[at + 1] for at, line in enumerate(lines) if line == "--"]
    return done, claims


def files_in(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def test_lines_are_files_globs_and_examples(recorded: Any, tmp_path: Path) -> None:
    files_in(tmp_path / "work", "claims/b.toml", "claims/a.toml", "one two.toml", "c[1].toml")
    listed = "\n  claims/*.toml  \n\none two.toml\nc[1].toml\nexample:gohari2020-experts\n"
    done, claims = audited(recorded, CLAIMS=listed)
    assert done.code == 0
    assert claims == [
        "claims/a.toml", "claims/b.toml", "one two.toml", "c[1].toml", "example:gohari2020-experts",
    ]  # fmt: skip


def test_lines_that_end_as_on_windows_name_the_same_files(recorded: Any, tmp_path: Path) -> None:
    files_in(tmp_path / "work", "a.toml", "b.toml")
    done, claims = audited(recorded, CLAIMS="a.toml\r\nexample:x\r\n\r\nb*\r\n")
    assert (done.code, claims) == (0, ["a.toml", "example:x", "b.toml"])


@pytest.mark.parametrize("value", ["", " \n ", "nothing-*.toml", "example:x\nmissing.toml"])
def test_no_claim_is_bad_input(recorded: Any, tmp_path: Path, value: str) -> None:
    done, claims = audited(recorded, CLAIMS=value)
    assert (done.code, claims) == (3, [])
    assert "claim" in done.out
    assert (tmp_path / "output").read_text(encoding="utf-8") == "exit-code=3\n"


@pytest.mark.parametrize("value", [*HOSTILE_WORDS, "--help", "-x.toml"])
def test_a_hostile_claim_is_one_argument(recorded: Any, tmp_path: Path, value: str) -> None:
    # The glob among them matches a file that the work folder holds.
    files_in(tmp_path / "work", value)
    done, claims = audited(recorded, CLAIMS=value)
    assert (done.code, claims) == (0, [value])


def test_a_name_with_the_end_of_a_line_is_one_claim(recorded: Any, tmp_path: Path) -> None:
    # Read as two lines it would be two other claims, and never be audited itself.
    files_in(tmp_path / "work", "c/good\nd.toml", "c/good", "d.toml")
    done, lines = recorded(AUDIT, **{**GIVEN, "CLAIMS": "c/*.toml"})
    assert done.code == 0
    assert lines.count("--") == 1
    assert lines[lines.index("--") + 1 :] == ["c/good", "d.toml"]


@pytest.mark.parametrize("value", ["-", "example:gohari2020-experts"])
def test_a_file_that_a_glob_finds_is_a_file_whatever_its_name(
    recorded: Any, tmp_path: Path, value: str
) -> None:
    files_in(tmp_path / "work", value)
    done, claims = audited(recorded, CLAIMS=f"{value[0]}*")
    assert (done.code, claims) == (0, [f"./{value}"])


@pytest.mark.parametrize("value", [*HOSTILE_WORDS, "-leading"])
def test_a_hostile_folder_is_a_folder(recorded: Any, tmp_path: Path, value: str) -> None:
    done, lines = recorded(AUDIT, **{**GIVEN, "OUT": value})
    assert done.code == 0
    assert (tmp_path / "work" / value).is_dir()
    assert f"--out=./{value}/1-example_x.json" in lines
    assert f"--report=./{value}/1-example_x.html" in lines


@pytest.mark.parametrize("value", HOSTILE_WORDS)
def test_a_hostile_time_is_one_argument(recorded: Any, value: str) -> None:
    done, lines = recorded(AUDIT, **{**GIVEN, "SECONDS_EACH": value})
    assert done.code == 0
    assert f"--max-seconds={value}" in lines


@pytest.mark.parametrize("value", [*HOSTILE_WORDS, "", "True", "yes"])
def test_strict_is_true_or_false(recorded: Any, value: str) -> None:
    done, claims = audited(recorded, STRICT=value)
    assert (done.code, claims) == (3, [])


@pytest.mark.parametrize(
    ("codes", "strict", "expected"),
    [
        ("0 0", "false", 0), ("5", "false", 5), ("0 5", "false", 0), ("0 2", "false", 2),
        ("0 2", "true", 1), ("2 1", "false", 1), ("1 4", "false", 4), ("4 3", "false", 3),
        ("137 1", "false", 4), ("5 2", "true", 1),
    ],
)  # fmt: skip
def test_the_worst_claim_gives_the_exit_code(
    recorded: Any, tmp_path: Path, codes: str, strict: str, expected: int
) -> None:
    (tmp_path / "bin" / "simplexcert").write_text(BY_NAME, encoding="utf-8")
    names = [f"{code}-claim.toml" for code in codes.split()]
    files_in(tmp_path / "work", *names)
    done, _ = audited(recorded, CLAIMS="\n".join(names), STRICT=strict)
    assert done.code == expected
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"exit-code={expected}\n"


def test_what_is_found_has_a_name_of_its_own_that_can_be_kept(
    recorded: Any, tmp_path: Path
) -> None:
    files_in(tmp_path / "work", "x/claim.toml", "y/claim.toml")
    _, lines = recorded(AUDIT, **{**GIVEN, "CLAIMS": "*/claim.toml\nexample:a"})
    out = [line.removeprefix("--out=") for line in lines if line.startswith("--out=")]
    assert out == [
        "./found/1-claim.toml.json",
        "./found/2-claim.toml.json",
        "./found/3-example_a.json",
    ]


def test_simplexcert_is_installed_with_what_draws_reports_and_nothing_else(recorded: Any) -> None:
    fixed = ["-P", "-m", "pip", "install", "--disable-pip-version-check"]
    assert recorded(INSTALL, SIMPLEXCERT="")[1] == [*fixed, "/action/../../..[plots]"]
    assert recorded(INSTALL, SIMPLEXCERT="$(touch pwned) x")[1][-1] == "$(touch pwned) x"
