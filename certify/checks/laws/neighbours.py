"""Neighbours in doubles: parameters of two laws, exactly adjacent, on a dyadic grid.

A pair is decoded from shares of [0, 1], without a jump, whole moves and floors often. What is drawn
then goes to a grid: floors up, moves down, so that floor, step and sum hold exactly in
the doubles that are written down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt
from random import Random
from typing import NamedTuple, TypeAlias

from ....reference.adjacency import Floored, Grown, Neighbourhood, Released, Sensitive, Vector

_Doubles: TypeAlias = tuple[float, ...]

# The grid's unit is so many bits below what is largest, and never below the smallest double.
_GRID_BITS, _SMALLEST_EXPONENT = 50, -1074
# How far above the floor a pair is drawn, in units of it; any distance would be right.
_EXCESS = 4
# A record comes or goes beside so many times as much: the more, the nearer to the worst.
_BESIDE = 1 << 12
# Coordinates of a pair with sensitivities: at least, and at most so many more.
_FEWEST, _MORE = 2, 3
# What a share is decoded from: a whole number up to this. A quarter of them at each end stands
# for the end.
VALUES, _END = 1 << 18, 1 << 16


class VectorPair(NamedTuple):
    """Two adjacent inputs (or parameters, or values)."""

    first: Vector
    second: Vector


class _DoublesPair(NamedTuple):
    """The parameters of two laws, in doubles."""

    u: _Doubles
    v: _Doubles


def neighbours_in(space: Neighbourhood, seed_text: str, *, worst: bool) -> _DoublesPair:
    """Return two neighbours in doubles: the worst that there are, or some."""
    rng = Random(seed_text)  # noqa: S311 (test points, the same every time)

    def shares(count: int) -> list[Fraction]:
        return [share_of(int(rng.random() * (VALUES + 1))) for _ in range(count)]

    pair = next(draw for kind, draw in _DRAWN.items() if isinstance(space, kind))(
        space, shares, worst
    )
    turned = not worst and 2 * rng.random() < 1
    return _DoublesPair(pair.v, pair.u) if turned else pair


_Drawn: TypeAlias = Callable[[int], list[Fraction]]


def _moved(space: Floored, shares: _Drawn, worst: bool) -> _DoublesPair:
    drawn = [Fraction(1), Fraction(0), Fraction(0)] if worst else shares(3)
    return _on_grid(*floored_pair(space, _EXCESS * space.alpha, drawn))


def _grown(space: Grown, shares: _Drawn, worst: bool) -> _DoublesPair:
    move, near, far = [Fraction(1), Fraction(0), Fraction(1)] if worst else shares(3)
    less = space.alpha * (1 + _EXCESS * near)
    rest = space.alpha + far * _BESIDE * (space.alpha + space.step)
    return _on_grid((less, rest), (less + move * space.step, rest))


def _released(space: Released, shares: _Drawn, worst: bool) -> _DoublesPair:
    length = _FEWEST + int(shares(1)[0] * _MORE)
    drawn = [shares(length) for _ in range(3)]
    if worst:
        drawn = [[Fraction(0)] * length, [Fraction(1)] * length, [Fraction(0)] * length]
    size = _EXCESS * space.alpha / space.step
    pair = sensitive_pair(space.values, size, drawn)
    return _on_grid(
        *(tuple(space.alpha + space.step * value for value in vector) for vector in pair)
    )


_DRAWN: dict[type, Callable[..., _DoublesPair]] = {
    Floored: _moved,
    Grown: _grown,
    Released: _released,
}


def _on_grid(first: Sequence[Fraction], second: Sequence[Fraction]) -> _DoublesPair:
    """Return both on a grid of their own: the smaller of two entries up, their difference down.

    Equal moves stay equal, so what is moved is neither lost nor won.
    """
    largest = max(*first, *second)
    bits = largest.numerator.bit_length() - largest.denominator.bit_length()
    unit = Fraction(2) ** max(bits - _GRID_BITS, _SMALLEST_EXPONENT)
    u, v = [], []
    for a, b in zip(first, second, strict=True):
        common = -(-min(a, b) // unit) * unit
        u.append(float(common + max(a - b, Fraction(0)) // unit * unit))
        v.append(float(common + max(b - a, Fraction(0)) // unit * unit))
    return _DoublesPair(tuple(u), tuple(v))


def share_of(drawn: int) -> Fraction:
    """Return the share that a whole number from 0 to ``VALUES`` stands for; both ends often."""
    place = Fraction(drawn - _END, VALUES - 2 * _END)
    return min(max(place, Fraction(0)), Fraction(1))


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
