"""Chains, laws on the line and networks, from what was drawn for their numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations
from math import factorial
from typing import Any

from ...reference.domain import (
    Chains,
    InitialKind,
    Interval,
    Law,
    LawOnTheLine,
    NetworkKind,
    Networks,
    Stochastic,
)
from ...reference.structures import ChainLaw, LineLaw, Network, NetworkNode
from .grid import count, on_grid, place
from .matrices import Row, choices_for, entry, is_odd, matrix, matrix_choices, row, thirds, width_of
from .ways import Choice, number

_SHARES = Law(fewest=1)


def start(domain: InitialKind, choices: Sequence[Choice], like: Any) -> Row | str:
    """Return a word, or a law on as many states as an earlier parameter has; each equally often."""
    first, *rest = choices
    word = place(first, 1 + len(domain.words_searched))
    if word:
        return domain.words_searched[word - 1]
    width = width_of(like) or count(thirds([first])[1], 2, domain.longest_searched)
    return row(_SHARES, thirds(rest)[:width])


def start_choices(domain: InitialKind) -> int:
    """Return how many choices a start takes: of which kind it is, and for its shares."""
    return 1 + choices_for(domain.longest_searched)


def chain_choices(domain: Chains) -> int:
    """Return how many choices a list of chains takes: how many there are, and for each of them."""
    return 1 + domain.longest_searched * sum(_one_chain(domain))


def _one_chain(domain: Chains) -> tuple[int, int]:
    """Return how many choices the start and the matrix of one chain take."""
    widest = domain.widest_searched
    square = Stochastic(widest_searched=widest)
    return start_choices(InitialKind(widest)), matrix_choices(square)


def chains(domain: Chains, choices: Sequence[Choice]) -> tuple[ChainLaw, ...]:
    """Return as many chains as one draw says, with as many states as the first one has."""
    left = iter(choices)
    found: list[ChainLaw] = []
    for _ in range(count(next(left), 1, domain.longest_searched)):
        begin, transitions = (list(islice(left, part)) for part in _one_chain(domain))
        found.append(_chain(domain, begin, transitions, tuple(found)))
    return tuple(found)


def _chain(
    domain: Chains, begin: Sequence[Choice], transitions: Sequence[Choice], like: Any
) -> ChainLaw:
    square = Stochastic(widest_searched=domain.widest_searched)
    initial = InitialKind(domain.widest_searched, words_searched=domain.words_searched)
    drawn: Any = matrix(square, transitions, like, None)
    law: Any = start(initial, begin, drawn)
    return ChainLaw(law, drawn)


def line_law_choices(domain: LawOnTheLine) -> int:
    """Return how many choices a law takes: how many points, and for each of them and its mass."""
    return 1 + choices_for(2 * domain.longest_searched)


def line_law(domain: LawOnTheLine, choices: Sequence[Choice]) -> LineLaw:
    """Return a law on as many points as one draw says, less those that are drawn twice."""
    first, *others = choices
    most = domain.longest_searched
    rest = thirds(others)
    points: list[float] = []
    for choice in rest[: count(first, 1, most)]:
        points.append(entry(Interval(search=domain.search[0]), choice, points))
    kept: Any = tuple(dict.fromkeys(points))
    mass: Any = row(_SHARES, rest[most : most + len(kept)])
    return LineLaw(kept, mass)


def network_choices(domain: NetworkKind) -> int:
    """Return how many choices a network takes: size, shape, and the rows of its tables."""
    return 2 + choices_for((1 << domain.longest_searched) - 1)


def network(domain: NetworkKind, choices: Sequence[Choice], nodes: int = 0) -> Network:
    """Return a network of nodes with two states, of any shape and in any order."""
    size, shape, *rest = choices
    left = iter(thirds(rest))
    above, order = _shape(shape, nodes or count(size, 1, domain.longest_searched))
    found: dict[int, NetworkNode] = {}
    for child, parents in enumerate(above):
        table: Any = tuple(_shares(left, 2 ** len(parents)))
        found[order[child]] = NetworkNode(tuple(order[one] + 1 for one in parents), table)
    return tuple(node for _, node in sorted(found.items()))


def _shape(shape: Choice, nodes: int) -> tuple[list[list[int]], tuple[int, ...]]:
    """Return each node's parents, all of them before it, and an order to number the nodes by."""
    pairs = list(combinations(range(nodes), 2))
    arrows = place(shape, 1 << len(pairs))
    kept = [pair for at, pair in enumerate(pairs) if arrows >> at & 1]
    order = next(
        islice(permutations(range(nodes)), place(thirds([shape])[1], factorial(nodes)), None)
    )
    return [[first for first, second in kept if second == node] for node in range(nodes)], order


def _shares(left: Iterator[Choice], rows: int) -> Iterator[Row]:
    """Yield laws on two states; a share may be that of another row."""
    drawn: list[float] = []
    for choice in islice(left, rows):
        drawn.append(number(_SHARES.each, choice, drawn))
        pair = on_grid([drawn[-1], 1 - drawn[-1]])
        yield pair[::-1] if is_odd(choice) else pair


def networks_choices(domain: Networks) -> int:
    """Return how many choices a list of networks takes: how many, their size, and for each."""
    return 2 + domain.longest_searched * network_choices(domain.each)


def networks(domain: Networks, choices: Sequence[Choice]) -> tuple[Network, ...]:
    """Return as many networks as one draw says, all with as many nodes as another says."""
    many, size, *rest = choices
    nodes = count(size, 1, domain.each.longest_searched)
    left = iter(rest)
    return tuple(
        network(domain.each, list(islice(left, network_choices(domain.each))), nodes)
        for _ in range(count(many, 1, domain.longest_searched))
    )
