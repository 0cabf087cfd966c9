"""A campaign's drawn points asked again at its end, and in other forms.

All quantities were asked before; they come in reverse order now, and so do their points. The other
forms are a process that was asked no other quantity, with other threads and another locale, and
arrays of arguments, forwards and backwards, where a backend declares them. Of the points that are
asked for, those where two forms differ most come to a case, and then the first ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import cycle, islice
from typing import Any, NamedTuple

from ...reference.domain import Interval
from ...reference.quantity import Quantity, Shape
from ..backends.answers import Real, placed, real_answers
from ..backends.program import Terms, elsewhere, program_under
from ..backends.protocol import Backend
from ..checks.case import answered
from ..checks.relations import First, Relating
from ..points import Case, Many, Point

# An array has so many entries more than a multiple of so many, that a loop over two, four or eight
# at once has a rest. What is wanting comes first, and again where it belongs.
_REST, _AT_ONCE = 5, 8


class _Asked(NamedTuple):
    """A point, what was answered in this process, and in each of the other forms."""

    point: Point
    here: object
    others: tuple[object, ...]


def has_other_forms(quantity: Quantity, backend: Backend, terms: Terms | None) -> bool:
    """Whether a quantity of a backend can be asked in another form."""
    return terms is not None or (backend.vectorized and has_arrays(quantity))


def has_arrays(quantity: Quantity) -> bool:
    """Whether a quantity can be asked in arrays, of whoever takes them: numbers, of some reals."""
    return quantity.shape is Shape.NUMBER and bool(_arrays_of(quantity))


def cases_in_other_forms(
    quantity: Quantity, backend: Backend, terms: Terms | None, points: Sequence[Point], cases: int
) -> list[Case]:
    """Ask at the points, the last first, in every form, and return so many cases, the worst first.

    A backend has ``terms`` where it is a program, and so can be started once more.
    """
    relating = Relating(quantity, backend)
    asked = sorted(_asked(quantity, backend, terms, points), key=_apart, reverse=True)
    return [
        relating.in_other_forms(First(each.point, each.here, 0), each.others)
        for each in asked[:cases]
    ]


def _asked(
    quantity: Quantity, backend: Backend, terms: Terms | None, points: Sequence[Point]
) -> list[_Asked]:
    """Return the points in their order, with the answers in each form."""
    function = backend.quantities[quantity.name]
    backwards = points[::-1]
    here = [answered(function, point) for point in backwards][::-1]
    forms: list[list[object]] = []
    if terms is not None:
        forms.append(_elsewhere(quantity, terms, backwards)[::-1])
    if backend.vectorized and has_arrays(quantity):
        forms.append(_in_arrays(quantity, function, points))
        forms.append(_in_arrays(quantity, function, backwards)[::-1])
    others = zip(*forms, strict=True) if forms else iter([()] * len(points))
    return [_Asked(*each) for each in zip(points, here, others, strict=True)]


def _elsewhere(quantity: Quantity, terms: Terms, points: Sequence[Point]) -> list[object]:
    """Return the answers at points of a process that was asked nothing else."""
    program = program_under(elsewhere(terms))
    try:
        function = program.backend().quantities[quantity.name]
        return [answered(function, point) for point in points]
    finally:
        program.close()


def _arrays_of(quantity: Quantity) -> list[str]:
    """Return the parameters that may be arrays: the real ones."""
    return [
        name
        for name, kind in quantity.parameters.items()
        if isinstance(kind, Interval) and kind.kind == "real"
    ]


def _in_arrays(
    quantity: Quantity, function: Callable[..., Any], points: Sequence[Point]
) -> list[object]:
    """Return the answers at points, those that share all other arguments asked in one call."""
    names = _arrays_of(quantity)
    groups: dict[object, list[int]] = {}
    for at, point in enumerate(points):
        rest = tuple((name, value) for name, value in point.items() if name not in names)
        groups.setdefault(rest, []).append(at)
    found: list[object] = [None] * len(points)
    for group in groups.values():
        wanting = (_REST - len(group)) % _AT_ONCE
        called = [*islice(cycle(group), wanting), *group]
        whole = dict(points[group[0]])
        whole |= {name: Many([points[at][name] for at in called]) for name in names}
        answers = _entries(answered(function, whole), len(called))[wanting:]
        for at, answer in zip(group, answers, strict=True):
            found[at] = answer
    return found


def _entries(answer: object, count: int) -> Sequence[object]:
    """Return what was answered for each of so many points, or for all why that is nothing."""
    values, _ = real_answers(answer)
    if values is None:
        return [answer] * count
    if not isinstance(values, tuple) or len(values) != count:
        return [
            _NoArrayError(f"asked for an array of {count} numbers, it answered otherwise")
        ] * count
    return values


class _NoArrayError(Exception):
    """An answer that is not the array that was asked for."""


def _apart(asked: _Asked) -> Real:
    """Return how far the answers of several forms are apart, in proportion to the largest."""
    read = [real_answers(answer)[0] for answer in (asked.here, *asked.others)]
    numbers = [dict(placed(values)) for values in read if values is not None]
    if not numbers:
        return Fraction(0)
    if len(numbers) < len(read) or any(each.keys() != numbers[0].keys() for each in numbers):
        return math.inf
    spreads = [_spread([each[place] for each in numbers]) for place in numbers[0]]
    return math.inf if math.inf in spreads else max(Fraction(spread) for spread in spreads)


def _spread(values: Sequence[Real]) -> Real:
    """Return how far apart numbers are, in proportion to the largest size among them."""
    if len(set(values)) == 1:
        return Fraction(0)
    if any(map(math.isinf, values)):
        return math.inf
    exact = [Fraction(value) for value in values]
    return (max(exact) - min(exact)) / max(map(abs, exact))
