"""delta and epsilon of composed pairs in one order, on planned lines; bounds where all are long.

A matter of plans: each way encloses the same number, so a wrong guess of the cost wastes time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from flint import arb, ctx

from ..arb.balls import INFINITY, ball, sign, working_precision
from ..arb.roots import positive_near, positive_root
from ..enclosure import Trilean
from .line import Composed, Line, chernoff, planned, saddle_about
from .pair import NoPlanError, Reals

# A line is planned for so many bits fewer than the working precision has, and so many at least.
_SPARE_BITS, _LEAST_BITS = 40, 24
# A first look at the order that is hardly ever the worse one.
COARSE_NATS = 9.0
# A shorter line that still tells something.
_FEWER_NATS = (36.0, 18.0, 8.0)
# A line with more nodes takes a minute.
_MOST_NODES = 200_000
_MOST_CROSSINGS = 12
_BOUND_BITS = 128
_LOG_OF_TWO = math.log(2)
# Where a bound without a line is sought: on grids of so many points, each about the best.
_CROSSINGS, _LOOKED_AT, _FINER = (1e-6, 1e6), 100, 5
# Steps of Newton's method in plans, and the nats at which it ends.
_MOST_NEWTON, _CLOSE = 40, 0.05
# Coarse lines that correct an estimate: how many, how near in nats, how far about, how closely.
_MOST_LOOKS, _NEARLY, _FARTHER, _HALVINGS = 3, 2.0, 64.0, 16
# A root is looked for within this part of the estimate first.
_NEAR = Fraction(1, 1 << 12)


def wanted_nats() -> float:
    """Return for how many nats of delta a line is planned at the working precision."""
    return max(ctx.prec - _SPARE_BITS, _LEAST_BITS) * _LOG_OF_TWO


def delta_on_line(pairs: Composed, epsilon: Fraction, nats: float) -> arb | None:
    """Enclose delta of one order on a line for so many nats, or fewer; None where all are long."""
    line = line_for(pairs, float(epsilon), nats)
    found = line.delta(epsilon) if line else None
    return found if found is not None and found.is_finite() else None


def is_less(pairs: Composed, point: Fraction, delta: Fraction, nats: float = COARSE_NATS) -> bool:
    """Whether the delta of one order is certainly below the target at a point."""
    found = delta_on_line(pairs, point, nats)
    return found is not None and bool(found < ball(delta))


def line_for(pairs: Composed, epsilon: float, nats: float) -> Line | None:
    """Return a line that is planned for an epsilon, for fewer nats where one would be too long.

    None where every one is too long.
    """
    for asked in (nats, *(fewer for fewer in _FEWER_NATS if fewer < nats)):
        line = _planned_line(pairs, epsilon, asked)
        if line:
            return line
    return None


# A line has its own precision: on the ladder's next rung it may be the same.
@lru_cache(maxsize=4)
def _planned_line(pairs: Composed, epsilon: float, nats: float) -> Line | None:
    """Return a line for so many nats; None where it would be too long."""
    try:
        plan = planned(pairs, epsilon, nats, _MOST_NODES)
        return Line(pairs, plan) if plan else None
    except NoPlanError:
        return None


def bounded_above(pairs: Composed, epsilon: Fraction) -> arb:
    """Bound delta of one order by about the best of Chernoff's bounds, and 1."""
    about = float(epsilon)
    crossing = best_crossing(lambda points: _log_bounds_about(pairs, points) - points * about)
    with working_precision(_BOUND_BITS):
        for _ in range(_MOST_CROSSINGS):  # any is good, and a smaller one has a shorter rule
            try:
                bound = chernoff(pairs, epsilon, crossing).exp().abs_upper()
            except NoPlanError:
                bound = arb("nan")
            if bound < 1:
                return bound
            crossing /= 4
    return arb(1)


def _log_bounds_about(pairs: Composed, crossings: Reals) -> Reals:
    """Return about the logarithms of Chernoff's bounds on delta at 0."""
    rising = crossings * np.log(crossings) - (1 + crossings) * np.log1p(crossings)
    return pairs.log_moments_about(crossings) + rising


def best_crossing(bound: Callable[[Reals], Reals]) -> arb:
    """Return about the crossing at which a bound is least. A matter of width alone."""
    low, high = _CROSSINGS
    for _ in range(_FINER):
        points = np.geomspace(low, high, _LOOKED_AT)
        values = bound(points)
        best = int(np.argmin(np.where(np.isfinite(values), values, np.inf)))
        low, high = (float(points[min(max(best + to, 0), _LOOKED_AT - 1)]) for to in (-1, 1))
    return arb(float(points[best]))


def epsilon_about(pairs: Composed, log_delta: float) -> float:
    """Return about the epsilon of a delta, by Newton's method on the saddle's estimate."""
    epsilon = 1.0
    for _ in range(_MOST_NEWTON):
        saddle = saddle_about(pairs, epsilon)
        excess = saddle.log_delta - log_delta
        if not math.isfinite(excess):
            return math.nan
        moved = max(epsilon + excess / saddle.crossing, epsilon / 16)
        if abs(excess) < _CLOSE or moved == epsilon:
            break
        epsilon = moved
    return epsilon


def epsilon_of_order(pairs: Composed, delta: Fraction, nats: float, otherwise: float = 0.0) -> arb:
    """Enclose the least epsilon of one order; ``otherwise`` it is looked for about there."""
    about = _seen_on_lines(pairs, delta, epsilon_about(pairs, float(ball(delta).log())))
    about = about if math.isfinite(about) else otherwise
    line = line_for(pairs, about, nats)
    found = INFINITY
    if line is not None:
        found = falling_root(line.delta, delta, about, lambda: _at_zero(pairs, line, nats))
    return found if found.is_finite() else arb(0).union(_above(pairs, delta))


def _seen_on_lines(pairs: Composed, delta: Fraction, about: float) -> float:
    """Return about the epsilon of a delta as coarse lines show it, where an estimate was far off.

    A matter of width alone.
    """
    target = float(ball(delta).log())
    for _ in range(_MOST_LOOKS if math.isfinite(about) else 0):
        line = line_for(pairs, about, COARSE_NATS)
        if line is None:
            break
        here = line.delta(Fraction(about))
        if here > 0 and abs(float(here.log().mid()) - target) < _NEARLY:
            break
        low, high = about / _FARTHER, about * _FARTHER
        for _ in range(_HALVINGS):
            about = math.sqrt(low * high)
            above = line.delta(Fraction(about)).mid() > ball(delta)
            low, high = (about, high) if above else (low, about)
    return about


def _at_zero(pairs: Composed, line: Line, nats: float) -> arb:
    """Enclose delta at 0 by a line that is at hand, or one that is planned for it."""
    found = line.delta(Fraction(0))
    other = delta_on_line(pairs, Fraction(0), nats)
    return found if other is None else other


def falling_root(
    delta_at: Callable[[Fraction], arb],
    delta: Fraction,
    about: float,
    at_zero: Callable[[], arb] | None = None,
) -> arb:
    """Enclose the root of a falling delta; 0 where it is below the target at 0."""
    target = ball(delta)
    room = sign(delta_at(Fraction(0)) - target)
    if room is not Trilean.TRUE and at_zero is not None:
        room = sign(at_zero() - target)
    if room is Trilean.FALSE:
        return arb(0)
    if room is Trilean.UNKNOWN:
        return arb(0).union(INFINITY)
    start = positive_near(arb(about))
    return positive_root(lambda point: target - delta_at(point), start, near=_NEAR)


def _above(pairs: Composed, delta: Fraction) -> arb:
    """Enclose a number above epsilon by Chernoff's bound (log M(c) - log delta)/c."""
    target = float(ball(delta).log())
    crossing = best_crossing(lambda points: (_log_bounds_about(pairs, points) - target) / points)
    try:
        bound = (chernoff(pairs, Fraction(0), crossing) - ball(delta).log()) / crossing
    except NoPlanError:
        return INFINITY
    return bound.max(arb(0)) if bound.is_finite() else INFINITY
