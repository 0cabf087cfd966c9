"""A running program and its three pipes: lines with a limit of time and of length, no thread.

Nothing that the program does can block us: every pipe is read and written as far as it goes at
once, what it says on standard error is read and forgotten but for its end, and it is killed with
all that it started, which a process between it and us (``keeper``) sees to.
"""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from .keeper import kill_all
from .messages import said, said_line

# What is below a program and itself together may hold so much memory, and be so many.
MAX_MEMORY_BYTES = 8 * 2**30
MAX_PROCESSES = 1_000
# A file is limited and not a disk; less would break runtimes that keep their memory in a file.
MAX_FILE_BYTES = MAX_MEMORY_BYTES

# Time for a program to end by itself once its input has ended; then it is killed.
END_SECONDS = 2.0
# Time for whatever ends a program with all that it started, until it is ended from here.
_KILL_SECONDS = 5.0
# Time for the interpreter that keeps a program to start.
_KEEPER_SECONDS = 60.0
# Read once, before any stranger's program could change the file; -I and -S leave out all that an
# environment or the current folder could add.
_KEEPER = Path(__file__).with_name("keeper.py").read_text(encoding="utf-8")
# Time between the end of a program's output and its own, for the sentence that says how it ended.
_GRACE_SECONDS = 1.0
_LOOK_AGAIN_SECONDS = 0.002
# A signal may reach another thread of ours, a linear algebra library's; then only the next step of
# the interpreter in this one sees it, so no wait is longer.
_LONGEST_WAIT_SECONDS = 0.5
_CHUNK = 2**16
# What is kept of standard error.
_LAST_WORDS_BYTES = 400
# A pipe holds no more than this many chunks at once on any system that we know.
_LAST_CHUNKS = 16


class CrashedError(Exception):
    """A program cannot be asked further; the first argument says why, and is reproducible."""

    def __init__(self, why: str, last_words: str = "") -> None:
        super().__init__(why)
        self.last_words = last_words

    def __str__(self) -> str:
        why = str(self.args[0])
        return f"{why}; on standard error it wrote: {self.last_words}" if self.last_words else why


def late(seconds: float) -> str:
    """Return why a program is lost that did not answer in time."""
    return f"no answer within {seconds:g} s"


class Pipes:
    """A program that runs, below a process that ends it with all that it started."""

    def __init__(
        self,
        argv: Sequence[str],
        folder: str,
        cpu_seconds: int,
        environment: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Start the program there. Raises OSError where it cannot be started.

        ``cpu_seconds`` is what each of its processes may use in its life, ``environment`` what it
        has besides ours.
        """
        # The file that a certificate names; a system's own search would go on to another one behind
        # what it cannot execute.
        program = argv[0] if os.sep in argv[0] else shutil.which(argv[0])
        if program is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        self._keeper, theirs = socket.socketpair()
        limits = (MAX_MEMORY_BYTES, MAX_PROCESSES, MAX_FILE_BYTES, cpu_seconds)
        words = [str(number) for number in (theirs.fileno(), *limits)]
        with theirs, contextlib.ExitStack() as failing:
            failing.callback(self._keeper.close)
            # The user named the program; no shell sees its arguments.
            self._process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-I", "-S", "-c", _KEEPER, *words, program, *argv],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                cwd=folder,
                env={**os.environ, **dict(environment)},
                pass_fds=[theirs.fileno()],
            )
            failing.pop_all()
        self._received = bytearray()
        self._last_words = b""
        self._selector = selectors.PollSelector()
        self._streams = [
            stream
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
            if stream is not None
        ]
        try:
            self._require_started()
        except BaseException:
            self.kill()
            raise
        self._input, self._output, self._errors = (each.fileno() for each in self._streams)
        for number in (self._input, self._output, self._errors):
            os.set_blocking(number, False)
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)

    def _require_started(self) -> None:
        """Raise OSError unless the program runs."""
        self._keeper.settimeout(_KEEPER_SECONDS)
        said_first = b""
        while not said_first.endswith(b"\n"):
            more = self._keeper.recv(1)
            if not more:
                raise OSError("the process that is to keep it ended")
            said_first += more
        self._keeper.setblocking(False)
        if number := int(said_first):
            raise OSError(number, os.strerror(number))

    def exchanged(self, sent: bytes, seconds: float, most: int) -> bytes:
        """Return the line that is written once ``sent`` was read, without its end.

        Raises CrashedError if there is none within the time, or of more than ``most`` bytes; then,
        and whenever this is interrupted, the program has been killed.
        """
        try:
            return self._exchanged(sent, time.monotonic() + seconds, seconds, most)
        except CrashedError as error:
            self.kill()
            last_words = self._last_words.decode("utf-8", "replace")
            raise CrashedError(error.args[0], said(last_words)) from None
        except BaseException:
            self.kill()
            raise

    def _exchanged(self, sent: bytes, deadline: float, seconds: float, most: int) -> bytes:
        unsent = self._send(memoryview(sent))
        searched = 0
        while (end := self._received.find(b"\n", searched, most + 1)) < 0:
            searched = len(self._received)
            if searched > most:
                begins = said_line(bytes(self._received[:_CHUNK]), {})
                raise CrashedError(f"a line of more than {most} bytes, which begins {begins}")
            if time.monotonic() >= deadline:
                raise CrashedError(late(seconds))
            unsent = self._moved(unsent, deadline - time.monotonic())
        if unsent:
            raise CrashedError("it answered before it had read the question")
        line = bytes(self._received[:end])
        del self._received[: end + 1]
        return line

    def _moved(self, unsent: memoryview, seconds: float) -> memoryview:
        """Wait for a pipe to be ready and read or write what it takes; return what is unsent."""
        if unsent:
            self._selector.register(self._input, selectors.EVENT_WRITE)
        try:
            ready = {
                key.fd for key, _ in self._selector.select(min(seconds, _LONGEST_WAIT_SECONDS))
            }
        finally:
            if unsent:
                self._selector.unregister(self._input)
        if self._errors in ready:
            self._read_errors()
        if self._output in ready:
            self._read_output()
        return self._send(unsent) if self._input in ready else unsent

    def _send(self, unsent: memoryview) -> memoryview:
        try:
            return unsent[os.write(self._input, unsent) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            # It reads no more; what it may have written before is read all the same, to its end.
            return unsent[:0]

    def _read_output(self) -> None:
        chunk = os.read(self._output, _CHUNK)
        if not chunk:
            raise CrashedError(self._ending())
        self._received += chunk

    def _read_errors(self) -> None:
        chunk = os.read(self._errors, _CHUNK)
        self._keep(chunk)
        if not chunk:
            self._selector.unregister(self._errors)

    def _keep(self, chunk: bytes) -> None:
        self._last_words = (self._last_words + chunk)[-_LAST_WORDS_BYTES:]

    def _ending(self) -> str:
        """Return how the program ended, or that it closed its output if it goes on."""
        ended = self._ended_within(_GRACE_SECONDS)
        with contextlib.suppress(OSError):
            if why := self._keeper.recv(_CHUNK):
                return why.decode()
        for _ in range(_LAST_CHUNKS):
            with contextlib.suppress(BlockingIOError):
                self._keep(os.read(self._errors, _CHUNK))
        if ended is None:
            return "it closed its output"
        how = "with status" if ended.si_code == os.CLD_EXITED else "by signal"
        return f"it ended {how} {ended.si_status}"

    def _ended_within(self, seconds: float) -> os.waitid_result | None:
        """Return how the program ended if it does in time, without taking its number from it.

        As long as nobody has collected it, its number names it and its group, and nobody else.
        """
        deadline = time.monotonic() + seconds
        while True:
            found = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is not None or time.monotonic() >= deadline:
                return found
            time.sleep(_LOOK_AGAIN_SECONDS)

    def close(self) -> None:
        """End the program's input, give it a moment to end, and kill whatever is left of it."""
        try:
            if self._process.returncode is None:
                for stream in self._streams:
                    stream.close()
                self._ended_within(END_SECONDS)
        finally:
            self.kill()

    def kill(self) -> None:
        """Kill the program and all that it started, and close its pipes; twice is once."""
        # Whatever interrupts us from here on, the keeper sees that nobody is there.
        self._keeper.close()
        if self._process.returncode is None:
            # A program may have stopped it, and may do so again.
            os.kill(self._process.pid, signal.SIGCONT)
            if self._ended_within(_KILL_SECONDS) is None:
                kill_all(self._process.pid)
                self._process.kill()
            self._process.wait()
        self._selector.close()
        for stream in self._streams:
            stream.close()
