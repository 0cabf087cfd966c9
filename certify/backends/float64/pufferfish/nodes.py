"""The best quilt of one node, in float64; every score is an upper bound of that quilt's own.

The least score over quilts is at most the score of any one, so which quilts are looked at is a
matter of accuracy and speed, never of safety. A side that is absent is a lag to just beyond the
chain's end with no influence: then every quilt leaves left + right - 1 nodes near the node.
"""

from __future__ import annotations

import numpy as np

from ..doubled import Indices, Reals
from .chain import Chain
from .grid import Best, Grid, Side
from .scores import Score, limit_of
from .tables import Tables, log_ratios

_FIRST_REACH = 8
# From here on it is asked first whether any quilt at all can be better than the trivial one.
_FAR = 128
# So many laws are kept, one a node.
_MOST_STEPS = 2**15


class Nodes:
    """The nodes of a chain, and their quilts with at most ``width`` nodes near them."""

    def __init__(
        self, chain: Chain, length: int, score: Score, width: int, tables: Tables | None = None
    ) -> None:
        self.chain, self.length, self.score = chain, length, score
        self.tables = tables or Tables(chain, min(length - 1, width))
        self.width, self.limit = width, limit_of(width)
        self._longest = min(width, self.tables.most)
        self._reach, self._hint = _FIRST_REACH, (0, 0)
        self.searches = 0
        self.trivial = Best(score.of_whole_chain(length), 0, 0)
        self._prior: tuple[int, Reals] = (0, np.zeros(0))

    def pairs(self, node: int) -> Indices | slice:
        """Return where the pairs of values that a node can have stand in a table."""
        support = self.chain.support(node)
        return slice(None) if support.all() else np.flatnonzero(np.outer(support, support))

    def prior(self, node: int) -> Reals:
        """Return log P(X = x')/P(X = x), or its supremum, over all pairs of states, rounded up."""
        if self._prior[0] != node:
            self._prior = (node, self._prior_at(node))
        return self._prior[1]

    def _prior_at(self, node: int) -> Reals:
        chain = self.chain
        if chain.start is None:
            return self.tables.supremum(node - 1)
        roundings = 2.0 * (chain.roundings + (0 if chain.steady else chain.size * (node - 1))) + 1
        logs = log_ratios(self._law(node)[None, :], chain.support(node)[None, :], roundings)
        return np.asarray(logs.reshape(chain.size, chain.size).T.ravel())

    def _law(self, node: int) -> Reals:
        """Return a node's law, step by step or, of a distant one, by a power: alike roundings."""
        chain = self.chain
        if chain.start is None or chain.steady or node <= _MOST_STEPS:
            return chain.law(node)
        return np.asarray(chain.start @ self.tables.distant(node - 1)[0])

    def left_row(self, node: int, lag: int, pairs: Indices | slice) -> Reals:
        """Return the logs of one lag to the left, prior included; 0 where the side is absent."""
        if not lag:
            return np.zeros(self.chain.size**2)[pairs]
        row = self.tables.backward_from(lag, self.chain.support(node - lag))
        return np.asarray(row[pairs] + self.prior(node)[pairs])

    def right_row(self, lag: int, pairs: Indices | slice) -> Reals:
        """Return the logs of one lag to the right; 0 where the side is absent."""
        if not lag:
            return np.zeros(self.chain.size**2)[pairs]
        return np.asarray(self.tables.forward(lag)[lag - 1][pairs])

    def score_of(self, node: int, left: int, right: int) -> float:
        """Return the score of one quilt; lags that leave the chain mean that the side is absent."""
        left, right = left if left < node else 0, right if right <= self.length - node else 0
        if not (left or right):
            return self.trivial.score
        card = float(left or node) + float(right or self.length - node + 1) - 1.0
        if card > self.limit or max(left, right) > self._longest:
            return self.trivial.score
        pairs = self.pairs(node)
        logs = self.left_row(node, left, pairs) + self.right_row(right, pairs)
        return float(self.score.of(np.array(card), logs.max()))

    def has_one_value(self, node: int) -> bool:
        """Whether a node needs no protection."""
        return int(self.chain.support(node).sum()) == 1

    def best(self, node: int) -> Best:
        """Return about the best quilt of a node with several values."""
        self.searches += 1
        farthest = min(max(node - 1, self.length - node), self._longest)
        reach = min(self._reach, farthest)
        pairs = self.pairs(node)
        while True:
            grid = Grid(self, node, reach, pairs)
            best = grid.likely_best(self._hint)
            needed = min(self.score.most_nodes(best.score), self.limit)
            if reach >= min(needed, farthest):
                break
            if reach >= _FAR and best.is_trivial and self._is_hopeless(node, pairs):
                return self.trivial
            reach = int(min(2 * reach, needed + 1, farthest))
        best = grid.improved(best)
        self._reach = int(max(_FIRST_REACH, min(reach, self.score.most_nodes(best.score) + 1)))
        self._hint = best.left, best.right
        return best

    def _is_hopeless(self, node: int, pairs: Indices | slice) -> bool:
        """Whether even the farthest quilts on either side are worse than the trivial one."""
        rows = []
        left, right = min(node - 1, self._longest), min(self.length - node, self._longest)
        if right:
            rows.append(self.tables.far_forward(right)[pairs])
        if left:
            row = self.tables.far_backward(left, self.chain.support(node - left))[pairs]
            rows.append(row + self.prior(node)[pairs])
        least = [float(self.score.of(np.array(1.0), row.max())) for row in rows]
        return min(least, default=np.inf) >= self.trivial.score

    def left_side(self, node: int, reach: int, pairs: Indices | slice) -> Side:
        """Return the lags to the left up to a reach; logs without the prior."""
        most = min(reach, node - 1, self._longest)
        logs = self.tables.backward(most)
        sources = [self.chain.support(node - lag) for lag in range(1, most + 1)]
        partly = [lag for lag, one in enumerate(sources, 1) if not one.all()]
        if partly:
            logs = logs.copy()
            for lag in partly:
                logs[lag - 1] = self.tables.backward_from(lag, sources[lag - 1])
        return Side(_lags(most, node), logs[:, pairs])

    def right_side(self, node: int, reach: int, pairs: Indices | slice) -> Side:
        """Return the lags to the right up to a reach."""
        most = min(reach, self.length - node, self._longest)
        return Side(_lags(most, self.length - node + 1), self.tables.forward(most)[:, pairs])


def _lags(most: int, beyond: int) -> Reals:
    return np.append(np.arange(1.0, most + 1), float(beyond))
