"""Judge a worst case anew: by the second engine, or by both, whatever the certificate states."""

from __future__ import annotations

from ...reference.enclosure import Enclosure
from ...reference.enclosures import Enclosed, entry_at, largest_size
from ...reference.errors import InputError
from ...reference.quantity import quantity_named
from ..backends.answers import Real
from ..checks.judgement import Rule, beyond_the_least, is_printed, rules_for, verdict_on
from ..checks.laws.truths import by_both_engines
from ..verdict import Verdict, standing
from .distances import require_distance
from .enclosures import stated_enclosure
from .errors import WitnessError
from .law_checks import is_of_a_law, law_witness_verdict
from .models import Check, Witness
from .shares import declared_of
from .written_numbers import answer_written, point_written

# Of each engine, on each worst case.
WITNESS_SECONDS = 20.0


def witness_verdict(
    check: Check, seconds: float = WITNESS_SECONDS, *, told: bool = True
) -> Verdict:
    """Judge a check's worst case anew, in so many seconds an engine, and return what is found.

    Without ``told`` it is another case of the check, whose distance and side are not stated. Those
    of an undecided case follow from nothing.

    The truth is what the second engine encloses now; the first, where the second stays silent or
    only estimates, which then has to agree. What the certificate states about it only has to
    agree as well. Raises WitnessError where it does not.
    """
    worst = check.worst
    if worst is None or check.verdict is Verdict.ERROR:
        return check.verdict  # no pass, and an exception cannot be worked out again
    told = told and check.verdict is not Verdict.UNDECIDED
    if is_of_a_law(check):
        return law_witness_verdict(check, seconds, told=told)
    _require_alone(check, worst)
    name = f"{check.quantity}, {check.check}"
    value, rule, place = answer_written(worst.value, name), _rule(check), tuple(worst.entry)
    whole = _truth(check.quantity, worst, rule, value, name, seconds)
    if whole == Enclosure.nothing_known() or (place and isinstance(whole, Enclosure)):
        return Verdict.UNDECIDED  # there was no time for a single entry
    truth = entry_at(whole, place)
    if not truth.overlaps(stated_enclosure(worst.lower, worst.upper, name)):
        raise WitnessError(f"{name}: the stated enclosure is not that of the truth")
    found = verdict_on(rule, whole, place, value)
    quantity = quantity_named(check.quantity)
    if found is Verdict.REFUTED and is_printed(quantity, rule):
        exact = quantity.read(point_written(worst.parameters, name))
        found = beyond_the_least(quantity, exact, rule, value, by_both_engines(seconds))
    if standing(check.verdict, found) is None:
        raise WitnessError(f"{name}: the worst case is {found}, not {check.verdict}")
    if told:
        require_distance(check, worst, value, truth, largest_size(whole))
    return found


def _require_alone(check: Check, worst: Witness) -> None:
    """Require that an answer that is held against the truth is held against nothing else."""
    if worst.others:
        raise WitnessError(f"{check.quantity}, {check.check}: it is compared with other answers")


def _truth(
    quantity_name: str,
    worst: Witness,
    rule: Rule,
    value: Real,
    name: str,
    seconds: float,
) -> Enclosed:
    place = tuple(worst.entry)
    try:
        quantity = quantity_named(quantity_name)
        exact = quantity.read(point_written(worst.parameters, name))
    except InputError as error:
        raise WitnessError(f"{name}: {error}") from None

    def decided(truth: Enclosed) -> bool:
        return verdict_on(rule, truth, place, value) is not Verdict.UNDECIDED

    try:
        return by_both_engines(seconds)(quantity, exact, decided)
    except LookupError as error:
        raise WitnessError(f"{name}: {error}") from None


def _rule(check: Check) -> Rule:
    slack, accuracy = declared_of(check)
    try:
        rules = rules_for(quantity_named(check.quantity), slack, accuracy)
    except InputError as error:
        raise WitnessError(str(error)) from None
    for rule in rules:
        if rule.check == check.check:
            return rule
    raise WitnessError(f"{check.quantity} has no check called {check.check}")
