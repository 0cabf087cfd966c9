"""Where the line crosses the axis, how far apart its nodes are, and how many they are.

A matter of speed alone, see ``convex``. The step is the longest at which the aliases on both sides
are negligible: the bound e^(f(c'))-(2 pi/h)|c - c'|) on them is negligible on the left from some
c' < c and on the right from some c' > c, so (c, log of what is negligible) lies on two tangents of
the convex f with slopes -2 pi/h and 2 pi/h.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, ctx

from ...arb.balls import working_precision
from .convex import (
    Strip,
    curvature_at_saddle,
    least_point,
    middle_strip,
    planning_bits,
    right_strip,
    saddle,
)
from .moments import LossMoments, Releases

# Above so many nodes (a minute of one kind of release) a line is hopeless.
_MOST_NODES = 2_000_000
# Nor is a line of use that needs such a precision (32 kilobytes a number).
MOST_BITS = 1 << 18
# Nats by which the estimate of delta, and what is negligible beside it, may be off.
_SPARE_NATS = 4
_MOST_ROUNDS = 12
_SPARE_BITS = 24
_LOG_OF_TWO = 0.6931471805599453


@dataclass(frozen=True)
class Line:
    """Nodes crossing + i j height/nodes, |j| <= nodes, at so many bits.

    The aliases are bounded through f at ``left`` and ``right``. All numbers are exact.
    """

    crossing: arb
    left: arb
    right: arb
    height: arb
    nodes: int
    bits: int


@dataclass(frozen=True)
class Aim:
    """What a line is planned for: f, the precision it is known at, log of what is negligible."""

    moments: LossMoments
    negligible: arb


def planned_line(releases: Releases, epsilon: Fraction) -> Line | None:
    """Return the line with the fewest nodes, on the right of 0 or between -1 and 0.

    None where all have too many, or f is not to be told.
    """
    with planned_for(releases, epsilon) as aim:
        lines = [_line(aim, right_strip(releases))]
        if aim.moments.slope(arb(0)) > 0:  # the mean loss is above epsilon, and delta not small
            lines.append(_line(aim, middle_strip()))
    found = [line for line in lines if line and line.nodes <= _MOST_NODES]
    return min(found, key=lambda line: line.nodes, default=None)


@contextmanager
def planned_for(releases: Releases, epsilon: Fraction) -> Iterator[Aim]:
    """Work at the planner's precision, and say what is negligible beside delta outside of it."""
    wanted = ctx.prec
    with working_precision(planning_bits(releases, epsilon)):
        moments = LossMoments(releases, epsilon)
        estimate = _log_estimate(moments, right_strip(releases))
        yield Aim(moments, (estimate - _SPARE_NATS - wanted * _LOG_OF_TWO).mid())


def _log_estimate(moments: LossMoments, strip: Strip) -> arb:
    """Estimate log delta from the integrand's saddle in the strip on the right of 0."""
    point = saddle(moments, strip)
    density = (point * (1 + point)).log()
    width = (2 * arb.pi() * curvature_at_saddle(moments, point)).log() / 2
    return (moments.logarithm(point) - density - width).mid().min(arb(0))


def _line(aim: Aim, strip: Strip) -> Line | None:
    rate, left, right = _tangents(aim, strip)
    from_left = left + (aim.moments.logarithm(left) - aim.negligible) / rate
    from_right = right - (aim.moments.logarithm(right) - aim.negligible) / rate
    crossing = ((from_left + from_right) / 2).mid()
    if not (left < crossing < right and rate > 0):
        return None
    step = 2 * arb.pi() / rate
    nodes = _nodes_needed(aim, crossing, step)
    height = (step * nodes).mid()
    bits = bits_needed(aim, acb(crossing), acb(crossing, height))
    return Line(crossing, left, right, height, nodes, bits) if bits <= MOST_BITS else None


def _tangents(aim: Aim, strip: Strip) -> tuple[arb, arb, arb]:
    """Return 2 pi/h, and where f has the slopes -2 pi/h and 2 pi/h (or the strip's end).

    By Newton's method for the zero in the rate of the concave and falling function
    min (f + rate c) + min (f - rate c) - 2 negligible: from the first step on from above.
    """
    f = aim.moments.logarithm
    lowest = least_point(aim.moments, strip, arb(0))
    drop = f(lowest) - aim.negligible
    rate = (2 * drop * aim.moments.curvature(lowest)).sqrt().max(drop / (strip.high - strip.low))
    left = right = lowest
    for _ in range(_MOST_ROUNDS):
        rate = rate.mid()
        left = least_point(aim.moments, strip, -rate)
        right = least_point(aim.moments, strip, rate)
        excess = f(left) + f(right) - rate * (right - left) - 2 * aim.negligible
        if not abs(excess) > 1:
            break
        rate += excess / (right - left)
    return rate, left, right


def _nodes_needed(aim: Aim, crossing: arb, step: arb) -> int:
    """Return about the least number of nodes a side, or more than are worth it."""
    low, high = 0, 1
    while high <= _MOST_NODES and not _is_enough(aim, crossing, step * high):
        low, high = high, 2 * high
    while 1 + high // 32 < high - low and high <= _MOST_NODES:
        middle = (low + high) // 2
        low, high = (low, middle) if _is_enough(aim, crossing, step * middle) else (middle, high)
    return high


def _is_enough(aim: Aim, crossing: arb, height: arb) -> bool:
    """Whether what lies beyond the height is negligible: e^Re f/(pi height)."""
    beyond = aim.moments.logarithm(acb(crossing, height)).real - (arb.pi() * height).log()
    return bool(beyond < aim.negligible)


def bits_needed(aim: Aim, *ends: acb) -> int:
    """Return a precision at which the integrand has a negligible error between the ends.

    The radius of f at the ends shows how many bits its logarithms take; the first one is the
    crossing, where the integrand is largest.
    """
    values = [aim.moments.logarithm(end) for end in ends]
    lost = max(ctx.prec + _log2(part.rad()) for f in values for part in (f.real, f.imag))
    size = (values[0].real - aim.negligible) / arb.const_log2()
    return max(lost, 0) + _whole(size) + _SPARE_BITS


def _log2(radius: arb) -> int:
    """Return about the logarithm of a radius, at least that of the working precision."""
    if not 0 < radius < arb("inf"):
        return -ctx.prec
    mantissa, exponent = radius.mid().man_exp()
    return max(int(mantissa).bit_length() + int(exponent), -ctx.prec)


def _whole(value: arb) -> int:
    return int(value.mid().ceil().unique_fmpz() or 0)
