"""The command line: a thin face that turns errors into sentences and verdicts into exit codes."""

from __future__ import annotations

import io
import signal
import sys
from collections.abc import Sequence

import click

from ...reference.errors import InputError, SimplexcertError
from ..verdict import EXIT_BAD_INPUT, EXIT_OWN_FAILURE, Verdict, exit_code
from . import (
    checking,
    claims,
    commands,
    issuing,
    ledger,
    releasing,
    reporting,
    simulating,
    vectors,
)
from .group import simplexcert

_EXIT_INTERRUPTED = 130
_EXIT_BY_SIGNAL = 128
_ASK_AGAIN_SECONDS = 5
_SHOWN = 2_000
# Each of these adds its commands to the group.
PARTS = (
    commands,
    issuing,
    releasing,
    ledger,
    simulating,
    checking,
    reporting,
    claims,
    vectors,
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with the documented code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    stopped: list[int] = []
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, lambda received, _: _stop(stopped, received))
    code = run(arguments)
    sys.exit(_EXIT_BY_SIGNAL + stopped[0] if stopped else code)


def _stop(stopped: list[int], received: int) -> None:
    """Unwind the stack like Ctrl-C does, so that half-written files are removed."""
    stopped.append(received)
    # Python ignores what is raised inside a destructor: should that happen, ask once more.
    signal.alarm(_ASK_AGAIN_SECONDS)
    raise KeyboardInterrupt


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; every error is one sentence."""
    try:
        return _ran(arguments)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted; nothing half-written was left behind", _EXIT_INTERRUPTED)
    # The last resort included: no traceback reaches a user.
    except Exception as error:  # noqa: BLE001
        return _say(*_sentence_and_code(error))


def _ran(arguments: Sequence[str] | None) -> int:
    result = simplexcert.main(
        None if arguments is None else list(arguments),
        prog_name="simplexcert",
        standalone_mode=False,
    )
    return result if isinstance(result, int) else 0


def _sentence_and_code(error: Exception) -> tuple[str, int]:
    if isinstance(error, click.ClickException):
        return error.format_message(), EXIT_BAD_INPUT
    if isinstance(error, InputError):
        return str(error), EXIT_BAD_INPUT
    if isinstance(error, SimplexcertError):
        return str(error), _code_of(error)
    fault = f"this is a fault of simplexcert, please report it: {type(error).__name__}: {error}"
    return fault, EXIT_OWN_FAILURE


def _code_of(error: SimplexcertError) -> int:
    from ...reference.precision import BudgetSpentError
    from ..campaign import WorkerDiedError
    from ..certificate.errors import CertificateError
    from ..releasing.refusals import NotCertifiedError

    if isinstance(error, BudgetSpentError):
        return exit_code(Verdict.UNDECIDED)
    if isinstance(error, NotCertifiedError):
        return exit_code(error.verdict)
    return 1 if isinstance(error, CertificateError | WorkerDiedError) else EXIT_OWN_FAILURE


def _say(sentence: str, code: int) -> int:
    one_line = " ".join(sentence.split())[:_SHOWN]
    click.echo(f"simplexcert: {one_line}", err=True)
    return code
