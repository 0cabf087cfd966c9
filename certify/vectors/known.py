"""Inputs known to be hard: `known.toml`, and those at which backends were worst."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ...reference.domain import Value
from ...reference.errors import InputError
from ...reference.exact import parse_toml
from ...reference.quantity import Quantity
from ...reference.structures import RECORDS
from ..points import Point, exact_point
from ..search.corpus import kept_points
from .points import is_written

KNOWN_FILE = Path(__file__).with_name("known.toml")


def known_points(quantity: Quantity) -> list[Point]:
    """Return the inputs of a quantity that are known to be hard.

    Those of `known.toml`, and those at which backends were worst in earlier campaigns, in turn.
    """
    hard = (_as_doubles(quantity, table) for table in _known().get(quantity.name, ()))
    worst = (point for point in kept_points(quantity) if is_written(point))
    in_turn = zip_longest(hard, worst)
    return [point for pair in in_turn for point in pair if point is not None]


@cache
def _known() -> dict[str, list[dict[str, object]]]:
    table: dict[str, list[dict[str, object]]] = parse_toml(KNOWN_FILE.read_bytes(), "known.toml")
    return table


def _as_doubles(quantity: Quantity, table: dict[str, object]) -> Point | None:
    """Return the doubles nearest to a point; None where they are not in the domain."""
    try:
        exact = quantity.read(table)
        point: Point = {name: _nearest(value) for name, value in exact.items()}
    except (InputError, OverflowError):
        return None
    return point if is_written(point) and quantity.admits(exact_point(point)) else None


def _nearest(value: Value) -> Any:
    if isinstance(value, RECORDS):
        return type(value)._make(map(_nearest, value))
    if isinstance(value, tuple):
        return tuple(map(_nearest, value))
    if not isinstance(value, Fraction):
        return value
    nearest = float(value)
    if value and not nearest:
        raise OverflowError("a number underflows to 0")
    return nearest
