"""Where the integrand e^f/|z (z+1)| of a composition is least on the axis between two poles.

There f' - 1/z - 1/(1+z), which increases, is 0. It only decides where a contour crosses the axis.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import gmpy2
from gmpy2 import mpfr

from .directed import OutOfReachError
from .loss_moments import Losses, Number
from .nearest import number, working

_SEARCH_BITS = 64
# A logit beyond this has no double's exponent.
_MOST_LOGIT = 700.0
_MOST_PROBES = 200
_BISECTED_EVERY = 3
# The saddle is found to this part of its width.
_CLOSE_ENOUGH = 0.1
_BITS_PER_NAT = 1.4427


@dataclass(frozen=True)
class Saddle:
    """The point, its width (curvature to the power -1/2), and the distances of the two poles."""

    point: mpfr
    width: float
    to_left: float
    to_right: float
    bits_lost: int

    @property
    def exact(self) -> mpfr:
        """The point to few bits."""
        with working(_SEARCH_BITS):
            return +self.point


def saddle(losses: Losses, epsilon: Number, survives: bool) -> Saddle:
    """Return the saddle between 0 and M's pole, or between -1 and 0 if ``survives``."""
    search = _Search(losses, epsilon, survives)
    low, high = search.outward()
    return search.inward(low, high)


class _Search:
    """Points of the strip by their logit: c = limit t/(1+t), or -1/(1+t), t = e^logit."""

    def __init__(self, losses: Losses, epsilon: Number, survives: bool) -> None:
        self._losses, self._epsilon, self._survives = losses, epsilon, survives
        limit = losses.limit + 1
        lost = abs(limit.numerator.bit_length() - limit.denominator.bit_length())
        self._lost = 2 * lost + _bits_of(epsilon)

    def _bits(self, logit: float) -> int:
        return _SEARCH_BITS + self._lost + int(2 * _BITS_PER_NAT * abs(logit))

    def _place(self, logit: float) -> tuple[mpfr, mpfr, mpfr]:
        """Return the point and its distances from the poles, in the context."""
        odds = gmpy2.exp(mpfr(logit))
        whole = mpfr(1) if self._survives else number(self._losses.limit)
        left, right = whole * odds / (1 + odds), whole / (1 + odds)
        return (-right if self._survives else left), left, right

    def pull(self, logit: float) -> float:
        """Return the derivative of the integrand's logarithm."""
        with working(self._bits(logit)):
            point, _, _ = self._place(logit)
            poles = 1 / point + 1 / (1 + point)
            return float(self._losses.slope(point, self._epsilon) - poles)

    def outward(self) -> tuple[float, float]:
        """Return two logits between which it changes its sign."""
        low = high = 0.0
        up, size = self.pull(0.0) < 0, 1.0
        while size < _MOST_LOGIT:
            logit = size if up else -size
            if (self.pull(logit) < 0) != up:
                return (low, logit) if up else (logit, high)
            low = high = logit
            size *= 2
        raise OutOfReachError

    def inward(self, low: float, high: float) -> Saddle:
        """Return the saddle between two logits: regula falsi and bisection."""
        left, right = self.pull(low), self.pull(high)
        for probe in range(_MOST_PROBES):
            share = left / (left - right) if probe % _BISECTED_EVERY else 0.5
            middle = low + (high - low) * min(max(share, 0.01), 0.99)
            value = self.pull(middle)
            low, left, high, right = (
                (middle, value, high, right) if value < 0 else (low, left, middle, value)
            )
            found = self._found(middle)
            if abs(value) * found.width < _CLOSE_ENOUGH:
                return found
        return found

    def _found(self, logit: float) -> Saddle:
        bits = self._bits(logit)
        with working(bits):
            point, left, right = self._place(logit)
            curvature = self._losses.curvature(point)
            curvature += float(1 / point**2 + 1 / (1 + point) ** 2)
            width = 1 / math.sqrt(curvature)
            return Saddle(point, width, float(left), float(right), bits - _SEARCH_BITS)


def _bits_of(epsilon: Number) -> int:
    size = epsilon if isinstance(epsilon, Fraction) else Fraction(float(epsilon))
    return int(abs(size)).bit_length()
