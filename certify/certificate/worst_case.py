"""Judge a worst case anew: by the second engine, or by both, whatever the certificate states.

What it is stated to be off by belongs to the enclosure by which the case was judged, which may be
wider than the one that is found now. So it is held against both: by the stated ends it may not be
less, by those that are found it may not be more. And they are as narrow as what the first engine
finds once more: from wider ends less would be read.

A relation holds an answer against others of the backend, or against a truth that follows from it,
which is enclosed here once more; so nothing that a certificate states decides anything. Without the
backend's own forward quantity an inverse is judged by half of its relation, so it must not be left
out where the backend answers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from ...reference.dyadic import Dyadic
from ...reference.enclosure import Enclosed, Enclosure, Place, entry_at, largest_size
from ...reference.errors import InputError
from ...reference.exact import exact_number, shown
from ...reference.likely import looking_near
from ...reference.quantity import Quantity, quantity_named
from ..backends.answers import Real
from ..backends.declarations import Ranges, declared_quantity, on_usual_side, ranges_in
from ..checks.judgement import (
    AGAINST_THE_TRUTH,
    Counts,
    Rule,
    admitted_slack,
    beyond_the_least,
    distance,
    is_printed,
    note_of,
    rules_for,
    verdict_on,
)
from ..checks.relations import (
    SLACK_OF_RELATIONS,
    Inverse,
    StatedOther,
    Truths,
    asks_further,
    by_both_engines,
    by_the_first_engine,
    inverse_of,
    relation_verdict,
)
from ..points import TRUTH_DIGITS, Note, exact_point, figures_up, is_finite
from ..verdict import Verdict, standing
from .agreement import answer_written, is_as_narrow, point_written, stated_enclosure
from .errors import WitnessError
from .models import Check, Witness


def declared(text: str, name: str) -> Fraction:
    """Return a slack or an accuracy. Raises WitnessError if it is no share in [0, 1)."""
    try:
        share = exact_number(text, name)
    except InputError as error:
        raise WitnessError(str(error)) from None
    if not 0 <= share < 1:
        raise WitnessError(f"{name}: a share of {shown(share)} is not in [0, 1)")
    return share


def counts_of(check: Check) -> Counts:
    """Return what a check counted."""
    return Counts(check.cases, check.wrong, check.errors, check.open, check.trivial, check.loose)


def declared_of(check: Check) -> tuple[Mapping[str, Fraction], Mapping[str, Fraction]]:
    """Return the slack and the accuracy that a check says it was judged by, by quantity."""
    name = check.quantity
    accuracy = {} if check.accuracy is None else {name: declared(check.accuracy, name)}
    return {name: declared(check.slack, name)}, accuracy


def ranges_of(check: Check) -> Ranges | None:
    """Return the domain that a check's backend declares. Raises InputError."""
    return None if check.domain is None else ranges_in(check.domain, f"{check.quantity} domain")


def quantity_of(check: Check) -> Quantity:
    """Return a check's quantity as the backend declares it. Raises WitnessError."""
    try:
        return declared_quantity(quantity_named(check.quantity), ranges_of(check), check.direction)
    except (InputError, LookupError) as error:
        raise WitnessError(str(error)) from None


def slack_of_answered(checks: Iterable[Check]) -> dict[str, Fraction]:
    """Return the declared slack of each quantity that was answered, by name."""
    return {
        check.quantity: declared(check.slack, check.quantity) for check in checks if check.cases
    }


def usual_of(checks: Iterable[Check]) -> dict[str, Quantity]:
    """Return what was answered on its usual side, by name, each as it is declared."""
    return on_usual_side(quantity_of(check) for check in checks if check.cases)


def slack_of(check: Check) -> Fraction:
    """Return the relative error on an unsafe side that passed by what a check was judged by."""
    return admitted_slack(quantity_of(check), *declared_of(check))


def largest_slack(checks: Iterable[Check]) -> Fraction:
    """Return the largest slack by which answers were judged; 0 where nothing was run."""
    return max((slack_of(check) for check in checks if check.cases), default=Fraction(0))


_UNBOUNDED = "unbounded"
_NOWHERE = "at"
# In units in the last place. An exact truth is judged by ends of 128 bits, 2^-74 of such a unit or
# less from those of its decimals, which may lie inside.
_ROUNDING = Fraction(1, 2**40)


def require_distance(
    check: Check, worst: Witness, value: Real, truth: Enclosure, size: Enclosure
) -> None:
    """Raise WitnessError unless the stated distance and side can be those of the worst case.

    ``truth`` is what is found now, ``size`` encloses the largest entry's, or this number's own.
    """
    name = f"{check.quantity}, {check.check}"
    _require_side(check.side, truth, value, size, name)
    stated = stated_enclosure(worst.lower, worst.upper, name)
    if not is_finite(value) or {"inf", "-inf"} & {worst.lower, worst.upper}:
        _require_unbounded(check, worst, value, name)
    elif check.ulps == _UNBOUNDED:
        if not worst.entry or check.side != "unknown":  # the largest entry may be infinite
            raise WitnessError(f"{name}: the answer's distance from the truth is not unbounded")
    else:
        _require_at_least(check, stated, value, name, of_an_entry=bool(worst.entry))
        _require_at_most(check, value, truth, size, name)


def _require_side(side: str, truth: Enclosure, value: Real, size: Enclosure, name: str) -> None:
    if not is_finite(value) or side == _NOWHERE:
        return
    _, found = distance(truth, Fraction(value), size)
    if found not in (side, _NOWHERE, "unknown"):
        raise WitnessError(f"{name}: the answer is {found} the truth, not {side}")


def _require_unbounded(check: Check, worst: Witness, value: Real, name: str) -> None:
    """Require what is always told where the answer, or an end of the truth, is infinite."""
    told, infinite = (_UNBOUNDED, "unknown"), worst.lower == worst.upper == "inf"
    if not is_finite(value):
        at = infinite and value > 0
        told = ("0", _NOWHERE) if at else (_UNBOUNDED, "above" if value > 0 else "below")
    elif infinite:
        told = _UNBOUNDED, "below"
    if (check.ulps, check.side) != told:
        raise WitnessError(f"{name}: the distance is {' '.join(told)}, not {check.ulps}")


def _require_at_least(
    check: Check, stated: Enclosure, value: Real, name: str, *, of_an_entry: bool
) -> None:
    """Require as much as the stated enclosure leaves, which holds the one that was judged by.

    The unit is the last place of the larger end, so that of the stated enclosure is no smaller. Of
    an entry the largest one's size gives the unit, which is not stated: there only 0 is refused.
    """
    least, side = distance(stated, Fraction(value), largest_size(stated))
    if least is None or least <= _ROUNDING:
        return
    if check.side != side:
        raise WitnessError(f"{name}: the answer is {side} the truth, not {check.side}")
    said = _said(check, name)
    if said.high <= Dyadic(0) or (not of_an_entry and said.high.compared_with(least) < 0):
        raise WitnessError(f"{name}: the answer is {figures_up(least)} ulps off, not {check.ulps}")


def _require_at_most(
    check: Check, value: Real, truth: Enclosure, size: Enclosure, name: str
) -> None:
    """Require no more, rounded up, than from the farther end that is found, in the least unit."""
    least_size = Enclosure(size.low, size.low)
    ends = [
        distance(Enclosure(end, end), Fraction(value), least_size)[0]
        for end in (truth.low, truth.high)
    ]
    if None in ends:
        return
    most = figures_up(max(end for end in ends if end is not None))
    if _said(check, name).low > stated_enclosure(most, most, name).high:
        raise WitnessError(f"{name}: the answer is {most} ulps off at most, not {check.ulps}")


def _require_as_narrow(stated: Enclosure, found: Callable[[], Enclosure], name: str) -> None:
    """Raise WitnessError where an enclosure of no published width is wider than what is found.

    That is by the engine that judged the case, in its own steps: as wide as it was then, if there
    is as much time; and printed as it was, which the least numbers are with few figures.
    """
    if not is_as_narrow(stated, lambda: stated_enclosure(*found().decimals(TRUTH_DIGITS), name)):
        raise WitnessError(f"{name}: the stated enclosure is wider than what is found")


def _said(check: Check, name: str) -> Enclosure:
    """Return the stated distance, whatever its exponent."""
    text = check.ulps or "0"
    return stated_enclosure(text, text, name)


# The relation that holds an answer against the same one, so that there is a distance between them.
_ASKED_TWICE = "determinism"
_NO_DISTANCE = "unbounded", "none"


def is_of_a_relation(check: Check) -> bool:
    """Whether a check holds answers against each other, and not one against the truth."""
    return check.check not in AGAINST_THE_TRUTH


def rests_on_a_truth(worst: Witness) -> bool:
    """Whether a relation's case needs more than the backend's answers."""
    return any(other.value is None for other in worst.others)


def _relation_witness_verdict(check: Check, seconds: float, *, told: bool = True) -> Verdict:
    """Judge the case of a relation anew, in so many seconds an engine, and return what is found.

    Without ``told`` its distance and side are not stated. Raises WitnessError where it comes out
    otherwise than is stated, or is no case of the relation.
    """
    worst, name = check.worst, f"{check.quantity}, {check.check}"
    if worst is None:
        return check.verdict
    value = answer_written(worst.value, name)
    found, against, note = judged(check, worst, value, name, by_both_engines(seconds))
    stated = stated_enclosure(worst.lower, worst.upper, name)
    if not against.overlaps(stated):
        raise WitnessError(f"{name}: the answer is held against something else than is stated")
    if standing(check.verdict, found) is None:
        raise WitnessError(f"{name}: the worst case is {found}, not {check.verdict}")
    if Verdict.CERTIFIED is check.verdict is found and (note == "loose") != bool(check.loose):
        raise WitnessError(f"{name}: the worst case is not the one that is loose, if any is")
    if told:
        distance_found = _off_by(check, value, against)
        if (check.ulps, check.side) != distance_found:
            said = f"{check.ulps} {check.side}"
            raise WitnessError(f"{name}: the distance is {' '.join(distance_found)}, not {said}")
        _require_as_narrow(
            stated, lambda: judged(check, worst, value, name, by_the_first_engine)[1], name
        )
    return found


def _off_by(check: Check, value: Real, against: Enclosure) -> tuple[str, str]:
    """Return how far apart two answers to one question are; no other relation has a distance."""
    if check.check != _ASKED_TWICE:
        return _NO_DISTANCE
    if isinstance(value, float) or not against.high.is_finite:
        return ("0", "at") if value == against.upper else ("unbounded", "unknown")
    ulps, side = distance(against, value, against)
    return ("unbounded" if ulps is None else figures_up(ulps)), side


def judged(
    check: Check, worst: Witness, value: Real, name: str, truths: Truths
) -> tuple[Verdict, Enclosure, Note]:
    """Judge a law's case with these truths; return what it is held against, and a note, too.

    Raises WitnessError where it is no case of the law.
    """
    accuracy = None if check.accuracy is None else declared(check.accuracy, name)
    try:
        return relation_verdict(
            check.check,
            quantity_of(check),
            point_written(worst.parameters, name),
            value,
            list(_others(worst, name)),
            declared(check.slack, name),
            accuracy,
            truths,
            place=tuple(worst.entry),
        )
    except (InputError, LookupError) as error:
        raise WitnessError(f"{name}: {str(error).removeprefix(f'{check.check}: ')}") from None


def _others(worst: Witness, name: str) -> Iterator[StatedOther]:
    for other in worst.others:
        value = None if other.value is None else answer_written(other.value, name)
        yield StatedOther(other.quantity, point_written(other.parameters, name), value)


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
    agree as well, and says where a root is looked for first. Raises WitnessError where it does not.
    """
    worst = check.worst
    if worst is None or check.verdict is Verdict.ERROR:
        return check.verdict  # no pass, and an exception cannot be worked out again
    told = told and check.verdict is not Verdict.UNDECIDED
    if is_of_a_relation(check):
        return _relation_witness_verdict(check, seconds, told=told)
    _require_alone(check, worst)
    name = f"{check.quantity}, {check.check}"
    value, rule, place = answer_written(worst.value, name), rule_of(check), tuple(worst.entry)
    both, stated = by_both_engines(seconds), stated_enclosure(worst.lower, worst.upper, name)
    with looking_near(stated):
        whole = _truth(check, worst, rule, value, name, both)
    truth = _entry_in_time(whole, place)
    if truth == Enclosure.nothing_known():
        return Verdict.UNDECIDED
    if not truth.overlaps(stated):
        raise WitnessError(f"{name}: the stated enclosure is not that of the truth")
    found = verdict_on(rule, whole, place, value)
    quantity = quantity_of(check)
    if found is Verdict.REFUTED and is_printed(quantity, rule):
        exact = quantity.read(point_written(worst.parameters, name))
        found = beyond_the_least(quantity, exact, rule, value, both)
    too_little = _says_too_little(check, found)
    if standing(check.verdict, found) is None and not too_little:
        raise WitnessError(f"{name}: the worst case is {found}, not {check.verdict}")
    notes = {note_of(quantity, check.check, value, one) for one in (truth, stated)}
    _require_counted(check, notes)
    if told:
        require_distance(check, worst, value, truth, largest_size(whole))
    # A wider truth makes of an answer that says nothing one of which no more can be said.
    if told or len(notes) > 1:
        _require_as_narrow(
            stated,
            lambda: _entry_in_time(
                _truth(check, worst, rule, value, name, by_the_first_engine), place
            ),
            name,
        )
    # That this answer alone passes makes no pass of a check whose answers say nothing.
    return check.verdict if too_little else found


def _require_counted(check: Check, notes: set[Note]) -> None:
    """Raise WitnessError where the worst case is of a sort that is not counted.

    ``notes`` are what is said of it by the enclosure that is found, and by the one that is stated,
    which may part at the very end of a range.
    """
    name = f"{check.quantity}, {check.check}"
    if notes == {"trivial"} and not check.trivial:
        raise WitnessError(f"{name}: its worst case says nothing, and none is counted that does")
    if notes == {""} and check.trivial == check.open:
        raise WitnessError(f"{name}: its worst case says something, and none is counted that does")
    if notes == {"closed"} and check.open + check.errors == check.cases:
        raise WitnessError(f"{name}: of its worst case no more can be said, and of all it is told")


def _says_too_little(check: Check, found: Verdict) -> bool:
    """Whether the worst case passes and the check does not: too many answers say nothing."""
    passes = found is Verdict.CERTIFIED and check.verdict is Verdict.INAPPLICABLE
    return passes and not counts_of(check).say_enough


def _entry_in_time(whole: Enclosed, place: Place) -> Enclosure:
    """Return an entry; where there was no time for a single one of an array, nothing is known."""
    if place and isinstance(whole, Enclosure):
        return Enclosure.nothing_known()
    return entry_at(whole, place)


def _require_alone(check: Check, worst: Witness) -> None:
    """Require that an answer that is held against the truth is held against nothing else."""
    if worst.others:
        raise WitnessError(f"{check.quantity}, {check.check}: it is compared with other answers")


def _truth(
    check: Check,
    worst: Witness,
    rule: Rule,
    value: Real,
    name: str,
    truths: Truths,
) -> Enclosed:
    place = tuple(worst.entry)
    quantity = quantity_of(check)
    try:
        exact = quantity.read(point_written(worst.parameters, name))
    except InputError as error:
        raise WitnessError(f"{name}: {error}") from None

    def decided(truth: Enclosed) -> bool:
        return verdict_on(rule, truth, place, value) is not Verdict.UNDECIDED

    try:
        return truths(quantity, exact, decided)
    except LookupError as error:
        raise WitnessError(f"{name}: {error}") from None


def rule_of(check: Check) -> Rule:
    """Return the rule of a check against the truth. Raises WitnessError where there is none."""
    slack, accuracy = declared_of(check)
    try:
        rules = rules_for(quantity_of(check), slack, accuracy)
    except InputError as error:
        raise WitnessError(str(error)) from None
    for rule in rules:
        if rule.check == check.check:
            return rule
    raise WitnessError(f"{check.quantity} has no check called {check.check}")


def require_own_forwards(checks: Sequence[Check]) -> None:
    """Raise WitnessError where a backend's own forward quantity was answered and not asked.

    A backend that admits more slack for it than relations do is not asked: it would prove nothing.
    """
    slack = slack_of_answered(checks)
    answers = usual_of(checks)
    for check in checks:
        if check.check == Inverse.check and check.verdict in (Verdict.CERTIFIED, Verdict.REFUTED):
            forward = inverse_of(quantity_of(check)).quantity
            if slack.get(forward, Fraction(1)) <= SLACK_OF_RELATIONS:
                _require_asked(check, forward, answers.get(forward))


def _require_asked(check: Check, forward: str, asked: Quantity | None) -> None:
    worst, name = check.worst, f"{check.quantity}, {check.check}"
    if worst is None or any(other.value is not None for other in worst.others):
        return
    quantity, slack = quantity_of(check), declared(check.slack, name)
    value = answer_written(worst.value, name)
    try:
        point = quantity.read(point_written(worst.parameters, name))
    except InputError as error:
        raise WitnessError(f"{name}: {error}") from None
    further = asks_further(quantity, point, value, slack)
    if further is not None and asked is not None and asked.admits(exact_point(further)):
        raise WitnessError(f"{name}: the backend answers {forward}, and was not asked for it")
