"""A relation tried again with the answers that are written down: it comes to the same case."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from ....reference.errors import InputError
from ....reference.quantity import Quantity
from ...backends.answers import Real
from ...points import Given, Line, real_in, written_point, written_real
from .cases import relations_for
from .relation import Declared, First, Found, NoNumberError

# The name of a quantity, a point as it is written, and what was answered there.
_Answer: TypeAlias = tuple[str, object, str]


class _NotWrittenError(Exception):
    """A relation asks what no line has an answer to."""


def is_of_its_point(line: Line, quantity: Quantity, first: First, declared: Declared) -> bool:
    """Whether a relation's line is the case that it comes to, by what it says was answered.

    So moves, neighbours and releases are those that the point and the turn choose. An answer is
    taken as it is written; what it was before, too, where one point was asked twice.
    """
    (relation,) = (one for one in relations_for(quantity) if one.check == line.check)
    for answers in _orders(line):
        try:
            found = relation.found(quantity, first, _Written(answers), declared)
        except (NoNumberError, _NotWrittenError):
            continue
        if _is_written(found, line):
            return True
    return False


def _orders(line: Line) -> Iterator[Sequence[_Answer]]:
    """Yield the answers of a line, the one that is judged first and last."""
    own = (line.quantity, line.parameters, line.value)
    others = [
        (each.quantity, each.parameters, each.value)
        for each in line.others
        if each.value is not None
    ]
    yield [own, *others]
    yield [*others, own]


class _Written:
    """Answers as a backend would, by the first of the answers that are written for a point."""

    def __init__(self, answers: Sequence[_Answer]) -> None:
        self._answers = answers

    def __call__(self, name: str, point: Given) -> object:
        asked = name, written_point(point)
        for *where, value in self._answers:
            if tuple(where) == asked:
                return number_in(value)
        raise _NotWrittenError


def number_in(text: str) -> Real:
    """Return the number that was answered, NaN where what is written is none."""
    try:
        return real_in(text)
    except InputError:
        return math.nan


def _is_written(found: Found, line: Line) -> bool:
    others = [(each.quantity, written_point(each.parameters), each.value) for each in found.others]
    return (
        (written_point(found.parameters), written_real(found.value), list(found.place))
        == (line.parameters, line.value, line.entry)
        and others == [(each.quantity, each.parameters, each.value) for each in line.others]
    )  # fmt: skip
