"""The batches that a campaign is cut into: its points by the seed, its cases, and their tallies.

Any worker can run a batch alone, and it always gives the same result: canonical lines, written
where the cases were judged, and the few cases that count. So what crosses between processes is
small, and whoever gathers it has nothing left to work out.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain, count
from math import ceil
from typing import Any, TypeAlias

import rfc8785

from ...reference.enclosure import Enclosure
from ...reference.quantity import Quantity, quantity_named
from ..backends.declarations import Ranges, written_ranges
from ..backends.loading import backend_again, kept_alive
from ..backends.pipes import CrashedError
from ..backends.program import GivenUpError, Terms
from ..checks.case import answered, case_from, graver
from ..checks.judgement import AGAINST_THE_TRUTH, rules_for
from ..checks.relations import First, Form, Relating
from ..points import Case, Drawn, Given, Note, Point, PointKind
from ..search.hunt import hunted, kept_points
from ..search.screen import Glance, screened
from ..search.strategies import is_end, point_at
from ..verdict import FAILED, Verdict
from .forms import cases_in_other_forms

# A batch is searched with a memory of its own, which its size bounds.
BATCH, _LARGE_BATCH = 100, 500
# Campaigns from so many cases on have the large batches: steps need a few hundred to close in.
_LARGE_FROM = 1000
# Of how many bits the one enclosure is that a screening takes of a point.
_GLANCE_BITS = 64
# Of a slow quantity a screening looks at one point in so many.
_SLOW = 40
# The width of an enclosure that has none, whose upper end is 0, or whose ends are so many powers of
# two apart.
_UNBOUNDED, _MOST_APART = Fraction(10**9), 2000
# Of each quantity so many cases come of the other forms in which it is asked at the end.
_FORM_CASES = 8
# In each batch relations are tried at every so manieth of the drawn points, from the first on. None
# of these is beyond daily use, where truths of a relation can take too long.
_RELATIONS_EVERY = 2
# Whatever draws the points, encloses the truths and, for a backend of ours, answers.
TOOL = "simplexcert"
_LIBRARIES = (TOOL, "python-flint", "gmpy2", "mpmath", "numpy", "scipy")
# A quantity and a check.
Key: TypeAlias = tuple[str, str]


@dataclass(frozen=True)
class Batch:
    """A piece of work that any worker can do alone and that always gives the same result.

    ``drawn`` counts the points that were drawn in the batches before, ``seed`` is the campaign's.
    ``screen`` says which points of the screening are looked at: from the first to before the last.
    A batch ``of_forms`` looks so at drawn points that were asked before, in other forms. A backend
    that was ``given_up`` is not asked: every case is an error.
    """

    where: str | None
    quantity: str
    number: int
    cases: int
    seed: str
    drawn: int = 0
    screen: tuple[int, int] = (0, 0)
    terms: Terms | None = None
    given_up: bool = False
    of_forms: bool = False


@dataclass
class Tally:
    """What is known of one check so far, of which ``kept`` of ``asked`` cases are remembered.

    ``failed`` has the least and the largest value of each number at which a case failed.
    """

    asked: int
    kept: int
    cases: int = 0
    verdicts: Counter[Verdict] = field(default_factory=Counter)
    notes: Counter[Note] = field(default_factory=Counter)
    worst: Case | None = None
    sample: list[Case] = field(default_factory=list)
    failed: dict[str, tuple[float, float]] = field(default_factory=dict)

    def add(self, case: Case) -> None:
        """Count a case, and keep it where it is the worst or one for the picture."""
        if self.counted(case.verdict, case.note):
            self.sample.append(case)
        if case.verdict in FAILED:
            self.failed_at(case.parameters)
        self.worst = case if self.worst is None else graver(self.worst, case)

    def counted(self, verdict: Verdict, note: Note) -> bool:
        """Count a case of a verdict, and return whether it is one for the picture."""
        before, self.cases = self.cases, self.cases + 1
        self.verdicts[verdict] += 1
        self.notes[note] += 1
        return self.cases * self.kept // self.asked > before * self.kept // self.asked

    def failed_at(self, point: Given) -> None:
        """Widen the ranges of the numbers at which cases failed by those of a point."""
        for name, value in point.items():
            if isinstance(value, float | int):
                low, high = self.failed.get(name, (value, value))
                self.failed[name] = min(low, value), max(high, value)


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
class BatchResult:
    """A batch's canonical lines, one text, and its tallies by check.

    ``crashes`` is how often a program ended that was asked.
    """

    quantity: str
    number: int
    lines: str
    tallies: Mapping[str, Tally]
    crashes: int


def versions() -> dict[str, str]:
    """Return the versions of whatever a case may depend on besides the backend."""
    return {"python": platform.python_version(), **{name: _version(name) for name in _LIBRARIES}}


@cache
def _version(name: str) -> str:
    """Look a version up once: what is imported stays as it is, and to look takes milliseconds."""
    try:
        return version(name)
    except PackageNotFoundError:  # an extra brings it, or it is on the path and not installed
        return "unknown"


def campaign_seed(
    subjects: Iterable[tuple[str, str]],
    version: str,
    quantities: Iterable[str],
    seed: int,
    domains: Mapping[str, Ranges] | None = None,
) -> str:
    """Return what all points of a campaign are drawn by: a digest of what it is about, as text.

    That is the names and digests of the subjects, the version of this program, the names of the
    quantities, the domains that are declared of them and the number that is given; not how many
    cases there are. Whoever wants other points has to change one of these, and to run the campaign
    again.
    """
    bound: dict[str, Any] = {
        "subjects": sorted([name, sha256] for name, sha256 in subjects),
        "version": version,
        "quantities": sorted(quantities),
        "seed": seed,
    }
    declared = {
        name: written_ranges(ranges)
        for name, ranges in (domains or {}).items()
        if name in bound["quantities"]
    }
    if declared:
        bound["domains"] = declared
    return hashlib.sha256(rfc8785.dumps(bound)).hexdigest()


def batch_size(cases: int) -> int:
    """Return how many cases of a quantity a batch has in a campaign of so many."""
    return _LARGE_BATCH if cases >= _LARGE_FROM else BATCH


def drawn_of(cases: int) -> int:
    """Return how many points of a batch are drawn: half of them, at least."""
    return ceil(cases / 2)


def relation_cases(cases: int) -> int:
    """Return how many cases each relation of a quantity has in a campaign of so many."""
    batches, rest = divmod(cases, batch_size(cases))
    return batches * relation_cases_in(batch_size(cases)) + relation_cases_in(rest)


def cases_of_relation(check: str, cases: int) -> int:
    """Return how many cases a relation's check of a quantity has in a campaign of so many."""
    return form_cases(cases) if check == Form.check else relation_cases(cases)


def relation_cases_in(cases: int) -> int:
    """Return how many cases each relation of a quantity has in a batch of so many."""
    return ceil(drawn_of(cases) / _RELATIONS_EVERY)


def relation_turn(number: int, cases: int) -> int | None:
    """Return which turn of the relations is at a point of a batch, counted from 0; None at most."""
    turn, other = divmod(number, _RELATIONS_EVERY)
    return None if other or number >= drawn_of(cases) else turn


def form_cases(cases: int) -> int:
    """Return how many cases come of other forms of a quantity in a campaign of so many."""
    return min(_FORM_CASES, _drawn_first(cases))


def _drawn_first(cases: int) -> int:
    """Return how many points are drawn in a quantity's first batch."""
    return drawn_of(min(cases, batch_size(cases)))


def points_for_forms(quantity: Quantity, seed: str, cases: int) -> list[Point]:
    """Return the drawn points that are asked again in other forms, fewer of a slow quantity."""
    count = form_cases(cases) if quantity.slow else _drawn_first(cases)
    return [point_at(quantity, seed, index) for index in range(count)]


def batches_of(names: Iterable[str], whole: Batch) -> Iterator[Batch]:
    """Yield the batches of each quantity, whose cases and screening are the whole's."""
    most = batch_size(whole.cases)
    for name in names:
        screen = _screened_of(quantity_named(name), whole.screen[1])
        for number, start in enumerate(range(0, whole.cases, most)):
            size = min(most, whole.cases - start)
            yield replace(
                whole,
                quantity=name,
                number=number,
                cases=size,
                drawn=number * drawn_of(most),
                screen=_share_of(screen, start, size, whole.cases),
            )


def batches_of_forms(names: Sequence[str], whole: Batch) -> Iterator[Batch]:
    """Yield the batches that come last, in which quantities are asked in other forms.

    The last quantity is asked first, and ``number`` goes on from its batches before.
    """
    for name in reversed(names):
        number = ceil(whole.cases / batch_size(whole.cases))
        yield replace(whole, quantity=name, number=number, of_forms=True)


def _screened_of(quantity: Quantity, screen: int) -> int:
    """Return how many points of a quantity are looked at where so many are asked for."""
    return ceil(screen / _SLOW) if quantity.slow else screen


def _share_of(screen: int, start: int, size: int, cases: int) -> tuple[int, int]:
    """Return which points of a screening go with so many cases from a start on."""
    return screen * start // cases, screen * (start + size) // cases


def run_batch(batch: Batch) -> list[Case]:
    """Find the points of one batch, ask the backend, and judge every answer by every check.

    Half of the points are drawn: they follow from the campaign's seed and their index, whatever was
    answered. The others are found: kept points of earlier campaigns, and what a search comes to.
    The relations are tried at some of the drawn points; what they find does not lead the search.
    """
    backend = backend_again(batch.where, batch.terms)
    quantity = backend.quantity(batch.quantity)
    if batch.given_up:
        backend = replace(backend, quantities=dict.fromkeys(backend.quantities, _not_asked))
    if batch.of_forms:
        terms = None if batch.given_up else batch.terms
        points = points_for_forms(quantity, batch.seed, batch.cases)
        with silenced_output():
            return cases_in_other_forms(quantity, backend, terms, points, form_cases(batch.cases))
    rules = rules_for(quantity, backend.slack, backend.accuracy)
    function = backend.quantities[batch.quantity]
    # The batches look for the worst case of one check after the other, in turn.
    sought = batch.number % len(rules)
    found: list[Case] = []
    numbers = count()
    drawn = drawn_of(batch.cases)
    relating = Relating(quantity, backend)
    # Where in what is found determinism's case belongs, which is asked at the end.
    again: list[tuple[int, First]] = []
    # Answers of the screening that are proved to be wrong. They count as they were given: who is
    # asked again need not say the same.
    wrong: dict[tuple[Drawn, ...], object] = {}

    def examine(point: Given) -> Fraction:
        number = next(numbers)
        kind: PointKind = "drawn" if number < drawn else "found"
        key = tuple(point.values())
        answer = wrong[key] if key in wrong else answered(function, point)
        judged = [case_from(quantity, point, answer, rule) for rule in rules]
        found.extend(replace(case, kind=kind) for case in judged)
        turn = relation_turn(number, batch.cases)
        if turn is not None:
            # Batches begin their turns one after the other, so that all of them come up.
            first = First(point, answer, batch.number + turn)
            again.append((len(found) + len(again), first))
            found.extend(replace(case, kind=kind) for case in relating.cases_at(first))
        return _badness(judged[sought])

    def look(point: Given) -> Glance:
        answer = answered(function, point)
        case = case_from(quantity, point, answer, rules[sought], _GLANCE_BITS)
        if case.verdict is Verdict.REFUTED:
            wrong[tuple(point.values())] = answer
        return _glance(quantity, case)

    with silenced_output():
        indices = range(batch.drawn, batch.drawn + drawn)
        kept = kept_points(quantity) if batch.number == 0 else ()
        hunted(
            quantity,
            examine,
            batch.cases,
            f"{batch.seed}/{batch.quantity}/{batch.number}",
            drawn=(point_at(quantity, batch.seed, index) for index in indices),
            found=chain(kept, screened(quantity, look, batch.seed, range(*batch.screen))),
        )
        late = [replace(relating.again(first), kind="drawn") for _, first in reversed(again)]
    for (place, _), case in zip(again, reversed(late), strict=True):
        found.insert(place, case)
    return found


def _glance(quantity: Quantity, case: Case) -> Glance:
    """Return what a case of few bits shows: where it is left open, how wide the truth is yet."""
    width, at_end = _width(case.truth), is_end(quantity, case.truth)
    if case.verdict is Verdict.UNDECIDED:
        return Glance(False, True, width, width, at_end)
    return Glance(case.verdict is not Verdict.CERTIFIED, False, _badness(case), width, at_end)


def _width(truth: Enclosure) -> Fraction:
    """Return how wide an enclosure is in proportion to what it encloses."""
    low, high = truth.low, truth.high
    if low == high:
        return Fraction(0)
    if not (low.is_finite and high.is_finite and high.mantissa):
        return _UNBOUNDED
    if abs(low.exponent - high.exponent) > _MOST_APART:
        return _UNBOUNDED
    power = min(low.exponent, high.exponent)
    lower, upper = (end.mantissa << (end.exponent - power) for end in (low, high))
    return min(Fraction(upper - lower, abs(upper)), _UNBOUNDED)


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
def silenced_output() -> Iterator[None]:
    """Keep a backend from printing on our standard output, from warning and from ending the run."""
    with kept_alive(), warnings.catch_warnings(), redirect_stdout(sys.stderr):
        warnings.simplefilter("ignore")
        yield


def _not_asked(**_parameters: object) -> None:
    raise GivenUpError


def tasks_of(
    batches: Iterable[Batch], tallies: Mapping[Key, Tally], size: int, cases: int
) -> Iterator[Task]:
    """Yield the batches as tasks; all but the last of a quantity have ``size`` of its cases.

    A check has a case at each point, or at as large a share of the points of each batch.
    """
    for batch in batches:
        points = 0 if batch.of_forms else batch.number * size
        before = {
            check: Tally(tally.asked, tally.kept, points * tally.asked // cases)
            for (name, check), tally in tallies.items()
            if name == batch.quantity and (check == Form.check) == batch.of_forms
        }
        yield Task(batch, before)


def run_task(task: Task) -> BatchResult:
    """Run a batch, write its lines, and tally its cases."""
    batch, tallies = task.batch, task.tallies()
    cases = run_batch(batch)
    for case in cases:
        tallies[case.check].add(case)
    lines = "".join(case.line() for case in cases)
    crashes = crashes_in((case.check, case.value) for case in cases)
    return BatchResult(batch.quantity, batch.number, lines, tallies, crashes)


def crashes_in(cases: Iterable[tuple[str, str]]) -> int:
    """Return how often a program crashed, from each case's check and its answer, in order.

    The several rules of one point are one crash; so are its relations where the first answer was
    one. Else each relation that met one asked for itself.
    """
    count, first, crashed_there = 0, "", False
    for check, value in cases:
        crashed = value.startswith(CrashedError.__name__)
        first = first or check
        if check == first:
            crashed_there = crashed
        elif crashed_there or check in AGAINST_THE_TRUTH:
            continue
        count += crashed
    return count


def add_up(tallies: Mapping[Key, Tally], result: BatchResult) -> None:
    """Add a batch to the tallies of its campaign."""
    for check, later in result.tallies.items():
        tally = tallies[result.quantity, check]
        if later.worst is None:
            continue  # there was no case of this check
        tally.cases = later.cases
        tally.verdicts.update(later.verdicts)
        tally.notes.update(later.notes)
        tally.worst = later.worst if tally.worst is None else graver(tally.worst, later.worst)
        tally.sample += later.sample
        for name, ends in later.failed.items():
            for end in ends:
                tally.failed_at({name: end})
