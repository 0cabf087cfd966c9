"""Keep one program: start it under its limits, and end it with everything that it started.

The checker runs this by itself, as ``python -I -S -c``, between itself and a program, so it
imports nothing but the standard library. What a program starts and leaves, in a session of its own
or forked twice, becomes this process's child and ends with the program: also when the checker is
gone, for this process then reads the end of the socket between them. Questions and answers do not
pass here.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import sys
import time

# linux/prctl.h
_PARENT_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36
# How often memory and processes are looked at, and at most so large a share of the time is spent
# on it: it takes longer the more processes there are.
_LOOK_SECONDS, _LOOKS_SHARE = 0.25, 0.05
_AGAIN_SECONDS = 0.002
# What belongs to another user, or waits for a disk that does not answer, is not waited for.
_END_SECONDS = 4.0
# The kernel, out of memory, ends the program and not the checker.
_FIRST_TO_END = "500"
_NOT_STARTED = 127
_PAGE = os.sysconf("SC_PAGE_SIZE")
# Python changes these for itself, or this process does; a program has them as they usually are.
_USUAL = (
    signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD,
)  # fmt: skip


def _descendants(root: int) -> set[int]:
    """Return the numbers of all processes below one, by what /proc says now."""
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        # One that ends meanwhile is gone, or has nothing to tell.
        with contextlib.suppress(OSError, IndexError), open(f"/proc/{name}/stat", "rb") as stream:  # noqa: PTH123
            parent = stream.read().rpartition(b")")[2].split()[1]
            children.setdefault(int(parent), []).append(int(name))
    found: set[int] = set()
    below = [root]
    while below:
        new = set(children.get(below.pop(), ())) - found
        found |= new
        below += new
    return found


def kill_all(root: int) -> None:
    """Kill everything below a process.

    They are stopped first, until no more are found: else they could start others meanwhile. Where
    there always are more, what was found in time is killed.
    """
    deadline = time.monotonic() + _END_SECONDS
    stopped: set[int] = set()
    while (new := _descendants(root) - stopped) and time.monotonic() < deadline:
        _send(signal.SIGSTOP, new)
        stopped |= new
    _send(signal.SIGKILL, stopped)


def _children() -> set[int]:
    """Return the numbers of this process's children, at once where the system has a list.

    It has one thread, whose children they all are.
    """
    ours = os.getpid()
    try:
        with open(f"/proc/{ours}/task/{ours}/children", "rb", buffering=0) as stream:  # noqa: PTH123
            return set(map(int, stream.read().split()))
    except OSError:
        return _descendants(ours)


def _send(number: signal.Signals, processes: set[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _memory_of(processes: set[int], most: int) -> int:
    """Return how much memory processes have, and at least so exactly that it tells ``most``.

    What several share is counted for each of them at first, which is quick, and only where that
    is too much is it shared out. Address space that is not in use is no memory.
    """
    if (quick := sum(map(_resident, processes))) <= most:
        return quick
    return sum(map(_proportional, processes))


def _resident(process: int) -> int:
    with contextlib.suppress(OSError, IndexError), open(f"/proc/{process}/statm", "rb") as stream:  # noqa: PTH123
        return int(stream.read().split()[1]) * _PAGE
    return 0


def _proportional(process: int) -> int:
    try:
        with open(f"/proc/{process}/smaps_rollup", "rb") as stream:  # noqa: PTH123
            shares = [line.split()[1] for line in stream if line.startswith(b"Pss:")]
    except OSError:
        return _resident(process)
    return sum(map(int, shares)) * 1024


class _Kept:
    """The program that runs below this process."""

    def __init__(self, checker: int, program: str, argv: list[str], limits: dict[int, int]) -> None:
        """Start it. Raises OSError where it cannot be."""
        self._checker = checker
        self._woken, wake = os.pipe()
        os.set_blocking(wake, False)
        os.set_blocking(self._woken, False)
        # Whatever wakes this process up is looked for; the handler itself has nothing to do.
        signal.signal(signal.SIGCHLD, lambda _number, _frame: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        self.status: int | None = None
        self._number = _started(program, argv, limits)

    def watch(self, memory: int, processes: int) -> str:
        """Wait until the program has ended or has to be; return why it has to be, if it has."""
        poll = select.poll()
        poll.register(self._checker, select.POLLIN)
        poll.register(self._woken, select.POLLIN)
        pause = _LOOK_SECONDS
        while True:
            ready = {number for number, _ in poll.poll(pause * 1000)}
            if self._woken in ready:
                with contextlib.suppress(BlockingIOError):
                    os.read(self._woken, 4096)
            self.reap()
            if self.status is not None or self._checker in ready:
                return ""
            began = time.monotonic()
            below = _descendants(os.getpid())
            if len(below) > processes:
                return f"it had more than {processes:,} processes"
            if _memory_of(below, memory) > memory:
                return f"it used more than {memory:,} bytes of memory"
            pause = max(_LOOK_SECONDS, (time.monotonic() - began) / _LOOKS_SHARE)

    def reap(self) -> bool:
        """Collect what has ended; whether nothing is left below."""
        while True:
            try:
                number, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if not number:
                return False
            if number == self._number:
                self.status = status

    def end(self) -> None:
        """End the program and all that it started.

        What a process leaves that is killed becomes a child of this one, and is killed next. No
        others are looked at: a process that ends once it has started another would be gone before
        all there are had been read.
        """
        deadline = time.monotonic() + _END_SECONDS
        if self.status is None:
            # All that stayed with it, in one step; until it is collected the number is its own.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._number, signal.SIGKILL)
        seen: set[int] = set()
        while not self.reap() and time.monotonic() < deadline:
            here = _children()
            _send(signal.SIGKILL, here)
            if here <= seen:
                time.sleep(_AGAIN_SECONDS)
            seen |= here


def _started(program: str, argv: list[str], limits: dict[int, int]) -> int:
    """Return the number of a program that was started. Raises OSError."""
    failed, failure = os.pipe()
    ours = os.getpid()
    number = os.fork()
    if not number:
        try:
            _become(program, argv, limits, ours)
        except OSError as error:
            os.write(failure, str(error.errno).encode())
        finally:
            os._exit(_NOT_STARTED)
    os.close(failure)
    # Its pipes are its own: the checker is to see when it closes them.
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    os.close(nothing)
    with os.fdopen(failed, "rb") as stream_of_it:
        said = stream_of_it.read()
    if said:
        raise OSError(int(said), os.strerror(int(said)))
    return number


def _become(program: str, argv: list[str], limits: dict[int, int], keeper: int) -> None:
    """Become the program, in a session of its own and under its limits."""
    os.setsid()
    for each in _USUAL:
        signal.signal(each, signal.SIG_DFL)
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (allowed, allowed))
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as stream:  # noqa: PTH123
        stream.write(_FIRST_TO_END)
    _prctl(_PARENT_DEATH_SIGNAL, signal.SIGKILL)
    if os.getppid() != keeper:
        os._exit(_NOT_STARTED)
    os.execv(program, argv)  # noqa: S606


def _prctl(option: int, value: int) -> None:
    """Set a property of this process. Raises OSError where the system has no such thing."""
    library = ctypes.CDLL(None, use_errno=True)
    if library.prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _end_alike(status: int) -> None:
    """End this process as the program ended."""
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        number = os.WTERMSIG(status)
        if number != signal.SIGKILL:
            signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    os._exit(os.waitstatus_to_exitcode(status))


def main(arguments: list[str]) -> None:
    """Keep the program: the socket to the checker, four limits, its file, and its words."""
    checker, memory, processes, file_bytes, cpu_seconds = map(int, arguments[:5])
    os.set_inheritable(checker, False)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file_bytes,
        resource.RLIMIT_CPU: cpu_seconds,
    }
    try:
        _prctl(_CHILD_SUBREAPER, 1)
        kept = _Kept(checker, arguments[5], arguments[6:], limits)
    except OSError as error:
        os.write(checker, f"{error.errno}\n".encode())
        os._exit(_NOT_STARTED)
    # A checker that is gone by now is told of nothing, and the program ends.
    with contextlib.suppress(OSError):
        os.write(checker, b"0\n")
    why = kept.watch(memory, processes)
    with contextlib.suppress(OSError):
        os.write(checker, why.encode())
    kept.end()
    _end_alike(kept.status or 0)


if __name__ == "__main__":
    main(sys.argv[1:])
