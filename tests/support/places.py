"""Positive numbers as whole ones that keep their order, so that comparing with thresholds is exact.

The place of x = 2^e (1 + f) is e 2^40 + floor(f 2^40). A threshold is a number with a place of its
own: x lies below it exactly where x's place does. Exact draws have their places decided by balls.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Protocol, TypeAlias

import numpy as np
from flint import arb
from numpy.typing import NDArray
from simplexcert.certify.samplers.distributions import Ends
from simplexcert.reference.arb.balls import working_precision

Places: TypeAlias = NDArray[np.int64]
Balls: TypeAlias = Callable[[int], list[arb]]

_DIGITS = 40
_OCTAVE = 1 << _DIGITS
# What is 0, or no number, has a place below all others.
NOTHING = -(1 << 62)
# The last place of what is less than 1, and one that nothing has.
SHARE = -1
_NO_END = 1 << 62
# The accuracy that leaves one draw in some thousand open, and one that none is left open at.
_FIRST_BITS, _MOST_BITS = 56, 2048
# Thresholds have ten digits after the leading one, and lie between 2^-2^17 and 2^2^12.
_STEP = 1 << (_DIGITS - 10)
_LEAST_OCTAVE, _LARGEST_OCTAVE = -(1 << 17), 1 << 12


class Law(Protocol):
    """A law of positive numbers without atoms."""

    def below(self, point: Fraction) -> Ends: ...


def decided(
    balls: Balls, statistics: Callable[[list[arb]], list[arb]], most: int = _NO_END
) -> list[int]:
    """Return the places of positive statistics of a draw, which is refined until all are known.

    None is beyond the place ``most``: a share's is that before 1, however near to 1 it is.
    """
    bits = _FIRST_BITS
    while bits <= _MOST_BITS:
        with working_precision(bits + 16):
            found = [place_of(one, most) for one in statistics(balls(bits))]
        known = [one for one in found if one is not None]
        if len(known) == len(found):
            return known
        bits *= 2
    raise AssertionError("a place is not decided")


def place_of(ball: arb, most: int = _NO_END) -> int | None:
    """Return the place of a positive number in a ball, if the ball tells it."""
    lower, upper = _place(ball.lower()), _place(ball.upper())
    if lower is not None and lower >= most:
        return most
    return lower if lower == upper else None


def _place(end: arb) -> int | None:
    mantissa, exponent = map(int, end.man_exp())
    if mantissa <= 0:
        return None
    left = _DIGITS + 1 - mantissa.bit_length()
    digits = mantissa << left if left >= 0 else mantissa >> -left
    return ((exponent - left + _DIGITS) << _DIGITS) + digits - _OCTAVE


def places_of_doubles(values: NDArray[np.float64]) -> Places:
    """Return the places of doubles; 0 and NaN are nothing."""
    mantissas, exponents = np.frexp(values)
    digits = np.floor(np.ldexp(2 * mantissas - 1, _DIGITS))
    whole = np.where(values > 0, digits, 0).astype(np.int64)
    found = (exponents.astype(np.int64) - 1) * _OCTAVE + whole
    return np.where(values > 0, found, NOTHING)


def places_of_logs(logarithms: NDArray[np.float64]) -> Places:
    """Return the places of numbers whose logarithms are doubles: nothing underflows."""
    octaves = np.floor(logarithms / np.log(2))
    rest = np.exp2(logarithms / np.log(2) - octaves) - 1
    digits = np.clip(np.floor(np.ldexp(rest, _DIGITS)), 0, _OCTAVE - 1)
    return (octaves * _OCTAVE).astype(np.int64) + digits.astype(np.int64)


def number_at(place: int) -> Fraction:
    """Return the least number at a place."""
    octave, digits = divmod(place, _OCTAVE)
    return Fraction(2) ** octave * Fraction(_OCTAVE + digits, _OCTAVE)


@lru_cache(4096)
def threshold(law: Law, mass: Fraction) -> int:
    """Return the first place, of few digits, with at least so much mass below it."""

    def enough(step: int) -> bool:
        return law.below(number_at(step * _STEP)).lower >= mass

    low, high, width = 0, 0, 1
    while not enough(high):
        low, high, width = high, high + width, 2 * width
        assert high < _LARGEST_OCTAVE * (_OCTAVE // _STEP)
    width = 1
    while enough(low):
        low, high, width = low - width, low, 2 * width
        assert low > _LEAST_OCTAVE * (_OCTAVE // _STEP)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high * _STEP


def words_of(numbers: Sequence[int], length: int) -> NDArray[np.uint8]:
    """Return the binary digits of numbers in [0, 2^length), one number a row, the highest first."""
    octets = b"".join(one.to_bytes(length // 8, "big") for one in numbers)
    return np.unpackbits(np.frombuffer(octets, np.uint8).reshape(-1, length // 8), axis=1)
