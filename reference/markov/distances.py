"""The largest distance of two rows of a matrix, where there are very many pairs of rows.

Entries are cut down to whole multiples of a small unit, so that NumPy's 64-bit integers hold the
distances of all pairs without any rounding. A cut takes less than a unit from either entry, so the
distance of two rows of n entries is off by less than n units
(proofs_notes/fundamental-matrix.md#distances-in-integers). Only pairs that come within that of the
largest can be the furthest apart; they are looked at in full.

Of balls, at any precision, the middles are cut down to whole multiples of a unit below the last
bit, and written with digits that are short enough for NumPy. The first digits tell which pairs of
rows may be the furthest apart, and all digits their distances (in the same place).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby
from math import lcm
from typing import TypeAlias

import numpy as np
from flint import arb, ctx
from numpy.typing import NDArray

from ..arb.balls import ball
from ..precision import check_budget

_Integers: TypeAlias = NDArray[np.int64]
Row: TypeAlias = Sequence[Fraction]

# The sums are kept below 2^62, which 64 bits hold, whatever the order of summation.
_SUM_BITS = 62
# The rows of pairs that may be furthest apart are looked at in full while they have no more entries
# than this, which takes about a second; a matter of speed alone.
_MOST_TIED_ENTRIES = 10**6


def digit_bits(terms: int) -> int:
    """Return how long numbers may be so that so many differences of two of them add up exactly.

    Numbers of absolute value at most 2^b differ by at most 2^(b+1); ``terms`` of these add up to
    less than 2^62.
    """
    return _SUM_BITS - 1 - terms.bit_length()


def cut_to_units(rows: Sequence[Row]) -> tuple[_Integers, bool]:
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
    candidates = sorted(_furthest(_all_sums(units), 0 if whole else len(rows[0])), reverse=True)
    found = max((_full(different, pair) for pair in candidates[:1]), default=Fraction(0))
    if whole or found == limit:
        return found
    if len(candidates) * len(rows[0]) > _MOST_TIED_ENTRIES:
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


def _all_sums(units: _Integers) -> list[_Integers]:
    """Return for each row its distances from all later ones, in units."""
    found = []
    for one in range(len(units) - 1):
        check_budget()
        found.append(np.asarray(np.abs(units[one + 1 :] - units[one]).sum(axis=1)))
    return found


def _furthest(sums: Sequence[_Integers], slack: int) -> list[tuple[int, int, int]]:
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


# The digits reach so much further than the working precision: no bit is lost to the cut.
_SPARE_BITS = 16


def largest_distance_of_rationals(
    rows: Sequence[Row], limit: Fraction | None = None
) -> arb | Fraction:
    """Return the largest distance of two rows exactly, or in balls where very many pairs tie."""
    found = largest_distance(rows, limit)
    if found is not None:
        return found
    balls = []
    for row in rows:
        check_budget()
        balls.append([ball(entry) for entry in row])
    return largest_distance_of_balls(balls)


def largest_distance_of_balls(rows: Sequence[Sequence[arb]]) -> arb:
    """Enclose the largest 1-norm of a difference of two rows of balls.

    As narrow as the entries are beside the largest of them. Pairs that tie, however many, are
    summed together, and cost a few operations of integers an entry.
    """
    if not all(entry.is_finite() for row in rows for entry in row):
        return arb("nan")
    width, bits = len(rows[0]), digit_bits(len(rows[0]))
    count = -(-(ctx.prec + _SPARE_BITS) // bits)
    # In units of 2^exponent the middles are below 2^(bits count).
    exponent = max(_bits_above_one(entry) for row in rows for entry in row) - count * bits
    radius = max(_ceiling(entry.rad(), exponent) for row in rows for entry in row)
    digits = _digits(rows, exponent, count, bits)
    # The cut takes less than a unit from an entry, and the middle is a radius away.
    coarse = width * (1 + 2 * -(-radius >> (count - 1) * bits))
    largest = max(_totals(digits, _furthest(_all_sums(digits[0]), coarse), bits))
    slack = width * (1 + 2 * radius)
    return ball(largest - slack).union(ball(largest + slack)) * arb(2) ** exponent


def _bits_above_one(entry: arb) -> int:
    """Return the least exponent of a power of two that is above a middle."""
    mantissa, exponent = entry.mid().man_exp()
    return int(exponent) + int(mantissa).bit_length()


def _floor(exact: arb, exponent: int) -> int:
    """Return how many whole units of 2^exponent an exact number has, rounded down."""
    mantissa, power = exact.man_exp()
    shift = int(power) - exponent
    return int(mantissa) << shift if shift >= 0 else int(mantissa) >> -shift


def _ceiling(exact: arb, exponent: int) -> int:
    return -_floor(-exact, exponent)


def _digits(rows: Sequence[Sequence[arb]], exponent: int, count: int, bits: int) -> _Integers:
    """Return the middles' digits to base 2^bits, the first one first; it alone has a sign."""
    mask = (1 << bits) - 1
    found = np.empty((count, len(rows), len(rows[0])), dtype=np.int64)
    for at, row in enumerate(rows):
        check_budget()
        whole = [_floor(entry.mid(), exponent) for entry in row]
        found[0, at] = [number >> (count - 1) * bits for number in whole]
        for place in range(1, count):
            shift = (count - 1 - place) * bits
            found[place, at] = [number >> shift & mask for number in whole]
    return found


def _totals(digits: _Integers, pairs: Sequence[tuple[int, int, int]], bits: int) -> Iterator[int]:
    """Yield the exact distances of pairs of rows, which stand in order of their first row."""
    for one, group in groupby(pairs, key=lambda pair: pair[1]):
        check_budget()
        others = [other for _, _, other in group]
        parts = _absolute(digits[:, others] - digits[:, one, None]).sum(axis=2)
        for numbers in parts.T.tolist():
            total = 0
            for number in numbers:
                total = (total << bits) + number
            yield total


def _absolute(gaps: _Integers) -> _Integers:
    """Return the digits of absolute differences, each digit with a sign.

    The sign of a difference is that of its first digit that is not 0.
    """
    sign = np.sign(gaps[0])
    for later in gaps[1:]:
        sign = np.where(sign == 0, np.sign(later), sign)
    return np.asarray(gaps * sign)
