"""The command line: a thin face that turns errors into sentences and verdicts into exit codes.

Only what takes no time is imported here, so that a signal that comes while the rest is loaded gets
its sentence, too, and a limit of time begins with the process.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ...reference.lazy import lazily
from ...reference.visible import visible_text
from ..done import ENDING, account

if TYPE_CHECKING:
    from types import FrameType

    from .running import run

__all__ = ["main", "run"]

_STARTED = time.monotonic()
_EXIT_BY_SIGNAL = 128
_ASK_AGAIN_SECONDS = 5
INTERRUPTED = "interrupted; nothing half-written was left behind"

__getattr__ = lazily(__name__, {"run": ".running"})


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with the documented code."""
    _open_standard_streams()
    _leave_out_the_current_folder()
    stopped: list[int] = []

    def stop(received: int, _: FrameType | None) -> None:
        """Unwind the stack, once, so that half-written files are removed."""
        if received != signal.SIGALRM and stopped:
            return
        stopped.append(received)
        # Raised inside a destructor it is printed, in many lines, and forgotten.
        sys.unraisablehook = lambda _: None
        # Python ignores what is raised inside a destructor: should that happen, ask once more.
        signal.alarm(_ASK_AGAIN_SECONDS)
        raise KeyboardInterrupt

    # What was ignored when this began, by nohup or behind an &, stays ignored.
    heeded = [each for each in ENDING if signal.getsignal(each) != signal.SIG_IGN]
    code = _EXIT_BY_SIGNAL
    try:
        for number in heeded:
            signal.signal(number, stop)
        from .running import run

        code = run(arguments, started=_STARTED)
    except KeyboardInterrupt:
        _say_interrupted()
    finally:
        # The interpreter ends now; raised then, this would be told in a traceback.
        for number in heeded:
            signal.signal(number, signal.SIG_IGN)
    _exit(_EXIT_BY_SIGNAL + stopped[0] if stopped else code)


def _exit(code: int) -> None:
    """Exit with a code, where PYTHONINSPECT is set, too: the interpreter then ends with its own."""
    if sys.flags.inspect and not sys.flags.interactive:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


def _say_interrupted() -> None:
    """Say it past all buffers, with the work that is done all the same, on either stream."""
    done = account()
    said = visible_text(f"{INTERRUPTED}; {done}") if done else INTERRUPTED
    for stream in (2, 1) if done else (2,):
        with contextlib.suppress(OSError):
            os.write(stream, f"simplexcert: {said}\n".encode())
            return


def _open_standard_streams() -> None:
    """Open nothing in place of a standard stream that is closed: no file of ours gets its number.

    Else what a library prints there, or we ourselves, would stand in that file.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def _leave_out_the_current_folder() -> None:
    """Import nothing more from the current folder, which ``python -c`` and ``-m`` put first."""
    with contextlib.suppress(OSError):  # it may be gone
        if not sys.flags.safe_path and sys.path[:1] in ([""], [str(Path.cwd())]):
            del sys.path[0]
