"""Worker processes of this machine."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial

from ..workers import working
from .executing import Hands, Waiting, WorkerDiedError
from .worked import Task, Worked, worked

# Batches a worker that are handed out before the first of them is waited for.
AHEAD = 4


class _Processes:
    def __init__(self, executor: Executor, jobs: int) -> None:
        self._executor, self.ahead = executor, AHEAD * jobs

    def hand_out(self, task: Task) -> Waiting:
        # A pool that broke says so when it is given more, too.
        with _told_of_death():
            future = self._executor.submit(worked, task)
        return partial(_result_of, future)


def _result_of(future: Future[Worked]) -> Worked:
    with _told_of_death():
        return future.result()


@contextmanager
def _told_of_death() -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool:
        raise WorkerDiedError("a worker died: the backend ended it, or memory ran out") from None


@contextmanager
def processes(jobs: int) -> Iterator[Hands]:
    """Start so many worker processes and end them with the block."""
    with _told_of_death(), working(jobs, worked) as executor:
        yield _Processes(executor, jobs)
