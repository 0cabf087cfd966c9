"""The integrand whose Laplace inversion is the chance of missing a good set, or of meeting it.

For x ~ Dirichlet(a_1, ..., a_w, rest), k the sum of all parameters, and a contour from
e^(-i pi) infinity to e^(i pi) infinity around the origin,

    P(some x_i < gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k (1 - prod Q(a_i, gamma s)) ds,
    P(all x_i >= gamma) = Gamma(k)/(2 pi i) * integral of e^s s^-k prod Q(a_i, gamma s) ds.

On the positive axis either integrand has one minimum: s^-k F(s) is the Laplace transform of a
positive function, whose logarithm is convex. Rounded to nearest; not rigorous.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import gmpy2
from gmpy2 import mpc, mpfr

from .directed import OutOfReachError
from .draw import Draw
from .gamma_shares import Shares
from .nearest import number, working

_SEARCH_BITS = 64
# The saddle is found to this part of its width, in so many steps at most.
_SADDLE_WIDTH = 0.02
_MOST_PROBES = 80
_BISECTED_EVERY = 3


@dataclass(frozen=True)
class Threshold:
    """gamma, and 1 - w gamma, which need not be what rounding leaves of it."""

    gamma: Fraction | mpfr
    slack: Fraction | mpfr

    @classmethod
    def at(cls, gamma: Fraction, draw: Draw) -> Threshold:
        """Return the exact threshold, w gamma < 1."""
        return cls(gamma, 1 - draw.count * gamma)


class Integrand:
    """e^s s^-k (1 - prod Q), or e^s s^-k prod Q for the chance that all ``survive``."""

    def __init__(self, draw: Draw, threshold: Threshold, survive: bool) -> None:
        self.draw, self.threshold, self.survive = draw, threshold, survive
        self.size = float(draw.total)
        self.slack = float(threshold.slack)
        if self.slack <= 0:
            raise OutOfReachError
        # Without the factor e^(w z) the exponents e^s and e^(-w z) nearly cancel.
        cancelling = 0 if survive else -math.log2(self.slack)
        self.search_bits = _SEARCH_BITS + int(cancelling)

    @cached_property
    def bits_of_exponents(self) -> int:
        """How many bits the integrand's exponents have before the binary point, at the saddle."""
        with working(_SEARCH_BITS):
            below = abs(float(gmpy2.log2(number(self.threshold.gamma))))
        return int(math.log2(2 + self.size * (1 + below)))

    def values(self, point: mpc, saddle: mpfr, bits: int) -> tuple[mpc, mpc]:
        """Return the integrand over its exponential at the saddle, and that with z dF/dz for F.

        F is 1 - prod Q or prod Q; the sign of its derivative is left out.
        """
        found = self._shares(point, bits)
        way, rate = point - saddle, self.rate()
        weight = gmpy2.exp(rate * way - number(self.draw.total) * gmpy2.log(point / saddle))
        chance = found.upper if self.survive else found.lower
        return weight * chance, weight * found.density

    def rate(self) -> mpfr:
        """Return the exponent's factor of s: a scaled prod Q has e^(w gamma s) in it."""
        return number(self.threshold.slack) if self.survive else mpfr(1)

    def _shares(self, point: mpc, bits: int) -> Shares:
        return self.draw.shares(number(self.threshold.gamma) * point, bits, self.survive)

    def saddle(self, least: float) -> float:
        """Return the minimum on the positive axis, or ``least`` if that is further right.

        At the minimum sigma - k + z F'/F = 0, z = gamma sigma; 0 < z F'/F for F = 1 - prod Q, and
        -z F'/F < w z + sum of (1 - a_i)+ for F = prod Q.
        """
        low, high = least, self.size
        if self.survive:
            groups = self.draw.groups.items()
            spare = sum(count * max(0.0, 1 - float(alpha)) for alpha, count in groups)
            low = max(self.size, least / self.slack)
            high = (self.size + spare) / self.slack
        return self._where_it_turns(low, high) if low < high else low

    def _where_it_turns(self, low: float, high: float) -> float:
        """Return where the pull changes sign; regula falsi by the Illinois rule, and bisection."""
        left, right = self._pull(low), self._pull(high)
        if left >= 0:
            return low
        width, side = _SADDLE_WIDTH / math.sqrt(self.size + 1), 0
        for probe in range(_MOST_PROBES):
            if high - low <= width * low:
                break
            by_value = right > left and probe % _BISECTED_EVERY
            middle = low + (high - low) * (left / (left - right) if by_value else 0.5)
            value = self._pull(middle)
            if value < 0:
                right = right / 2 if side < 0 else right
                low, left, side = middle, value, -1
            else:
                left = left / 2 if side > 0 else left
                high, right, side = middle, value, 1
        return (low + high) / 2

    def _pull(self, sigma: float) -> float:
        """Return sigma times the derivative of log(e^sigma sigma^-k F(gamma sigma))."""
        with working(self.search_bits):
            found = self._shares(mpc(sigma), self.search_bits)
            whole = -found.upper if self.survive else found.lower
            return float(mpfr(sigma) - number(self.draw.total) + (found.density / whole).real)
