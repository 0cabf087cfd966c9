"""Judge a law's case anew, from what is written of it alone: answers, and where they were given.

A law holds an answer against others of the backend, or against a truth that follows from it, which
is enclosed here once more; so nothing that a certificate states decides anything.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...reference.enclosure import Enclosure
from ...reference.errors import InputError
from ..backends.answers import Real
from ..checks.judgement import AGAINST_THE_TRUTH, distance
from ..checks.laws import LawOther, law_verdict
from ..points import figures_up
from ..verdict import Verdict, standing
from .enclosures import stated_enclosure
from .errors import WitnessError
from .models import Check, Witness
from .shares import declared
from .written_numbers import answer_written, point_written

# The law that holds an answer against the same one, so that there is a distance between them.
_ASKED_TWICE = "determinism"
_NO_DISTANCE = "unbounded", "none"


def is_of_a_law(check: Check) -> bool:
    """Whether a check holds answers against each other, and not one against the truth."""
    return check.check not in AGAINST_THE_TRUTH


def rests_on_a_truth(worst: Witness) -> bool:
    """Whether a law's case needs more than the backend's answers."""
    return any(other.value is None for other in worst.others)


def law_witness_verdict(check: Check, seconds: float, *, told: bool = True) -> Verdict:
    """Judge the case of a law anew, in so many seconds an engine, and return what is found.

    Without ``told`` its distance and side are not stated. Raises WitnessError where it comes out
    otherwise than is stated, or is no case of the law.
    """
    worst, name = check.worst, f"{check.quantity}, {check.check}"
    if worst is None:
        return check.verdict
    value = answer_written(worst.value, name)
    found, against = _judged(check, worst, value, name, seconds)
    if not against.overlaps(stated_enclosure(worst.lower, worst.upper, name)):
        raise WitnessError(f"{name}: the answer is held against something else than is stated")
    if standing(check.verdict, found) is None:
        raise WitnessError(f"{name}: the worst case is {found}, not {check.verdict}")
    distance_found = _off_by(check, value, against)
    if told and (check.ulps, check.side) != distance_found:
        stated = f"{check.ulps} {check.side}"
        raise WitnessError(f"{name}: the distance is {' '.join(distance_found)}, not {stated}")
    return found


def _off_by(check: Check, value: Real, against: Enclosure) -> tuple[str, str]:
    """Return how far apart two answers to one question are; other laws have no such distance."""
    if check.check != _ASKED_TWICE:
        return _NO_DISTANCE
    if isinstance(value, float) or not against.high.is_finite:
        return ("0", "at") if value == against.upper else ("unbounded", "unknown")
    ulps, side = distance(against, value, against)
    return ("unbounded" if ulps is None else figures_up(ulps)), side


def _judged(
    check: Check, worst: Witness, value: Real, name: str, seconds: float
) -> tuple[Verdict, Enclosure]:
    accuracy = None if check.accuracy is None else declared(check.accuracy, name)
    try:
        return law_verdict(
            check.check,
            check.quantity,
            point_written(worst.parameters, name),
            value,
            list(_others(worst, name)),
            declared(check.slack, name),
            accuracy,
            seconds,
            place=tuple(worst.entry),
        )
    except (InputError, LookupError) as error:
        raise WitnessError(f"{name}: {str(error).removeprefix(f'{check.check}: ')}") from None


def _others(worst: Witness, name: str) -> Iterator[LawOther]:
    for other in worst.others:
        value = None if other.value is None else answer_written(other.value, name)
        yield LawOther(other.quantity, point_written(other.parameters, name), value)
