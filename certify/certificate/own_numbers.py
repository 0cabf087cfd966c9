"""Whether a line of a transcript says of its case what follows from the line's own numbers.

No truth is enclosed here: it is taken as it stands on the line. What is then left of the issuer's
word are the answers, and that the truth is one.
"""

from __future__ import annotations

from typing import Final

from ...reference.enclosure import Enclosed, Enclosure, largest_size
from ...reference.exact import shown
from ...reference.quantity import Quantity
from ..backends.answers import Real
from ..checks.case import violation_of
from ..checks.judgement import AGAINST_THE_TRUTH, is_printed, note_of, off_by, verdict_on
from ..checks.relations import number_in, relation_off_by
from ..points import Line
from ..verdict import Verdict
from .errors import TranscriptError, WitnessError
from .models import Check, Witness
from .worst_case import judged, quantity_of, rule_of

# What fails by a printed number is held against the least that is sound, which is on no line.
_BEYOND_PRINT: Final = (Verdict.REFUTED, Verdict.INAPPLICABLE)


class _AsksMoreError(Exception):
    """A law asks for more truths than the one that a line has."""


def require_own_numbers(check: Check, case: Line, witness: Witness, number: int) -> None:
    """Require that verdict, note, distance and side are those of the answer and the truth.

    ``witness`` is the case as a certificate has it. Of an array a line has one entry alone, by
    which nothing is told of its size. Raises TranscriptError.
    """
    quantity, is_number = quantity_of(check), case.verdict is not Verdict.ERROR
    value = number_in(case.value) if is_number else None
    if case.check not in AGAINST_THE_TRUTH:
        if value is not None:
            _require_of_a_law(check, case, witness, value, number)
        return
    note = note_of(quantity, case.check, value, case.truth)
    if case.note != note:
        raise _unlike(number, f"the note {shown(case.note)} where {shown(note)} is due")
    if value is not None and not quantity.shape:
        _require_of_an_answer(check, case, quantity, value, number)


def _require_of_an_answer(
    check: Check, case: Line, quantity: Quantity, value: Real, number: int
) -> None:
    ulps, side, _ = off_by(case.truth, value, largest_size(case.truth))
    off = None if ulps is None else violation_of(quantity, ulps, side)
    if (case.off, case.side) != (off, side):
        raise _unlike(number, "another distance than it has")
    rule, due = rule_of(check), Verdict.UNDECIDED
    if case.truth != Enclosure.nothing_known():
        due = verdict_on(rule, case.truth, (), value)
    beyond = due is Verdict.REFUTED and is_printed(quantity, rule)
    if case.verdict not in (_BEYOND_PRINT if beyond else (due,)):
        raise _unlike(number, f"that it is {case.verdict}, which by its numbers is {due}")


def _require_of_a_law(check: Check, case: Line, witness: Witness, value: Real, number: int) -> None:
    """Judge a law's case again, where it rests on no other truth than the one of its line."""
    left = [] if quantity_of(check).shape else [case.truth]

    def stated(*_: object) -> Enclosed:
        if not left:
            raise _AsksMoreError
        return left.pop()

    try:
        verdict, against, note = judged(check, witness, value, case.check, stated)
    except _AsksMoreError:
        return
    except WitnessError as error:
        raise TranscriptError(f"line {number} of the transcript: {error}") from None
    if verdict is not case.verdict:
        raise _unlike(number, f"that it is {case.verdict}, which by its numbers is {verdict}")
    if case.note != note:
        raise _unlike(number, f"the note {shown(case.note)} where {shown(note)} is due")
    if case.truth != against:
        raise _unlike(number, "another truth than what its answer is held against")
    ulps, side = relation_off_by(case.check, value, against)
    if (case.off, case.side) != (ulps, side):
        raise _unlike(number, "another distance than it has")


def _unlike(number: int, said: str) -> TranscriptError:
    return TranscriptError(f"line {number} of the transcript tells {said}")
