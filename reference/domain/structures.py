"""Kinds of domain whose values have parts: chains' starts and laws, laws on the line, networks.

Bayesian networks are given as tables, node by node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from ..errors import UnknownNameError
from ..exact import shown
from ..exact_lists import exact_fields, exact_list, exact_vector, exact_whole_numbers
from ..structures import STARTS, ChainLaw, LineLaw, Network, NetworkNode
from .kinds import Law, SearchRange, Value
from .matrices import MAX_STATES, SHARES, Stochastic, first_repeated, length_stray

# More chains and more atoms are not read.
MAX_CHAINS = 1_000
MAX_ATOMS = 100_000

_STATES = Law()
MATRIX = Stochastic()


@dataclass(frozen=True)
class InitialKind:
    """How a chain may start: by a law, by the stationary law, or by any law at all.

    Hints for the search: how many states a drawn law has at most, ``as_long_as`` an earlier
    parameter with as many, and which words are drawn.
    """

    longest_searched: int = 3
    as_long_as: str | None = None
    words_searched: tuple[str, ...] = STARTS
    kind: str = "initial"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a share."""
        return _STATES.search

    def read(self, name: str, value: object) -> tuple[Fraction, ...] | str:
        """Return the exact law, or the word. Raises InputError if it is neither."""
        word = value.strip() if isinstance(value, str) else ""
        if word and not word.startswith("["):
            if word not in STARTS:
                hint = f"(it is {' or '.join(STARTS)}, or a list of numbers)"
                raise UnknownNameError(f"word for {name}", word, STARTS, hint)
            return word
        return exact_vector(value, name, MAX_STATES)

    def admits(self, value: Value) -> bool:
        """Whether the value is a law or one of the words."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the part of the law that is not admitted; "" if it is a law or a word."""
        return "" if value in STARTS else _STATES.stray(name, value)

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"{name} = {' or '.join(STARTS)}, or {_STATES.describe(name)}"


_INITIAL_KIND = InitialKind()


@dataclass(frozen=True)
class Chains:
    """The lists of laws of chains that all have the same states.

    Hints for the search: how many chains and states a drawn point has at most, how many states one
    beyond daily use, and which words for an initial law are drawn.
    """

    longest_searched: int = 2
    widest_searched: int = 3
    widest_beyond: int = 5
    words_searched: tuple[str, ...] = STARTS
    kind: str = "chains"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a share."""
        return MATRIX.search

    def read(self, name: str, value: object) -> tuple[ChainLaw, ...]:
        """Return the exact chains. Raises InputError if they are none."""
        what = 'chains such as {"initial": "stationary", "P": [["1/2", "1/2"], [1, 0]]}'
        return exact_list(value, name, ("chain", _read_chain), MAX_CHAINS, what)

    def admits(self, value: Value) -> bool:
        """Whether the value is such a list of chains."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the part of the chains that is not admitted, by its place; "" if all is."""
        if not isinstance(value, tuple) or isinstance(value, ChainLaw) or not value:
            return f"{name} = {shown(value)}"
        return next(filter(None, _chain_strays(name, value)), "")

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return (
            f"{name} with the same states, each with {MATRIX.describe('P')}, and as its initial "
            f"law {' or '.join(STARTS)}, or as many shares with a sum of exactly 1"
        )


def _read_chain(value: object, place: str) -> ChainLaw:
    """Return one exact chain. Raises InputError if it is none."""
    initial, matrix = exact_fields(value, place, ChainLaw._fields)
    return ChainLaw(
        _INITIAL_KIND.read(f"{place}, initial", initial), MATRIX.read(f"{place}, P", matrix)
    )


def _chain_strays(name: str, chains: tuple[Value, ...]) -> Iterator[str]:
    states = len(chains[0].P) if isinstance(chains[0], ChainLaw) else 0
    for at, chain in enumerate(chains, 1):
        place = f"{name}, chain {at}"
        if not isinstance(chain, ChainLaw):
            yield f"{place} = {shown(chain)}"
            return
        yield MATRIX.stray(f"{place}, P", chain.P)
        if len(chain.P) != states:
            yield f"{place}, of {len(chain.P)} states where chain 1 has {states},"
        yield _INITIAL_KIND.stray(f"{place}, initial", chain.initial)
        if chain.initial not in STARTS:
            yield length_stray(f"{place}, initial", chain.initial, states, f"P has {states} rows")


@dataclass(frozen=True)
class LawOnTheLine:
    """The laws on finitely many different points of the line.

    Hints for the search: ``longest_searched`` is how many points a drawn law has at most, and
    ``longest_beyond`` one beyond daily use.
    """

    longest_searched: int = 4
    longest_beyond: int = 12
    kind: str = "law"

    @property
    def search(self) -> tuple[SearchRange, SearchRange]:
        """Where a search should look for a point, and for its mass."""
        return (("0.001", "30"), SHARES.search)

    def read(self, name: str, value: object) -> LineLaw:
        """Return the exact law. Raises InputError if it is none."""
        points, mass = exact_fields(value, name, LineLaw._fields)
        return LineLaw(
            exact_vector(points, f"{name}, points", MAX_ATOMS),
            exact_vector(mass, f"{name}, mass", MAX_ATOMS),
        )

    def admits(self, value: Value) -> bool:
        """Whether the value is such a law."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the part of the law that is not admitted, by its place; "" if all is."""
        if not isinstance(value, LineLaw):
            return f"{name} = {shown(value)}"
        twice = first_repeated(value.points)
        if twice is not None:
            return f"{name}, points = {shown(value.points)}, with {shown(twice)} twice,"
        count = len(value.points)
        return SHARES.stray(f"{name}, mass", value.mass) or length_stray(
            f"{name}, mass", value.mass, count, f"there are {count} points"
        )

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return f"as many different points of {name} as shares of its mass, their sum exactly 1"


# Larger networks, longer tables and longer lists of networks are not read.
MAX_NODES = 1_000
MAX_TABLE_ROWS = 100_000
MAX_NETWORKS = 1_000


@dataclass(frozen=True)
class NetworkKind:
    """The Bayesian networks: parents without a cycle, one law for each of their combinations.

    ``longest_searched`` is how many nodes of two states a drawn network has at most; a hint.
    """

    longest_searched: int = 3
    kind: str = "network"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a share."""
        return SHARES.search

    def read(self, name: str, value: object) -> Network:
        """Return the exact network. Raises InputError if it is none."""
        what = 'nodes such as {"parents": [], "table": [["1/2", "1/2"]]}'
        return exact_list(value, name, ("node", _read_node), MAX_NODES, what)

    def admits(self, value: Value) -> bool:
        """Whether the value is such a network."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the part of the network that is not admitted, by its place; "" if all is."""
        if not isinstance(value, tuple) or isinstance(value, NetworkNode) or not value:
            return f"{name} = {shown(value)}"
        nodes = [node for node in value if isinstance(node, NetworkNode)]
        if len(nodes) < len(value):
            return f"{name} = {shown(value)}"
        return next(filter(None, _node_strays(name, nodes)), "")

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return (
            f"nodes of {name} without a cycle, with a row of the table for each combination of the "
            "parents' states, no negative entry, each row's sum exactly 1"
        )


@dataclass(frozen=True)
class Networks:
    """The lists of Bayesian networks, which may differ in shape.

    Hints for the search: how many networks a drawn point has at most, and how many nodes each; all
    of one point have the same number of nodes.
    """

    longest_searched: int = 2
    each: NetworkKind = NetworkKind()
    kind: str = "networks"

    @property
    def search(self) -> SearchRange:
        """Where a search should look for a share."""
        return self.each.search

    def read(self, name: str, value: object) -> tuple[Network, ...]:
        """Return the exact networks. Raises InputError if they are none."""

        def read_network(nodes: object, place: str) -> Network:
            return self.each.read(place, nodes)

        what = "networks that are lists of nodes"
        return exact_list(value, name, ("network", read_network), MAX_NETWORKS, what)

    def admits(self, value: Value) -> bool:
        """Whether the value is such a list of networks."""
        return not self.stray("it", value)

    def stray(self, name: str, value: Value) -> str:
        """Return the part of the networks that is not admitted, by its place; "" if all is."""
        if not isinstance(value, tuple) or not value:
            return f"{name} = {shown(value)}"
        found = (self.each.stray(f"{name}, network {at}", item) for at, item in enumerate(value, 1))
        return next(filter(None, found), "")

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it."""
        return self.each.describe(f"each network of {name}")


def _read_node(value: object, place: str) -> NetworkNode:
    """Return one exact node. Raises InputError if it is none."""

    def read_row(row: object, where: str) -> tuple[Fraction, ...]:
        return exact_vector(row, where, MAX_STATES)

    parents, table = exact_fields(value, place, NetworkNode._fields)
    what = 'rows such as [["1/2", "1/2"]]'
    return NetworkNode(
        exact_whole_numbers(parents, f"{place}, parents", MAX_NODES, fewest=0),
        exact_list(table, f"{place}, table", ("row", read_row), MAX_TABLE_ROWS, what),
    )


def _node_strays(name: str, nodes: Sequence[NetworkNode]) -> Iterator[str]:
    for at, node in enumerate(nodes, 1):
        yield _parents_stray(f"{name}, node {at}", node.parents, len(nodes))
    cycle = cycle_among([node.parents for node in nodes])
    if cycle:
        yield f"{name}, with the cycle {' -> '.join(map(str, cycle))},"
    states = [len(node.table[0]) for node in nodes]
    for at, node in enumerate(nodes, 1):
        yield from _table_strays(f"{name}, node {at}", node, states)


def _parents_stray(place: str, parents: tuple[int, ...], nodes: int) -> str:
    for parent in parents:
        if not 1 <= parent <= nodes:
            return f"{place}, with the parent {shown(parent)} in a network of {nodes} nodes,"
    twice = first_repeated(parents)
    return "" if twice is None else f"{place}, with the parent {shown(twice)} twice,"


def _table_strays(place: str, node: NetworkNode, states: Sequence[int]) -> Iterator[str]:
    combinations = prod(states[parent - 1] for parent in node.parents)
    if len(node.table) != combinations:
        yield (
            f"{place}, with a table of length {len(node.table)} and not {shown(combinations)}, one "
            "row for each combination of its parents' states,"
        )
    for at, row in enumerate(node.table, 1):
        yield SHARES.stray(f"{place}, row {at}", row)
        width = len(node.table[0])
        yield length_stray(f"{place}, row {at}", row, width, f"row 1 has {width}")


def cycle_among(parents: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the nodes of a cycle, from parent to child, its first one last again; () if none.

    Nodes whose parents have all left leave, until none can. Every one that stays has a parent that
    stays, so going from parent to parent comes back to where it was.
    """
    left = {at: set(above) for at, above in enumerate(parents, 1)}
    while leaving := {at for at, above in left.items() if not above & left.keys()}:
        left = {at: above for at, above in left.items() if at not in leaving}
    if not left:
        return ()
    path: list[int] = [min(left)]
    while path[-1] not in path[:-1]:
        path.append(min(left[path[-1]] & left.keys()))
    return tuple(reversed(path[path.index(path[-1]) :]))
