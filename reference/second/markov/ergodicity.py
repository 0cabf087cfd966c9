"""Second opinions on the coefficients of ergodicity, by other formulas; rational, so rigorous.

The spread of a column is the least sum of distances of its entries to one of them; the distance of
two rows is 1 less what they have in common.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from ...enclosure import Enclosure
from ...precision import check_budget
from ..opinion import second_opinion

Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]


@second_opinion("markov.ergodicity_coefficient", engine="mpfr", rigorous=True)
def ergodicity_coefficient(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Return the largest least sum of distances, exactly."""
    return Enclosure.of(max(map(_least_sum, zip(*P, strict=True))))


def _least_sum(column: tuple[Fraction, ...]) -> Fraction:
    return min(_sum_of_distances(column, c) for c in column)


def _sum_of_distances(column: tuple[Fraction, ...], c: Fraction) -> Fraction:
    check_budget()
    return sum((abs(entry - c) for entry in column), Fraction(0))


@second_opinion("markov.dobrushin_coefficient", engine="mpfr", rigorous=True)
def dobrushin_coefficient(bits: int, P: Matrix) -> Enclosure:  # noqa: ARG001
    """Return 1 less the least that two rows have in common, exactly."""
    return Enclosure.of(1 - min(_in_common(one, other) for one, other in combinations(P, 2)))


def _in_common(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Fraction:
    check_budget()
    return sum(map(min, one, other), Fraction(0))
