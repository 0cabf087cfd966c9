"""Who works the batches out: this process, or workers; the results come in the batches' order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from ...reference.errors import SimplexcertError
from ..backends.program import MAX_LOSSES
from .worked import Task, Worked, worked

# What waits for one batch.
Waiting = Callable[[], Worked]


class WorkerDiedError(SimplexcertError):
    """A worker process ended before its batch was done."""


class Hands(Protocol):
    """Workers that are there: what is handed to them is being worked out."""

    # Batches that are handed out before the first of them is waited for.
    ahead: int

    def hand_out(self, task: Task) -> Waiting:
        """Return what waits for the task's result."""


# Workers come with the block and go with it.
Workforce = Callable[[], AbstractContextManager[Hands]]


@dataclass
class Losses:
    """How often a program was lost so far, in the batches' order."""

    count: int = 0

    @property
    def are_too_many(self) -> bool:
        """Whether the program is not to be asked any more."""
        return self.count >= MAX_LOSSES


def results_of(
    tasks: Iterator[Task], workforce: Workforce | None, losses: Losses
) -> Iterator[Worked]:
    """Yield what comes of the batches in their order, whoever works them out.

    Once a program was lost too often in the batches before, it is not asked in those that follow;
    what a worker found out ahead of that is not used, so that all numbers of workers agree.
    """
    for task, found in _worked_out(tasks, workforce, losses):
        result = worked(_given_up(task, given_up=True)) if losses.are_too_many else found()
        losses.count += result.losses
        yield result


def _given_up(task: Task, *, given_up: bool) -> Task:
    return replace(task, batch=replace(task.batch, given_up=given_up))


def _worked_out(
    tasks: Iterator[Task], workforce: Workforce | None, losses: Losses
) -> Iterator[tuple[Task, Waiting]]:
    """Yield each task with what waits for its result."""
    if workforce is None:
        yield from ((task, partial(worked, task)) for task in tasks)
        return
    with workforce() as hands:
        # Ahead of the one that is waited for there are never more than a few: memory stays flat.
        waiting: deque[tuple[Task, Waiting]] = deque()
        for task in tasks:
            told = _given_up(task, given_up=losses.are_too_many)
            waiting.append((task, hands.hand_out(told)))
            if len(waiting) >= hands.ahead:
                yield waiting.popleft()
        while waiting:
            yield waiting.popleft()
