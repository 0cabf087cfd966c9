"""Witnesses that a CI is shown: worst cases, made simpler by asking the backend again.

A simpler witness is the same failure at parameters with fewer binary digits. The backend is asked
at each simpler point and the answer is judged as any other, so that the witness shown is a failure
like the one that was found. Binary digits, because a double with few of them is short in hex, as a
fraction and in decimals, and is the same number in each.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from ...reference.domain import Law, Word
from ...reference.errors import InputError, SimplexcertError
from ...reference.quantity import Quantity, quantity_named
from ..backends.loading import LoadedBackend, backend_again
from ..backends.pipes import CrashedError
from ..backends.program import GivenUpError, Terms, ending_programs
from ..backends.protocol import Backend
from ..campaign import cases_in_other_forms, has_other_forms, silenced_output
from ..checks.case import answered, case_from
from ..checks.judgement import rules_for
from ..checks.relations import First, Form, relation_cases_at, relations_for
from ..points import Case, Drawn, Given, exact_point
from ..search.local import Leaf, at, leaves, put_at
from ..verdict import Verdict
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


# So many points are asked at for one witness; 9 settle all parameters at once, 8 each one more.
MAX_TRIES = 80
# Significant binary digits that are tried, fewest first; the next would be all that there are.
_DIGITS = (1, 2, 3, 4, 6, 8, 12, 20, 32)


@dataclass(frozen=True)
class Seen:
    """A witness, as simple as it was made, and whether asking again showed the failure again."""

    case: Case
    again: bool


def simpler(worst: Case, ask: Ask, seconds: float) -> Seen:
    """Return a failing case with parameters as simple as can be found within the seconds.

    It has the verdict of the one given, which is returned itself where the failure is not seen
    again.
    """
    search = _Search(quantity_named(worst.quantity), worst, ask, time.monotonic() + seconds)
    if not search.fails_at(dict(worst.parameters)):
        return Seen(worst, again=False)
    search.shorten(None)
    for name in worst.parameters:
        search.shorten(name)
    return Seen(search.found, again=True)


@dataclass
class _Search:
    """The simplest failing case so far, and the tries left."""

    quantity: Quantity
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

    def shorten(self, name: str | None) -> None:
        """Give one parameter, or all, as few digits as the failure outlives."""
        for digits in _DIGITS:
            point = dict(self.found.parameters)
            for each in point if name is None else [name]:
                point[each] = shortened(self.quantity, each, point[each], digits)
            if point == self.found.parameters:
                return
            if self.quantity.admits(exact_point(point)) and self.fails_at(point):
                return


def _kind(case: Case) -> tuple[Verdict, str]:
    """Return the kind of a failure: its verdict, and of an error the exception's name."""
    return case.verdict, case.reason.split(":")[0] if case.verdict is Verdict.ERROR else ""


def shortened(quantity: Quantity, name: str, value: Drawn, digits: int) -> Drawn:
    """Return a parameter with each of its numbers rounded to ``digits`` binary digits.

    A law's shares are rounded to multiples of 2^-digits, and still sum to one.
    """
    changed: Any = value
    for path, leaf in leaves(quantity.parameters[name], value):
        changed = put_at(changed, path, _leaf(leaf, at(value, path), digits))
    return changed  # type: ignore[no-any-return]


def _leaf(leaf: Leaf, value: Any, digits: int) -> Any:
    if isinstance(leaf, Word):
        return value
    if isinstance(leaf, Law):
        return tuple(_shares(value, digits))
    return _whole(value, digits) if isinstance(value, int) else _real(value, digits)


def _real(value: float, digits: int) -> float:
    if not math.isfinite(value) or not value:
        return value
    fraction, exponent = math.frexp(value)
    whole = round(math.ldexp(fraction, digits))
    # Rounded up from the last powers of two it would be no double any more.
    return math.ldexp(whole, exponent - digits) if exponent < sys.float_info.max_exp else value


def _whole(value: int, digits: int) -> int:
    shift = max(abs(value).bit_length() - digits, 0)
    return value >> shift << shift


def _shares(shares: tuple[float, ...], digits: int) -> Iterator[float]:
    """Yield shares rounded down on a grid; the largest has the remainder, so they sum to 1."""
    units = [int(Fraction(share) * 2**digits) for share in shares]
    units[units.index(max(units))] += 2**digits - sum(units)
    yield from (math.ldexp(unit, -digits) for unit in units)


# What making one witness simpler may take beyond a last answer, and what all of a run may.
WITNESS_SECONDS = 5.0
_ALL_SECONDS = 60.0
# Whoever answers nothing in time would take as long at every simpler point.
_NOT_ASKED_AGAIN = (CrashedError.__name__, GivenUpError.__name__)


@dataclass(frozen=True)
class Shown:
    """A finding's outcome, and the witness to show for it; None where there is none."""

    judged: Judged
    witness: Seen | None


@ending_programs()
def shown_in_ci(
    loaded: LoadedBackend, parts: Iterable[Judged], seconds: float = _ALL_SECONDS
) -> list[Shown]:
    """Return each outcome with its witness; those of unexpected failures as simple as can be."""
    return list(_shown(loaded, parts, time.monotonic() + seconds))


def _shown(loaded: LoadedBackend, parts: Iterable[Judged], until: float) -> Iterator[Shown]:
    for part in parts:
        worst = part.finding.witness
        if worst is None or not part.finding.failed:
            yield Shown(part, None)
            continue
        left = min(WITNESS_SECONDS, until - time.monotonic())
        asks = part.outcome is Outcome.FAILED and left > 0 and _may_be_asked(worst)
        yield Shown(part, _simplified(loaded, worst, left) if asks else Seen(worst, again=False))


def _may_be_asked(worst: Case) -> bool:
    return not worst.value.startswith(_NOT_ASKED_AGAIN)


def _simplified(loaded: LoadedBackend, worst: Case, seconds: float) -> Seen:
    try:
        return simpler(worst, asked_again(loaded, worst.quantity, worst.check), seconds)
    # The witness stands as it is; that it cannot be made simpler is no failure.
    except SimplexcertError:
        return Seen(worst, again=False)
