"""The best quilt of one node: scores, grids of quilts, and the search among them.

What a quilt is worth, rounded up: the scale that it asks for, or the epsilon that it gives.

A quilt leaves ``card`` nodes near the protected one and has an influence on the rest. Either score
rises with both. A few roundings, of u = 2^-53 each, are made, and a factor makes up for them.

All quilts of one node with lags up to a reach, in float64, and the best of them.

Scores are upper bounds of the quilts' own, whichever quilts are looked at. A side that is absent is
a lag to just beyond the chain's end, the last one of its side, with no influence.

The best quilt of one node, in float64; every score is an upper bound of that quilt's own.

The least score over quilts is at most the score of any one, so which quilts are looked at is a
matter of accuracy and speed, never of safety. A side that is absent is a lag to just beyond the
chain's end with no influence: then every quilt leaves left + right - 1 nodes near the node.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from ..doubled import UNIT, Indices, Reals, rounded_towards
from .chain import Chain, Tables, log_ratios

_UP = 1.0 + 10 * UNIT
_WHOLE = 2.0**52  # numbers of nodes up to here are exact in doubles
_HUGE = 10**300
# A card that no quilt with a given score has is told from one that some quilt has with this room.
_ROOM = 1.0 + 2.0**-40


class Score(Protocol):
    """A number for each quilt, which rises with its card and its influence."""

    def of(self, cards: Reals, influences: Reals) -> Reals:
        """Return the scores of quilts, rounded up; infinite where there is none."""

    def of_whole_chain(self, length: int) -> float:
        """Return the score of the trivial quilt, all nodes and no influence, rounded up."""

    def most_nodes(self, value: float) -> float:
        """Return about the card beyond which no quilt has a score of a value or less."""


@dataclass(frozen=True)
class ScaleFor:
    """The noise that a quilt asks for: card/(epsilon - influence)."""

    epsilon: float

    def of(self, cards: Reals, influences: Reals) -> Reals:
        """Return the scales; infinite where the influence may reach epsilon."""
        with np.errstate(all="ignore"):
            left = self.epsilon - influences
            return np.where(left > 0, cards / left * _UP, np.inf)

    def of_whole_chain(self, length: int) -> float:
        """Return length/epsilon."""
        return rounded_towards(Fraction(length) / Fraction(self.epsilon), np.inf)

    def most_nodes(self, value: float) -> float:
        """Return value * epsilon, and some room."""
        return value * self.epsilon * _ROOM


@dataclass(frozen=True)
class EpsilonOf:
    """The epsilon that noise gives through a quilt: influence + card * (sum of 1/scale)."""

    scales: Sequence[float]

    @property
    def _exact(self) -> Fraction:
        return sum((1 / Fraction(scale) for scale in self.scales), Fraction(0))

    def of(self, cards: Reals, influences: Reals) -> Reals:
        """Return the epsilons."""
        rate = rounded_towards(self._exact, np.inf)
        with np.errstate(all="ignore"):
            return (influences + cards * rate) * _UP

    def of_whole_chain(self, length: int) -> float:
        """Return length * rate."""
        return rounded_towards(length * self._exact, np.inf)

    def most_nodes(self, value: float) -> float:
        """Return value/rate, and some room."""
        with np.errstate(all="ignore"):
            most = np.float64(value) / rounded_towards(self._exact, -np.inf) * _ROOM
        return float(most) if most >= 0 else np.inf


def limit_of(width: int) -> float:
    """Return a double that no sum of lags rounded up to it exceeds the width by."""
    return float(width) if width < _WHOLE else float(min(width, _HUGE)) / _ROOM


_AT_ONCE = 2**20
_WITNESSES = 12
_ROUNDS = 12
_FEW = 64
# Candidates that cannot be better than the best by more than this are left alone.
_NEARLY = 1.0 - 2.0**-49
# So many quilts are looked at one by one, in a second or so; of more, those that the improvement
# side by side finds.
_MOST_QUILTS = 2**24


class Best(NamedTuple):
    """A score that some quilt of a node has at most, and that quilt's lags; 0: no such side."""

    score: float
    left: int
    right: int

    @property
    def is_trivial(self) -> bool:
        """Whether it is the whole chain."""
        return not (self.left or self.right)


class Side(NamedTuple):
    """The lags of one side, the last one beyond the end, and a row of logs for each."""

    lags: Reals
    logs: Reals


class Grid:
    """All quilts of one node with lags up to a reach."""

    def __init__(self, nodes: Nodes, node: int, reach: int, pairs: Indices | slice) -> None:
        self._nodes = nodes
        self._left = nodes.left_side(node, reach, pairs)
        self._right = nodes.right_side(node, reach, pairs)
        # At node 1 there is no left side, so that no prior is needed.
        count = self._right.logs.shape[1]
        self._prior = nodes.prior(node)[pairs] if node > 1 else np.zeros(count)
        self._ends = len(self._left.logs), len(self._right.logs)

    def likely_best(self, hint: tuple[int, int]) -> Best:
        """Return a good quilt, improved side by side from these lags, equal ones, or one side."""
        best = self._nodes.trivial
        for start in self._starts(hint):
            best = self._improved_from(start)
            if not best.is_trivial:
                break
        return best

    def _starts(self, hint: tuple[int, int]) -> Iterator[tuple[int, int]]:
        if all(0 < lag <= end for lag, end in zip(hint, self._ends, strict=True)):
            yield hint[0] - 1, hint[1] - 1
        if both := min(self._ends):
            middle = _largest_sums(self._left.logs[:both], self._right.logs[:both], self._prior)
            lags = self._left.lags[:both]
            scores = self._scored(lags + lags - 1.0, middle)
            at = int(np.argmin(scores))
            if np.isfinite(scores[at]):
                yield at, at
        yield self._ends
        yield int(np.argmin(self._scores(None, self._ends[1])[:-1])) if self._ends[0] else 0, 0

    def _improved_from(self, place: tuple[int, int]) -> Best:
        least = np.inf
        for _ in range(_ROUNDS):
            along = self._scores(place[0], None)
            place = place[0], int(np.argmin(along))
            across = self._scores(None, place[1])
            place = int(np.argmin(across)), place[1]
            if not across[place[0]] < least:
                break
            least = float(across[place[0]])
        return self._best_at(place, least)

    def _best_at(self, place: tuple[int, int], score: float) -> Best:
        trivial = self._nodes.trivial
        if place == self._ends or not score < trivial.score:
            return trivial
        lags = [0 if at == end else at + 1 for at, end in zip(place, self._ends, strict=True)]
        return Best(score, *lags)

    def _scores(self, row: int | None, column: int | None) -> Reals:
        """Return the scores of all quilts with one lag, or none, on the side that is given."""
        if row is not None:
            fixed = self._left_logs(row)
            found = _largest_sums(self._right.logs, fixed, None), float(fixed.max())
            cards = self._right.lags + self._left.lags[row] - 1.0
        else:
            fixed = self._right_logs(column or 0)
            found = _largest_sums(self._left.logs, fixed, self._prior), float(fixed.max())
            cards = self._left.lags + self._right.lags[column or 0] - 1.0
        scores = self._scored(cards, np.append(*found))
        if self._ends[0 if row is not None else 1] in (row, column):
            scores[-1] = self._nodes.trivial.score
        return scores

    def _scored(self, cards: Reals, influences: Reals) -> Reals:
        allowed = cards <= self._nodes.limit
        return np.where(allowed, self._nodes.score.of(cards, influences), np.inf)

    def _left_logs(self, row: int) -> Reals:
        if row == self._ends[0]:
            return np.zeros(len(self._prior))
        return np.asarray(self._left.logs[row] + self._prior)

    def _right_logs(self, column: int) -> Reals:
        absent = column == self._ends[1]
        return np.zeros(len(self._prior)) if absent else np.asarray(self._right.logs[column])

    def improved(self, best: Best) -> Best:
        """Return the best quilt: all that a few pairs of values do not rule out are looked at."""
        pairs = self._witnesses(best)
        prior = self._prior[pairs]
        left = np.vstack([self._left.logs[:, pairs] + prior, np.zeros(len(prior))])
        right = np.vstack([self._right.logs[:, pairs], np.zeros(len(prior))])
        exact = len(prior) == len(self._prior)
        if len(left) * len(right) > _MOST_QUILTS:
            return best
        step = max(1, _AT_ONCE // len(right))
        for at in range(0, len(left), step):
            lows = self._lower_scores(at, left[at : at + step], right)
            best = self._searched(best, at, lows, exact=exact)
        return best

    def _lower_scores(self, first: int, left: Reals, right: Reals) -> Reals:
        """Return the scores of quilts over some pairs of values only."""
        influences = np.zeros((len(left), len(right)))
        for mine, theirs in zip(left.T, right.T, strict=True):
            np.maximum(influences, mine[:, None] + theirs[None, :], out=influences)
        lags = self._left.lags[first : first + len(left)]
        scores = self._scored(lags[:, None] + self._right.lags[None, :] - 1.0, influences)
        if first + len(left) > self._ends[0]:
            scores[-1, -1] = np.inf  # the trivial quilt is known
        return scores

    def _searched(self, best: Best, first: int, lows: Reals, *, exact: bool) -> Best:
        candidates = np.argwhere(lows < best.score * _NEARLY)
        order = np.argsort(lows[tuple(candidates.T)])
        candidates = candidates[order[:1] if exact else order]
        for at in range(0, len(candidates), _FEW):
            some = candidates[at : at + _FEW]
            if not lows[tuple(some[0])] < best.score * _NEARLY:
                break
            rows, columns = (first + some[:, 0]).tolist(), some[:, 1].tolist()
            largest = [
                float((self._left_logs(row) + self._right_logs(column)).max())
                for row, column in zip(rows, columns, strict=True)
            ]
            cards = self._left.lags[rows] + self._right.lags[columns] - 1.0
            scores = self._nodes.score.of(cards, np.array(largest))
            least = int(np.argmin(scores))
            if scores[least] < best.score:
                best = self._best_at((rows[least], columns[least]), float(scores[least]))
        return best

    def _witnesses(self, best: Best) -> Indices:
        """Return the pairs that set the influence of a quilt and of its sides, each pair once."""
        count = len(self._prior)
        if count <= _WITNESSES:
            return np.arange(count)
        left, right = (best.left or self._ends[0] + 1) - 1, (best.right or self._ends[1] + 1) - 1
        one, other = self._left_logs(left), self._right_logs(right)
        most = [np.argsort(-logs)[: _WITNESSES // 3] for logs in (one + other, one, other)]
        return np.unique(np.concatenate(most))


def _largest_sums(rows: Reals, fixed: Reals, added: Reals | None) -> Reals:
    """Return the largest entry of each row after what is given was added to it."""
    if fixed.ndim == 1:
        fixed = (fixed if added is None else fixed + added)[None, :]
        added = None
    found = np.empty(len(rows))
    step = max(1, _AT_ONCE // max(1, rows.shape[1]))
    for at in range(0, len(rows), step):
        part = rows[at : at + step] + (fixed if len(fixed) == 1 else fixed[at : at + step])
        found[at : at + step] = (part if added is None else part + added).max(axis=1)
    return found


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
