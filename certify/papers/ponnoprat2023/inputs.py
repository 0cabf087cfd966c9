"""Exact inputs that the statements share, and numbers that no quantity answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor
from random import Random
from typing import Any

from flint import arb

from ....reference.arb.balls import ball, enclosure_of
from ....reference.second.directed import Span
from ....reference.second.gamma import trigamma
from ..values import BITS, Worked, by_balls, by_spans, in_rationals

# Section 3.2, Figure 3 (top): the pair as printed, and with its last entries exchanged.
PRINTED_PAIR = ((11, 8, 65, 25, 38, 1), (11, 7, 65, 25, 38, 0))
EXCHANGED_PAIR = ((11, 8, 65, 25, 38, 0), (11, 7, 65, 25, 38, 1))
# Figure 3 (bottom).
COUNTS = (119, 74, 618, 272, 13, 187)
ORDERS = (2, 20, 200)
# Appendix B, Figure 8.
FIGURE_8_ORDERS = (2, 10, 50, 200)
DELTA = Fraction(1, 10**5)
# One record of a histogram replaced, Section 5.1.
REPLACED = {"delta2_squared": 2, "delta_inf": 1}


def line_1(order: int, step: str) -> dict[str, Any]:
    """Return the parameters of Algorithm 1's guarantee for one replaced record."""
    return {"order": order, "step": step, **REPLACED}


# Numbers of this paper's entries that no quantity answers, and formulas tried at drawn points.


def worked(of: str, balls: Callable[[], arb], spans: Callable[[], Span]) -> Worked:
    """Return a number by a formula in FLINT's balls and by one in MPFR's spans."""
    return Worked(of, by_balls(balls), by_spans(spans))


def rational(of: str, one: Callable[[], Fraction], other: Callable[[], Fraction]) -> Worked:
    """Return a rational number by two formulas."""
    return Worked(of, in_rationals(one), in_rationals(other))


def trigamma_span(x: Fraction | int) -> Span:
    """Enclose psi'(x) without FLINT."""
    return trigamma(Fraction(x), BITS)


def total(terms: Sequence[arb]) -> arb:
    """Return the sum of balls."""
    return sum(terms, arb(0))


def number(random: Random, low: int = 1, high: int = 400, unit: int = 20) -> Fraction:
    """Return a drawn multiple of 1/unit."""
    return Fraction(random.randint(low, high), unit)


def law(random: Random, size: int = 3) -> tuple[Fraction, ...]:
    """Return a drawn law without zeros."""
    counts = [random.randint(1, 12) for _ in range(size)]
    return tuple(Fraction(count, sum(counts)) for count in counts)


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
