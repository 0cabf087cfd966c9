"""Points of a quantity's domain, drawn whatever is answered: each is its seed's and its index's.

A float that is drawn is taken as the dyadic number it is, so the backend and the reference get
exactly the same input. A real parameter is drawn evenly in log scale, evenly, with few digits, or
from its edges; now and then it takes the value of another, where special cases tend to live.
Whatever has parts is made of such numbers; a law on the simplex is put on a dyadic grid. Often a
matrix is sparse, or nearly: at random, without loops, triangular, of even period, of two closed
classes. Now and then its rows are alike, or each has a one and nothing else, the identity and other
permutations among them; and of parallel vectors two rows agree in some. Most points at which the
truth is an end of its range are drawn again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, count
from math import factorial
from typing import Any, TypeAlias

from ...reference.domain import (
    Chains,
    Counts,
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
    Parameters,
    Stochastic,
    Table,
    Word,
)
from ...reference.domain.events import EVENT_TYPES, fields_of_event
from ...reference.domain.kinds import Moved
from ...reference.enclosure import Enclosure, entries_of
from ...reference.errors import InputError
from ...reference.quantity import Quantity
from ...reference.structures import (
    BOUNDED_EVENTS,
    EVENTS,
    RECORDS,
    ChainLaw,
    Event,
    LineLaw,
    Network,
    NetworkNode,
)
from ..points import Drawn, Number, Point, exact_point
from .draws import (
    GRID_BITS,
    Choice,
    Draws,
    a_copy,
    at_end,
    beside,
    bits_of,
    law,
    number,
    on_grid,
)

_Row: TypeAlias = tuple[float, ...]
# A parameter that was drawn before, by its name; None where there is none.
_Known: TypeAlias = Callable[[str | None], Any]

# A domain of which so many draws in a row miss every point has conditions that no draw meets.
MOST_TRIES = 100_000
# One point in so many is the one before it with a parameter drawn anew. In every other batch those
# are where relations are tried, which ask again.
_EVERY = 4
# One in so many is drawn as far as the parameters reach, beyond their search ranges. The next one
# never differs from it in one parameter alone, and no relations are tried there.
_BEYOND_EVERY, _BEYOND_AT = 8, 5
# What names an earlier parameter that another one is drawn by.
_HINTS = ("as_long_as", "as_wide_as", "among", "on_grid_of")
# One row in so many of a table is the same as one above it.
_SAME_ROW = 8
_SHARES = Law(fewest=1)
# The last bits of a draw give a sign, whole numbers or what is not 0, and what is near; hardly
# anything else hangs on them.
_MINUS, _WHOLE, _NEAR = 1, 2, 4
# Of so many points one may have any truth; the others are drawn again, so often at most, where it
# is an end of its range, such as an infinite loss: few bits show it. A slow quantity is not asked.
_AT_END_EVERY, _INSIDE_TRIES, _FEW_BITS = 10, 30, 64
# Sets are drawn among the first so many numbers: a few hundred sets.
_MOST_NUMBERED = 8
# The bits above those give a matrix its shape, of so many. The first are the patterns below, where
# it is square; up to the next two numbers it keeps one entry in two, and one in four; then all.
_USED_BITS, _SHAPES, _HALVED, _QUARTERED = 3, 16, 6, 7
# What a pattern leaves out is 0, or times a power of two between these.
_FAINT = (4, 40)
# One point in so many has two alike rows in some of its parallel vectors.
_TIED_EVERY = 6
# Of so many turns one each leaves a vector as it is, exchanges two entries, or changes one at will.
_TURNS, _AS_IT_IS, _CHANGED, _EXCHANGED = 8, 0, 1, 2


def point_at(quantity: Quantity, seed: str, index: int) -> Point:
    """Return the point of the domain that a seed has at an index, always the same.

    Of all attempts it is the first that lies in the domain and at which the truth is no end of its
    range; one point in ten is the first in the domain. Every fourth differs from the one
    before in one parameter alone, which shows what a backend keeps from one call to the next.
    One in eight is anywhere in the parameters' reach, beyond daily use.
    """
    before = point_at(quantity, seed, index - 1) if index and index % _EVERY == 0 else None
    beyond = index % _BEYOND_EVERY == _BEYOND_AT
    sought = 0 if index % _AT_END_EVERY == 0 or quantity.slow else _INSIDE_TRIES
    for attempt in range(MOST_TRIES):
        draws = Draws(f"{seed}/{quantity.name}/{index}/{attempt}", beyond=beyond)
        point = _redrawn(quantity, draws, before) if before else drawn_point(quantity, draws)
        exact = exact_point(point)
        if not quantity.admits(exact):
            continue
        if sought and is_trivial(quantity, exact):
            sought -= 1
            continue
        return point
    raise InputError(f"{quantity.name}: {MOST_TRIES} draws met no point of the domain")


def is_trivial(quantity: Quantity, exact: Parameters) -> bool:
    """Whether one enclosure shows that every entry of the truth is an end of its range."""
    truth = quantity.enclose(_FEW_BITS, exact)
    return all(is_end(quantity, one) for _, one in entries_of(truth))


def is_end(quantity: Quantity, truth: Enclosure) -> bool:
    """Whether the truth is known to be an end of the range of its quantity."""
    return truth.low == truth.high and truth.low in {quantity.within.low, quantity.within.high}


def _redrawn(quantity: Quantity, draws: Draws, point: Point) -> Point:
    """Return a point with one parameter drawn anew, after whose size no other goes.

    Every other number is near the one before instead: what is kept from call to call may be kept by
    rounded parameters.
    """
    kinds = quantity.parameters
    named = {getattr(kind, hint, None) for kind in kinds.values() for hint in _HINTS}
    names = [name for name in kinds if name not in named]
    name = names[draws.choice().place(len(names))]
    kind, turn = kinds[name], draws.choice()
    if isinstance(kind, Interval) and turn.bits & _NEAR:
        return {**point, name: beside(kind, point[name], turn)}  # type: ignore[arg-type]
    others = {each: value for each, value in point.items() if each != name}
    return {**point, name: drawn(kind, draws, others)}


def points_from(quantity: Quantity, seed: str) -> Iterator[Point]:
    """Yield the points of a seed, from index 0 on, without end."""
    return (point_at(quantity, seed, index) for index in count())


def drawn_point(quantity: Quantity, draws: Draws) -> Point:
    """Return a value of every parameter; together they need not be in the domain."""
    point: Point = {}
    for name in drawing_order(quantity):
        point[name] = drawn(quantity.parameters[name], draws, point)
    return {name: point[name] for name in quantity.parameters} | _tied(quantity, draws, point)


def _tied(quantity: Quantity, draws: Draws, point: Point) -> Point:
    """Return parallel vectors, now and then with a row that agrees with another in some of them."""
    kinds = quantity.parameters
    vectors: dict[str, Any] = {
        name: point[name] for name, kind in kinds.items() if type(kind) is Entries
    }
    rows = min(map(len, vectors.values()), default=0)
    if len(vectors) < 2 or rows < 2:  # noqa: PLR2004
        return {}
    turn, from_row, to_row, which = draws.choices(4)
    if turn.place(_TIED_EVERY):
        return {}
    source, target = from_row.place(rows), to_row.place(rows)
    return {
        name: (*vector[:target], vector[source], *vector[target + 1 :])
        for number, (name, vector) in enumerate(vectors.items())
        if which.bits >> number & 1
    }


def drawing_order(quantity: Quantity) -> list[str]:
    """Return the parameters in the order that they are drawn in: a grid before what lies on it."""
    kinds = quantity.parameters
    grids = {kind.on_grid_of for kind in kinds.values() if isinstance(kind, Stochastic)}
    return sorted(kinds, key=lambda name: name not in grids)


def drawn(domain: Domain, draws: Draws, point: Mapping[str, Drawn]) -> Drawn:
    """Return a value of a parameter's kind, in a point of which a part is known."""
    if isinstance(domain, Interval):
        return number(domain, draws.choice(), _numbers(point.values()))
    drawing = next(_DRAWINGS[kind] for kind in type(domain).__mro__ if kind in _DRAWINGS)
    return drawing(domain, draws, lambda name: point.get(name or ""))


def _numbers(values: Iterable[Any]) -> list[float]:
    return [float(value) for value in values if not isinstance(value, tuple | str)]


def _vector(domain: Entries, draws: Draws, known: _Known) -> tuple[Number, ...]:
    """Return as many entries as one draw says, or as many as the model has.

    Now and then an entry takes the value of another, and the whole that of its model; whole
    numbers that of a model of whole numbers.
    """
    length, model = draws.choice(), known(domain.as_long_as)
    others = _numbers(model) if isinstance(model, tuple) else []
    if others and length.is_way(a_copy):
        if domain.each.kind != "integer":
            return tuple(others)
        if all(map(float.is_integer, others)):
            return tuple(map(int, others))
    if others and isinstance(domain, Moved):
        return _moved_from(others, domain.each, length, draws)
    longest = domain.longest_beyond if length.beyond else domain.longest_searched
    many = width_of(model) or length.between(domain.fewest, longest)
    entries: list[Number] = []
    for choice in draws.choices(many):
        entries.append(_entry(domain.each, choice, [*others, *entries]))
    if isinstance(domain, IndexSet):
        return tuple(dict.fromkeys(entries))
    return law(length, entries) if isinstance(domain, Law) else tuple(entries)


def _entry(interval: Interval, choice: Choice, others: Sequence[float]) -> float | int:
    """Return a number of an interval; of the whole line, one of either sign, and whole often."""
    value = number(interval, choice, others)
    ends = (interval.above, interval.at_least, interval.below, interval.at_most)
    if interval.kind == "integer" or any(end is not None for end in ends):
        return value
    value = float(round(value)) if choice.bits & _WHOLE else value
    return -value if choice.bits & _MINUS and value else value


def _moved_from(
    model: Sequence[float], each: Interval, turn: Choice, draws: Draws
) -> tuple[Number, ...]:
    """Return a model of at least two entries, exactly in doubles, with something of it moved.

    Or two of its entries are exchanged, or one is changed.
    """
    entries = list(model)
    one, other, part = draws.choices(3)
    first = one.place(len(entries))
    second = (first + 1 + other.place(len(entries) - 1)) % len(entries)
    what = turn.place(_TURNS)
    if what == _CHANGED:
        entries[first] = float(number(each, part, model))
    elif what != _AS_IT_IS:
        entries[first], entries[second] = _after_move(
            entries[first], entries[second], part.share, exchanged=what == _EXCHANGED
        )
    return tuple(entries)


def _after_move(
    first: float, second: float, part: float, *, exchanged: bool
) -> tuple[float, float]:
    """Return both after a part of the smaller has moved to the first; exchanged where not exact.

    What moves is a multiple of the larger one's last place, so both results are mostly doubles.
    """
    unit = math.ulp(max(first, second))
    moved = math.floor(part * min(first, second) / unit) * unit
    more, less = first + moved, second - moved
    exact = Fraction(more) + Fraction(less) == Fraction(first) + Fraction(second)
    return (more, less) if exact and not exchanged else (second, first)


def _table(domain: Table, draws: Draws, _known: _Known) -> tuple[tuple[Number, ...], ...]:
    """Return as many rows as one draw says; now and then two are alike, or all."""
    rows: list[tuple[Number, ...]] = []
    length = draws.choice()
    longest = domain.longest_beyond if length.beyond else domain.longest_searched
    for _ in range(length.between(1, longest)):
        same, which = draws.choices(2)
        if rows and same.place(_SAME_ROW) == 0:
            rows.append(rows[which.place(len(rows))])
            continue
        rows.append(
            tuple(
                number(column, draws.choice(), [float(other[at]) for other in rows])
                for at, (_, column) in enumerate(domain.columns)
            )
        )
    return tuple(rows[:1] * len(rows) if length.is_way(a_copy) else rows)


def _length_of(value: Any) -> int:
    """Return the number of rows or nodes; a whole number is itself, a word nothing."""
    if isinstance(value, int):
        return value
    if not isinstance(value, tuple):
        return 0
    is_list_of_networks = isinstance(value[0], tuple) and isinstance(value[0][0], NetworkNode)
    return len(value[0] if is_list_of_networks else value)


def width_of(value: Any) -> int:
    """Return the number of entries, columns or states; of a number or a word nothing."""
    if isinstance(value, EVENT_TYPES):
        return 0
    if isinstance(value, RECORDS):
        states = {ChainLaw: 1, LineLaw: 0, NetworkNode: 1}[type(value)]
        return width_of(value[states])
    if not isinstance(value, tuple) or not value:
        return 0
    return width_of(value[0]) if isinstance(value[0], tuple) else len(value)


def _matrix(domain: MatrixKind, draws: Draws, known: _Known) -> tuple[_Row, ...]:
    """Return a matrix of the shape that one draw says, or that two earlier parameters ask for."""
    shape, height = draws.choices(2)
    most = domain.longest_searched
    widest = (shape.beyond and domain.widest_beyond) or domain.widest_searched
    width = width_of(known(domain.as_wide_as)) or shape.between(
        2 if isinstance(domain.row, Law) else 1, widest
    )
    if isinstance(domain, Stochastic):
        if shape.is_way(at_end):
            return _permutation(height, width, whole=isinstance(domain, Counts))
        return _rows(domain.row, shape, draws, (width, width), bits_of(domain, known))
    long = known(domain.as_long_as)
    length = _length_of(long) or height.between(1, most)
    if isinstance(long, int) and (height.bits & _MINUS or length > most):
        length = 1
    size = width, min(length, most * widest // width)
    return _rows(domain.row, shape, draws, size, bits_of(domain, known))


def _permutation(which: Choice, width: int, *, whole: bool) -> tuple[_Row, ...]:
    order = _permuted(which, width)
    rows = [[int(at == one) for at in range(width)] for one in order]
    return tuple(tuple(row) if whole else on_grid(row) for row in rows)


def _permuted(which: Choice, size: int) -> tuple[int, ...]:
    """Return one of the orders of the first whole numbers from 0, by its place among all."""
    place, left = which.place(factorial(size)), list(range(size))
    order = []
    while left:
        at, place = divmod(place, factorial(len(left) - 1))
        order.append(left.pop(at))
    return tuple(order)


def _rows(
    each: Entries, shape: Choice, draws: Draws, size: tuple[int, int], grid_bits: int = GRID_BITS
) -> tuple[_Row, ...]:
    """Return as many rows as asked for; now and then they are alike, often they are sparse."""
    rows: list[_Row] = []
    width, length = size
    turn = (shape.bits >> _USED_BITS) % _SHAPES
    faint: float = 0
    if shape.bits & _NEAR and each.each.kind == "real":
        faint = math.ldexp(1.0, -shape.between(*_FAINT))
    for row in range(length):
        choices = draws.choices(width)
        kept = _kept(turn, row, choices, square=width == length)
        rows.append(_row(each, choices, rows, grid_bits, [1 if one else faint for one in kept]))
    return tuple(rows[:1] * len(rows) if shape.is_way(a_copy) else rows)


# Which entries of a square matrix are left: no loops, no way back, an even period, two classes.
_PATTERNS: tuple[Callable[[int, int], bool], ...] = (
    lambda row, column: row != column,
    lambda row, column: row <= column,
    lambda row, column: (column - row) % 2 == 1,
    lambda row, column: (column - row) % 2 == 0,
)


def _kept(turn: int, row: int, choices: Sequence[Choice], *, square: bool) -> list[bool]:
    """Return which entries of a row the shape of its matrix leaves."""
    if square and turn < len(_PATTERNS):
        return [_PATTERNS[turn](row, column) for column in range(len(choices))]
    if turn < _HALVED:
        return [bool(choice.bits & _WHOLE) for choice in choices]
    if turn < _QUARTERED:
        return [choice.bits & (_WHOLE | _NEAR) == _WHOLE | _NEAR for choice in choices]
    return [True] * len(choices)


def _row(
    each: Entries,
    choices: Sequence[Choice],
    others: Sequence[_Row] = (),
    grid_bits: int = GRID_BITS,
    factors: Sequence[float] = (),
) -> _Row:
    """Return a row; its entries may be those of other rows in the same column.

    They are multiplied by the factors, where 0 is admitted and not all become 0.
    """
    entries = [
        _entry(each.each, choice, [other[at] for other in others])
        for at, choice in enumerate(choices)
    ]
    if factors and each.each.admits(Fraction(0)):
        # With 0 added, no 0 has a sign.
        kept = [entry * factor + 0 for entry, factor in zip(entries, factors, strict=True)]
        entries = kept if any(kept) else entries
    return law(choices[0], entries, grid_bits) if isinstance(each, Law) else tuple(entries)


def _index_sets(domain: IndexSets, draws: Draws, known: _Known) -> tuple[tuple[int, ...], ...]:
    """Return sets of the numbers up to how many there are, as many sets as one draw says."""
    most = max(width_of(known(domain.among)) or int(domain.search[1]), domain.size or 1)
    numbers = range(1, min(most, _MOST_NUMBERED) + 1)
    sizes = numbers if domain.size is None else (domain.size,)
    sets = [each for size in sizes for each in combinations(numbers, size)]
    many = draws.choice().between(1, domain.longest_searched)
    return tuple(sets[choice.place(len(sets))] for choice in draws.choices(many))


def _start(domain: InitialKind, draws: Draws, known: _Known) -> _Row | str:
    """Return a word, or a law on as many states as an earlier parameter has; each equally often."""
    return _start_on(domain, draws, width_of(known(domain.as_long_as)))


def _start_on(domain: InitialKind, draws: Draws, states: int) -> _Row | str:
    first, size = draws.choices(2)
    word = first.place(1 + len(domain.words_searched))
    if word:
        return domain.words_searched[word - 1]
    return _row(_SHARES, draws.choices(states or size.between(2, domain.longest_searched)))


def _chains(domain: Chains, draws: Draws, _known: _Known) -> tuple[ChainLaw, ...]:
    """Return as many chains as one draw says, with as many states as the first one has."""
    found: list[ChainLaw] = []
    for _ in range(draws.choice().between(1, domain.longest_searched)):
        found.append(_chain(domain, draws, tuple(found)))
    return tuple(found)


def _chain(domain: Chains, draws: Draws, before: tuple[ChainLaw, ...]) -> ChainLaw:
    square = Stochastic(
        widest_searched=domain.widest_searched,
        widest_beyond=domain.widest_beyond,
        as_wide_as="before",
    )
    initial = InitialKind(domain.widest_searched, words_searched=domain.words_searched)
    known = {"before": before}
    transitions: Any = _matrix(square, draws, lambda name: known.get(name or ""))
    start: Any = _start_on(initial, draws, len(transitions))
    return ChainLaw(start, transitions)


def _line_law(domain: LawOnTheLine, draws: Draws, _known: _Known) -> LineLaw:
    """Return a law on as many points as one draw says, less those that are drawn twice."""
    points: list[float] = []
    length = draws.choice()
    longest = domain.longest_beyond if length.beyond else domain.longest_searched
    for choice in draws.choices(length.between(1, longest)):
        points.append(_entry(Interval(search=domain.search[0]), choice, points))
    kept: Any = tuple(dict.fromkeys(points))
    mass: Any = _row(_SHARES, draws.choices(len(kept)))
    return LineLaw(kept, mass)


def _events(domain: Events, draws: Draws, _known: _Known) -> tuple[Event, ...]:
    """Return as many events as one draw says, of any mechanisms whose pair is the least bound."""
    names, found = [name for name in EVENTS if name not in BOUNDED_EVENTS], []
    for _ in range(draws.choice().between(1, domain.longest_searched)):
        mechanism = names[draws.choice().place(len(names))]
        domains = fields_of_event(mechanism).values()
        numbers: Any = [number(each, draws.choice(), ()) for each in domains]
        found.append(EVENTS[mechanism]._make([mechanism, *numbers]))
    return tuple(found)


def _network(domain: NetworkKind, draws: Draws, _known: _Known) -> Network:
    return _network_of(draws.choice().between(1, domain.longest_searched), draws)


def _network_of(nodes: int, draws: Draws) -> Network:
    """Return a network of nodes with two states, of any shape and in any order."""
    arrows, order = draws.choices(2)
    above, numbers = _shape(arrows, order, nodes)
    found: dict[int, NetworkNode] = {}
    for child, parents in enumerate(above):
        table: Any = tuple(_pairs(draws, 2 ** len(parents)))
        found[numbers[child]] = NetworkNode(tuple(numbers[one] + 1 for one in parents), table)
    return tuple(node for _, node in sorted(found.items()))


def _shape(arrows: Choice, order: Choice, nodes: int) -> tuple[list[list[int]], tuple[int, ...]]:
    """Return each node's parents, all of them before it, and an order to number the nodes by."""
    pairs = list(combinations(range(nodes), 2))
    drawn_arrows = arrows.place(1 << len(pairs))
    kept = [pair for at, pair in enumerate(pairs) if drawn_arrows >> at & 1]
    numbers = _permuted(order, nodes)
    return [[first for first, second in kept if second == node] for node in range(nodes)], numbers


def _pairs(draws: Draws, rows: int) -> Iterator[_Row]:
    """Yield laws on two states; a share may be that of another row."""
    shares: list[float] = []
    for choice in draws.choices(rows):
        shares.append(number(_SHARES.each, choice, shares))
        pair = on_grid([shares[-1], 1 - shares[-1]])
        yield pair[::-1] if choice.bits & _MINUS else pair


def _networks(domain: Networks, draws: Draws, _known: _Known) -> tuple[Network, ...]:
    """Return as many networks as one draw says, all with as many nodes as another says."""
    many, size = draws.choices(2)
    nodes = size.between(1, domain.each.longest_searched)
    return tuple(_network_of(nodes, draws) for _ in range(many.between(1, domain.longest_searched)))


# How a value of each kind is drawn.
_DRAWINGS: Mapping[type, Callable[[Any, Draws, _Known], Drawn]] = {
    Word: lambda kind, draws, _: kind.words[draws.choice().place(len(kind.words))],
    Table: _table,
    Entries: _vector,
    MatrixKind: _matrix,
    IndexSets: _index_sets,
    InitialKind: _start,
    Chains: _chains,
    LawOnTheLine: _line_law,
    NetworkKind: _network,
    Networks: _networks,
    Events: _events,
}
