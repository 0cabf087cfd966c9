"""Points of a domain, or beside it: drawn, changed in one place, and written down exactly."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import rfc8785

from ...reference.domain import Table
from ...reference.exact import Texts, exact_json
from ...reference.quantity import Quantity
from ...reference.structures import RECORDS
from ..points import Given, Point, written_point
from ..search.strategies import points_from

# Digits of a case's name: 64 bits, so that two of a million cases are alike once in 10^7 files.
_ID_DIGITS = 16
# So many draws without a new point are the end: the domain may be a few points.
_MOST_BARREN = 1000
# Whole numbers beyond are not JSON's to carry exactly.
MAX_WHOLE = 2**53 - 1

Place = tuple[int, ...]


def drawn_points(quantity: Quantity, seed_text: str) -> Iterator[Point]:
    """Yield different points of the domain, for as long as there are new ones.

    They depend on the seed's text alone.
    """
    known: set[str] = set()
    barren = 0
    for point in points_from(quantity, seed_text):
        name = case_id(quantity.name, point)
        barren = barren + 1 if name in known else 0
        if barren == _MOST_BARREN:
            return
        if not barren:
            known.add(name)
            yield point


def case_id(quantity: str, point: Given) -> str:
    """Return the name of a case: a digest of what is asked, and of nothing else."""
    asked: Any = {"quantity": quantity, "inputs": written_point(point)}
    return hashlib.sha256(rfc8785.dumps(asked)).hexdigest()[:_ID_DIGITS]


def inputs_exact(point: Given) -> dict[str, Texts]:
    """Return a point in JSON: every number as a reduced fraction; what is none as its name."""
    return {name: exact_json(_exactly(value)) for name, value in point.items()}


def _exactly(value: Any) -> Any:
    if isinstance(value, RECORDS):
        return type(value)._make(map(_exactly, value))
    if isinstance(value, tuple):
        return tuple(map(_exactly, value))
    if isinstance(value, int | str):
        return value
    return Fraction(value) if math.isfinite(value) else value.hex()


def leaves(value: Any, place: Place = ()) -> Iterator[tuple[Place, float | int | str]]:
    """Yield every number and word of a value with its place, counted from 0."""
    if not isinstance(value, tuple):
        yield place, value
        return
    for at, item in enumerate(value):
        yield from leaves(item, (*place, at))


def is_quick(quantity: Quantity, point: Given) -> bool:
    """Whether the truth at a point is quick to find, by the inputs: so on every machine alike."""
    return all(
        (value >= float(bound.value)) if bound.lower else (value <= float(bound.value))
        for bound in quantity.quick
        for value in _bounded(quantity, point, bound.parameter)
        if not isinstance(value, str)
    )


def _bounded(quantity: Quantity, point: Given, bounded: str) -> list[Any]:
    """Return the values of a parameter, or of a table's column."""
    name, _, title = bounded.partition(".")
    value: Any = point[name]
    if title:
        domain = quantity.parameters[name]
        assert isinstance(domain, Table)
        at = [each for each, _ in domain.columns].index(title)
        value = tuple(row[at] for row in value)
    return [leaf for _, leaf in leaves(value)]


def numbers_of(point: Given) -> list[float | int]:
    """Return every number of a point."""
    return [
        leaf for value in point.values() for _, leaf in leaves(value) if not isinstance(leaf, str)
    ]


def changed(point: Given, name: str, place: Place, leaf: Any) -> Point:
    """Return a point with something else in one place of one parameter."""
    return {**point, name: replaced(point[name], place, leaf)}


def replaced(value: Any, place: Place, leaf: Any) -> Any:
    """Return a value with something else in one place."""
    if not place:
        return leaf
    items = [
        replaced(item, place[1:], leaf) if at == place[0] else item for at, item in enumerate(value)
    ]
    return type(value)._make(items) if isinstance(value, RECORDS) else tuple(items)


def is_finite(point: Mapping[str, Any]) -> bool:
    """Whether every number of a point is one."""
    return all(isinstance(number, int) or math.isfinite(number) for number in numbers_of(point))


def is_written(point: Given) -> bool:
    """Whether every whole number of a point is one that JSON carries exactly."""
    return all(abs(number) <= MAX_WHOLE for number in numbers_of(point) if isinstance(number, int))
