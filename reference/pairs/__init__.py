"""Privacy-loss pairs that compose: moment functions multiply, and one contour gives delta."""

from .answers import (
    COARSE_NATS,
    bounded_above,
    delta_on_line,
    epsilon_above,
    epsilon_of_order,
    falling_root,
    is_less,
    line_for,
    wanted_nats,
)
from .line import Composed, Line, chernoff, epsilon_about, planned, saddle_about
from .pair import NoPlanError, Pair, Reals
from .periodic import OnLattice, period_for

__all__ = [
    "COARSE_NATS",
    "Composed",
    "Line",
    "NoPlanError",
    "OnLattice",
    "Pair",
    "Reals",
    "bounded_above",
    "chernoff",
    "delta_on_line",
    "epsilon_about",
    "epsilon_above",
    "epsilon_of_order",
    "falling_root",
    "is_less",
    "line_for",
    "period_for",
    "planned",
    "saddle_about",
    "wanted_nats",
]
