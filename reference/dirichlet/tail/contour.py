"""delta by Laplace inversion: the trapezoid rule on a line for larger k, a bent path for small k.

Both are proved in tail-contour.md; which one is taken is a matter of speed alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from flint import arb, ctx

from .event import Miss
from .line import Line, planned_line, probability_on_line
from .wedge import Wedge, planned_wedge, probability_on_wedge


def seconds_expected(miss: Miss) -> float:
    """Estimate the time at the working precision; inf where the route does not go."""
    return min(_seconds(miss))


def probability(miss: Miss) -> arb:
    """Enclose P(some protected coordinate is below gamma), 0 < gamma, w gamma < 1; NaN if hopeless.

    The parameters have to be between 1e-9 and 1e9, their sum included.
    """
    on_line, on_wedge = _seconds(miss)
    if math.isinf(min(on_line, on_wedge)):
        return arb("nan")
    return probability_on_line(miss) if on_line <= on_wedge else probability_on_wedge(miss)


def _seconds(miss: Miss) -> tuple[float, float]:
    """Estimate the time on the line and on the wedge."""
    return _seconds_of(planned_line, miss), _seconds_of(planned_wedge, miss)


def _seconds_of(planner: Callable[[Miss, int], Line | Wedge | None], miss: Miss) -> float:
    try:
        plan = planner(miss, ctx.prec)
    except (ArithmeticError, ValueError):  # doubles that overflow on the way
        return math.inf
    return plan.seconds if plan else math.inf
