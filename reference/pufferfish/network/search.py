"""The best quilt of each node of a Bayesian network, and the node that needs most.

A quilt parts a node from others in the graph by d-separation: X_R is independent of X_i given X_Q
where no active walk leads from i to R: one that, on its way, is in Q just where two of its arrows
meet (proofs_notes/quilt-network.md).

The best one, over all sets of other nodes, is found by branch and bound. A branch has decided of
some nodes that they belong to the quilt, of others that they do not. Every quilt in it has at least
the influence of the nodes that belong to it, and near it at least what an active walk through
decided nodes leads to; once no such walk leads to an undecided node, these bounds are attained
(proofs_notes/quilt-network.md#the-search-misses-no-better-quilt).

Which node needs most is decided by the searches of all nodes side by side. The best quilt that a
node's search has at hand bounds its least score from above. The search whose bound is largest goes
on, so that the bound on all nodes falls as fast as it can; whoever runs out of time still has it
(proofs_notes/quilt-network.md#an-unfinished-search-still-bounds).
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from flint import arb

from ...alone import left_alone
from ...arb.balls import INFINITY, ball
from ...errors import SoundnessError
from ...precision import BudgetSpentError, check_budget
from ...structures import Network
from ..quilt.score import Score
from .inference import States, factors_of, joint_weights, largest_ratio_given

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
        """Return the nodes that a quilt leaves near a node, and those that it parts from it."""
        near = {node, *self.reached(node, quilt)}
        far = [at for at in self.nodes if at not in near and at not in quilt]
        return NetworkQuilt(tuple(sorted(near)), tuple(sorted(quilt)), tuple(far))

    @cached_property
    def _directed(self) -> DiGraph[int]:
        with left_alone():
            from networkx import DiGraph

        graph = DiGraph((parent, at) for at, above in self.parents.items() for parent in above)
        graph.add_nodes_from(self.nodes)
        return graph

    def require_separation(self, node: int, quilt: NetworkQuilt) -> None:
        """Let networkx confirm that a quilt parts a node from what is far.

        Raises SoundnessError: then one of us is wrong.
        """
        with left_alone():
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


_Nodes: TypeAlias = frozenset[int]
_NO_NODES: _Nodes = frozenset()
NO_QUILT = NetworkQuilt((), (), ())


class Inference:
    """Max-influences in one network, each inferred once."""

    def __init__(self, network: Network) -> None:
        self.graph = Graph(network)
        self._factors = dict(zip(self.graph.nodes, factors_of(network), strict=True))
        self._ratios: dict[tuple[int, _Nodes], Fraction | None] = {}

    def possible_values(self, node: int) -> int:
        """Return how many values a node can have."""
        return len(self._joint((node,)))

    def ratio(self, node: int, quilt: _Nodes) -> Fraction | None:
        """Return e to the max-influence of a node on others, exactly; None where it is infinite."""
        key = (node, quilt)
        if key not in self._ratios:
            self._ratios[key] = largest_ratio_given(self._joint((node, *sorted(quilt))))
        return self._ratios[key]

    def _joint(self, nodes: tuple[int, ...]) -> Mapping[States, int]:
        # Nodes without a descendant among these sum to one.
        kept = sorted(self.graph.ancestors(nodes))
        return joint_weights([self._factors[one] for one in kept], nodes)


class _BestQuilt(NamedTuple):
    """The least score of a node's quilts, and a quilt that has it, as far as can be told.

    A score that is not finite says that more bits are needed.
    """

    score: arb
    quilt: NetworkQuilt


class _Branch(NamedTuple):
    """Nodes that belong to the quilt, and nodes that do not; the rest is undecided."""

    quilt: _Nodes
    out: _Nodes


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
        empty = self.graph.parted(node, _NO_NODES)
        self.graph.require_separation(node, empty)
        least = score.of_whole_chain(len(empty.near))
        self.best = _BestQuilt(ball(least) if isinstance(least, Fraction) else least, empty)
        self._left = [_Branch(_NO_NODES, _NO_NODES)]
        self._is_secret = False

    @property
    def is_over(self) -> bool:
        """Whether no better quilt is left to find, or none can be told from the others."""
        return not self._left or self.best.score.is_nan()

    def step(self) -> None:
        """Look at one more branch; first at whether there is anything to protect."""
        check_budget()
        if not self._is_secret and self.inference.possible_values(self.node) == 1:
            self.best, self._left = _BestQuilt(arb(0), NO_QUILT), []
            return
        self._is_secret = True
        # What runs out of time leaves the branch where it is.
        self._left[-1:] = self._searched(self._left[-1])

    def best_below(self, enough: arb) -> _BestQuilt:
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

    def _score(self, near: int, quilt: _Nodes) -> arb:
        ratio = self.inference.ratio(self.node, quilt)
        influence = INFINITY if ratio is None else ball(ratio - 1).log1p()
        return self.score.of(near, influence)

    def _take(self, quilt: _Nodes, score: arb) -> None:
        parted = self.graph.parted(self.node, quilt)
        self.graph.require_separation(self.node, parted)
        chosen = parted if score < self.best.score else self.best.quilt
        self.best = _BestQuilt(self.best.score.min(score), chosen)


class _WorstOfNetwork(NamedTuple):
    """The node that sets the score of a network, from 1, and a best quilt there.

    Node 0: none needs more than what was enough anyway, or the time was too short to tell.
    """

    score: arb
    node: int
    quilt: NetworkQuilt


def worst_of(
    network: Network, score: Score, width: int, enough: arb, ends: float = inf
) -> _WorstOfNetwork:
    """Enclose the larger of ``enough`` and the largest over nodes of the least score of a quilt.

    Where the time is too short, from the nodes that were finished to the best quilts at hand. It
    is up when the budget is spent or the monotonic clock shows ``ends``.
    """
    inference = Inference(network)
    left = [Search(inference, node, score, width) for node in inference.graph.nodes]
    found = _WorstOfNetwork(enough, 0, NO_QUILT)
    try:
        while (left := _still_open(left, found.score)) and not found.score.is_nan():
            ahead = _of_largest_bound(left)
            _find_another(ahead, ends)
            if ahead.is_over:
                found = _larger(found, ahead)
    except BudgetSpentError:
        return _as_far_as(found, _of_largest_bound(left))
    return found


def _as_far_as(found: _WorstOfNetwork, ahead: Search) -> _WorstOfNetwork:
    """Return what is known once the time is spent: from what was found to the largest bound."""
    if ahead.best.score.upper() <= found.score.upper():
        return found
    return _WorstOfNetwork(_between(found.score, ahead.best.score), 0, NO_QUILT)


def _still_open(searches: Iterable[Search], enough: arb) -> list[Search]:
    """Return the searches that are not over, of nodes not known to need ``enough`` at most."""
    return [one for one in searches if not (one.is_over or one.best.score <= enough)]


def _of_largest_bound(searches: Iterable[Search]) -> Search:
    return max(searches, key=lambda search: search.best.score.upper())


def _find_another(search: Search, ends: float) -> None:
    """Search until another quilt is the best, or none is left to find."""
    before = search.best
    while search.best is before and not search.is_over:
        if time.monotonic() > ends:
            raise BudgetSpentError
        search.step()


def _larger(found: _WorstOfNetwork, search: Search) -> _WorstOfNetwork:
    """Return the larger of what was found and the best of a search that is over."""
    if search.best.score <= found.score:
        return found
    return _WorstOfNetwork(search.best.score.max(found.score), search.node, search.best.quilt)


def _between(low: arb, high: arb) -> arb:
    """Return a ball from the lower end of one to the upper end of the other, which stays as it is.

    A radius is rounded up, to 30 bits: taken from the upper end, which has more, that moves only
    the lower end, down.
    """
    end = high.upper()
    around_zero = arb(0, ((end - low.lower()) / 2).upper())
    return around_zero + (end - around_zero.rad())
