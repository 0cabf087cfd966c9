"""A project outside this repository certifies its backend in each of the three ways.

It has an environment of its own; its CI's run fails when a fault is put in.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from outside_project import ACTION, Environment, Outcome, action_steps

SCOPE = "dirichlet.utility.variance*"
MODULE = """
import math

def variance(p, k):
    return p * (1 - p) / (k + 1)

def variance_bound(k):
    return math.nextafter(0.25 / (k + 1) * (1 + 2**-50), math.inf)

class Backend:
    name, version = "outside", "1"
    quantities = {
        "dirichlet.utility.variance": variance,
        "dirichlet.utility.variance_bound": variance_bound,
    }

backend = Backend()
"""
PROGRAM = """
import json, sys
from outside_backend import backend

input()
names = sorted(backend.quantities)
print(json.dumps({"name": "outside", "version": "1", "quantities": names}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    given = {name: float.fromhex(text) for name, text in asked["parameters"].items()}
    value = backend.quantities[asked["quantity"]](**given)
    print(json.dumps({"id": asked["id"], "value": value.hex()}), flush=True)
"""
# The bound is rounded down, by one unit in the last place.
FAULT = (
    "math.nextafter(0.25 / (k + 1) * (1 + 2**-50), math.inf)",
    "math.nextafter(0.25 / (k + 1), 0)",
)
WAYS = ["outside_backend:backend", "outside", "command:python program.py"]
Run = Callable[[Environment, Path, str], Outcome]
# What the command says, and what pytest does.
MARKS = (
    "refuted: dirichlet.utility.variance_bound is on the unsafe side of the truth (direction",
    "VIOLATION quantity=dirichlet.utility.variance_bound check=direction ",
)


@pytest.fixture(scope="module")
def project(environment: Environment, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a sound project, with its entry point installed."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "outside_backend.py").write_text(MODULE, encoding="utf-8")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "test_own.py").write_text("def test_own():\n    assert True\n", encoding="utf-8")
    wheel = folder / "outside-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        home = "outside-1.dist-info"
        about = "Metadata-Version: 2.1\nName: outside\nVersion: 1\n"
        entry = "[simplexcert.backends]\noutside = outside_backend:backend\n"
        tag = "Wheel-Version: 1.0\nGenerator: a test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        packed.writestr(f"{home}/METADATA", about)
        packed.writestr(f"{home}/WHEEL", tag)
        packed.writestr(f"{home}/entry_points.txt", entry)
        packed.writestr(f"{home}/RECORD", "")
    environment.require(f"pip install --quiet --no-deps --no-index '{wheel}'", folder)
    return folder


@pytest.fixture
def faulty(project: Path, tmp_path: Path) -> Path:
    """Return a copy of the project with a fault in it."""
    for name in ("program.py", "test_own.py"):
        (tmp_path / name).write_bytes((project / name).read_bytes())
    assert FAULT[0] in MODULE
    (tmp_path / "outside_backend.py").write_text(MODULE.replace(*FAULT), encoding="utf-8")
    return tmp_path


def by_the_command(environment: Environment, project: Path, where: str) -> Outcome:
    options = f"--quantities '{SCOPE}' --cases 20"
    return environment.shell(f"simplexcert certify '{where}' {options}", project)


def by_pytest(environment: Environment, project: Path, where: str) -> Outcome:
    options = f"--certify-quantities '{SCOPE}' --certify-cases 20 -p no:cacheprovider -n 0"
    return environment.shell(f"pytest --certify-backend '{where}' {options}", project)


def by_the_action(environment: Environment, project: Path, where: str) -> Outcome:
    """Run the composite action's own steps, as its runner would."""
    inputs = {
        "INSTALL": "",
        "SIMPLEXCERT": str(environment.wheel),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "BACKEND": where,
        "QUANTITIES": SCOPE,
        "CASES": "20",
        "SEED": "0",
        "JOBS": "1",
        "EXPECTED": "",
        "OUT": "found",
        "GITHUB_OUTPUT": str(project / "output"),
        "GITHUB_ACTION_PATH": str(ACTION.parent),
    }
    for step in (step for step in action_steps() if "run" in step):
        done = environment.shell(step["run"], project, **inputs)
        if done.code:
            break
    return done


@pytest.mark.parametrize("run", [by_the_command, by_pytest])
@pytest.mark.parametrize("where", WAYS)
def test_a_sound_backend_is_certified_in_each_way(
    environment: Environment, project: Path, where: str, run: Run
) -> None:
    done = run(environment, project, where)
    assert done.code == 0, done
    assert not [mark for mark in MARKS if mark in done.out + done.err]
    assert "CERTIFIED" in done.out or " passed" in done.out


@pytest.mark.parametrize("run", [by_the_command, by_pytest])
@pytest.mark.parametrize("where", WAYS)
def test_a_fault_that_is_put_in_fails_the_run(
    environment: Environment, faulty: Path, where: str, run: Run
) -> None:
    done = run(environment, faulty, where)
    assert done.code == 1, done
    lines = [line for line in (done.out + done.err).splitlines() if line.startswith(MARKS)]
    assert lines
    if run is by_pytest:
        assert "test_own.py" in done.out


def test_the_actions_steps_end_as_the_backend_deserves(
    environment: Environment, project: Path, faulty: Path
) -> None:
    done = by_the_action(environment, project, "outside")
    assert done.code == 0, done
    found = project / "found"
    assert {path.name for path in found.iterdir()} == {
        "certificate.json", "junit.xml", "results.sarif",
    }  # fmt: skip
    assert (project / "output").read_text(encoding="utf-8") == "exit-code=0\n"
    done = by_the_action(environment, faulty, "outside")
    assert done.code == 1
    assert MARKS[0] in done.out
    (results,) = [run["results"] for run in json.loads((faulty / "found" / "results.sarif")
                  .read_bytes())["runs"]]  # fmt: skip
    assert results[0]["ruleId"] == "dirichlet.utility.variance_bound/direction"
    assert (faulty / "output").read_text(encoding="utf-8") == "exit-code=1\n"


def test_the_plugin_can_be_turned_off(environment: Environment, project: Path) -> None:
    plain = environment.shell("pytest -p no:simplexcert -p no:cacheprovider -q", project)
    assert (plain.code, plain.out.splitlines()[-1].startswith("1 passed")) == (0, True)
    unknown = environment.shell("pytest -p no:simplexcert --certify-backend outside", project)
    assert unknown.code == 4
    assert "unrecognized arguments" in unknown.err
