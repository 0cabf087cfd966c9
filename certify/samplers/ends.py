"""Two exact ends that a probability is proved to lie between."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from flint import arb

from ...reference.arb.balls import enclosure_of
from ...reference.dyadic import Dyadic, rational_decimal
from .constants import END_BITS

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
