"""delta of a composition by the trapezoid rule on a vertical line, aliases and tail bounded.

On Re z = c > 0 the rule gives delta and its aliases, on -1 < c < 0 what delta lacks of 1; all are
positive, so the rule overestimates. The proofs are in proofs_notes/composition.md.
"""

from __future__ import annotations

from fractions import Fraction

from flint import acb, arb, ctx

from ...arb.balls import working_precision
from .moments import LossMoments, Releases
from .plan import Line


def delta_on_line(releases: Releases, epsilon: Fraction, line: Line) -> arb:
    """Enclose delta by any line; NaN where a bound does not apply."""
    with working_precision(max(line.bits, ctx.prec)):
        moments = LossMoments(releases, epsilon)
        part = _rule(moments, line) + beyond(moments, line.crossing, line.height)
        part -= aliases(moments, line).union(arb(0))
        return part if line.crossing > 0 else 1 - part


def _rule(moments: LossMoments, line: Line) -> arb:
    """Enclose the sum over the nodes that are taken, of the sign of delta's part."""
    c, step = line.crossing, line.height / line.nodes
    total = integrand(moments, acb(c)).real
    for j in range(1, line.nodes + 1):
        total += 2 * integrand(moments, acb(c, j * step)).real
    return c.sgn() * total * step / (2 * arb.pi())


def integrand(moments: LossMoments, point: acb) -> acb:
    """Enclose e^f(z)/(z (z + 1))."""
    return over_poles(moments.logarithm(point), point)


def over_poles(logarithm: acb, point: acb) -> acb:
    """Enclose the same where f is enclosed."""
    return logarithm.exp() / (point * (point + 1))


def beyond(moments: LossMoments, crossing: arb, height: arb) -> arb:
    """Enclose by [-b, b], b = e^Re f/(pi height), all that lies beyond the height, both sides.

    That holds for the sum over nodes whose last is at the height, and for the integral.
    """
    bound = moments.logarithm(acb(crossing, height)).real.exp() / (arb.pi() * height)
    return bound.union(-bound) if height > 0 else arb("nan")


def aliases(moments: LossMoments, line: Line) -> arb:
    """Bound the sum of all aliases by a geometric series on each side, through f at two points."""
    c, rate = line.crossing, 2 * arb.pi() * line.nodes / line.height
    low, high = (arb(0), arb("inf")) if c > 0 else (arb(-1), arb(0))
    if not (low <= line.left < c < line.right <= high):
        return arb("nan")
    total = arb(0)
    for point in (line.left, line.right):
        ratio = (-rate * abs(c - point)).exp()
        total += moments.logarithm(point).exp() * ratio / (1 - ratio)
    return total
