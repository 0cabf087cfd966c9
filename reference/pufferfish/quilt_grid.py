"""All quilts of one node at once: lags to the left times lags to the right, in float64.

A side that is absent is a lag to just beyond the chain's end, with ratios of 1: then every quilt,
the trivial one too, leaves left + right - 1 nodes near the node. The numbers are those of
``quilt_tables``: lower bounds up to rounding, and upper ones where the tables are sure.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..precision import check_budget
from .quilt_score import RatioBounds, Score
from .quilt_tables import Floats

Lags: TypeAlias = NDArray[np.int64]
Place: TypeAlias = tuple[int, int]
# Products worked out at once, for memory (2^20 of them are 8 MB) and for speed alone.
_AT_ONCE = 2**20
# Pairs of values that are tried on every quilt before all pairs are, and rounds of improvement of
# a guess. For speed alone.
_WITNESSES = 8
_ROUNDS = 12


class Side(NamedTuple):
    """The lags of one side, the last one beyond the end; a row of ratios for each."""

    lags: Lags
    ratios: Floats
    sure: NDArray[np.bool_]

    def lag(self, place: int) -> int:
        """Return the lag that stands at a place, 0 for the side that is absent."""
        return int(self.lags[place]) if place < len(self.lags) - 1 else 0


@dataclass
class Grid:
    """The quilts of one node; ``most`` nodes near it at most, but for the whole chain.

    ``slack`` is the factor that rounding can have cost a product of two ratios, either way.
    """

    left: Side
    right: Side
    most: int
    slack: float

    def card(self, place: Place) -> int:
        """Return how many nodes a quilt leaves near the node; fewer where its end is far away."""
        return int(self.left.lags[place[0]] + self.right.lags[place[1]]) - 1

    def products(self, place: Place) -> Floats:
        """Return the ratio for each pair of values."""
        with np.errstate(all="ignore"):
            return np.asarray(self.left.ratios[place[0]] * self.right.ratios[place[1]])

    def is_sure(self, place: Place) -> bool:
        """Whether the products are upper bounds, too."""
        return bool(self.left.sure[place[0]] and self.right.sure[place[1]])

    def likely_best(self, score: Score, hint: Place) -> Place:
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

    def _improved(self, score: Score, place: Place) -> tuple[float, Place]:
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

    def _guesses(self, score: Score, rows: Lags, columns: Lags) -> Floats:
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

    def within(self, bounds: RatioBounds, near: Place) -> list[Place]:
        """Return all quilts of at most ``most`` but those whose ratio is certainly above its bound.

        ``near`` is some good quilt, for speed alone.
        """
        limits = self._limits(bounds)
        witnesses = self._witnesses(near)
        found: list[Place] = []
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

    def still_within(self, bounds: RatioBounds, places: list[Place]) -> list[Place]:
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

    def best_among(self, places: list[Place], score: Score) -> Place:
        """Return about the best of some quilts."""
        rows, columns = (np.array(part) for part in zip(*places, strict=True))
        return places[int(np.argmin(self._guesses(score, rows, columns)))]

    def _products(self, part: slice, pairs: Lags) -> Floats:
        left, right = self.left.ratios[part][:, pairs], self.right.ratios[:, pairs]
        return np.asarray((left[:, None, :] * right[None, :, :]).max(axis=2))

    def _witnesses(self, near: Place) -> Lags:
        """Return the pairs that set the ratio of a quilt and of its sides, each pair once."""
        if self._pairs <= _WITNESSES:
            return np.arange(self._pairs)
        telling = (self.products(near), self.left.ratios[near[0]], self.right.ratios[near[1]])
        largest = [np.argsort(-one)[: _WITNESSES // 2] for one in telling]
        return np.unique(np.concatenate(largest))

    @property
    def _pairs(self) -> int:
        return int(self.left.ratios.shape[1])


def _place(side: Side, lag: int) -> int:
    """Return where a lag stands, or the side's last one, the end, where it does not."""
    last = len(side.lags) - 1
    return lag - 1 if 1 <= lag <= last else last
