"""Merged states of a chain that is counted from records: the paper's epsilon, and a greedy plan.

Merged states have their rows and their columns added. Which ones to merge has to be decided by a
public criterion: a plan that is read off private counts tells about them. The plan brings the
paper's epsilon down to a target.

Every comparison is of proved enclosures. Where the working precision does not decide one, nothing
is said at that precision, so whoever asked raises it; rows with equal numbers are equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cmp_to_key
from typing import Annotated, Any, TypeAlias

from flint import arb

from ...adjacency import Floored
from ...arb.balls import enclosure_of
from ...dirichlet.counts import (
    EPSILON_CONDITIONS,
    epsilon_minimum,
    room_for_one_record,
    space_of,
)
from ...dirichlet.good_set import seldom_missed
from ...domain import Condition, Counts, Entries, NonNegative, Parameters, Share, count_from
from ...enclosure import Enclosure, Trilean
from ...exact import exact_text, shown
from ...precision import check_budget
from ...quantity import Shape, Side, Truth, quantity
from ...relations import UNKNOWN, Complete, GoodSet, Promise
from .privacy import feasible, least_positive
from .rows import NOTE, Whole, largest

_Table: TypeAlias = tuple[Whole, ...]
# Least positive count, records, feasible transitions: all that a row's epsilon depends on.
_RowKey: TypeAlias = tuple[int, int, int]

# Hints for the search: below three states nothing is printed.
_COUNTED = Annotated[_Table, Counts(widest_searched=4)]
_GROUPS = Annotated[Whole, Entries(count_from(1, 4), longest_searched=4, as_long_as="counts")]
_MIN_CATEGORIES = 3


def merged(counts: Sequence[Whole], groups: Sequence[int]) -> list[list[int]]:
    """Return the counts between groups of states, the groups in increasing order."""
    place = {group: at for at, group in enumerate(sorted(set(groups)))}
    found = [[0] * len(place) for _ in place]
    for source, row in zip(groups, counts, strict=True):
        check_budget()
        into = found[place[source]]
        for target, count in zip(groups, row, strict=True):
            into[place[target]] += count
    return found


def key_of(row: Sequence[int]) -> _RowKey:
    """Return the numbers of a row that its smallest epsilon depends on."""
    positive = tuple(row)
    return least_positive(positive), sum(positive), feasible(positive)


def has_epsilon(key: _RowKey, gamma: Fraction) -> bool:
    """Whether benvenuti2025 Theorem 1 prints an epsilon for the row at all."""
    least, records, categories = key
    eta = Fraction(least, records)
    given: Parameters = {"eta": eta, "N": records, "n": categories, "gamma": gamma}
    return categories >= _MIN_CATEGORIES and all(
        condition.holds(given) is Trilean.TRUE for condition in EPSILON_CONDITIONS
    )


def epsilon_of(key: _RowKey, gamma: Fraction) -> arb:
    """Enclose the least epsilon that the row can have by Theorem 1, at k = 3 N/(2 c)."""
    least, records, categories = key
    check_budget()
    found: arb = epsilon_minimum(Fraction(least, records), records, categories, gamma)
    return found


def _numbered(groups: Whole) -> bool:
    return set(groups) == set(range(1, len(set(groups)) + 1))


def _without_epsilon(counts: _Table, groups: Whole, gamma: Fraction) -> tuple[int, _RowKey] | None:
    """Return the first group whose row has no epsilon, and the row's numbers."""
    if len(counts) != len(groups):
        return None  # the condition on lengths speaks of that
    keys = (key_of(row) for row in merged(counts, groups))
    return next(((at, key) for at, key in enumerate(keys, 1) if not has_epsilon(key, gamma)), None)


def _lacking(counts: _Table, groups: Whole, gamma: Fraction) -> str:
    found = _without_epsilon(counts, groups, gamma)
    if found is None:
        return ""
    at, (least, records, categories) = found
    return (
        f"group {at} has n = {categories}, N = {shown(records)}, least count {shown(least)}, "
        f"gamma = {exact_text(gamma)}"
    )


def _rows(p: Complete) -> list[tuple[Fraction, Fraction, int, int]]:
    """Return k, eta, N and n of each row after the merge: eta = c/N, and k = 3/(2 eta)."""
    keys = [key_of(row) for row in merged(p["counts"], p["groups"])]
    return [(Fraction(3 * N, 2 * c), Fraction(c, N), N, n) for c, N, n in keys]


def _neighbours(p: Complete) -> tuple[Floored, ...]:
    """Return the neighbours in each row that has room for any."""
    return tuple(space_of(k, eta, N) for k, eta, N, n in _rows(p) if room_for_one_record(n, eta, N))


def _chance(p: Complete) -> dict[str, Any]:
    k, eta, _, n = zip(*_rows(p), strict=True)
    return {"k": k, "eta": eta, "n": n, "gamma": (p["gamma"],) * len(k)}


@quantity(
    "markov.model.merged_epsilon",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    formula=r"\max_g \; \varepsilon\left(k_g, \frac{c_g}{N_g}, N_g, n_g, \gamma\right), \quad "
    r"k_g = \frac{3 N_g}{2 c_g}",
    conditions=(
        Condition(
            "a group number for each state",
            lambda counts, groups: len(counts) == len(groups),
            NOTE,
            lambda counts, groups: f"there are {len(counts)} states and {len(groups)} groups",
        ),
        Condition("groups numbered from 1 without a gap", _numbered, NOTE),
        Condition(
            "three feasible transitions or more in each group's row, n gamma < 1, and 2 c + 1 < N "
            "for its least count c",
            lambda counts, groups, gamma: _without_epsilon(counts, groups, gamma) is None,
            "benvenuti2025 Theorem 1",
            _lacking,
        ),
    ),
    rises=UNKNOWN,
    promise=Promise(
        "epsilon",
        _neighbours,
        good_set=GoodSet("markov.model.delta_bound", seldom_missed=seldom_missed, given=_chance),
    ),
)
def merged_epsilon(counts: _COUNTED, groups: _GROUPS, gamma: Share) -> arb | Fraction:
    """Least epsilon by benvenuti2025 Theorem 3 of the chain whose groups of states are one each.

    The largest over the groups' rows of Theorem 1's epsilon at k = 3 N/(2 c), the smallest k of
    Assumption 4 for the largest eta that the row has, c/N.
    """
    keys = {key_of(row) for row in merged(counts, groups)}
    return largest(epsilon_of(key, gamma) for key in sorted(keys))


class _UndecidedError(Exception):
    """Two losses that the working precision does not tell apart."""


@quantity(
    "markov.model.merge_plan",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=NOTE,
    formula=r"g_1, g_2, \ldots : \text{ the groups' chain has } \varepsilon_g \le \varepsilon",
    shape=Shape.VECTOR,
    rises=UNKNOWN,
    slow=True,
)
def merge_plan(counts: _COUNTED, gamma: Share, epsilon: NonNegative) -> tuple[arb | Fraction, ...]:
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
        if len(chain.rows) <= _MIN_CATEGORIES:
            return [1] * len(chain.groups)
        chain = chain.after_the_best_merge()
    first: dict[int, int] = {}
    return [first.setdefault(group, len(first) + 1) for group in chain.groups]


@dataclass(frozen=True)
class _Losses:
    """The least epsilon of rows, each worked out once, and their order."""

    gamma: Fraction
    known: dict[_RowKey, Enclosure | None] = field(default_factory=dict)

    def of(self, key: _RowKey) -> Enclosure | None:
        """Return the enclosure of a row's epsilon; None where there is none."""
        if key not in self.known:
            found = has_epsilon(key, self.gamma)
            self.known[key] = enclosure_of(epsilon_of(key, self.gamma)) if found else None
        return self.known[key]

    def compared(self, one: _RowKey, other: _RowKey) -> int:
        """Return whether one row's epsilon is smaller (-1), equal (0) or larger (1)."""
        first, second = self.of(one), self.of(other)
        if one == other or (first is None and second is None):
            return 0
        if first is None or second is None:
            return 1 if first is None else -1
        if first.overlaps(second):
            raise _UndecidedError
        return 1 if second.high < first.low else -1

    def lexicographic(self, one: list[_RowKey], other: list[_RowKey]) -> int:
        """Compare lists of equal length that are sorted from the largest on."""
        pairs = zip(one, other, strict=True)
        return next((found for pair in pairs if (found := self.compared(*pair))), 0)

    def descending(self, keys: list[_RowKey]) -> list[_RowKey]:
        """Return rows sorted by epsilon, the largest first; of equals the first."""
        return sorted(keys, key=cmp_to_key(self.compared), reverse=True)


@dataclass(frozen=True)
class _Chain:
    """Counts between groups, and the group, counted from 0, of each state."""

    rows: list[list[int]]
    groups: list[int]
    losses: _Losses

    @classmethod
    def of(cls, counts: _Table, losses: _Losses) -> _Chain:
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

    def _partners(self, worst: int) -> Iterator[tuple[int, list[_RowKey]]]:
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


def _key_after(row: list[int], one: int, other: int, head: list[tuple[int, int]]) -> _RowKey:
    """Return a row's numbers after two of its columns are added."""
    total = row[one] + row[other]
    rest = [count for count, at in head if at != other][:1]
    seen = sum(map(bool, row)) - bool(row[one]) - bool(row[other]) + bool(total)
    return min([*rest, total] if total else rest), sum(row), seen
