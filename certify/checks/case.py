"""One case: a point, what the backend answered there, the truth, and the verdict."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from ...reference.exact import shown
from ...reference.quantity import Quantity, Side
from ..backends.answers import called
from ..points import Case, Given, Line, Note, as_given, exact_point, written_real
from ..verdict import GRAVEST_CASE_FIRST, Verdict
from .judgement import AGAINST_THE_TRUTH, Rule, judge, note_of

# A verdict's place, and how far off an answer is.
Gravity: TypeAlias = tuple[int, bool, Fraction, bool, Fraction]


def answered(function: Callable[..., Any], point: Given) -> object:
    """Return what a backend's function answers, or the exception that it raised.

    Vectors are given to it as lists, tables as lists of lists, records as dictionaries. A backend
    under test may raise anything, SystemExit included; that is its answer, and an error for this
    case, as it is where the arguments were changed. Only an interruption by the user passes.
    """
    try:
        return called(function, lambda: as_given(point))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001
        return error


def case_from(
    quantity: Quantity, point: Given, answer: object, rule: Rule, bits: int | None = None
) -> Case:
    """Judge an answer by a rule; what would need more than so many bits is undecided."""
    judged = judge(quantity, exact_point(point), answer, rule, bits)
    return Case(
        quantity.name,
        rule.check,
        dict(point),
        shown(answer) if judged.value is None else written_real(judged.value),
        judged.verdict,
        judged.truth,
        judged.ulps,
        judged.side,
        violation_of(quantity, judged.ulps, judged.side),
        judged.reason,
        judged.place,
        note=note_of(quantity, rule.check, judged.value, judged.truth),
    )


def violation_of(quantity: Quantity, ulps: Fraction | None, side: str) -> Fraction:
    """Return how far on the wrong side an answer is, negative on the safe side."""
    if ulps is None:
        return Fraction(0)
    wrong = {Side.UPPER: "below", Side.LOWER: "above"}.get(quantity.safe, side)
    return ulps if side == wrong else -ulps


def faults_among(failed: Iterable[Case]) -> Callable[[Case], Hashable]:
    """Return what tells the faults of failed cases apart: a quantity, a point and the answer there.

    Several checks may fail by one. What is answered alike in every form is the fault that the check
    against the truth found, where that failed as well.
    """
    found = {case.quantity: case for case in failed if case.check in AGAINST_THE_TRUTH}

    def fault_of(case: Case) -> Hashable:
        case = found.get(case.quantity, case) if _is_alike(case) else case
        return case.quantity, tuple(case.parameters.items()), case.value

    return fault_of


def _is_alike(case: Case) -> bool:
    """Whether a case compares answers at one point that are the same."""
    own = case.quantity, case.parameters, case.value
    answers = [other for other in case.others if other.value is not None]
    return bool(answers) and all(
        (other.quantity, other.parameters, other.value) == own for other in answers
    )


def graver(first: Case, second: Case) -> Case:
    """Return the worse of two cases of one check; the earlier one if they are equally bad."""
    one, other = (
        gravity(case.verdict, case.note, None if case.ulps is None else case.violation)
        for case in (first, second)
    )
    return first if one >= other else second


def gravity_of(line: Line) -> Gravity:
    """Return how bad a line's case is, as far as the line tells it, for comparison."""
    return gravity(line.verdict, line.note, line.off)


def gravity(verdict: Verdict, note: Note, violation: Fraction | None) -> Gravity:
    """Return how bad a case is, for comparison: by its verdict, then by how far off it is.

    What is loose is worse than what is not. No violation is no finite distance.
    """
    off = Fraction(0) if violation is None else violation
    return (
        -GRAVEST_CASE_FIRST.index(verdict),
        note == "loose",
        max(off, Fraction(0)),
        violation is None,
        abs(off),
    )
