"""The logs of the sums of exponential moments of private rows, theta by theta.

A whole power of e is taken out of each sum: where one k is far above another, no exponent of MPFR
would hold the powers as they stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from ...precision import check_budget
from ..directed import Span
from .bound_spans import Vector, total

# A row's concentration and its positive shares, two or more.
Row: TypeAlias = tuple[Fraction, Vector]


def logs(rows: list[Row], states: int, bits: int) -> Iterator[tuple[Fraction, Span]]:
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


def _exponents(rows: list[Row], states: int) -> Iterator[Fraction]:
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


def _cumulant(row: Row, theta: Fraction) -> Fraction:
    """Return the smaller of theta^2/(2 (k+1)) and, if positive, 2 theta^2 v/(k+1-2 theta)."""
    k, shares = row
    gaussian = theta * theta / (2 * k + 2)
    most = max(shares)
    if k + 1 <= 2 * theta or 2 * most < 1:
        return gaussian
    return min(gaussian, 2 * theta * theta * (most - most * most) / (k + 1 - 2 * theta))
