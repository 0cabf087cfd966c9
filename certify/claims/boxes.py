"""Inequalities over boxes: a function shown positive on all of a box by cutting it into small ones.

On each small box the function is evaluated in balls that hold every point of it. A ball that is
certainly positive settles its box; else the box is halved where it is widest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from flint import arb

from ...reference.arb.balls import ball, working_precision
from ...reference.enclosure import Trilean
from ...reference.exact import exact_number
from ...reference.precision import check_budget

# The sides of a box as exact texts, by the parameter's name.
Box: TypeAlias = Mapping[str, tuple[str, str]]
# A function of balls by the same names; what is shown is that it is above zero.
Positive: TypeAlias = Callable[..., arb]
_Sides: TypeAlias = dict[str, tuple[Fraction, Fraction]]

MAX_BOXES = 200_000
_BITS = 128


@dataclass(frozen=True)
class Subdivision:
    """TRUE if every box was settled, FALSE with a point ``at`` which the function is negative."""

    holds: Trilean
    boxes: int
    at: str = ""


def subdivided(box: Box, positive: Positive, most: int = MAX_BOXES) -> Subdivision:
    """Return whether the function is positive on all of the box; UNKNOWN after so many boxes."""
    left: list[_Sides] = [{name: (_end(low), _end(high)) for name, (low, high) in box.items()}]
    whole = left[0]
    count = 0
    with working_precision(_BITS):
        while left:
            check_budget()
            sides = left.pop()
            count += 1
            if positive(**{name: _hull(*ends) for name, ends in sides.items()}) > 0:
                continue
            middle = {name: (low + high) / 2 for name, (low, high) in sides.items()}
            if positive(**{name: ball(value) for name, value in middle.items()}) <= 0:
                at = ", ".join(f"{name} = {value}" for name, value in middle.items())
                return Subdivision(Trilean.FALSE, count, at)
            if count >= most:
                return Subdivision(Trilean.UNKNOWN, count)
            left.extend(_halves(sides, whole))
    return Subdivision(Trilean.TRUE, count)


def _end(text: str) -> Fraction:
    return exact_number(text, "the end of a box")


def _hull(low: Fraction, high: Fraction) -> arb:
    return ball(low).union(ball(high))


def _halves(sides: _Sides, whole: _Sides) -> tuple[_Sides, _Sides]:
    """Return both halves of a box, cut where it is widest in proportion to the whole."""

    def width(name: str) -> Fraction:
        (low, high), (first, last) = sides[name], whole[name]
        return (high - low) / (last - first) if last > first else Fraction(0)

    name = max(sides, key=width)
    low, high = sides[name]
    middle = (low + high) / 2
    return {**sides, name: (low, middle)}, {**sides, name: (middle, high)}
