"""Laws: a backend's answers held against each other, and against what follows from them.

Each law is a check of its own, beside direction and accuracy, and has one case at each point that
laws are tried at (``campaign.batches``). The names, in their order: determinism, monotone, limit,
inverse, adjacency.

**How to write a law** (``law.Law``). ``applies_to`` tells by the registry alone whether there is
such a check of a quantity; ``needs`` names what a backend has to answer besides, or the check is
inapplicable with no case. ``found`` is given the campaign's point with its answer and returns the
case: the answer that is judged, where it was given, and ``others``: further answers of the backend
(asked with ``ask``) and truths (no value). It chooses by ``first`` alone, so that a campaign
repeats itself; a choice among several things is made by ``first.turn``. An answer that is no number
is a NoNumberError, which ``number_answered`` raises. ``verdict_on`` decides by the witness alone
and is the only thing that does, in a campaign and in ``verify``: it refuses, with InputError, what
is not of the law's form, and asks ``truths`` for every truth; a truth that was enclosed is what it
returns as the enclosure, and stands in ``others`` without a value, so that the second engine can be
asked about the first of them.

Reading a certificate: ``law_verdict``. Parameters are given nested as they were written, with
exact numbers; ``slack`` and ``accuracy`` are the quantity's own (accuracy: that of its accuracy
check, None where it has no such check). A check's second opinion is "inapplicable" where no other
is a truth; distances are told of determinism alone ("unbounded" and "none" elsewhere).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ....reference.enclosure import Enclosure
from ....reference.enclosures import Place
from ....reference.errors import InputError
from ....reference.quantity import Quantity, quantity_named
from ...backends.answers import Real
from ...verdict import Verdict
from .adjacency import Adjacency
from .determinism import Determinism
from .inverse import Inverse
from .law import Law, Other, Witness, is_a_place
from .limit import Limit
from .monotone import Monotone
from .noise import Noise
from .truths import by_both_engines

__all__ = ["LAWS", "LawOther", "law_verdict", "laws_for"]

# The last two are one check: of neighbours, and of two secrets under Laplace noise.
LAWS: tuple[Law, ...] = (Determinism(), Monotone(), Limit(), Inverse(), Adjacency(), Noise())


class LawOther(NamedTuple):
    """An entry of a written witness's ``others``, with exact numbers; nothing else is required."""

    quantity: str
    parameters: Mapping[str, Any]
    value: Real | None


def laws_for(quantity: Quantity) -> tuple[Law, ...]:
    """Return the laws that say anything about a quantity, in their order."""
    return tuple(law for law in LAWS if law.applies_to(quantity))


def law_verdict(
    check: str,
    quantity: str,
    parameters: Mapping[str, Any],
    value: Real,
    others: Sequence[LawOther],
    slack: Fraction,
    accuracy: Fraction | None,
    seconds: float,
    *,
    place: Place = (),
) -> tuple[Verdict, Enclosure]:
    """Judge a written witness anew, by both engines where a truth is needed.

    Returns the verdict and what the answer is held against. Raises InputError where there is no
    such law of the quantity, or the witness is not of its form.
    """
    asked = quantity_named(quantity)
    law = next((law for law in laws_for(asked) if law.check == check), None)
    if law is None:
        raise InputError(f"{quantity} has no check called {check}")
    if not is_a_place(asked, place):
        raise InputError(f"{check}: {quantity} has no entry {place}")
    read = tuple(_read(other) for other in others)
    witness = Witness(asked, asked.read(parameters), value, read, place)
    return law.verdict_on(witness, slack, accuracy, by_both_engines(seconds))


def _read(other: LawOther) -> Other:
    quantity = quantity_named(other.quantity)
    return Other(quantity, quantity.read(other.parameters), other.value)
