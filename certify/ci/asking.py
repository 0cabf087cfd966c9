"""Ask a backend at one point again, and judge its answer by one check."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ...reference.errors import InputError
from ...reference.quantity import Quantity, quantity_named
from ..backends.loading import LoadedBackend, backend_again
from ..backends.protocol import Backend
from ..campaign.batches import quietly
from ..checks.case import answered, case_from
from ..checks.judgement import rules_for
from ..checks.laws.cases import law_cases_at, laws_that_apply
from ..checks.laws.law import First
from ..points import Case, Given
from ..verdict import Verdict

# The case of a check at a point.
Ask: TypeAlias = Callable[[Given], Case]
# A law chooses what it compares with by turns; so many are tried at a point, and it has few to
# choose from: parameters, and how far each moves.
TURNS = 12


def asked_again(loaded: LoadedBackend, quantity: str, check: str) -> Ask:
    """Return what asks a backend at a point and judges the answer by a check.

    Raises InputError where the backend lacks the quantity, or there is no such check of it.
    """
    backend = backend_again(loaded.where, loaded.terms)
    known = quantity_named(quantity)
    if quantity not in backend.quantities:
        raise InputError(f"{loaded.where} does not answer {quantity}")
    judge = _by_rule(backend, known, check) or _by_law(backend, known, check)
    if judge is None:
        raise InputError(f"{quantity} has no check called {check} for this backend")

    def ask(point: Given) -> Case:
        with quietly():
            return judge(point)

    return ask


def _by_rule(backend: Backend, quantity: Quantity, check: str) -> Ask | None:
    """Return the judge of a check that holds one answer against the truth."""
    rules = {rule.check: rule for rule in rules_for(quantity, backend.slack, backend.accuracy)}
    if check not in rules:
        return None
    function = backend.quantities[quantity.name]
    return lambda point: case_from(quantity, point, answered(function, point), rules[check])


def _by_law(backend: Backend, quantity: Quantity, check: str) -> Ask | None:
    """Return the judge of a check that holds answers against each other."""
    if check not in [law.check for law in laws_that_apply(quantity, backend)]:
        return None
    function, turns = backend.quantities[quantity.name], list(range(TURNS))

    def judge(point: Given) -> Case:
        for turn in list(turns):
            first = First(point, answered(function, point), turn)
            cases = law_cases_at(quantity, backend, first)
            case = next(case for case in cases if case.check == check)
            if case.verdict is not Verdict.CERTIFIED:
                turns[:] = [turn]  # what has failed once is what is looked for
                break
        return case

    return judge
