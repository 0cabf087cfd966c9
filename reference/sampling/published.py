"""What is published: exact draws, rounded to a grid."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from flint import arb

from ..arb.balls import ball, working_precision
from .bits import Bits
from .elementary import laplace
from .limits import require_grid
from .rounding import largest_remainder, nearest_multiple
from .simplex import dirichlet


def published_vector(alpha: Sequence[Fraction], grid_bits: int, source: Bits) -> list[Fraction]:
    """Draw from Dirichlet(alpha), rounded to multiples of 2^-grid_bits that sum to 1 exactly.

    Raises DomainError, before any bit is drawn.
    """
    require_grid(grid_bits, least=0)
    draw = dirichlet(alpha, source)
    return [Fraction(n, 1 << grid_bits) for n in largest_remainder(draw.enclosures, grid_bits)]


def published_number(centre: Fraction, scale: Fraction, grid_bits: int, source: Bits) -> Fraction:
    """Return the multiple of 2^-grid_bits that is nearest to the centre plus Laplace noise.

    Raises DomainError, before any bit is drawn.
    """
    require_grid(grid_bits)
    noise = laplace(scale, source)
    unit = Fraction(2) ** grid_bits
    whole = floor(centre * unit)
    rest = centre - whole / unit

    def shifted(bits: int) -> arb:
        with working_precision(bits):
            return noise.enclosure(bits) + ball(rest)

    return (whole + nearest_multiple(shifted, grid_bits)) / unit
