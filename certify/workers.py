"""Worker processes that end when they are told to, and their programs with them.

They check, as their parent does, and import what they need for that before any program is started;
the current folder is not on their path either.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context, parent_process, resource_tracker
from multiprocessing.synchronize import Semaphore
from typing import Final

from ..reference.errors import InputError
from ..reference.exact import shown
from .backends.beforehand import import_all
from .backends.program import stop_programs

# Each is an interpreter of some 100 MB, and all of them are started at once.
MAX_JOBS: Final = 256
# A backend that is being asked when the signal comes must not be able to stay.
_EXIT = os._exit
_EXIT_BY_SIGNAL = 128
# An interpreter that is started to run a text has the current folder first on its path, and all of
# multiprocessing's are, unless this variable is set: then none has.
_SAFE_PATH = "PYTHONSAFEPATH"
_LOOK_SECONDS = 0.2


def require_jobs(jobs: int) -> None:
    """Raise InputError for a number of workers that nobody has the memory for, or for none."""
    if not 1 <= jobs <= MAX_JOBS:
        raise InputError(f"jobs = {shown(jobs)}: ask for 1 to {MAX_JOBS}")


def pool_of(jobs: int, task: Callable[..., object]) -> ProcessPoolExecutor:
    """Return a pool of so many workers, which leave Ctrl-C to the process that started them.

    FLINT's precision is one per process, and a forked child would share locks: spawn. All of them
    are there, and have imported what the task needs, when this returns.
    """
    context = get_context("spawn")
    with _safe_path() as kept:
        # A semaphore starts an interpreter, too, which clears up after all.
        meeting = _Meeting(context.Semaphore(0), context.Semaphore(0))
        begun = meeting, kept
        pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=begun)
        try:
            with _interrupts_blocked():
                coming = [pool.submit(_met, task) for _ in range(jobs)]
            meeting.held(coming)
        except BaseException:
            _end_workers(pool)
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return pool


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """Start workers with Ctrl-C blocked, which each inherits until it knows better.

    A terminal sends it to all of them, and one that is importing would print where it was.
    """
    # Starting it lets everything through again; that is done once, here.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _safe_path() -> Iterator[str | None]:
    """Start interpreters meanwhile that leave the current folder out; yield what was set before."""
    kept = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield kept
    finally:
        if kept is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = kept


@dataclass(frozen=True)
class _Meeting:
    """Where the workers wait for each other, so that none of them is started later."""

    arrived: Semaphore
    over: Semaphore

    def held(self, coming: Sequence[Future[None]]) -> None:
        """Wait until all are there, and let them go. Raises what one of them ended by."""
        for _ in coming:
            while not self.arrived.acquire(timeout=_LOOK_SECONDS):
                for ended in filter(Future.done, coming):
                    ended.result()
        for _ in coming:
            self.over.release()
        for each in coming:
            each.result()


_meetings: list[_Meeting] = []


def _met(_task: Callable[..., object]) -> None:
    """Wait until all workers are there, with the module that the task is from."""
    meeting = _meetings.pop()
    meeting.arrived.release()
    meeting.over.acquire()


def _begin(meeting: _Meeting, safe_path: str | None) -> None:
    # Programs that this worker starts have the path that they would have without it.
    if safe_path is None:
        del os.environ[_SAFE_PATH]
    _meetings.append(meeting)
    # Handlers, unlike an ignored signal, are not inherited by what is started.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    signal.signal(signal.SIGTERM, lambda number, _frame: _end(number))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    import_all()


def _end_with_parent() -> None:
    """End once the process that started this one is gone: killed, it could not tell us to."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        _end(signal.SIGKILL)


def _end(number: int) -> None:
    stop_programs(at_once=True)
    _EXIT(_EXIT_BY_SIGNAL + number)


@contextmanager
def working(jobs: int, task: Callable[..., object]) -> Iterator[ProcessPoolExecutor]:
    """Start so many workers for a task and end them with the block, at once where it ends early."""
    pool = pool_of(jobs, task)
    try:
        yield pool
    except BaseException:
        _end_workers(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _end_workers(pool: ProcessPoolExecutor) -> None:
    """Tell the workers to end in the middle of their work."""
    # The standard library has this from Python 3.14 on, as terminate_workers.
    for worker in list((pool._processes or {}).values()):  # noqa: SLF001
        worker.terminate()
