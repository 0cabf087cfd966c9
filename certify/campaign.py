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
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from math import ceil

from ..reference.errors import InputError, SimplexcertError, UnknownNameError
from ..reference.quantity import quantities, quantity_named
from .backends.loading import LoadedBackend, backend_again, kept_alive, load_backend
from .backends.pipes import LostError
from .backends.program import (
    CASE_SECONDS,
    MAX_CASE_SECONDS,
    MAX_LOSSES,
    GivenUpError,
    Terms,
    ending_programs,
)
from .backends.workers import end_workers, pool_of
from .checks.case import Case, Given, answered, case_from, graver
from .checks.judgement import rules_for
from .checks.second import second_opinion_on
from .search.hunt import hunted
from .search.kept import kept_points
from .verdict import Verdict, overall

DEFAULT_CASES = 200
MAX_CASES = 10_000_000
MAX_SEED = 2**53 - 1  # what JSON carries exactly
# A batch is searched with a memory of its own, which its size bounds.
BATCH, LARGE_BATCH = 100, 500
# Campaigns from so many cases on have the large batches: steps need a few hundred to close in.
_LARGE_FROM = 1000
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
    """A piece of work that any worker can do alone and that always gives the same result.

    A backend that was ``given_up`` is not asked: every case is an error.
    """

    where: str | None
    quantity: str
    number: int
    cases: int
    seed: int
    terms: Terms | None = None
    given_up: bool = False


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


@ending_programs()
def certify(
    backend: str | None = None,
    *,
    quantities: str = "*",
    cases: int = DEFAULT_CASES,
    seed: int = 0,
    jobs: int = 1,
    case_seconds: float = CASE_SECONDS,
    on_case: Callable[[str], None] | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Campaign:
    """Check a backend, by default the built-in one, and return what was found.

    ``backend`` is an entry point, ``module:attribute`` or ``command:PROGRAM ARG ...``;
    ``quantities`` a glob; ``cases`` counts per quantity; a program, or a module that is not yet
    imported, has ``case_seconds`` for each case. Each case is also a canonical line given to
    ``on_case``, in an order that depends on the seed alone.
    Raises InputError where there is nothing to run or the backend cannot be loaded.
    """
    if not 1 <= cases <= MAX_CASES:
        raise InputError(f"cases = {cases}: ask for 1 to {MAX_CASES}")
    if abs(seed) > MAX_SEED:
        raise InputError(f"seed = {seed}: it must lie within {MAX_SEED} of 0")
    if jobs < 1:
        raise InputError(f"jobs = {jobs}: at least one is needed")
    if not 0 < case_seconds <= MAX_CASE_SECONDS:
        raise InputError(f"case_seconds = {case_seconds:g} is not in (0, {MAX_CASE_SECONDS:g}]")
    loaded = load_backend(backend, case_seconds)
    names = _names(quantities)
    tallies = _tallies(loaded, names, cases)
    present = [name for name in names if name in loaded.backend.quantities]
    total = len(present) * ceil(cases / batch_size(cases))
    digest = hashlib.sha256()
    batches = _batches(present, Batch(backend, "", 0, cases, seed, loaded.terms))
    for done, found in enumerate(_results(batches, jobs), start=1):
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


def batch_size(cases: int) -> int:
    """Return how many cases of a quantity a batch has in a campaign of so many."""
    return LARGE_BATCH if cases >= _LARGE_FROM else BATCH


def _batches(names: Iterable[str], whole: Batch) -> Iterator[Batch]:
    """Yield the batches of each quantity, whose cases are the whole's."""
    most = batch_size(whole.cases)
    for name in names:
        for number, start in enumerate(range(0, whole.cases, most)):
            size = min(most, whole.cases - start)
            yield replace(whole, quantity=name, number=number, cases=size)


def run_batch(batch: Batch) -> list[Case]:
    """Draw the points of one batch, ask the backend, and judge every answer by every check."""
    backend = backend_again(batch.where, batch.terms)
    quantity = quantity_named(batch.quantity)
    rules = rules_for(quantity, backend.slack, backend.accuracy)
    function = _not_asked if batch.given_up else backend.quantities[batch.quantity]
    # The batches look for the worst case of one check after the other, in turn.
    sought = batch.number % len(rules)
    found: list[Case] = []

    def examine(point: Given) -> Fraction:
        answer = answered(function, point)
        judged = [case_from(quantity, point, answer, rule) for rule in rules]
        found.extend(judged)
        return _badness(judged[sought])

    with quietly():
        # Half a batch at most is replayed, so that some of it always searches.
        replayed = kept_points(quantity)[: batch.cases // 2] if batch.number == 0 else ()
        seed_text = f"{batch.seed}/{batch.quantity}/{batch.number}"
        hunted(quantity, examine, batch.cases, seed_text, first=replayed)
    return found


def _badness(case: Case) -> Fraction:
    """Return how bad a case is to a search: how far off, in proportion to the truth.

    An accuracy is missed on either side. Units in the last place jump by 2 at every power of 2,
    which would hide what the search climbs: they are divided by the truth's significand.
    """
    violation = abs(case.violation) if case.check == "accuracy" else case.violation
    high = case.truth.high
    return violation / _significand(high.mantissa) if high.is_finite else violation


def _significand(mantissa: int) -> Fraction:
    """Return what a whole number's double has before its power of 2, in [1, 2]; 1 for 0."""
    size = abs(mantissa)
    left_out = max(size.bit_length() - sys.float_info.mant_dig, 0)
    size = (size + (1 << left_out >> 1)) >> left_out
    return Fraction(size, 1 << (size.bit_length() - 1)) if size else Fraction(1)


@contextmanager
def quietly() -> Iterator[None]:
    """Keep a backend from printing on our standard output, from warning and from ending the run."""
    with kept_alive(), warnings.catch_warnings(), redirect_stdout(sys.stderr):
        warnings.simplefilter("ignore")
        yield


def _not_asked(**_parameters: object) -> None:
    raise GivenUpError


def _results(batches: Iterator[Batch], jobs: int) -> Iterator[list[Case]]:
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


def _result(key: tuple[str, str], tally: _Tally) -> CheckResult:
    name, check = key
    if tally.worst is None:
        return CheckResult(name, check, Verdict.INAPPLICABLE, 0, None, "inapplicable")
    worst = tally.worst
    second = second_opinion_on(name, worst.exact_parameters(), worst.truth, place=worst.entry)
    return CheckResult(
        name, check, overall(tally.verdicts), tally.cases, worst, second, tuple(tally.sample)
    )
