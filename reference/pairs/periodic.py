"""delta of composed pairs whose losses lie on one lattice, by a trapezoid rule on one period.

M e^(-z x) has the period 2 pi/span along a vertical line for x on the lattice, so that no node is
left out: the rule gives delta and its aliases, all positive (proofs_notes/pairs.md).
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from flint import acb, arb

from ..arb.balls import ball, working_precision
from ..precision import check_budget
from .line import Composed, Sides, sides_about
from .pair import NoPlanError

# A rule with more nodes takes half a minute.
_MOST_NODES = 200_000
# Of a size that is looked at.
_LOOK_BITS = 64


class OnLattice(Protocol):
    """Where all losses together lie: at the offset, and at spans from it."""

    @property
    def offset(self) -> Fraction:
        """A loss."""

    @property
    def falls(self) -> bool:
        """Whether each |M| falls along a line up to half a period of all together."""

    def span(self) -> arb:
        """Enclose how far neighbouring losses are apart."""

    def place(self, epsilon: Fraction) -> int | None:
        """Return how many spans from the offset the largest loss is that does not exceed epsilon.

        None where that is not to be told at the working precision.
        """


class Period:
    """A planned rule with its moments, ready for any epsilon; it keeps its own precision."""

    def __init__(
        self, pairs: Composed, lattice: OnLattice, sides: Sides, epsilon: float = 0.0
    ) -> None:
        self._pairs, self._lattice, self._sides = pairs, lattice, sides
        span = float(lattice.span().mid())
        product = float(sides.step.mid()) * span
        # A lattice of many different scales may be finer than any double is.
        if not (span and product and math.isfinite(math.pi / product)):
            raise NoPlanError
        # Odd, so that but for the first the nodes are conjugate in pairs.
        self._half = math.ceil(math.pi / product)
        nodes = self._nodes_needed(epsilon, span) if lattice.falls else self._half
        if not nodes < _MOST_NODES:
            raise NoPlanError
        with working_precision(sides.bits):
            self._span = lattice.span()
            self._step = 2 * arb.pi() / (self._span * self._count)
            self._values = pairs.moments(sides.crossing, self._step, nodes, sides.bits)
            points = (sides.left, sides.right)
            self._bounds = [(at, self._log_moment_bound(at)) for at in points]

    def _nodes_needed(self, epsilon: float, span: float) -> int:
        """Return about how many nodes of a half matter; a matter of width and speed alone."""
        sides = self._sides
        crossing = float(sides.crossing.mid())
        least = sides.log_size + crossing * epsilon + math.log(-math.expm1(-crossing * span))
        step = 2 * math.pi / span / self._count

        def matters(node: int) -> bool:
            values = self._pairs.moments(sides.crossing, arb(step * node), 1, _LOOK_BITS)
            size = abs(values[1])
            return not bool(size.log() < least)

        low, high = 0, self._half
        while high - low > 1 + high // 64:
            middle = (low + high) // 2
            low, high = (middle, high) if matters(middle) else (low, middle)
        return high

    @property
    def _count(self) -> int:
        return 2 * self._half + 1

    def delta(self, epsilon: Fraction) -> arb:
        """Enclose delta at any rational epsilon; NaN where a bound does not apply."""
        check_budget()
        sides = self._sides
        with working_precision(sides.bits):
            over = ball(epsilon)
            place = self._lattice.place(epsilon)
            if place is None:
                return arb("nan")
            first = ball(self._lattice.offset) + (place + 1) * self._span
            total = arb(0)
            for j, value in enumerate(self._values):
                z = acb(sides.crossing, self._step * j)
                total += (2 if j else 1) * (value * self._summed(z, first, over)).real
            rest = self._rest(first, over)
            return total / self._count + rest - self._aliases(over).union(arb(0))

    def _summed(self, z: acb, first: arb, epsilon: arb) -> acb:
        """Enclose the sum of e^(-zx) (1 - e^(epsilon - x)) over the losses x from the first on."""
        own = (-z * first).exp()
        near = 1 / (1 - (-z * self._span).exp())
        return own * (near - (epsilon - first).exp() / (1 - (-(z + 1) * self._span).exp()))

    def _rest(self, first: arb, epsilon: arb) -> arb:
        """Bound the nodes that were left out, where |M| falls: each is at most the last one's size.

        Next to M stands at most its other factor's value on the axis.
        """
        if len(self._values) > self._half:
            return arb(0)
        size = abs(self._values[-1]) * abs(self._summed(acb(self._sides.crossing), first, epsilon))
        return size.union(-size)

    def _log_moment_bound(self, at: arb) -> arb:
        return arb(0) if at.is_zero() else self._pairs.log_bound(at, arb(0))

    def _aliases(self, epsilon: arb) -> arb:
        """Bound the sum of all aliases by a geometric series on each side."""
        sides, rate = self._sides, self._span * self._count
        if not (0 <= sides.left < sides.crossing < sides.right):
            return arb("nan")
        total = arb(0)
        for at, moment in self._bounds:
            ratio = (-rate * abs(sides.crossing - at)).exp()
            total += (moment - at * epsilon).exp() * ratio / (1 - ratio)
        return total


# A rule has its own precision: on the ladder's next rung it may be the same.
@lru_cache(maxsize=4)
def period_for(pairs: Composed, lattice: OnLattice, epsilon: float, nats: float) -> Period | None:
    """Return a rule that is planned for an epsilon; None where it would be too long."""
    try:
        sides = sides_about(pairs, epsilon, nats)
        return Period(pairs, lattice, sides, epsilon) if sides else None
    except NoPlanError:
        return None
