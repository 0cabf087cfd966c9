"""The composite action: its steps run, and nothing in an input is read as a part of a script."""

from __future__ import annotations

import re
import stat
from pathlib import Path
from typing import Any

import pytest
import yaml
from outside_project import ACTION, Outcome, action_steps, shell

LOADED: dict[str, Any] = yaml.safe_load(ACTION.read_text(encoding="utf-8"))
RUNS = [step for step in action_steps() if "run" in step]
# A program that writes each of its arguments on a line of its own, and ends as it is told.
RECORDER = '#!/bin/sh\nprintf "%s\\n" "$@" > "$RECORDED"\nexit "${ENDS:-0}"\n'
HOSTILE = [
    "$(touch pwned)",
    "`touch pwned`",
    "'; touch pwned; '",
    '"; touch pwned; "',
    "x && touch pwned",
    "* ? [a]",
]
CERTIFY = {
    "BACKEND": "mine:backend", "QUANTITIES": "*", "CASES": "20", "SEED": "0", "JOBS": "2",
    "EXPECTED": "", "OUT": "found",
}  # fmt: skip


@pytest.fixture
def recorded(tmp_path: Path) -> Any:
    """Return a function that runs a step with programs that only record what they are given."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("python", "simplexcert"):
        program = programs / name
        program.write_text(RECORDER, encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    work = tmp_path / "work"
    work.mkdir()
    (work / "a").touch()

    def run(step: dict[str, Any], **inputs: str) -> tuple[Outcome, list[str]]:
        record = tmp_path / "recorded"
        done = shell(
            f'PATH="{programs}:$PATH"; {step["run"]}',
            work,
            RECORDED=str(record),
            GITHUB_OUTPUT=str(tmp_path / "output"),
            GITHUB_ACTION_PATH="/action",
            **inputs,
        )
        assert not (work / "pwned").exists()
        given = record.read_text(encoding="utf-8").splitlines() if record.exists() else []
        return done, given

    return run


def step_named(name: str) -> dict[str, Any]:
    (found,) = [step for step in RUNS if step["name"] == name]
    return found


def test_it_is_a_composite_action_whose_inputs_and_outputs_are_described() -> None:
    assert LOADED["runs"]["using"] == "composite"
    described = [*LOADED["inputs"].values(), *LOADED["outputs"].values()]
    assert all(said["description"].endswith(".") for said in described)
    for name, said in LOADED["inputs"].items():
        assert isinstance(said.get("default", ""), str), name
        assert ("default" in said) != said.get("required", False), name


def test_every_action_that_is_used_is_pinned() -> None:
    used = [step["uses"] for step in action_steps() if "uses" in step]
    assert len(used) == 3
    assert all(re.fullmatch(r"[a-z/-]+@(v\d+|[0-9a-f]{40})", name) for name in used)


def test_inputs_reach_a_script_as_variables_alone() -> None:
    for step in RUNS:
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        for name, value in step["env"].items():
            found = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value)
            assert found, name
            assert found[1] in LOADED["inputs"]


def test_every_input_is_used() -> None:
    used = set(re.findall(r"inputs\.([a-z-]+)", ACTION.read_text(encoding="utf-8")))
    assert used == set(LOADED["inputs"])


def test_every_expansion_in_a_script_is_quoted() -> None:
    for step in RUNS:
        for line in step["run"].splitlines():
            bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line.replace('${words[@]+"${words[@]}"}', ""))
            assert "$" not in re.sub(r"\bcase .* in|code=\$\?", "", bare), line
            assert "eval" not in line


@pytest.mark.parametrize("name", ["BACKEND", "QUANTITIES", "CASES", "SEED", "JOBS", "EXPECTED"])
@pytest.mark.parametrize("value", [*HOSTILE, "--help", "two\nlines"])
def test_a_hostile_input_is_one_argument(recorded: Any, name: str, value: str) -> None:
    done, given = recorded(step_named("Certify"), **{**CERTIFY, name: value})
    assert done.code == 0
    said = value.splitlines()
    begun = [line for line in given if line.endswith(said[0]) and line != "--help" * 2]
    assert begun
    assert "--out=./found/certificate.json" in given
    assert given[given.index("--") + 1 :] == CERTIFY["BACKEND"].splitlines() or name == "BACKEND"


@pytest.mark.parametrize("value", [*HOSTILE, "-leading"])
def test_a_hostile_folder_is_a_folder(recorded: Any, tmp_path: Path, value: str) -> None:
    done, given = recorded(step_named("Certify"), **{**CERTIFY, "OUT": value})
    assert done.code == 0
    assert (tmp_path / "work" / value).is_dir()
    assert f"--junit=./{value}/junit.xml" in given


@pytest.mark.parametrize("value", HOSTILE)
def test_what_is_to_be_installed_is_words_and_nothing_else(recorded: Any, value: str) -> None:
    done, given = recorded(step_named("Install"), INSTALL=value, SIMPLEXCERT="")
    assert done.code == 0
    fixed = ["-m", "pip", "install", "--disable-pip-version-check", "/action/../../.."]
    assert given == [*fixed, *value.split()]


def test_nothing_to_install_installs_simplexcert_alone(recorded: Any) -> None:
    done, given = recorded(step_named("Install"), INSTALL="", SIMPLEXCERT="$(touch pwned)")
    assert done.code == 0
    assert given[-1] == "$(touch pwned)"


@pytest.mark.parametrize("code", ["0", "1", "2", "5"])
def test_the_exit_code_is_the_commands(recorded: Any, tmp_path: Path, code: str) -> None:
    done, _ = recorded(step_named("Certify"), **CERTIFY, ENDS=code)
    assert done.code == int(code)
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"exit-code={code}\n"


def test_the_action_finds_its_own_version() -> None:
    # Three folders up from the action is what pip can install.
    assert (ACTION.parents[3] / "pyproject.toml").is_file()
