"""Merging states of a chain that is counted from records, and what the paper's epsilon becomes.

Merged states have their rows and their columns added. Which ones to merge has to be decided by a
public criterion: a plan that is read off private counts tells about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, TypeAlias

from flint import arb

from ...dirichlet.counts import EPSILON_CONDITIONS, epsilon_minimum
from ...domain import Condition, Counts, Entries, Parameters, Share, count_from
from ...enclosure import Trilean
from ...exact import exact_text, shown
from ...precision import check_budget
from ...quantity import Side, Truth, quantity
from ...relations import UNKNOWN
from .bounds import feasible, least_positive
from .row_lists import NOTE, Whole, largest

Table: TypeAlias = tuple[Whole, ...]
# Least positive count, records, feasible transitions: all that a row's epsilon depends on.
RowKey: TypeAlias = tuple[int, int, int]

# Hints for the search: below three states nothing is printed.
COUNTED = Annotated[Table, Counts(widest_searched=4)]
GROUPS = Annotated[Whole, Entries(count_from(1, 4), longest_searched=4, as_long_as="counts")]
MIN_CATEGORIES = 3


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


def key_of(row: Sequence[int]) -> RowKey:
    """Return what the smallest epsilon of a row depends on."""
    positive = tuple(row)
    return least_positive(positive), sum(positive), feasible(positive)


def has_epsilon(key: RowKey, gamma: Fraction) -> bool:
    """Whether benvenuti2025 Theorem 1 prints an epsilon for the row at all."""
    least, records, categories = key
    eta = Fraction(least, records)
    given: Parameters = {"eta": eta, "N": records, "n": categories, "gamma": gamma}
    return categories >= MIN_CATEGORIES and all(
        condition.holds(given) is Trilean.TRUE for condition in EPSILON_CONDITIONS
    )


def epsilon_of(key: RowKey, gamma: Fraction) -> arb:
    """Enclose the least epsilon that the row can have by Theorem 1, at k = 3 N/(2 c)."""
    least, records, categories = key
    check_budget()
    found: arb = epsilon_minimum(Fraction(least, records), records, categories, gamma)
    return found


def _numbered(groups: Whole) -> bool:
    return set(groups) == set(range(1, len(set(groups)) + 1))


def _without_epsilon(counts: Table, groups: Whole, gamma: Fraction) -> tuple[int, RowKey] | None:
    """Return the first group whose row has no epsilon, and what the row has."""
    if len(counts) != len(groups):
        return None  # the condition on lengths speaks of that
    keys = (key_of(row) for row in merged(counts, groups))
    return next(((at, key) for at, key in enumerate(keys, 1) if not has_epsilon(key, gamma)), None)


def _lacking(counts: Table, groups: Whole, gamma: Fraction) -> str:
    found = _without_epsilon(counts, groups, gamma)
    if found is None:
        return ""
    at, (least, records, categories) = found
    return (
        f"group {at} has n = {categories}, N = {shown(records)}, least count {shown(least)}, "
        f"gamma = {exact_text(gamma)}"
    )


@quantity(
    "markov.model.merged_epsilon",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
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
)
def merged_epsilon(counts: COUNTED, groups: GROUPS, gamma: Share) -> arb | Fraction:
    """Least epsilon by benvenuti2025 Theorem 3 of the chain whose groups of states are one each.

    The largest over the groups' rows of Theorem 1's epsilon at k = 3 N/(2 c), the smallest k of
    Assumption 4 for the largest eta that the row has, c/N.
    """
    keys = {key_of(row) for row in merged(counts, groups)}
    return largest(epsilon_of(key, gamma) for key in sorted(keys))
