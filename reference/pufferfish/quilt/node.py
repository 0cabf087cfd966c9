"""The best quilt of one node, among all lags to the left times all lags to the right.

float64 filters the candidates, all quilts of the node at once, and balls decide among the rest. A
side that is absent is a lag to just beyond the chain's end, with ratios of 1: then every quilt, the
trivial one too, leaves left + right - 1 nodes near the node. The numbers are those of ``score``:
lower bounds up to rounding, and upper ones where the tables are sure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import NamedTuple, TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray

from ...arb.balls import ball
from ...precision import check_budget
from .influence import Chain, influence_ratio
from .score import (
    MOST_ROUNDINGS,
    Floats,
    NodeValues,
    RatioBounds,
    Score,
    Tables,
    Values,
    backward_table,
    forward_table,
    most_nodes,
)

# Lags that are looked at first, and how much further each time. For speed alone.
_FIRST_REACH = 8
# From here on it is asked first whether any quilt at all can be better than the trivial one.
_FAR = 128
# Ends of the chain that are farther away than this stand this far away in the grid, so that a
# number of nodes fits into 64 bits: too few nodes exclude no quilt, and scores use the true number.
_FARTHEST = 2**61


class Quilt(NamedTuple):
    """How far the nearest nodes of a quilt are to the left and right; 0 where there are none."""

    left: int
    right: int


class Best(NamedTuple):
    """The least score of a node's quilts, and some quilt with an upper bound on its own score."""

    score: arb
    quilt: Quilt
    reached: arb


class Nodes:
    """The nodes of a chain of some length, and the quilts of at most ``width`` nodes near them."""

    def __init__(self, tables: Tables, length: int, score: Score, width: int) -> None:
        self.tables = tables
        self.chain: Chain = tables.chain
        self.length = length
        self.score = score
        self.width = width
        self._reach = _FIRST_REACH
        self._hint = Quilt(0, 0)
        self._values = NodeValues(tables)

    @property
    def trivial(self) -> Best:
        """The trivial quilt and its score."""
        score = self.score.of_whole_chain(self.length)
        whole = ball(score) if isinstance(score, Fraction) else score
        return Best(whole, Quilt(0, 0), whole)

    def best(self, node: int) -> Best | None:
        """Enclose the least score of a node's quilts; None for a node with one value only."""
        if len(self.chain.values_at(node)) == 1:
            return None
        values = self._values.at(node)
        farthest = min(max(node - 1, self.length - node), self.tables.most_lags)
        reach = min(self._reach, farthest)
        while True:
            grid = self._grid(node, values, reach)
            place = grid.likely_best(self.score, self._hint)
            first = _better(self.trivial, self._at(node, grid, place))
            needed = min(most_nodes(self.score, first.reached.upper()), self.width)
            if reach >= min(needed, farthest):
                break
            if reach >= _FAR and self._is_hopeless(node, values):
                return self.trivial
            reach = min(2 * reach, needed, farthest)
        self._reach, self._hint = max(_FIRST_REACH, min(reach, needed)), first.quilt
        return self._decided(node, grid, place, first, min(needed, self.length))

    def _decided(self, node: int, grid: _Grid, place: _Place, first: Best, needed: int) -> Best:
        """Enclose the least score over all quilts that are not certainly worse than ``first``."""
        best = first
        rest = grid.within(self._bounds(best), place)
        while rest := [one for one in rest if one != place]:
            check_budget()
            place = grid.best_among(rest, self.score)
            best = _better(best, self._at(node, grid, place))
            rest = grid.still_within(self._bounds(best), rest)
        if self.tables.most_lags < min(needed, max(node - 1, self.length - node)):
            # There is no memory for the longer lags: all that is known of them is their card.
            beyond = self.score.of(self.tables.most_lags + 1, arb(0))
            return best._replace(score=best.score.min(beyond.union(best.reached)))
        return best

    def _bounds(self, best: Best) -> RatioBounds:
        return RatioBounds(self.score, best.reached.upper(), above=True)

    def reaches(self, node: int, quilts: Iterable[Quilt], bounds: RatioBounds) -> bool:
        """Whether some quilt's ratio is certainly at most the (lower) bound for its card.

        A lag that leaves the chain means that this side is absent.
        """
        if len(self.chain.values_at(node)) == 1:
            return True
        values = self._values.at(node)
        return any(self._reaches(node, values, quilt, bounds) for quilt in quilts)

    def _reaches(self, node: int, values: Values, quilt: Quilt, bounds: RatioBounds) -> bool:
        end = self.length - node + 1
        lags = min(quilt.left or node, node), min(quilt.right or end, end)
        left = self._row_left(node, values, lags[0])
        right = self._row_right(values, lags[1], end)
        card = sum(lags) - 1
        if card > self.width or not (left[1] and right[1]):
            return False
        with np.errstate(all="ignore"):
            largest = float((left[0] * right[0]).max())
        return largest * self._slack(node, quilt.left + quilt.right) <= bounds.at(card)

    def _at(self, node: int, grid: _Grid, place: _Place) -> Best:
        """Enclose the score of one quilt in balls, over the pairs that can set its ratio."""
        quilt = Quilt(grid.left.lag(place[0]), grid.right.lag(place[1]))
        card = (quilt.left or node) + (quilt.right or self.length - node + 1) - 1
        if quilt == (0, 0) or card > self.width:
            return self.trivial
        values = self._values.at(node)
        products = grid.products(place)
        # The pair that sets the ratio is within the slack of the largest product, or not known.
        telling = ~(products * grid.slack**2 < products.max()) | (not grid.is_sure(place))
        pairs = [(int(values.rows[at]), int(values.columns[at])) for at in np.flatnonzero(telling)]
        ratio = influence_ratio(self.chain, node, *quilt, pairs)
        found = self.score.of(card, ratio.log())
        return Best(found, quilt, found)

    def _grid(self, node: int, values: Values, reach: int) -> _Grid:
        end = self.length - node + 1
        lefts = range(1, min(reach, node - 1, self.width) + 1)
        rights = range(1, min(reach, end - 1, self.width) + 1)
        left = _side(lefts, node, [self._row_left(node, values, lag) for lag in (*lefts, node)])
        right = _side(rights, end, [self._row_right(values, lag, end) for lag in (*rights, end)])
        return _Grid(left, right, self.width, self._slack(node, 2 * reach))

    def _slack(self, node: int, lags: int) -> float:
        roundings = self.tables.roundings(lags if self.chain.steady else lags + node)
        return 1.0 + roundings * 2.0**-52 if roundings <= MOST_ROUNDINGS else inf

    def _row_left(self, node: int, values: Values, lag: int) -> tuple[Floats, bool]:
        if lag == node:
            return np.ones(len(values.rows)), True
        table = self.tables.backward(lag, self.chain.support(node - lag))
        with np.errstate(all="ignore"):
            row = table.ratios[values.rows, values.columns] * values.prior
        return row, table.sure and values.sure

    def _row_right(self, values: Values, lag: int, end: int) -> tuple[Floats, bool]:
        if lag == end:
            return np.ones(len(values.rows)), True
        table = self.tables.forward(lag)
        return table.ratios[values.rows, values.columns], table.sure

    def _is_hopeless(self, node: int, values: Values) -> bool:
        """Whether even the farthest quilts on either side are worse than the trivial one.

        The influence falls as quilts move away, so no quilt is better then.
        """
        limit = RatioBounds(self.score, self.trivial.reached, above=True).at(1) * self._slack(
            node, 2 * self.length
        )
        farthest: list[Floats] = []
        if self.tables.roundings(2 * self.length + node) > MOST_ROUNDINGS:
            return False
        if node < self.length:
            table = forward_table(self.tables.distant(self.length - node))
            farthest.append(table.ratios[values.rows, values.columns])
        if node > 1:
            power = self.tables.distant(node - 1)
            table = backward_table(power, self.chain.support(1))
            with np.errstate(all="ignore"):
                farthest.append(table.ratios[values.rows, values.columns] * values.prior)
        return all(bool((row > limit).any()) for row in farthest)


def _side(lags: Iterable[int], end: int, rows: list[tuple[Floats, bool]]) -> _Side:
    return _Side(
        np.array([*lags, min(end, _FARTHEST)], dtype=np.int64),
        np.stack([row for row, _ in rows]),
        np.array([sure for _, sure in rows]),
    )


def _better(one: Best, other: Best) -> Best:
    """Enclose the smaller of two scores; keep the quilt whose score is proved to be smaller."""
    ends = one.reached.upper(), other.reached.upper()
    kept = other if ends[1] < ends[0] or ends[0].is_nan() else one
    return kept._replace(score=one.score.min(other.score))


_Lags: TypeAlias = NDArray[np.int64]
_Place: TypeAlias = tuple[int, int]
# Products worked out at once, for memory (2^20 of them are 8 MB) and for speed alone.
_AT_ONCE = 2**20
# Pairs of values that are tried on every quilt before all pairs are, and rounds of improvement of
# a guess. For speed alone.
_WITNESSES = 8
_ROUNDS = 12


class _Side(NamedTuple):
    """The lags of one side, the last one beyond the end; a row of ratios for each."""

    lags: _Lags
    ratios: Floats
    sure: NDArray[np.bool_]

    def lag(self, place: int) -> int:
        """Return the lag that stands at a place, 0 for the side that is absent."""
        return int(self.lags[place]) if place < len(self.lags) - 1 else 0


@dataclass
class _Grid:
    """The quilts of one node; ``most`` nodes near it at most, but for the whole chain.

    ``slack`` is the factor that rounding can have cost a product of two ratios, either way.
    """

    left: _Side
    right: _Side
    most: int
    slack: float

    def card(self, place: _Place) -> int:
        """Return how many nodes a quilt leaves near the node; fewer where its end is far away."""
        return int(self.left.lags[place[0]] + self.right.lags[place[1]]) - 1

    def products(self, place: _Place) -> Floats:
        """Return the ratio for each pair of values."""
        with np.errstate(all="ignore"):
            return np.asarray(self.left.ratios[place[0]] * self.right.ratios[place[1]])

    def is_sure(self, place: _Place) -> bool:
        """Whether the products are upper bounds, too."""
        return bool(self.left.sure[place[0]] and self.right.sure[place[1]])

    def likely_best(self, score: Score, hint: _Place) -> _Place:
        """Return about the best quilt, improved side by side from the best of these lags."""
        ends = np.arange(min(len(self.left.lags), len(self.right.lags)) - 1)
        both = self._guesses(score, ends, ends)
        equal = int(np.argmin(both)) if len(both) else 0
        corner = (len(self.left.lags) - 1, len(self.right.lags) - 1)
        first = (_place(self.left, hint[0]), _place(self.right, hint[1]))
        for start in (first, (equal, equal), corner):
            # From the whole chain no step leads to a better quilt where those with one side are
            # wider than allowed: so the next start is tried.
            least, place = self._improved(score, start)
            if np.isfinite(least) and place != corner:
                return place
        return corner

    def _improved(self, score: Score, place: _Place) -> tuple[float, _Place]:
        rows, columns = np.arange(len(self.left.lags)), np.arange(len(self.right.lags))
        least = np.inf
        for _ in range(_ROUNDS):
            along = self._guesses(score, np.full_like(columns, place[0]), columns)
            place = (place[0], int(np.argmin(along)))
            across = self._guesses(score, rows, np.full_like(rows, place[1]))
            place = (int(np.argmin(across)), place[1])
            if not across[place[0]] < least:
                break
            least = float(across[place[0]])
        return least, place

    def _guesses(self, score: Score, rows: _Lags, columns: _Lags) -> Floats:
        cards = self.left.lags[rows] + self.right.lags[columns] - 1
        largest = np.empty(len(rows))
        step = max(1, _AT_ONCE // self._pairs)
        with np.errstate(all="ignore"):
            for at in range(0, len(rows), step):
                part = slice(at, at + step)
                ratios = self.left.ratios[rows[part]] * self.right.ratios[columns[part]]
                largest[part] = ratios.max(axis=1)
            scores = score.guess(cards.astype(np.float64), np.log(np.maximum(largest, 1.0)))
        whole = (rows == len(self.left.lags) - 1) & (columns == len(self.right.lags) - 1)
        allowed = (cards <= self.most) | whole
        known = self.left.sure[rows] & self.right.sure[columns] & ~np.isnan(scores)
        return np.where(allowed & known, scores, np.inf)

    def within(self, bounds: RatioBounds, near: _Place) -> list[_Place]:
        """Return all quilts of at most ``most`` but those whose ratio is certainly above its bound.

        ``near`` is some good quilt, for speed alone.
        """
        limits = self._limits(bounds)
        witnesses = self._witnesses(near)
        found: list[_Place] = []
        step = max(1, _AT_ONCE // (len(self.right.lags) * len(witnesses)))
        for at in range(0, len(self.left.lags), step):
            check_budget()
            part = slice(at, at + step)
            with np.errstate(all="ignore"):
                few = self._products(part, witnesses)
            # Not "few <= limit": a ratio that is not a number excludes nothing.
            limit = limits[part]
            for i, j in zip(*np.nonzero((limit > 0) & ~(few > limit)), strict=True):
                place = (at + int(i), int(j))
                if not self.products(place).max() > limit[i, j]:
                    found.append(place)
        return found

    def still_within(self, bounds: RatioBounds, places: list[_Place]) -> list[_Place]:
        """Return those of some quilts whose ratio is not certainly above a bound."""
        return [
            place
            for place in places
            if not self.products(place).max() > bounds.at(self.card(place)) * self.slack
        ]

    def _limits(self, bounds: RatioBounds) -> Floats:
        """Return the bound for each quilt, with room for the rounding of ratios and of this."""

        def limit(card: int) -> float:
            return bounds.at(card) * self.slack if card <= self.most else 0.0

        last = self.left.lags[-1], self.right.lags[-1]
        inner = np.array(
            [limit(card) for card in range(len(self.left.lags) + len(self.right.lags))]
        )
        places = np.add.outer(np.arange(len(self.left.lags)), np.arange(len(self.right.lags)))
        found = np.asarray(inner[places + 1])
        found[:, -1] = [limit(int(lag + last[1]) - 1) for lag in self.left.lags]
        found[-1, :] = [limit(int(lag + last[0]) - 1) for lag in self.right.lags]
        return found

    def best_among(self, places: list[_Place], score: Score) -> _Place:
        """Return about the best of some quilts."""
        rows, columns = (np.array(part) for part in zip(*places, strict=True))
        return places[int(np.argmin(self._guesses(score, rows, columns)))]

    def _products(self, part: slice, pairs: _Lags) -> Floats:
        left, right = self.left.ratios[part][:, pairs], self.right.ratios[:, pairs]
        return np.asarray((left[:, None, :] * right[None, :, :]).max(axis=2))

    def _witnesses(self, near: _Place) -> _Lags:
        """Return the pairs that set the ratio of a quilt and of its sides, each pair once."""
        if self._pairs <= _WITNESSES:
            return np.arange(self._pairs)
        telling = (self.products(near), self.left.ratios[near[0]], self.right.ratios[near[1]])
        largest = [np.argsort(-one)[: _WITNESSES // 2] for one in telling]
        return np.unique(np.concatenate(largest))

    @property
    def _pairs(self) -> int:
        return int(self.left.ratios.shape[1])


def _place(side: _Side, lag: int) -> int:
    """Return where a lag stands, or the side's last one, the end, where it does not."""
    last = len(side.lags) - 1
    return lag - 1 if 1 <= lag <= last else last
