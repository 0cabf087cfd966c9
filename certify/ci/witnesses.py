"""Witnesses that a CI is shown: worst cases, made simpler by asking the backend again.

A simpler witness is the same failure at a smaller point: fewer entries, rows, states or nodes, and
numbers with fewer binary digits. The backend is asked at each simpler point and the answer is
judged as any other, so that the witness shown is a failure like the one that was found. Binary
digits, because a double with few of them is short in hex, as a fraction and in decimals, and is the
same number in each. The certificate has the worst case as it was found.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...reference.errors import InputError, SimplexcertError
from ...reference.quantity import Quantity, quantity_named
from ..backends.loading import LoadedBackend, backend_again
from ..backends.pipes import CrashedError
from ..backends.program import GivenUpError, Terms, ending_programs
from ..backends.protocol import Backend
from ..campaign import cases_in_other_forms, has_other_forms, silenced_output
from ..checks.case import answered, case_from, faults_among
from ..checks.judgement import rules_for
from ..checks.relations import First, Form, relation_cases_at, relations_for
from ..points import Case, Given
from ..report.distance import ROUNDING_ULPS
from ..search.smaller import reduced
from ..verdict import GRAVEST_FIRST, Verdict
from .findings import Judged, Outcome

# The case of a check at a point.
Ask: TypeAlias = Callable[[Given], Case]
# A relation chooses what it compares with by turns; so many are tried at a point, and it has few to
# choose from: parameters, and how far each moves.
TURNS = 12


def asked_again(loaded: LoadedBackend, quantity: str, check: str) -> Ask:
    """Return a function that asks a backend at a point and judges the answer by a check.

    Raises InputError where the backend lacks the quantity, or there is no such check of it.
    """
    backend = backend_again(loaded.where, loaded.terms)
    known = quantity_named(quantity)
    if quantity not in backend.quantities:
        raise InputError(f"{loaded.where} does not answer {quantity}")
    judge = (
        _by_rule(backend, known, check)
        or _by_form(backend, known, check, loaded.terms)
        or _by_relation(backend, known, check)
    )
    if judge is None:
        raise InputError(f"{quantity} has no check called {check} for this backend")

    def ask(point: Given) -> Case:
        with silenced_output():
            return judge(point)

    return ask


def _by_rule(backend: Backend, quantity: Quantity, check: str) -> Ask | None:
    """Return the judge of a check that holds one answer against the truth."""
    rules = {rule.check: rule for rule in rules_for(quantity, backend.slack, backend.accuracy)}
    if check not in rules:
        return None
    function = backend.quantities[quantity.name]
    return lambda point: case_from(quantity, point, answered(function, point), rules[check])


def _by_form(backend: Backend, quantity: Quantity, check: str, terms: Terms | None) -> Ask | None:
    """Return the judge of the check that asks in other forms, where there are any."""
    if check != Form.check or not has_other_forms(quantity, backend, terms):
        return None

    def judge(point: Given) -> Case:
        (case,) = cases_in_other_forms(quantity, backend, terms, [dict(point)], 1)
        return case

    return judge


def _by_relation(backend: Backend, quantity: Quantity, check: str) -> Ask | None:
    """Return the judge of a check that holds answers against each other."""
    if check not in [each.check for each in relations_for(quantity)] or check == Form.check:
        return None
    function, turns = backend.quantities[quantity.name], list(range(TURNS))

    def judge(point: Given) -> Case:
        for turn in list(turns):
            first = First(point, answered(function, point), turn)
            cases = relation_cases_at(quantity, backend, first)
            case = next(case for case in cases if case.check == check)
            if case.verdict is not Verdict.CERTIFIED:
                turns[:] = [turn]  # what has failed once is what is looked for
                break
        return case

    return judge


# So many points are asked at for one witness.
MAX_TRIES = 200


@dataclass(frozen=True)
class Seen:
    """A witness, as simple as it was made, and whether asking again showed the failure again."""

    case: Case
    again: bool


def simpler(worst: Case, ask: Ask, seconds: float) -> Seen:
    """Return a failing case at a point as small and simple as can be found within the seconds.

    It has the verdict of the one given, which is returned itself where the failure is not seen
    again.
    """
    search = _Search(worst, ask, time.monotonic() + seconds)
    point = dict(worst.parameters)
    if not search.fails_at(point):
        return Seen(worst, again=False)
    reduced(quantity_named(worst.quantity), point, search.fails_at)
    return Seen(search.found, again=True)


@dataclass
class _Search:
    """The simplest failing case so far, and how many points were tried."""

    found: Case
    ask: Ask
    until: float
    tries: int = 0

    def fails_at(self, point: Given) -> bool:
        """Ask at a point, and keep the case where it fails as the witness does."""
        if self.tries >= MAX_TRIES or time.monotonic() > self.until:
            return False
        self.tries += 1
        case = self.ask(point)
        if _kind(case) != _kind(self.found):
            return False
        self.found = case
        return True


def _kind(case: Case) -> tuple[Verdict, str, bool]:
    """Return the kind of a failure: its verdict, of an error the exception's name, its size.

    What is off by no more than rounding does not stand for what is off by far.
    """
    name = case.reason.split(":")[0] if case.verdict is Verdict.ERROR else ""
    return case.verdict, name, case.ulps is not None and case.ulps < ROUNDING_ULPS


# What making one witness simpler may take beyond a last answer, and what all of a run may. Tries
# are what ends it, so that the same run tells the same; time ends what takes far longer than usual.
WITNESS_SECONDS = 20.0
_ALL_SECONDS = 120.0
# Whoever answers nothing in time would take as long at every simpler point.
_NOT_ASKED_AGAIN = (CrashedError.__name__, GivenUpError.__name__)


@dataclass(frozen=True)
class Shown:
    """A finding's outcome, and the witness to show for it; None where there is none.

    ``also`` are the other checks of its quantity that fail by the same answer at the same point;
    of each of these ``told_with`` names the check that tells of the fault.
    """

    judged: Judged
    witness: Seen | None
    also: tuple[str, ...] = ()
    told_with: str = ""


@ending_programs()
def shown_in_ci(
    loaded: LoadedBackend, parts: Iterable[Judged], seconds: float = _ALL_SECONDS
) -> list[Shown]:
    """Return each outcome with its witness; those of unexpected failures as simple as can be.

    Checks that fail by one fault have one witness, the gravest one's.
    """
    return list(_shown(loaded, list(parts), time.monotonic() + seconds))


def _shown(loaded: LoadedBackend, parts: Sequence[Judged], until: float) -> Iterator[Shown]:
    news = [part.finding.witness for part in parts if _is_news(part)]
    fault_of = faults_among(case for case in news if case)
    faults = _faults_in(parts, fault_of)
    for part in parts:
        worst = part.finding.witness
        if worst is None or not part.finding.failed:
            yield Shown(part, None)
            continue
        first, *others = faults.get(fault_of(worst), [part]) if _is_news(part) else [part]
        if first is not part:
            yield Shown(part, Seen(worst, again=False), told_with=first.finding.check)
            continue
        left = min(WITNESS_SECONDS, until - time.monotonic())
        asks = _is_news(part) and left > 0 and _may_be_asked(worst)
        seen = _simplified(loaded, worst, left) if asks else Seen(worst, again=False)
        yield Shown(part, seen, tuple(other.finding.check for other in others))


def _faults_in(
    parts: Iterable[Judged], fault_of: Callable[[Case], Hashable]
) -> dict[Hashable, list[Judged]]:
    """Return the unexpected failures by the fault that they are, of each the gravest first."""
    faults: dict[Hashable, list[Judged]] = {}
    for part in filter(_is_news, parts):
        if part.finding.witness:
            faults.setdefault(fault_of(part.finding.witness), []).append(part)
    for found in faults.values():
        found.sort(key=lambda part: GRAVEST_FIRST.index(part.finding.verdict))
    return faults


def _is_news(part: Judged) -> bool:
    return part.outcome is Outcome.FAILED


def _may_be_asked(worst: Case) -> bool:
    return not worst.value.startswith(_NOT_ASKED_AGAIN)


def _simplified(loaded: LoadedBackend, worst: Case, seconds: float) -> Seen:
    try:
        return simpler(worst, asked_again(loaded, worst.quantity, worst.check), seconds)
    # The witness stands as it is; that it cannot be made simpler is no failure.
    except SimplexcertError:
        return Seen(worst, again=False)
