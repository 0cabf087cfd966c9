"""The page for maintainers of other implementations: what it shows is run as it stands there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml
from outside_project import ACTION, AUDIT_ACTION, PAGE, Environment
from shown_pages import commands_in
from simplexcert.certify.ci.findings import expected_failures_in

TEXT = PAGE.read_text(encoding="utf-8")
# The edit that the page makes.
FAULT = "    return p * (1 - p) / (k + (1 if k < 60 else 0.99))"
SOUND = "    return p * (1 - p) / (k + 1)"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, flags=re.DOTALL | re.MULTILINE)


def commands() -> list[tuple[str, list[str]]]:
    """Return each command of the page with the lines that it shows."""
    return commands_in("".join(blocks("console")))


def test_everything_on_the_page_happens(environment: Environment, tmp_path: Path) -> None:
    backend, of_scipy, program, fault = blocks("python")
    (toml,) = blocks("toml")
    (tmp_path / "fastdp.py").write_text(backend, encoding="utf-8")
    (tmp_path / "gaussdp.py").write_text(of_scipy, encoding="utf-8")
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    (tmp_path / "pyproject.toml").write_text(toml, encoding="utf-8")
    *sound, (last, violation) = commands()
    for command, lines in sound:
        done = environment.shell(command, tmp_path)
        assert done.code == 0, (command, done)
        assert all(line in done.out.replace(" " * 3, " ") for line in lines if "::" not in line)
        assert all(re.search(_pattern(line), done.out) for line in lines if "::" in line)
    assert fault == f"{FAULT}\n"
    assert SOUND in backend
    (tmp_path / "fastdp.py").write_text(backend.replace(SOUND, FAULT), encoding="utf-8")
    done = environment.shell(last, tmp_path)
    assert done.code == 1
    printed = [*done.out.splitlines(), *done.err.splitlines()]
    for line in violation:
        assert [one for one in printed if one.startswith(line)], line
    _follow(environment, tmp_path, printed)
    _expect(environment, tmp_path, last)


def _pattern(line: str) -> str:
    return re.escape(line).replace("\\ PASSED", r"\s+PASSED")


def _follow(environment: Environment, folder: Path, printed: list[str]) -> None:
    """Require that the two commands that are printed show what they are said to show."""
    told = {line.split()[0]: line.strip().partition(" ")[2] for line in printed if line.strip()}
    again = environment.shell(told["REPRODUCE"], folder)
    assert again.code == 1
    assert again.out.startswith("VIOLATION quantity=dirichlet.utility.variance check=accuracy ")
    truth = environment.shell(f"{told['TRUTH']} --digits 50", folder)
    assert truth.code == 0
    assert "proved" in truth.out


def _expect(environment: Environment, folder: Path, command: str) -> None:
    """Require that the page's file of expected failures lets the run end well, and only that."""
    (listed,) = blocks("text")
    (folder / "expected-failures.txt").write_text(listed, encoding="utf-8")
    options = "--expected-failures expected-failures.txt --junit junit.xml"
    done = environment.shell(f"{command} {options}", folder)
    assert done.code == 0
    assert "REFUTED" in done.out
    assert "the verdict on the backend is refuted all the same" in done.out
    skipped, *_ = ET.parse(folder / "junit.xml").iterfind(".//skipped")  # noqa: S314
    assert "see issue 12" in str(skipped.get("message"))


def test_the_page_lists_the_plugins_options() -> None:
    source = (PAGE.parent / "pytest_plugin.py").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(--certify[a-z-]*) ", TEXT, flags=re.MULTILINE)
    assert sorted(listed) == sorted(set(re.findall(r'"(--certify[a-z-]*)"', source)))


@pytest.mark.parametrize(
    ("place", "name", "action"), [(0, "certify", ACTION), (1, "audit", AUDIT_ACTION)]
)
def test_the_jobs_on_the_page_give_the_actions_inputs_that_they_have(
    place: int, name: str, action: Path
) -> None:
    jobs = blocks("yaml")
    assert len(jobs) == 2
    (_, step) = yaml.safe_load(jobs[place])["jobs"][name]["steps"]
    inputs = yaml.safe_load(action.read_text(encoding="utf-8"))["inputs"]
    assert set(step["with"]) <= set(inputs)
    assert {name for name, said in inputs.items() if said.get("required")} <= set(step["with"])
    assert step["uses"].split("/", 2)[2] == f"certify/ci/{action.parent.name}@REF"


def test_the_files_on_the_page_are_read(tmp_path: Path) -> None:
    (listed,) = blocks("text")
    (toml,) = blocks("toml")
    file = tmp_path / "expected-failures.txt"
    file.write_text(listed, encoding="utf-8")
    lines = expected_failures_in(file)
    covered = zip(lines, ("accuracy", "form"), strict=True)
    assert all(line.covers("dirichlet.utility.variance", check) for line, check in covered)
    assert tomllib.loads(toml)["project"]["name"] == "fastdp"
