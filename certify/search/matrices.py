"""Matrices, rows of values and index sets, from what was drawn for their numbers.

Laws are put on a dyadic grid. Now and then all rows of a matrix are alike, or each has a one and
nothing else, the identity and other permutations among them; entries are 0, or alike, as the ways
of drawing a number have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, islice, permutations
from math import ceil, factorial
from typing import Any, TypeAlias

from ...reference.domain import (
    Counts,
    Entries,
    IndexSets,
    Interval,
    Law,
    MatrixKind,
    Stochastic,
)
from ...reference.structures import RECORDS, ChainLaw, LineLaw, NetworkNode
from .grid import GRID_BITS, count, law, on_grid, place
from .ways import PART_BITS, WAYS, Choice, a_copy, at_end, is_way, number

Row: TypeAlias = tuple[float, ...]

# The last bits of a draw give a sign and whole numbers; hardly anything else hangs on them.
_MINUS, _WHOLE = 1, 2
# Sets are drawn among the first so many numbers: a few hundred sets.
_MOST_NUMBERED = 8


def entry(interval: Interval, choice: Choice, others: Sequence[float]) -> float | int:
    """Return a number of an interval; of the whole line, one of either sign, and whole often."""
    drawn = number(interval, choice, others)
    ends = (interval.above, interval.at_least, interval.below, interval.at_most)
    if interval.kind == "integer" or any(end is not None for end in ends):
        return drawn
    value = float(round(drawn)) if choice[-1] & _WHOLE else drawn
    return -value if choice[-1] & _MINUS and value else value


def is_odd(choice: Choice) -> bool:
    """Whether the last bit that was drawn is 1: one draw in two."""
    return bool(choice[-1] & _MINUS)


def thirds(choices: Sequence[Choice]) -> list[Choice]:
    """Return three choices for each: every part of a share leads in one of them.

    A search needs no more digits than a part has, and pays for every choice. The way is turned by
    the leading part, so that the three differ in that as well. Where a longer part stands last it
    overlaps its neighbour by a bit, which leaves every share below 1.
    """
    return [
        ((choice[0] + choice[1 + at]) % len(WAYS), *choice[1 + at :], *choice[1 : 1 + at])
        for choice in choices
        for at in range(len(PART_BITS))
    ]


def choices_for(numbers: int) -> int:
    """Return how many choices so many numbers take."""
    return ceil(numbers / len(PART_BITS))


def length_of(value: Any) -> int:
    """Return the number of rows or nodes; a whole number is itself, a word nothing."""
    if isinstance(value, int):
        return value
    if not isinstance(value, tuple):
        return 0
    is_list_of_networks = isinstance(value[0], tuple) and isinstance(value[0][0], NetworkNode)
    return len(value[0] if is_list_of_networks else value)


def width_of(value: Any) -> int:
    """Return the number of entries, columns or states; of a number or a word nothing."""
    if isinstance(value, RECORDS):
        states = {ChainLaw: 1, LineLaw: 0, NetworkNode: 1}[type(value)]
        return width_of(value[states])
    if not isinstance(value, tuple) or not value:
        return 0
    return width_of(value[0]) if isinstance(value[0], tuple) else len(value)


def matrix_choices(domain: MatrixKind) -> int:
    """Return how many choices a matrix takes: its shape, and its entries."""
    square = isinstance(domain, Stochastic)
    rows = domain.widest_searched if square else domain.longest_searched
    return 1 + choices_for(rows * domain.widest_searched)


def matrix(
    domain: MatrixKind,
    choices: Sequence[Choice],
    wide: Any,
    long: Any,
    grid_bits: int = GRID_BITS,
) -> tuple[Row, ...]:
    """Return a matrix of the shape that one draw says, or that two earlier parameters ask for."""
    shape, *rest = choices
    fewest = 2 if isinstance(domain.row, Law) else 1
    width = width_of(wide) or count(shape, fewest, domain.widest_searched)
    if isinstance(domain, Stochastic):
        if is_way(shape, at_end):
            return _permutation(shape, width, whole=isinstance(domain, Counts))
        return _rows(domain.row, shape, rest, (width, width), grid_bits)
    length = length_of(long) or count(thirds([shape])[1], 1, domain.longest_searched)
    if isinstance(long, int) and (is_odd(shape) or length > domain.longest_searched):
        length = 1
    return _rows(domain.row, shape, rest, (width, length), grid_bits)


def _permutation(shape: Choice, width: int, *, whole: bool) -> tuple[Row, ...]:
    orders = permutations(range(width))
    order = next(islice(orders, place(shape, factorial(width)), None))
    rows = [[int(at == one) for at in range(width)] for one in order]
    return tuple(tuple(row) if whole else on_grid(row) for row in rows)


def _rows(
    each: Entries,
    shape: Choice,
    choices: Sequence[Choice],
    size: tuple[int, int],
    grid_bits: int,
) -> tuple[Row, ...]:
    """Return as many rows as asked for, or as there are choices; now and then they are alike."""
    rows: list[Row] = []
    cells, (width, length) = thirds(choices), size
    for at in range(min(length, len(cells) // width)):
        rows.append(row(each, cells[at * width : (at + 1) * width], rows, grid_bits))
    return tuple(rows[:1] * len(rows) if is_way(shape, a_copy) else rows)


def row(
    each: Entries,
    choices: Sequence[Choice],
    others: Sequence[Row] = (),
    grid_bits: int = GRID_BITS,
) -> Row:
    """Return a row; its entries may be those of other rows in the same column."""
    drawn = [
        entry(each.each, choice, [other[at] for other in others])
        for at, choice in enumerate(choices)
    ]
    return law(choices[0], drawn, grid_bits) if isinstance(each, Law) else tuple(drawn)


def index_sets(
    domain: IndexSets, choices: Sequence[Choice], among: Any
) -> tuple[tuple[int, ...], ...]:
    """Return sets of the numbers up to how many there are, as many sets as one draw says."""
    first, *rest = choices
    most = max(width_of(among) or int(domain.search[1]), domain.size or 1)
    numbers = range(1, min(most, _MOST_NUMBERED) + 1)
    sizes = numbers if domain.size is None else (domain.size,)
    sets = [each for size in sizes for each in combinations(numbers, size)]
    drawn = rest[: count(first, 1, domain.longest_searched)]
    return tuple(sets[place(choice, len(sets))] for choice in drawn)
