"""Plan a Laplace release of data on the nodes of a Bayesian network (song2017 Algorithm 2).

Privacy is for data that follow a network of the class. Data that none of them allows are outside,
and refused; under each network that has probability 0, so the refusal tells nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ....reference.errors import DomainError
from ....reference.structures import Network, NetworkNode
from ..data.labels import labels_in, labels_of, text_in
from ..data.sequence import States, by_node
from ..data.table import read_table
from ..maker import Maker, Said
from ..plan import NoisePlan
from ..protocol import Claim
from .query import QUERY_KEYS, Nodes, plan_of, query_of, scale_of


@dataclass(frozen=True)
class NetworkMaker:
    """Noise on a query of the states of a network's nodes."""

    mechanism: str = "pufferfish.network"
    data_keys: tuple[str, ...] = ("column", "states", *QUERY_KEYS)

    def public_names(self, _claim: Claim, _said: Said) -> tuple[str, ...]:
        """Return what is taken for public: the laws and the states' names."""
        return ("class", "states")

    def plan(self, claim: Claim, said: Said, file: Path) -> NoisePlan:
        """Return the exact answers and the scale. Raises InputError, without a private value."""
        scale, networks = scale_of(claim, said.where), _networks(claim)
        widths = _widths(networks, said.where)
        nodes, labels = _labels(widths, said)
        query, column = query_of(claim, said, nodes), text_in(said, "column")
        states = by_node(read_table(file), column, labels)
        require_possible(states, networks)
        return plan_of(query, states, scale)


def _networks(claim: Claim) -> tuple[Network, ...]:
    found: Any = claim.release["networks"]
    return tuple(found)


def _widths(networks: Sequence[Network], where: str) -> list[int]:
    """Return how many states each node has at most. Raises DomainError: the nodes differ."""
    if len({len(network) for network in networks}) > 1:
        raise DomainError(f"{where}: the networks of the class have different numbers of nodes; "
                          "a release is made where all have the same, which is public")  # fmt: skip
    tables = zip(*networks, strict=True)
    return [max(len(node.table[0]) for node in nodes) for nodes in tables]


def _labels(widths: Sequence[int], said: Said) -> tuple[Nodes, Sequence[tuple[str, ...]]]:
    """Return what is public of the nodes, and each node's own names of its states."""
    given, where = said.data.get("states"), f"{said.where} [data]: states"
    most = max(widths)
    if not (isinstance(given, list) and given and all(isinstance(one, list) for one in given)):
        names = labels_in(said, "states", least=1)
        if len(names) != most:
            raise DomainError(f"{where} lists {len(names)} names, but nodes have up to {most} "
                              "states")  # fmt: skip
        return Nodes(len(widths), most, names), [names[:width] for width in widths]
    if len(given) != len(widths):
        raise DomainError(f"{where} has {len(given)} lists, but there are {len(widths)} nodes")
    lists = [labels_of(one, f"{where}, list {at}") for at, one in enumerate(given, 1)]
    for at, (names, width) in enumerate(zip(lists, widths, strict=True), 1):
        if len(names) != width:
            raise DomainError(f"{where}, list {at} has {len(names)} names, but node {at} has "
                              f"{width} states")  # fmt: skip
    return Nodes(len(widths), most, None), lists


def require_possible(states: States, networks: Sequence[Network]) -> None:
    """Raise DomainError unless some network of the class gives the data positive probability."""
    numbers = states.numbers.tolist()
    if not any(_allows(network, numbers) for network in networks):
        raise DomainError(
            f"{states.table.where}: no network of the class allows these states; Pufferfish "
            "privacy is for data that follow one of them (song2017 Definition 2.1)"
        )


def _allows(network: Network, numbers: Sequence[int]) -> bool:
    """Whether each node's state has positive probability given its parents'.

    A state that only another network of the class has is none of this one's rows or columns.
    """
    widths = [len(node.table[0]) for node in network]
    if any(state >= width for state, width in zip(numbers, widths, strict=True)):
        return False
    return all(
        node.table[_row(node, widths, numbers)][state] > 0
        for node, state in zip(network, numbers, strict=True)
    )


def _row(node: NetworkNode, widths: Sequence[int], numbers: Sequence[int]) -> int:
    """Return which row the parents' states select; the last parent's run fastest."""
    row = 0
    for parent in node.parents:
        row = row * widths[parent - 1] + numbers[parent - 1]
    return row


NETWORK: Maker = NetworkMaker()
