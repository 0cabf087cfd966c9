"""Second opinions on the bounds on the change of the ergodicity coefficient; rigorous, by MPFR."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from ....enclosure import Enclosure
from ....precision import check_budget
from ...directed import Span, or_nothing, sharpened
from ...dirichlet.utility import log_gamma
from ...opinion import second_opinion
from .chain import (
    Counts,
    Matrix,
    Vector,
    largest,
    least,
    mean_deviation,
    mean_deviation_of_row,
    root,
    total,
)
from .deviations import EXACTLY_ZERO, random_rows
from .stationary import row_bound

_Entry: TypeAlias = tuple[Fraction, Fraction]


@second_opinion("markov.ergodicity_bound_a", engine="mpfr", rigorous=True)
@or_nothing
def ergodicity_bound_a(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose half the sum of all mean deviations; rigorous."""
    return _first(P, k, bits).enclosure() if random_rows(P, k) else EXACTLY_ZERO


@second_opinion("markov.ergodicity_bound_b", engine="mpfr", rigorous=True)
@or_nothing
def ergodicity_bound_b(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose the largest column sum and the root of the summed variances; rigorous."""
    if not random_rows(P, k):
        return EXACTLY_ZERO
    return sharpened(bits, lambda precision: _second(P, k, precision)).enclosure()


@second_opinion("markov.ergodicity_bound", engine="mpfr", rigorous=True)
@or_nothing
def ergodicity_bound(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose the least of the two; rigorous."""
    if not random_rows(P, k):
        return EXACTLY_ZERO
    return sharpened(bits, lambda w: least([_first(P, k, w), _second(P, k, w)])).enclosure()


def _first(P: Matrix, k: Vector, bits: int) -> Span:
    means = (mean_deviation_of_row(row, one, bits) for row, one in zip(P, k, strict=True))
    return total(means, bits) / Span.of(2, bits)


def _second(P: Matrix, k: Vector, bits: int) -> Span:
    """Enclose T5-B, entry by entry: each variance on its own."""
    columns = []
    variances = Span.of(0, bits)
    for column in zip(*P, strict=True):
        means = [_deviation((p, one), bits) for p, one in zip(column, k, strict=True)]
        columns.append(total(means, bits))
        for p, one, mean in zip(column, k, means, strict=True):
            variances = variances + Span.of((p - p * p) / (one + 1), bits) - mean * mean
    return largest(columns) + root(variances * Span.of(Fraction(len(P) - 1, len(P)), bits))


def _deviation(entry: _Entry, bits: int) -> Span:
    return mean_deviation(*entry, bits)


@second_opinion("markov.ergodicity_bound_repair", engine="mpfr", rigorous=True)
@or_nothing
def ergodicity_bound_repair(bits: int, counts: Counts, k: Vector) -> Enclosure:
    """Enclose half the sum of the roots of twice the L_i; rigorous."""
    bounds = [row_bound(row, one, bits) for row, one in zip(counts, k, strict=True)]
    if all(bound is None for bound in bounds):
        return EXACTLY_ZERO
    two = Span.of(2, bits)
    return (total((root(two * bound) for bound in bounds if bound), bits) / two).enclosure()


@second_opinion("markov.ergodicity_floor", engine="mpfr", rigorous=True)
@or_nothing
def ergodicity_floor(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose the floor: spreads as least sums of distances, Gini's means by Betas; rigorous."""
    columns = [tuple(zip(column, k, strict=True)) for column in zip(*P, strict=True)]
    coefficient = max(map(_spread, columns))
    top = [column for column in columns if _spread(column) == coefficient]
    found = sharpened(bits, lambda w: _floor(columns, top, coefficient, w))
    return EXACTLY_ZERO if found.high == 0 else found.enclosure()


def _spread(column: Sequence[_Entry]) -> Fraction:
    """Return the least sum of distances to one of the entries."""
    check_budget()
    return min(sum((abs(p - c) for p, _ in column), Fraction(0)) for c, _ in column)


def _floor(
    columns: Sequence[Sequence[_Entry]], top: Sequence[Sequence[_Entry]], most: Fraction, bits: int
) -> Span:
    zero = Span.of(0, bits)
    moved = [
        _deviation(entry, bits) / Span.of(2, bits)
        for column in top
        for at, entry in enumerate(column)
        if not _is_only_median(column, at)
    ]
    paired = (_paired(column, most, bits) for column in columns)
    return largest([zero, *moved, *filter(None, paired)])


def _is_only_median(column: Sequence[_Entry], at: int) -> bool:
    """Whether as many entries lie strictly below one as strictly above, and all others do."""
    below = sum(1 for p, _ in column if p < column[at][0])
    above = sum(1 for p, _ in column if p > column[at][0])
    return below == above and below + above + 1 == len(column)


def _paired(column: Sequence[_Entry], most: Fraction, bits: int) -> Span | None:
    """Enclose the sum over pairs of a lower bound on the mean distance, less the coefficient.

    None where that is the sum of the |p - p'|, and so no more than 0.
    """
    ordered = sorted(column)
    pairs = [(ordered[at], ordered[-1 - at]) for at in range(len(ordered) // 2)]
    apart = [_beyond_the_gap(low, high, bits) for low, high in pairs]
    gaps = sum((high[0] - low[0] for low, high in pairs), -most)
    more = [span for span in apart if span.high > 0]
    return total(more, bits) + Span.of(gaps, bits) if more else None


def _beyond_the_gap(low: _Entry, high: _Entry, bits: int) -> Span:
    """Enclose a lower bound on E |X - X'| less |p - p'|: 0, or MAD - 2 |p - p'| of either.

    For p = p' also Gini's mean difference at the larger concentration.
    """
    check_budget()
    gap = Span.of(2 * (high[0] - low[0]), bits)
    ways = [Span.of(0, bits), _deviation(low, bits) - gap, _deviation(high, bits) - gap]
    if low[0] == high[0] and 0 < low[0] < 1:
        k = max(low[1], high[1])
        ways.append(sharpened(bits, lambda precision: _log_gini(low[0], k, precision)).exp())
    return largest(ways)


def _log_gini(p: Fraction, k: Fraction, bits: int) -> Span:
    """Enclose the log of 4 B(k, k)/(k B(a, a) B(b, b)), every Gamma moved up by 1.

    a = k p, b = k (1-p); B(x, x) = 2 Gamma(x+1)^2/(x Gamma(2x+1)).
    """
    found = Span.of(2 * p * (1 - p), bits).log()
    for x, weight in ((k, 1), (k * p, -1), (k * (1 - p), -1)):
        beta = log_gamma(x + 1, bits) + log_gamma(x + 1, bits) - log_gamma(2 * x + 1, bits)
        found = found + Span.of(weight, bits) * beta
    return found
