"""A bound on the integrand off the negative axis: over boxes, and beyond the end of a bent path."""

from __future__ import annotations

from flint import acb, arb

from ...arb.balls import INFINITY, ball
from .event import Miss
from .laplace import UpperBounds


class Majorant:
    """A bound on |F(s)| / (e^sigma sigma^-k) everywhere off the negative axis."""

    def __init__(self, miss: Miss, crossing: float) -> None:
        """Work out what does not depend on s, at the working precision."""
        self.gamma, self.total, self.crossing = ball(miss.gamma), ball(miss.total), arb(crossing)
        self.left = ball(1 - miss.count * miss.gamma)
        self.upper = UpperBounds(miss)

    def at(self, size: arb, real: arb, height: arb) -> arb:
        """Bound by 1 + prod |Q|, |s| = size, Re s = real, |Im s| >= height."""
        common = -self.crossing - self.total * (size / self.crossing).log()
        distance = size if real > 0 else height
        product = self.upper.log_product(self.gamma * size, self.gamma * distance)
        return (common + real).exp() + (common + self.left * real + product).exp()

    def over(self, box: acb) -> arb:
        """Bound |F| over a box."""
        low, high = box.abs_lower(), box.abs_upper()
        return self.at(low.union(high), box.real, box.imag.abs_lower())

    def cut_off(self, length: float) -> arb:
        """Bound the integral of |F| from r = length >= sigma to infinity.

        There |s| and |Im s| increase with r and Re s falls, so what the bound has at the end of
        the path falls at least like e^(-(1 - w gamma)(r - length)).
        """
        r, sigma = arb(length), self.crossing
        if not (r >= sigma and self.left > 0):
            return INFINITY
        size = ((sigma - r) ** 2 + r**2).sqrt()
        return arb(2).sqrt() * self.at(size, sigma - r, r) / self.left
