"""Releases of data on a Bayesian network (song2017 Algorithm 2): audit, and what is drawn.

Privacy is for data that follow a network of the class. Data that none of them allows are outside,
and refused; under each network that has probability 0, so the refusal tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ....reference.arb.balls import working_precision
from ....reference.domain import Domain, Value
from ....reference.errors import DomainError
from ....reference.precision import Budget
from ....reference.pufferfish.additive import steps_of
from ....reference.pufferfish.network.mechanism import laws_by_node, worst_node_for_scale
from ....reference.pufferfish.possible import network_has_secrets
from ....reference.quantity import quantity_named
from ....reference.structures import Matrix, Network, NetworkNode
from .. import reading
from ..data.sequence import States, by_node
from ..data.table import read_table
from ..plan import NoisePlan
from ..protocol import Claim, Inputs, PublicSettings
from ..questions import Printed, Question
from ..reading import labels_in, labels_of, text_in
from .claims import Losses, found_within, printed_scales
from .noise import (
    QUERY_KEYS,
    Added,
    Nodes,
    NoiseParameters,
    Query,
    plan_of,
    query_of,
    require_values_for_networks,
    spreads_in_networks,
)
from .quilts import PLACE_SECONDS, Place, Quilts, place_of
from .refuting import (
    SEARCH_SECONDS,
    Noise,
    least_value,
    most_telling,
    shown_to_lose,
    state_counts,
    state_groups,
)

# Which node sets a scale is found at this precision.
_BITS = 128


@dataclass(frozen=True, kw_only=True)
class _NetworkParameters(NoiseParameters):
    """Laws of networks, and the noise."""

    networks: tuple[Network, ...]


class _OfNetwork(Quilts):
    """Bayesian networks given as tables."""

    name = "pufferfish.network"
    releases = "queries of data that follow a Bayesian network, with Laplace or normal noise"
    paper = "song2017"
    laws = "networks"
    law_keys = ("networks",)
    epsilon = "pufferfish.network_epsilon"
    scale = "pufferfish.network_scale"
    loss = "pufferfish.network_loss"
    losses = Losses.of("pufferfish.network_")
    gaussian_scale = "pufferfish.network_gaussian_scale"
    gaussian_renyi = "pufferfish.network_gaussian_renyi"
    algorithm = "song2017 Algorithm 2"
    data_keys = ("column", "states", *QUERY_KEYS)

    def law_domains(self) -> dict[str, Domain]:
        """Return the domain of the networks."""
        return {"networks": quantity_named(self.epsilon).parameters["networks"]}

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless there are networks."""
        reading.require_all(table, ("networks",), where)

    def require_laws(self, exact: Mapping[str, Any], where: str) -> None:
        """Do nothing: a network says its law itself."""

    def spreads(self, exact: Mapping[str, Any], where: str) -> Sequence[Fraction]:
        """Return the spread of each node's values. Raises DomainError: not a row a node."""
        require_values_for_networks(exact, where)
        return [*spreads_in_networks(exact["networks"], exact["values"])]

    def made_of(self, exact: Mapping[str, Any]) -> _NetworkParameters:
        """Return the parameters."""
        return _NetworkParameters.read(exact)

    def nodes(self, exact: Mapping[str, Any]) -> int:
        """Return the number of nodes of the largest network."""
        return max(len(one) for one in exact["networks"])

    def require_columns(self, _claim: Claim, settings: PublicSettings) -> None:
        """Raise InputError unless there is a column of states."""
        text_in(settings, "column")

    def nodes_in_all(self, claim: Claim, where: str) -> int:
        """Return how many nodes each network has. Raises DomainError: they differ."""
        return len(_widths(_NetworkParameters.of(claim).networks, where))

    def states(self, claim: Claim) -> int:
        """Return how many states a node has at most."""
        networks = _NetworkParameters.of(claim).networks
        return max(len(node.table[0]) for one in networks for node in one)

    def asked(self, claim: Claim, settings: PublicSettings) -> Query:
        """Return the query. Raises InputError."""
        widths = _widths(_NetworkParameters.of(claim).networks, settings.where)
        return query_of(claim, settings, _labels(widths, settings)[0])

    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return the networks."""
        return {"networks": _NetworkParameters.of(claim).networks}

    def has_secrets(self, claim: Claim) -> bool:
        """Whether some node of a network has two possible states."""
        return any(map(network_has_secrets, _NetworkParameters.of(claim).networks))

    def independent(self, claim: Claim) -> bool:
        """Whether no node has a parent."""
        networks = _NetworkParameters.of(claim).networks
        return not any(node.parents for one in networks for node in one)

    def worst_place(self, claim: Claim) -> Place | None:
        """Return the network, the node and a quilt that set the scale."""
        own = _NetworkParameters.of(claim)

        def look() -> Place | None:
            with working_precision(_BITS):
                found = worst_node_for_scale(own.networks, claim.epsilon, own.width)
            return place_of("network", found.network, found.node, found.quilt.quilt)

        return found_within(PLACE_SECONDS, look)

    def losing(self, claim: Claim, noise: Added) -> Iterator[tuple[Inputs, Question]]:
        """Yield two states of a node: of the given query, or of one of all that are claimed."""
        if noise.alone is None or not (noise.values or noise.every_query):
            return
        networks = _NetworkParameters.of(claim).networks
        every = state_counts(self.states(claim), noise.lipschitz)
        queries = [noise.values] if noise.values else every
        search = Budget(SEARCH_SECONDS)
        for values in queries:
            if search.is_over() and noise.every_query:
                return
            point: dict[str, Value] = {"networks": networks, "values": values}
            point["scale"] = noise.alone
            if quantity_named(self.loss).admits(point):
                yield from _of_networks(claim, networks, values, noise)

    def printed(self, _claim: Claim) -> Printed:
        """Return nothing: Algorithm 2's scale is the scale needed."""
        return printed_scales({})

    def public_names(self, _claim: Claim, _settings: PublicSettings) -> tuple[str, ...]:
        """Return what is taken for public: the laws and the states' names."""
        return ("class", "states")

    def plan(self, claim: Claim, settings: PublicSettings, file: Path) -> NoisePlan:
        """Return the exact answers and the scale. Raises InputError, without a private value."""
        self.require_releasable(claim, settings.where)
        networks = _NetworkParameters.of(claim).networks
        _, labels = _labels(_widths(networks, settings.where), settings)
        query, column = self.asked(claim, settings), text_in(settings, "column")
        states = by_node(read_table(file), column, labels)
        _require_possible(states, networks)
        return plan_of(query, states, claim, settings.where)


def _of_networks(
    claim: Claim, networks: tuple[Network, ...], values: Matrix, added: Added
) -> Iterator[tuple[Inputs, Question]]:
    """Yield the two states of a node that seem to lose most."""
    noise = Noise(added.law, added.scales[0])
    groups = state_groups(
        "network",
        laws_by_node(networks, values),
        steps_of(values, 1).unit,
        lambda number: least_value(values, len(networks[number - 1])),
    )
    likely = most_telling(claim, groups, noise)
    if likely is not None:
        network = networks[int(str(likely.group.place["network"])) - 1]
        own = _NetworkParameters.of(claim)
        point: dict[str, Value] = {"networks": (network,), "values": values, "scale": noise.scale}
        also: dict[str, Matrix] = {"values": values} if own.values is None else {}
        otherwise = NETWORK.lost(claim, added, point)[0].terms[0]
        yield shown_to_lose(claim, likely, noise, otherwise, also)


def _widths(networks: Sequence[Network], where: str) -> list[int]:
    """Return how many states each node has at most. Raises DomainError: the nodes differ."""
    if len({len(network) for network in networks}) > 1:
        raise DomainError(f"{where}: the networks of the class have different numbers of nodes; "
                          "a release is made where all have the same, which is public")  # fmt: skip
    tables = zip(*networks, strict=True)
    return [max(len(node.table[0]) for node in nodes) for nodes in tables]


def _labels(
    widths: Sequence[int], settings: PublicSettings
) -> tuple[Nodes, Sequence[tuple[str, ...]]]:
    """Return what is public of the nodes, and each node's own names of its states."""
    given, where = settings.data.get("states"), f"{settings.where} [data]: states"
    most = max(widths)
    if not (isinstance(given, list) and given and all(isinstance(one, list) for one in given)):
        names = labels_in(settings, "states", least=1)
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


def _require_possible(states: States, networks: Sequence[Network]) -> None:
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


NETWORK = _OfNetwork()
