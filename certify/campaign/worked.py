"""One batch as a worker is given it, and what it hands back: text, and the few cases that count.

Lines are written where the cases were judged, so that what crosses between processes is small and
whoever gathers it has nothing left to work out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..backends.pipes import LostError
from ..checks.case import graver
from ..checks.judgement import AGAINST_THE_TRUTH
from .batches import Batch, run_batch
from .results import Tally

Key = tuple[str, str]


@dataclass(frozen=True)
class Task:
    """A batch, and of each of its checks how many cases were tallied before it."""

    batch: Batch
    before: Mapping[str, Tally]

    def tallies(self) -> dict[str, Tally]:
        """Return tallies that begin where the batches before end, none of their cases in them."""
        return {
            name: Tally(each.asked, each.kept, each.cases) for name, each in self.before.items()
        }


@dataclass(frozen=True)
class Worked:
    """What came of a batch: its canonical lines, one text, and what its tallies remember.

    ``losses`` is how often a program was lost.
    """

    quantity: str
    number: int
    lines: str
    found: Mapping[str, Tally]
    losses: int


def tasks_of(
    batches: Iterable[Batch], tallies: Mapping[Key, Tally], size: int, cases: int
) -> Iterator[Task]:
    """Yield the batches as tasks; all but the last of a quantity have ``size`` of its cases.

    A check has a case at each point, or at as large a share of the points of each batch.
    """
    for batch in batches:
        points = batch.number * size
        before = {
            check: Tally(tally.asked, tally.kept, points * tally.asked // cases)
            for (name, check), tally in tallies.items()
            if name == batch.quantity
        }
        yield Task(batch, before)


def worked(task: Task) -> Worked:
    """Work a batch out: draw, ask, judge, write down, and keep what its tallies remember."""
    batch, found = task.batch, task.tallies()
    cases = run_batch(batch)
    for case in cases:
        found[case.check].add(case)
    lines = "".join(case.line() for case in cases)
    losses = losses_of((case.check, case.value) for case in cases)
    return Worked(batch.quantity, batch.number, lines, found, losses)


def losses_of(cases: Iterable[tuple[str, str]]) -> int:
    """Return how often a program was lost, from each case's check and what was answered, in order.

    The several rules of one point are one loss; so are its laws where the first answer was lost.
    Else each law that was lost asked for itself.
    """
    count, first, lost_there = 0, "", False
    for check, value in cases:
        lost = value.startswith(LostError.__name__)
        first = first or check
        if check == first:
            lost_there = lost
        elif lost_there or check in AGAINST_THE_TRUTH:
            continue
        count += lost
    return count


def share_of(tally: Tally) -> int:
    """Return how many cases a tally has kept for the picture, from the first case on."""
    return tally.cases * tally.kept // tally.asked if tally.cases else 0


def add_up(tallies: Mapping[Key, Tally], found: Worked) -> None:
    """Add a batch to the tallies of its campaign."""
    for check, later in found.found.items():
        tally = tallies[found.quantity, check]
        if later.worst is None:
            continue  # there was no case of this check
        tally.cases = later.cases
        tally.verdicts |= later.verdicts
        tally.worst = later.worst if tally.worst is None else graver(tally.worst, later.worst)
        tally.sample += later.sample
