"""The best quilt of one node: float64 filters the candidates, balls decide among the rest."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import NamedTuple

import numpy as np
from flint import arb

from ..arb.balls import ball
from ..precision import check_budget
from .chain import Chain
from .influence import influence_ratio
from .quilt_grid import Grid, Place, Side
from .quilt_score import RatioBounds, Score, most_nodes
from .quilt_tables import MOST_ROUNDINGS, Floats, Tables, backward_table, forward_table
from .quilt_values import NodeValues, Values

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
        whole = ball(self.score.of_whole_chain(self.length))
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

    def _decided(self, node: int, grid: Grid, place: Place, first: Best, needed: int) -> Best:
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

    def _at(self, node: int, grid: Grid, place: Place) -> Best:
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

    def _grid(self, node: int, values: Values, reach: int) -> Grid:
        end = self.length - node + 1
        lefts = range(1, min(reach, node - 1, self.width) + 1)
        rights = range(1, min(reach, end - 1, self.width) + 1)
        left = _side(lefts, node, [self._row_left(node, values, lag) for lag in (*lefts, node)])
        right = _side(rights, end, [self._row_right(values, lag, end) for lag in (*rights, end)])
        return Grid(left, right, self.width, self._slack(node, 2 * reach))

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


def _side(lags: Iterable[int], end: int, rows: list[tuple[Floats, bool]]) -> Side:
    return Side(
        np.array([*lags, min(end, _FARTHEST)], dtype=np.int64),
        np.stack([row for row, _ in rows]),
        np.array([sure for _, sure in rows]),
    )


def _better(one: Best, other: Best) -> Best:
    """Enclose the smaller of two scores; keep the quilt whose score is proved to be smaller."""
    ends = one.reached.upper(), other.reached.upper()
    kept = other if ends[1] < ends[0] or ends[0].is_nan() else one
    return kept._replace(score=one.score.min(other.score))
