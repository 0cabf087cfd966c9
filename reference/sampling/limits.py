"""What is drawn from: the limits on shapes, scales and grids, each with its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..errors import DomainError

# Below, a coordinate lies under every grid with a probability near 1, and each draw costs
# thousands of bits for nothing.
LEAST_ALPHA = Fraction(1, 1000)
# Above, a draw is its mean to a hundred and more digits; within, the bound on MOST_BITS holds.
GREATEST_ALPHA = Fraction(10**300)
# More coordinates than this are no vector that anybody reads; within, the same bound holds.
MOST_COORDINATES = 10_000_000
# The scale of Laplace noise lies between this and its inverse, for the same bound.
LEAST_SCALE = Fraction(1, 10**300)
# Published numbers are multiples of 2^-grid_bits with |grid_bits| up to this.
MOST_GRID_BITS = 1024


def require_shape(shape: Fraction) -> None:
    """Raise DomainError for a parameter of a gamma, beta or Dirichlet law that is out of reach."""
    if not LEAST_ALPHA <= shape <= GREATEST_ALPHA:
        raise DomainError("a parameter alpha is drawn from between 1/1000 and 10^300 only")


def require_alpha(alpha: Sequence[Fraction]) -> None:
    """Raise DomainError unless every alpha is 0 or within reach, and some alpha is positive.

    A vector of more than MOST_COORDINATES is refused first, by its length alone.
    """
    if len(alpha) > MOST_COORDINATES:
        raise DomainError(
            f"a vector has {len(alpha)} coordinates; more than {MOST_COORDINATES} are not drawn"
        )
    if not any(alpha):
        raise DomainError("a Dirichlet law needs a positive alpha")
    for one in filter(None, alpha):
        require_shape(one)


def require_scale(scale: Fraction) -> None:
    """Raise DomainError for a scale that is out of reach."""
    if not LEAST_SCALE <= scale <= 1 / LEAST_SCALE:
        raise DomainError("the scale of Laplace noise is between 10^-300 and 10^300")


def require_grid(grid_bits: int, least: int = -MOST_GRID_BITS) -> None:
    """Raise DomainError for a grid that is out of reach."""
    if not least <= grid_bits <= MOST_GRID_BITS:
        raise DomainError(f"grid_bits is between {least} and {MOST_GRID_BITS}")
