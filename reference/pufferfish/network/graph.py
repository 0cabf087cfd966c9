"""The graph of a Bayesian network, and what a quilt parts from a node in it by d-separation.

X_R is independent of X_i given X_Q where no active walk leads from i to R: one that, on its way, is
in Q just where two of its arrows meet (proofs_notes/quilt-network.md).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from ...errors import SoundnessError
from ...structures import Network

if TYPE_CHECKING:
    from networkx import DiGraph


class NetworkQuilt(NamedTuple):
    """A quilt of a node, the nodes near it (itself among them), and those that are parted from it.

    All three together are the whole network; numbers are from 1, in increasing order.
    """

    near: tuple[int, ...]
    quilt: tuple[int, ...]
    far: tuple[int, ...]


class Graph:
    """Which node of a network is a parent of which."""

    def __init__(self, network: Network) -> None:
        self.nodes = range(1, len(network) + 1)
        self.parents = {at: node.parents for at, node in enumerate(network, 1)}
        self.children: dict[int, list[int]] = defaultdict(list)
        for at, above in self.parents.items():
            for parent in above:
                self.children[parent].append(at)

    def ancestors(self, nodes: Iterable[int]) -> set[int]:
        """Return the nodes with a path of arrows to one of these, and these."""
        left = [*nodes]
        found = set(left)
        while left:
            above = [one for one in self.parents[left.pop()] if one not in found]
            found.update(above)
            left += above
        return found

    def reached(
        self, node: int, quilt: Collection[int], stops: Collection[int] = frozenset()
    ) -> set[int]:
        """Return the nodes outside the quilt that an active walk from a node leads to.

        A walk may end at one of the stops, but not go on.
        """
        found: set[int] = set()
        # Where a walk stands, and whether it came against its last arrow, from a child.
        left = [*self._upward(node), *self._downward(node)]
        seen = {*left}
        while left:
            at, from_child = left.pop()
            if at == node:  # what it can reach from here was begun with
                continue
            onward: list[tuple[int, bool]] = []
            if at in quilt:
                onward += [] if from_child else self._upward(at)
            else:
                found.add(at)
                if at not in stops:
                    onward += self._downward(at)
                    onward += self._upward(at) if from_child else []
            left += [step for step in onward if step not in seen]
            seen.update(onward)
        return found

    def _upward(self, node: int) -> list[tuple[int, bool]]:
        return [(parent, True) for parent in self.parents[node]]

    def _downward(self, node: int) -> list[tuple[int, bool]]:
        return [(child, False) for child in self.children[node]]

    def parted(self, node: int, quilt: Collection[int]) -> NetworkQuilt:
        """Return what a quilt leaves near a node, and all that it parts from it."""
        near = {node, *self.reached(node, quilt)}
        far = [at for at in self.nodes if at not in near and at not in quilt]
        return NetworkQuilt(tuple(sorted(near)), tuple(sorted(quilt)), tuple(far))

    @cached_property
    def _directed(self) -> DiGraph[int]:
        from networkx import DiGraph

        graph = DiGraph((parent, at) for at, above in self.parents.items() for parent in above)
        graph.add_nodes_from(self.nodes)
        return graph

    def require_separation(self, node: int, quilt: NetworkQuilt) -> None:
        """Let networkx confirm that a quilt parts a node from what is far.

        Raises SoundnessError: then one of us is wrong.
        """
        from networkx import is_d_separator

        if not is_d_separator(self._directed, {node}, {*quilt.far}, {*quilt.quilt}):
            raise SoundnessError(f"nodes {quilt.quilt} do not part {node} from {quilt.far}")


def network_quilts(network: Network, node: int) -> Iterator[NetworkQuilt]:
    """Yield the quilts of a node that any set of other nodes gives, smaller sets first.

    The number of near nodes is the least for that set: every node that is d-separated from this one
    by the set is far. There are two to the number of other nodes.
    """
    graph = Graph(network)
    others = [at for at in graph.nodes if at != node]
    for size in range(len(others) + 1):
        for quilt in combinations(others, size):
            yield graph.parted(node, quilt)
