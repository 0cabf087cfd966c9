"""The exact laws that draws are held against, each by its distribution function, enclosed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.arb.gamma import log_beta
from ...reference.arb.incomplete_beta import regularised_incomplete_beta
from .constants import PRECISION_BITS
from .ends import CERTAIN, IMPOSSIBLE, Ends, ends_of

_KEPT = 4096


class Law(Protocol):
    """A law on the line, without atoms."""

    def below(self, point: Fraction) -> Ends:
        """Enclose the probability of what is smaller than the point."""


@dataclass(frozen=True)
class BetaLaw:
    """Beta(first, second): a coordinate of a Dirichlet draw, a sum of some, a ratio of two."""

    first: Fraction
    second: Fraction

    def below(self, point: Fraction) -> Ends:
        """Enclose the regularised incomplete beta function I_point(first, second)."""
        if point <= 0:
            return IMPOSSIBLE
        return CERTAIN if point >= 1 else _beta_below(self.first, self.second, point)

    def largest_log_density(self, high: Fraction) -> Fraction:
        """Return an upper bound of x f(x), the density of log x, for 0 < x <= high < 1.

        x^a (1-x)^(b-1) / B(a, b) rises up to a/(a+b-1) where that is in (0, 1), else up to 1.
        """
        a, b = self.first, self.second
        top = min(high, a / (a + b - 1)) if b > 1 else high
        with working_precision(PRECISION_BITS):
            logarithm = ball(a) * ball(top).log() + ball(b - 1) * ball(1 - top).log()
            return Fraction(enclosure_of((logarithm - log_beta(a, b)).exp()).upper)


@lru_cache(_KEPT)
def _beta_below(first: Fraction, second: Fraction, point: Fraction) -> Ends:
    with working_precision(PRECISION_BITS):
        return ends_of(regularised_incomplete_beta(first, second, point))


@dataclass(frozen=True)
class LaplaceLaw:
    """Laplace noise of mean 0: density e^(-|x|/scale) / (2 scale)."""

    scale: Fraction

    def below(self, point: Fraction) -> Ends:
        """Enclose e^(x/scale)/2 for x < 0, and 1 less that of -x elsewhere."""
        with working_precision(PRECISION_BITS):
            half = ball(-abs(point) / self.scale).exp() / 2
            return ends_of(half if point < 0 else 1 - half)


@dataclass(frozen=True)
class ExponentialLaw:
    """The absolute value of Laplace noise."""

    scale: Fraction

    def below(self, point: Fraction) -> Ends:
        """Enclose 1 - e^(-x/scale)."""
        if point <= 0:
            return IMPOSSIBLE
        with working_precision(PRECISION_BITS):
            return ends_of(-arb.expm1(ball(-point / self.scale)))
