"""How far one step of a chain contracts: its coefficients of ergodicity, exactly.

For a norm the coefficient is the largest size of z P over all z of size at most 1 whose entries sum
to 0 (benvenuti2025 Definition 7 for the maximum norm). Both are attained, and rational
(proofs_notes/ergodicity.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from ..domain import A_PROBABILITY, AT_LEAST_ZERO, STOCHASTIC
from ..precision import check_budget
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN
from .distances import cut_to_units, largest_distance_of_rationals
from .fundamental import Number

_NOTE = "proofs_notes/ergodicity.md"


@quantity(
    "markov.ergodicity_coefficient",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\tau_{\infty} = \max_j \; \max_{x} \left\{ \sum_i x_i P_{i j} : \sum_i x_i = 0, \; "
    r"|x_i| \le 1 \right\}",
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def ergodicity_coefficient(P: STOCHASTIC) -> Fraction:
    """Ergodicity coefficient in the maximum norm: a column's larger half less its smaller half.

    benvenuti2025 Definition 7, the largest over columns; it may exceed 1. A half is a sum of
    entries; of an odd number of entries the middle one is left out.
    """
    columns = tuple(zip(*P, strict=True))
    return max(_spread(columns[at]) for at in _widest(columns))


def _widest(columns: Sequence[Sequence[Fraction]]) -> list[int]:
    """Return which columns may have the largest spread: in whole units it is off by less than n.

    A column's spread changes by no more than its entries do in sum, and a cut takes less than one
    unit from each (proofs_notes/fundamental-matrix.md#distances-in-integers).
    """
    units, whole = cut_to_units(columns)
    units.sort(axis=1)
    half = units.shape[1] // 2
    spreads = units[:, -half:].sum(axis=1) - units[:, :half].sum(axis=1)
    if whole:
        return [int(spreads.argmax())]
    return [int(at) for at in np.flatnonzero(spreads >= spreads.max() - 2 * len(columns[0]))]


def _spread(column: Sequence[Fraction]) -> Fraction:
    check_budget()
    ordered, half = sorted(column), len(column) // 2
    return sum(ordered[-half:], Fraction(0)) - sum(ordered[:half], Fraction(0))


@quantity(
    "markov.dobrushin_coefficient",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\tau_1 = \frac{1}{2} \max_{i, j} \|P_i - P_j\|_1",
    within=A_PROBABILITY,
    rises=UNKNOWN,
)
def dobrushin_coefficient(P: STOCHASTIC) -> Number:
    """Ergodicity coefficient in the 1-norm: the largest total variation distance of two rows."""
    return largest_distance_of_rationals(P, limit=Fraction(2)) / 2
