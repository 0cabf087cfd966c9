"""The same point asked in another form: every such answer is held against the truth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from ....reference.enclosure import Enclosed, Enclosure, Place, entry_at
from ....reference.errors import InputError
from ....reference.likely import looking_near
from ....reference.quantity import Quantity, Side
from ...backends.answers import Real
from ...points import Given
from ...verdict import Verdict, overall_of_cases
from ..judgement import Rule, beyond_the_least, is_printed, root_at, rules_for, verdict_on
from .relation import (
    Ask,
    Declared,
    First,
    Found,
    NoNumberError,
    Ruling,
    Truths,
    Witness,
    Wording,
    answered_as,
    entries_answered,
)

# An array, the same in reverse, another process.
_MOST_FORMS = 3


class Form:
    """What is answered in another form is as sound as what was answered first.

    Other forms are arrays of arguments, the same in reverse, and another process, with other
    threads and another locale, that was asked no other quantity; ``others`` is what was answered in
    each. The first answer comes at a campaign's end, after all that was asked. None is refuted but
    by the truth: that two forms differ is loose, as libraries round otherwise from one to another.
    """

    check = "form"
    wording = Wording(
        "an answer in another form passes, too: after all other questions, in a process of its own "
        "with other threads and locale, in an array",
        "the truth",
        "In every form the answer passes.",
        "In one of the forms the answer does not pass.",
        "In two forms the answer is not the same; each passes.",
    )

    def __init__(self, others: Sequence[object] = ()) -> None:
        self._others = others

    def applies_to(self, quantity: Quantity) -> bool:  # noqa: ARG002
        """Whether the relation says anything about the quantity: it does about all of them."""
        return True

    def found(self, quantity: Quantity, first: First, ask: Ask, declared: Declared) -> Found:  # noqa: ARG002
        """Compare all forms; the first entry that differs is judged, its least safe answer."""
        here = entries_answered(quantity, first.point, first.answer)
        others = [_entries(quantity, first.point, other, here) for other in self._others]
        rows = list(zip(here, *others, strict=True))
        row = next((row for row in rows if len({value for _, value in row}) > 1), rows[0])
        place, values = row[0][0], [value for _, value in row]
        value = values.pop(_least_safe(quantity, values))
        told = [answered_as(quantity.name, first.point, other) for other in values]
        truth = answered_as(quantity.name, first.point, None)
        return Found(first.point, value, (*told, truth), place)

    def verdict_on(
        self, witness: Witness, slack: Fraction, accuracy: Fraction | None, truths: Truths
    ) -> Ruling:
        """Hold each answer against the truth, by the rules that hold for one alone."""
        quantity, place = witness.quantity, witness.place
        values = [witness.value, *_others_in(witness)]
        promised = {} if accuracy is None else {quantity.name: accuracy}
        held = list(product(rules_for(quantity, {quantity.name: slack}, promised), values))

        def decided(truth: Enclosed) -> bool:
            return all(
                verdict_on(rule, truth, place, value) is not Verdict.UNDECIDED
                for rule, value in held
            )

        with looking_near(root_at(quantity, witness.value)):
            truth = truths(quantity, witness.parameters, decided)
        if place and isinstance(truth, Enclosure):  # there was no time for a single entry
            return Ruling(Verdict.UNDECIDED, Enclosure.nothing_known())
        found = overall_of_cases(
            _verdict_on(rule, truth, witness, value, truths) for rule, value in held
        )
        differs = len(set(values)) > 1
        return Ruling(found, entry_at(truth, place), is_loose=differs)


def _least_safe(quantity: Quantity, values: Sequence[Real]) -> int:
    """Return which of the answers is least safe; without a safe side the rarest one."""
    if quantity.safe is Side.UPPER:
        return values.index(min(values))
    if quantity.safe is Side.LOWER:
        return values.index(max(values))
    return min(range(len(values)), key=lambda at: (values.count(values[at]), -at))


def _entries(
    quantity: Quantity, point: Given, answer: object, here: Sequence[tuple[Place, Real]]
) -> Sequence[tuple[Place, Real]]:
    """Return the numbers of an answer in another form, of the shape that the first one has."""
    entries = entries_answered(quantity, point, answer)
    if [place for place, _ in entries] != [place for place, _ in here]:
        raise NoNumberError(point, answer, "answered another shape in another form")
    return entries


def _verdict_on(
    rule: Rule, truth: Enclosed, witness: Witness, value: Real, truths: Truths
) -> Verdict:
    found = verdict_on(rule, truth, witness.place, value)
    if found is Verdict.REFUTED and is_printed(witness.quantity, rule):
        return beyond_the_least(witness.quantity, witness.parameters, rule, value, truths)
    return found


def _others_in(witness: Witness) -> Iterator[Real]:
    """Yield the answers in other forms. Raises InputError where what stands there is none."""
    *others, truth = witness.others or (None,)
    if not others or len(others) > _MOST_FORMS or truth is None or truth.value is not None:
        raise InputError(
            f"form: one to {_MOST_FORMS} other answers and the truth are compared with"
        )
    for other in (*others, truth):
        if other.quantity.name != witness.quantity.name or other.parameters != witness.parameters:
            raise InputError("form: another answer is not one at the same point")
    for other in others:
        if other.value is None:
            raise InputError("form: there is one truth")
        yield other.value
