"""How unlikely a mean is: bounds on its chance that hold for every number of draws.

Two ways, neither of which asks how the mean is distributed (proofs_notes/simulation.md). For an
error between 0 and R, the empirical Bernstein inequality of Maurer and Pontil 2009. For an error
whose moment generating function M is known, Chernoff's: a mean of D draws beyond m has chance at
most (M(z) e^(-z m))^D, for any z that is positive for a high mean and negative for a low one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from .study import NoiseStudy, SimplexStudy

# Differences of log-gammas at 10^10, times 10^6 draws, keep half of these.
_BITS: Final = 256
# The z of least bound is near (m - mean)/variance; these multiples of it are tried. Any z bounds.
_TRIED: Final = tuple(Fraction(n, 8) for n in (2, 4, 6, 7, 8, 9, 10, 12, 16))
# M is infinite at ``top``; beyond this share of it nothing is tried.
_NEAR_TOP: Final = Fraction(31, 32)
# Of mean/variance: then the mean is enclosed to about 2^-40 of itself.
_SMALL: Final = Fraction(1, 2**40)

LogMoment: TypeAlias = Callable[[Fraction], arb]


@dataclass(frozen=True)
class Moments:
    """An error whose moment generating function is known for all z < ``top``.

    ``scale`` is its unit, and ``variance`` only leads to a z that bounds well.
    """

    log_moment: LogMoment
    top: Fraction
    mean: float
    variance: float
    scale: Fraction = Fraction(1)

    def log_chance(self, mean: Fraction, draws: int, *, high: bool) -> float:
        """Bound the logarithm of the chance of a mean at least so high, or so low; at most 0."""
        reached = mean / self.scale
        if not self.variance > 0:
            return 0.0
        guess = Fraction((float(reached) - self.mean) / self.variance)
        if (guess > 0) is not high or not guess:
            return 0.0
        bounds = (self._bound(self._within(guess * part), reached, draws) for part in _TRIED)
        return min(0.0, *bounds)

    @cached_property
    def mean_ends(self) -> tuple[Fraction, Fraction] | None:
        """Enclose the mean by -K(-z)/z and K(z)/z, K convex, z small; None where not finite.

        z has to be positive: in doubles even a mean may not be, and the ends would be exchanged.
        """
        if not (self.variance > 0 and self.mean > 0):
            return None
        z = min(Fraction(self.mean / self.variance) * _SMALL, self.top / 2)
        with working_precision(_BITS):
            low, high = (self.log_moment(end) / ball(end) for end in (-z, z))
            ends = enclosure_of(low).lower, enclosure_of(high).upper
        if not (isinstance(ends[0], Fraction) and isinstance(ends[1], Fraction)):
            return None
        return ends[0] * self.scale, ends[1] * self.scale

    def _within(self, z: Fraction) -> Fraction:
        return min(z, self.top * _NEAR_TOP)

    def _bound(self, z: Fraction, reached: Fraction, draws: int) -> float:
        with working_precision(_BITS):
            found = draws * (self.log_moment(z) - ball(z * reached))
            upper = float(found.upper())
        # Rounded to a double, which may be below; a NaN is no bound.
        return math.nextafter(upper, math.inf) if math.isfinite(upper) else 0.0


def of_divergences(study: SimplexStudy, weights: Sequence[Fraction]) -> Moments:
    """Return the moments of a weighted sum of the rows' divergences KL(p || x).

    E e^(z KL) is the product of p_i^(z p_i), times E of the product of x_i^(-z p_i), which is
    B(u - z p)/B(u).
    """
    rows = [(row, weight) for row, weight in zip(study.rows, weights, strict=True) if weight]
    tops = [
        alpha / (weight * share)
        for row, weight in rows
        for alpha, share in zip(row.alpha, row.target, strict=True)
        if share
    ]

    def log_moment(z: Fraction) -> arb:
        parts = (_log_moment(row.alpha, row.target, z * weight) for row, weight in rows)
        return sum(parts, arb(0))

    mean = variance = 0.0
    for row, weight in rows:
        found = _mean_and_variance(row.alpha, row.target)
        mean, variance = mean + float(weight) * found[0], variance + float(weight) ** 2 * found[1]
    return Moments(log_moment, min(tops), mean, variance)


def _log_moment(alpha: Iterable[Fraction], target: Iterable[Fraction], z: Fraction) -> arb:
    found, total = arb(0), Fraction(0)
    for a, p in zip(alpha, target, strict=True):
        total += a
        if p:
            found += ball(z * p) * ball(p).log()
            found += ball(a - z * p).lgamma() - ball(a).lgamma()
    return found + ball(total).lgamma() - ball(total - z).lgamma()


def _mean_and_variance(
    alpha: Sequence[Fraction], target: Sequence[Fraction]
) -> tuple[float, float]:
    """Return both in doubles: they lead to a good z, and nothing rests on them."""
    from scipy.special import digamma, polygamma

    total = float(sum(alpha))
    mean, variance = float(digamma(total)), -float(polygamma(1, total))
    for a, p in zip(map(float, alpha), map(float, target), strict=True):
        if p:
            mean += p * (math.log(p) - float(digamma(a)))
            variance += p * p * float(polygamma(1, a))
    return mean, variance


def of_noise_sum(study: NoiseStudy) -> Moments:
    """Return the moments of the sum of the sizes of noise: M(z) = (1 - z)^(-m)."""
    m = study.numbers
    return Moments(lambda z: -m * ball(1 - z).log(), Fraction(1), float(m), float(m), study.scale)


def of_largest_noise(study: NoiseStudy) -> Moments:
    """Return the moments of the largest size of m: a sum of exponentials of means 1/j, j <= m.

    M(z) = Gamma(m + 1) Gamma(1 - z)/Gamma(m + 1 - z).
    """
    m = study.numbers

    def log_moment(z: Fraction) -> arb:
        return arb(m + 1).lgamma() + ball(1 - z).lgamma() - ball(m + 1 - z).lgamma()

    mean = math.fsum(1 / j for j in range(1, m + 1))
    variance = math.fsum(1 / j**2 for j in range(1, m + 1))
    return Moments(log_moment, Fraction(1), mean, variance, study.scale)


def log_bernstein(gap: float, deviation: float, reach: float, draws: int) -> float:
    """Bound the logarithm of the chance that a mean is off by the gap, on one side.

    With chance 1 - c at least it is off by less than sqrt(2 V L/D) + 7 R L/(3 (D - 1)), where
    L = log(2/c) and V is the sample variance; solved for L.
    """
    first = deviation * math.sqrt(2 / draws)
    second = 7 * reach / (3 * (draws - 1))
    root = (math.sqrt(first**2 + 4 * second * gap) - first) / (2 * second)
    return min(0.0, math.log(2) - root**2)
