"""Judge a worst case anew: by the second engine, or by both, whatever the certificate states."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.enclosures import (
    Enclosed,
    Enclosures,
    Place,
    entry_at,
    largest_size,
    met,
    overlap,
)
from ...reference.errors import InputError, SoundnessError
from ...reference.evaluation import climb_quantity, climb_second
from ...reference.exact import shown
from ...reference.precision import Budget
from ...reference.quantity import Quantity, quantity_named
from ...reference.second import opinion_on
from ..checks.answers import Real
from ..checks.judgement import CASE_MAX_BITS, Rule, rules_for, verdict_on
from ..verdict import Verdict
from . import models_v0
from .algebra import declared_of
from .distances import require_distance
from .enclosures import stated_enclosure
from .errors import WitnessError
from .models import Witness
from .texts import is_word

# Of each engine, on each worst case.
WITNESS_SECONDS = 20.0


def witness_verdict(
    check: models_v0.Check, seconds: float = WITNESS_SECONDS, *, told: bool = True
) -> Verdict:
    """Judge a check's worst case anew, in so many seconds an engine, and return what is found.

    Without ``told`` it is another case of the check, whose distance and side are not stated.

    The truth is what the second engine encloses now; the first, where the second stays silent or
    only estimates, which then has to agree. What the certificate states about it only has to
    agree as well. Raises WitnessError where it does not.
    """
    worst = check.worst
    if worst is None or check.verdict in (Verdict.ERROR, Verdict.UNDECIDED):
        return check.verdict  # no pass, and an exception cannot be worked out again
    name = f"{check.quantity}, {check.check}"
    value, rule, place = _answer(worst, name), _rule(check), _place(worst)
    whole = _truth(check.quantity, worst, rule, value, name, seconds)
    if whole == Enclosure.nothing_known() or (place and isinstance(whole, Enclosure)):
        return Verdict.UNDECIDED  # there was no time for a single entry
    truth = entry_at(whole, place)
    if not truth.overlaps(stated_enclosure(worst.lower, worst.upper, name)):
        raise WitnessError(f"{name}: the stated enclosure is not that of the truth")
    found = verdict_on(rule, whole, place, value)
    if found not in (check.verdict, Verdict.UNDECIDED):
        raise WitnessError(f"{name}: the worst case is {found}, not {check.verdict}")
    if told:
        require_distance(check, worst, value, truth, largest_size(whole))
    return found


def _place(worst: models_v0.Witness) -> Place:
    # Version 0 knew numbers only.
    return tuple(worst.entry) if isinstance(worst, Witness) else ()


def _truth(
    quantity_name: str,
    worst: models_v0.Witness,
    rule: Rule,
    value: Real,
    name: str,
    seconds: float,
) -> Enclosed:
    place = _place(worst)
    try:
        quantity = quantity_named(quantity_name)
        given = {key: _parameter(item, name) for key, item in worst.parameters.items()}
        exact = quantity.read(given)
    except InputError as error:
        raise WitnessError(f"{name}: {error}") from None

    def decided(truth: Enclosed) -> bool:
        return verdict_on(rule, truth, place, value) is not Verdict.UNDECIDED

    try:
        return _by_both_engines(quantity, exact, decided, seconds)
    except LookupError as error:
        raise WitnessError(f"{name}: {error}") from None


def _by_both_engines(
    quantity: Quantity,
    exact: Mapping[str, Value],
    decided: Callable[[Enclosed], bool],
    seconds: float,
) -> Enclosed:
    second = climb_second(quantity, exact, decided, Budget(seconds, CASE_MAX_BITS))
    if second.satisfied and opinion_on(quantity.name).rigorous:
        return second.enclosure
    first = climb_quantity(quantity, exact, decided, Budget(seconds, CASE_MAX_BITS)).enclosure
    if isinstance(second.enclosure, Enclosures) and first == quantity.within:
        first = Enclosure.nothing_known()  # a bound for every entry of an array, but not an array
    if not overlap(first, second.enclosure):
        raise SoundnessError(f"the two engines contradict each other on {quantity.name}")
    return met(first, second.enclosure) if opinion_on(quantity.name).rigorous else first


def _answer(worst: models_v0.Witness, name: str) -> Real:
    value = _hex_float(worst.value, name)
    if math.isnan(value):
        raise WitnessError(f"{name}: the value is NaN")
    return value if math.isinf(value) else Fraction(value)


def _parameter(value: Any, name: str) -> Any:
    """Return the exact parameter that was written, nested as it is; its kind is checked later."""
    if isinstance(value, list):
        return tuple(_parameter(item, name) for item in value)
    if isinstance(value, dict):
        return {key: _parameter(item, name) for key, item in value.items()}
    return value if isinstance(value, int) or is_word(value) else _number(value, name)


def _number(value: str, name: str) -> Fraction:
    number = _hex_float(value, name)
    if not math.isfinite(number):
        raise WitnessError(f"{name}: the parameter {value} is not finite")
    return Fraction(number)


def _hex_float(text: str, name: str) -> float:
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError):
        raise WitnessError(f"{name}: {shown(text)} is not a double in hex") from None


def _rule(check: models_v0.Check) -> Rule:
    slack, accuracy = declared_of(check)
    try:
        rules = rules_for(quantity_named(check.quantity), slack, accuracy)
    except InputError as error:
        raise WitnessError(str(error)) from None
    for rule in rules:
        if rule.check == check.check:
            return rule
    raise WitnessError(f"{check.quantity} has no check called {check.check}")
