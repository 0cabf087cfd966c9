"""Second opinions on independent releases together, by Laplace's inversion on a hyperbola."""

from .moments import Losses
from .quantities import composed_delta

__all__ = ["Losses", "composed_delta"]
