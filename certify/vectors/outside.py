"""Points outside of the domain, which an implementation must refuse: certainly outside, and why.

Each is a point of the domain with one thing changed. Where one parameter alone decides, a single
unit in the last place is enough, since that is a comparison with a constant. Where several decide
together, the point is so far outside that no rounding of the condition can excuse an answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

from ...reference.domain import Interval
from ...reference.enclosure import Trilean
from ...reference.errors import InputError
from ...reference.exact import shown
from ...reference.quantity import Quantity
from ..points import Given, Point, exact_point
from .points import Place, changed, inputs_exact, is_finite, leaves

# How far a joint condition stays broken when the number that breaks it moves by this share of it:
# far above the rounding of any evaluation of a condition in doubles.
_MARGIN = 2.0**-20
# Laws whose sums are so near 1 that an implementation may take the difference for rounding are left
# out; the reference's own sentence says so.
_ROUNDED = "off by rounding"
# What a number becomes: multiples that leave most joint domains.
_FACTORS = (2.0, 8.0, 1024.0, 0.5, 0.125, 2.0**-10)
_NOT_FINITE = (math.nan, math.inf, -math.inf)


class Outside(NamedTuple):
    """A point outside of the domain, why, flags, and the kind of condition that is broken."""

    point: Point
    why: str
    flags: tuple[str, ...]
    broken: tuple[str, ...]


class _Change(NamedTuple):
    """A point with one thing changed, its new value, and the points on both sides of it, if any."""

    point: Point
    to: Any
    beside: list[Point]


def reason_outside(quantity: Quantity, point: Given) -> str:
    """Return why a point is certainly outside of the domain; nothing where that is not certain."""
    return alone(quantity, point) or _together(quantity, point)


def alone(quantity: Quantity, point: Given) -> str:
    """Return which parameter alone is outside of its domain, and what it needs."""
    for name, domain in quantity.parameters.items():
        if not is_finite({name: point[name]}):
            return f"{name} is not finite"
        try:
            exact = domain.read(name, inputs_exact({name: point[name]})[name])
        except InputError as error:
            return str(error)
        stray = domain.stray(name, exact)
        if stray:
            return f"{stray} is outside of {domain.describe(name)}"
    return ""


def _together(quantity: Quantity, point: Given) -> str:
    exact = exact_point(point)
    for condition in quantity.conditions:
        holds = condition.holds(exact)
        if holds is Trilean.FALSE:
            values = ", ".join(f"{name} = {shown(exact[name])}" for name in condition.names)
            return f"{values} is outside of {condition.statement}"
        if holds is Trilean.UNKNOWN:
            return ""
    return ""


def points_outside(quantity: Quantity, base: Given) -> Iterator[Outside]:
    """Yield points that are certainly outside of the domain, made from one inside of it."""
    for change in chain(_with_other_leaves(quantity, base), _with_other_shapes(base)):
        why = alone(quantity, change.point)
        flags, broken = tuple(_how(change.to)) if why else (), ("alone",)
        if not why and all(_together(quantity, near) for near in change.beside):
            why, broken = _together(quantity, change.point), ("several",)
        if why and _ROUNDED not in why:
            yield Outside(change.point, why, ("OutOfDomain", *flags), broken)


def _how(to: Any) -> Iterator[str]:
    """Yield the flags of a value that is outside of its own parameter's domain."""
    if isinstance(to, tuple | str):
        yield "Malformed"
    elif not math.isfinite(to):
        yield "NotFinite"
    elif to < 0:
        yield "NegativeParameter"


def _with_other_leaves(quantity: Quantity, base: Given) -> Iterator[_Change]:
    """Yield points with one leaf changed, and with each its neighbours on both sides."""
    for name, value in base.items():
        for place, leaf in leaves(value):
            for other in _others(quantity.parameters[name], leaf):
                beside = [changed(base, name, place, near) for near in _beside(other)]
                yield _Change(changed(base, name, place, other), other, beside)


def _others(domain: Any, leaf: Any) -> Iterator[Any]:
    """Yield other values for a leaf; most of them are outside of some domain."""
    if isinstance(leaf, str):
        yield "neither"
        return
    if isinstance(domain, Interval):
        yield from _past_the_ends(domain)
    if isinstance(leaf, int):
        yield from (-1, 0, 1, 2, 1000 * leaf, leaf + 1)
        return
    yield from (*_NOT_FINITE, -1.0, -leaf, 2.0, 0.0)
    yield from (leaf * factor for factor in _FACTORS if isinstance(domain, Interval))


def _past_the_ends(domain: Interval) -> Iterator[float | int]:
    """Yield the ends of an interval and the numbers just past them, in doubles or integers."""
    for end, way in (
        (domain.above, -1),
        (domain.at_least, -1),
        (domain.below, 1),
        (domain.at_most, 1),
    ):
        if end is not None and domain.kind == "integer":
            yield from (int(end), int(end) + way)
        elif end is not None:
            yield from (float(end), math.nextafter(float(end), way * math.inf))


def _beside(other: Any) -> list[Any]:
    """Return a double a little smaller and a little larger; whole numbers have no such."""
    if not isinstance(other, float) or not math.isfinite(other):
        return []
    return [other * (1 - _MARGIN), other * (1 + _MARGIN)]


def _with_other_shapes(base: Given) -> Iterator[_Change]:
    """Yield points in which a list is empty, or lacks its last item, or has that twice."""
    for name, value in base.items():
        for place, item in _lists(value):
            for other in (item[:0], item[:-1], (*item, *item[-1:])):
                yield _Change(changed(base, name, place, other), other, [])


def _lists(value: Any, place: Place = ()) -> Iterator[tuple[Place, tuple[Any, ...]]]:
    if not isinstance(value, tuple):
        return
    if type(value) is tuple:  # a record has a fixed number of parts
        yield place, value
    for at, item in enumerate(value):
        yield from _lists(item, (*place, at))
