"""What the entries of several papers are worked out and tried with."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from random import Random
from typing import TypeVar

from flint import arb

from ...reference.arb.balls import enclosure_of, working_precision
from ...reference.enclosure import Enclosure
from ...reference.second.directed import Span
from .values import Enclosed, Value

# The bits of what is worked out here: more than twice those of the digits that are shown.
BITS = 192
_TRIALS = 20

Found = TypeVar("Found")


@dataclass(frozen=True)
class Named:
    """A value under a name of its own, where its parameters would fill a page."""

    of: str
    value: Value

    def enclosed(self) -> Enclosed:
        """Return what is enclosed, named anew."""
        found = self.value.enclosed()
        return Enclosed(self.of, found.first, found.second)


def at_precision(found: Callable[[], Found]) -> Callable[[], Found]:
    """Return what is executed at this module's precision."""

    def executed() -> Found:
        with working_precision(BITS):
            return found()

    return executed


def by_balls(formula: Callable[[], arb]) -> Callable[[], Enclosure]:
    """Return a way to a number: a formula in FLINT's balls."""
    return at_precision(lambda: enclosure_of(formula()))


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


def draws(seed: int, count: int = _TRIALS) -> Iterator[Random]:
    """Yield the same generator so many times: for formulas that are tried at drawn points."""
    random = Random(seed)  # noqa: S311
    for _ in range(count):
        yield random


def fractions(*given: str | int) -> tuple[Fraction, ...]:
    """Return exact numbers."""
    return tuple(map(Fraction, given))


def texts(numbers: Sequence[Fraction]) -> list[str]:
    """Return exact numbers as the quantities take them."""
    return [str(each) for each in numbers]
