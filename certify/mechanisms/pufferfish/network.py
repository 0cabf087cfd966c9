"""Laplace releases of data that follow a Bayesian network given as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from ....reference.arb.balls import working_precision
from ....reference.domain import Domain, Value
from ....reference.precision import Budget
from ....reference.pufferfish.additive import steps_of
from ....reference.pufferfish.network import worst_node_for_scale
from ....reference.pufferfish.network_loss import laws_by_node
from ....reference.pufferfish.possible import network_has_secrets
from ....reference.quantity import quantity_named
from ....reference.structures import Matrix, Network
from .. import reading
from ..hypotheses import Finding
from ..printed import Printed
from ..protocol import Claim, Inputs
from ..questions import Question, Term
from .claims import printed_scales
from .family import PLACE_SECONDS, Family, Place, place_of
from .limit import found_within
from .noise import Laplace, require_values_for_networks, spreads_in_networks
from .queries import SEARCH_SECONDS, state_counts
from .quilts import Quilts
from .secrets import least_value, most_telling, shown_to_lose, state_groups

# Which node sets a scale is found at this precision.
_BITS = 128


def _networks_of(release: Mapping[str, Any]) -> tuple[Network, ...]:
    networks: tuple[Network, ...] = release["networks"]
    return networks


class _Networks:
    """Bayesian networks given as tables."""

    keys: tuple[str, ...] = ("networks",)
    epsilon = "pufferfish.network_epsilon"
    scale = "pufferfish.network_scale"
    loss = "pufferfish.network_loss"
    distance: str | None = None

    def domains(self) -> dict[str, Domain]:
        """Return the domain of the networks."""
        return {"networks": quantity_named(self.epsilon).parameters["networks"]}

    def require(self, table: Mapping[str, Any], where: str) -> None:
        """Raise InputError unless there are networks."""
        reading.require_all(table, ("networks",), where)

    def prepared(self, table: Mapping[str, Any], _where: str) -> Mapping[str, Any]:
        """Return the table as it is."""
        return table

    def require_laws(self, exact: Mapping[str, Any], where: str) -> None:
        """Do nothing: a network says its law itself."""

    def spreads(self, exact: Mapping[str, Any], where: str) -> Sequence[Fraction]:
        """Return the spread of each node's values. Raises DomainError: not a row a node."""
        require_values_for_networks(exact, where)
        return [*spreads_in_networks(_networks_of(exact), exact["values"])]

    def size(self, release: Mapping[str, Any]) -> int:
        """Return the number of nodes of the largest network."""
        return max(len(one) for one in _networks_of(release))

    def point(self, claim: Claim) -> dict[str, Value]:
        """Return the networks."""
        return self.longest(claim)

    def longest(self, claim: Claim) -> dict[str, Value]:
        """Return the networks."""
        return {"networks": claim.release["networks"]}

    def has_secrets(self, release: Mapping[str, Any]) -> bool:
        """Whether some node of a network has two possible states."""
        return any(map(network_has_secrets, _networks_of(release)))

    def independent(self, claim: Claim) -> bool:
        """Whether no node has a parent."""
        return not any(node.parents for one in _networks_of(claim.release) for node in one)

    def worst_place(self, claim: Claim) -> Place | None:
        """Return the network, the node and a quilt that set the scale."""
        networks, width = _networks_of(claim.release), int(claim.number("width"))

        def look() -> Place | None:
            with working_precision(_BITS):
                found = worst_node_for_scale(networks, claim.epsilon, width)
            return place_of("network", found.network, found.node, found.quilt.quilt)

        return found_within(PLACE_SECONDS, look)

    def losing(self, claim: Claim, noise: Laplace) -> Iterator[tuple[Inputs, Question]]:
        """Yield two states of a node: of the given query, or of one of all that are claimed."""
        if noise.alone is None or not (noise.values or noise.every_query):
            return
        networks = _networks_of(claim.release)
        most = max(len(node.table[0]) for one in networks for node in one)
        queries = [noise.values] if noise.values else state_counts(most, noise.lipschitz)
        search = Budget(SEARCH_SECONDS)
        for values in queries:
            if search.is_over() and noise.every_query:
                return
            point: dict[str, Value] = {"networks": networks, "values": values}
            point["scale"] = noise.alone
            if quantity_named(self.loss).admits(point):
                yield from _of_networks(claim, networks, values, noise.alone)

    def printed(self, _claim: Claim, _noise: Laplace) -> Printed:
        """Return nothing: Algorithm 2's scale is the scale needed."""
        return printed_scales({})

    def findings(self, _claim: Claim) -> list[Finding]:
        """Return nothing: Theorem 4.3 asks nothing of the networks."""
        return []


def _of_networks(
    claim: Claim, networks: tuple[Network, ...], values: Matrix, scale: Fraction
) -> Iterator[tuple[Inputs, Question]]:
    """Yield the two states of a node that seem to lose most."""
    groups = state_groups(
        "network",
        laws_by_node(networks, values),
        steps_of(values, 1).unit,
        lambda number: least_value(values, len(networks[number - 1])),
    )
    likely = most_telling(groups, scale)
    if likely is not None:
        network = networks[int(str(likely.group.place["network"])) - 1]
        point: dict[str, Value] = {"networks": (network,), "values": values, "scale": scale}
        also: dict[str, Matrix] = {} if "values" in claim.release else {"values": values}
        yield shown_to_lose(claim, likely, scale, Term("pufferfish.network_loss", point), also)


_FAMILY: Family = _Networks()
NETWORK = Quilts("pufferfish.network", "song2017-network", _FAMILY)
