"""Judge cases of a transcript anew, as a certificate's worst cases are, in several processes.

Which cases are taken depends on the transcript alone: one from each of equally long stretches of
it, at a place that its digest picks, so that no regularity of the campaign is met by one of ours.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from ..campaign import WorkerDiedError
from ..points import Line
from ..verdict import Verdict, overall, standing
from ..workers import working
from .models import Check, Statement
from .transcript import Progress, case_in, cases_of, check_of, checks_by_key, lines_of, witness_in
from .worst_case import witness_verdict

# Of one engine and case. Where the second cannot tell in that time the first decides, and the two
# have to agree as far as they came; a case that neither decides is undecided, which is no pass.
RECHECK_SECONDS: Final = 1.0
# So few that one slow quantity keeps no process busy for long after the others are done.
_BATCH: Final = 8
_AHEAD: Final = 4
# Below this the processes take longer to start than they save.
_WORTH_PROCESSES: Final = 24
_MOST_PROCESSES: Final = 16

_Job = tuple[Check, Line]


def rechecked(
    path: str | Path,
    statement: Statement,
    number: int | None,
    on_progress: Progress | None = None,
) -> tuple[int, Verdict]:
    """Judge so many of the transcript's cases anew, or all; return how many, and what was found.

    The transcript is one that was required before; that it still is one is required again. The
    worst case of each check is not counted here: it is worked out again whatever is asked for.
    Raises WitnessError where a case comes out otherwise than it is stated.
    """
    total = cases_of(statement)
    chosen = total if number is None else min(number, total)
    found, done = Verdict.INAPPLICABLE, 0
    batches = _batches(_jobs(path, statement, chosen))
    processes = 1 if chosen < _WORTH_PROCESSES else _processes()
    for count, verdict in _judged(batches, processes):
        found, done = overall([found, verdict]), done + count
        if on_progress:
            on_progress(done, chosen)
    return done, found


def chosen_places(digest: str, total: int, chosen: int) -> Iterator[int]:
    """Yield so many places of a transcript of this digest, counted from 0, in order.

    The stretches [i total/chosen, (i+1) total/chosen) hold at least one place each, and no two
    share any, so the places are different.
    """
    for stretch in range(chosen):
        start, end = (stretch * total) // chosen, ((stretch + 1) * total) // chosen
        picked = hashlib.sha256(f"{digest}/{stretch}".encode()).digest()
        yield start + int.from_bytes(picked) % (end - start)


def _jobs(path: str | Path, statement: Statement, chosen: int) -> Iterator[_Job]:
    checks = checks_by_key(statement)
    digest = statement.predicate.transcript.sha256
    places = chosen_places(digest, cases_of(statement), chosen)
    next_place = next(places, None)
    # The reading goes on to the last line, whose end is where the digest is required.
    for place, line in enumerate(lines_of(path, statement)):
        if place == next_place:
            case = case_in(line, place + 1)
            yield check_of(case, checks, place + 1), case
            next_place = next(places, None)


def _batches(jobs: Iterable[_Job]) -> Iterator[list[_Job]]:
    batch: list[_Job] = []
    for job in jobs:
        batch.append(job)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def judged_batch(batch: list[_Job]) -> tuple[int, Verdict]:
    """Return how many cases there were, and the gravest verdict that was found on them."""
    return len(batch), overall(_verdict_on(*job) for job in batch)


def _verdict_on(check: Check, case: Line) -> Verdict:
    """Judge a case as if it were its check's worst; how far off it is no transcript tells."""
    loose = int(case.note == "loose")
    as_worst = replace(check, verdict=case.verdict, worst=witness_in(case), loose=loose)
    found = witness_verdict(as_worst, RECHECK_SECONDS, told=False)
    return standing(case.verdict, found) or found


def _judged(batches: Iterator[list[_Job]], processes: int) -> Iterator[tuple[int, Verdict]]:
    if processes == 1:
        yield from map(judged_batch, batches)
        return
    with _workers(processes) as executor:
        # Ahead of the one that is waited for there are never more than a few: memory stays flat.
        waiting: deque[Future[tuple[int, Verdict]]] = deque()
        for batch in batches:
            waiting.append(executor.submit(judged_batch, batch))
            if len(waiting) >= _AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _workers(processes: int) -> Iterator[Executor]:
    try:
        with working(processes, judged_batch) as executor:
            yield executor
    except BrokenProcessPool:
        raise WorkerDiedError("a process died while it judged a case; nothing is decided") from None


def _processes() -> int:
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        return min(len(os.sched_getaffinity(0)), _MOST_PROCESSES)
    return min(os.cpu_count() or 1, _MOST_PROCESSES)
