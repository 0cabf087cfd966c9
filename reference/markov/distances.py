"""How far apart the rows of a matrix are at most, where there are very many pairs of rows.

Entries are cut down to whole multiples of a small unit, so that NumPy's 64-bit integers hold the
distances of all pairs without any rounding. A cut takes less than a unit from either entry, so the
distance of two rows of n entries is off by less than n units
(proofs_notes/fundamental-matrix.md#distances-in-integers). Only pairs that come within that of the
largest can be the furthest apart; they are looked at in full.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..precision import check_budget

Integers: TypeAlias = NDArray[np.int64]
Row: TypeAlias = Sequence[Fraction]

# The sums are kept below 2^62, which 64 bits hold, whatever the order of summation.
_SUM_BITS = 62
# The rows of pairs that may be furthest apart are looked at in full while they have no more entries
# than this, which takes about a second; a matter of speed alone.
MOST_TIED_ENTRIES = 10**6


def digit_bits(terms: int) -> int:
    """Return how long numbers may be so that so many differences of two of them add up exactly.

    Numbers of absolute value at most 2^b differ by at most 2^(b+1); ``terms`` of these add up to
    less than 2^62.
    """
    return _SUM_BITS - 1 - terms.bit_length()


def cut_to_units(rows: Sequence[Row]) -> tuple[Integers, bool]:
    """Return rationals as whole units, rounded down, and whether nothing was cut off."""
    most = 1 << digit_bits(len(rows[0]))
    size = max((abs(entry) for row in rows for entry in row), default=Fraction(0)) or Fraction(1)
    common = _common_denominator(rows, int(most / size))
    unit = size / most if common is None else Fraction(1, common)
    top, bottom = unit.denominator, unit.numerator
    cut = [[e.numerator * top // (e.denominator * bottom) for e in row] for row in rows]
    return np.array(cut, dtype=np.int64), common is not None


def _common_denominator(rows: Sequence[Row], most: int) -> int | None:
    common = 1
    for row in rows:
        check_budget()
        common = lcm(common, *(entry.denominator for entry in row))
        if common > most:
            return None
    return common


def largest_distance(rows: Sequence[Row], limit: Fraction | None = None) -> Fraction | None:
    """Return the largest 1-norm of a difference of two rows of rationals, exactly.

    Equal rows count once. ``limit``: no two rows are further apart than that, which ends the search
    where two are so far apart, and often many are. None where very many pairs may be the furthest
    apart, and each would have to be looked at in full: then balls do (``ball_distances``).
    """
    different = list(dict.fromkeys(map(tuple, rows)))
    units, whole = cut_to_units(different)
    candidates = sorted(furthest(all_sums(units), 0 if whole else len(rows[0])), reverse=True)
    found = max((_full(different, pair) for pair in candidates[:1]), default=Fraction(0))
    if whole or found == limit:
        return found
    if len(candidates) * len(rows[0]) > MOST_TIED_ENTRIES:
        return None
    for pair in candidates[1:]:
        found = max(found, _full(different, pair))
        if found == limit:
            break
    return found


def _full(rows: Sequence[Row], pair: tuple[int, int, int]) -> Fraction:
    check_budget()
    _, one, other = pair
    return distance(rows[one], rows[other])


def distance(one: Row, other: Row) -> Fraction:
    """Return the 1-norm of a difference, over one common denominator."""
    common = lcm(*(entry.denominator for row in (one, other) for entry in row))
    total = sum(
        abs(p.numerator * (common // p.denominator) - q.numerator * (common // q.denominator))
        for p, q in zip(one, other, strict=True)
    )
    return Fraction(total, common)


def all_sums(units: Integers) -> list[Integers]:
    """Return for each row its distances from all later ones, in units."""
    found = []
    for one in range(len(units) - 1):
        check_budget()
        found.append(np.asarray(np.abs(units[one + 1 :] - units[one]).sum(axis=1)))
    return found


def furthest(sums: Sequence[Integers], slack: int) -> list[tuple[int, int, int]]:
    """Return the pairs that may be furthest apart, each after its sum.

    The distances are less than ``slack`` from the sums, so a pair whose sum is below the largest
    one by twice that is not among them.
    """
    least = max((int(row.max()) for row in sums), default=0) - 2 * slack
    return [
        (int(row[at]), one, one + 1 + int(at))
        for one, row in enumerate(sums)
        for at in np.flatnonzero(row >= least)
    ]
