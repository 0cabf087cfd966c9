"""Run the checks of a backend over the registry, and gather what a certificate needs.

The work is cut into batches that depend on the seed alone, so neither the number of workers nor
their order changes a single byte of the result, and memory does not grow with the number of cases.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from multiprocessing import get_context

from ..reference.errors import InputError, SimplexcertError, UnknownNameError
from ..reference.quantity import quantities, quantity_named
from .backends.loading import LoadedBackend, kept_alive, load_backend
from .checks.case import Case, Given, answered, case_from, graver
from .checks.judgement import rules_for
from .checks.second import second_opinion_on
from .search.hunt import hunted
from .verdict import Verdict, overall

DEFAULT_CASES = 200
MAX_CASES = 10_000_000
MAX_SEED = 2**53 - 1  # what JSON carries exactly
# Hypothesis keeps what it has drawn; a batch of this size bounds what that can come to.
BATCH = 100
# Cases in all that are kept for a picture, each check's share spread evenly over its cases.
SAMPLED = 600
# Batches a worker that are handed out before the first of them is waited for.
_AHEAD = 4


class WorkerDiedError(SimplexcertError):
    """A worker process ended before its batch was done."""


@dataclass(frozen=True)
class CheckResult:
    """One check of one quantity: its verdict, how many cases, the worst, and a few of them."""

    quantity: str
    check: str
    verdict: Verdict
    cases: int
    worst: Case | None
    second: str
    sample: tuple[Case, ...] = ()


@dataclass(frozen=True)
class Campaign:
    """Everything that a run of checks found."""

    loaded: LoadedBackend
    scope: str
    cases: int
    seed: int
    checks: tuple[CheckResult, ...]
    transcript_sha256: str

    @property
    def verdict(self) -> Verdict:
        """The verdict on the backend: the gravest of its checks."""
        return overall(check.verdict for check in self.checks)


@dataclass(frozen=True)
class Batch:
    """A piece of work that any worker can do alone and that always gives the same result."""

    where: str | None
    quantity: str
    number: int
    cases: int
    seed: int


@dataclass
class _Tally:
    """What is known of one check so far, of which ``kept`` of ``asked`` cases are remembered."""

    asked: int
    kept: int
    cases: int = 0
    verdicts: set[Verdict] = field(default_factory=set)
    worst: Case | None = None
    sample: list[Case] = field(default_factory=list)

    def add(self, case: Case) -> None:
        before, self.cases = self.cases, self.cases + 1
        if self.cases * self.kept // self.asked > before * self.kept // self.asked:
            self.sample.append(case)
        self.verdicts.add(case.verdict)
        self.worst = case if self.worst is None else graver(self.worst, case)


def certify(
    backend: str | None = None,
    *,
    quantities: str = "*",
    cases: int = DEFAULT_CASES,
    seed: int = 0,
    jobs: int = 1,
    on_case: Callable[[str], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Campaign:
    """Check a backend, by default the built-in one, and return what was found.

    ``backend`` is ``module:attribute``; ``quantities`` a glob; ``cases`` counts per quantity. Each
    case is also a canonical line given to ``on_case``, in an order that depends on the seed alone.
    Raises InputError where there is nothing to run or the backend cannot be loaded.
    """
    if not 1 <= cases <= MAX_CASES:
        raise InputError(f"cases = {cases}: ask for 1 to {MAX_CASES}")
    if abs(seed) > MAX_SEED:
        raise InputError(f"seed = {seed}: it must lie within {MAX_SEED} of 0")
    if jobs < 1:
        raise InputError(f"jobs = {jobs}: at least one is needed")
    loaded = load_backend(backend)
    names = _names(quantities)
    tallies = _tallies(loaded, names, cases)
    present = [name for name in names if name in loaded.backend.quantities]
    total = len(present) * ceil(cases / BATCH)
    digest = hashlib.sha256()
    for done, found in enumerate(_results(_batches(present, backend, cases, seed), jobs), start=1):
        for case in found:
            tallies[case.quantity, case.check].add(case)
            line = case.line()
            digest.update(line.encode())
            if on_case:
                on_case(line)
        if on_progress:
            on_progress(done, total)
    checks = tuple(_result(key, tally) for key, tally in tallies.items())
    return Campaign(loaded, quantities, cases, seed, checks, digest.hexdigest())


def _names(pattern: str) -> list[str]:
    names = list(quantities(pattern))
    if not names:
        raise UnknownNameError("quantity", pattern, quantities(), "(no quantity matches)")
    return names


def sample_share(checks: int, cases: int) -> int:
    """Return how many cases of each check are kept for a picture."""
    return min(cases, SAMPLED // checks)


def _tallies(
    loaded: LoadedBackend, names: Iterable[str], cases: int
) -> dict[tuple[str, str], _Tally]:
    """Return an empty tally for each check that applies; what is lacking stays at no cases."""
    backend = loaded.backend
    checks = [
        (name, rule.check)
        for name in names
        for rule in rules_for(quantity_named(name), backend.slack, backend.accuracy)
    ]
    return {check: _Tally(cases, sample_share(len(checks), cases)) for check in checks}


def _batches(names: Iterable[str], where: str | None, cases: int, seed: int) -> Iterator[Batch]:
    for name in names:
        for number, start in enumerate(range(0, cases, BATCH)):
            yield Batch(where, name, number, min(BATCH, cases - start), seed)


def run_batch(batch: Batch) -> list[Case]:
    """Draw the points of one batch, ask the backend, and judge every answer by every check."""
    backend = load_backend(batch.where).backend
    quantity = quantity_named(batch.quantity)
    rules = rules_for(quantity, backend.slack, backend.accuracy)
    function = backend.quantities[batch.quantity]
    found: list[Case] = []

    def examine(point: Given) -> Fraction:
        answer = answered(function, point)
        judged = [case_from(quantity, point, answer, rule) for rule in rules]
        found.extend(judged)
        return max(case.violation for case in judged)

    with quietly():
        # The first batch and every other one spreads out, those between look near the worst.
        seed_text = f"{batch.seed}/{batch.quantity}/{batch.number}"
        hunted(quantity, examine, batch.cases, seed_text, climbing=batch.number % 2 == 1)
    return found


@contextmanager
def quietly() -> Iterator[None]:
    """Keep a backend from printing on our standard output, from warning and from ending the run."""
    with kept_alive(), warnings.catch_warnings(), redirect_stdout(sys.stderr):
        warnings.simplefilter("ignore")
        yield


def _results(batches: Iterator[Batch], jobs: int) -> Iterator[list[Case]]:
    """Yield the batches' cases in the batches' order, whoever works them out."""
    if jobs == 1:
        yield from map(run_batch, batches)
        return
    with _workers(jobs) as executor:
        # Ahead of the one that is waited for there are never more than a few: memory stays flat.
        waiting: deque[Future[list[Case]]] = deque()
        for batch in batches:
            waiting.append(executor.submit(run_batch, batch))
            if len(waiting) >= _AHEAD * jobs:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


@contextmanager
def _workers(jobs: int) -> Iterator[Executor]:
    # FLINT's precision is one per process, and a forked child would share locks: spawn.
    executor = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))
    try:
        yield executor
    except BrokenProcessPool:
        raise WorkerDiedError("a worker died: the backend ended it, or memory ran out") from None
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


def _result(key: tuple[str, str], tally: _Tally) -> CheckResult:
    name, check = key
    if tally.worst is None:
        return CheckResult(name, check, Verdict.INAPPLICABLE, 0, None, "inapplicable")
    worst = tally.worst
    second = second_opinion_on(name, worst.exact_parameters(), worst.truth, place=worst.entry)
    return CheckResult(
        name, check, overall(tally.verdicts), tally.cases, worst, second, tuple(tally.sample)
    )
