"""Numbers of this paper's entries that no single quantity answers, and how they are enclosed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

from ....reference.enclosure import Enclosure
from ..values import Enclosed, Value


@dataclass(frozen=True)
class Total:
    """A sum of values."""

    of: str
    parts: tuple[Value, ...]

    def enclosed(self) -> Enclosed:
        """Return the sum, each way by itself."""
        found = [part.enclosed() for part in self.parts]
        first = reduce(_added, (part.first for part in found))
        return Enclosed(self.of, first, reduce(_added, (part.second for part in found)))


def _added(one: Enclosure, other: Enclosure) -> Enclosure:
    low, high = (
        Enclosure.of(Fraction(x) + Fraction(y))
        for x, y in ((one.lower, other.lower), (one.upper, other.upper))
    )
    return Enclosure(low.low, high.high)


def shares(counts: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the shares of counts."""
    total = sum(counts)
    return tuple(Fraction(count, total) for count in counts)
