"""Simulated means beside known ones, and how unlikely it is that they are so far off.

Three findings. CONTRADICTED: a test says so that is wrong with a stated chance, however the errors
are distributed. ODD: it is many standard errors off, which proves nothing. AGREES: neither.

Two tests, neither of which asks how the mean is distributed (proofs_notes/simulation.md). For an
error between 0 and R, the empirical Bernstein inequality of Maurer and Pontil 2009. For an error
whose moment generating function M is known, Chernoff's: a mean of D draws beyond m has chance at
most (M(z) e^(-z m))^D, for any z that is positive for a high mean and negative for a low one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Final, TypeAlias

from flint import arb

from ...reference.arb.balls import ball, enclosure_of, working_precision
from ...reference.arb.gamma import digamma, trigamma
from ...reference.markov.stationary import stationary_law
from ..samplers import FALSE_ALARM
from .errors import Array
from .expected import Expected, Kind
from .study import NoiseStudy, SimplexStudy, Study

# Differences of log-gammas at 10^10, times 10^6 draws, keep half of these.
_BITS: Final = 256
# The z of least bound is near (m - mean)/variance; these multiples of it are tried. Any z bounds.
_TRIED: Final = tuple(Fraction(n, 8) for n in (2, 4, 6, 7, 8, 9, 10, 12, 16))
# M is infinite at ``top``; beyond this share of it nothing is tried.
_NEAR_TOP: Final = Fraction(31, 32)
# Of mean/variance: then the mean is enclosed to about 2^-40 of itself.
_SMALL: Final = Fraction(1, 2**40)

_LogMoment: TypeAlias = Callable[[Fraction], arb]


@dataclass(frozen=True)
class _Moments:
    """An error whose moment generating function is known for all z < ``top``.

    ``scale`` is its unit, and ``variance`` only leads to a z that bounds well.
    """

    log_moment: _LogMoment
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


def of_divergences(study: SimplexStudy, weights: Sequence[Fraction]) -> _Moments:
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
    return _Moments(log_moment, min(tops), mean, variance)


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
    with working_precision(_BITS):
        total = ball(sum(alpha))
        mean, variance = digamma(total), -trigamma(total)
        for a, p in zip(alpha, target, strict=True):
            if p:
                mean += ball(p) * (ball(p).log() - digamma(ball(a)))
                variance += ball(p**2) * trigamma(ball(a))
        return float(mean), float(variance)


def of_noise_sum(study: NoiseStudy) -> _Moments:
    """Return the moments of the sum of the sizes of noise: M(z) = (1 - z)^(-m)."""
    m = study.numbers
    return _Moments(lambda z: -m * ball(1 - z).log(), Fraction(1), float(m), float(m), study.scale)


def of_largest_noise(study: NoiseStudy) -> _Moments:
    """Return the moments of the largest size of m: a sum of exponentials of means 1/j, j <= m.

    M(z) = Gamma(m + 1) Gamma(1 - z)/Gamma(m + 1 - z).
    """
    m = study.numbers

    def log_moment(z: Fraction) -> arb:
        return arb(m + 1).lgamma() + ball(1 - z).lgamma() - ball(m + 1 - z).lgamma()

    mean = math.fsum(1 / j for j in range(1, m + 1))
    variance = math.fsum(1 / j**2 for j in range(1, m + 1))
    return _Moments(log_moment, Fraction(1), mean, variance, study.scale)


def log_bernstein(gap: float, deviation: float, reach: float, draws: int) -> float:
    """Bound the logarithm of the chance that a mean is off by the gap, on one side.

    With chance 1 - c at least it is off by less than sqrt(2 V L/D) + 7 R L/(3 (D - 1)), where
    L = log(2/c) and V is the sample variance; solved for L.
    """
    first = deviation * math.sqrt(2 / draws)
    second = 7 * reach / (3 * (draws - 1))
    root = (math.sqrt(first**2 + 4 * second * gap) - first) / (2 * second)
    return min(0.0, math.log(2) - root**2)


# A normal variable is as far off its mean once in 1.7 million times.
STANDARD_ERRORS: Final = 5
# Below so many standard errors no test is done: it could not find anything.
_NOTHING_TO_FIND: Final = 3
# What doubles may have done to an error: relative, see study.MOST_TOTAL, and of a probability.
RELATIVE_ROUNDING: Final = Fraction(1, 10**6)
_ABSOLUTE_ROUNDING: Final = Fraction(1, 10**13)
# For more entries the moments of divergences, at 0.1 ms an entry, are not worked out.
_MOST_MOMENTS: Final = 10_000
# The largest value of each error that has one; the 2-norm's is the root of 2.
_REACH: Final = {"l1": 2.0, "l2": 1.5, "l2_squared": 2.0, "largest": 1.0, "largest_row_l1": 2.0,
                 "stationary": 1.0}  # fmt: skip
BERNSTEIN, CHERNOFF = "empirical Bernstein", "Chernoff"
# No draws are needed: what is said is not the mean that the law's own moments have.
EXACTLY: Final = "moments of the law"


class Finding(Enum):
    """Result of a comparison."""

    AGREES = "agrees"
    ODD = "odd"
    CONTRADICTED = "contradicted"
    NOTHING = "nothing to compare with"


GRAVEST_FIRST: Final = (Finding.CONTRADICTED, Finding.ODD, Finding.AGREES)


@dataclass(frozen=True)
class Mean:
    """The mean of an error over the draws, and its standard error."""

    value: float
    error: float
    draws: int

    @classmethod
    def of(cls, values: Array) -> Mean:
        """Return the mean of at least two draws."""
        error = float(values.std(ddof=1)) / len(values) ** 0.5
        return cls(float(values.mean()), error, len(values))


@dataclass(frozen=True)
class Compared:
    """A mean beside the known ends. ``off`` counts standard errors beyond them, 0 if within.

    ``log_chance`` bounds how likely a correct simulation of a true statement is so far off, by the
    test that is named; None where there is no test that proves anything.
    """

    expected: Expected
    mean: Mean
    finding: Finding
    off: float
    test: str | None
    log_chance: float | None


@dataclass(frozen=True)
class Judge:
    """The tests of a study's errors; ``in_all`` are done in one run, false alarms are shared."""

    moments: Mapping[str, _Moments]
    reach: Mapping[str, float]
    in_all: int
    absolute: Fraction

    @classmethod
    def of(cls, study: Study, in_all: int, *, chain: bool) -> Judge:
        """Return the tests that a study's errors have."""
        if isinstance(study, NoiseStudy):
            known = {"l1": of_noise_sum(study), "largest": of_largest_noise(study)}
            return cls(known, {}, in_all, Fraction(0))
        rows = len(study.rows)
        if rows * len(study.rows[0].alpha) > _MOST_MOMENTS:
            return cls({}, _REACH, in_all, _ABSOLUTE_ROUNDING)
        moments = {"kl": of_divergences(study, [Fraction(1, rows)] * rows)}
        if not chain:
            return cls(moments, _REACH, in_all, _ABSOLUTE_ROUNDING)
        moments["kl_rate"] = of_divergences(study, stationary_law(study.P))
        reach = {**_REACH, "ergodicity": max(1.0, rows // 2)}
        return cls(moments, reach, in_all, _ABSOLUTE_ROUNDING)

    def named(self, error: str) -> str | None:
        """Return the test that an error has."""
        return CHERNOFF if error in self.moments else BERNSTEIN if error in self.reach else None

    def compared(self, expected: Expected, mean: Mean) -> Compared:
        """Compare a mean with the known value or bound."""
        error, test = expected.error, self.named(expected.error)
        if not expected.known:
            return Compared(expected, mean, Finding.NOTHING, 0.0, test, None)
        if not (math.isfinite(mean.value) and math.isfinite(mean.error)):
            return Compared(expected, mean, Finding.ODD, math.inf, test, None)
        if error in self.moments and _disjoint(expected, self.moments[error].mean_ends):
            return Compared(expected, mean, Finding.CONTRADICTED, 0.0, EXACTLY, -math.inf)
        beyond = self._beyond(expected, Fraction(mean.value))
        if beyond is None:
            return Compared(expected, mean, Finding.AGREES, 0.0, test, None)
        off = float(beyond.gap) / mean.error if mean.error else math.inf
        chance = self._log_chance(expected, mean, beyond) if off > _NOTHING_TO_FIND else None
        return Compared(expected, mean, self._finding(off, chance), off, test, chance)

    def _beyond(self, expected: Expected, mean: Fraction) -> _Beyond | None:
        """Return on which side the mean is beyond the known ends; None where it is within."""
        room = abs(mean) * RELATIVE_ROUNDING + self.absolute
        if expected.high is not None and mean - room > expected.high:
            return _Beyond(mean - room - expected.high, mean - room, high=True)
        if expected.low is not None and mean + room < expected.low:
            return _Beyond(expected.low - mean - room, mean + room, high=False)
        return None

    def _log_chance(self, expected: Expected, mean: Mean, beyond: _Beyond) -> float | None:
        """Bound the chance of a mean so far beyond, on either side where both would count."""
        error, draws = expected.error, mean.draws
        if error in self.moments:
            found = self.moments[error].log_chance(beyond.reached, draws, high=beyond.high)
        elif error in self.reach:
            deviation = mean.error * math.sqrt(draws)
            found = log_bernstein(float(beyond.gap), deviation, self.reach[error], draws)
        else:
            return None
        return min(0.0, found + math.log(2)) if expected.kind is Kind.EXACT else found

    def _finding(self, off: float, log_chance: float | None) -> Finding:
        if log_chance is not None and log_chance < math.log(FALSE_ALARM / self.in_all):
            return Finding.CONTRADICTED
        return Finding.ODD if off > STANDARD_ERRORS else Finding.AGREES


@dataclass(frozen=True)
class _Beyond:
    """A mean above or below the known ends, by ``gap``; both with rounding's share taken off."""

    gap: Fraction
    reached: Fraction
    high: bool


def _disjoint(expected: Expected, ends: tuple[Fraction, Fraction] | None) -> bool:
    """Whether the stated ends of a mean exclude the mean that the law itself has."""
    if ends is None:
        return False
    low, high = ends
    return (expected.high is not None and low > expected.high) or (
        expected.low is not None and high < expected.low
    )
