"""Numbers of this paper's entries that no single quantity answers, and how they are enclosed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from random import Random

from flint import arb

from ....reference.arb.balls import enclosure_of, working_precision
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ..values import Enclosed, Value

# The bits of what is worked out here: more than twice those of the digits that are shown.
BITS = 192


@dataclass(frozen=True)
class Named:
    """A value under a name of its own, where its parameters would fill a page."""

    of: str
    value: Value

    def enclosed(self) -> Enclosed:
        """Return what is enclosed, named anew."""
        found = self.value.enclosed()
        return Enclosed(self.of, found.first, found.second)


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


def by_balls(formula: Callable[[], arb]) -> Callable[[], Enclosure]:
    """Return a way to a number: a formula in FLINT's balls."""

    def enclosed() -> Enclosure:
        with working_precision(BITS):
            return enclosure_of(formula())

    return enclosed


def by_spans(formula: Callable[[], Span]) -> Callable[[], Enclosure]:
    """Return a way to a number: a formula in MPFR's spans."""
    return lambda: formula().enclosure()


def in_rationals(formula: Callable[[], Fraction]) -> Callable[[], Enclosure]:
    """Return a way to a number: a formula in rationals."""
    return lambda: Enclosure.of(formula(), BITS)


def span(value: Fraction | int | str) -> Span:
    """Return the span of an exact number."""
    return Span.of(Fraction(value), BITS)


def spans_total(terms: Sequence[Span]) -> Span:
    """Return the sum of spans."""
    return reduce(Span.__add__, terms, span(0))


def draws(seed: int, count: int) -> Iterator[Random]:
    """Yield the same generator so many times: for formulas that are tried at drawn points."""
    random = Random(seed)  # noqa: S311
    for _ in range(count):
        yield random


def at_precision(holds: Callable[[], bool]) -> Callable[[], bool]:
    """Return a formula's twin that works at this module's precision."""

    def executed() -> bool:
        with working_precision(BITS):
            return holds()

    return executed


def shares(counts: Sequence[int]) -> tuple[Fraction, ...]:
    """Return the shares of counts."""
    total = sum(counts)
    return tuple(Fraction(count, total) for count in counts)


def texts(law: Sequence[Fraction]) -> list[str]:
    """Return exact numbers as the quantities take them."""
    return [str(share) for share in law]
