"""Where in a parameter something can change by a small step: numbers, words and laws.

What has parts is taken apart as its kind says. The lengths of vectors, the shapes of networks and
sets of indices are no places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from ...reference.domain import (
    Chains,
    Domain,
    Entries,
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
}
