"""Second opinions on laws on the line and their distance, by quantiles.

The distance by Strassen's condition, where the first engine walks along the monotone coupling: W
is at most d just if every x reaches its quantile of the other law within d.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from typing import TypeAlias

from ...enclosure import Enclosure
from ...structures import LineLaw
from ..opinion import second_opinion

# Points and their positive masses, which sum to 1.
Masses: TypeAlias = Mapping[Fraction, Fraction]


@second_opinion("pufferfish.wasserstein", engine="mpfr", rigorous=True)
def wasserstein(bits: int, mu: LineLaw, nu: LineLaw) -> Enclosure:
    """Enclose the distance by Strassen's condition, exactly."""
    return Enclosure.of(distance(masses_of_law(mu), masses_of_law(nu)), bits)


def masses_of_law(law: LineLaw) -> Masses:
    """Return the positive masses by their points."""
    return {point: mass for point, mass in zip(law.points, law.mass, strict=True) if mass}


def distance(first: Masses, second: Masses) -> Fraction:
    """Return the least d for which each law's mass up to x is at most the other's up to x + d."""
    return max(_reach(first, second), _reach(second, first))


def _reach(first: Masses, second: Masses) -> Fraction:
    """Return how far at most x lies below the other law's quantile of the mass up to x."""
    points, theirs = sorted(first), sorted(second)
    reached = [*accumulate(second[point] for point in theirs)]
    sums = accumulate(first[point] for point in points)
    quantiles = (theirs[bisect_left(reached, mass)] for mass in sums)
    pairs = zip(points, quantiles, strict=True)
    return max(Fraction(0), *(quantile - point for point, quantile in pairs))
