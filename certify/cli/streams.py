"""Standard output and error: what is said there, and what is said where they cannot be written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

import click

from ...reference.errors import InputError
from ..files import STANDARD

_SHOWN = 2_000


def say(sentence: str, code: int) -> int:
    """Say a sentence on standard error, if that can be written, and return the exit code."""
    one_line = " ".join(sentence.split())[:_SHOWN]
    try:
        click.echo(f"simplexcert: {one_line}", err=True)
    except OSError:
        silence()
    return code


def silence() -> None:
    """Let a standard stream that cannot be written forget what it is told.

    What is still in its buffer would fail once more when the interpreter ends.
    """
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream:
                stream.flush()
        except (OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, stream.fileno())
            os.close(nowhere)


def system_refused(error: OSError) -> str:
    """Return the sentence on what the system did not let us do."""
    reason = error.strerror or str(error)
    try:
        os.getcwd()  # noqa: PTH109
    except OSError:
        return "the working folder is not there any more; change into one that is"
    about = f" ({error.filename})" if error.filename else ""
    return f"the system refused: {reason}{about}"


@contextmanager
def reader_may_leave(out: str | None = None) -> Iterator[None]:
    """Stop printing when nobody reads any more; what was found keeps its exit code.

    Where standard output is what a file was to be written ``out`` to, people are told beside it.
    """
    with redirect_stdout(sys.stderr) if out == STANDARD else redirect_stdout(sys.stdout):
        try:
            yield
            if sys.stdout:
                sys.stdout.flush()
        # rich raises SystemExit itself when its pipe is closed.
        except (BrokenPipeError, SystemExit):
            silence()
        except OSError as error:
            silence()
            raise InputError(f"cannot write standard output: {error.strerror}") from None
