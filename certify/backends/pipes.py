"""A running program and its three pipes: lines with a limit of time and of length, no thread.

Nothing that the program does can block us: every pipe is read and written as far as it goes at
once, what it says on standard error is read and forgotten but for its end, and it is killed with
all of its process group.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence

from .messages import said

# Time for a program to end by itself once its input has ended; then it is killed.
END_SECONDS = 2.0
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


class LostError(Exception):
    """A program cannot be asked further; the first argument says why, and is reproducible."""

    def __init__(self, why: str, last_words: str = "") -> None:
        super().__init__(why)
        self.last_words = last_words

    def __str__(self) -> str:
        why = str(self.args[0])
        return f"{why}; on standard error it wrote: {self.last_words}" if self.last_words else why


class Pipes:
    """A program that runs, in a session of its own so that its children can be killed with it."""

    def __init__(self, argv: Sequence[str], folder: str) -> None:
        """Start the program there. Raises OSError where it cannot be started."""
        # The user named the program; no shell sees its arguments.
        self._process = subprocess.Popen(  # noqa: S603
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
            cwd=folder,
        )
        self._received = bytearray()
        self._last_words = b""
        self._selector = selectors.PollSelector()
        self._streams = [
            stream
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
            if stream is not None
        ]
        self._input, self._output, self._errors = (each.fileno() for each in self._streams)
        for number in (self._input, self._output, self._errors):
            os.set_blocking(number, False)
        self._selector.register(self._output, selectors.EVENT_READ)
        self._selector.register(self._errors, selectors.EVENT_READ)

    def exchanged(self, sent: bytes, seconds: float, most: int) -> bytes:
        """Return the line that is written once ``sent`` was read, without its end.

        Raises LostError if there is none within the time, or of more than ``most`` bytes; then,
        and whenever this is interrupted, the program has been killed.
        """
        try:
            return self._exchanged(sent, time.monotonic() + seconds, seconds, most)
        except LostError as error:
            self.kill()
            last_words = self._last_words.decode("utf-8", "replace")
            raise LostError(error.args[0], said(last_words)) from None
        except BaseException:
            self.kill()
            raise

    def _exchanged(self, sent: bytes, deadline: float, seconds: float, most: int) -> bytes:
        unsent = self._send(memoryview(sent))
        searched = 0
        while (end := self._received.find(b"\n", searched, most + 1)) < 0:
            searched = len(self._received)
            if searched > most:
                raise LostError(f"a line of more than {most} bytes")
            if time.monotonic() >= deadline:
                raise LostError(f"no answer within {seconds:g} s")
            unsent = self._moved(unsent, deadline - time.monotonic())
        if unsent:
            raise LostError("it answered before it had read the question")
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
            raise LostError(self._ending())
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
        """Kill the program and its process group, collect it and close its pipes; twice is once."""
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._selector.close()
        for stream in self._streams:
            stream.close()
