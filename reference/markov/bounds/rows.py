"""The private rows of a matrix: row i is Dirichlet(k_i P_i) on the entries where P_i is positive.

A row with one positive entry is released as it is, and its deviation is 0: it is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from ...arb.balls import ball
from ...dirichlet.utility import absolute_deviation
from ...precision import check_budget
from ...structures import Matrix

_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)


@dataclass(frozen=True)
class Row:
    """One private row of two cells or more: its concentration and its positive shares."""

    k: Fraction
    shares: tuple[Fraction, ...]

    @property
    def subsets(self) -> int:
        """How many sets of cells are neither empty nor everything: 2^n_i - 2."""
        return (1 << len(self.shares)) - 2

    @cached_property
    def widest(self) -> Fraction:
        """Largest p (1-p), p the share of a set of cells; at most 1/4, exact if one cell has half.

        Where one share is 1/2 or more, each set or its complement has at least that share.
        """
        most = max(self.shares)
        return most * (1 - most) if most > _HALF else _QUARTER

    @cached_property
    def mean_deviation(self) -> arb:
        """The mean of R_i = |private row - P_i|_1: the sum of its cells' mean deviations."""
        total = arb(0)
        for share, times in Counter(self.shares).items():
            check_budget()
            total += times * as_ball(absolute_deviation(share, self.k))
        return total

    @cached_property
    def size_bound(self) -> arb:
        """An upper bound of the root of E R_i^2: the sum of the cells' standard deviations."""
        total = arb(0)
        for share, times in Counter(self.shares).items():
            total += times * ball(share * (1 - share) / (self.k + 1)).sqrt()
        return total


def private_rows(P: Matrix, k: Sequence[Fraction]) -> list[Row]:
    """Return the rows of two positive entries or more."""
    pairs = ((one, tuple(filter(None, row))) for one, row in zip(k, P, strict=True))
    return [Row(one, shares) for one, shares in pairs if len(shares) > 1]


def as_ball(value: arb | Fraction) -> arb:
    """Return the ball of a number; a ball is itself."""
    return ball(value) if isinstance(value, Fraction) else value


def least(first: arb, *others: arb) -> arb:
    """Enclose the least of some numbers."""
    for other in others:
        first = first.min(other)
    return first


def largest(first: arb, *others: arb) -> arb:
    """Enclose the largest of some numbers."""
    for other in others:
        first = first.max(other)
    return first


def root(square: arb) -> arb:
    """Enclose the root of a number that is not negative, whose ball may reach below 0."""
    if square > 0 or not square.is_finite():
        return square.sqrt()
    return arb(0).union(square.upper().nonnegative_part().sqrt())
