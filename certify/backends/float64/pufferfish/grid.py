"""All quilts of one node with lags up to a reach, in float64, and the best of them.

Scores are upper bounds of the quilts' own, whichever quilts are looked at. A side that is absent is
a lag to just beyond the chain's end, the last one of its side, with no influence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..doubled import Indices, Reals

if TYPE_CHECKING:
    from .nodes import Nodes

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
