"""Steps from a point to one near it: where a parameter can change, by how much, within its domain.

A real number is multiplied by a factor anywhere between the whole search range and one unit in the
last place, goes to a neighbouring double, or goes to, or near, an edge or another number of the
point. An integer goes up or down by a power of two, one most often. A distribution moves mass
between two shares on the dyadic grid; a word becomes another. How long vectors are, the shape of a
network and sets of indices stay as they are: those the strategies draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any, NamedTuple, TypeAlias

from ...reference.domain import (
    Chains,
    Domain,
    Entries,
    Events,
    IndexSet,
    IndexSets,
    InitialKind,
    Interval,
    Law,
    LawOnTheLine,
    MatrixKind,
    NetworkKind,
    Networks,
    Table,
    Word,
)
from ...reference.domain.events import fields_of_event
from ...reference.quantity import Quantity
from ..points import Point, exact_point
from .draws import GRID_BITS, a_copy, at_end, bits_of, on_grid, search_range

# The way to a part, index by index; none means the whole.
Path: TypeAlias = tuple[int, ...]
# What a single step changes.
Leaf: TypeAlias = Interval | Word | Law
_Parts: TypeAlias = Iterator[tuple[Path, Domain]]

_SHARES = Law(fewest=1)


def at(value: Any, path: Path) -> Any:
    """Return what stands in a place."""
    for step in path:
        value = value[step]
    return value


def put_at(value: Any, path: Path, new: Any) -> Any:
    """Return a value of the same type with something new in one place."""
    if not path:
        return new
    items = list(value)
    items[path[0]] = put_at(items[path[0]], path[1:], new)
    return type(value)._make(items) if hasattr(value, "_make") else tuple(items)


def leaves(domain: Domain, value: Any) -> Iterator[tuple[Path, Leaf]]:
    """Yield what a step can change in a parameter, and where in it that is."""
    if isinstance(domain, Interval | Word | Law):
        # The law of a constant has no mass to move.
        yield from [((), domain)] * (not isinstance(domain, Law) or len(value) > 1)
        return
    for path, part in next(_PARTS[kind] for kind in type(domain).__mro__ if kind in _PARTS)(
        domain, value
    ):
        for rest, leaf in leaves(part, at(value, path)):
            yield (*path, *rest), leaf


def _no_parts(_domain: Any, _value: Any) -> _Parts:
    yield from ()


def _of_entries(domain: Entries, value: Any) -> _Parts:
    yield from (((each,), domain.each) for each in range(len(value)))


def _of_table(domain: Table, value: Any) -> _Parts:
    for row in range(len(value)):
        yield from (((row, each), column) for each, (_, column) in enumerate(domain.columns))


def _of_matrix(domain: MatrixKind, value: Any) -> _Parts:
    yield from (((row,), domain.row) for row in range(len(value)))


def _of_start(_domain: InitialKind, value: Any) -> _Parts:
    yield from [((), _SHARES)] * (not isinstance(value, str))


def _of_chains(domain: Chains, value: Any) -> _Parts:
    for each, chain in enumerate(value):
        yield (each, 0), InitialKind(domain.widest_searched)
        yield from (((each, 1, row), _SHARES) for row in range(len(chain.P)))


def _of_line_law(domain: LawOnTheLine, value: Any) -> _Parts:
    yield from (((0, each), Interval(search=domain.search[0])) for each in range(len(value.points)))
    yield (1,), _SHARES


def _of_network(_domain: NetworkKind, value: Any) -> _Parts:
    for node, (_, table) in enumerate(value):
        yield from (((node, 1, row), _SHARES) for row in range(len(table)))


def _of_networks(domain: Networks, value: Any) -> _Parts:
    yield from (((each,), domain.each) for each in range(len(value)))


def _of_events(_domain: Events, value: Any) -> _Parts:
    for each, event in enumerate(value):
        fields = fields_of_event(event.mechanism)
        yield from (((each, event._fields.index(key)), part) for key, part in fields.items())


_PARTS: Mapping[type, Callable[[Any, Any], _Parts]] = {
    Entries: _of_entries,
    Table: _of_table,
    MatrixKind: _of_matrix,
    IndexSet: _no_parts,
    IndexSets: _no_parts,
    InitialKind: _of_start,
    Chains: _of_chains,
    LawOnTheLine: _of_line_law,
    NetworkKind: _of_network,
    Networks: _of_networks,
    Events: _of_events,
}


# Steps go down to this power of two, times what they are measured by: below a double's last place.
_SMALLEST_STEP = 54
# Three steps in four change one thing, the others two or more.
_ONE_THING = 3 / 4
# Steps taken from the worst point; the others start from another one: there may be other hills.
FROM_WORST = 0.75
# Answers are rounded, and of how far off they are the last digits are noise.
_PROGRESS = Fraction(1, 2**20)
# How often the size of the last step that got somewhere is tried again, and its place.
_AGAIN = 2 / 3


class Steps(Random):
    """What is random about steps: ``random`` alone, which is promised never to change."""

    last: float = 1.0
    _good: float | None = None
    _at: _Place | None = None
    _good_at: _Place | None = None

    def place(self, places: Sequence[_Place]) -> _Place:
        """Return one of the places; most often that of the last step that got somewhere."""
        again = self._good_at in places and self.random() < _AGAIN
        self._at = self._good_at if again and self._good_at else _one_of(places, self)
        return self._at

    def size(self) -> float:
        """Return a step's size, in log scale from 1 to less than a last place, large ones most.

        Most are near the size of the last step that got somewhere, within a factor of 8.
        """
        if self._good is not None and self.random() < _AGAIN:
            self.last = min(self._good * 2 ** (6 * self.random() - 3), 1.0)
        else:
            self.last = float(2 ** (-_SMALLEST_STEP * self.random() ** 2))
        return self.last

    def worked(self) -> None:
        """Remember the last step: it led to something worse."""
        self._good, self._good_at = self.last, self._at


def is_progress(before: Fraction | None, after: Fraction | None) -> bool:
    """Whether the worst is worse by more than what rounding does to it."""
    return before is None or (after is not None and after - before > abs(before) * _PROGRESS)


class _Place(NamedTuple):
    """Something in a point that a step can change: of which parameter, where in it, and its kind.

    No path means the whole parameter.
    """

    name: str
    path: Path
    leaf: Leaf


def near(quantity: Quantity, point: Point, rng: Steps) -> Point | None:
    """Return a point one step away, or None where the step leads out of the domain or nowhere."""
    places = [
        _Place(name, path, leaf)
        for name, domain in quantity.parameters.items()
        for path, leaf in leaves(domain, point[name])
    ]
    if not places:
        return None
    changed = dict(point)
    _step(quantity, changed, rng.place(places), rng)
    while rng.random() > _ONE_THING:
        _step(quantity, changed, _one_of(places, rng), rng)
    if changed == point or not quantity.admits(exact_point(changed)):
        return None
    return changed


def at_ends(quantity: Quantity, point: Point) -> Iterator[Point]:
    """Yield points of the domain with one parameter moved to an end of where it is searched.

    A whole number stays in its search range: the domain's own end can be a size that takes minutes.
    """
    for name, domain in quantity.parameters.items():
        if not isinstance(domain, Interval):
            continue
        whole = domain.kind == "integer"
        ends = map(Fraction, domain.search)
        closed = [end for end in (domain.at_least, domain.at_most) if end is not None]
        for end in dict.fromkeys([*([] if whole else closed), *ends]):
            moved = {**point, name: int(end) if whole else float(end)}
            if quantity.admits(exact_point(moved)):
                yield moved


def _step(quantity: Quantity, point: Point, place: _Place, rng: Steps) -> None:
    """Change a point in one place."""
    value = point[place.name]
    old = at(value, place.path)
    if isinstance(place.leaf, Word):
        new: Any = _one_of(place.leaf.words, rng)
    elif isinstance(place.leaf, Law):
        new = moved_mass(old, rng, bits_of(quantity.parameters[place.name], point.__getitem__))
    elif place.leaf.kind == "integer":
        new = _whole_step(place.leaf, old, rng)
    else:
        new = _real_step(place.leaf, old, list(_numbers(tuple(point.values()))), rng)
    point[place.name] = put_at(value, place.path, new)


def _numbers(value: Any) -> Iterator[float]:
    if isinstance(value, tuple):
        for item in value:
            yield from _numbers(item)
    elif not isinstance(value, str):
        yield float(value)


def _one_of(items: Sequence[Any], rng: Steps) -> Any:
    return items[int(rng.random() * len(items))]


def _sign(rng: Steps) -> int:
    return 1 if rng.random() < 1 / 2 else -1


def moved_mass(
    shares: Sequence[float], rng: Steps, grid_bits: int = GRID_BITS
) -> tuple[float, ...]:
    """Return a law with mass moved from one share to another, on the dyadic grid.

    The amount is in proportion to either of the two, so small shares change by small amounts.
    """
    units = [int(math.ldexp(share, grid_bits)) for share in on_grid(shares, grid_bits)]
    giver = int(rng.random() * len(units))
    taker = (giver + 1 + int(rng.random() * (len(units) - 1))) % len(units)
    amount = max(1, int(_one_of((units[giver], units[taker]), rng) * rng.size()))
    amount = min(amount, units[giver])
    units[giver] -= amount
    units[taker] += amount
    return tuple(math.ldexp(unit, -grid_bits) for unit in units)


def _whole_step(interval: Interval, value: int, rng: Steps) -> int:
    low, high = (int(end) for end in interval.search)
    size = int((high - low) * rng.size()) if rng.random() < 1 / 2 else 0
    return min(max(value + _sign(rng) * max(size, 1), low), high)


def _real_step(interval: Interval, value: float, others: Sequence[float], rng: Steps) -> float:
    ways: tuple[Callable[[], float], ...] = (
        *[partial(_scaled, interval, value, rng)] * 3,
        partial(_neighbour, value, rng),
        partial(_beside, interval, others, rng),
    )
    return _clamped(interval, _one_of(ways, rng)())


def _scaled(interval: Interval, value: float, rng: Steps) -> float:
    low, high = search_range(interval)
    return value * (high / low) ** (_sign(rng) * rng.size()) if value else low


def _neighbour(value: float, rng: Steps) -> float:
    return math.nextafter(value, _sign(rng) * math.inf)


def _beside(interval: Interval, others: Sequence[float], rng: Steps) -> float:
    """Return an edge, an end or another number of the point, or what lies near it."""
    # With nothing to copy, an edge is taken: ends, their neighbours and special values.
    way, given = _one_of(((a_copy, others), (a_copy, ()), (at_end, ())), rng)
    anchor: float = way(interval, rng.random(), given)
    if rng.random() < 1 / 2:
        return anchor
    _, high = search_range(interval)
    return anchor + _sign(rng) * (abs(anchor) or high) * rng.size()


def _clamped(interval: Interval, value: float) -> float:
    """Return a value whose size lies in the search range, or an end of the domain as it is."""
    ends = [end for end in (interval.at_least, interval.at_most) if end is not None]
    low, high = search_range(interval)
    if value == 0 or value in ends:
        return value
    return math.copysign(min(max(abs(value), low), high), value)
