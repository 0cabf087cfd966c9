"""From a point to a smaller one at which something still holds: fewer parts, simpler numbers.

What is large is first cut: entries of vectors, rows of tables, states of chains and matrices, atoms
of laws on the line, nodes of networks, members of lists. Half of them go at once, then fewer. What
has to be as long as another part is cut together with it: whatever has the same length is cut at
the same places, alone and jointly, and the domain says which of that is a point. Then numbers are
given few binary digits, all at once, parts are replaced by the simplest that there are, and what is
left is given few digits one by one.

Laws stay laws on the dyadic grid that they were on: what one share gives up goes to the largest.
Nothing is random, so the same point and the same answers lead to the same smaller point.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
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
    Stochastic,
    Table,
    Word,
)
from ...reference.quantity import Quantity
from ...reference.structures import ChainLaw, LineLaw, NetworkNode
from ..points import Drawn, Given, Point, exact_point
from .local import Leaf, at, leaves, put_at

# Whether what was seen at a point is seen at another one, which lies in the domain.
Holds: TypeAlias = Callable[[Point], bool]
# Places along an axis, counted from 0.
_Places: TypeAlias = Collection[int]

# Significant binary digits that are tried, fewest first; the next would be all that there are.
_DIGITS = (1, 2, 3, 4, 6, 8, 12, 20, 32)
# Numbers that a part is replaced by, simplest first.
_SIMPLEST = (0.0, 1.0, 0.5, 2.0)
_SIMPLEST_WHOLE = (0, 1, 2, 3)
# What was cut may be cut further once its numbers are simple.
_ROUNDS = 2


def reduced(quantity: Quantity, point: Given, holds: Holds) -> Point:
    """Return a point as small and simple as was found at which ``holds`` is true.

    It is true at the one given, and is asked at points of the domain alone, at none of them twice;
    once it says no to everything nothing changes any more.
    """
    search = _Reducing(quantity, dict(point), holds)
    for _ in range(_ROUNDS):
        before = search.point
        search.cut()
        search.shorten_all()
        search.simplify()
        search.shorten_each()
        if search.point == before:
            break
    return search.point


@dataclass
class _Reducing:
    """The smallest point so far, and those that were looked at."""

    quantity: Quantity
    point: Point
    holds: Holds
    seen: set[tuple[Drawn, ...]] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.seen.add(tuple(self.point.values()))

    def takes(self, point: Point) -> bool:
        """Go to a point of the domain where what is looked for holds; return whether it does."""
        key = tuple(point.values())
        if key in self.seen:
            return False
        self.seen.add(key)
        if not self.quantity.admits(exact_point(point)) or not self.holds(point):
            return False
        self.point = point
        return True

    def cut(self) -> None:
        """Leave out along each axis what can be left out, large blocks first, from the end on."""
        for way in _ways(self._axes()):
            if not self._are_alike(way):
                continue
            block = self._length(way) // 2
            while block:
                end = self._length(way)
                while end > 0:
                    start = max(end - block, 0)
                    if end - start < self._length(way):
                        self.takes(self._without(way, range(start, end)))
                    end = start
                block //= 2

    def _axes(self) -> dict[_Key, _Axis]:
        return {
            (name, number): axis
            for name, domain in self.quantity.parameters.items()
            for number, axis in enumerate(axes_of(domain, self.point[name]))
        }

    def _length(self, way: Sequence[_Key]) -> int:
        return self._axes()[way[0]].length

    def _are_alike(self, way: Sequence[_Key]) -> bool:
        """Whether the axes that are cut together are of one length, also after other cuts."""
        axes = self._axes()
        return len({axes[key].length for key in way if not axes[key].names}) == 1

    def _without(self, way: Sequence[_Key], places: _Places) -> Point:
        """Return the point without these places along each axis of a way, one after the other."""
        kinds, point = self.quantity.parameters, dict(self.point)
        for name, number in way:
            axis = list(axes_of(kinds[name], point[name]))[number]
            point[name] = axis.without(places)
        return point

    def shorten_all(self) -> None:
        """Give all numbers as few digits as what is looked for outlives."""
        self._shorten(lambda digits: shortened(self.quantity, self.point, digits))

    def shorten_each(self) -> None:
        """Give each parameter, then each of its parts, as few digits as possible."""
        for name, domain in self.quantity.parameters.items():
            self._shorten(lambda digits, name=name: shortened(  # type: ignore[misc]
                self.quantity, self.point, digits, name
            ))  # fmt: skip
            for path, leaf in list(leaves(domain, self.point[name])):
                if path:
                    self._shorten(lambda digits, name=name, path=path, leaf=leaf: self._put(  # type: ignore[misc]
                        name, path, _with_digits(leaf, at(self.point[name], path), digits)
                    ))  # fmt: skip

    def _shorten(self, at_digits: Callable[[int], Point]) -> None:
        for digits in _DIGITS:
            point = at_digits(digits)
            if point == self.point or self.takes(point):
                return

    def simplify(self) -> None:
        """Replace each part by the simplest that there is of its kind, real parameters excepted."""
        for name, domain in self.quantity.parameters.items():
            for path, leaf in list(leaves(domain, self.point[name])):
                if path or not isinstance(leaf, Interval) or leaf.kind == "integer":
                    self._simplify(name, path, leaf)

    def _simplify(self, name: str, path: tuple[int, ...], leaf: Leaf) -> None:
        if isinstance(leaf, Law):
            # Each share that can go goes, the smallest first; those that stay may be alike.
            shares = at(self.point[name], path)
            for place in sorted(range(len(shares)), key=lambda each: (shares[each], -each)):
                self.takes(self._put(name, path, _given_up(at(self.point[name], path), place)))
            self.takes(self._put(name, path, _evened(at(self.point[name], path))))
            return
        for new in _simpler(leaf, at(self.point[name], path)):
            if self.takes(self._put(name, path, new)):
                return

    def _put(self, name: str, path: tuple[int, ...], new: Any) -> Point:
        return {**self.point, name: put_at(self.point[name], path, new)}


def _simpler(leaf: Interval | Word, value: Any) -> Sequence[Any]:
    """Return the values of a kind that are simpler than one, simplest first."""
    if isinstance(leaf, Word):
        known: Sequence[Any] = leaf.words
    elif leaf.kind == "integer":
        known = [each for each in _SIMPLEST_WHOLE if each < value]
    else:
        # At an end of a domain formulas are others: that is no simpler point of the same kind.
        known = [each for each in _SIMPLEST if each not in (leaf.at_least, leaf.at_most)]
    return known[: known.index(value)] if value in known else known


# A parameter and the number of an axis of it.
_Key: TypeAlias = tuple[str, int]


class _Axis(NamedTuple):
    """A direction along which a value can be cut: how long it is, and the value without places.

    One of numbers that count or name the places of other axes has ``names``, and is cut with them.
    """

    length: int
    without: Callable[[_Places], Any]
    names: bool = False


def _ways(axes: Mapping[_Key, _Axis]) -> Iterator[tuple[_Key, ...]]:
    """Yield which axes are cut at the same places: those of one length together, then each alone.

    Numbers that name places, or count them, are renumbered together with that or stay.
    """
    lengths = {key: axis.length for key, axis in axes.items() if not axis.names}
    naming = [key for key, axis in axes.items() if axis.names]
    for length in sorted(set(lengths.values()), reverse=True):
        alike = tuple(key for key in lengths if lengths[key] == length)
        together = [alike] if len(alike) > 1 else []
        for way in (*together, *((key,) for key in alike)):
            if naming:
                yield (*way, *naming)
            for one in naming if len(naming) > 1 else ():
                yield (*way, one)
            yield way


def axes_of(domain: Domain, value: Any) -> Iterator[_Axis]:
    """Yield the axes of a parameter's value, as many whatever is cut."""
    return next(_AXES[kind] for kind in type(domain).__mro__ if kind in _AXES)(domain, value)


def _kept(items: Sequence[Any], places: _Places) -> tuple[Any, ...]:
    return tuple(item for place, item in enumerate(items) if place not in places)


def _kept_law(shares: Sequence[float], places: _Places) -> tuple[float, ...]:
    """Return a law on fewer outcomes; what the others had goes to the largest share that is left.

    Sums of shares on the dyadic grid are exact.
    """
    return _with_rest(_kept(shares, places), sum(shares[place] for place in places))


def _with_rest(shares: Sequence[float], rest: float) -> tuple[float, ...]:
    largest = shares.index(max(shares)) if shares else -1
    return tuple(share + rest * (place == largest) for place, share in enumerate(shares))


def _given_up(shares: Sequence[float], place: int) -> tuple[float, ...]:
    """Return a law in which one share is 0; the largest other one has it as well."""
    left = tuple(0.0 if each == place else share for each, share in enumerate(shares))
    return _with_rest(left, shares[place]) if any(left) else tuple(shares)


def _evened(shares: Sequence[float]) -> tuple[float, ...]:
    """Return a law in which all that have a share have the same one, where that is a double."""
    many = sum(share > 0 for share in shares)
    return tuple(1 / many if share else 0.0 for share in shares)


def _renumbered(numbers: Sequence[int], places: _Places) -> tuple[int, ...]:
    """Return the numbers, from 1, of what is left; those of what is left out go."""
    left = (number for number in numbers if number - 1 not in places)
    return tuple(number - sum(place < number for place in places) for number in left)


def _of_number(domain: Interval, value: Any) -> Iterator[_Axis]:
    """Yield an axis for a whole number: it may count what is cut."""
    if domain.kind == "integer":
        yield _Axis(0, lambda places: value - len(places), names=True)


def _of_word(_domain: Word, _value: Any) -> Iterator[_Axis]:
    yield from ()


def _of_entries(_domain: Entries, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _kept(value, places))


def _of_law(_domain: Law, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _kept_law(value, places))


def _of_rows(_domain: Table, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _kept(value, places))


def _of_matrix(domain: MatrixKind, value: Any) -> Iterator[_Axis]:
    row = _kept_law if isinstance(domain.row, Law) else _kept
    yield _Axis(len(value), lambda places: _kept(value, places))
    yield _Axis(len(value[0]), lambda places: tuple(row(each, places) for each in value))


def _of_square(domain: Stochastic, value: Any) -> Iterator[_Axis]:
    row = _kept_law if isinstance(domain.row, Law) else _kept
    yield _Axis(len(value), lambda places: _square(value, places, row))


def _square(
    matrix: Any, places: _Places, row: Callable[[Sequence[Any], _Places], tuple[Any, ...]]
) -> tuple[Any, ...]:
    return tuple(row(each, places) for each in _kept(matrix, places))


def _of_sets(_domain: IndexSets, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _kept(value, places))
    yield _Axis(
        0, lambda places: tuple(filter(None, (_renumbered(each, places) for each in value))), True
    )  # fmt: skip


def _of_set(_domain: IndexSet, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _kept(value, places))
    yield _Axis(0, lambda places: _renumbered(value, places), names=True)


def _of_start(_domain: InitialKind, value: Any) -> Iterator[_Axis]:
    if not isinstance(value, str):
        yield _Axis(len(value), lambda places: _kept_law(value, places))


def _of_chains(_domain: Chains, value: Any) -> Iterator[_Axis]:
    def fewer_states(places: _Places) -> tuple[ChainLaw, ...]:
        return tuple(_fewer_states(each, places) for each in value)

    yield _Axis(len(value), lambda places: _kept(value, places))
    yield _Axis(len(value[0].P), fewer_states)


def _fewer_states(chain: ChainLaw, places: _Places) -> ChainLaw:
    initial: Any = chain.initial
    initial = initial if isinstance(initial, str) else _kept_law(initial, places)
    return ChainLaw(initial, _square(chain.P, places, _kept_law))


def _of_line_law(_domain: LawOnTheLine, value: Any) -> Iterator[_Axis]:
    def fewer_atoms(places: _Places) -> LineLaw:
        mass: Any = _kept_law(value.mass, places)
        return LineLaw(_kept(value.points, places), mass)

    yield _Axis(len(value.points), fewer_atoms)


def _of_network(_domain: NetworkKind, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _fewer_nodes(value, places))


def _of_networks(_domain: Networks, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _kept(value, places))
    yield _Axis(len(value[0]), lambda places: tuple(_fewer_nodes(each, places) for each in value))


def _fewer_nodes(network: Sequence[NetworkNode], places: _Places) -> tuple[NetworkNode, ...]:
    """Return a network without some nodes; where one was a parent, it is in its first state."""
    states = [len(node.table[0]) for node in network]
    return tuple(_orphaned(node, states, places) for node in _kept(network, places))


def _orphaned(node: NetworkNode, states: Sequence[int], places: _Places) -> NetworkNode:
    combinations = product(*(range(states[parent - 1]) for parent in node.parents))
    table = tuple(
        row
        for row, given in zip(node.table, combinations, strict=True)
        if not any(
            state and parent - 1 in places
            for parent, state in zip(node.parents, given, strict=True)
        )
    )
    return NetworkNode(_renumbered(node.parents, places), table)


def _of_events(_domain: Events, value: Any) -> Iterator[_Axis]:
    yield _Axis(len(value), lambda places: _kept(value, places))


_AXES: Mapping[type, Callable[[Any, Any], Iterator[_Axis]]] = {
    Interval: _of_number,
    Word: _of_word,
    Entries: _of_entries,
    Law: _of_law,
    Table: _of_rows,
    MatrixKind: _of_matrix,
    Stochastic: _of_square,
    IndexSets: _of_sets,
    IndexSet: _of_set,
    InitialKind: _of_start,
    Chains: _of_chains,
    LawOnTheLine: _of_line_law,
    NetworkKind: _of_network,
    Networks: _of_networks,
    Events: _of_events,
}


def shortened(quantity: Quantity, point: Given, digits: int, only: str | None = None) -> Point:
    """Return a point whose numbers, of all parameters or of one, have ``digits`` binary digits.

    The largest share of a law has what the others lose, and as many digits as that takes.
    """
    found = dict(point)
    for name in found if only is None else [only]:
        for path, leaf in leaves(quantity.parameters[name], point[name]):
            found[name] = put_at(
                found[name], path, _with_digits(leaf, at(point[name], path), digits)
            )
    return found


def _with_digits(leaf: Leaf, value: Any, digits: int) -> Any:
    if isinstance(leaf, Word):
        return value
    if isinstance(leaf, Law):
        short = [_rounded_down(share, digits) for share in value]
        largest = value.index(max(value))
        return tuple(
            1.0 - math.fsum([*short[:largest], *short[largest + 1 :]]) if place == largest else one
            for place, one in enumerate(short)
        )
    return _whole(value, digits) if isinstance(value, int) else _within(leaf, value, digits)


def _within(leaf: Interval, value: float, digits: int) -> float:
    """Return a number of so many digits; one that would fall on an open end stays inside of it."""
    found = _real(value, digits)
    unit = math.ldexp(1.0, math.frexp(value)[1] - digits) if math.isfinite(value) else 0.0
    if leaf.above is not None and found <= leaf.above < value:
        return found + unit
    return found - unit if leaf.below is not None and value < leaf.below <= found else found


def _rounded_down(share: float, digits: int) -> float:
    fraction, exponent = math.frexp(share)
    return math.ldexp(math.floor(math.ldexp(fraction, digits)), exponent - digits)


def _real(value: float, digits: int) -> float:
    if not math.isfinite(value) or not value:
        return value
    fraction, exponent = math.frexp(value)
    whole = round(math.ldexp(fraction, digits))
    # Rounded up from the last powers of two it would be no double any more.
    return math.ldexp(whole, exponent - digits) if exponent < sys.float_info.max_exp else value


def _whole(value: int, digits: int) -> int:
    shift = max(abs(value).bit_length() - digits, 0)
    return value >> shift << shift
