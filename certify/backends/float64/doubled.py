"""Numbers as unevaluated sums of two doubles, for what one double cannot tell apart.

All operations are elementwise on arrays. ``two_sum`` is Knuth's, ``two_product`` Dekker's with
Veltkamp's splitting (no fused multiply-add is needed); both are exact while nothing under- or
overflows, which holds for magnitudes between 1e-140 and 1e140. Source: Dekker 1971, "A floating-
point technique for extending the available precision".
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

Reals: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]
Indices: TypeAlias = NDArray[np.intp]
Doubled: TypeAlias = tuple[Reals, Reals]

UNIT = 2.0**-53  # the unit round-off of a double
_LARGEST = Fraction(np.finfo(np.float64).max)
_SPLITTER = 2.0**27 + 1.0  # halves of 26 bits each, whose products are exact
_STEPS = 32  # entries of the table of powers of two: the reduced argument is below log(2)/64
_DECIMALS = 60
# k log(2)/32 is subtracted in three pieces; k has at most 11 bits for arguments down to -32, so
# that k times a piece of 40 bits is exact.
_PIECE_BITS = 45  # absolute: log(2)/32 < 2**-5


def unboxed(*given: Reals) -> tuple[Reals, ...]:
    """Return arrays of one element as floats: the same sums and products, and no call of NumPy.

    A quotient by 0 is an error of theirs.
    """
    if any(each.size != 1 for each in given):
        return given
    return tuple(cast("Reals", each.item()) for each in given)


def two_sum(left: Reals, right: Reals) -> Doubled:
    """Return the rounded sum and what the rounding dropped, exactly."""
    total = left + right
    part = total - left
    return total, (left - (total - part)) + (right - part)


def two_product(left: Reals, right: Reals) -> Doubled:
    """Return the rounded product and what the rounding dropped, exactly."""
    product = left * right
    left_high, left_low = _halves(left)
    right_high, right_low = _halves(right)
    dropped = left_high * right_high - product
    dropped = dropped + left_high * right_low + left_low * right_high
    return product, dropped + left_low * right_low


def _halves(value: Reals) -> Doubled:
    scaled = _SPLITTER * value
    high = scaled - (scaled - value)
    return high, value - high


def normalised(high: Reals, low: Reals) -> Doubled:
    """Return the same sum with its rounded value in front; |high| must not be below |low|."""
    total = high + low
    return total, low - (total - high)


def plus(left: Doubled, right: Doubled) -> Doubled:
    """Return the sum, to about 2**-104 of the larger operand."""
    high, low = two_sum(left[0], right[0])
    return normalised(high, low + (left[1] + right[1]))


def times(left: Doubled, right: Doubled) -> Doubled:
    """Return the product, to about 2**-102 relative."""
    high, low = two_product(left[0], right[0])
    return normalised(high, low + (left[0] * right[1] + left[1] * right[0]))


def over(top: Doubled, bottom: Doubled) -> Doubled:
    """Return the quotient, to about 2**-102 relative."""
    high = top[0] / bottom[0]
    product, dropped = two_product(high, bottom[0])
    rest = ((top[0] - product) - dropped) + (top[1] - high * bottom[1])
    return normalised(high, rest / bottom[0])


def single(value: Reals) -> Doubled:
    """Return one double as a sum of two."""
    return value, np.zeros_like(value)


def quotient(top: Reals, bottom: Reals) -> Doubled:
    """Return top/bottom of positive doubles of any size, to about 2**-102 relative.

    The mantissas are divided, so that no product under- or overflows on the way.
    """
    top_part, top_scale = np.frexp(top)
    bottom_part, bottom_scale = np.frexp(bottom)
    high, low = over(single(top_part), single(bottom_part))
    shift = top_scale - bottom_scale
    return np.ldexp(high, shift), np.ldexp(low, shift)


def rounded_towards(value: Fraction, towards: float) -> float:
    """Return the double next to a value on the side of ``towards``, the value itself if it is."""
    if value > _LARGEST:
        return float(_LARGEST) if towards < 0 else np.inf
    nearest = float(value)
    wrong = nearest > value if towards < 0 else nearest < value
    return float(np.nextafter(nearest, towards)) if wrong else nearest


def _pieces_of_step() -> tuple[float, float, float]:
    """Return log(2)/32 as a sum of three doubles, the first two short enough to multiply."""
    with localcontext() as context:
        context.prec = _DECIMALS
        rest = Decimal(2).ln() / _STEPS
        pieces = []
        for bits in (_PIECE_BITS, 2 * _PIECE_BITS):
            scale = Decimal(2) ** bits
            piece = (rest * scale).to_integral_value() / scale
            pieces.append(float(piece))
            rest -= piece
        return pieces[0], pieces[1], float(rest)


def _table_of_powers() -> Doubled:
    """Return 2**(j/32), j = 0..31, as sums of two doubles."""
    with localcontext() as context:
        context.prec = _DECIMALS
        powers = [Decimal(2) ** (Decimal(step) / _STEPS) for step in range(_STEPS)]
        high = [float(power) for power in powers]
        low = [float(power - Decimal(top)) for power, top in zip(powers, high, strict=True)]
    return np.array(high), np.array(low)


_FIRST, _SECOND, _THIRD = _pieces_of_step()
_POWERS, _POWERS_LOW = _table_of_powers()
# 1/2!, ..., 1/7!: the next term of exp is below 0.0109**8/8! < 5e-21.
_TAYLOR = (1 / 5040, 1 / 720, 1 / 120, 1 / 24, 1 / 6, 1 / 2)


def exp_minus(argument: Doubled) -> Doubled:
    """Return exp(-argument) for 0 <= argument <= 32, to about 2**-62 relative.

    exp = 2**(k/32) exp(r), |r| <= log(2)/64; r is kept in two doubles and exp(r) - 1 - r, which
    is below 6e-5, in one.
    """
    steps = np.rint(-argument[0] / (_FIRST + _SECOND))
    near = -argument[0] - steps * _FIRST
    rest, low = two_sum(near, -steps * _SECOND)
    low = low - steps * _THIRD - argument[1]
    tail = np.full_like(rest, _TAYLOR[0])
    for coefficient in _TAYLOR[1:]:
        tail = tail * rest + coefficient
    bent = rest * rest * tail
    growth = normalised(rest, bent + low * (1.0 + rest + bent))
    whole = steps.astype(np.int64)
    power = (_POWERS[whole % _STEPS], _POWERS_LOW[whole % _STEPS])
    high, low = plus(power, times(power, growth))
    scale = whole // _STEPS
    return np.ldexp(high, scale), np.ldexp(low, scale)
