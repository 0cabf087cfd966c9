"""Hypothesis strategies for the parameters of a quantity, made from its domain alone.

A float that is drawn is taken as the dyadic number it is, so the backend and the reference get
exactly the same input. A real parameter is drawn evenly in log scale, evenly, with few digits, or
from its edges; now and then it takes the value of another, where special cases tend to live.
Vectors and tables are made of such numbers; a law on the simplex is put on a dyadic grid.

Hypothesis mixes constants into its draws that it finds in the source of whatever modules happen to
be loaded, the backend's among them. Points would then depend on more than the seed. So everything
is decoded from whole numbers far above any constant in anybody's source, and from short ranges of
them: in a long range Hypothesis keeps close to the lower end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import islice
from typing import TypeAlias

from hypothesis import strategies as st

from ...reference.domain import Domain, Entries, Interval, Law, Table
from ...reference.quantity import Quantity
from ..checks.case import Drawn, Number, exact_point
from .ways import PART_BITS, WAYS, Choice, a_copy, at_end, is_way, number, share

Point: TypeAlias = dict[str, Drawn]
Row: TypeAlias = tuple[Number, ...]

_FAR_ABOVE_CONSTANTS = 1 << 400
# Hypothesis keeps 8192 bytes of one point and gives up on what takes more; a choice takes 212.
MOST_CHOICES = 38
# Multiples of 2^-53 up to 1 are doubles, and so is the sum of any of them that is at most 1.
GRID_BITS = 53


def points(quantity: Quantity) -> st.SearchStrategy[Point]:
    """Return a strategy for points inside the domain of a quantity, its edges included."""
    count = sum(map(_choices, quantity.parameters.values()))
    if count > MOST_CHOICES:
        raise ValueError(f"{quantity.name}: {count} choices a point are more than {MOST_CHOICES}")
    choice = st.tuples(_below(len(WAYS)), *(_below(1 << bits) for bits in PART_BITS))
    return (
        st.tuples(*[choice] * count)
        .map(lambda raw: _decoded(quantity, raw))
        .filter(lambda point: quantity.admits(exact_point(point)))
    )


def _below(count: int) -> st.SearchStrategy[int]:
    first = _FAR_ABOVE_CONSTANTS
    return st.integers(first, first + count - 1).map(lambda drawn: drawn - first)


def _choices(domain: Domain) -> int:
    """Return how many numbers a parameter takes: a length, and as many as are in the longest."""
    if isinstance(domain, Interval):
        return 1
    width = len(domain.columns) if isinstance(domain, Table) else 1
    return 1 + domain.longest_searched * width


def _decoded(quantity: Quantity, raw: tuple[Choice, ...]) -> Point:
    point: Point = {}
    left = iter(raw)
    for name, domain in quantity.parameters.items():
        first, *rest = islice(left, _choices(domain))
        if isinstance(domain, Interval):
            point[name] = number(domain, first, _numbers(point.values()))
        elif isinstance(domain, Table):
            point[name] = _table(domain, first, rest)
        else:
            model = point[domain.as_long_as] if domain.as_long_as else ()
            point[name] = _vector(domain, first, rest, model)
    return point


def _numbers(values: Iterable[Drawn | Number]) -> list[float]:
    return [float(value) for value in values if not isinstance(value, tuple)]


def _vector(
    domain: Entries, length: Choice, choices: Sequence[Choice], model: Drawn
) -> tuple[Number, ...]:
    """Return as many entries as one draw says, or as many as the model has.

    Now and then an entry takes the value of another, and the whole that of its model.
    """
    known = _numbers(model) if isinstance(model, tuple) else []
    if known and is_way(length, a_copy):
        return tuple(known)
    count = len(known) or _count(length, domain.fewest, domain.longest_searched)
    entries: list[Number] = []
    for choice in choices[:count]:
        entries.append(number(domain.each, choice, [*known, *entries]))
    return _law(length, entries) if isinstance(domain, Law) else tuple(entries)


def _law(length: Choice, weights: Sequence[Number]) -> tuple[float, ...]:
    """Return shares in proportion to the weights; now and then all alike, or all in one."""
    if is_way(length, a_copy) or not any(weights):
        return on_grid([1] * len(weights))
    if is_way(length, at_end):
        return on_grid([weight == max(weights) for weight in weights])
    return on_grid(weights)


def on_grid(weights: Sequence[Number]) -> tuple[float, ...]:
    """Return shares as the weights, rounded down to multiples of 2^-53, with sum exactly 1.

    What rounding leaves goes to the largest. Summed as doubles, in any order, they give 1 as well.
    """
    exact = [Fraction(weight) for weight in weights]
    scale = (1 << GRID_BITS) / sum(exact)
    units = [int(weight * scale) for weight in exact]
    units[units.index(max(units))] += (1 << GRID_BITS) - sum(units)
    return tuple(math.ldexp(unit, -GRID_BITS) for unit in units)


def _table(domain: Table, length: Choice, choices: Sequence[Choice]) -> tuple[Row, ...]:
    """Return as many rows as one draw says; now and then they are all alike."""
    rows: list[Row] = []
    width = len(domain.columns)
    for row in range(_count(length, 1, domain.longest_searched)):
        drawn = choices[row * width : (row + 1) * width]
        rows.append(
            tuple(
                number(column, choice, [float(other[at]) for other in rows])
                for at, ((_, column), choice) in enumerate(zip(domain.columns, drawn, strict=True))
            )
        )
    return tuple(rows[:1] * len(rows) if is_way(length, a_copy) else rows)


def _count(length: Choice, fewest: int, most: int) -> int:
    return fewest + int(share(length) * (most - fewest + 1))
