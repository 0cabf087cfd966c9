"""A simulated mean beside what is known of it, and whether it contradicts that.

Three answers. CONTRADICTED: a test says so that is wrong with a stated chance, however the errors
are distributed. ODD: it is many standard errors off, which proves nothing. AGREES: neither.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final

from ...reference.markov.stationary import stationary_law
from ..samplers.constants import FALSE_ALARM
from .chance import (
    Moments,
    log_bernstein,
    of_divergences,
    of_largest_noise,
    of_noise_sum,
)
from .draws import Array
from .expected import Expected, Kind
from .study import NoiseStudy, Study

# A normal variable is as far off its mean once in 1.7 million times.
STANDARD_ERRORS: Final = 5
# Below so many standard errors no test is done: it could not find anything.
_NOTHING_TO_FIND: Final = 3
# What doubles may have done to an error: relative, see study.MOST_TOTAL, and of a probability.
RELATIVE_ROUNDING: Final = Fraction(1, 10**6)
ABSOLUTE_ROUNDING: Final = Fraction(1, 10**13)
# For more entries the moments of divergences, at 0.1 ms an entry, are not worked out.
MOST_MOMENTS: Final = 10_000
# The largest value of each error that has one; the 2-norm's is the root of 2.
_REACH: Final = {"l1": 2.0, "l2": 1.5, "l2_squared": 2.0, "largest": 1.0, "largest_row_l1": 2.0,
                 "stationary": 1.0}  # fmt: skip
BERNSTEIN, CHERNOFF = "empirical Bernstein", "Chernoff"
# No draws are needed: what is said is not the mean that the law's own moments have.
EXACTLY: Final = "moments of the law"


class Finding(Enum):
    """What a comparison came to."""

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
    """A mean beside what is known. ``off`` counts standard errors beyond it, 0 if within.

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

    moments: Mapping[str, Moments]
    reach: Mapping[str, float]
    in_all: int
    absolute: Fraction

    @classmethod
    def of(cls, study: Study, in_all: int, *, chain: bool) -> Judge:
        """Return what can be tested for sure."""
        if isinstance(study, NoiseStudy):
            known = {"l1": of_noise_sum(study), "largest": of_largest_noise(study)}
            return cls(known, {}, in_all, Fraction(0))
        rows = len(study.rows)
        if rows * len(study.rows[0].alpha) > MOST_MOMENTS:
            return cls({}, _REACH, in_all, ABSOLUTE_ROUNDING)
        moments = {"kl": of_divergences(study, [Fraction(1, rows)] * rows)}
        if not chain:
            return cls(moments, _REACH, in_all, ABSOLUTE_ROUNDING)
        moments["kl_rate"] = of_divergences(study, stationary_law(study.P))
        reach = {**_REACH, "ergodicity": max(1.0, rows // 2)}
        return cls(moments, reach, in_all, ABSOLUTE_ROUNDING)

    def named(self, error: str) -> str | None:
        """Return the test that an error has."""
        return CHERNOFF if error in self.moments else BERNSTEIN if error in self.reach else None

    def compared(self, expected: Expected, mean: Mean) -> Compared:
        """Hold a mean against what is known of it."""
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
        """Return on which side the mean is beyond what is known; None where it is within."""
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
    """A mean above or below what is known, by ``gap``; both with rounding's share taken off."""

    gap: Fraction
    reached: Fraction
    high: bool


def _disjoint(expected: Expected, ends: tuple[Fraction, Fraction] | None) -> bool:
    """Whether what is said of a mean excludes the mean that the law itself has."""
    if ends is None:
        return False
    low, high = ends
    return (expected.high is not None and low > expected.high) or (
        expected.low is not None and high < expected.low
    )
