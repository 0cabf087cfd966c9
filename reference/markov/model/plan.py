"""Which states to merge so that the paper's epsilon comes down to a target: a greedy plan.

Every comparison is of proved enclosures. Where the working precision does not decide one, nothing
is said at that precision, so whoever asked raises it; rows with equal numbers are equal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key
from typing import TypeAlias

from flint import arb

from ...arb.balls import enclosure_of
from ...domain import NonNegative, Share
from ...enclosure import Enclosure, Trilean
from ...precision import check_budget
from ...quantity import Shape, Side, Truth, quantity
from ...relations import UNKNOWN
from .merging import COUNTED, MIN_CATEGORIES, RowKey, Table, epsilon_of, has_epsilon, key_of
from .row_lists import NOTE

# The rows' losses, the largest first; None stands for a row without an epsilon.
Losses: TypeAlias = "list[RowKey | None]"


class _UndecidedError(Exception):
    """Two losses that the working precision does not tell apart."""


@quantity(
    "markov.model.merge_plan",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    shape=Shape.VECTOR,
    rises=UNKNOWN,
)
def merge_plan(counts: COUNTED, gamma: Share, epsilon: NonNegative) -> tuple[arb | Fraction, ...]:
    """Group number of each state after greedy merging to a target epsilon; all 1 if it fails.

    While some row is above the target, and more than three groups are left, the group with the
    largest epsilon is merged with that other one which leaves the rows' epsilons, sorted from the
    largest on, least in lexicographic order; of equals the first. A row for which Theorem 1 prints
    none counts as infinite. Groups are numbered in the order of their first states. It is for
    planning on public data: a plan that is read off private counts tells about them.
    """
    try:
        groups = _plan(_Chain.of(counts, _Losses(gamma)), epsilon)
    except _UndecidedError:
        return (arb("nan"),) * len(counts)
    return tuple(map(Fraction, groups))


def _plan(chain: _Chain, epsilon: Fraction) -> list[int]:
    while not chain.reaches(epsilon):
        if len(chain.rows) <= MIN_CATEGORIES:
            return [1] * len(chain.groups)
        chain = chain.after_the_best_merge()
    first: dict[int, int] = {}
    return [first.setdefault(group, len(first) + 1) for group in chain.groups]


@dataclass(frozen=True)
class _Losses:
    """The least epsilon of rows, each worked out once, and their order."""

    gamma: Fraction
    known: dict[RowKey, Enclosure | None] = field(default_factory=dict)

    def of(self, key: RowKey) -> Enclosure | None:
        """Return the enclosure of a row's epsilon; None where there is none."""
        if key not in self.known:
            found = has_epsilon(key, self.gamma)
            self.known[key] = enclosure_of(epsilon_of(key, self.gamma)) if found else None
        return self.known[key]

    def compared(self, one: RowKey, other: RowKey) -> int:
        """Return whether one row's epsilon is smaller (-1), equal (0) or larger (1)."""
        first, second = self.of(one), self.of(other)
        if one == other or (first is None and second is None):
            return 0
        if first is None or second is None:
            return 1 if first is None else -1
        if first.overlaps(second):
            raise _UndecidedError
        return 1 if second.high < first.low else -1

    def lexicographic(self, one: list[RowKey], other: list[RowKey]) -> int:
        """Compare lists of equal length that are sorted from the largest on."""
        pairs = zip(one, other, strict=True)
        return next((found for pair in pairs if (found := self.compared(*pair))), 0)

    def descending(self, keys: list[RowKey]) -> list[RowKey]:
        """Return rows sorted by epsilon, the largest first; of equals the first."""
        return sorted(keys, key=cmp_to_key(self.compared), reverse=True)


@dataclass(frozen=True)
class _Chain:
    """Counts between groups, and the group, counted from 0, of each state."""

    rows: list[list[int]]
    groups: list[int]
    losses: _Losses

    @classmethod
    def of(cls, counts: Table, losses: _Losses) -> _Chain:
        """Return the chain with a group for each state."""
        return cls([list(row) for row in counts], list(range(len(counts))), losses)

    def reaches(self, epsilon: Fraction) -> bool:
        """Whether each row's epsilon is at most so much."""
        found = [self.losses.of(key_of(row)) for row in self.rows]
        if any(loss is None for loss in found):
            return False
        above = {loss.is_above(epsilon) for loss in found if loss is not None}
        if Trilean.TRUE not in above and Trilean.UNKNOWN in above:
            raise _UndecidedError
        return Trilean.TRUE not in above

    def after_the_best_merge(self) -> _Chain:
        """Return the chain after the group that loses most is merged with its best partner."""
        keys = [key_of(row) for row in self.rows]
        worst = keys.index(self.losses.descending(keys)[0])
        best, least = -1, None
        for partner, found in self._partners(worst):
            ordered = self.losses.descending(found)
            if least is None or self.losses.lexicographic(ordered, least) < 0:
                best, least = partner, ordered
        return self._merged(min(worst, best), max(worst, best))

    def _partners(self, worst: int) -> Iterator[tuple[int, list[RowKey]]]:
        """Yield each other group, and the rows' numbers after a merge with it."""
        heads = [_smallest(row, worst) for row in self.rows]
        for partner in range(len(self.rows)):
            check_budget()
            if partner == worst:
                continue
            found = [
                _key_after(row, worst, partner, head)
                for at, (row, head) in enumerate(zip(self.rows, heads, strict=True))
                if at not in (worst, partner)
            ]
            both = [a + b for a, b in zip(self.rows[worst], self.rows[partner], strict=True)]
            yield partner, [*found, _key_after(both, worst, partner, _smallest(both, worst))]

    def _merged(self, kept: int, gone: int) -> _Chain:
        rows = [list(row) for row in self.rows]
        rows[kept] = [a + b for a, b in zip(rows[kept], rows[gone], strict=True)]
        del rows[gone]
        for row in rows:
            row[kept] += row.pop(gone)
        groups = [kept if g == gone else g - (g > gone) for g in self.groups]
        return _Chain(rows, groups, self.losses)


def _smallest(row: list[int], apart: int) -> list[tuple[int, int]]:
    """Return the two least positive counts outside one column, with their columns."""
    found = [(count, at) for at, count in enumerate(row) if count and at != apart]
    return sorted(found)[:2]


def _key_after(row: list[int], one: int, other: int, head: list[tuple[int, int]]) -> RowKey:
    """Return what a row has after two of its columns are added."""
    total = row[one] + row[other]
    rest = [count for count, at in head if at != other][:1]
    seen = sum(map(bool, row)) - bool(row[one]) - bool(row[other]) + bool(total)
    return min([*rest, total] if total else rest), sum(row), seen
