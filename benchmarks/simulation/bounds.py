"""Bounds held against simulated means: what they are, how far above, and whether they hold."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from simplexcert.certify.simulating.comparing import Mean
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError

from .chains import Chain
from .sources import SOURCES, Given, Kind, Source

# Eight digits are far more than a simulation gives.
DIGITS = 8
# A mean is off by more than four standard errors once in 16,000 times.
STANDARD_ERRORS = 4
_BEFORE_THE_REASON = "it needs "  # after all the parameters


@dataclass(frozen=True)
class Compared:
    """A bound beside a simulated mean; no value where the bound does not apply, and why not."""

    source: Source
    mean: Mean
    value: float | None
    why_not: str
    seconds: float

    @property
    def ratio(self) -> float | None:
        """The bound in units of the mean."""
        if self.value is None or not self.mean.value:
            return None
        return self.value / self.mean.value

    @property
    def holds(self) -> bool | None:
        """Whether the simulation bears the bound out; None where it says nothing of a mean."""
        if self.value is None or self.source.kind in {Kind.RATE, Kind.CERTIFICATE}:
            return None
        room = STANDARD_ERRORS * self.mean.error
        above = self.value >= self.mean.value - room
        below = self.value <= self.mean.value + room
        if self.source.kind is Kind.EXACT:
            return above and below
        return below if self.source.kind is Kind.BELOW else above


def compared(chain: Chain, factor: int, means: Mapping[str, Mean]) -> Iterator[Compared]:
    """Yield every bound on every statistic that was simulated."""
    for source in SOURCES:
        if source.statistic in means:
            yield _compared(source, chain, factor, means[source.statistic])


def _compared(source: Source, chain: Chain, factor: int, mean: Mean) -> Compared:
    start = time.perf_counter()
    try:
        value, why = _value(source, source.given(chain, factor)), ""
    except DomainError as error:
        value, why = None, str(error).rpartition(_BEFORE_THE_REASON)[2]
    return Compared(source, mean, value, why, time.perf_counter() - start)


def _value(source: Source, given: Given) -> float:
    """Return a bound's safe end, or the sum of them where there is one for each row."""
    answer = evaluate(source.quantity, given, digits=DIGITS)
    assert answer.narrow, source.quantity
    ends = answer.lower if source.kind is Kind.BELOW else answer.upper
    rows = ends if isinstance(ends, tuple) else (ends,)
    return float(source.share * sum(rows))
