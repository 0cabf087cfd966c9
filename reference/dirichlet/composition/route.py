"""Which way to delta: the closed form of one release, a bound, a line or an integral.

Every way encloses the same number, so a wrong guess of the cost wastes time and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from flint import arb, ctx

from ...arb.balls import ball, narrower, working_precision
from ...quantity import Routed
from .. import profile
from .convex import least_point, middle_strip, planning_bits, right_strip
from .integral import Paths, delta_on_path, planned_path
from .line import delta_on_line
from .moments import LossMoments, Releases
from .plan import planned_line

_Way: TypeAlias = tuple[str, Callable[[], arb | None]]
# Up to so many nodes a line is shorter than the integral, which takes thousands of evaluations.
_FEW_NODES = 1_000
# Nobody reads the digits of a smaller delta than with so many zeros: that it is one is enough.
_MOST_BINARY_PLACES = 1 << 40
# A bound is as good as an answer if it is off by no more than the last few bits.
_ROUNDING_BITS = 8


def routed(releases: Releases, epsilon: Fraction, paths: Paths | None = None) -> Routed:
    """Enclose delta at any epsilon >= 0, and say by which way.

    A way whose enclosure keeps less than half of the working precision is followed by the next;
    enclosures of one number may be intersected. ``paths`` keeps a path for epsilons near by.
    """
    if releases.single:
        return Routed(profile.delta(*releases.single, epsilon), "closed form")
    found, taken = _next_to_one(releases, epsilon), "Chernoff's bounds"
    if found.rel_accuracy_bits() >= ctx.prec - _ROUNDING_BITS:
        return Routed(found, taken)
    least = _next_to_zero(releases, epsilon)
    if least < arb(2) ** -_MOST_BINARY_PLACES:
        return Routed(least, taken)
    for name, enclosed in _ways(releases, epsilon, paths):
        shown = enclosed()
        if shown is None:
            continue
        found, taken = narrower(found, shown), name
        if 2 * found.rel_accuracy_bits() >= ctx.prec:
            return Routed(found, taken)
    return Routed(narrower(found, least), taken)


def delta_of(releases: Releases, epsilon: Fraction, paths: Paths | None = None) -> arb:
    """Enclose delta as a ball."""
    value = routed(releases, epsilon, paths).value
    return ball(value) if isinstance(value, Fraction) else value


def _ways(releases: Releases, epsilon: Fraction, paths: Paths | None) -> Iterator[_Way]:
    """Yield the ways that are worth a try: a short line, the integral, a long line."""
    line = planned_line(releases, epsilon)
    long: list[_Way] = []
    if line:
        side = "right of 0" if line.crossing > 0 else "between -1 and 0"
        way = f"trapezoid rule {side}", lambda: delta_on_line(releases, epsilon, line)
        if line.nodes <= _FEW_NODES:
            yield way
        else:
            long.append(way)
    yield "integral", lambda: _by_integral(releases, epsilon, paths)
    yield from long


def _by_integral(releases: Releases, epsilon: Fraction, paths: Paths | None) -> arb | None:
    """Enclose delta by a path of its own, or one that is at hand; None where there is none."""
    if paths is not None:
        return paths.delta(releases, epsilon)
    path = planned_path(releases, epsilon)
    return None if path is None else delta_on_path(releases, epsilon, path)


def _next_to_one(releases: Releases, epsilon: Fraction) -> arb:
    """Enclose delta by 1 - e^f(c) <= delta <= 1 at about the best c between -1 and 0."""
    with working_precision(planning_bits(releases, epsilon)):
        moments = LossMoments(releases, epsilon)
        point = least_point(moments, middle_strip(), arb(0))
        rest = moments.logarithm(point).exp()
    return (1 - rest).union(arb(1)) if rest < 1 else arb(0).union(arb(1))


def _next_to_zero(releases: Releases, epsilon: Fraction) -> arb:
    """Enclose delta by 0 <= delta <= e^f(c) at about the best c."""
    with working_precision(planning_bits(releases, epsilon)):
        moments = LossMoments(releases, epsilon)
        point = least_point(moments, right_strip(releases), arb(0))
        return arb(0).union(moments.logarithm(point).exp())
