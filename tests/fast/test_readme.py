"""The README: what it shows is what the commands print."""

from __future__ import annotations

import re
import shlex
from fractions import Fraction
from pathlib import Path

import pytest
from simplexcert.certify.cli import run

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, flags=re.DOTALL)


def shown() -> list[tuple[str, list[str]]]:
    """Return each command with the lines of output that the README shows for it."""
    found = []
    for block in BLOCKS:
        command, *output = block.strip().split("\n")
        if command.startswith("$ simplexcert") and output and not output[0].startswith("$"):
            found.append((command[2:], [line for line in output if line != "..."]))
    return found


@pytest.mark.parametrize(("command", "lines"), shown(), ids=[command for command, _ in shown()])
def test_a_command_prints_what_is_shown(
    command: str, lines: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(shlex.split(command)[1:]) == (1 if lines[0].startswith("REFUTED") else 0)
    printed = [line.rstrip() for line in capsys.readouterr().out.split("\n")]
    assert [line for line in lines if line not in printed] == []


def test_the_two_commands_are_targets() -> None:
    targets = re.findall(r"^\$ make (\w+)", README, flags=re.MULTILINE)
    assert targets == ["certificate", "test"]
    assert all(re.search(rf"^{target}:", MAKEFILE, flags=re.MULTILINE) for target in targets)


def test_the_readme_fits_on_a_few_screens() -> None:
    assert len(README.split("\n")) < 100


def test_its_python_runs_and_prints_what_its_remarks_say(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    exec(block, {})  # noqa: S102
    printed, upper = capsys.readouterr().out.split("\n")[:2]
    assert re.fullmatch(r".* in \[(.*), (.*)\]", printed)
    said = re.search(r"# (\S+)\(\.\.\.\) (in \[.*\])", block)
    assert said
    assert printed.startswith(said.group(1))
    assert printed.endswith(said.group(2))
    assert Fraction(upper) >= Fraction("0.002089258128323003263011")


def test_what_it_links_to_is_there() -> None:
    targets = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert [each for each in targets if not (ROOT / each).is_file()] == []
