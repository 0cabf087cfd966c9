"""Points of a domain: drawn, at its edges, known to be hard; changed in one place, and written.

Implementations fail at the ends of a domain, at those of joint conditions, and at the edges at
which both engines are asked.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

import rfc8785

from ...reference.domain import Entries, IndexSet, Interval, Law, Table, Value
from ...reference.errors import InputError
from ...reference.exact import Texts, exact_json
from ...reference.quantity import Quantity
from ...reference.second import edges
from ...reference.structures import RECORDS
from ..points import Given, Point, exact_point, written_point
from ..search.hunt import kept_points
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
    """Return the name of a case: a digest of the quantity and the inputs alone."""
    asked: Any = {"quantity": quantity, "inputs": written_point(point)}
    return hashlib.sha256(rfc8785.dumps(asked)).hexdigest()[:_ID_DIGITS]


def inputs_exact(point: Given) -> dict[str, Texts]:
    """Return a point in JSON: every number as a reduced fraction, NaN and infinities by name."""
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


# How far a number moves, by this share of it, for a condition that then breaks to be called narrow:
# a hundred times what evaluating it in doubles can be off by.
_ROUNDING = 2.0**-40
# Factors by which a number may leave a joint domain.
_AWAY = (2.0, 4.0, 16.0, 256.0, 2.0**20, 0.5, 0.25, 2.0**-4, 2.0**-8, 2.0**-20)


class _Edge(NamedTuple):
    """A point of the domain, and why it is there."""

    point: Point
    comment: str


def intervals_of(quantity: Quantity, point: Given) -> Iterator[tuple[str, Place, Interval, Any]]:
    """Yield every number of a point with an interval of its own: parameter, place, interval, value.

    Shares of a law are bound to one another, and are left out; so is what records hold.
    """
    for name, domain in quantity.parameters.items():
        value: Any = point[name]
        if isinstance(domain, Interval):
            yield name, (), domain, value
        elif isinstance(domain, Entries) and not isinstance(domain, Law | IndexSet):
            yield from ((name, (at,), domain.each, item) for at, item in enumerate(value))
        elif isinstance(domain, Table):
            for at, row in enumerate(value):
                for column, item in enumerate(row):
                    yield name, (at, column), domain.columns[column][1], item


def edge_points(quantity: Quantity, base: Given) -> Iterator[_Edge]:
    """Yield points at and next to the ends of the domain and of the search, made from one inside.

    And those that are the last double before a condition on several parameters breaks.
    """
    for name, place, interval, leaf in intervals_of(quantity, base):
        for value in _ends(interval):
            point = changed(base, name, place, value)
            if quantity.admits(exact_point(point)):
                yield _Edge(point, f"{name} at or next to an end")
        if isinstance(leaf, float) and leaf > 0:
            yield from _last_inside(quantity, base, (name, place, interval, leaf))


def _ends(interval: Interval) -> list[float | int]:
    """Return the ends of the domain, or the doubles next to them, and those of the search.

    No number next to 0 but 0 itself: what underflows, flags of their own are for.
    """
    low, high = map(Fraction, interval.search)
    if interval.kind == "integer":
        return [int(low), int(low) + 1, int(high)]
    ends = [float(low), float(high)]
    for end, inward in (
        (interval.above, math.inf),
        (interval.at_least, math.inf),
        (interval.below, -math.inf),
        (interval.at_most, -math.inf),
    ):
        if end is not None:
            ends.append(float(end))
            ends += [math.nextafter(float(end), inward)] if end else []
    return [end for end in dict.fromkeys(ends) if interval.admits(Fraction(end))]


def _last_inside(
    quantity: Quantity, base: Given, where: tuple[str, Place, Interval, float]
) -> Iterator[_Edge]:
    """Yield the points in which one number went as far as a condition on several lets it."""
    name, place, interval, leaf = where

    def inside(value: float) -> bool:
        return quantity.admits(exact_point(changed(base, name, place, value)))

    # Towards 0 the last double inside would be the smallest there is, which is no edge of interest.
    away = sorted(
        value
        for value in (*(leaf * factor for factor in _AWAY), *_ends(interval))
        if value > 0 and interval.admits(Fraction(value))
    )
    above = [value for value in away if value > leaf]
    below = [value for value in reversed(away) if value < leaf]
    for way in (above, below):
        past = next((value for value in way if not inside(value)), None)
        if past is not None and _alone(quantity, changed(base, name, place, past)):
            last = _last(leaf, past, inside)
            comment = f"{name} is the last double before a condition on several breaks"
            yield _Edge(changed(base, name, place, last), comment)


def is_narrow(quantity: Quantity, point: Given) -> bool:
    """Whether a condition on several parameters holds by no more than rounding.

    There an implementation that evaluates it in doubles may take the point for one outside.
    """
    return any(
        not quantity.admits(exact_point(near)) and _alone(quantity, near)
        for name, place, _, leaf in intervals_of(quantity, point)
        if isinstance(leaf, float)
        for factor in (1 - _ROUNDING, 1 + _ROUNDING)
        for near in [changed(point, name, place, leaf * factor)]
    )


def _alone(quantity: Quantity, point: Given) -> bool:
    """Whether each parameter alone is in its domain."""
    exact = exact_point(point)
    return all(domain.admits(exact[name]) for name, domain in quantity.parameters.items())


def has_whole_numbers(quantity: Quantity, point: Given) -> bool:
    """Whether whole numbers are integers: a drawn vector may be a copy of one of reals."""
    return all(
        isinstance(value, int)
        for _, _, interval, value in intervals_of(quantity, point)
        if interval.kind == "integer"
    )


def _last(good: float, bad: float, inside: Any) -> float:
    """Return a double inside whose neighbour towards ``bad`` is not: bisection, all in doubles."""
    while (middle := good + (bad - good) / 2) not in (good, bad):
        good, bad = (middle, bad) if inside(middle) else (good, middle)
    return good


def known_points(quantity: Quantity) -> list[Point]:
    """Return the inputs of a quantity that are known to be hard.

    The edges at which both engines are asked, as doubles where they stay in the domain, and those
    at which backends were worst in earlier campaigns, in turn.
    """
    hard = (_as_doubles(quantity, table) for table in edges().get(quantity.name, ()))
    worst = (point for point in kept_points(quantity) if is_written(point))
    in_turn = zip_longest(hard, worst)
    return [point for pair in in_turn for point in pair if point is not None]


def _as_doubles(quantity: Quantity, table: dict[str, object]) -> Point | None:
    """Return the doubles nearest to a point; None where they are not in the domain."""
    try:
        point = nearest_doubles(quantity.read(table))
    except (InputError, OverflowError):
        return None
    return point if is_written(point) and quantity.admits(exact_point(point)) else None


def nearest_doubles(exact: Mapping[str, Value]) -> Point:
    """Return the doubles nearest to exact parameters. Raises OverflowError where there are none."""
    return {name: _nearest(value) for name, value in exact.items()}


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
