"""The exact distributions that draws are held against, as enclosed probabilities.

Each is given by its distribution function; thresholds lie where it has a mass that tests look for.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, Protocol

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.arb.gamma import log_beta
from ...reference.arb.incomplete_beta import regularised_incomplete_beta
from ...reference.dyadic import Dyadic, rational_decimal

# No threshold of a test is smaller: what underflows is far below it.
LEAST_THRESHOLD_EXPONENT = -1000
# Thresholds have so many bits, so that any machine finds the same.
THRESHOLD_BITS = 12

# Working precision of the enclosures, and the bits that their ends keep, rounded outward.
PRECISION_BITS, END_BITS = 128, 96


_FIGURES = 25
# Ends below this are rounded outward to 0 and to it: no test needs less, and they stay short.
_LEAST_END = Fraction(1, 2**400)


class Ends(NamedTuple):
    """A probability is at least ``lower`` and at most ``upper``."""

    lower: Fraction
    upper: Fraction

    def minus(self, other: Ends) -> Ends:
        """Return the ends of a probability less that of a part of the event."""
        return within_one(self.lower - other.upper, self.upper - other.lower)

    def times(self, other: Ends) -> Ends:
        """Return the ends of the probability that two independent events both happen."""
        return within_one(self.lower * other.lower, self.upper * other.upper)

    def decimals(self) -> dict[str, str]:
        """Return the ends as decimals, rounded outward."""
        return {
            "lower": rational_decimal(self.lower, _FIGURES, up=False),
            "upper": rational_decimal(self.upper, _FIGURES, up=True),
        }

    def overlaps(self, other: Ends) -> bool:
        """Whether some number lies in both."""
        return self.lower <= other.upper and other.lower <= self.upper


IMPOSSIBLE = Ends(Fraction(0), Fraction(0))
CERTAIN = Ends(Fraction(1), Fraction(1))


def within_one(lower: Fraction, upper: Fraction) -> Ends:
    """Return the ends cut to [0, 1] and rounded outward to a few bits."""
    return Ends(_rounded(max(lower, Fraction(0)), up=False), _rounded(upper, up=True))


def _rounded(end: Fraction, *, up: bool) -> Fraction:
    if end >= 1:
        return Fraction(1)
    if end < _LEAST_END:
        return _LEAST_END if up and end > 0 else Fraction(0)
    return Fraction(Dyadic.rounded(end, END_BITS, up=up).as_fraction())


def at_most(upper: Fraction) -> Ends:
    """Return the ends of a probability of which only an upper bound is known."""
    return within_one(Fraction(0), upper)


def ends_of(value: arb) -> Ends:
    """Return the ends of a ball around a probability; one that is not finite says nothing."""
    found = enclosure_of(value)
    lower, upper = found.lower, found.upper
    if isinstance(lower, float) or isinstance(upper, float):
        return Ends(Fraction(0), Fraction(1))
    return within_one(lower, upper)


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


_A_BINADE = 1 << (THRESHOLD_BITS - 1)
_LAST = -LEAST_THRESHOLD_EXPONENT * _A_BINADE - 1  # the largest that is below 1


@lru_cache(_KEPT)
def threshold(law: BetaLaw, mass: Fraction) -> Fraction | None:
    """Return the least threshold with at least so much mass below it, or None."""

    def enough(place: int) -> bool:
        return law.below(_at(place)).lower >= mass

    if not enough(_LAST):
        return None
    return _at(bisect_left(range(_LAST), 1, key=enough))


def _at(place: int) -> Fraction:
    power, part = divmod(place, _A_BINADE)
    return Fraction(_A_BINADE + part, _A_BINADE << (-LEAST_THRESHOLD_EXPONENT - power))
