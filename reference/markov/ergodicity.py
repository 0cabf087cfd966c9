"""How far one step of a chain contracts: its coefficients of ergodicity, exactly.

For a norm the coefficient is the largest size of z P over all z of size at most 1 whose entries sum
to 0 (benvenuti2025 Definition 7 for the maximum norm). Both are attained, and rational
(proofs_notes/ergodicity.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, starmap

from ..domain import A_PROBABILITY, AT_LEAST_ZERO, STOCHASTIC
from ..precision import check_budget
from ..quantity import Side, quantity

NOTE = "proofs_notes/ergodicity.md"


@quantity("markov.ergodicity_coefficient", safe=Side.NONE, source=NOTE, within=AT_LEAST_ZERO)
def ergodicity_coefficient(P: STOCHASTIC) -> Fraction:
    """Ergodicity coefficient in the maximum norm: the largest spread of a column; it may exceed 1.

    benvenuti2025 Definition 7. A column's spread is the sum of its larger half less that of its
    smaller half; of an odd number of entries the middle one is left out.
    """
    return max(map(_spread, zip(*P, strict=True)))


def _spread(column: Sequence[Fraction]) -> Fraction:
    check_budget()
    ordered, half = sorted(column), len(column) // 2
    return sum(ordered[-half:], Fraction(0)) - sum(ordered[:half], Fraction(0))


@quantity("markov.dobrushin_coefficient", safe=Side.NONE, source=NOTE, within=A_PROBABILITY)
def dobrushin_coefficient(P: STOCHASTIC) -> Fraction:
    """Ergodicity coefficient in the 1-norm: the largest total variation distance of two rows."""
    return max(starmap(_distance, combinations(P, 2)))


def _distance(one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
    check_budget()
    return sum((abs(p - q) for p, q in zip(one, other, strict=True)), Fraction(0)) / 2
