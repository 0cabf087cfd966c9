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

from ..arb.balls import INFINITY, ball, working_precision
from ..arb.roots import positive_near, positive_root
from .line import Composed, Line, chernoff, planned
from .pair import NoPlanError, Reals

# A line is planned for so many bits fewer than the working precision has, and so many at least.
_SPARE_BITS, _LEAST_BITS = 40, 24
# A first look at the order that is hardly ever the worse one.
COARSE_NATS = 9.0
# A shorter line that still tells something.
_FEWER_NATS = (36.0, 18.0, 8.0)
# A line with more nodes takes a minute.
_MOST_NODES = 200_000
# A line with so many nodes is held against those of parts, which have to be so much shorter.
_LONG, _SHORTER = 4_000, 1.5
_MOST_CROSSINGS = 12
_BOUND_BITS = 128
_LOG_OF_TWO = math.log(2)
# Where a bound without a line is sought: on grids of so many points, each about the best.
_CROSSINGS, _LOOKED_AT, _FINER = (1e-6, 1e6), 100, 5
# Coarse lines that correct an estimate: how many, how near in nats, how far about, how closely.
_MOST_LOOKS, _NEARLY, _FARTHER, _HALVINGS = 3, 2.0, 64.0, 10
# Secants on a line: how far the first one's points are apart, how closely they end, how many.
_APART, _CLOSE, _MOST_SECANTS = 1 / 64, 1e-4, 8
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
    """Return a line for so many nats; None where it would be too long.

    Where a part of the composition has a much shorter line, that.
    """
    try:
        plan = planned(pairs, epsilon, nats, _MOST_NODES)
        if plan is None or plan.nodes > _LONG:
            most = plan.nodes / _SHORTER if plan else math.inf
            for part in pairs.parted(epsilon, nats):
                other = planned(part, epsilon, nats, _MOST_NODES)
                if other and other.nodes * part.cost < most:
                    pairs, plan, most = part, other, other.nodes * part.cost
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


def epsilon_of_order(pairs: Composed, delta: Fraction, nats: float, otherwise: float = 0.0) -> arb:
    """Enclose the least epsilon of one order; ``otherwise`` it is looked for about there."""
    # An estimate that is off costs a coarse line, and not a long one.
    few, about, coarse = min(COARSE_NATS, nats), otherwise, None
    for estimate in pairs.epsilons_about(float(ball(delta).log())):
        guess = estimate if math.isfinite(estimate) else otherwise
        line = line_for(pairs, guess, few) if guess > 0 else None
        if line is not None or coarse is None:
            about, coarse = guess, line
        if line is not None and _is_near(line, about, delta):
            break
    else:
        if coarse is not None:
            about = _seen_on_lines(pairs, delta, about)
            coarse = line_for(pairs, about, few)
    if coarse is not None:
        about = _closer(coarse, about, delta)
    line = line_for(pairs, about, nats)
    found = INFINITY
    if line is not None:
        found = falling_root(
            line.delta, delta, about, lambda: delta_on_line(pairs, Fraction(0), nats)
        )
    return found if found.is_finite() else arb(0).union(epsilon_above(pairs, delta))


def _is_near(line: Line, about: float, delta: Fraction) -> bool:
    """Whether an epsilon has about a delta, as a line shows it: a line for it serves the root."""
    here = line.delta(Fraction(about))
    return here > 0 and abs(float((here / ball(delta)).log().mid())) < _NEARLY


def _closer(line: Line, about: float, delta: Fraction) -> float:
    """Return about the epsilon of a delta as one line shows it, by secants of log delta.

    A line for fewer nats tells it well enough for a root to be looked for beside it at once.
    """

    def excess(point: float) -> float:
        found = line.delta(Fraction(point)).mid()
        return float((found / ball(delta)).log().mid()) if found > 0 else math.nan

    here, value, there = about, excess(about), about * (1 - _APART)
    for _ in range(_MOST_SECANTS):
        other = excess(there)
        slope = (other - value) / (there - here)
        moved = there - other / slope if slope < 0 else math.nan
        if not about / 2 < moved < 2 * about:
            return about
        here, value, there = there, other, moved
        if abs(there - here) < _CLOSE * there:
            return there
    return there


def _seen_on_lines(pairs: Composed, delta: Fraction, about: float) -> float:
    """Return about the epsilon of a delta as coarse lines show it, where an estimate was far off.

    A matter of width alone.
    """
    for _ in range(_MOST_LOOKS):
        line = line_for(pairs, about, COARSE_NATS)
        if line is None or _is_near(line, about, delta):
            break
        low, high = about / _FARTHER, about * _FARTHER
        for _ in range(_HALVINGS):
            about = math.sqrt(low * high)
            above = line.delta(Fraction(about)).mid() > ball(delta)
            low, high = (about, high) if above else (low, about)
    return about


def falling_root(
    delta_at: Callable[[Fraction], arb],
    delta: Fraction,
    about: float,
    at_zero: Callable[[], arb | None] | None = None,
) -> arb:
    """Enclose the root of a falling delta; 0 where it is below the target at 0.

    A point whose delta is certainly above the target shows that delta at 0 is. Only where none is
    seen is it asked by ``at_zero``.
    """
    target = ball(delta)
    if delta_at(Fraction(0)) < target:
        return arb(0)
    start = positive_near(arb(about))
    found = positive_root(lambda point: target - delta_at(point), start, near=_NEAR)
    if not found.is_finite() and at_zero is not None:
        largest = at_zero()
        if largest is not None and largest < target:
            return arb(0)
    return found


def epsilon_above(pairs: Composed, delta: Fraction) -> arb:
    """Enclose a number above epsilon by Chernoff's bound (log M(c) - log delta)/c."""
    target = float(ball(delta).log())
    crossing = best_crossing(lambda points: (_log_bounds_about(pairs, points) - target) / points)
    try:
        bound = (chernoff(pairs, Fraction(0), crossing) - ball(delta).log()) / crossing
    except NoPlanError:
        return INFINITY
    return bound.max(arb(0)) if bound.is_finite() else INFINITY
