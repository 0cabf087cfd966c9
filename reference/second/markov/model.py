"""Second opinions on a model that is counted from records: every row, and none left out.

The first engine drops rows that another one dominates, and works out a tail only where a bracket
does not settle it; here each row is asked of the second opinion on its own release.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from ...enclosure import Enclosure
from ...enclosures import Enclosures
from .. import mechanisms, profile
from ..opinion import second_opinion
from ..tail import counts_delta_bound

Numbers: TypeAlias = tuple[Fraction, ...]
Whole: TypeAlias = tuple[int, ...]
Table: TypeAlias = tuple[Whole, ...]


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
def k_minimum(bits: int, counts: Table) -> Enclosures:
    """Return 3/2 over the least positive share of each row, exactly."""
    return Enclosures(tuple(Enclosure.of(Fraction(3, 2) / _share(row), bits) for row in counts))


def _share(row: Whole) -> Fraction:
    total = sum(row)
    return min(Fraction(count, total) for count in row if count)


@second_opinion("markov.model.epsilon_bound", engine="mpfr", rigorous=True)
def epsilon_bound(
    bits: int, k: Numbers, eta: Numbers, N: Whole, n: Whole, gamma: Numbers
) -> Enclosure:
    """Enclose the largest epsilon of benvenuti2025 equation 6 by MPFR's log Gamma; rigorous."""
    rows = zip(k, eta, N, n, gamma, strict=True)
    return _largest(mechanisms.counts_epsilon_bound(bits, *row) for row in rows)


@second_opinion("markov.model.delta_bound", engine="mpmath", rigorous=False)
def delta_bound(bits: int, k: Numbers, eta: Numbers, n: Whole, gamma: Numbers) -> Enclosure:
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
def delta(bits: int, k: Numbers, eta: Numbers, N: Whole, epsilon: Fraction) -> Enclosure:
    """Enclose the largest delta of all rows by the series of positive terms; rigorous."""
    return _of_each(profile.delta, bits, zip(k, eta, N, strict=True), epsilon)


@second_opinion("markov.model.epsilon", engine="mpfr", rigorous=True)
def epsilon(bits: int, k: Numbers, eta: Numbers, N: Whole, delta: Fraction) -> Enclosure:
    """Enclose the largest epsilon of all rows, each a root of the series; rigorous."""
    return _of_each(profile.epsilon, bits, zip(k, eta, N, strict=True), delta)


@second_opinion("markov.model.renyi", engine="mpfr", rigorous=True)
def renyi(bits: int, k: Numbers, eta: Numbers, N: Whole, order: Fraction) -> Enclosure:
    """Enclose the largest Renyi divergence of all rows by sums of positive terms; rigorous."""
    return _of_each(profile.renyi, bits, zip(k, eta, N, strict=True), order)


@second_opinion("markov.model.k_for_dp", engine="mpfr", rigorous=True)
def k_for_dp(bits: int, eta: Numbers, N: Whole, epsilon: Fraction, delta: Fraction) -> Enclosures:
    """Enclose the largest k of each row, a root in k itself and not in k/N; rigorous."""
    rows = zip(eta, N, strict=True)
    found = (mechanisms.counts_k_for_dp(bits, *row, epsilon, delta) for row in rows)
    return Enclosures(tuple(found))
