"""Limits of time: a command's work is done in a process that can be ended.

A call of FLINT cannot be interrupted, and long steps between two looks at a budget need not end in
time. So the process that the user started forks one that does everything, before anything large is
loaded or any thread runs, and only keeps the time: it tells the signals that it gets, ends the
other when the time is over, and says so. Before the first byte is written, printed or drawn the
work asks whether it is in time; from the answer on no limit ends it. So no file is half-written,
what was found in time is told however slow the reader is, and no draw is lost to a limit.
"""

from __future__ import annotations

import functools
import json
import os
import pickle
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar, cast

import click

from ...reference.errors import InputError
from ..done import ENDING, account
from ..verdict import EXIT_BAD_INPUT, EXIT_OWN_FAILURE, Verdict, exit_code
from . import INTERRUPTED
from .streams import reader_may_leave, say

if TYPE_CHECKING:
    import socket
    from types import FrameType

MAX_SECONDS: Final = 86_400.0
USUAL_SECONDS: Final = 60.0
# The work itself ends at its limit, with what it has; after this it is made to. With the two below
# a limit is kept within a fifth of it and a second.
_LATE_SHARE, _LATE_SECONDS = 0.1, 0.5
# What the work has at least when everything is loaded, so that a start that is slow on a busy
# machine does not eat all of a small limit; its keeper waits for it.
_LEAST_WORK_SECONDS: Final = 0.3
# Where the start left less than this, that is told.
_SHORT_SECONDS: Final = 1.0
# To unwind, and remove what is half-made, before it is killed.
_UNWIND_SECONDS: Final = 0.2
# The same where a signal asked for it; then nobody measures.
_AFTER_SIGNAL_SECONDS: Final = 2.0
_LOOK_AGAIN_SECONDS: Final = 0.1
_EXIT_BY_SIGNAL: Final = 128
# Of work that was told to end, and has tidied up; by whom, its keeper knows, and alone says it.
_EXIT_UNWOUND: Final = _EXIT_BY_SIGNAL + signal.SIGXCPU
# The same of work that had done something by then, and has said so: its keeper does not know it.
_EXIT_TOLD: Final = 255
# Of the time for what only helps.
_SHARE_TO_LOOK: Final = 0.8
_PR_SET_PDEATHSIG: Final = 1
_ASK, _YES, _BEGUN = b"?", b"!", b"b"
_SHOW_CURSOR: Final = "\r\x1b[2K\x1b[?25h"

Command = Callable[..., Any]
Found = TypeVar("Found")
# Tidies up after work that was killed; it is given the command's arguments.
Afterwards = Callable[[Mapping[str, Any]], None]


class _Work:
    """Channel of the process that works to the one that keeps its time, if there is one."""

    keeper: socket.socket | None = None
    # Whether there was ever one.
    is_kept = False
    # How long after the process's start all was loaded; None until then.
    loaded_after: float | None = None


def work_is_done() -> None:
    """Ask whether this is still in time, and from then on be ended by no limit.

    To be called once everything is found that is to be written or printed, and before the first
    byte of it is.
    """
    keeper, _Work.keeper = _Work.keeper, None
    if keeper is None:
        return
    with keeper:
        try:
            keeper.sendall(_ASK)
            answer = keeper.recv(1)
        except OSError:
            answer = b""
    if answer != _YES:
        raise _OutOfTimeError


def looked_for(look: Callable[[float], Found], otherwise: Found, most: float) -> Found:
    """Return what is found within ``most`` seconds and the limit, else ``otherwise``.

    For what only helps: a call in it that does not end is not waited for, so that what was found
    before is told in time whatever becomes of it. ``look`` is given the seconds that it has.
    """
    from ...reference.precision import seconds_left

    seconds = min(most, seconds_left())
    return _apart(look, otherwise, seconds) if _Work.is_kept else look(seconds)


def _apart(look: Callable[[float], Found], otherwise: Found, seconds: float) -> Found:
    """Look in a process of its own, which is ended when the time is over.

    It has a little less, to tell what it has found by then.
    """
    reader, writer = os.pipe()
    parent = os.getpid()
    try:
        child = os.fork()
    except OSError:  # the system has no process to give
        os.close(reader)
        os.close(writer)
        return otherwise
    if not child:
        try:
            _end_with(parent)
            _Work.keeper = None
            with os.fdopen(writer, "wb") as out:
                pickle.dump(look(seconds * _SHARE_TO_LOOK), out)
        finally:
            os._exit(0)
    try:
        os.close(writer)
        with os.fdopen(reader, "rb") as found:
            ready, _, _ = select.select([found], [], [], seconds)
            return cast("Found", pickle.load(found)) if ready else otherwise  # noqa: S301
    except EOFError:  # it ended without an answer
        return otherwise
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


class _OutOfTimeError(KeyboardInterrupt):
    """The time is over, or who kept it is gone: nothing may catch this but to unwind."""


def load_quantities() -> None:
    """Load what any quantity takes: the registry."""
    from ...reference.quantity import quantities

    quantities()


def load_audits() -> None:
    """Load what any audit takes; what its mechanism takes is known when the claim is read."""
    from ..audits import decision  # noqa: F401
    from ..report import terminal  # noqa: F401


def limited(
    *,
    loading: Callable[[], object] = load_quantities,
    undecided: int = exit_code(Verdict.UNDECIDED),
    afterwards: Afterwards | None = None,
) -> Callable[[Command], Command]:
    """Return a decorator that gives a command ``--max-seconds``, from the process's start on.

    ``loading`` is what its work takes whatever it is asked, and is no part of a short time.
    Where they are over it prints that nothing was decided, as JSON if that was asked for, and exits
    with ``undecided``; where that is the code of bad input, it says so alone.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def in_time(*, max_seconds: float, **given: Any) -> Any:
            if not 0 < max_seconds <= MAX_SECONDS:
                raise InputError(f"--max-seconds {max_seconds:g} is not in (0, {MAX_SECONDS:g}]")
            # None where the process is not this command's alone: then it is ended by no other.
            started: float | None = click.get_current_context().obj
            found: int | str | None
            keeper = None if started is None else _forked()
            if started is not None and keeper is not None:
                late = max_seconds * _LATE_SHARE + _LATE_SECONDS
                found = keeper.code(started, max_seconds + late)
            else:
                try:
                    if started is not None:
                        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
                    with _within(started, max_seconds, loading) as ended:
                        ended.result = command(**given)
                    found = ended.found
                except KeyboardInterrupt:
                    if started is not None:
                        _end_unwound()
                    raise
            if isinstance(found, int):
                return found
            if afterwards is not None:
                afterwards(given)
            work_is_done()
            return _told(max_seconds, undecided, given, found)

        option = click.option(
            "--max-seconds",
            type=float,
            default=USUAL_SECONDS,
            show_default=True,
            metavar="S",
            help="Stop there; what is open then stays.",
        )
        return option(in_time)

    return decorate


class _Ended:
    """End of a command: its result, or the reason why time was too short, if it is known."""

    result: Any = None
    is_late = False
    why: str | None = None

    @property
    def found(self) -> int | str | None:
        """The exit code; where the time was over, the question left open, None if unknown."""
        if self.is_late:
            return self.why
        return self.result if isinstance(self.result, int) else 0


def _loaded(started: float | None, seconds: float, loading: Callable[[], object]) -> float:
    """Load what the work takes, tell the keeper, and return the seconds that are left."""
    if started is None:
        return seconds
    loading()
    _Work.loaded_after = time.monotonic() - started
    if _Work.keeper is not None:
        with suppress(OSError):
            _Work.keeper.sendall(_BEGUN)
    return max(seconds - _Work.loaded_after, _LEAST_WORK_SECONDS)


@contextmanager
def _within(
    started: float | None, seconds: float, loading: Callable[[], object]
) -> Iterator[_Ended]:
    """Run a command whose climbs end in time with the enclosures they have."""
    from ...reference.precision import BudgetSpentError, NotEnoughSecondsError, all_within

    ended = _Ended()
    try:
        with all_within(_loaded(started, seconds, loading)):
            yield ended
    except NotEnoughSecondsError:
        ended.is_late = True
    except BudgetSpentError as error:
        ended.is_late, ended.why = True, str(error) or None
    except Exception:
        work_is_done()  # so that one process alone says what is the matter
        raise


def _told(seconds: float, code: int, given: Mapping[str, Any], what: str | None) -> int:
    """Say that the time is over, for which question if known, and return the exit code.

    A start that took all of it, or nearly, says nothing of the question: then that is told.
    """
    why = f"{seconds:g} s were not enough: give more by --max-seconds, or ask for less"
    after, is_begun = _Work.loaded_after, True
    if _Work.is_kept and after is None:
        is_begun = False
        why = f"{seconds:g} s were not enough to start here: give some seconds by --max-seconds"
    elif after is not None and seconds - after < _SHORT_SECONDS:
        why = (
            f"{seconds:g} s were not enough, as starting took {after:.1f} s here: give "
            f"{ceil(2 * _SHORT_SECONDS + after)} or more by --max-seconds"
        )
    if what is not None:
        why = f"{what}: {why}"
    if code == EXIT_BAD_INPUT:
        return say(f"nothing was drawn or recorded: {why}", code)
    verdict = Verdict.UNDECIDED
    with reader_may_leave(given.get("out")):
        if given.get("as_json"):
            found = {"schema_version": 1, "verdict": verdict.value, "why": why}
            click.echo(json.dumps(found, indent=2))
        else:
            found_within = f"nothing was {'found' if is_begun else 'tried'} within {seconds:g} s"
            click.echo(f"{verdict.value.upper()}  {_about(given)}{found_within}")
    return say(why, code)


def _about(given: Mapping[str, Any]) -> str:
    """Return the name of the command's claim, certificate or ledger, as it begins a line."""
    name = given.get("claim") or given.get("certificate") or given.get("ledger")
    if name is None:
        return ""
    return f"{name if name.isprintable() else ascii(name)}: "


def _forked() -> _Keeper | None:
    """Fork the process that works: return its keeper here, and None in the process that works.

    In both ENDING signals are blocked: none comes until either knows its part.
    """
    import socket

    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    ours, theirs = socket.socketpair()
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    parent = os.getpid()
    child = os.fork()
    _Work.is_kept = True
    if child:
        theirs.close()
        return _Keeper(child, ours)
    ours.close()
    _end_with(parent)
    _Work.keeper = theirs
    signal.signal(signal.SIGXCPU, _out_of_time)
    return None


def _end_unwound() -> NoReturn:
    """End the process that works once all is tidied up; its keeper says the rest, if need be."""
    os._exit(say(INTERRUPTED, _EXIT_TOLD) if account() else _EXIT_UNWOUND)


def _end_with(parent: int) -> None:
    """Let the kernel kill this process when its parent is gone, however it went.

    Linux alone does that. Elsewhere work whose keeper was killed goes on until its own time is
    over, and leaves nothing: without its keeper it may not write.
    """
    import ctypes

    with suppress(AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(EXIT_OWN_FAILURE)


def _out_of_time(number: int, _frame: FrameType | None) -> None:
    """Unwind the stack, once: the system says every second that its limit has passed."""
    signal.signal(number, signal.SIG_IGN)
    # Raised inside a destructor it is printed, in many lines, and forgotten.
    sys.unraisablehook = lambda _: None
    raise _OutOfTimeError


class _Keeper:
    """The process that the user started: it keeps the time of the one that works."""

    def __init__(self, child: int, channel: socket.socket) -> None:
        self._child = child
        self._channel = channel
        self._signal: int | None = None
        self._is_over = False
        self._is_granted = False
        self._is_collected = False

    def code(self, started: float, seconds: float) -> int | None:
        """Return the exit code when the work has ended; None where its time was over."""
        with self._channel, self._passing_signals_on():
            try:
                is_silent = self._wait(started, started + seconds)
            except BaseException:
                self._kill()
                raise
            if is_silent:
                self._kill()
            ended = os.waitpid(self._child, 0)[1]
            self._is_collected = True
        if is_silent:
            _show_cursor()
        code = os.waitstatus_to_exitcode(ended)
        if self._signal is not None and (is_silent or code == _EXIT_UNWOUND):
            return say(INTERRUPTED, _EXIT_BY_SIGNAL + self._signal)
        if self._is_over:
            return None
        if code < 0:
            return self._said_of_death(-code)
        if code == _EXIT_TOLD:
            return _EXIT_BY_SIGNAL + (self._signal or signal.SIGXCPU)
        # Told by the system, which limits the time of processors by the same signal.
        return say(INTERRUPTED, code) if code == _EXIT_UNWOUND else code

    def _said_of_death(self, number: int) -> int:
        """Say by which signal the work was ended, none of ours, and return the exit code."""
        name = signal.Signals(number).name
        if number == signal.SIGKILL:
            why = f"the work was ended by {name}: memory may have run out, or somebody ended it"
            what = (
                "it may have been writing: look at what is there before you ask again"
                if self._is_granted
                else "nothing was decided"
            )
            return say(f"{why}; {what}", EXIT_BAD_INPUT)
        if number == signal.SIGABRT and _is_memory_limited():
            # By which the library of large numbers ends a process that gets no memory.
            why = f"the work was ended by {name}: memory may have run out, which is limited here"
            return say(f"{why}; nothing was decided", EXIT_BAD_INPUT)
        fault = f"this is a fault of simplexcert, please report it: the work was ended by {name}"
        return say(fault, EXIT_OWN_FAILURE)

    @contextmanager
    def _passing_signals_on(self) -> Iterator[None]:
        """Pass on signals that come here, and those that came since the work began."""
        heeded = [each for each in ENDING if signal.getsignal(each) != signal.SIG_IGN]
        before = {each: signal.signal(each, self._pass_on) for each in heeded}
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _pass_on(self, number: int, _frame: FrameType | None) -> None:
        self._signal = self._signal or number
        self._send(number)

    def _send(self, number: int) -> None:
        # Until it is collected its number names it, and nobody else.
        if not self._is_collected:
            with suppress(ProcessLookupError):
                os.kill(self._child, number)

    def _kill(self) -> None:
        """Kill the work and the processes it has started, which could be stuck like it."""
        started = list(_descendants(self._child))
        self._send(signal.SIGKILL)
        for number in started:
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)

    def _wait(self, started: float, end: float) -> bool:
        """Wait until the work ends by itself, or may; return whether it has to be killed instead.

        Told to end it is granted nothing any more.
        """
        while True:
            told = self._told_until(end)
            if told == _BEGUN:
                _Work.loaded_after = time.monotonic() - started
                continue
            if told == _ASK and not self._is_over:
                self._is_granted = True
                with suppress(OSError):
                    self._channel.sendall(_YES)
                return False
            if told == b"":
                return False
            if told is None and (self._is_over or self._signal is not None):
                return True
            if not self._is_over:
                self._is_over = True
                self._send(signal.SIGXCPU)
                end = time.monotonic() + _UNWIND_SECONDS

    def _told_until(self, end: float) -> bytes | None:
        """Return the work's message by then, empty where it has ended; None if it is silent."""
        while (left := end - time.monotonic()) > 0:
            ready, _, _ = select.select([self._channel], [], [], min(left, _LOOK_AGAIN_SECONDS))
            if ready:
                return self._channel.recv(1)
            if self._signal is not None:
                end = min(end, time.monotonic() + _AFTER_SIGNAL_SECONDS)
        return None


def _is_memory_limited() -> bool:
    """Whether the system gives this process less memory than it has (``ulimit -v``, ``-d``)."""
    kinds = (resource.RLIMIT_AS, resource.RLIMIT_DATA)
    return any(resource.getrlimit(kind)[0] != resource.RLIM_INFINITY for kind in kinds)


def _descendants(number: int) -> Iterator[int]:
    """Yield the processes that a process has started, and those that they have."""
    for listed in Path(f"/proc/{number}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, listed.read_text().split()):
                yield child
                yield from _descendants(child)


def _show_cursor() -> None:
    """Show the cursor again, which a spinner on a terminal has hidden."""
    with suppress(OSError):
        if sys.stderr and sys.stderr.isatty():
            sys.stderr.write(_SHOW_CURSOR)
