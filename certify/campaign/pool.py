"""The workers that run a campaign's batches: this process, processes of this machine, or a cluster.

Whoever runs them, the results come in the batches' order, and with the same bytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeAlias

from ...reference.errors import SimplexcertError
from ..backends.program import MAX_LOSSES
from ..workers import working
from .batches import BatchResult, Task, run_task

# Batches a worker that are submitted before the first of them is waited for.
AHEAD = 4

# Waits for one batch, and returns its result.
Pending: TypeAlias = Callable[[], BatchResult]


class WorkerDiedError(SimplexcertError):
    """A worker process ended before its batch was done."""


class Pool(Protocol):
    """Workers that are there: a task that is submitted is being run."""

    # Batches that are submitted before the first of them is waited for.
    ahead: int

    def submit(self, task: Task) -> Pending:
        """Have a task run, and return what waits for its result."""


# Workers come with the block and go with it.
PoolContext: TypeAlias = Callable[[], AbstractContextManager[Pool]]


@dataclass
class Crashes:
    """How often a program crashed so far, in the batches' order."""

    count: int = 0

    @property
    def are_too_many(self) -> bool:
        """Whether the program is not to be asked any more."""
        return self.count >= MAX_LOSSES


def results_in_order(
    tasks: Iterator[Task], pool: PoolContext | None, crashes: Crashes
) -> Iterator[BatchResult]:
    """Yield the batches' results in their order, run by a pool, or by this process without one.

    Once a program crashed too often in the batches before, it is not asked in those that follow;
    what a worker found out ahead of that is not used, so that all numbers of workers agree.
    """
    for task, pending in _submitted(tasks, pool, crashes):
        result = run_task(_given_up(task, given_up=True)) if crashes.are_too_many else pending()
        crashes.count += result.crashes
        yield result


def _given_up(task: Task, *, given_up: bool) -> Task:
    return replace(task, batch=replace(task.batch, given_up=given_up))


def _submitted(
    tasks: Iterator[Task], pool: PoolContext | None, crashes: Crashes
) -> Iterator[tuple[Task, Pending]]:
    """Yield each task with what waits for its result."""
    if pool is None:
        yield from ((task, partial(run_task, task)) for task in tasks)
        return
    with pool() as workers:
        # Ahead of the one that is waited for there are never more than a few: memory stays flat.
        pending: deque[tuple[Task, Pending]] = deque()
        for task in tasks:
            asked = _given_up(task, given_up=crashes.are_too_many)
            pending.append((task, workers.submit(asked)))
            if len(pending) >= workers.ahead:
                yield pending.popleft()
        while pending:
            yield pending.popleft()


class _Processes:
    def __init__(self, executor: Executor, jobs: int) -> None:
        self._executor, self.ahead = executor, AHEAD * jobs

    def submit(self, task: Task) -> Pending:
        # A pool that broke says so when it is given more, too.
        with _deaths_in_words():
            future = self._executor.submit(run_task, task)
        return partial(_result_of, future)


def _result_of(future: Future[BatchResult]) -> BatchResult:
    with _deaths_in_words():
        return future.result()


@contextmanager
def _deaths_in_words() -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool:
        raise WorkerDiedError("a worker died: the backend ended it, or memory ran out") from None


@contextmanager
def processes(jobs: int) -> Iterator[Pool]:
    """Start so many worker processes of this machine and end them with the block."""
    with _deaths_in_words(), working(jobs, run_task) as executor:
        yield _Processes(executor, jobs)
