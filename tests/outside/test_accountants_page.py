"""The page for maintainers of accountants: each example is run as it stands, where its library is.

The libraries are those of the running environment, or of the one that ``make referee`` makes.
"""

from __future__ import annotations

import re
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import pytest
import yaml
from outside_project import ACTION, ROOT, Environment, action_steps
from shown_pages import commands_in
from simplexcert.certify.backends.accountants import ACCOUNTANTS
from simplexcert.certify.ci.findings import expected_failures_in

PAGE = ROOT / "certify" / "ci" / "ACCOUNTANTS.md"
_, *PARTS = re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
EXAMPLES = {part.partition("\n")[0]: part for part in PARTS if "```console\n" in part}
(REFEREES,) = [*(ROOT / "build" / "referee" / ".venv").glob("lib/python3*/site-packages")] or [None]


def block(name: str, language: str) -> str:
    (found,) = re.findall(
        rf"^```{language}\n(.*?)^```", EXAMPLES[name], flags=re.DOTALL | re.MULTILINE
    )
    return str(found)


def given(name: str) -> dict[str, str]:
    """Return what an example gives the action."""
    (step,) = yaml.safe_load(block(name, "yaml"))
    assert step["uses"].split("/", 2)[2] == f"certify/ci/{ACTION.parent.name}@REF"
    inputs: dict[str, str] = step["with"]
    return inputs


def place_of(package: str) -> str | None:
    """Return the variable by which a package is found; None where it is nowhere."""
    if PathFinder.find_spec(package) is not None:
        return ""
    there = REFEREES and PathFinder.find_spec(package, [str(REFEREES)])
    return str(REFEREES) if there else None


def test_there_is_an_example_for_each_library() -> None:
    named = {ACCOUNTANTS[given(name)["backend"].partition(":")[2]].package for name in EXAMPLES}
    assert named == {each.package for each in ACCOUNTANTS.values()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_step_and_the_commands_of_an_example_ask_the_same(name: str) -> None:
    step, inputs = given(name), yaml.safe_load(ACTION.read_text(encoding="utf-8"))["inputs"]
    assert set(step) <= set(inputs)
    (first, _), (second, _) = commands_in(block(name, "console"))
    asked = [step[key] for key in ("backend", "quantities", "cases", "expected-failures")]
    assert [word for word in first.split() if not word.startswith("-")][2:] == asked
    assert [word for word in second.split() if not word.startswith("-")][1:] == asked


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_passes_with_the_failures_that_it_has_found(
    name: str, environment: Environment, tmp_path: Path
) -> None:
    step = given(name)
    package = ACCOUNTANTS[step["backend"].partition(":")[2]].package
    place = place_of(package)
    if place is None:
        pytest.skip(f"{package} is not installed: make build/referee/.venv/.ready")
    file = tmp_path / step["expected-failures"]
    file.parent.mkdir(parents=True, exist_ok=True)
    (first, shown), (second, _) = commands_in(block(name, "console"))
    assert not shown, "no result stands on the page"
    found = environment.shell(first, tmp_path, PYTHONPATH=place)
    assert found.code in (0, 1), found
    assert bool(expected_failures_in(file)) == bool(found.code)
    done = environment.shell(f"{second} -p no:cacheprovider", tmp_path, PYTHONPATH=place)
    assert done.code == 0, done
    done = _by_the_action(environment, tmp_path, step, place)
    assert done.code == 0, done
    assert (tmp_path / "found" / "certificate.json").exists()


def _by_the_action(environment: Environment, folder: Path, step: dict[str, str], place: str) -> Any:
    """Run the action's own step, with what it would have installed in its place."""
    (certify,) = [one["run"] for one in action_steps() if one.get("id") == "certify"]
    inputs = {
        "BACKEND": step["backend"],
        "QUANTITIES": step["quantities"],
        "CASES": step["cases"],
        "SEED": "0",
        "JOBS": "1",
        "EXPECTED": step["expected-failures"],
        "OUT": "found",
        "GITHUB_OUTPUT": str(folder / "output"),
        "PYTHONPATH": place,
    }
    return environment.shell(certify, folder, **inputs)
