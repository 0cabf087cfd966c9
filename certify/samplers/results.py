"""The results of a sampler's tests: its counts, their exact binomial tails, and verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from ...reference.arb.balls import working_precision
from ...reference.arb.incomplete_beta import regularised_incomplete_beta
from ...reference.exact import exact_text
from ..verdict import Verdict, overall
from .constants import DRAWS, FALSE_ALARM, PRECISION_BITS
from .distributions import CERTAIN, IMPOSSIBLE, Ends, at_most, ends_of, within_one
from .events import Event
from .points import Point
from .statistics import as_written

# How odd a count is: by its exact binomial tail.
#
# Both sides are looked at: a count above what the largest possible probability expects is held
# against that, one below against the smallest, and the tail is doubled. So a sampler whose
# probability lies within the ends is refuted at a level with at most that probability.

_KEPT = 8192


@lru_cache(_KEPT)
def at_least(count: int, trials: int, probability: Fraction) -> Ends:
    """Enclose P(K >= count), K binomial: I_p(count, trials - count + 1)."""
    if count <= 0:
        return CERTAIN
    if count > trials or probability == 0:
        return IMPOSSIBLE
    with working_precision(PRECISION_BITS):
        first, second = Fraction(count), Fraction(trials - count + 1)
        return ends_of(regularised_incomplete_beta(first, second, probability))


def at_most_count(count: int, trials: int, probability: Fraction) -> Ends:
    """Enclose P(K <= count): as many failures are left."""
    return at_least(trials - count, trials, 1 - probability)


def doubled_tail(count: int, trials: int, probability: Ends) -> Ends:
    """Enclose twice the tail on the count's side, at the end nearest to it; 1 within the ends."""
    if count > trials * probability.upper:
        tail = at_least(count, trials, probability.upper)
    elif count < trials * probability.lower:
        tail = at_most_count(count, trials, probability.lower)
    else:
        return CERTAIN
    return within_one(2 * tail.lower, 2 * tail.upper)


def level(tests_in_all: int) -> Fraction:
    """Return the probability that one test may refute a correct sampler with (Bonferroni)."""
    return FALSE_ALARM / tests_in_all


def tail_verdict(tail: Ends, tests_in_all: int) -> Verdict:
    """Return what a tail says: refuted only if it is certainly below the level."""
    if tail.upper < level(tests_in_all):
        return Verdict.REFUTED
    return Verdict.CERTIFIED if tail.lower >= level(tests_in_all) else Verdict.UNDECIDED


# A smaller tail is written as lying between 0 and this.
_LEAST_TAIL = FALSE_ALARM**30


@dataclass(frozen=True)
class Tested:
    """How often one event held, how odd that is, and what follows."""

    event: Event
    count: int
    tests_in_all: int

    @property
    def tail(self) -> Ends:
        """Twice the binomial tail."""
        tail = doubled_tail(self.count, self.event.trials, self.event.probability())
        return at_most(_LEAST_TAIL) if 0 < tail.upper < _LEAST_TAIL else tail

    @property
    def verdict(self) -> Verdict:
        """What the tail says."""
        return tail_verdict(self.tail, self.tests_in_all)

    def as_json(self) -> dict[str, Any]:
        """Return the test in the shape that a certificate has."""
        return {
            "test": self.event.name,
            "parameters": as_written(self.event.parameters()),
            "draws": self.event.trials,
            "count": self.count,
            "probability": self.event.probability().decimals(),
            "verdict": self.verdict.value,
            "tail": self.tail.decimals(),
        }


@dataclass(frozen=True)
class SamplerResult:
    """The tests of a sampler at one point; none, and why, where its answers were no draws."""

    point: Point
    tests: tuple[Tested, ...]
    tests_in_all: int
    reason: str = ""

    @property
    def sampler(self) -> str:
        """The sampler's name."""
        return self.point.sampler

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The parameters, doubles as C99 hex text."""
        return self.point.written()

    @property
    def verdict(self) -> Verdict:
        """The gravest of the tests; an error where there are none."""
        return overall(test.verdict for test in self.tests) if self.tests else Verdict.ERROR

    @property
    def draws(self) -> int:
        """How many draws were tested."""
        return DRAWS if self.tests else 0

    def worst(self) -> Tested | None:
        """Return the test with the smallest tail, the first of them."""
        return min(self.tests, key=lambda test: test.tail.upper, default=None)

    def as_json(self) -> dict[str, Any]:
        """Return the result in the shape that a certificate has."""
        return {
            "sampler": self.sampler,
            "verdict": self.verdict.value,
            "parameters": self.parameters,
            "draws": self.draws,
            "seed": self.point.seed,
            "tests": [test.as_json() for test in self.tests],
            "false_alarm": exact_text(FALSE_ALARM),
            "tests_in_all": self.tests_in_all,
        }
