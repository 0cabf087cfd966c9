"""How far apart the rows of a matrix of balls are at most, in 64-bit integers, at any precision.

The middles are cut down to whole multiples of a unit below the last bit, and written with digits
that are short enough for NumPy. The first digits tell which pairs of rows may be the furthest
apart, and all digits their distances (proofs_notes/fundamental-matrix.md#distances-in-integers).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import groupby

import numpy as np
from flint import arb, ctx

from ..arb.balls import ball
from ..precision import check_budget
from .distances import Integers, Row, all_sums, digit_bits, furthest, largest_distance

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
    largest = max(_totals(digits, furthest(all_sums(digits[0]), coarse), bits))
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


def _digits(rows: Sequence[Sequence[arb]], exponent: int, count: int, bits: int) -> Integers:
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


def _totals(digits: Integers, pairs: Sequence[tuple[int, int, int]], bits: int) -> Iterator[int]:
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


def _absolute(gaps: Integers) -> Integers:
    """Return the digits of absolute differences, each digit with a sign.

    The sign of a difference is that of its first digit that is not 0.
    """
    sign = np.sign(gaps[0])
    for later in gaps[1:]:
        sign = np.where(sign == 0, np.sign(later), sign)
    return np.asarray(gaps * sign)
