"""Points and cases: the exact inputs of a quantity, an answer there, and how both are written.

A float is written as C99 hex, so nothing is lost; vectors are lists, records are objects, integers
and words stand as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, NamedTuple, TypeAlias

import rfc8785

from ..reference.domain import Value
from ..reference.enclosure import Enclosure
from ..reference.enclosures import Place
from ..reference.errors import InputError
from ..reference.exact import fields_of, shown
from ..reference.quantity import Quantity
from ..reference.structures import RECORDS, Record
from .verdict import Verdict

# What a parameter is drawn as: a float, an integer, a word, and tuples and records of such.
Number: TypeAlias = float | int
Drawn: TypeAlias = "Number | str | Record | tuple[Drawn, ...]"
Given: TypeAlias = Mapping[str, Drawn]
Point: TypeAlias = dict[str, Drawn]
# A campaign's points are drawn, by its seed alone, or found: kept, or met by a search.
PointKind: TypeAlias = Literal["drawn", "found"]

_TRUTH_DIGITS = 25
_ULPS_FIGURES = 3
# A list of networks, a network, a node, its table and a row: nothing that is written is deeper.
_DEEPEST = 5


class Answered(NamedTuple):
    """One more answer that a law compares with, as C99 hex; no value: the truth, enclosed."""

    quantity: str
    parameters: Given
    value: str | None


@dataclass(frozen=True)
class Case:
    """A judged answer. Floats are shown as C99 hex, so nothing is lost in writing them down.

    Where a vector or a matrix was asked for, it is the worst entry's, and ``entry`` says which.
    ``others`` are what a law compares the answer with, none for direction and accuracy; ``truth``
    is then what the law holds it against.
    """

    quantity: str
    check: str
    parameters: Given
    value: str
    verdict: Verdict
    truth: Enclosure
    ulps: Fraction | None
    side: str
    violation: Fraction
    reason: str
    entry: Place = ()
    others: tuple[Answered, ...] = ()
    kind: PointKind = "found"

    def exact_parameters(self) -> dict[str, Value]:
        """Return the parameters as the exact numbers that they are."""
        return exact_point(self.parameters)

    def as_json(self) -> dict[str, Any]:
        """Return the case in the shape that a certificate's witness has."""
        lower, upper = self.truth.decimals(_TRUTH_DIGITS)
        return {
            "parameters": written_point(self.parameters),
            "entry": list(self.entry),
            "value": self.value,
            "lower": lower,
            "upper": upper,
            "others": [
                {**other._asdict(), "parameters": written_point(other.parameters)}
                for other in self.others
            ],
        }

    def line(self) -> str:
        """Return the case as one canonical line of a transcript."""
        whole = {
            "quantity": self.quantity,
            "check": self.check,
            "verdict": self.verdict.value,
            "kind": self.kind,
            **self.as_json(),
        }
        return rfc8785.dumps(whole).decode() + "\n"

    def size(self) -> float:
        """Return about the truth's absolute value; for a picture, nothing is decided by it."""
        return abs(float(self.truth.decimals(_TRUTH_DIGITS)[1]))

    def ulps_text(self) -> str:
        """Return the distance in units in the last place, rounded up to three figures."""
        return "unbounded" if self.ulps is None else figures_up(self.ulps)


def figures_up(value: Fraction) -> str:
    """Return a non-negative number rounded up to three significant figures, as plain text."""
    return Enclosure.of(value).decimals(_ULPS_FIGURES - 2)[1]


def written(value: Drawn) -> Any:
    """Return an integer or a word as it is, a float as C99 hex text, lists and objects of them."""
    return _mapped(lambda item: item if isinstance(item, int) else float(item).hex(), value)


def written_point(point: Given) -> dict[str, Any]:
    """Return a point as it is written down, by the names of its parameters."""
    return {name: written(value) for name, value in point.items()}


def as_given(point: Given) -> dict[str, Any]:
    """Return a point as a backend is given it: lists for vectors, dictionaries for records."""
    return {name: _mapped(lambda item: item, value) for name, value in point.items()}


def _mapped(change: Callable[[Any], Any], value: Any) -> Any:
    """Return lists for tuples, dictionaries for records, words as they are, and numbers changed."""
    if isinstance(value, RECORDS):
        return {name: _mapped(change, item) for name, item in fields_of(value).items()}
    if isinstance(value, tuple):
        return [_mapped(change, item) for item in value]
    return value if isinstance(value, str) else change(value)


def exact_point(point: Given) -> dict[str, Value]:
    """Return the numbers that a point's floats exactly are."""
    return {name: _exactly(value) for name, value in point.items()}


def _exactly(value: Any) -> Any:
    if isinstance(value, RECORDS):
        return type(value)._make(map(_exactly, value))
    if isinstance(value, tuple):
        return tuple(_exactly(item) for item in value)
    return value if isinstance(value, int | str) else Fraction(value)


def point_from(quantity: Quantity, written: Mapping[str, Any]) -> Point:
    """Return a point of the domain as it was written. Raises InputError where it is none."""
    exact = quantity.read({name: _given(value, _DEEPEST) for name, value in written.items()})
    return {name: _as_drawn(value) for name, value in exact.items()}


def _given(value: Any, depth: int) -> Any:
    """Return a double for a text in hex, and words, integers, lists and objects of them."""
    if depth < 0:
        raise InputError("a kept point is nested too deeply")
    if isinstance(value, list):
        return [_given(item, depth - 1) for item in value]
    if isinstance(value, dict):
        return {key: _given(item, depth - 1) for key, item in value.items()}
    return _double(value) if isinstance(value, str) and "0x" in value else value


def _double(text: str) -> float:
    try:
        return float.fromhex(text)
    except (ValueError, OverflowError):
        raise InputError(f"{shown(text)} is no double in hex") from None


def _as_drawn(value: Value) -> Any:
    """Return what a search would have drawn: doubles for reals, all else as it is."""
    if isinstance(value, RECORDS):
        return type(value)._make(map(_as_drawn, value))
    if isinstance(value, tuple):
        return tuple(map(_as_drawn, value))
    if not isinstance(value, Fraction):
        return value
    if not _is_double(value):
        raise InputError(f"{shown(value)} is no double")
    return float(value)


def _is_double(value: Fraction) -> bool:
    try:
        return Fraction(float(value)) == value
    except OverflowError:
        return False
