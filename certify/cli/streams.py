"""Standard output and error: messages there, and the way out where they cannot be written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO

import click

from ...reference.errors import InputError
from ...reference.visible import visible_text
from ..done import account
from ..files import STANDARD

_SHOWN = 2_000


def say(sentence: str, code: int) -> int:
    """Say why a run ends, with the work done all the same, and return the exit code.

    On standard error; where that cannot be written, what is done is said on standard output.
    """
    done = account()
    parts = [_one_line(part) for part in (sentence, done) if part]
    if not tell("; ".join(parts)) and done:
        _told_on(sys.stdout, "; ".join(parts))
    return code


def say_what_is_done() -> None:
    """Say which work was done, if any, where standard output did not take the result."""
    if done := account():
        tell(_one_line(done))


def tell(line: str) -> bool:
    """Tell people a line on standard error, and return whether it was taken."""
    return _told_on(sys.stderr, line)


def print_line(line: str) -> None:
    """Print a line with names in it that somebody else may have chosen, files' too."""
    click.echo(visible_text(line))


def _told_on(stream: TextIO | None, line: str) -> bool:
    if stream is None:
        return False
    try:
        click.echo(f"simplexcert: {visible_text(line)}", file=stream)
    except (OSError, ValueError):
        silence()
        return False
    return True


def _one_line(text: str) -> str:
    return " ".join(text.split())[:_SHOWN]


def silence() -> None:
    """Let a standard stream that cannot be written drop its output.

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
    """Return the sentence on a refusal of the system."""
    reason = error.strerror or str(error)
    try:
        os.getcwd()  # noqa: PTH109
    except OSError:
        return "the working folder is not there any more; change into one that is"
    about = f" ({error.filename})" if error.filename else ""
    return f"the system refused: {reason}{about}"


@contextmanager
def reader_may_leave(out: str | None = None) -> Iterator[None]:
    """Stop printing when nobody reads any more; the result keeps its exit code.

    Where standard output is what a file was to be written ``out`` to, people are told beside it.
    """
    with redirect_stdout(sys.stderr) if out == STANDARD else redirect_stdout(sys.stdout):
        try:
            yield
            if sys.stdout:
                sys.stdout.flush()
            else:
                say_what_is_done()
        # rich raises SystemExit itself when its pipe is closed.
        except (BrokenPipeError, SystemExit):
            silence()
            say_what_is_done()
        except OSError as error:
            silence()
            raise InputError(f"cannot write standard output: {error.strerror}") from None
