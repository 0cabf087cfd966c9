"""The Markov Quilt mechanism for chains, and for classes of chains of two states.

The Markov Quilt mechanism for chains, never below the truth.

A good quilt of one node bounds other nodes, too (proofs_notes/quilt-influence.md):

- stationary start: a two-sided quilt bounds every node, one to the left alone every later node,
  one to the right alone every earlier one. So bisection finds the worst node.
- any start: a quilt with a left side bounds every later node; once a node's values no longer
  change, one without bounds the earlier ones from there on.
- a given law: what bounds all later nodes for any start bounds them for this one.

MQMExact for all chains of two states that stay with probabilities from one interval.

A symmetric chain at a corner decides it (proofs_notes/two-state-corner.md). There all three terms
of an influence are w_t = 2 atanh(|2 stay - 1|^t), at the lags and at the node's distance from the
first one. What is left to 1 by the chance q of the rarer move, |2 stay - 1| = 1 - 2q, is exact in
doubles: 1 - stay is, for stay >= 1/2.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from ..doubled import UNIT, Flags, Reals
from .chain import Chain, ChainLaw, Tables
from .mixing import influences, whole_number_above
from .nodes import Best, EpsilonOf, Nodes, ScaleFor, Score

# A bound on all later nodes is tried for whenever this many times as many nodes were searched, and
# is taken once it adds no more than this, or what rounding may have added to it.
_CHECKPOINTS = 1.25
_ADDED = 1e-12
_ADDED_BY_ROUNDING = 2.0**-50
# Quilts that were best for some node and are tried on the next one before a search.
_REMEMBERED = 6
# More nodes are not looked at, or searched: then the bound on all later ones is what there is.
_MOST_NODES = 20_000
_MOST_SEARCHES = 300


def max_influence(
    initial: str | Sequence[float],
    P: Sequence[Sequence[float]],
    node: int,
    left: int,
    right: int,
) -> float:
    """Return an upper bound on a node's max-influence on the nodes so far to its left and right."""
    chain = Chain.started(initial, P)
    if not (left or right) or chain.support(node).sum() == 1 or chain.forgets_at_once:
        return 0.0
    tables = Tables(chain, 1)
    nodes = Nodes(chain, node + right, ScaleFor(1.0), node + right, tables)
    pairs = nodes.pairs(node)
    logs = np.zeros(chain.size**2)[pairs]
    if left and chain.support(node - left).sum() > 1:
        row = tables.far_backward(left, chain.support(node - left))
        logs = logs + (row[pairs] + nodes.prior(node)[pairs])
    if right and chain.support(node + right).sum() > 1:
        logs = logs + tables.far_forward(right)[pairs]
    return float(logs.max())


def quilt_scale_exact(chains: Sequence[ChainLaw], length: int, epsilon: float, width: int) -> float:
    """Return an upper bound on MQMExact's scale, the largest over the chains and their nodes."""
    return _largest_score(chains, length, ScaleFor(epsilon), width)


def quilt_epsilon(
    chains: Sequence[ChainLaw], length: int, scales: Sequence[float], width: int
) -> float:
    """Return an upper bound on the epsilon that releases of these scales give together."""
    return _largest_score(chains, length, EpsilonOf(scales), width)


def quilt_scale_pieces(
    chains: Sequence[ChainLaw], lengths: Sequence[int], epsilon: float, width: int
) -> float:
    """Return an upper bound on MQMExact's scale for independent pieces: that of the longest."""
    return _largest_score(chains, max(lengths), ScaleFor(epsilon), width)


def _largest_score(chains: Sequence[ChainLaw], length: int, score: Score, width: int) -> float:
    return max(_worst_score(Chain.of(law), length, score, width) for law in chains)


def _worst_score(chain: Chain, length: int, score: Score, width: int) -> float:
    """Return an upper bound on the largest over the nodes of the least score over quilts."""
    if chain.size == 1:
        return 0.0
    nodes = Nodes(chain, length, score, width)
    if chain.forgets_at_once:  # the nodes next to any one tell nothing of it
        alone = all(nodes.has_one_value(node) for node in range(1, min(length, 2) + 1))
        return 0.0 if alone else _score_of_independent(score)
    return _largest_over_nodes(nodes)


def _score_of_independent(score: Score) -> float:
    """Return the score of one node by itself, and so of all where all are independent.

    A little more, since an enclosure around a double does not tell that it is not exceeded.
    """
    return float(np.nextafter(score.of_whole_chain(1), np.inf))


def _largest_over_nodes(nodes: Nodes) -> float:
    """Return the same for nodes that are at hand."""
    chain, length = nodes.chain, nodes.length
    if chain.steady:
        return _bisect(nodes, 0.0, 1, length)
    return _search_any(nodes) if chain.start is None else _search_given(nodes)


def _bisect(nodes: Nodes, found: float, first: int, last: int) -> float:
    """Search nodes whose possible values are the same and that cover each other as above."""
    while first <= last:
        node = (first + last) // 2
        if nodes.has_one_value(node):
            return found
        best = nodes.best(node)
        found = max(found, best.score)
        if best.is_trivial or (nodes.chain.steady and best.left and best.right):
            return found
        if best.left:
            last = node - 1
        else:
            first = node + 1
    return found


def _search_any(nodes: Nodes) -> float:
    found, node = 0.0, 1
    while node < nodes.length and not _is_settled(nodes.chain, node):
        if not nodes.has_one_value(node):
            best = nodes.best(node)
            found = max(found, best.score)
            if best.left or best.is_trivial:
                return found
        node += 1
    return _bisect(nodes, found, node, nodes.length)


def _is_settled(chain: Chain, node: int) -> bool:
    return np.array_equal(chain.support(node), chain.support(node + 1))


def _search_given(nodes: Nodes) -> float:
    """Search node after node, until a bound for any start covers the rest."""
    anyhow = Nodes(
        nodes.chain.with_any_start(), nodes.length, nodes.score, nodes.width, nodes.tables
    )
    found, quilt, done, tried = 0.0, Best(0.0, 0, 0), 0, 0
    for checkpoint in _checkpoints(nodes.length):
        found, quilt = _search_stretch(nodes, found, quilt, range(done + 1, checkpoint + 1))
        done = checkpoint
        enough = done >= _MOST_NODES or nodes.searches >= _MOST_SEARCHES
        if done == nodes.length or found >= nodes.trivial.score:
            return found
        if 0 < quilt.left <= done and anyhow.score_of(done + 1, *quilt[1:]) <= found:
            return found
        if done >= 2 * tried or enough:
            tried = done
            bound = _bound_on_the_rest(anyhow, done + 1)
            rounding = _ADDED_BY_ROUNDING * nodes.chain.size * done
            if bound <= found * (1.0 + _ADDED + rounding) or enough:
                return max(found, bound)
    return found


def _checkpoints(length: int) -> Iterator[int]:
    node = 1
    while node < length:
        yield node
        node = max(node + 1, int(node * _CHECKPOINTS))
    yield length


def _search_stretch(nodes: Nodes, found: float, quilt: Best, stretch: range) -> tuple[float, Best]:
    """Search the nodes of a stretch, the last one first: what it needs is often enough for all."""
    remembered: list[Best] = []
    for node in (stretch[-1], *stretch[:-1]):
        if nodes.has_one_value(node) or found >= nodes.trivial.score:
            continue
        if any(nodes.score_of(node, one.left, one.right) <= found for one in remembered):
            continue
        best = nodes.best(node)
        if best.score > found:
            found, quilt = best.score, best
        remembered = [best, *(one for one in remembered if one[1:] != best[1:])][:_REMEMBERED]
    return found, quilt


def _bound_on_the_rest(anyhow: Nodes, node: int) -> float:
    """Return what a quilt for any start shows of this node and all later ones."""
    if anyhow.has_one_value(node):
        return 0.0
    best = anyhow.best(node)
    return best.score if best.left else anyhow.trivial.score


_EVEN = 0.5
_WHOLE = 2.0**53
# Lags beyond are not looked at, for memory.
_MOST_LAGS = 2**17


class _Symmetric(Tables):
    """The tables of a symmetric chain of two states, from the logarithm of |2 stay - 1|."""

    def __init__(self, log_modulus: float, longest: int) -> None:
        self.size = 2
        self.most = max(1, min(longest, _MOST_LAGS))
        self._log_modulus = log_modulus
        self._known = np.empty((0, 4))

    def forward(self, lags: int) -> Reals:
        if len(self._known) < lags:
            grown = np.arange(1.0, min(self.most, 2 * lags) + 1)
            self._known = self._rows(grown)
        return self._known[:lags]

    def backward(self, lags: int) -> Reals:
        return self.forward(lags)

    def backward_from(self, lag: int, sources: Flags) -> Reals:
        del sources  # with any start a node can have both values
        return np.asarray(self.forward(lag)[lag - 1])

    def far_forward(self, lag: int) -> Reals:
        return np.asarray(self._rows(np.array([float(lag)]))[0])

    def far_backward(self, lag: int, sources: Flags | None = None) -> Reals:
        del sources
        return self.far_forward(lag)

    def supremum(self, lag: int) -> Reals:
        return self.far_forward(lag)

    def _rows(self, lags: Reals) -> Reals:
        exponents = lags * -self._log_modulus
        # A unit in the last place or two of the logarithm, and three roundings; of the sums of
        # three in which it stands, as in all tables.
        found = influences(exponents * (1.0 - 10 * UNIT)) * (1.0 + 8 * UNIT)
        return np.outer(found, (0.0, 1.0, 1.0, 0.0))


def quilt_scale_two_state(
    low: Reals, high: Reals, length: Reals, epsilon: Reals, width: Reals
) -> Reals:
    """Return upper bounds on MQMExact's scale for all chains of the class."""
    points = zip(*(part.tolist() for part in (low, high, length, epsilon, width)), strict=True)
    return np.array([_scale(*point) for point in points])


def _scale(low: float, high: float, length: float, epsilon: float, width: float) -> float:
    nodes = whole_number_above(length)
    near = int(width if width < _WHOLE else np.nextafter(width, 0.0))
    rare = 1.0 - high if Fraction(low) + Fraction(high) >= 1 else low
    score = ScaleFor(epsilon)
    if rare == _EVEN:  # the nodes are independent
        return _score_of_independent(score)
    any_start = Chain(np.full((2, 2), _EVEN), None)
    tables = _Symmetric(math.log1p(-2.0 * rare), min(nodes - 1, near))
    return _largest_over_nodes(Nodes(any_start, nodes, score, near, tables))
