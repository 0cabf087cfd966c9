"""The largest deviation by exponential moments: R_i is twice the largest excess of a set of cells.

The excess of a set of share p is that of a Beta variable, and the mean of e^(2 theta excess) is at
most e^phi (proofs_notes/markov-deviations.md#beta-is-sub-gaussian and #beta-is-sub-gamma), with

    phi = theta^2/(2 (k+1)) min{1, 4 v (k+1)/(k+1-2 theta)},

v the widest p (1-p) of the row; the second only while 2 theta < k + 1. All rows and sets together
have the sum Y of mean at most e^L = sum_i (2^n_i - 2) e^phi_i, and e^(theta R*) <= Y.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil

from flint import arb

from ...arb.balls import ball
from ...precision import check_budget
from .rows import Row

# The values of theta are (4, 5, 6 or 7)/4 times powers of two: at the worst 1/8 off the best one,
# and L/theta, which is like c/theta + theta then, is 1/128 above its least value at the most.
STEPS = 4
# For n states and N sets, 2 log N <= 2 (n log 2 + log n) < 4 n.
_LOG_FACTOR = 4


def exponents(rows: Sequence[Row], states: int) -> Iterator[Fraction]:
    """Yield the values of theta at which the bounds are taken; rationals that balls never touch.

    From half the root of the least k + 1, below which log N/theta alone is above the value at
    theta = root of 2 (k+1) log N; to the largest k + 1 or root of 4 n (k+1), beyond which the
    sub-Gaussian exponent alone is above it.
    """
    low = min(row.k for row in rows) + 1
    high = ceil(max(row.k for row in rows) + 1).bit_length()
    first = (int(low).bit_length() - 1) // 2 - 1
    last = max(high, (high + (_LOG_FACTOR * states).bit_length() + 1) // 2)
    for power in range(first, last + 1):
        for step in range(STEPS):
            yield Fraction(STEPS + step, STEPS) * Fraction(2) ** power


def cumulant_bound(row: Row, theta: Fraction) -> Fraction:
    """Return phi: no set of cells has a larger log of its mean of e^(2 theta excess)."""
    whole = row.k + 1
    factor = Fraction(1)
    if 2 * theta < whole:
        factor = min(factor, 4 * row.widest * whole / (whole - 2 * theta))
    return theta**2 / (2 * whole) * factor


def log_sum(rows: Sequence[Row], theta: Fraction) -> arb:
    """Enclose L, the log of the sum over rows of (2^n_i - 2) e^phi_i; the largest phi is apart."""
    check_budget()
    bounds = [cumulant_bound(row, theta) for row in rows]
    most = max(bounds)
    total = arb(0)
    for row, bound in zip(rows, bounds, strict=True):
        total += ball(bound - most).exp() * row.subsets
    return ball(most) + total.log()


def mean_by_exponents(theta: Fraction, logarithm: arb) -> arb:
    """Return L/theta: theta E R* <= log E e^(theta R*) <= L, by Jensen's inequality."""
    return logarithm / ball(theta)


def square_by_exponents(theta: Fraction, logarithm: arb) -> arb:
    """Return L (2 + L)/theta^2, at least E R*^2.

    (1 + log y)^2 is concave for y >= 1, so (1 + theta R*)^2 has a mean of at most (1 + L)^2.
    """
    return logarithm * (2 + logarithm) / ball(theta**2)
