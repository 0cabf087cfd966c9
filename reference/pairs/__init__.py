"""Privacy-loss pairs that compose: moment functions multiply, and one contour gives delta."""

from .line import Composed, Line, chernoff, epsilon_about, planned, saddle_about
from .pair import Pair, Reals

__all__ = [
    "Composed",
    "Line",
    "Pair",
    "Reals",
    "chernoff",
    "epsilon_about",
    "planned",
    "saddle_about",
]
