"""Numbers of this paper's entries that no quantity answers, and formulas tried at drawn points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from math import ceil, floor
from random import Random

from flint import arb

from ....reference.arb.balls import ball, enclosure_of, working_precision
from ....reference.enclosure import Enclosure
from ....reference.second.directed import Span
from ....reference.second.trigamma import trigamma
from ..values import Worked

# The bits of what is worked out here: more than twice those of the digits that are shown.
BITS = 192
_TRIALS = 20


def worked(of: str, balls: Callable[[], arb], spans: Callable[[], Span]) -> Worked:
    """Return a number by a formula in FLINT's balls and by one in MPFR's spans."""

    def first() -> Enclosure:
        with working_precision(BITS):
            return enclosure_of(balls())

    return Worked(of, first, lambda: spans().enclosure())


def rational(of: str, one: Callable[[], Fraction], other: Callable[[], Fraction]) -> Worked:
    """Return a rational number by two formulas."""
    return Worked(of, lambda: Enclosure.of(one(), BITS), lambda: Enclosure.of(other(), BITS))


def span(value: Fraction | int | str) -> Span:
    """Return the span of an exact number."""
    return Span.of(Fraction(value), BITS)


def spans_total(terms: Sequence[Span]) -> Span:
    """Return the sum of spans."""
    return reduce(Span.__add__, terms, span(0))


def trigamma_span(x: Fraction | int) -> Span:
    """Enclose psi'(x) without FLINT."""
    return trigamma(Fraction(x), BITS)


def total(terms: Sequence[arb]) -> arb:
    """Return the sum of balls."""
    return sum(terms, arb(0))


def draws(seed: int, count: int = _TRIALS) -> Iterator[Random]:
    """Yield the same generator so many times: for formulas that are tried at drawn points."""
    random = Random(seed)  # noqa: S311
    for _ in range(count):
        yield random


def number(random: Random, low: int = 1, high: int = 400, unit: int = 20) -> Fraction:
    """Return a drawn multiple of 1/unit."""
    return Fraction(random.randint(low, high), unit)


def law(random: Random, size: int = 3) -> tuple[Fraction, ...]:
    """Return a drawn law without zeros."""
    counts = [random.randint(1, 12) for _ in range(size)]
    return tuple(Fraction(count, sum(counts)) for count in counts)


def at_precision(holds: Callable[[], bool]) -> Callable[[], bool]:
    """Return a formula's twin that works at this module's precision."""

    def executed() -> bool:
        with working_precision(BITS):
            return holds()

    return executed


def divergence(p: Sequence[Fraction], q: Sequence[Fraction]) -> arb:
    """Enclose sum p_i log(p_i/q_i), also of vectors that are no laws."""
    pairs = zip(p, q, strict=True)
    return total([ball(a) * (ball(a) / ball(b)).log() for a, b in pairs if a])


def just_above(value: arb, unit: int = 1000) -> Fraction:
    """Return a multiple of 1/unit above a finite ball."""
    return Fraction(floor(Fraction(enclosure_of(value).upper) * unit) + 1, unit)


def just_below(value: arb, unit: int = 2**60) -> Fraction:
    """Return a multiple of 1/unit below a finite ball."""
    return Fraction(ceil(Fraction(enclosure_of(value).lower) * unit) - 1, unit)


def texts(numbers: Sequence[Fraction]) -> list[str]:
    """Return exact numbers as the quantities take them."""
    return [str(each) for each in numbers]


def fractions(*given: str | int) -> tuple[Fraction, ...]:
    """Return exact numbers."""
    return tuple(map(Fraction, given))
