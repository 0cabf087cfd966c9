"""``command:PROGRAM ARG ...`` taken apart, before anything is started."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path

from ...reference.errors import InputError

COMMAND = "command:"
_MAX_ARGUMENTS = 1_000


def command_in(where: str) -> tuple[str, ...]:
    """Return the program and its arguments, split as a shell splits them; no shell is asked.

    Raises InputError where there is none, or where it is no program that could be started.
    """
    if not where.isprintable():
        raise InputError(f"backend {where!r}: a command line is printable text")
    try:
        argv = tuple(shlex.split(where.removeprefix(COMMAND)))
    except ValueError as error:
        raise InputError(f"backend {where!r} cannot be split into words: {error}") from None
    if not argv or not argv[0]:
        raise InputError(f"backend {where!r} names no program: write {COMMAND}PROGRAM ARG ...")
    if len(argv) > _MAX_ARGUMENTS:
        raise InputError(f"a command of more than {_MAX_ARGUMENTS} words is not started")
    _require_program(argv[0])
    return argv


def _require_program(program: str) -> None:
    if shutil.which(program):
        return
    file = Path(program)
    try:
        kind = "a directory" if file.is_dir() else "a file" if file.exists() else None
    except OSError:
        kind = None
    if kind is None:
        raise InputError(f"there is no program {program!r}")
    hint = "" if os.sep in program else f", or write ./{program} for the one that is here"
    raise InputError(f"{program!r} is {kind}, and no program that can be executed{hint}")
