"""The best quilt of a network's node, over all sets of other nodes, by branch and bound.

A branch has decided of some nodes that they belong to the quilt, of others that they do not. Every
quilt in it has at least the influence of the nodes that belong to it, and near it at least what an
active walk through decided nodes leads to; once no such walk leads to an undecided node, these
bounds are attained (proofs_notes/quilt-network.md#the-search-misses-no-better-quilt).
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from flint import arb

from ..arb.balls import INFINITY, ball
from ..precision import check_budget
from ..structures import Network
from .network_factors import States
from .network_graph import Graph, NetworkQuilt
from .network_inference import factors_of, joint_weights, largest_ratio_given
from .quilt_score import Score

Nodes: TypeAlias = frozenset[int]
NO_NODES: Nodes = frozenset()
NO_QUILT = NetworkQuilt((), (), ())


class Inference:
    """Max-influences in one network, each inferred once."""

    def __init__(self, network: Network) -> None:
        self.graph = Graph(network)
        self._factors = dict(zip(self.graph.nodes, factors_of(network), strict=True))
        self._ratios: dict[tuple[int, Nodes], Fraction | None] = {}

    def possible_values(self, node: int) -> int:
        """Return how many values a node can have."""
        return len(self._joint((node,)))

    def ratio(self, node: int, quilt: Nodes) -> Fraction | None:
        """Return e to the max-influence of a node on others, exactly; None where it is infinite."""
        key = (node, quilt)
        if key not in self._ratios:
            self._ratios[key] = largest_ratio_given(self._joint((node, *sorted(quilt))))
        return self._ratios[key]

    def _joint(self, nodes: tuple[int, ...]) -> Mapping[States, int]:
        # Nodes without a descendant among these sum to one.
        kept = sorted(self.graph.ancestors(nodes))
        return joint_weights([self._factors[one] for one in kept], nodes)


class BestQuilt(NamedTuple):
    """The least score of a node's quilts, and a quilt that has it, as far as can be told.

    A score that is not finite says that more bits are needed.
    """

    score: arb
    quilt: NetworkQuilt


class _Branch(NamedTuple):
    """Nodes that belong to the quilt, and nodes that do not; the rest is undecided."""

    quilt: Nodes
    out: Nodes


class Search:
    """The search for one node's best quilt of at most ``width`` near nodes, or the empty one.

    ``best`` is the best of those that were looked at, at first the empty quilt, which needs no
    width: its score is enough for the node, and the node's least once ``is_over``. Of a node that
    can have one value only the score is 0.
    """

    def __init__(self, inference: Inference, node: int, score: Score, width: int) -> None:
        self.inference, self.graph = inference, inference.graph
        self.node, self.score, self.width = node, score, width
        self.others = frozenset(self.graph.nodes) - {node}
        empty = self.graph.parted(node, NO_NODES)
        self.graph.require_separation(node, empty)
        self.best = BestQuilt(ball(score.of_whole_chain(len(empty.near))), empty)
        self._left = [_Branch(NO_NODES, NO_NODES)]
        self._is_secret = False

    @property
    def is_over(self) -> bool:
        """Whether no better quilt is left to find, or none can be told from the others."""
        return not self._left or self.best.score.is_nan()

    def step(self) -> None:
        """Look at one more branch; first at whether there is anything to protect."""
        check_budget()
        if not self._is_secret and self.inference.possible_values(self.node) == 1:
            self.best, self._left = BestQuilt(arb(0), NO_QUILT), []
            return
        self._is_secret = True
        # What runs out of time leaves the branch where it is.
        self._left[-1:] = self._searched(self._left[-1])

    def best_below(self, enough: arb) -> BestQuilt:
        """Return the best quilt, or the first that certainly scores ``enough`` or less."""
        while not (self.is_over or self.best.score <= enough):
            self.step()
        return self.best

    def _searched(self, branch: _Branch) -> tuple[_Branch, ...]:
        """Return what is left to search of a branch; where it has no parts, take its best quilt."""
        undecided = self.others - branch.quilt - branch.out
        reached = self.graph.reached(self.node, branch.quilt, undecided)
        near = 1 + len(reached - undecided)
        if near > self.width:
            return ()
        bound = self._score(near, branch.quilt)
        if bound >= self.best.score:
            return ()
        if not reached & undecided:
            self._take(branch.quilt, bound)
            return ()
        # Which node is decided next is a matter of speed alone.
        one = frozenset({min(reached & undecided)})
        return branch._replace(out=branch.out | one), branch._replace(quilt=branch.quilt | one)

    def _score(self, near: int, quilt: Nodes) -> arb:
        ratio = self.inference.ratio(self.node, quilt)
        influence = INFINITY if ratio is None else ball(ratio - 1).log1p()
        return self.score.of(near, influence)

    def _take(self, quilt: Nodes, score: arb) -> None:
        parted = self.graph.parted(self.node, quilt)
        self.graph.require_separation(self.node, parted)
        chosen = parted if score < self.best.score else self.best.quilt
        self.best = BestQuilt(self.best.score.min(score), chosen)
