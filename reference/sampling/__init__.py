"""Exact draws: random bits in, an enclosure out that is refined until its rounding is decided."""

from .bits import Bits, Counted, operating_system, seeded
from .draw import LEAST_ALPHA, Draw, exponential, gaussian, laplace, normal, uniform
from .gamma import Dirichlet, beta, dirichlet, gamma
from .published import (
    Noise,
    largest_remainder,
    nearest_multiple,
    published_number,
    published_vector,
)

__all__ = [
    "LEAST_ALPHA",
    "Bits",
    "Counted",
    "Dirichlet",
    "Draw",
    "Noise",
    "beta",
    "dirichlet",
    "exponential",
    "gamma",
    "gaussian",
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
