"""Adjacent pairs from shares of [0, 1]: what is drawn of them, without who draws.

Everything is an exact rational that hangs on the shares without a jump.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import NamedTuple, TypeAlias

from .adjacency import Floored, Sensitive, Vector

Shares: TypeAlias = tuple[Fraction, ...]

# What a share is decoded from: a whole number up to this. A quarter of them at each end stands
# for the end.
VALUES, _END = 1 << 18, 1 << 16


class VectorPair(NamedTuple):
    """Two adjacent inputs (or parameters, or values)."""

    first: Vector
    second: Vector


def share_of(drawn: int) -> Fraction:
    """Return the share that a whole number from 0 to ``VALUES`` stands for; both ends often."""
    place = Fraction(drawn - _END, VALUES - 2 * _END)
    return min(max(place, Fraction(0)), Fraction(1))


def between(low: Fraction, high: Fraction, share: Fraction) -> Fraction:
    """Return the number at a share of the way from one to another."""
    return low + (high - low) * share


def scaled(low: int, high: int, share: Fraction) -> Fraction:
    """Return a number from 2^low to 2^high, rising with the share, about evenly in log scale."""
    place = between(Fraction(low), Fraction(high), share)
    octave = min(place.__floor__(), high - 1)
    return Fraction(2) ** octave * (1 + place - octave)


def floored_pair(space: Floored, excess: Fraction, drawn: Sequence[Fraction]) -> VectorPair:
    """Return two pairs of parameters, up to ``excess`` above the floor: move, and what both keep.

    The dominating pair is the whole move with nothing above the floor.
    """
    move, near, far = drawn
    common = [space.alpha + part * excess for part in (near, far)]
    moved = move * space.step
    return VectorPair((common[0] + moved, common[1]), (common[0], common[1] + moved))


def sensitive_pair(
    space: Sensitive, size: Fraction, drawn: Sequence[Sequence[Fraction]]
) -> VectorPair:
    """Return values up to about ``size`` and their change, in each direction.

    A rational square root of what is left of the 2-norm is rounded down.
    """
    left, first, second = space.delta2_squared, [], []
    for value, part, sign in zip(*drawn, strict=True):
        change = part * min(_root_below(left), space.delta_inf)
        left -= change**2
        both = value * size, value * size + change
        lower, upper = both if 2 * sign < 1 else reversed(both)
        first.append(lower)
        second.append(upper)
    return VectorPair(tuple(first), tuple(second))


def _root_below(square: Fraction) -> Fraction:
    """Return a rational at most the square root, within 2^-30 of it; exact for whole squares."""
    unit = 1 << 30
    scaled_square = square.numerator * unit**2 // square.denominator
    return Fraction(isqrt(scaled_square), unit)
