"""Who works the batches out: this process, or workers; the results come in the batches' order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

from ...reference.errors import SimplexcertError
from ..backends.pipes import LostError
from ..backends.program import MAX_LOSSES
from ..backends.workers import end_workers, pool_of
from ..checks.case import Case
from .batches import Batch, run_batch

# Batches a worker that are handed out before the first of them is waited for.
_AHEAD = 4


class WorkerDiedError(SimplexcertError):
    """A worker process ended before its batch was done."""


@dataclass
class _Losses:
    """How often a program was lost so far, in the batches' order."""

    count: int = 0

    @property
    def are_too_many(self) -> bool:
        return self.count >= MAX_LOSSES

    def add(self, cases: Iterable[Case]) -> None:
        """Count a batch's; the several checks of one point are one loss."""
        lost = [case for case in cases if case.value.startswith(LostError.__name__)]
        self.count += sum(case.check == lost[0].check for case in lost)


def results_of(batches: Iterator[Batch], jobs: int) -> Iterator[list[Case]]:
    """Yield the batches' cases in the batches' order, whoever works them out.

    Once a program was lost too often in the batches before, it is not asked in those that follow;
    what a worker found out ahead of that is not used, so that all numbers of workers agree.
    """
    losses = _Losses()
    for batch, found in _worked_out(batches, jobs, losses):
        given_up = replace(batch, given_up=True)
        cases = run_batch(given_up) if losses.are_too_many else found()
        losses.add(cases)
        yield cases


def _worked_out(
    batches: Iterator[Batch], jobs: int, losses: _Losses
) -> Iterator[tuple[Batch, Callable[[], list[Case]]]]:
    """Yield each batch with what waits for its cases."""
    if jobs == 1:
        yield from ((batch, partial(run_batch, batch)) for batch in batches)
        return
    with _workers(jobs) as executor:
        # Ahead of the one that is waited for there are never more than a few: memory stays flat.
        waiting: deque[tuple[Batch, Future[list[Case]]]] = deque()
        for batch in batches:
            told = replace(batch, given_up=losses.are_too_many)
            waiting.append((batch, executor.submit(run_batch, told)))
            if len(waiting) >= _AHEAD * jobs:
                yield _first_of(waiting)
        while waiting:
            yield _first_of(waiting)


def _first_of(
    waiting: deque[tuple[Batch, Future[list[Case]]]],
) -> tuple[Batch, Callable[[], list[Case]]]:
    batch, future = waiting.popleft()
    return batch, future.result


@contextmanager
def _workers(jobs: int) -> Iterator[Executor]:
    executor = pool_of(jobs)
    try:
        yield executor
    except BrokenProcessPool:
        raise WorkerDiedError("a worker died: the backend ended it, or memory ran out") from None
    except BaseException:
        end_workers(executor)
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)
