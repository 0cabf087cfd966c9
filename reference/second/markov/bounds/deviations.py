"""Second opinions on the deviations of private rows: shifted Gammas, no pruning; by MPFR.

The mean of e^(l KL) has its Gammas moved up by 1; sums of these means are taken as they stand,
where the first engine takes the largest out.

The logs of the sums of exponential moments of private rows, theta by theta.

A whole power of e is taken out of each sum: where one k is far above another, no exponent of MPFR
would hold the powers as they stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from ....enclosure import Enclosure, Enclosures
from ....precision import check_budget
from ...directed import Span, or_nothing, sharpened
from ...dirichlet.series import log_of
from ...dirichlet.utility import log_gamma
from ...opinion import second_opinion
from .chain import (
    Vector,
    largest,
    least,
    mean_deviation_of_row,
    mean_divergence,
    positive,
    root,
    root_of,
    stationary_law,
    total,
)

_Matrix: TypeAlias = tuple[Vector, ...]

EXACTLY_ZERO = Enclosure.of(Fraction(0))


def random_rows(P: _Matrix, k: Vector) -> list[_Row]:
    """Return the rows with two positive entries or more."""
    found = [(one, positive(row)) for one, row in zip(k, P, strict=True)]
    return [row for row in found if len(row[1]) > 1]


@second_opinion("markov.expected_kl", engine="mpfr", rigorous=True)
@or_nothing
def expected_kl(bits: int, P: _Matrix, k: Vector) -> Enclosure:
    """Enclose the mean divergence under the law of cycles from one state to itself; rigorous."""
    terms = [
        (weight, row, one)
        for weight, row, one in zip(stationary_law(P), P, k, strict=True)
        if weight and max(row) < 1
    ]
    if not terms:
        return EXACTLY_ZERO
    parts = (Span.of(weight, bits) * mean_divergence(row, one, bits) for weight, row, one in terms)
    return total(parts, bits).enclosure()


@second_opinion("markov.expected_deviations", engine="mpfr", rigorous=True)
def expected_deviations(bits: int, P: _Matrix, k: Vector) -> Enclosures:
    """Enclose the mean distances, entry by entry; rigorous."""
    return Enclosures(
        tuple(_expected_deviation(bits, row, one) for row, one in zip(P, k, strict=True))
    )


@or_nothing
def _expected_deviation(bits: int, row: Vector, k: Fraction) -> Enclosure:
    return mean_deviation_of_row(row, k, bits).enclosure() if max(row) < 1 else EXACTLY_ZERO


@second_opinion("markov.largest_deviation_bound", engine="mpfr", rigorous=True)
@or_nothing
def largest_deviation_bound(bits: int, P: _Matrix, k: Vector) -> Enclosure:
    """Enclose the least of all bounds, each of them in full; rigorous."""
    return _deviation_bound(bits, P, k, 0)


@second_opinion("markov.largest_deviation_square_bound", engine="mpfr", rigorous=True)
@or_nothing
def largest_deviation_square_bound(bits: int, P: _Matrix, k: Vector) -> Enclosure:
    """Enclose the least of all bounds on the square, each of them in full; rigorous."""
    return _deviation_bound(bits, P, k, 1)


def _deviation_bound(bits: int, P: _Matrix, k: Vector, power: int) -> Enclosure:
    """Enclose the bound on the mean, or on the mean square; 0 where no row is random."""
    rows = random_rows(P, k)
    if not rows:
        return EXACTLY_ZERO
    return sharpened(
        bits, lambda precision: deviation_bounds(rows, len(P), precision)[power]
    ).enclosure()


def deviation_bounds(rows: list[_Row], states: int, bits: int) -> tuple[Span, Span]:
    """Enclose the bounds on the mean and the mean square of R*, for one random row or more."""
    means = [mean_deviation_of_row(shares, k, bits) for k, shares in rows]
    squares = [_size_bound(row, bits) * _size_bound(row, bits) for row in rows]
    known = list(_logs(rows, states, bits))
    one = Span.of(1, bits)
    by_square = [
        Span.of(4, bits),
        total(squares, bits),
        *(
            ((one + logarithm) * (one + logarithm) - one) / Span.of(theta * theta, bits)
            for theta, logarithm in known
        ),
        *_by_divergence(rows, bits),
    ]
    variances = total(
        (square - mean * mean for square, mean in zip(squares, means, strict=True)), bits
    )
    spread = root(variances) * Span.of(Fraction(len(rows) - 1, len(rows)), bits)
    by_mean = [
        Span.of(2, bits),
        total(means, bits),
        largest(means) + spread,
        *(logarithm / Span.of(theta, bits) for theta, logarithm in known),
        root(least(by_square)),
    ]
    return least(by_mean), least(by_square)


def _size_bound(row: _Row, bits: int) -> Span:
    k, shares = row
    return total((root_of((p - p * p) / (k + 1), bits) for p in shares), bits)


def _by_divergence(rows: list[_Row], bits: int) -> Iterator[Span]:
    """Yield (2/l) log sum_i E e^(l KL_i), l the eighths of the least k."""
    small = min(k for k, _ in rows)
    for eighths in range(1, 8):
        check_budget()
        l = small * eighths / 8  # noqa: E741 - the note's name
        moments = (_sharp_log_moment(row, l, bits).exp() for row in rows)
        yield total(moments, bits).log() * Span.of(2 / l, bits)


def _sharp_log_moment(row: _Row, l: Fraction, bits: int) -> Span:  # noqa: E741
    return sharpened(bits, lambda precision: _log_moment(row, l, precision))


def _log_moment(row: _Row, l: Fraction, bits: int) -> Span:  # noqa: E741
    """Enclose log E e^(l KL): every Gamma has its argument moved up by 1."""
    k, shares = row
    count = Span.of(len(shares) - 1, bits)
    found = count * log_of(k / (k - l), bits) + log_gamma(k + 1, bits) - log_gamma(k - l + 1, bits)
    for share in shares:
        change = log_gamma((k - l) * share + 1, bits) - log_gamma(k * share + 1, bits)
        found = found + change + Span.of(l * share, bits) * log_of(share, bits)
    return found


# A row's concentration and its positive shares, two or more.
_Row: TypeAlias = tuple[Fraction, Vector]


def _logs(rows: list[_Row], states: int, bits: int) -> Iterator[tuple[Fraction, Span]]:
    """Yield theta and the log of the sum over rows of (2^n_i - 2) e^phi_i, theta as published."""
    for theta in _exponents(rows, states):
        check_budget()
        powers = [_cumulant(row, theta) for row in rows]
        whole = math.floor(max(powers))
        terms = (
            Span.of(2 ** len(row[1]) - 2, bits) * Span.of(power - whole, bits).exp()
            for row, power in zip(rows, powers, strict=True)
        )
        yield theta, Span.of(whole, bits) + total(terms, bits).log()


def _exponents(rows: list[_Row], states: int) -> Iterator[Fraction]:
    """Yield 4/4, 5/4, 6/4, 7/4 times the powers of two from about half the root of the least k+1.

    Up to the first power above the largest k + 1, or the one that is above its root times that of
    8 n.
    """
    smallest = math.floor(min(k for k, _ in rows) + 1)
    largest_k = math.ceil(max(k for k, _ in rows) + 1)
    power = (smallest.bit_length() - 1) // 2 - 1
    bits = largest_k.bit_length()
    last = max(bits, (bits + (4 * states).bit_length() + 1) // 2)
    while power <= last:
        for quarter in range(4, 8):
            yield Fraction(quarter, 4) * Fraction(2) ** power
        power += 1


def _cumulant(row: _Row, theta: Fraction) -> Fraction:
    """Return the smaller of theta^2/(2 (k+1)) and, if positive, 2 theta^2 v/(k+1-2 theta)."""
    k, shares = row
    gaussian = theta * theta / (2 * k + 2)
    most = max(shares)
    if k + 1 <= 2 * theta or 2 * most < 1:
        return gaussian
    return min(gaussian, 2 * theta * theta * (most - most * most) / (k + 1 - 2 * theta))
