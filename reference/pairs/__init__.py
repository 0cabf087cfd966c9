"""Privacy-loss pairs that compose: moment functions multiply, and one contour gives delta."""

from .line import Composed, Line, chernoff, planned, saddle_about
from .pair import Pair, Reals

__all__ = ["Composed", "Line", "Pair", "Reals", "chernoff", "planned", "saddle_about"]
