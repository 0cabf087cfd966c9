"""Second opinions on a model that is counted from records: every row, and none left out.

The first engine drops rows that another one dominates, and works out a tail only where a bracket
does not settle it; here each row is asked of the second opinion on its own release.

Second opinions on merged states: whole matrices are merged, and every row is worked out.

The first engine works out each row's change from its two least counts and compares rows by what
they depend on; here a merge is a product with a 0-1 matrix, and rows are compared by number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cmp_to_key, lru_cache
from math import ceil
from typing import TypeAlias

from ...enclosure import Enclosed, Enclosure, Enclosures, Trilean
from ...precision import check_budget
from ..dirichlet import mechanisms, profile
from ..dirichlet.mechanisms import counts_epsilon_minimum
from ..dirichlet.tail import counts_delta_bound
from ..opinion import second_opinion

_Numbers: TypeAlias = tuple[Fraction, ...]
_Whole: TypeAlias = tuple[int, ...]
_Table: TypeAlias = tuple[_Whole, ...]


def _largest(found: Iterable[Enclosure]) -> Enclosure:
    """Return the enclosure of the largest of the numbers; exact where the largest is known.

    That is where no number that is not known exactly passes the largest that is.
    """
    each = list(found)
    low, high = max(one.low for one in each), max(one.high for one in each)
    top = max((one.exact for one in each if one.exact is not None), default=None)
    rest = (one.high for one in each if one.exact is None)
    sure = top is not None and all(end.compared_with(top) <= 0 for end in rest)
    return Enclosure(low, high, top if sure else None)


@second_opinion("markov.model.k_minimum", engine="mpfr", rigorous=True)
def k_minimum(bits: int, counts: _Table) -> Enclosures:
    """Return 3/2 over the least positive share of each row, exactly."""
    return Enclosures(tuple(Enclosure.of(Fraction(3, 2) / _share(row), bits) for row in counts))


def _share(row: _Whole) -> Fraction:
    total = sum(row)
    return min(Fraction(count, total) for count in row if count)


@second_opinion("markov.model.epsilon_bound", engine="mpfr", rigorous=True)
def epsilon_bound(
    bits: int, k: _Numbers, eta: _Numbers, N: _Whole, n: _Whole, gamma: _Numbers
) -> Enclosure:
    """Enclose the largest epsilon of benvenuti2025 equation 6 by MPFR's log Gamma; rigorous."""
    rows = zip(k, eta, N, n, gamma, strict=True)
    return _largest(mechanisms.counts_epsilon_bound(bits, *row) for row in rows)


@second_opinion("markov.model.delta_bound", engine="mpmath", rigorous=False)
def delta_bound(bits: int, k: _Numbers, eta: _Numbers, n: _Whole, gamma: _Numbers) -> Enclosure:
    """Enclose the largest tail of all rows by contours; not rigorous."""
    rows = zip(k, eta, n, gamma, strict=True)
    return _largest(counts_delta_bound(bits, *row) for row in rows)


def _of_each(
    loss: Callable[[int, Fraction, Fraction, Fraction], Enclosure],
    bits: int,
    rows: Iterable[tuple[Fraction, Fraction, int]],
    at: Fraction,
) -> Enclosure:
    pairs = {(k * Fraction(ceil(eta * N), N), k * Fraction(1, N)) for k, eta, N in rows}
    return _largest(loss(bits, alpha, step, at) for alpha, step in pairs)


@second_opinion("markov.model.delta", engine="mpfr", rigorous=True)
def delta(bits: int, k: _Numbers, eta: _Numbers, N: _Whole, epsilon: Fraction) -> Enclosure:
    """Enclose the largest delta of all rows by the series of positive terms; rigorous."""
    return _of_each(profile.delta, bits, zip(k, eta, N, strict=True), epsilon)


@second_opinion("markov.model.epsilon", engine="mpfr", rigorous=True)
def epsilon(bits: int, k: _Numbers, eta: _Numbers, N: _Whole, delta: Fraction) -> Enclosure:
    """Enclose the largest epsilon of all rows, each a root of the series; rigorous."""
    return _of_each(profile.epsilon, bits, zip(k, eta, N, strict=True), delta)


@second_opinion("markov.model.renyi", engine="mpfr", rigorous=True)
def renyi(bits: int, k: _Numbers, eta: _Numbers, N: _Whole, order: Fraction) -> Enclosure:
    """Enclose the largest Renyi divergence of all rows by sums of positive terms; rigorous."""
    return _of_each(profile.renyi, bits, zip(k, eta, N, strict=True), order)


@second_opinion("markov.model.k_for_dp", engine="mpfr", rigorous=True)
def k_for_dp(bits: int, eta: _Numbers, N: _Whole, epsilon: Fraction, delta: Fraction) -> Enclosures:
    """Enclose the largest k of each row, a root in k itself and not in k/N; rigorous."""
    rows = zip(eta, N, strict=True)
    found = (mechanisms.counts_k_for_dp(bits, *row, epsilon, delta) for row in rows)
    return Enclosures(tuple(found))


# Least positive count, records, number of positive counts; None where no epsilon is printed.
_Loss: TypeAlias = tuple[int, int, int] | None
_KEPT = 65_536  # losses; those of a plan for a hundred states
_FEWEST = 3  # categories of which benvenuti2025 Theorem 1 speaks


class _UndecidedError(Exception):
    """Two losses that this precision does not tell apart."""


@second_opinion("markov.model.merged_epsilon", engine="mpfr", rigorous=True)
def merged_epsilon(
    bits: int, counts: _Table, groups: tuple[int, ...], gamma: Fraction
) -> Enclosure:
    """Enclose the largest epsilon of the merged chain's rows by MPFR's log Gamma; rigorous."""
    found = [_epsilon(bits, loss, gamma) for loss in _losses(_product(counts, groups), gamma)]
    return Enclosure(max(one.low for one in found), max(one.high for one in found))


def _product(counts: _Table, groups: tuple[int, ...]) -> _Table:
    """Return G^T C G with G the 0-1 matrix of states and groups."""
    names, states = range(1, max(groups) + 1), range(len(groups))
    inside = [[state for state in states if groups[state] == name] for name in names]
    wide = [[sum(row[state] for state in group) for group in inside] for row in counts]
    return tuple(
        tuple(sum(wide[state][at] for state in group) for at in range(len(inside)))
        for group in inside
    )


def _losses(table: _Table, gamma: Fraction) -> list[_Loss]:
    return [_loss([count for count in row if count > 0], gamma) for row in table]


def _loss(seen: list[int], gamma: Fraction) -> _Loss:
    least, records, categories = min(seen), sum(seen), len(seen)
    printed = categories >= _FEWEST and gamma * categories < 1 and 2 * least + 1 < records
    return (least, records, categories) if printed else None


@lru_cache(maxsize=_KEPT)
def _epsilon(bits: int, loss: _Loss, gamma: Fraction) -> Enclosure:
    if loss is None:
        return Enclosure.infinite()
    least, records, categories = loss
    return counts_epsilon_minimum(bits, Fraction(least, records), records, categories, gamma)


@second_opinion("markov.model.merge_plan", engine="mpfr", rigorous=True)
def merge_plan(bits: int, counts: _Table, gamma: Fraction, epsilon: Fraction) -> Enclosed:
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


def _reached(bits: int, losses: list[_Loss], gamma: Fraction, epsilon: Fraction) -> bool:
    if None in losses:
        return False
    above = {_epsilon(bits, loss, gamma).is_above(epsilon) for loss in losses}
    if Trilean.TRUE not in above and Trilean.UNKNOWN in above:
        raise _UndecidedError
    return Trilean.TRUE not in above


def _next(bits: int, counts: _Table, groups: tuple[int, ...], gamma: Fraction) -> tuple[int, ...]:
    """Return the groups after the best merge of the group that loses most."""

    def compared(one: _Loss, other: _Loss) -> int:
        first, second = (_epsilon(bits, loss, gamma) for loss in (one, other))
        if one == other:
            return 0
        if one is not None and other is not None and first.overlaps(second):
            raise _UndecidedError
        return 1 if second.high < first.low else -1

    def sorted_compared(one: list[_Loss], other: list[_Loss]) -> int:
        found = (compared(*pair) for pair in zip(one, other, strict=True))
        return next((sign for sign in found if sign), 0)

    key = cmp_to_key(compared)
    losses = _losses(_product(counts, groups), gamma)
    worst = max(range(len(losses)), key=lambda at: (key(losses[at]), -at)) + 1
    best: tuple[list[_Loss], tuple[int, ...]] | None = None
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
