"""Published numbers and vectors: exact draws, rounded to a grid of powers of two.

A rounding is decided by balls that are refined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from math import floor
from typing import TypeAlias

from flint import arb

from ..arb.balls import ball, working_precision
from ..errors import SoundnessError
from .bits import Bits
from .draw import Draw, growing, laplace, require_grid, unreachable
from .gamma import dirichlet

# Noise of a scale, drawn from a source of bits: ``laplace``, ``gaussian``.
Noise: TypeAlias = Callable[[Fraction, Bits], Draw]

# What a first look has beyond the digits of the grid: it leaves few roundings open
# (largest-remainder-decided in proofs_notes/exact-draws.md).
_LOOK_BITS = 40
# The same for a number, whose digits above the grid are not known beforehand.
_FIRST_BITS = 64
_HALF = arb((1, -1))


def nearest_multiple(enclosure: Callable[[int], arb], grid_bits: int) -> int:
    """Return the integer m for which m 2^-grid_bits is nearest to a draw; a half goes up.

    Raises DomainError, and SoundnessError where balls up to the most bits do not tell.
    """
    require_grid(grid_bits)
    unit = arb((1, grid_bits))
    for bits in growing(_FIRST_BITS):
        drawn = enclosure(bits)
        with working_precision(bits + _LOOK_BITS):
            found = (drawn * unit + _HALF).floor().unique_fmpz()
        if found is not None:
            return int(found)
    raise unreachable()


def largest_remainder(enclosures: Callable[[int], list[arb]], grid_bits: int) -> list[int]:
    """Return integers that sum to 2^grid_bits, by largest remainders, for a draw that sums to 1.

    Each share times 2^grid_bits is rounded down; the units that are then missing go to the
    coordinates whose fractional parts are the largest.
    """
    require_grid(grid_bits, least=0)
    for bits in growing(grid_bits + _LOOK_BITS):
        balls = enclosures(bits)
        with working_precision(bits + _LOOK_BITS):
            found = _rounded(balls, grid_bits)
        if found is not None:
            return found
    raise unreachable()


def _rounded(balls: Sequence[arb], grid_bits: int) -> list[int] | None:
    """Return the integers, or None where these balls do not decide them."""
    if not all(ball.is_finite() for ball in balls):
        return None
    whole, unit = 1 << grid_bits, arb((1, grid_bits))
    scaled = [ball * unit for ball in balls]
    largest = max(range(len(balls)), key=lambda index: balls[index].mid())
    others = sum((one for index, one in enumerate(scaled) if index != largest), arb(0))
    if not scaled[largest].overlaps(whole - others):
        raise SoundnessError("shares that are to be rounded do not sum to 1")
    above = others.ceil().unique_fmpz()
    if above is None:
        return None
    floors = [one.floor().unique_fmpz() for one in scaled]
    # The largest share may be nearer to 1 than any digit shows: the others tell what it lacks.
    floors[largest] = whole - above
    lower = [int(one) for one in floors if one is not None]
    if len(lower) < len(floors):
        return None
    parts = [one - floor for one, floor in zip(scaled, lower, strict=True)]
    parts[largest] = above - others
    chosen = _largest(parts, whole - sum(lower))
    return None if chosen is None else [n + (i in chosen) for i, n in enumerate(lower)]


def _largest(parts: Sequence[arb], count: int) -> set[int] | None:
    """Return the places of so many largest parts, or None where the balls do not tell."""
    if not 0 <= count < len(parts):
        raise SoundnessError("shares that are to be rounded do not sum to 1")
    order = sorted(range(len(parts)), key=lambda index: parts[index].mid(), reverse=True)
    chosen, left = order[:count], order[count:]
    if not chosen:
        return set()
    least = reduce(arb.min, (parts[index] for index in chosen))
    most = reduce(arb.max, (parts[index] for index in left))
    return set(chosen) if least > most else None


def published_vector(alpha: Sequence[Fraction], grid_bits: int, source: Bits) -> list[Fraction]:
    """Draw from Dirichlet(alpha), rounded to multiples of 2^-grid_bits that sum to 1 exactly.

    Raises DomainError, before any bit is drawn.
    """
    require_grid(grid_bits, least=0)
    draw = dirichlet(alpha, source)
    return [Fraction(n, 1 << grid_bits) for n in largest_remainder(draw.enclosures, grid_bits)]


def published_number(
    centre: Fraction, scale: Fraction, grid_bits: int, source: Bits, noise: Noise = laplace
) -> Fraction:
    """Return the multiple of 2^-grid_bits that is nearest to the centre plus noise of this scale.

    Raises DomainError, before any bit is drawn.
    """
    require_grid(grid_bits)
    drawn = noise(scale, source)
    unit = Fraction(2) ** grid_bits
    whole = floor(centre * unit)
    rest = centre - whole / unit

    def shifted(bits: int) -> arb:
        with working_precision(bits):
            return drawn.enclosure(bits) + ball(rest)

    return (whole + nearest_multiple(shifted, grid_bits)) / unit
