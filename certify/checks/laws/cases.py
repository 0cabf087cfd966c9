"""The cases of a backend's laws at one point of a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ....reference.enclosure import Enclosure
from ....reference.exact import shown
from ....reference.quantity import Quantity, Side
from ...backends.answers import Real
from ...backends.protocol import Backend
from ...points import Case, Given
from ...verdict import Verdict
from ..case import answered
from ..judgement import DEFAULT_ACCURACY, distance
from . import laws_for
from .law import Declared, First, Found, Law, NoNumberError, as_witness
from .truths import by_the_first_engine

_NOTHING = Enclosure.nothing_known()


def laws_that_apply(quantity: Quantity, backend: Backend) -> tuple[Law, ...]:
    """Return the laws of a quantity for which the backend answers all that is needed."""
    return tuple(
        law
        for law in laws_for(quantity)
        if all(name in backend.quantities for name in law.needs(quantity))
    )


def law_cases_at(quantity: Quantity, backend: Backend, first: First) -> Iterator[Case]:
    """Yield the case of each law, in their order.

    They are asked in the reverse order: so determinism asks again after all that was asked between.
    Nothing more is asked where the first answer is no answer.
    """
    declared = Declared(backend.quantities.keys(), backend.slack, _accuracies(quantity, backend))

    def ask(name: str, point: Given) -> object:
        return answered(backend.quantities[name], point)

    laws = laws_that_apply(quantity, backend)
    found = [_found(law, quantity, first, ask, declared) for law in reversed(laws)]
    for law, each in zip(laws, reversed(found), strict=True):
        yield _case(law, quantity, each, declared)


def _accuracies(quantity: Quantity, backend: Backend) -> dict[str, Fraction]:
    """Return the accuracies that are promised, and the one that is expected where none is."""
    default = {quantity.name: DEFAULT_ACCURACY} if quantity.safe is Side.NONE else {}
    return {**default, **backend.accuracy}


def _found(
    law: Law, quantity: Quantity, first: First, ask: object, declared: Declared
) -> Found | NoNumberError:
    try:
        return law.found(quantity, first, ask, declared)  # type: ignore[arg-type]
    except NoNumberError as error:
        return error


def _case(law: Law, quantity: Quantity, found: Found | NoNumberError, declared: Declared) -> Case:
    if isinstance(found, NoNumberError):
        return _error(law, quantity, found)
    slack = declared.slack.get(quantity.name, Fraction(0))
    accuracy = declared.accuracy.get(quantity.name)
    verdict, against = law.verdict_on(
        as_witness(quantity, found), slack, accuracy, by_the_first_engine
    )
    ulps, side = _off_by(law, found.value, against)
    violation = ulps or Fraction(0)
    return Case(
        quantity.name,
        law.check,
        dict(found.parameters),
        float(found.value).hex(),
        verdict,
        against,
        ulps,
        side,
        violation,
        "",
        found.place,
        found.others,
    )


def _error(law: Law, quantity: Quantity, error: NoNumberError) -> Case:
    return Case(
        quantity.name,
        law.check,
        dict(error.parameters),
        shown(error.answer),
        Verdict.ERROR,
        _NOTHING,
        None,
        "none",
        Fraction(0),
        error.reason,
    )


def _off_by(law: Law, value: Real, against: Enclosure) -> tuple[Fraction | None, str]:
    """Return how far apart two answers to one question are; other laws have no such distance."""
    if law.check != "determinism":
        return None, "none"
    if isinstance(value, float) or not against.high.is_finite:
        same = not against.high.is_finite and float(value).hex() == float(against.upper).hex()
        return (Fraction(0), "at") if same else (None, "unknown")
    return distance(against, value, against)
