"""Relations: a backend's answers held against each other, and against what follows from them.

Each relation is a check of its own, beside direction and accuracy, and has one case at each point
that relations are tried at (``campaign.batches``). Their order is that of ``RELATIONS``.

**How to write a relation** (``relation.Relation``). It is a class in a module beside this one, with
a line in ``RELATIONS``. ``check`` is its name, and ``wording`` how reports tell of it.
``applies_to`` tells by the registry alone whether there is such a check of a quantity.
``found`` is given the campaign's point with its answer
and returns the case: the answer that is judged, where it was given, and ``others``: further answers
of the backend (asked with ``ask``) and truths (no value). It chooses by ``first`` alone, so that a
campaign repeats itself; a choice among several things is made by ``first.turn``. An answer that is
no number is a NoNumberError, which ``number_answered`` raises. ``verdict_on`` decides by the
witness alone and is the only thing that does, in a campaign and in ``verify``: it refuses, with
InputError, what is not of the relation's form, and asks ``truths`` for every truth; a truth that
was enclosed is what it returns as the enclosure, and stands in ``others`` without a value, so that
the second engine can be asked about the first of them.

Reading a certificate: ``relation_verdict``. Parameters are given nested as they were written, with
exact numbers; ``slack`` and ``accuracy`` are the quantity's own (accuracy: that of its accuracy
check, None where it has no such check). A check's second opinion is "inapplicable" where no other
is a truth; distances are told of determinism alone ("unbounded" and "none" elsewhere).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from ....reference.enclosure import Enclosure, Place
from ....reference.errors import InputError
from ....reference.exact import shown
from ....reference.quantity import Quantity, Side, quantity_named
from ...backends.answers import Real
from ...backends.declarations import on_usual_side
from ...backends.protocol import Backend
from ...points import Case, Given, Note, is_finite, written_real
from ...verdict import Verdict
from ..case import answered
from ..judgement import DEFAULT_ACCURACY, distance
from .adjacency import Adjacency
from .determinism import Determinism
from .form import Form
from .inverse import Inverse
from .limit import Limit
from .monotone import Monotone
from .noise import Noise
from .relation import (
    Declared,
    First,
    Found,
    NoNumberError,
    Other,
    Relation,
    Truths,
    Witness,
    as_witness,
    by_the_first_engine,
    is_a_place,
)

# Adjacency and noise are one check: of neighbours, and of two secrets under Laplace noise.
RELATIONS: tuple[Relation, ...] = (
    Determinism(),
    Monotone(),
    Limit(),
    Inverse(),
    Adjacency(),
    Noise(),
    Form(),
)
# Those that are not tried along with a point's other relations: at a batch's end, at a campaign's.
_LATER = (Determinism.check, Form.check)
# The names of these checks, in their order.
LAWS: tuple[str, ...] = tuple(dict.fromkeys(relation.check for relation in RELATIONS))


class StatedOther(NamedTuple):
    """An entry of a written witness's ``others``, with exact numbers; nothing else is required."""

    quantity: str
    parameters: Mapping[str, Any]
    value: Real | None


def relations_for(quantity: Quantity) -> tuple[Relation, ...]:
    """Return the relations that say anything about a quantity, in their order."""
    return tuple(relation for relation in RELATIONS if relation.applies_to(quantity))


def relation_verdict(
    check: str,
    asked: Quantity,
    parameters: Mapping[str, Any],
    value: Real,
    others: Sequence[StatedOther],
    slack: Fraction,
    accuracy: Fraction | None,
    truths: Truths,
    *,
    place: Place = (),
) -> tuple[Verdict, Enclosure, Note]:
    """Judge a written witness anew, where a truth is needed as ``truths`` encloses it.

    Returns the verdict, what the answer is held against, and whether it is only loose. Raises
    InputError where there is no such relation of the quantity, or the witness is not of its form.
    """
    relation = next(
        (relation for relation in relations_for(asked) if relation.check == check), None
    )
    if relation is None:
        raise InputError(f"{asked.name} has no check called {check}")
    if not is_a_place(asked, place):
        raise InputError(f"{check}: {asked.name} has no entry {place}")
    read = tuple(_read(other) for other in others)
    witness = Witness(asked, asked.read(parameters), value, read, place)
    return _ruled(relation, witness, slack, accuracy, truths)


def _ruled(
    relation: Relation,
    witness: Witness,
    slack: Fraction,
    accuracy: Fraction | None,
    truths: Truths,
) -> tuple[Verdict, Enclosure, Note]:
    """Judge a witness; what is coarser than it need be refutes where an accuracy is declared."""
    found = relation.verdict_on(witness, slack, accuracy, truths)
    if found.verdict is Verdict.REFUTED and found.of_quality and accuracy is None:
        return Verdict.CERTIFIED, found.against, "loose"
    is_loose = found.is_loose and found.verdict is Verdict.CERTIFIED
    return found.verdict, found.against, "loose" if is_loose else ""


def _read(other: StatedOther) -> Other:
    quantity = quantity_named(other.quantity)
    return Other(quantity, quantity.read(other.parameters), other.value)


_NOTHING = Enclosure.nothing_known()


class Relating:
    """Tries the relations of a quantity of a backend, in three parts.

    First, in their order, those that ask elsewhere; determinism asks again at the end of a batch,
    after all that was asked between, and what was asked last first; other forms are asked at the
    end of a campaign.
    """

    def __init__(self, quantity: Quantity, backend: Backend) -> None:
        self._quantity, self._backend = quantity, backend
        self._declared = Declared(
            usual_answers(backend), backend.slack, _accuracies(quantity, backend)
        )

    def cases_at(self, first: First) -> Iterator[Case]:
        """Yield the cases of the relations that ask elsewhere; none asks more without an answer."""
        for relation in relations_for(self._quantity):
            if relation.check not in _LATER:
                yield self._case(relation, first)

    def again(self, first: First) -> Case:
        """Return the case of determinism, asked now."""
        return self._case(Determinism(), first)

    def in_other_forms(self, first: First, others: Sequence[object]) -> Case:
        """Return the case of the other forms, in which these are the answers."""
        return self._case(Form(others), first)

    def _case(self, relation: Relation, first: First) -> Case:
        found = _found(relation, self._quantity, first, self._ask, self._declared)
        return _case(relation, self._quantity, found, self._declared)

    def _ask(self, name: str, point: Given) -> object:
        return answered(self._backend.quantities[name], point)


def relation_cases_at(quantity: Quantity, backend: Backend, first: First) -> Iterator[Case]:
    """Yield the case of each relation at one point, in their order; determinism asks last."""
    relating = Relating(quantity, backend)
    others = list(relating.cases_at(first))
    yield relating.again(first)
    yield from others


def usual_answers(backend: Backend) -> dict[str, Quantity]:
    """Return the quantities that are answered on the registry's side, each as it is declared."""
    return on_usual_side(map(backend.quantity, backend.quantities))


def _accuracies(quantity: Quantity, backend: Backend) -> dict[str, Fraction]:
    """Return the accuracies that are promised, and the one that is expected where none is."""
    default = {quantity.name: DEFAULT_ACCURACY} if quantity.safe is Side.NONE else {}
    return {**default, **backend.accuracy}


def _found(
    relation: Relation, quantity: Quantity, first: First, ask: object, declared: Declared
) -> Found | NoNumberError:
    try:
        return relation.found(quantity, first, ask, declared)  # type: ignore[arg-type]
    except NoNumberError as error:
        return error


def _case(
    relation: Relation, quantity: Quantity, found: Found | NoNumberError, declared: Declared
) -> Case:
    if isinstance(found, NoNumberError):
        return _error(relation, quantity, found)
    slack = declared.slack.get(quantity.name, Fraction(0))
    accuracy = declared.accuracy.get(quantity.name)
    verdict, against, note = _ruled(
        relation, as_witness(quantity, found), slack, accuracy, by_the_first_engine
    )
    ulps, side = relation_off_by(relation.check, found.value, against)
    violation = ulps or Fraction(0)
    return Case(
        quantity.name,
        relation.check,
        dict(found.parameters),
        written_real(found.value),
        verdict,
        against,
        ulps,
        side,
        violation,
        "",
        found.place,
        found.others,
        note=note,
    )


def _error(relation: Relation, quantity: Quantity, error: NoNumberError) -> Case:
    return Case(
        quantity.name,
        relation.check,
        dict(error.parameters),
        shown(error.answer),
        Verdict.ERROR,
        _NOTHING,
        None,
        "none",
        Fraction(0),
        error.reason,
    )


def relation_off_by(check: str, value: Real, against: Enclosure) -> tuple[Fraction | None, str]:
    """Return how far apart two answers to one question are; other relations have no distance."""
    if check != "determinism":
        return None, "none"
    if isinstance(value, float) or not against.high.is_finite:
        same = not is_finite(value) and value == against.upper
        return (Fraction(0), "at") if same else (None, "unknown")
    return distance(against, value, against)
