"""The composite actions: their steps run, and nothing in an input is read as a part of a script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from outside_project import ACTION, AUDIT_ACTION, HOSTILE_WORDS, action_steps

EACH = pytest.mark.parametrize("action", [ACTION, AUDIT_ACTION])
CERTIFY = {
    "BACKEND": "mine:backend", "QUANTITIES": "*", "CASES": "20", "SEED": "0", "JOBS": "2",
    "EXPECTED": "", "OUT": "found",
}  # fmt: skip
AUDIT = {"CLAIMS": "example:x", "STRICT": "false", "SECONDS_EACH": "300", "OUT": "found"}


def step_named(name: str) -> dict[str, Any]:
    (found,) = [step for step in runs(ACTION) if step["name"] == name]
    return found


def loaded(action: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(action.read_text(encoding="utf-8"))
    return found


def runs(action: Path) -> list[dict[str, Any]]:
    return [step for step in action_steps(action) if "run" in step]


@EACH
def test_it_is_a_composite_action_whose_inputs_and_outputs_are_described(action: Path) -> None:
    told = loaded(action)
    assert told["runs"]["using"] == "composite"
    described = [*told["inputs"].values(), *told["outputs"].values()]
    assert all(said["description"].endswith(".") for said in described)
    for name, said in told["inputs"].items():
        assert isinstance(said.get("default", ""), str), name
        assert ("default" in said) != said.get("required", False), name


@pytest.mark.parametrize(("action", "count"), [(ACTION, 3), (AUDIT_ACTION, 2)])
def test_every_action_that_is_used_is_pinned(action: Path, count: int) -> None:
    used = [step["uses"] for step in action_steps(action) if "uses" in step]
    assert len(used) == count
    assert all(re.fullmatch(r"[a-z/-]+@(v\d+|[0-9a-f]{40})", name) for name in used)


@EACH
def test_inputs_reach_a_script_as_variables_alone(action: Path) -> None:
    for step in runs(action):
        assert "${{" not in step["run"]
        assert step["shell"] == "bash"
        for name, value in step["env"].items():
            found = re.fullmatch(r"\$\{\{ inputs\.([a-z-]+) \}\}", value)
            assert found, name
            assert found[1] in loaded(action)["inputs"]


@EACH
def test_every_input_is_used(action: Path) -> None:
    used = set(re.findall(r"inputs\.([a-z-]+)", action.read_text(encoding="utf-8")))
    assert used == set(loaded(action)["inputs"])


@EACH
def test_every_expansion_in_a_script_is_quoted(action: Path) -> None:
    for step in runs(action):
        for line in step["run"].splitlines():
            # The second is a pattern, which its function expands with nothing to split it by.
            for meant in ('${words[@]+"${words[@]}"}', 'local IFS="" LC_ALL=C; matches=($1);'):
                line = line.replace(meant, "")  # noqa: PLW2901
            bare = re.sub(r'"(?:[^"\\]|\\.)*"', "", line)
            assert "$" not in re.sub(r"\bcase .* in|code=\$\?", "", bare), line
            assert "eval" not in line


@pytest.mark.parametrize("name", ["BACKEND", "QUANTITIES", "CASES", "SEED", "JOBS", "EXPECTED"])
@pytest.mark.parametrize("value", [*HOSTILE_WORDS, "--help", "two\nlines"])
def test_a_hostile_input_is_one_argument(recorded: Any, name: str, value: str) -> None:
    done, given = recorded(step_named("Certify"), **{**CERTIFY, name: value})
    assert done.code == 0
    said = value.splitlines()
    begun = [line for line in given if line.endswith(said[0]) and line != "--help" * 2]
    assert begun
    assert "--out=./found/certificate.json" in given
    assert given[given.index("--") + 1 :] == CERTIFY["BACKEND"].splitlines() or name == "BACKEND"


@pytest.mark.parametrize("value", [*HOSTILE_WORDS, "-leading"])
def test_a_hostile_folder_is_a_folder(recorded: Any, tmp_path: Path, value: str) -> None:
    done, given = recorded(step_named("Certify"), **{**CERTIFY, "OUT": value})
    assert done.code == 0
    assert (tmp_path / "work" / value).is_dir()
    assert f"--junit=./{value}/junit.xml" in given


@pytest.mark.parametrize("value", HOSTILE_WORDS)
def test_what_is_to_be_installed_is_words_and_nothing_else(recorded: Any, value: str) -> None:
    done, given = recorded(step_named("Install"), INSTALL=value, SIMPLEXCERT="")
    assert done.code == 0
    fixed = ["-P", "-m", "pip", "install", "--disable-pip-version-check", "/action/../../.."]
    assert given == [*fixed, *value.split()]


def test_nothing_to_install_installs_simplexcert_alone(recorded: Any) -> None:
    done, given = recorded(step_named("Install"), INSTALL="", SIMPLEXCERT="$(touch pwned)")
    assert done.code == 0
    assert given[-1] == "$(touch pwned)"


def test_a_folder_that_cannot_be_made_is_bad_input_and_the_workflow_can_read_it(
    recorded: Any, tmp_path: Path
) -> None:
    done, given = recorded(step_named("Certify"), **{**CERTIFY, "OUT": "a/within-a-file"})
    assert (done.code, given) == (3, [])
    assert (tmp_path / "output").read_text(encoding="utf-8") == "exit-code=3\n"


@pytest.mark.parametrize("code", ["0", "1", "2", "5"])
def test_the_exit_code_is_the_commands(recorded: Any, tmp_path: Path, code: str) -> None:
    done, _ = recorded(step_named("Certify"), **CERTIFY, ENDS=code)
    assert done.code == int(code)
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"exit-code={code}\n"


@pytest.mark.parametrize("code", ["130", "137", "143"])
def test_a_code_that_no_command_ends_with_is_a_failure_of_ours(
    recorded: Any, tmp_path: Path, code: str
) -> None:
    done, _ = recorded(step_named("Certify"), **CERTIFY, ENDS=code)
    assert done.code == 4
    assert (tmp_path / "output").read_text(encoding="utf-8") == "exit-code=4\n"


@pytest.mark.parametrize(
    ("verified", "told", "expected", "code"),
    [
        ("0", "told", "", 0),
        ("1", "told", "", 1),
        ("3", "", "", 1),
        ("1", '{\n  "verdict": "refuted",\n', "failures.txt", 0),
        ("1", '{\n  "verdict": "error",\n', "failures.txt", 0),
        ("2", '{\n  "verdict": "undecided",\n', "failures.txt", 0),
        ("2", '{\n  "verdict": "undecided",\n', "", 1),
        ("1", '{\n  "verdict": null,\n', "failures.txt", 1),
        ("1", "", "failures.txt", 1),
        ("3", "", "failures.txt", 1),
    ],
)
def test_a_run_that_ends_with_0_must_leave_a_certificate_that_another_process_takes(
    recorded: Any, tmp_path: Path, verified: str, told: str, expected: str, code: int
) -> None:
    given = {**CERTIFY, "EXPECTED": expected, "VERIFIED": verified, "TOLD": told}
    done, _ = recorded(step_named("Certify"), **given)
    assert done.code == code
    assert (tmp_path / "output").read_text(encoding="utf-8") == f"exit-code={code}\n"


def test_a_certificate_that_lay_there_before_is_not_taken_for_this_runs(
    recorded: Any, tmp_path: Path
) -> None:
    left = tmp_path / "work" / "found" / "certificate.json"
    left.parent.mkdir()
    left.touch()
    recorded(step_named("Certify"), **CERTIFY)
    assert not left.exists()


def test_what_lies_where_the_folder_is_plays_no_part_in_the_last_word(
    recorded: Any, tmp_path: Path
) -> None:
    (tmp_path / "work" / "found" / "checked").mkdir(parents=True)
    done, _ = recorded(step_named("Certify"), **CERTIFY)
    assert done.code == 0


@pytest.mark.parametrize(
    ("action", "given"),
    [(ACTION, CERTIFY), (AUDIT_ACTION, AUDIT)],
)
def test_a_runner_obeys_nothing_that_a_command_prints(
    recorded: Any, action: Path, given: dict[str, str]
) -> None:
    says = "::add-mask::refuted"
    step = runs(action)[-1]
    printed = [recorded(step, **given, SAYS=says, ENDS="1")[0] for _ in range(2)]
    begun = [done.out.splitlines()[0] for done in printed]
    assert begun[0] != begun[1]
    for first, done in zip(begun, printed, strict=True):
        token = re.fullmatch("::stop-commands::([0-9a-f]{32})", first)
        assert token
        # On one stream: what is read of two has no order.
        assert done.out.splitlines() == [first, says, says, f"::{token[1]}::"]
        assert not done.err


@EACH
def test_no_module_of_the_folder_that_is_checked_is_taken_for_pip(action: Path) -> None:
    (install,) = [step["run"] for step in runs(action) if step["name"] == "Install"]
    assert "python -P -m pip install" in install
    assert all("python -m" not in step["run"] for step in runs(action))


@EACH
def test_the_action_finds_its_own_version(action: Path) -> None:
    # Three folders up from the action is what pip can install.
    assert (action.parents[3] / "pyproject.toml").is_file()
