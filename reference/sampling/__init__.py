"""Exact draws: random bits in, an enclosure out that is refined until its rounding is decided."""

from .bits import Bits, Counted, operating_system, seeded
from .elementary import exponential, laplace, normal, uniform
from .gamma import gamma
from .limits import LEAST_ALPHA
from .published import published_number, published_vector
from .refinement import Draw
from .rounding import largest_remainder, nearest_multiple
from .simplex import Dirichlet, beta, dirichlet

__all__ = [
    "LEAST_ALPHA",
    "Bits",
    "Counted",
    "Dirichlet",
    "Draw",
    "beta",
    "dirichlet",
    "exponential",
    "gamma",
    "laplace",
    "largest_remainder",
    "nearest_multiple",
    "normal",
    "operating_system",
    "published_number",
    "published_vector",
    "seeded",
    "uniform",
]
