"""Worker processes that end when they are told to, and their programs with them."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process

from .program import stop_programs

# A backend that is being asked when the signal comes must not be able to stay.
_EXIT = os._exit
_EXIT_BY_SIGNAL = 128


def pool_of(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of so many workers, which leave Ctrl-C to the process that started them.

    FLINT's precision is one per process, and a forked child would share locks: spawn.
    """
    return ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_begin)


def _begin() -> None:
    # Handlers, unlike an ignored signal, are not inherited by what is started.
    signal.signal(signal.SIGINT, lambda _number, _frame: None)
    signal.signal(signal.SIGTERM, lambda number, _frame: _end(number))
    threading.Thread(target=_end_with_parent, daemon=True).start()


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
def working(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Start so many workers and end them with the block, at once where it ends early."""
    pool = pool_of(jobs)
    try:
        yield pool
    except BaseException:
        end_workers(pool)
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def end_workers(pool: ProcessPoolExecutor) -> None:
    """Tell the workers to end in the middle of their work."""
    # The standard library has this from Python 3.14 on, as terminate_workers.
    for worker in list((pool._processes or {}).values()):  # noqa: SLF001
        worker.terminate()
