"""Pages that show commands, files and programs: each happens, in order, as it stands there."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from simplexcert.certify.cli import run

_BLOCK = re.compile(
    r"(?P<before>[^\n]*)\n\n```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
# The block is a file where the line before it ends with its name and a colon.
_FILE = re.compile(r"`([\w-]+\.\w+)`:$")
_CODE = re.compile(r"; echo \$\?$")
_INTO = re.compile(r" > ([\w-]+\.\w+)$")
# A line that stands for any number of lines, and the end of one that stands for the rest of it.
ANY, REST = "...", " ..."
SECONDS = 60


class Block(NamedTuple):
    """A fenced block of a page, and the name of the file that it is, if it is one."""

    language: str
    text: str
    file: str | None


class Ran(NamedTuple):
    """What a command printed, line by line, and its exit code."""

    lines: list[str]
    code: int


def blocks_of(page: str) -> list[Block]:
    """Return the fenced blocks of a page, in order; each has to be one that is understood."""
    found = [
        Block(match["language"], match["text"], (_FILE.findall(match["before"]) or [None])[0])
        for match in _BLOCK.finditer(page)
    ]
    assert len(found) == len(re.findall(r"^```\w+$", page, re.MULTILINE)), (
        "a block is not understood"
    )
    return found


def commands_in(console: str) -> list[tuple[str, list[str]]]:
    """Return the commands of a block, each with the lines that are shown below it."""
    found: list[tuple[str, list[str]]] = []
    for line in console.splitlines():
        if line.startswith("$ "):
            found.append((line.removeprefix("$ "), []))
        else:
            found[-1][1].append(line)
    return found


def require_shown(shown: Sequence[str], printed: Sequence[str], what: str) -> None:
    """Require that what is shown is all that is printed, but for what is left out with dots."""
    parts = []
    for line in shown:
        if line == ANY:
            parts.append(r"(?:[^\n]*\n)*?")
        elif line.endswith(REST):
            parts.append(re.escape(line.removesuffix(REST)) + r"[^\n]*\n")
        else:
            parts.append(re.escape(line.rstrip()) + r"\n")
    text = "".join(f"{line.rstrip()}\n" for line in printed)
    assert re.fullmatch("".join(parts), text), f"{what} prints\n{text}"


def require_page(page: str, folder: Path) -> int:
    """Run a page in a folder, which is the current one; return how many blocks were run."""
    names: dict[str, Any] = {"__name__": "page"}
    said: list[str] | None = None
    blocks = blocks_of(page)
    for block in blocks:
        if block.file is not None:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "console":
            _require_console(block.text, folder)
        elif block.language == "python":
            said = _printed_by(block.text, names)
            continue
        else:
            assert block.language == "text", block
            assert said is not None, f"nothing prints {block.text}"
            require_shown(block.text.splitlines(), said, "the program above")
        said = None
    return len(blocks)


def _printed_by(program: str, names: dict[str, Any]) -> list[str]:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(program, "page", "exec"), names)  # noqa: S102
    return out.getvalue().splitlines()


def _require_console(console: str, folder: Path) -> None:
    for command, shown in commands_in(console):
        ran = _ran(_CODE.sub("", command), folder)
        if _CODE.search(command):
            ran.lines.append(str(ran.code))
        else:
            assert ran.code == 0, (command, ran)
        require_shown(shown, ran.lines, command)


def _ran(command: str, folder: Path) -> Ran:
    """Run our command in this process, any other by bash."""
    into = _INTO.search(command)
    words = shlex.split(_INTO.sub("", command))
    if words[0] != "simplexcert" or "|" in words:
        return _by_bash(command, folder)
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words[1:])
    if into:
        (folder / into[1]).write_text(out.getvalue(), encoding="utf-8")
        out = io.StringIO()
    return Ran([*out.getvalue().splitlines(), *err.getvalue().splitlines()], code)


def _by_bash(command: str, folder: Path) -> Ran:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],  # noqa: S607
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    return Ran([*done.stdout.splitlines(), *done.stderr.splitlines()], done.returncode)


def inline_commands(page: str) -> Iterator[list[str]]:
    """Yield the words of every command of ours that a page names within a sentence."""
    sentences = _BLOCK.sub("", page)
    for text in re.findall(r"`(simplexcert [^`\n]+)`", sentences):
        yield shlex.split(text)[1:]
