"""Run the command line: each error becomes one sentence, each verdict its exit code."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from ...reference.errors import InputError, SimplexcertError
from ..done import begin_account
from ..verdict import EXIT_BAD_INPUT, EXIT_OWN_FAILURE, Verdict, exit_code

# Each of these adds its commands to the group.
from . import (  # noqa: F401
    INTERRUPTED,
    checking,
    commands,
    curving,
    explaining,
    issuing,
    keys,
    releasing,
    simulating,
)
from .group import GIVEN, simplexcert
from .streams import say, say_what_is_done, silence, system_refused

# The group has all its commands once this module is there.
__all__ = ["run", "simplexcert"]

_EXIT_INTERRUPTED = 130
_NAME = "simplexcert"
# A shell that completes a line asks by this variable.
COMPLETION = "_SIMPLEXCERT_COMPLETE"


def run(arguments: Sequence[str] | None = None, *, started: float | None = None) -> int:
    """Run the command line and return its exit code; every error is one sentence.

    ``started`` is when the process began, on the monotonic clock, for a process that is nothing
    else: then a command with a limit of time works in one that can be ended.
    """
    begin_account()
    _ready_streams()
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if asked := os.environ.get(COMPLETION):
            return _completed(asked, given)
        # Not by ``main``, which makes a closed pipe its exit code 1.
        with simplexcert.make_context(_NAME, list(given), obj=started) as context:
            context.meta[GIVEN] = given
            result = simplexcert.invoke(context)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        return say(INTERRUPTED, _EXIT_INTERRUPTED)
    except BrokenPipeError:  # nobody reads any more
        silence()
        say_what_is_done()
        return 0
    # The last resort included: no traceback reaches a user.
    except Exception as error:  # noqa: BLE001
        silence()
        return say(*_sentence_and_code(error))
    return result if isinstance(result, int) else 0


def _completed(asked: str, given: Sequence[str]) -> int:
    """Answer a shell. Raises InputError for what none asks: its code would be that of a verdict.

    A shell gives no arguments: the line that it completes stands in variables.
    """
    from click.shell_completion import shell_complete

    from ...reference.exact import shown

    if given or shell_complete(simplexcert, {}, _NAME, COMPLETION, asked):
        raise InputError(f"{COMPLETION} = {shown(asked)} asks for no completion here; unset it")
    return 0


def _ready_streams() -> None:
    """Let the standard streams wait, however they were left to us, and write any character."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):  # closed, or a text in memory
            os.set_blocking(stream.fileno(), True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _sentence_and_code(error: Exception) -> tuple[str, int]:
    if isinstance(error, click.ClickException):
        return _on_usage(error), EXIT_BAD_INPUT
    if isinstance(error, InputError):
        return str(error), EXIT_BAD_INPUT
    if isinstance(error, SimplexcertError):
        return str(error), _code_of(error)
    if isinstance(error, OSError):
        return system_refused(error), EXIT_BAD_INPUT
    if isinstance(error, MemoryError):
        return "memory ran out; give more, or ask for less", EXIT_BAD_INPUT
    fault = f"this is a fault of simplexcert, please report it: {type(error).__name__}: {error}"
    return fault, EXIT_OWN_FAILURE


def _on_usage(error: click.ClickException) -> str:
    told = error.format_message()
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None or context.command is simplexcert:
        return told
    return f"{told.rstrip('.')}; `{context.command_path} --help` has an example"


def _code_of(error: SimplexcertError) -> int:
    from ...reference.precision import BudgetSpentError
    from ..backends.loading import ChangedBackendError
    from ..campaign import WorkerDiedError
    from ..certificate.errors import CertificateError
    from ..releasing.refusals import NotCertifiedError

    if isinstance(error, BudgetSpentError):
        return exit_code(Verdict.UNDECIDED)
    if isinstance(error, NotCertifiedError):
        return exit_code(error.verdict)
    refusing = CertificateError | WorkerDiedError | ChangedBackendError
    return 1 if isinstance(error, refusing) else EXIT_OWN_FAILURE
