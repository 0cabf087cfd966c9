"""The grid of a release: multiples of a power of two, which was fixed before the draw.

It is public: what the claim file asks for, or the usual one for the mechanism and its noise.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, exact_number, exact_text, shown
from ..mechanisms import MECHANISMS, mechanism_named
from ..mechanisms.public import GRID_BITS

# Multiples of 2^-bits. On the simplex the coarsest grid has a point between 0 and 1; a noisy number
# may be as large as the data's, so its grid may be coarser than whole numbers. The finest is far
# below anything that a double tells apart, and its decimals still fit on a few lines.
LEAST_BITS: Final = 1
LEAST_BITS_OF_NOISE: Final = -64
MOST_BITS: Final = 256
# As fine as a double between 1/2 and 1.
_ON_THE_SIMPLEX: Final = 53
# A grid step is a 2^-30th of the noise's scale: rounding moves nothing that noise does not hide.
_BELOW_THE_SCALE: Final = 30


def is_noise(mechanism: str) -> bool:
    """Whether it adds noise to numbers, instead of drawing from the simplex; none that is known."""
    return mechanism in MECHANISMS and mechanism_named(mechanism).noise


def least_bits(mechanism: str) -> int:
    """Return the bits of the coarsest grid of a mechanism."""
    return LEAST_BITS_OF_NOISE if is_noise(mechanism) else LEAST_BITS


def grid_text(bits: int) -> str:
    """Return the grid of multiples of 2^-bits as exact text."""
    return exact_text(Fraction(1, 2**bits) if bits >= 0 else Fraction(2**-bits))


def grid_said(text: str) -> str:
    """Return a grid as people write it, 2^-53, of the exact text of one."""
    step = exact_number(text, "the grid")
    power = step.numerator.bit_length() - step.denominator.bit_length()
    return f"2^{power}" if Fraction(2) ** power == step else text


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


def chosen_bits(output: Mapping[str, Any], mechanism: str, where: str) -> int | None:
    """Return the grid that a claim file asks for, None if it leaves it open. Raises InputError."""
    if GRID_BITS not in output:
        return None
    bits = exact_integer(output[GRID_BITS], f"{where}: {GRID_BITS}")
    _require_known(bits, mechanism, f"{where}: {GRID_BITS} = {shown(bits)}")
    return bits


def usual_bits(scale: Fraction | None, mechanism: str, where: str) -> int:
    """Return the bits of the usual grid for noise of a scale, or for the simplex.

    No private value goes into it. Raises DomainError where that is no grid of a release.
    """
    if scale is None:
        return _ON_THE_SIMPLEX
    bits = _bits_below(scale)
    _require_known(
        bits,
        mechanism,
        f"{where}: the usual grid for the scale has {GRID_BITS} = {bits}; give one",
    )
    return bits


def _require_known(bits: int, mechanism: str, said: str) -> None:
    least = least_bits(mechanism)
    if not least <= bits <= MOST_BITS:
        kind = "noisy numbers" if is_noise(mechanism) else "points of the simplex"
        raise DomainError(f"{said}, but {kind} have a grid of {least} to {MOST_BITS} bits")


def _bits_below(scale: Fraction) -> int:
    """Return the least b with 2^-b at most scale * 2^-30."""
    wanted = Fraction(2**_BELOW_THE_SCALE) / scale
    # Within one of the logarithm, from below; one step is left at most.
    bits = wanted.numerator.bit_length() - wanted.denominator.bit_length() - 1
    while Fraction(2) ** bits < wanted:
        bits += 1
    return bits
