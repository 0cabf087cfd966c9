"""Release into a ledger in processes that are killed, and tell what is left; run as a program.

A process is forked for each kill, so that what is imported once serves all of them. Everything that
changes the disk, or waits for it, is a step at which a process may kill itself: before it, in the
middle of what it writes, and at last after all of them.
"""

from __future__ import annotations

import fcntl
import io
import json
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ledger_entries import grades, output
from simplexcert.certify.releasing.ledger import Cap, cap_of, open_ledger, read_ledger
from simplexcert.reference.errors import InputError

STEPS = ("fsync", "replace", "link", "unlink", "chmod", "open", "close")
WAIT_SECONDS = 20.0


class Killer:
    """Kills this process at its n-th step, or sends it, and others, another signal there."""

    def __init__(self, n: int, number: int = signal.SIGKILL, others: Sequence[int] = ()) -> None:
        self.n, self.seen, self.number, self.others = n, 0, number, others

    def step(self) -> None:
        self.seen += 1
        if self.seen == self.n:
            for process in (*self.others, os.getpid()):
                os.kill(process, self.number)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*arguments: Any, **named: Any) -> Any:
            self.step()  # what is after one step is before the next
            return function(*arguments, **named)

        return stepping

    def _opening(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(file: Any, mode: str = "r", *more: Any, **named: Any) -> Any:
            self.step()
            return _Halved(self, function(file, mode, *more, **named), mode)

        return stepping

    def install(self) -> None:
        """Make steps of everything that changes the disk."""
        real = os.fdopen
        for name in STEPS:
            setattr(os, name, self.around(getattr(os, name)))
        os.fdopen = lambda *all_, **named: _Halved(self, real(*all_, **named), all_[1])  # type: ignore[assignment]
        io.open = self._opening(io.open)  # type: ignore[assignment]
        fcntl.flock = self.around(fcntl.flock)


class _Halved:
    """A stream that is written in two halves, with a step between them."""

    def __init__(self, killer: Killer, stream: Any, mode: str) -> None:
        self._killer, self._stream, self._halves = killer, stream, bool({*mode} & {*"wx"})

    def __enter__(self) -> Any:
        self._stream.__enter__()
        return self if self._halves else self._stream

    def __exit__(self, *error: object) -> None:
        self._stream.__exit__(*error)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, content: bytes) -> None:
        self._stream.write(content[: len(content) // 2])
        self._stream.flush()
        self._killer.step()
        self._stream.write(content[len(content) // 2 :])


def commit(ledger: Path, name: str, cap: Cap | None = None) -> None:
    of = grades(name)
    with open_ledger(ledger, cap) as it:
        it.commit(of, {ledger.parent / name: output(of)})


@contextmanager
def forked(work: Callable[[], None]) -> Iterator[int]:
    """Yield the process that does this; it ends with 0 if it comes to its end."""
    child = os.fork()
    if not child:
        try:
            work()
        except BaseException:  # noqa: BLE001
            os._exit(1)
        os._exit(0)
    yield child


def ended(child: int) -> int:
    """Return how a process ended: its code, or minus the signal."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def killed_at(n: int, work: Callable[[], None]) -> bool:
    """Do this in a process that kills itself at its n-th step; return whether it did."""

    def until() -> None:
        killer = Killer(n)
        killer.install()
        work()
        killer.step()

    with forked(until) as child:
        code = ended(child)
    if code not in (0, -signal.SIGKILL):
        raise AssertionError(f"ended with {code} at step {n}")
    return code != 0


def left(ledger: Path) -> dict[str, Any]:
    """Return what stands after a kill, before and after the ledger is opened again."""
    before = entries(ledger)
    outputs = [name for name in visible(ledger) if name.startswith("r")]
    with open_ledger(ledger) as it:
        delivered = list(it.delivered)
    after = entries(ledger)
    return {
        "recorded": before,
        "written": outputs,
        "delivered": delivered,
        "recorded_after": after,
        "left": sorted(file.name for file in ledger.parent.iterdir()),
    }


def entries(ledger: Path) -> list[str]:
    if not ledger.exists():
        return []
    return [output.name for one in read_ledger(ledger).entries for output in one.outputs]


def visible(ledger: Path) -> list[str]:
    return sorted(file.name for file in ledger.parent.iterdir() if not file.name.startswith("."))


def at_every_step(begun: Path, work: Callable[[Path], None]) -> list[dict[str, Any]]:
    """Return what is left by processes killed at every step, each on a copy of a folder."""
    found = []
    for n in range(1, 1_000):
        ledger = begun.with_name(str(n)) / "ledger.json"
        shutil.copytree(begun, ledger.parent)
        if not killed_at(n, lambda ledger=ledger: work(ledger)):  # type: ignore[misc]
            return found
        found.append(left(ledger))
    raise AssertionError("it has no end")


def release(folder: Path, earlier: int) -> list[dict[str, Any]]:
    """Release into a ledger with so many earlier entries."""
    begun = folder / "begun"
    begun.mkdir()
    for at in range(earlier):
        commit(begun / "ledger.json", f"r{at}")
    return at_every_step(begun, lambda ledger: commit(ledger, "r"))


def deliver(folder: Path) -> list[dict[str, Any]]:
    """Open a ledger whose entry is recorded and its output not written."""
    for n in range(1, 1_000):
        ledger = folder / f"until {n}" / "ledger.json"
        ledger.parent.mkdir()
        if killed_at(n, lambda ledger=ledger: commit(ledger, "r")) and entries(ledger):  # type: ignore[misc]
            return at_every_step(ledger.parent, opened)
    raise AssertionError("it was never recorded")


def opened(ledger: Path) -> None:
    with open_ledger(ledger):
        pass


def at_once(folder: Path, processes: int, cap: Cap | None = None) -> dict[str, Any]:
    """Release from several processes at once, each until it comes through, or passes a cap."""
    ledger = folder / "ledger.json"

    def insist(name: str) -> None:
        ends = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < ends:
            try:
                return commit(ledger, name, cap)
            except InputError as error:
                if "another process is" not in str(error):
                    raise
        raise AssertionError(name)

    children = []
    for at in range(processes):
        with forked(lambda at=at: insist(f"r{at}")) as child:  # type: ignore[misc]
            children.append(child)
    return {"codes": [ended(child) for child in children], **left(ledger)}


def held(folder: Path) -> dict[str, Any]:
    """Open a ledger while another process has it open, and after that one was killed."""
    ledger, ready = folder / "ledger.json", folder / "ready"

    def hold() -> None:
        with open_ledger(ledger):
            ready.touch()
            time.sleep(WAIT_SECONDS)

    with forked(hold) as child:
        while not ready.exists():
            time.sleep(0.001)
        try:
            opened(ledger)
        except InputError as error:
            said = str(error)
        os.kill(child, signal.SIGKILL)
        ended(child)
    commit(ledger, "r")
    return {"said": said, **left(ledger)}


def at_any_time(folder: Path, kills: int) -> list[dict[str, Any]]:
    """Kill processes that release one after the other, at random times."""
    ledger, draw, found = folder / "ledger.json", random.Random(1), []  # noqa: S311
    for turn in range(kills):

        def many(turn: int = turn) -> None:
            for at in range(1_000):
                commit(ledger, f"r{turn}-{at}")

        with forked(many) as child:
            time.sleep(draw.random() * 0.05)
            os.kill(child, signal.SIGKILL)
            ended(child)
        found.append(left(ledger))
    return found


def main(where: str, *wanted: str) -> None:
    """Do each of these, in a folder of its own, and print what was found as JSON."""
    known: dict[str, Callable[[Path], Any]] = {
        "first": lambda folder: release(folder, 0),
        "second": lambda folder: release(folder, 1),
        "deliver": deliver,
        "at_once": lambda folder: at_once(folder, 6),
        # Of six claims of 2.255 three keep it.
        "capped": lambda folder: at_once(folder, 6, cap_of(7, "0.1")),
        "held": held,
        "at_any_time": lambda folder: at_any_time(folder, 300),
    }
    found = {}
    for what in wanted:
        folder = Path(where) / what
        folder.mkdir()
        found[what] = known[what](folder)
    print(json.dumps(found))  # noqa: T201


if __name__ == "__main__":
    main(*sys.argv[1:])
