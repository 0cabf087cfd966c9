"""The pairs of events of which M has a closed form: Gaussian, Laplace, Beta, gamma laws, choices.

Where they are bounded, and that they dominate their events, is in proofs_notes/mixtures.md.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import numpy as np
from flint import acb, arb

from ..arb.balls import ball, working_precision
from ..pairs import Reals
from ..precision import check_budget

# Plans need log M to some decimal places, whatever cancels.
_PLAN_BITS = 128
_SPARE_BITS = 16
_BETWEEN_LOOKS = 1_000
_Point = TypeVar("_Point", arb, acb)


class ClosedPair(ABC):
    """A pair (P, Q) whose log M is known by a formula, on -1 < Re z < ``limit``."""

    @property
    def limit(self) -> Fraction | None:
        """Where M ends on the right; None where it does not."""
        return None

    @abstractmethod
    def log_at(self, point: _Point) -> _Point:
        """Enclose log M at a point of the strip, but for a multiple of 2 pi i."""

    @abstractmethod
    def _log_bound(self, crossing: arb, height: arb) -> arb:
        """Bound log |M(crossing + i y)| for all y from ``height`` on, within the strip."""

    def _is_within(self, crossing: arb) -> bool:
        return self.limit is None or bool(crossing < ball(self.limit))

    def log_moment(self, crossing: arb) -> arb:
        """Enclose log M at a real point; NaN off the strip."""
        return self.log_at(crossing) if self._is_within(crossing) else arb("nan")

    def log_bound(self, crossing: arb, height: arb) -> arb:
        """Bound log |M(crossing + i y)| for all y from ``height`` on; NaN off the strip."""
        return self._log_bound(crossing, height) if self._is_within(crossing) else arb("nan")

    def log_moments_about(self, crossings: Reals) -> Reals:
        """Return about log M at real points; NaN off the strip."""
        with working_precision(_PLAN_BITS):
            return np.array([float(self.log_moment(arb(float(c))).mid()) for c in crossings])

    def log_bound_about(self, crossing: float, height: float) -> float:
        """Return about what ``log_bound`` will say."""
        with working_precision(_PLAN_BITS):
            return float(self.log_bound(arb(crossing), arb(height)).mid())

    def moments(self, crossing: arb, step: arb, nodes: int, spare: int) -> list[acb]:
        """Enclose M(crossing + i j step), j = 0, ..., nodes."""
        found: list[acb] = []
        with working_precision(spare + _SPARE_BITS + self._log_bits(crossing, step * nodes)):
            for j in range(nodes + 1):
                if j % _BETWEEN_LOOKS == 0:
                    check_budget()
                found.append(self.log_at(acb(crossing, step * j)).exp())
        return found

    def _log_bits(self, crossing: arb, height: arb) -> int:
        """Bits before the point of what log M is the sum of; a matter of width alone."""
        with working_precision(_PLAN_BITS):
            size = abs(self.log_at(acb(crossing, height)).mid()).abs_upper()
        return max(math.ceil(math.log2(float(size) + 2)), 1) if size.is_finite() else 0


@dataclass(frozen=True)
class Gaussian(ClosedPair):
    """N(1, s^2) against N(0, s^2), or several such together: ``rate`` is the sum of s^-2."""

    rate: Fraction

    def log_at(self, point: _Point) -> _Point:
        """Enclose z (z + 1) rate/2."""
        return point * (point + 1) * ball(self.rate / 2)

    def _log_bound(self, crossing: arb, height: arb) -> arb:
        """It is the value at the height: Re z (z + 1) falls with it."""
        return (crossing * (crossing + 1) - height**2) * ball(self.rate / 2)


@dataclass(frozen=True)
class Laplace(ClosedPair):
    """Lap(m, 1) against Lap(0, 1), m the reciprocal of the noise multiplier."""

    shift: Fraction

    def log_at(self, point: _Point) -> _Point:
        """Enclose zm + log((1 + u)/2 + e^(-(2z + 1)m) (1 - u)/2), u = 1/(2z + 1)."""
        m, twice = ball(self.shift), 2 * point + 1
        over = 1 / twice
        return point * m + ((1 + over) / 2 + (-twice * m).exp() * (1 - over) / 2).log()

    def _log_bound(self, crossing: arb, height: arb) -> arb:
        """The weight of the upper atom's exponential falls along the line, the other's is 1/2."""
        m, twice = ball(self.shift), 2 * crossing + 1
        over = 1 / acb(twice, 2 * height)
        most = abs(1 + over) / 2 + (-twice * m).exp() / 2
        return crossing * m + most.log()


@dataclass(frozen=True)
class Choice(ClosedPair):
    """A choice by utility: losses between -r and r with a density as e^(x/2), no pair of data's."""

    loss_range: Fraction

    def log_at(self, point: _Point) -> _Point:
        """Enclose zr + log((1 - e^(-(2z + 1)r))/((2z + 1)(1 - e^-r)))."""
        r, twice = ball(self.loss_range), 2 * point + 1
        return point * r + ((-twice * r).expm1() / (twice * (-r).expm1())).log()

    def _log_bound(self, crossing: arb, height: arb) -> arb:
        """The larger exponential and the smaller one over |2z + 1|, which rises; or M(c)."""
        r, twice = ball(self.loss_range), 2 * crossing + 1
        most = (1 + (-twice * r).exp()) / (abs(acb(twice, 2 * height)) * -(-r).expm1())
        return (crossing * r + most.log()).min(self.log_at(crossing))


@dataclass(frozen=True)
class Beta(ClosedPair):
    """Beta(alpha, alpha + step) against Beta(alpha + step, alpha): a Dirichlet draw, replacing."""

    alpha: Fraction
    step: Fraction

    @property
    def limit(self) -> Fraction | None:
        """alpha/step."""
        return self.alpha / self.step

    def log_at(self, point: _Point) -> _Point:
        """Enclose log Gamma(alpha - zs) Gamma(alpha + s + zs)/(Gamma(alpha) Gamma(alpha + s))."""
        a, s = ball(self.alpha), ball(self.step)
        shift = point * s
        return (a - shift).lgamma() + (a + s + shift).lgamma() - a.lgamma() - (a + s).lgamma()

    def _log_bound(self, crossing: arb, height: arb) -> arb:
        """It is the value at the height: both Gammas fall along a vertical line."""
        found: arb = self.log_at(acb(crossing, height)).real
        return found


@dataclass(frozen=True)
class Gamma(ClosedPair):
    """The gamma laws of alpha + step and alpha: a Dirichlet draw, adding or removing a record.

    The larger data set has alpha + step; it is the first where a record is ``removed``.
    """

    alpha: Fraction
    step: Fraction
    removed: bool

    @property
    def limit(self) -> Fraction | None:
        """alpha/step where a record is added."""
        return None if self.removed else self.alpha / self.step

    def log_at(self, point: _Point) -> _Point:
        """Enclose log Gamma(first +- zs)/Gamma(first) -+ z log Gamma(alpha + s)/Gamma(alpha)."""
        a, s = ball(self.alpha), ball(self.step)
        small, large = a.lgamma(), (a + s).lgamma()
        rise = point * (large - small)
        if self.removed:
            return (a + s + point * s).lgamma() - large - rise
        return (a - point * s).lgamma() - small + rise

    def _log_bound(self, crossing: arb, height: arb) -> arb:
        """It is the value at the height: Gamma falls along a vertical line."""
        found: arb = self.log_at(acb(crossing, height)).real
        return found
