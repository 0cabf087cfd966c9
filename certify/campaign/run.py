"""Run the checks of a backend over the registry: verdicts, worst cases, and cases for a picture.

The work is cut into batches that depend on the seed alone, so neither the number of workers nor
their order changes a single byte of the result, and memory does not grow with the number of cases.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from math import ceil
from typing import Any, TypeAlias

from ...reference.display import table_in_html
from ...reference.errors import InputError, SimplexcertError
from ...reference.evaluation import second_opinion
from ...reference.exact import shown
from ...reference.quantity import quantities_matching
from ..backends.beforehand import import_all
from ..backends.declarations import said_ranges
from ..backends.loading import LoadedBackend, backend_again, load_backend
from ..backends.program import CASE_SECONDS, MAX_CASE_SECONDS, ending_programs
from ..backends.subjects import Subject
from ..checks.judgement import (
    AGAINST_THE_TRUTH,
    Counts,
    admitted_slack,
    overall_of_checks,
    rules_for,
)
from ..checks.relations import Form, relations_for
from ..points import Case, exact_point
from ..samplers import Point, SamplerResult, points_to_test, results_at
from ..search.strategies import point_at
from ..verdict import FAILED, Verdict, overall, overall_of_cases, verdict_word
from ..workers import require_jobs
from .batches import (
    TOOL,
    Batch,
    BatchResult,
    Key,
    Tally,
    Task,
    add_up,
    batch_size,
    batches_of,
    batches_of_forms,
    campaign_seed,
    cases_of_relation,
    form_cases,
    silenced_output,
    tasks_of,
    versions,
)
from .cluster import Expected, cluster_address, cluster_at, expected_of
from .forms import has_other_forms
from .pool import Crashes, Pool, PoolContext, processes, results_in_order
from .transcript import PartialTranscript, campaign_asked, campaign_bound

# Is told how many cases are done, of how many, and the name of what is next.
OnProgress: TypeAlias = Callable[[int, int, str], None]
# Cases in all that are kept for a picture, each check's share spread evenly over its cases.
# Relations are not in it: their answers have no distance from a truth.
SAMPLED = 600


@dataclass(frozen=True)
class CheckResult:
    """One check of one quantity: its verdict, how many cases, the worst, and a few of them.

    ``failed`` has the least and the largest value of each number at which a case failed.
    """

    quantity: str
    check: str
    verdict: Verdict
    counts: Counts
    worst: Case | None
    second: str
    sample: tuple[Case, ...] = ()
    failed: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"{self.quantity}, {self.check}: {self.verdict.value}, {self.cases} cases"

    @property
    def cases(self) -> int:
        """How many cases there were."""
        return self.counts.cases


@dataclass(frozen=True)
class Campaign:
    """Everything that a run of checks found; ``subjects`` are the files that it is about."""

    loaded: LoadedBackend
    scope: str
    cases: int
    screen: int
    seed: int
    checks: tuple[CheckResult, ...]
    transcript_sha256: str
    samplers: tuple[SamplerResult, ...] = ()
    subjects: tuple[Subject, ...] = ()

    def __repr__(self) -> str:
        name = f"{self.loaded.backend.name} {self.loaded.backend.version}"
        run = [check for check in self.checks if check.cases]
        failed = sum(check.verdict in FAILED for check in run)
        names = len({check.quantity for check in run})
        word = verdict_word(self.verdict, self.slack)
        return (
            f"{word}  backend {name!r}: {failed} of {len(run)} checks of "
            f"{names} quantities failed, {self.cases} cases a quantity"
        )

    def _repr_html_(self) -> str:
        rows = (
            (f"{each.quantity}, {each.check}", f"{each.verdict.value}, {each.cases} cases")
            for each in self.checks
            if each.cases
        )
        return table_in_html(repr(self), rows)

    @property
    def slack(self) -> Fraction:
        """The largest slack by which answers were judged; 0 where nothing was run."""
        backend = self.loaded.backend
        names = {check.quantity for check in self.checks if check.cases}
        shares = (
            admitted_slack(backend.quantity(name), backend.slack, backend.accuracy)
            for name in names
        )
        return max(shares, default=Fraction(0))

    @property
    def verdict(self) -> Verdict:
        """The verdict on the backend: the gravest of its checks and its samplers'."""
        checks = overall_of_checks(self.checks)
        return overall([checks, *(sampler.verdict for sampler in self.samplers)])


def sample_share(checks: int, cases: int) -> int:
    """Return how many cases are kept for a picture of each check that is none of a relation."""
    return min(cases, SAMPLED // checks)


def tallies_of(loaded: LoadedBackend, names: Iterable[str], cases: int) -> dict[Key, Tally]:
    """Return an empty tally for each check that applies; what is lacking stays at no cases.

    A quantity's relations come after its direction and accuracy.
    """
    backend = loaded.backend
    rules = {
        name: [
            rule.check
            for rule in rules_for(backend.quantity(name), backend.slack, backend.accuracy)
        ]
        for name in names
    }
    share = sample_share(sum(map(len, rules.values())), cases)
    tallies: dict[Key, Tally] = {}
    for name, checks in rules.items():
        tallies |= {(name, check): Tally(cases, share) for check in checks}
        relations = relations_for(backend.quantity(name))
        tallies |= {
            (name, relation.check): Tally(cases_of_relation(relation.check, cases), 0)
            for relation in relations
        }
    return tallies


def _result_of(key: Key, tally: Tally, opinions: _SecondOpinions) -> CheckResult:
    """Return what a tally comes to, the worst case with a second opinion."""
    name, check = key
    if tally.worst is None:
        return CheckResult(name, check, Verdict.INAPPLICABLE, Counts(), None, "inapplicable")
    worst = tally.worst
    second = opinions.on(worst)
    counts = Counts.of(tally.verdicts, tally.notes, check)
    verdict = counts.verdict(check, overall_of_cases(tally.verdicts))
    sample = tuple(tally.sample)
    return CheckResult(name, check, verdict, counts, worst, second, sample, tally.failed)


class _SecondOpinions:
    """What the second engine says of the truths that worst cases rest on, each asked once.

    Several checks of a quantity often have their worst case at one point.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], str] = {}

    def on(self, case: Case) -> str:
        """Ask about the truth that a case rests on; a relation may rest on none."""
        name, exact = case.quantity, case.exact_parameters()
        if case.check not in AGAINST_THE_TRUTH:
            truth = next((other for other in case.others if other.value is None), None)
            if truth is None:
                return "inapplicable"
            name, exact = truth.quantity, exact_point(truth.parameters)
        key = name, tuple(exact.items()), case.truth, case.entry
        if key not in self._known:
            self._known[key] = second_opinion(name, exact, case.truth, place=case.entry)
        return self._known[key]

    def asked_early(self, quantity: str, tallies: Mapping[Key, Tally]) -> None:
        """Ask about a quantity whose cases are all there but those in other forms.

        That is while workers go on with other quantities, for whom this process only waits.
        """
        for (name, check), tally in tallies.items():
            if name == quantity and check != Form.check and tally.worst is not None:
                self.on(tally.worst)


DEFAULT_CASES = 200
DEFAULT_SEED = 0
# Points that are looked at for each case, by default and at most.
SCREENED_A_CASE = 20
MAX_CASES = 10_000_000
MAX_SCREEN = SCREENED_A_CASE * MAX_CASES
MAX_SEED = 2**53 - 1  # what JSON carries exactly


def usual_screen(cases: int) -> int:
    """Return how many points of a quantity are looked at in a campaign of so many cases of it."""
    return SCREENED_A_CASE * cases


# With all quantities the samplers are tested, too.
EVERYTHING = "*"


@ending_programs()
def certify_backend(
    backend: str | None = None,
    *,
    quantities: str = "*",
    cases: int = DEFAULT_CASES,
    screen: int | None = None,
    seed: int = DEFAULT_SEED,
    jobs: int = 1,
    executor: str | None = None,
    case_seconds: float = CASE_SECONDS,
    samplers: bool = False,
    also: Iterable[Subject] = (),
    partial: PartialTranscript | None = None,
    on_case: Callable[[str], None] | None = None,
    on_progress: OnProgress | None = None,
    on_first_failure: Callable[[Case, int], None] | None = None,
) -> Campaign:
    """Check a backend, by default the built-in one, and return what was found.

    ``backend`` is an entry point, ``module:attribute``, ``command:PROGRAM ARG ...`` or
    ``third-party:NAME``; ``quantities`` a glob; ``cases`` counts per quantity the points at which
    every check is made, ``screen`` those that are only looked at, for places to try, by default 20
    for each case; a program, or a module that is not yet imported, has ``case_seconds`` for each
    case. ``samplers``
    are tested where that is asked for, or all quantities are. ``also`` are further subjects, such
    as the wheel that the backend was installed from: with the backend's files, the quantities, the
    version and ``seed`` they decide which points are drawn. Each case is also a canonical line
    given to ``on_case``, in an order that depends on the seed alone. ``on_first_failure`` is given
    the worst case of the first batch in that order in which one failed, as soon as it is done, and
    how many batches and points of samplers are left. ``on_progress`` is told how many cases are
    done of how many, and the name of the quantity or sampler that is next; at first before any is,
    but for those that an earlier run has done.

    ``jobs`` worker processes share the work, or the Dask cluster that ``executor`` names. What is
    done is kept in a ``partial`` transcript, and what stands in it is not done again.
    Raises InputError where there is nothing to run or the backend cannot be loaded, ClusterError
    where a cluster does not answer, WorkerDiedError, ChangedBackendError where its files are not
    at the end what they were.
    """
    screen = usual_screen(cases) if screen is None else screen
    require_numbers(cases, seed, jobs, case_seconds, screen)
    address = None if executor is None else cluster_address(executor)
    names = list(quantities_matching(quantities))
    # All of us have imported what we need when a stranger's program starts.
    with_samplers = samplers or quantities == EVERYTHING
    import_all()
    with _workers(jobs, address) as workers:
        size = batch_size(cases)
        asked: dict[str, Any] = {}

        def found_files(where: str, subjects: tuple[Subject, ...]) -> None:
            """See what is asked of which files, before any of them is run."""
            asked.update(
                campaign_asked(
                    where,
                    subjects,
                    names,
                    cases=cases,
                    screen=screen,
                    seed=seed,
                    batch=size,
                    case_seconds=case_seconds,
                )
            )
            if partial:
                partial.require_possible(asked)

        loaded = load_backend(backend, case_seconds, found_files)
        pool = _pool(workers, address, expected_of(loaded, backend))
        tallies = tallies_of(loaded, names, cases)
        present = [name for name in names if name in loaded.backend.quantities]
        _require_points(loaded, present)
        points = points_to_test(loaded.backend, seed) if with_samplers else ()
        in_forms = [
            name
            for name in present
            if has_other_forms(loaded.backend.quantity(name), loaded.backend, loaded.terms)
        ]
        told = _Told(on_progress, present, in_forms, cases, points)
        total = len(present) * told.batches + len(in_forms) + len(points)
        digest, opinions = hashlib.sha256(), _SecondOpinions()
        subjects = tuple(dict.fromkeys((*loaded.subjects, *also)))
        source = campaign_seed(
            [(each.name, each.sha256) for each in subjects],
            versions()[TOOL],
            names,
            seed,
            loaded.backend.domain,
        )
        whole = Batch(backend, "", 0, cases, source, screen=(0, screen), terms=loaded.terms)
        batches = chain(batches_of(present, whole), batches_of_forms(in_forms, whole))
        tasks = tasks_of(batches, tallies, size, cases)
        if partial:
            partial.begun(campaign_bound(asked, loaded.backend))
        for done, found in enumerate(_all_results(tasks, pool, partial, told.begin), start=1):
            add_up(tallies, found)
            if on_first_failure and (failed := _failure_in(found)):
                on_first_failure(failed, total - done)
                on_first_failure = None
            digest.update(found.lines.encode())
            if on_case:
                for line in found.lines.split("\n")[:-1]:
                    on_case(f"{line}\n")
            told.batch_done()
            if pool and found.number == told.batches - 1:
                opinions.asked_early(found.quantity, tallies)
        checks = tuple(_result_of(key, tally, opinions) for key, tally in tallies.items())
        drawn = _drawn(points, backend, loaded, told)
        loaded.require_unchanged()
        return Campaign(
            loaded, quantities, cases, screen, seed, checks, digest.hexdigest(), drawn, subjects
        )


def _failure_in(found: BatchResult) -> Case | None:
    """Return the gravest case that failed in a batch, of its first check; None where none did."""
    worst = (tally.worst for tally in found.tallies.values())
    return next((case for case in worst if case and case.verdict in FAILED), None)


def _require_points(loaded: LoadedBackend, names: Iterable[str]) -> None:
    """Raise InputError where a declared domain has no point that is found."""
    domains = loaded.backend.domain
    for name in filter(domains.get, names):
        try:
            point_at(loaded.backend.quantity(name), "", 0)
        except SimplexcertError:
            said = said_ranges(domains[name])
            raise InputError(
                f"{loaded.where} declares {said} for {name}: no point there was found"
            ) from None


def require_numbers(
    cases: int,
    seed: int,
    jobs: int = 1,
    case_seconds: float = CASE_SECONDS,
    screen: int = 0,
) -> None:
    """Raise InputError for numbers that no campaign can be asked for with."""
    if not 1 <= cases <= MAX_CASES:
        raise InputError(f"cases = {shown(cases)}: ask for 1 to {MAX_CASES}")
    if not 0 <= screen <= MAX_SCREEN:
        raise InputError(f"screen = {shown(screen)}: ask for 0 to {MAX_SCREEN}")
    if abs(seed) > MAX_SEED:
        raise InputError(f"seed = {shown(seed)}: it must lie within {MAX_SEED} of 0")
    require_jobs(jobs)
    if not 0 < case_seconds <= MAX_CASE_SECONDS:
        raise InputError(f"case_seconds = {case_seconds:g} is not in (0, {MAX_CASE_SECONDS:g}]")


def _drawn(
    points: tuple[Point, ...],
    backend: str | None,
    loaded: LoadedBackend,
    told: _Told,
) -> tuple[SamplerResult, ...]:
    """Return the results of the samplers' tests, made last in a campaign and in this process."""
    with silenced_output():
        return results_at(points, backend_again(backend, loaded.terms), told.points_left)


class _Told:
    """How far a campaign is, in cases of quantities and points of samplers, as it is told."""

    def __init__(
        self,
        say: OnProgress | None,
        names: Sequence[str],
        in_forms: Sequence[str],
        cases: int,
        points: Sequence[Point],
    ) -> None:
        self._size = batch_size(cases)
        self.batches = ceil(cases / self._size)
        self._say, self._is_begun, self._done = say, False, 0
        self._names, self._in_forms, self._cases, self._points = names, in_forms, cases, points

    def begin(self) -> None:
        """Tell what was done before, now that new batches begin."""
        self._is_begun = True
        self._tell()

    def batch_done(self) -> None:
        """Count a batch, and tell where it was done in this run."""
        self._done += 1
        if self._is_begun:
            self._tell()

    def points_left(self, left: int) -> None:
        """Tell how many points of samplers are left."""
        self._tell(len(self._points) - left)

    def _tell(self, points: int = 0) -> None:
        if self._say is None:
            return
        samplers = [f"sampler.{point.sampler}" for point in self._points[points:]]
        names, usual = [*self._names, *reversed(self._in_forms), *samplers], form_cases(self._cases)
        # Batches of each quantity come first, then one for each that is asked in other forms.
        of_quantities = min(self._done, len(self._names) * self.batches)
        whole, part = divmod(of_quantities, self.batches)
        forms = self._done - of_quantities
        done = whole * self._cases + part * self._size + forms * usual + points
        total = len(self._names) * self._cases + len(self._in_forms) * usual + len(self._points)
        self._say(done, total, next(iter(names[whole + forms :]), ""))


def _all_results(
    tasks: Iterator[Task],
    pool: PoolContext | None,
    partial: PartialTranscript | None,
    begin: Callable[[], None],
) -> Iterator[BatchResult]:
    """Yield the result of every batch: those kept of an earlier run first, then the new ones.

    ``begin`` is called in between.
    """
    crashes = Crashes()
    for found in partial.restored(tasks) if partial else ():
        crashes.count += found.crashes
        yield found
    begin()
    for found in results_in_order(tasks, pool, crashes):
        if partial:
            partial.add(found)
        yield found


def _workers(jobs: int, address: str | None) -> AbstractContextManager[Pool | None]:
    """Start the worker processes of this machine, if there are to be any."""
    return processes(jobs) if jobs > 1 and address is None else nullcontext()


def _pool(workers: Pool | None, address: str | None, expected: Expected) -> PoolContext | None:
    """Return the pool that runs the batches; none means this process."""
    if address is not None:
        return functools.partial(cluster_at, address, expected)
    return None if workers is None else functools.partial(_there, workers)


@contextmanager
def _there(workers: Pool) -> Iterator[Pool]:
    yield workers
