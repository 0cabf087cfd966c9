"""The second opinion on a truth that a verdict rests on."""

from __future__ import annotations

from collections.abc import Mapping

from ...reference.domain import Value
from ...reference.enclosure import Enclosure
from ...reference.enclosures import Place, entry_at
from ...reference.errors import SoundnessError
from ...reference.evaluation import evaluate
from ...reference.exact import exact_text
from ...reference.precision import MAX_SECONDS, Budget
from .judgement import CASE_MAX_BITS

_DIGITS = 17


def second_opinion_on(
    quantity: str,
    exact: Mapping[str, Value],
    truth: Enclosure,
    seconds: float = MAX_SECONDS,
    *,
    place: Place = (),
) -> str:
    """Ask the second engine about a truth: ``overlaps``, or ``undecided`` after so many seconds.

    The truth is a number, or the entry of an array that has this place.
    Raises SoundnessError if the two engines contradict each other: then nothing is decided.
    """
    budget = Budget(seconds, CASE_MAX_BITS)
    answer = evaluate(quantity, exact, digits=_DIGITS, engine="second", budget=budget)
    if answer.enclosure == Enclosure.nothing_known():
        return "undecided"
    if not entry_at(answer.enclosure, place).overlaps(truth):
        at = ", ".join(f"{name} = {exact_text(value)}" for name, value in exact.items())
        raise SoundnessError(f"the two engines contradict each other on {quantity} at {at}")
    return "overlaps" if answer.narrow else "undecided"
