"""What was found of a sampler at one point, in memory and as a certificate has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...reference.exact import exact_text
from ..verdict import Verdict, overall
from .binomial import doubled_tail, tail_verdict
from .constants import DRAWS, FALSE_ALARM
from .ends import Ends, at_most
from .events import Event
from .points import Point
from .statistics import as_written

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
