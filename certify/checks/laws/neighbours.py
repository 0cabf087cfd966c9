"""Neighbours in doubles: parameters of two laws, exactly adjacent, on a dyadic grid.

A pair is decoded from shares of [0, 1], as in ``search.pairs``, whole moves and floors often. What
is drawn then goes to a grid: floors up, moves down, so that floor, step and sum hold exactly in
the doubles that are written down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple, Protocol, TypeAlias

from ...search.adjacency import Floored, Sensitive, Vector
from ...search.pairs import VALUES, floored_pair, sensitive_pair, share_of

Doubles: TypeAlias = tuple[float, ...]

# The grid's unit is so many bits below what is largest, and never below the smallest double.
_GRID_BITS, _SMALLEST_EXPONENT = 50, -1074
# How far above the floor a pair is drawn, in units of it; any distance would be right.
_EXCESS = 4
# A record comes or goes beside so many times as much: the more, the nearer to the worst.
_BESIDE = 1 << 12
# Coordinates of a pair with sensitivities: at least, and at most so many more.
_FEWEST, _MORE = 2, 3


class DoublesPair(NamedTuple):
    """The parameters of two laws, in doubles."""

    u: Doubles
    v: Doubles


class Space(Protocol):
    """Who is a neighbour of whom, decided on rational numbers."""

    def are_adjacent(self, u: Vector, v: Vector) -> bool:
        """Whether two parameters keep floor and step, and differ as neighbours do."""


@dataclass(frozen=True)
class Grown:
    """Parameters above a floor, one of which differs, by a step or less: a record came or went."""

    alpha: Fraction
    step: Fraction

    def are_adjacent(self, u: Vector, v: Vector) -> bool:
        """Whether both keep the floor, and one coordinate at most differs, by the step at most."""
        if len(u) != len(v):
            return False
        changes = [abs(a - b) for a, b in zip(u, v, strict=True) if a != b]
        return min(*u, *v) >= self.alpha and len(changes) <= 1 and sum(changes) <= self.step


@dataclass(frozen=True)
class Released:
    """Parameters step f + alpha of values f >= 0 whose change the sensitivities bound."""

    alpha: Fraction
    step: Fraction
    values: Sensitive

    def are_adjacent(self, u: Vector, v: Vector) -> bool:
        """Whether the values behind two parameters are neighbours."""
        first, second = (
            tuple((entry - self.alpha) / self.step for entry in vector) for vector in (u, v)
        )
        return len(u) == len(v) and self.values.are_adjacent(first, second)


def neighbours_in(space: Space, seed_text: str, *, worst: bool) -> DoublesPair:
    """Return two neighbours in doubles: the worst that there are, or some."""
    rng = Random(seed_text)  # noqa: S311 (test points, the same every time)

    def shares(count: int) -> list[Fraction]:
        return [share_of(int(rng.random() * (VALUES + 1))) for _ in range(count)]

    pair = next(draw for kind, draw in _DRAWN.items() if isinstance(space, kind))(
        space, shares, worst
    )
    turned = not worst and 2 * rng.random() < 1
    return DoublesPair(pair.v, pair.u) if turned else pair


_Drawn: TypeAlias = Callable[[int], list[Fraction]]


def _moved(space: Floored, shares: _Drawn, worst: bool) -> DoublesPair:
    drawn = [Fraction(1), Fraction(0), Fraction(0)] if worst else shares(3)
    return _on_grid(*floored_pair(space, _EXCESS * space.alpha, drawn))


def _grown(space: Grown, shares: _Drawn, worst: bool) -> DoublesPair:
    move, near, far = [Fraction(1), Fraction(0), Fraction(1)] if worst else shares(3)
    less = space.alpha * (1 + _EXCESS * near)
    rest = space.alpha + far * _BESIDE * (space.alpha + space.step)
    return _on_grid((less, rest), (less + move * space.step, rest))


def _released(space: Released, shares: _Drawn, worst: bool) -> DoublesPair:
    length = _FEWEST + int(shares(1)[0] * _MORE)
    drawn = [shares(length) for _ in range(3)]
    if worst:
        drawn = [[Fraction(0)] * length, [Fraction(1)] * length, [Fraction(0)] * length]
    size = _EXCESS * space.alpha / space.step
    pair = sensitive_pair(space.values, size, drawn)
    return _on_grid(
        *(tuple(space.alpha + space.step * value for value in vector) for vector in pair)
    )


_DRAWN: dict[type, Callable[..., DoublesPair]] = {
    Floored: _moved,
    Grown: _grown,
    Released: _released,
}


def _on_grid(first: Sequence[Fraction], second: Sequence[Fraction]) -> DoublesPair:
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
    return DoublesPair(tuple(u), tuple(v))
