"""The grid of a made release: its values are multiples of a power of two, written exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ...reference.errors import InputError
from ...reference.exact import exact_number, exact_text, shown
from ..mechanisms import MECHANISMS, mechanism_named
from ..mechanisms.protocol import Shape

# Multiples of 2^-bits. On the simplex the coarsest grid has a point between 0 and 1; a noisy number
# may be as large as the data's, so its grid may be coarser than whole numbers. The finest is far
# below anything that a double tells apart, and its decimals still fit on a few lines.
LEAST_BITS: Final = 1
LEAST_BITS_OF_NOISE: Final = -64
MOST_BITS: Final = 256


def shape_of(mechanism: str) -> Shape:
    """Return what its releases look like; one row of the simplex where no mechanism has the name.

    Such a release is refused by its claim.
    """
    return mechanism_named(mechanism).shape if mechanism in MECHANISMS else Shape()


def is_noise(mechanism: str) -> bool:
    """Whether the mechanism adds noise to numbers, instead of drawing from the simplex."""
    return shape_of(mechanism).noise


def least_bits(mechanism: str) -> int:
    """Return the bits of the coarsest grid of a mechanism."""
    return LEAST_BITS_OF_NOISE if is_noise(mechanism) else LEAST_BITS


def grid_text(bits: int) -> str:
    """Return the grid of multiples of 2^-bits as exact text."""
    return exact_text(Fraction(1, 2**bits) if bits >= 0 else Fraction(2**-bits))


def grid_in(text: str, mechanism: str) -> Fraction:
    """Return the grid that a text names. Raises InputError where no release has such a one."""
    known = {grid_text(bits) for bits in range(least_bits(mechanism), MOST_BITS + 1)}
    if text not in known:
        raise InputError(f"the grid {shown(text)} is not one that a release has")
    return exact_number(text, "the grid")


def decimal_text(value: Fraction) -> str:
    """Return a dyadic number as the decimal that it exactly is, without zeros at its end."""
    places = value.denominator.bit_length() - 1
    if value.denominator != 1 << places:
        raise ValueError("no finite decimal is meant here")
    digits = exact_text(Fraction(abs(value.numerator) * 5**places)).rjust(places + 1, "0")
    whole, part = digits[: len(digits) - places], digits[len(digits) - places :]
    return f"{'-' * (value < 0)}{whole}{'.' * bool(part)}{part}"


def multiple_in(text: str, grid: Fraction, where: str) -> Fraction:
    """Return the multiple of the grid that a decimal is. Raises InputError where it is none.

    It has to be written as it always is: no exponent, no fraction, no zero that says nothing.
    """
    value = exact_number(text, where)
    if (value / grid).denominator != 1 or decimal_text(value) != text:
        raise InputError(
            f"{where} holds a number that is no multiple of its grid, as it is written"
        )
    return value
