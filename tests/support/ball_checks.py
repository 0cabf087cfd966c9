"""What tests say about balls: that two meet, and what a printed number stands for."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from flint import arb
from simplexcert.reference.arb.balls import ball

# Two balls of fewer correct bits overlap too easily to say anything.
NARROW_BITS = 40


def as_ball(value: arb | Fraction) -> arb:
    """Return the ball of a number; a ball is itself."""
    return ball(value) if isinstance(value, Fraction) else value


def meets(first: arb | Fraction, second: arb | Fraction, bits: int = NARROW_BITS) -> bool:
    """Whether two enclosures of one number overlap.

    A wide ball or a NaN overlaps everything, so both have to be narrow first.
    """
    one, other = as_ball(first), as_ball(second)
    narrow = all(x.is_finite() and x.rel_accuracy_bits() >= bits for x in (one, other))
    return narrow and bool(one.overlaps(other))


def printed(text: str) -> arb:
    """Return the ball of the numbers that round to the decimal as it is printed."""
    digits, _, power = text.partition("e")
    half = Fraction(10) ** (int(power or 0) - len(digits.partition(".")[2])) / 2
    return ball(Fraction(text) - half).union(ball(Fraction(text) + half))


def seeded(seed: int | str) -> Random:
    """Return a source of test points, the same every time."""
    return Random(seed)  # noqa: S311
