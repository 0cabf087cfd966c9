"""The last number for which something is proved to hold."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ...reference.dyadic import Dyadic
from ...reference.errors import InputError
from ...reference.precision import check_budget

# What is found lies within this share of the edge: a matter of usefulness, not of privacy.
_NEAR = Fraction(1, 1 << 16)
# Bits of the numbers that are tried, so that what is published is short.
_BITS = 24
# Each step away from the guess squares the factor: past 2^(2^11) nothing holds that is of use.
_MOST_DOUBLINGS = 12
_FIRST_FACTOR = Fraction(9, 8)


def largest_that_holds(holds: Callable[[Fraction], bool], guess: Fraction) -> Fraction:
    """Return a short number for which ``holds`` was True, about the largest one near the guess.

    ``holds`` should be True below some edge and not above it; if it is not, what is returned may
    be far from the best, but has been found to hold. Raises InputError where nothing does.
    """
    low, high = _bracket(holds, _short(guess))
    while high - low > _NEAR * low:
        check_budget()
        middle = _short((low + high) / 2)
        if not low < middle < high:
            break
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def smallest_that_holds(holds: Callable[[Fraction], bool], guess: Fraction) -> Fraction:
    """Return a number for which ``holds`` was True, about the smallest one near the guess."""
    return 1 / largest_that_holds(lambda inverse: holds(1 / inverse), 1 / guess)


def _bracket(holds: Callable[[Fraction], bool], guess: Fraction) -> tuple[Fraction, Fraction]:
    """Return a number that holds and a larger one that does not."""
    factor, here, held = _FIRST_FACTOR, guess, holds(guess)
    for _ in range(_MOST_DOUBLINGS):
        check_budget()
        there = _short(here * factor if held else here / factor)
        if holds(there) != held:
            return (here, there) if held else (there, here)
        here, factor = there, factor**2
    raise InputError("no parameter was found with which these tables keep the budget")


def _short(number: Fraction) -> Fraction:
    """Return a dyadic of few bits, at or below a positive number."""
    short = Dyadic.rounded(number, _BITS, up=False).as_fraction()
    return short if isinstance(short, Fraction) and short > 0 else number
