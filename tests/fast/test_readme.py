"""The README: what it shows is what the commands print."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from simplexcert.certify.cli import run

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
MAKEFILE = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
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
    assert run(shlex.split(command)[1:]) == 0
    printed = [line.rstrip() for line in capsys.readouterr().out.split("\n")]
    assert [line for line in lines if line not in printed] == []


def test_the_two_commands_are_targets() -> None:
    targets = re.findall(r"^\$ make (\w+)", README, flags=re.MULTILINE)
    assert targets == ["certificate", "test"]
    assert all(re.search(rf"^{target}:", MAKEFILE, flags=re.MULTILINE) for target in targets)


def test_the_readme_fits_on_a_few_screens() -> None:
    assert len(README.split("\n")) < 100
