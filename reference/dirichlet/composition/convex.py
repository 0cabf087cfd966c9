"""The convex function f = log M - z epsilon on the real axis, seen from a strip of abscissae.

A matter of speed alone: what is found here is where a line crosses the axis and at which points
the bounds on its error are taken. Any choice gives a true enclosure, a bad one a wide one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from flint import arb, ctx

from ...arb.balls import ball, working_precision
from .moments import LossMoments, Releases

# The planner needs orders of magnitude; f is known to this many bits after the point.
_BITS = 32
_MOST_BITS = 1 << 16
_MOST_STEPS = 100
# Where every third step halves the bracket, interpolation may fail without harm.
_HALVE_EVERY = 3
# Brackets wider than this factor are halved in log odds; one that ends at a pole, by so many bits.
_WIDE_RATIO, _FIRST_DROP = 16, 64
# Nats by which a minimum that is found may lie above the true one.
_NEGLIGIBLE = 0.05


@dataclass(frozen=True)
class Strip:
    """Abscissae low < Re z < high, both at a pole of the integrand; ``open`` if high is M's own.

    At the other poles, -1 and 0, f is finite and its bound on the integrals holds, too.
    """

    low: arb
    high: arb
    open: bool


def right_strip(releases: Releases) -> Strip:
    """Return the strip between 0 and the first pole of M, whose lines give delta."""
    return Strip(arb(0), ball(releases.limit).lower().mid(), open=True)


def middle_strip() -> Strip:
    """Return the strip between -1 and 0, whose lines give 1 - delta."""
    return Strip(arb(-1), arb(0), open=False)


def planning_bits(releases: Releases, epsilon: Fraction) -> int:
    """Return a precision at which f shows its order of magnitude half way to the pole."""
    bits = 64
    while bits < _MOST_BITS:
        with working_precision(bits):
            radius = LossMoments(releases, epsilon).logarithm(ball(releases.limit / 2)).rad()
            if radius < arb(2) ** -_BITS:
                break
        bits *= 2
    return bits


def zero_of_rising(
    function: Callable[[arb], arb], low: arb, high: arb, enough: Callable[[arb, arb], bool]
) -> arb:
    """Return about the zero of an increasing function on [low, high], or the end beyond it.

    ``enough(value, width)`` ends the search. What is not finite counts as +infinity, unless it
    is the value at ``low``, which then counts as -infinity.
    """
    at_low, at_high = function(low), function(high)
    if at_low.is_finite() and not at_low < 0:
        return low
    if at_high.is_finite() and not at_high > 0:
        return high
    ends, middle = (low, high), low
    for step in range(_MOST_STEPS):
        share = at_low / (at_low - at_high)
        if step % _HALVE_EVERY and 0 < share < 1:
            middle = (low + (high - low) * share).mid()
        else:
            middle = _half_way(low, high, ends)
        value = function(middle).mid()
        if not value.is_finite() or value > 0:
            high, at_high = middle, value
        else:
            low, at_low = middle, value
        if value.is_finite() and enough(value, high - low):
            break
    return middle


def _half_way(low: arb, high: arb, ends: tuple[arb, arb]) -> arb:
    """Return a point inside the bracket: half way, in log odds where it is wide.

    The odds of a point are its distances from the two ends, one over the other.
    """
    first, last = ends
    lower, upper = (low - first) / (last - low), (last - high) / (high - first)
    even = ((low + high) / 2).mid()
    if lower > 0 and upper > 0:
        if lower * upper * _WIDE_RATIO > 1:
            return even
        odds = (lower / upper).sqrt()
    elif lower > 0:
        odds = lower * arb(2) ** _FIRST_DROP
    else:
        odds = arb(2) ** -_FIRST_DROP / upper if upper > 0 else arb(1)
    point = (first + (last - first) * odds / (1 + odds)).mid()
    return point if low < point < high else even


def least_point(moments: LossMoments, strip: Strip, tilt: arb) -> arb:
    """Return about where f(c) - tilt c is least on the closed strip."""
    high = strip.high if not strip.open else inside(moments, strip)
    return zero_of_rising(
        lambda c: moments.slope(c) - tilt,
        strip.low,
        high,
        lambda value, width: bool(abs(value) * width < _NEGLIGIBLE),
    )


def inside(moments: LossMoments, strip: Strip) -> arb:
    """Return the point next to M's pole at which its slope can still be told."""
    gap = strip.high * arb(2) ** (8 - ctx.prec)
    for _ in range(ctx.prec):
        point = (strip.high - gap).mid()
        if moments.slope(point).rel_accuracy_bits() > 1:
            return point
        gap *= 2
    return strip.low


def saddle(moments: LossMoments, strip: Strip) -> arb:
    """Return about the least point of the integrand e^f/|z (z + 1)| on the open strip."""
    gap = (strip.high - strip.low) * arb(2) ** (8 - ctx.prec)
    high = inside(moments, strip) if strip.open else (strip.high - gap).mid()
    return zero_of_rising(
        lambda c: moments.slope(c) - 1 / c - 1 / (1 + c),
        (strip.low + gap).mid(),
        high,
        lambda value, width: bool(abs(value) * width < _NEGLIGIBLE),
    )


def curvature_at_saddle(moments: LossMoments, point: arb) -> arb:
    """Enclose the second derivative of the integrand's logarithm at a real point."""
    return (moments.curvature(point) + 1 / point**2 + 1 / (1 + point) ** 2).mid()
