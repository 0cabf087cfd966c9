"""The laws that exact draws are held against: those of certify/samplers, and three more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from flint import arb
from simplexcert.certify.samplers.distributions import (
    CERTAIN,
    IMPOSSIBLE,
    BetaLaw,
    Ends,
    LaplaceLaw,
    ends_of,
    within_one,
)
from simplexcert.reference.arb.balls import ball, sharpened, working_precision

_PRECISION_BITS = 128


@dataclass(frozen=True)
class GammaLaw:
    """Gamma of scale 1: below x lies the regularised incomplete gamma function."""

    shape: Fraction

    def below(self, point: Fraction) -> Ends:
        return IMPOSSIBLE if point <= 0 else _gamma_below(self.shape, point)


@lru_cache(4096)
def _gamma_below(shape: Fraction, point: Fraction) -> Ends:
    with working_precision(_PRECISION_BITS):
        found = sharpened(lambda: ball(point).gamma_lower(ball(shape), regularized=1))
        return ends_of(found)


@dataclass(frozen=True)
class LesserLaw:
    """The lesser of the two shares of a Beta draw; up to 1/2, at most one is below a point."""

    first: Fraction
    second: Fraction

    def below(self, point: Fraction) -> Ends:
        one, other = BetaLaw(self.first, self.second), BetaLaw(self.second, self.first)
        if point > Fraction(1, 2):
            return Ends(Fraction(1), Fraction(1))
        found = one.below(point), other.below(point)
        return within_one(found[0].lower + found[1].lower, found[0].upper + found[1].upper)


@dataclass(frozen=True)
class NormalLaw:
    """Normal of mean 0, by its standard deviation."""

    scale: Fraction

    def below(self, point: Fraction) -> Ends:
        with working_precision(_PRECISION_BITS):
            return ends_of((-ball(point / self.scale) / arb(2).sqrt()).erfc() / 2)


def cells_of_noise(
    law: LaplaceLaw | NormalLaw, centre: Fraction, grid_bits: int, most: int
) -> Iterator[tuple[int, Ends]]:
    """Yield the multiples m of a grid with |m| <= most, and the chance of each: half steps.

    What is rounded to more stands at most + 1, to less at -most - 1.
    """
    unit = Fraction(1, 2**grid_bits)
    ends = [(m + Fraction(1, 2)) * unit - centre for m in range(-most - 1, most + 1)]
    below = [IMPOSSIBLE, *map(law.below, ends), CERTAIN]
    for m, (low, high) in enumerate(pairwise(below), -most - 1):
        yield m, high.minus(low)


def cells_of_two(first: Fraction, second: Fraction, grid_bits: int) -> Iterator[tuple[int, Ends]]:
    """Yield the units of the first of two shares, and the chance of each: Beta at half steps."""
    whole = 2**grid_bits
    law = BetaLaw(first, second)
    for m in range(whole + 1):
        high, low = (Fraction(2 * m + side, 2 * whole) for side in (1, -1))
        yield m, law.below(high).minus(law.below(low))


# The differences of a point of the grid and its six neighbours, in turn around it.
AROUND = ((1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1))
# The mean of the largest of three uniform spacings, and of each of the others given which it is.
_NEAR, _FAR = Fraction(11, 18), Fraction(7, 36)

Cell: TypeAlias = tuple[int, ...]


def cells_of_three(grid_bits: int) -> Iterator[tuple[Cell, Fraction]]:
    """Yield the roundings of Dirichlet(1, 1, 2) by largest remainders, and the chance of each.

    The grid cuts the triangle into N^2 small ones, and a share of each goes to each of its corners:
    proofs_notes/sampler-tests.md, thirds-of-triangles.
    """
    whole = 2**grid_bits
    for first in range(whole + 1):
        for second in range(whole + 1 - first):
            cell = (first, second, whole - first - second)
            yield cell, sum(map(_last_share, _triangles(cell)), Fraction(0)) / whole**3


def _last_share(corners: tuple[Cell, Cell, Cell]) -> Fraction:
    """Return the mean third coordinate of what is nearest to the first corner of a triangle."""
    near, one, other = (corner[2] for corner in corners)
    return _NEAR * near + _FAR * (one + other)


def _triangles(cell: Cell) -> Iterator[tuple[Cell, Cell, Cell]]:
    """Yield the small triangles around a point, by their corners, of which it is the first."""
    around = [tuple(map(sum, zip(cell, step, strict=True))) for step in AROUND]
    for one, other in zip(around, [*around[1:], around[0]], strict=True):
        if min(*one, *other) >= 0:
            yield cell, one, other
