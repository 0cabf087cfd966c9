"""Where to put Gaussian nodes for one layer of the cubature, and a bound on what they miss.

A layer is the integral over u in [0, 1] of u^(a-1) (1 - z u)^(b-1) S(z/(1 - z u)), S being the
probability that the m coordinates before it survive. The bound on a Bernstein ellipse is proved in
proofs_notes/tail-cubature.md; which panels, ellipses and counts are used is decided in layout.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import arb

from ...arb.balls import ball, working_precision
from ...arb.gauss import error_factor
from .walk import Walk

# Bounds need their order of magnitude, not their digits.
BITS_OF_BOUNDS = 53


@dataclass(frozen=True)
class Panel:
    """Part [low, high] of [0, 1], both dyadic; without nodes the integral is only bounded."""

    low: float
    high: float
    ellipse: float = 1.0
    count: int = 0

    def halves(self) -> tuple[Panel, Panel]:
        """Return the two halves, without nodes."""
        middle = (self.low + self.high) / 2
        return Panel(self.low, middle), Panel(middle, self.high)

    def axes(self) -> tuple[arb, arb]:
        """Enclose the semi-axes of the Bernstein ellipse about the panel."""
        half, rho = (arb(self.high) - self.low) / 2, arb(self.ellipse)
        return half * (rho + 1 / rho) / 2, half * (rho - 1 / rho) / 2


@dataclass(frozen=True)
class Layer:
    """The exponents a and b, the number m of coordinates that survive, and the level z."""

    alpha: Fraction
    others: Fraction
    earlier: int
    level: arb

    @classmethod
    def of(cls, walk: Walk, level: arb) -> Layer:
        """Return the layer of the walk's last coordinate."""
        return cls(walk.last, walk.others, len(walk.alphas) - 1, level)

    def error(self, panel: Panel) -> arb:
        """Bound the error of the panel's rule, or, without nodes, the integral; NaN if unknown."""
        with working_precision(BITS_OF_BOUNDS):
            bound = self.largest(panel)
            if not panel.count:
                return bound
            if not panel.ellipse > 1:  # it would not go around the panel
                return arb("nan")
            return bound * error_factor(arb(panel.ellipse), panel.count)

    def largest(self, panel: Panel) -> arb:
        """Bound |f| on the panel's ellipse, times the integral of the weight, f being the rest.

        The weight is u^(a-1) on a panel that begins at 0, and 1 on any other.
        """
        if panel.low:
            mass = arb(panel.high) - panel.low
        else:
            mass = arb(panel.high) ** ball(self.alpha) / ball(self.alpha)
        return mass * self._logarithm(panel).exp()

    def _logarithm(self, panel: Panel) -> arb:
        z, (along, up) = self.level, panel.axes()
        centre = (arb(panel.low) + panel.high) / 2
        left, right = centre - along, centre + along
        nearest = 1 - z * right - self.earlier * z
        if not nearest > 0 or (panel.low and not left > 0):
            return arb("nan")
        bound = self.earlier * arb.const_log2() + _growth(self.others, z * up / nearest)
        if panel.low:
            return bound + _growth(self.alpha, up / left) + self._on_axis(left, right)
        smallest = left if self.others >= 1 else right
        return bound + ball(self.others - 1) * (1 - z * smallest).log()

    def _on_axis(self, left: arb, right: arb) -> arb:
        """Bound log u^(a-1) (1 - z u)^(b-1) on [left, right]; concave in u where a, b >= 1."""
        first = right if self.alpha >= 1 else left
        second = left if self.others >= 1 else right
        if self.alpha > 1 and self.others >= 1:
            peak = ball((self.alpha - 1) / (self.alpha + self.others - 2)) / self.level
            if peak <= left:
                peak = left
            elif peak >= right:
                peak = right
            first = second = peak
        return (
            ball(self.alpha - 1) * first.log()
            + ball(self.others - 1) * (1 - self.level * second).log()
        )


def _growth(exponent: Fraction, ratio: arb) -> arb:
    """Enclose log of (1 + ratio^2)^((exponent-1)/2), or 0 where the exponent is below 1."""
    return ball(max(exponent - 1, Fraction(0))) / 2 * (1 + ratio**2).log()
