"""The command line as tests call it: what it printed where, and its exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from simplexcert.certify.cli import run


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


Cli = Callable[..., Outcome]


def calling(capsys: pytest.CaptureFixture[str], *first: str) -> Cli:
    """Return a function that runs the command line with these and its own arguments."""

    def call(*arguments: str | Path) -> Outcome:
        code = run([*first, *map(str, arguments)])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call
