"""A chain on its closed class, by one inverse in rationals.

Let s be a state of the closed class, and G the inverse of I - P without its row and column. From s
the other states are visited P_s G times before the return to s, which gives the stationary law; and
M = G (I - 1 pi) with a row 0 for s solves (I - P) M = I - 1 pi, so that its rows differ as those of
the group inverse do.

All bounds are composed of spans: roots and extremes of these, and the rows' means as spans.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TypeAlias

from ....enclosure import Enclosure
from ....precision import check_budget
from ...directed import OutOfReachError, Span, roundings
from ...dirichlet.utility import absolute_deviation, expected_kl
from ..fundamental import reached

Vector: TypeAlias = tuple[Fraction, ...]
Matrix: TypeAlias = tuple[Vector, ...]
Counts: TypeAlias = tuple[tuple[int, ...], ...]

ZERO = Fraction(0)


def shares_of(counts: Counts) -> Matrix:
    """Return the relative frequencies of counts, row by row."""
    totals = map(sum, counts)
    return tuple(
        tuple(Fraction(seen, total) for seen in row)
        for row, total in zip(counts, totals, strict=True)
    )


def closed_states(P: Matrix) -> tuple[int, ...]:
    """Return the one closed class: the states that every state leads to."""
    sets = [reached(P, state) for state in range(len(P))]
    return tuple(sorted(set.intersection(*sets)))


def stationary_law(P: Matrix) -> Vector:
    """Return the stationary law, exactly; 0 outside of the closed class."""
    closed = closed_states(P)
    law = dict(zip(closed, ClosedChain.of(P).law, strict=True))
    return tuple(law.get(state, ZERO) for state in range(len(P)))


@dataclass(frozen=True)
class ClosedChain:
    """The matrix on the closed class."""

    P: Matrix

    @classmethod
    def of(cls, P: Matrix) -> ClosedChain:
        """Return the chain on its closed class."""
        closed = closed_states(P)
        return cls(tuple(tuple(P[source][target] for target in closed) for source in closed))

    @cached_property
    def _grounded(self) -> list[list[Fraction]]:
        """G, s the last state."""
        size = len(self.P) - 1
        return _inverse([[(i == j) - self.P[i][j] for j in range(size)] for i in range(size)])

    @cached_property
    def law(self) -> Vector:
        """The stationary law: visits before the return to the last state, as shares."""
        size = len(self.P) - 1
        visits = [
            sum((self.P[-1][i] * self._grounded[i][j] for i in range(size)), ZERO)
            for j in range(size)
        ]
        length = sum(visits, Fraction(1))
        return tuple(visit / length for visit in [*visits, Fraction(1)])

    @cached_property
    def solution(self) -> Matrix:
        """M: its rows differ as those of the group inverse."""
        size = len(self.P)
        found = []
        for row in self._grounded:
            check_budget()
            length = sum(row, ZERO)
            found.append(
                tuple(
                    (row[j] if j < size - 1 else ZERO) - length * self.law[j] for j in range(size)
                )
            )
        return (*found, (ZERO,) * size)

    @cached_property
    def distances(self) -> list[list[Fraction]]:
        """Half the 1-norm of the difference of any two rows: their positive parts' sum."""
        return [[_excess(one, other) for other in self.solution] for one in self.solution]

    @cached_property
    def condition(self) -> Fraction:
        """Kappa."""
        return max(map(max, self.distances))

    def local_condition(self, state: int) -> Fraction:
        """Kappa_i: the largest distance between two states that can come next."""
        reach = self.support(state)
        return max(self.distances[one][other] for one in reach for other in reach)

    def support(self, state: int) -> frozenset[int]:
        """Return the states that can come after a state."""
        return frozenset(at for at, share in enumerate(self.P[state]) if share)

    def variance_bound(self, state: int) -> Fraction:
        """v_i: half the mean squared distance between two independent next states."""
        row, reach = self.P[state], self.support(state)
        squares = (row[a] * row[b] * self.distances[a][b] ** 2 for a in reach for b in reach)
        return sum(squares, ZERO) / 2

    @cached_property
    def variances(self) -> list[list[Fraction]]:
        """The variance of each column under each row, as mean square less squared mean."""
        return [
            [self._variance(row, column) for column in zip(*self.solution, strict=True)]
            for row in self.P
        ]

    def _variance(self, row: Vector, column: Vector) -> Fraction:
        check_budget()
        mean = sum((p * x for p, x in zip(row, column, strict=True)), ZERO)
        return sum((p * x * x for p, x in zip(row, column, strict=True)), -mean * mean)

    def width(self, state: int, column: int) -> Fraction:
        """Return the largest difference of a column's entries that can come after a state."""
        values = [self.solution[after][column] for after in self.support(state)]
        return max(values) - min(values)


def _excess(one: Vector, other: Vector) -> Fraction:
    check_budget()
    return sum((max(x - y, ZERO) for x, y in zip(one, other, strict=True)), ZERO)


def _inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Return the inverse of a diagonally dominant matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [[*row, *(Fraction(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for at in range(size):
        check_budget()
        rows[at] = [entry / rows[at][at] for entry in rows[at]]
        for other in range(size):
            factor = rows[other][at]
            if other != at and factor:
                rows[other] = [x - factor * y for x, y in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]


def span_of(found: Enclosure, bits: int) -> Span:
    """Return the span of an enclosure with finite ends."""
    low, high = found.lower, found.upper
    if not (isinstance(low, Fraction) and isinstance(high, Fraction)):
        raise OutOfReachError
    return Span(Span.of(low, bits).low, Span.of(high, bits).high)


def total(spans: Iterable[Span], bits: int) -> Span:
    """Return the sum of some spans, 0 for none."""
    found = Span.of(0, bits)
    for span in spans:
        found = found + span
    return found


def least(spans: Iterable[Span]) -> Span:
    """Return the span of the least of some numbers."""
    found = list(spans)
    return Span(min(span.low for span in found), min(span.high for span in found))


def largest(spans: Iterable[Span]) -> Span:
    """Return the span of the largest of some numbers."""
    found = list(spans)
    return Span(max(span.low for span in found), max(span.high for span in found))


def root(square: Span) -> Span:
    """Return the root of a number that is not negative, whose span may reach below 0."""
    down, up = roundings(square.bits)
    return Span(down.sqrt(max(square.low, Span.of(0, square.bits).low)), up.sqrt(square.high))


def root_of(square: Fraction, bits: int) -> Span:
    """Return the root of a rational that is not negative."""
    return root(Span.of(square, bits))


def positive(row: Vector) -> Vector:
    """Return the positive entries."""
    return tuple(filter(None, row))


def mean_deviation(share: Fraction, k: Fraction, bits: int) -> Span:
    """Return the mean of |x - p|, x of Beta(k p, k (1-p)), by the second formula."""
    check_budget()
    return span_of(absolute_deviation(bits, share, k), bits)


def mean_deviation_of_row(row: Vector, k: Fraction, bits: int) -> Span:
    """Return the mean 1-norm of a private row less the row, entry by entry."""
    return total((mean_deviation(share, k, bits) for share in positive(row)), bits)


def mean_divergence(row: Vector, k: Fraction, bits: int) -> Span:
    """Return the mean of KL(P_i || private row i), by the second formula."""
    return span_of(expected_kl(bits, row, k), bits)
