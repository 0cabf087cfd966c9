"""What is looked at of a draw: a real number whose exact law is known.

A correct sampler rounds. So a probability is widened by what rounding can move across a threshold,
and by TOLERANCE on the scale of probabilities: proofs_notes/sampler-tests.md, rounded-draws.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Protocol

import numpy as np

from ..backends.draws import Draws
from .distributions import BetaLaw, Ends, ExponentialLaw, LaplaceLaw, Law, within_one

# A correct sampler rounds: its draw is within this share of an exact draw, or on the scale of
# probabilities within this of it. Doubles have 2^-53; the rest is for sums and logarithms.
TOLERANCE = Fraction(1, 2**40)
# What is smaller may be returned as anything in between 0 and this: the least normal double.
LEAST_NORMAL = Fraction(sys.float_info.min)


class Statistic(Protocol):
    """A real function of a draw, with its law."""

    @property
    def name(self) -> str:
        """What the function is called in a test's name."""

    @property
    def law(self) -> Law:
        """Its law under the exact law of the draws."""

    @property
    def least(self) -> Fraction:
        """What is returned as 0 was at most this."""

    def parameters(self) -> dict[str, Any]:
        """What tells it from others of its name."""

    def values(self, draws: Draws) -> Draws:
        """Return its value at each draw."""

    def slip(self, point: Fraction) -> Fraction:
        """Return how far from a value at this point the exact one can be."""


def below(statistic: Statistic, point: Fraction) -> Ends:
    """Enclose the probability that a correct sampler's value is below the point."""
    slip = statistic.slip(point)
    lower = statistic.law.below(point - slip).lower - TOLERANCE
    return within_one(lower, statistic.law.below(point + slip).upper + TOLERANCE)


@dataclass(frozen=True)
class Share:
    """The sum of some coordinates, counted from 1: Beta(their alphas, the others')."""

    alpha: tuple[Fraction, ...]
    coordinates: tuple[int, ...]
    least: ClassVar[Fraction] = LEAST_NORMAL

    @property
    def name(self) -> str:
        """Whether it is one coordinate or several."""
        return "coordinate" if len(self.coordinates) == 1 else "sum"

    @property
    def law(self) -> BetaLaw:
        """The aggregated law."""
        part = sum((self.alpha[at - 1] for at in self.coordinates), Fraction(0))
        return BetaLaw(part, sum(self.alpha, Fraction(0)) - part)

    def parameters(self) -> dict[str, Any]:
        """Return which coordinates they are."""
        return {"coordinates": list(self.coordinates)}

    def values(self, draws: Draws) -> Draws:
        """Return the sums, of at most two coordinates, each rounded once."""
        first, *rest = (draws[:, at - 1] for at in self.coordinates)
        return first + rest[0] if rest else first

    def slip(self, point: Fraction) -> Fraction:
        """Return twice the tolerance of the point."""
        return 2 * TOLERANCE * point


@dataclass(frozen=True)
class Ratio:
    """The first of two coordinates over their sum: Beta(its alpha, the other's), neutrality."""

    alpha: tuple[Fraction, ...]
    first: int
    second: int
    name: ClassVar[str] = "ratio"
    least: ClassVar[Fraction] = LEAST_NORMAL

    @property
    def law(self) -> BetaLaw:
        """The law of a Dirichlet draw's first part, by its two alphas alone."""
        return BetaLaw(self.alpha[self.first - 1], self.alpha[self.second - 1])

    def parameters(self) -> dict[str, Any]:
        """Return the two coordinates."""
        return {"coordinates": [self.first, self.second]}

    def values(self, draws: Draws) -> Draws:
        """Return the ratios; NaN, which is below nothing, where both are 0."""
        first, second = draws[:, self.first - 1], draws[:, self.second - 1]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(first / (first + second), dtype=np.float64)

    def slip(self, point: Fraction) -> Fraction:
        """Return twice the tolerance of the point."""
        return 2 * TOLERANCE * point


@dataclass(frozen=True)
class Noise:
    """A Laplace draw itself."""

    scale: Fraction
    name: ClassVar[str] = "draw"
    least: ClassVar[Fraction] = Fraction(0)

    @property
    def law(self) -> Law:
        """Laplace."""
        return LaplaceLaw(self.scale)

    def parameters(self) -> dict[str, Any]:
        """Return nothing: there is one."""
        return {}

    def values(self, draws: Draws) -> Draws:
        """Return the draws."""
        return draws[:, 0]

    def slip(self, point: Fraction) -> Fraction:
        """Return twice the tolerance of the point's size and the scale."""
        return 2 * TOLERANCE * (abs(point) + self.scale)


@dataclass(frozen=True)
class Size(Noise):
    """The absolute value of a Laplace draw."""

    name: ClassVar[str] = "size"

    @property
    def law(self) -> Law:
        """Exponential."""
        return ExponentialLaw(self.scale)

    def values(self, draws: Draws) -> Draws:
        """Return the absolute values."""
        return np.abs(draws[:, 0])


def as_written(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters as a certificate has them: doubles as C99 hex text."""
    return {
        name: float(value).hex() if isinstance(value, Fraction) else value
        for name, value in parameters.items()
    }
