"""Second opinions on merged states: whole matrices are merged, and every row is worked out.

The first engine works out each row's change from its two least counts and compares rows by what
they depend on; here a merge is a product with a 0-1 matrix, and rows are compared by number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key, lru_cache
from typing import TypeAlias

from ...enclosure import Enclosure, Trilean
from ...enclosures import Enclosed, Enclosures
from ...precision import check_budget
from ..mechanisms import counts_epsilon_minimum
from ..opinion import second_opinion

Table: TypeAlias = tuple[tuple[int, ...], ...]
# Least positive count, records, number of positive counts; None where no epsilon is printed.
Loss: TypeAlias = tuple[int, int, int] | None
_KEPT = 65_536  # losses; those of a plan for a hundred states
_FEWEST = 3  # categories of which benvenuti2025 Theorem 1 speaks


class _UndecidedError(Exception):
    """Two losses that this precision does not tell apart."""


@second_opinion("markov.model.merged_epsilon", engine="mpfr", rigorous=True)
def merged_epsilon(bits: int, counts: Table, groups: tuple[int, ...], gamma: Fraction) -> Enclosure:
    """Enclose the largest epsilon of the merged chain's rows by MPFR's log Gamma; rigorous."""
    found = [_epsilon(bits, loss, gamma) for loss in _losses(_product(counts, groups), gamma)]
    return Enclosure(max(one.low for one in found), max(one.high for one in found))


def _product(counts: Table, groups: tuple[int, ...]) -> Table:
    """Return G^T C G with G the 0-1 matrix of states and groups."""
    names, states = range(1, max(groups) + 1), range(len(groups))
    inside = [[state for state in states if groups[state] == name] for name in names]
    wide = [[sum(row[state] for state in group) for group in inside] for row in counts]
    return tuple(
        tuple(sum(wide[state][at] for state in group) for at in range(len(inside)))
        for group in inside
    )


def _losses(table: Table, gamma: Fraction) -> list[Loss]:
    return [_loss([count for count in row if count > 0], gamma) for row in table]


def _loss(seen: list[int], gamma: Fraction) -> Loss:
    least, records, categories = min(seen), sum(seen), len(seen)
    printed = categories >= _FEWEST and gamma * categories < 1 and 2 * least + 1 < records
    return (least, records, categories) if printed else None


@lru_cache(maxsize=_KEPT)
def _epsilon(bits: int, loss: Loss, gamma: Fraction) -> Enclosure:
    if loss is None:
        return Enclosure.infinite()
    least, records, categories = loss
    return counts_epsilon_minimum(bits, Fraction(least, records), records, categories, gamma)


@second_opinion("markov.model.merge_plan", engine="mpfr", rigorous=True)
def merge_plan(bits: int, counts: Table, gamma: Fraction, epsilon: Fraction) -> Enclosed:
    """Return the greedy plan's group numbers, exactly, or nothing where bits do not decide it."""
    groups = tuple(range(1, len(counts) + 1))
    try:
        while not _reached(bits, _losses(_product(counts, groups), gamma), gamma, epsilon):
            if max(groups) <= _FEWEST:
                groups = (1,) * len(counts)
                break
            groups = _next(bits, counts, groups, gamma)
    except _UndecidedError:
        return Enclosure.nothing_known()
    return Enclosures(tuple(Enclosure.of(Fraction(group)) for group in groups))


def _reached(bits: int, losses: list[Loss], gamma: Fraction, epsilon: Fraction) -> bool:
    if None in losses:
        return False
    above = {_epsilon(bits, loss, gamma).is_above(epsilon) for loss in losses}
    if Trilean.TRUE not in above and Trilean.UNKNOWN in above:
        raise _UndecidedError
    return Trilean.TRUE not in above


def _next(bits: int, counts: Table, groups: tuple[int, ...], gamma: Fraction) -> tuple[int, ...]:
    """Return the groups after the best merge of the group that loses most."""

    def compared(one: Loss, other: Loss) -> int:
        first, second = (_epsilon(bits, loss, gamma) for loss in (one, other))
        if one == other:
            return 0
        if one is not None and other is not None and first.overlaps(second):
            raise _UndecidedError
        return 1 if second.high < first.low else -1

    def sorted_compared(one: list[Loss], other: list[Loss]) -> int:
        found = (compared(*pair) for pair in zip(one, other, strict=True))
        return next((sign for sign in found if sign), 0)

    key = cmp_to_key(compared)
    losses = _losses(_product(counts, groups), gamma)
    worst = max(range(len(losses)), key=lambda at: (key(losses[at]), -at)) + 1
    best: tuple[list[Loss], tuple[int, ...]] | None = None
    for partner in range(1, max(groups) + 1):
        check_budget()
        if partner == worst:
            continue
        merged = _joined(groups, min(worst, partner), max(worst, partner))
        found = sorted(_losses(_product(counts, merged), gamma), key=key, reverse=True)
        if best is None or sorted_compared(found, best[0]) < 0:
            best = found, merged
    return groups if best is None else best[1]


def _joined(groups: tuple[int, ...], kept: int, gone: int) -> tuple[int, ...]:
    return tuple(kept if group == gone else group - (group > gone) for group in groups)
