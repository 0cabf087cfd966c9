"""Hypothesis strategies for the parameters of a quantity, made from its domain alone.

A float that is drawn is taken as the dyadic number it is, so the backend and the reference get
exactly the same input. A real parameter is drawn evenly in log scale, evenly, with few digits, or
from its edges; now and then it takes the value of another, where special cases tend to live.
Whatever has parts is made of such numbers; a law on the simplex is put on a dyadic grid.

Hypothesis mixes constants into its draws that it finds in the source of whatever modules happen to
be loaded, the backend's among them. Points would then depend on more than the seed. So everything
is decoded from whole numbers far above any constant in anybody's source, and from short ranges of
them: in a long range Hypothesis keeps close to the lower end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

from hypothesis import strategies as st

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
    Stochastic,
    Table,
    Word,
)
from ...reference.move_kinds import Moved
from ...reference.quantity import Quantity
from ..points import Drawn, Number, Point, exact_point
from . import structures
from .grid import bits_of, count, law, place
from .matrices import entry, index_sets, matrix, matrix_choices, width_of
from .moves import moved_from
from .ways import PART_BITS, WAYS, Choice, a_copy, is_way, number

Row: TypeAlias = tuple[Number, ...]

_FAR_ABOVE_CONSTANTS = 1 << 400
# Hypothesis keeps 8192 bytes of one point and gives up on what takes more; a choice takes 212.
MOST_CHOICES = 38


def points(quantity: Quantity) -> st.SearchStrategy[Point]:
    """Return a strategy for points inside the domain of a quantity, its edges included."""
    total = sum(map(choices_of, quantity.parameters.values()))
    if total > MOST_CHOICES:
        raise ValueError(f"{quantity.name}: {total} choices a point are more than {MOST_CHOICES}")
    choice = st.tuples(_below(len(WAYS)), *(_below(1 << bits) for bits in PART_BITS))
    return (
        st.tuples(*[choice] * total)
        .map(lambda raw: _decoded(quantity, raw))
        .filter(lambda point: quantity.admits(exact_point(point)))
    )


def _below(count: int) -> st.SearchStrategy[int]:
    first = _FAR_ABOVE_CONSTANTS
    return st.integers(first, first + count - 1).map(lambda drawn: drawn - first)


def choices_of(domain: Domain) -> int:
    """Return how many choices a parameter takes: for its size, and for as much as is in it."""
    return 1 if isinstance(domain, Interval) else _drawing_of(domain)[0](domain)


def _decoded(quantity: Quantity, raw: tuple[Choice, ...]) -> Point:
    point: Point = {}
    left = iter(raw)
    for name in drawing_order(quantity):
        domain = quantity.parameters[name]
        point[name] = drawn(domain, list(islice(left, choices_of(domain))), point)
    return {name: point[name] for name in quantity.parameters}


def drawing_order(quantity: Quantity) -> list[str]:
    """Return the parameters in the order that they are drawn in: a grid before what lies on it."""
    kinds = quantity.parameters
    grids = {kind.on_grid_of for kind in kinds.values() if isinstance(kind, Stochastic)}
    return sorted(kinds, key=lambda name: name not in grids)


def drawn(domain: Domain, choices: Sequence[Choice], point: Mapping[str, Drawn]) -> Drawn:
    """Return the value that the choices stand for, in a point of which a part is known."""
    if isinstance(domain, Interval):
        return number(domain, choices[0], _numbers(point.values()))
    return _drawing_of(domain)[1](domain, choices, lambda name: point.get(name or ""))


def _numbers(values: Iterable[Any]) -> list[float]:
    return [float(value) for value in values if not isinstance(value, tuple | str)]


def _vector(
    domain: Entries, length: Choice, choices: Sequence[Choice], model: Any
) -> tuple[Number, ...]:
    """Return as many entries as one draw says, or as many as the model has.

    Now and then an entry takes the value of another, and the whole that of its model; whole
    numbers that of a model of whole numbers.
    """
    known = _numbers(model) if isinstance(model, tuple) else []
    if known and is_way(length, a_copy):
        if domain.each.kind != "integer":
            return tuple(known)
        if all(map(float.is_integer, known)):
            return tuple(map(int, known))
    if known and isinstance(domain, Moved):
        return moved_from(known, domain.each, length, choices)
    many = width_of(model) or count(length, domain.fewest, domain.longest_searched)
    entries: list[Number] = []
    for choice in choices[:many]:
        entries.append(entry(domain.each, choice, [*known, *entries]))
    if isinstance(domain, IndexSet):
        return tuple(dict.fromkeys(entries))
    return law(length, entries) if isinstance(domain, Law) else tuple(entries)


def _table(domain: Table, length: Choice, choices: Sequence[Choice]) -> tuple[Row, ...]:
    """Return as many rows as one draw says; now and then they are all alike."""
    rows: list[Row] = []
    width = len(domain.columns)
    for row in range(count(length, 1, domain.longest_searched)):
        cells = choices[row * width : (row + 1) * width]
        rows.append(
            tuple(
                number(column, choice, [float(other[at]) for other in rows])
                for at, ((_, column), choice) in enumerate(zip(domain.columns, cells, strict=True))
            )
        )
    return tuple(rows[:1] * len(rows) if is_way(length, a_copy) else rows)


# A parameter that was drawn before, by its name; None where there is none.
_Known: TypeAlias = Callable[[str | None], Any]
_Drawing: TypeAlias = tuple[Callable[[Any], int], Callable[[Any, Sequence[Choice], _Known], Drawn]]

# For each kind how many choices it takes, and the value that they stand for.
_DRAWINGS: Mapping[type, _Drawing] = {
    Word: (lambda _: 1, lambda kind, drawn, _: kind.words[place(drawn[0], len(kind.words))]),
    Table: (
        lambda kind: 1 + kind.longest_searched * len(kind.columns),
        lambda kind, drawn, _: _table(kind, drawn[0], drawn[1:]),
    ),
    Entries: (
        lambda kind: 1 + kind.longest_searched,
        lambda kind, drawn, known: _vector(kind, drawn[0], drawn[1:], known(kind.as_long_as)),
    ),
    MatrixKind: (
        matrix_choices,
        lambda kind, drawn, known: matrix(
            kind, drawn, known(kind.as_wide_as), known(kind.as_long_as), bits_of(kind, known)
        ),
    ),
    IndexSets: (
        lambda kind: 1 + kind.longest_searched,
        lambda kind, drawn, known: index_sets(kind, drawn, known(kind.among)),
    ),
    InitialKind: (
        structures.start_choices,
        lambda kind, drawn, known: structures.start(kind, drawn, known(kind.as_long_as)),
    ),
    Chains: (structures.chain_choices, lambda kind, drawn, _: structures.chains(kind, drawn)),
    LawOnTheLine: (
        structures.line_law_choices,
        lambda kind, drawn, _: structures.line_law(kind, drawn),
    ),
    NetworkKind: (
        structures.network_choices,
        lambda kind, drawn, _: structures.network(kind, drawn),
    ),
    Networks: (
        structures.networks_choices,
        lambda kind, drawn, _: structures.networks(kind, drawn),
    ),
}


def _drawing_of(domain: Domain) -> _Drawing:
    return next(_DRAWINGS[each] for each in type(domain).__mro__ if each in _DRAWINGS)
