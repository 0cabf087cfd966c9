"""Dyadic rationals: exact endpoints whose size does not depend on how large or small they are.

Mantissa and exponent are kept apart, so that e^-10^9 costs no more than 1/2; comparisons are exact,
and decimals are rounded to a side that is named.
"""

from __future__ import annotations

import decimal
import math
import sys
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

_GUARD_DIGITS = 30
# A fraction of this many bits takes 16 MB; beyond, ends are rounded outward to it.
_LARGEST_FRACTION_EXPONENT = 2**27
# Beyond this binary exponent the decimal module's own range (10^18) would be left; the two powers
# of ten are smaller and larger, in size, than anything there.
_LARGEST_PRINTED_EXPONENT = 3 * 10**17
_LARGEST_PRINTED, _SMALLEST_PRINTED = "1e+90000000000000000", "1e-90000000000000000"
# Powers of ten within which numbers are printed without an exponent.
_SMALLEST_PLAIN_POWER, _LARGEST_PLAIN_POWER = -4, 20


@dataclass(frozen=True, slots=True, eq=False)
class Dyadic:
    """mantissa * 2**exponent, exactly; ``kind`` +1 or -1 stands for an infinity of that sign."""

    mantissa: int
    exponent: int = 0
    kind: int = 0

    @classmethod
    def rounded(cls, value: Fraction, bits: int, up: bool) -> Dyadic:
        """Return the nearest dyadic of at most ``bits`` bits on the chosen side of ``value``."""
        top, bottom = value.numerator, value.denominator
        shift = top.bit_length() - bottom.bit_length() - bits
        if bottom & (bottom - 1) == 0 and top.bit_length() <= bits:
            return cls(top, 1 - bottom.bit_length())
        scaled_top = top << max(-shift, 0)
        scaled_bottom = bottom << max(shift, 0)
        mantissa = -((-scaled_top) // scaled_bottom) if up else scaled_top // scaled_bottom
        return cls(mantissa, shift)

    @property
    def is_finite(self) -> bool:
        """Whether this is a number and not an infinity."""
        return self.kind == 0

    def as_fraction(self) -> Fraction | float:
        """Return the exact value, or a float infinity."""
        if self.kind:
            return self.kind * math.inf
        if self.exponent >= 0:
            return Fraction(self.mantissa << self.exponent)
        return Fraction(self.mantissa, 1 << -self.exponent)

    def outward(self, up: bool) -> Fraction | float:
        """Return the exact value, or, where no fraction could hold it, one on the chosen side."""
        if self.kind or abs(self.exponent) <= _LARGEST_FRACTION_EXPONENT:
            return self.as_fraction()
        if self.mantissa < 0:
            return -Dyadic(-self.mantissa, self.exponent).outward(not up)
        if self.exponent < 0:
            return Dyadic(1, -_LARGEST_FRACTION_EXPONENT).as_fraction() if up else Fraction(0)
        return math.inf if up else Dyadic(1, _LARGEST_FRACTION_EXPONENT).as_fraction()

    def as_float(self, up: bool) -> float:
        """Return the nearest double on the chosen side; one beyond all doubles is an infinity.

        Exactly directed, subnormal results too, and as quick for the largest and smallest numbers.
        """
        if self.kind or not self.mantissa:
            return self.kind * math.inf if self.kind else 0.0
        negative, size = self.mantissa < 0, abs(self.mantissa)
        away = up != negative  # the side of the magnitude
        if leading(self) > sys.float_info.max_exp:
            magnitude = math.inf if away else sys.float_info.max
            return -magnitude if negative else magnitude
        unit = max(leading(self), sys.float_info.min_exp) - sys.float_info.mant_dig
        shift = min(unit - self.exponent, size.bit_length() + 1)
        kept = size << -shift if shift <= 0 else size >> shift
        if away and shift > 0 and size & ((1 << shift) - 1):
            kept += 1
        try:
            magnitude = math.ldexp(kept, unit)
        except OverflowError:  # rounded up to 2^1024
            magnitude = math.inf
        return -magnitude if negative else magnitude

    def compared_with(self, value: Fraction) -> int:
        """-1, 0 or 1 as this endpoint is below, at or above a rational number, exactly."""
        if self.kind:
            return self.kind
        top, bottom = value.numerator, value.denominator
        # self * bottom is dyadic again, and so is top.
        return _compared(Dyadic(self.mantissa * bottom, self.exponent), Dyadic(top))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Dyadic) and _compared(self, other) == 0

    def __lt__(self, other: Dyadic) -> bool:
        return _compared(self, other) < 0

    def __le__(self, other: Dyadic) -> bool:
        return _compared(self, other) <= 0

    def __gt__(self, other: Dyadic) -> bool:
        return _compared(self, other) > 0

    def __ge__(self, other: Dyadic) -> bool:
        return _compared(self, other) >= 0

    def __hash__(self) -> int:
        trailing = (self.mantissa & -self.mantissa).bit_length() - 1 if self.mantissa else 0
        odd = self.mantissa >> trailing
        return hash((odd, self.exponent + trailing if odd else 0, self.kind))

    def decimal(self, digits: int, up: bool) -> str:
        """Return ``digits`` significant decimals rounded up or down; infinities are ``inf``."""
        if self.kind:
            return "inf" if self.kind > 0 else "-inf"
        if self.mantissa == 0:
            return "0"
        if abs(self.exponent) > _LARGEST_PRINTED_EXPONENT:
            return self._beyond_print(up)
        return _plain(_decimal_context(digits, up).plus(self._wide_decimal(digits, up)))

    def _beyond_print(self, up: bool) -> str:
        """Return an outward decimal for what is larger or smaller than decimals are made for."""
        away = up == (self.mantissa > 0)  # whether the magnitude is rounded up
        sign = "" if self.mantissa > 0 else "-"
        if self.exponent > 0:
            return f"{sign}{'inf' if away else _LARGEST_PRINTED}"
        return f"{sign}{_SMALLEST_PRINTED}" if away else "0"

    def _wide_decimal(self, digits: int, up: bool) -> Decimal:
        negative = self.mantissa < 0
        away = up != negative  # the side of the magnitude
        inside = _decimal_context(digits + _GUARD_DIGITS, away)
        power = _power_of_two(abs(self.exponent), digits, away if self.exponent >= 0 else not away)
        magnitude = inside.plus(Decimal(abs(self.mantissa)))
        if self.exponent >= 0:
            result = inside.multiply(magnitude, power)
        else:
            result = inside.divide(magnitude, power)
        return result.copy_negate() if negative else result


def _compared(first: Dyadic, second: Dyadic) -> int:
    """-1, 0 or 1; exact, and cheap however far the exponents are apart."""
    if first.kind or second.kind:
        return (first.kind > second.kind) - (first.kind < second.kind)
    one, two = ((end.mantissa > 0) - (end.mantissa < 0) for end in (first, second))
    if one != two or one == 0:
        return (one > two) - (one < two)
    if leading(first) != leading(second):
        return one if leading(first) > leading(second) else -one
    low = min(first.exponent, second.exponent)
    left, right = (end.mantissa << (end.exponent - low) for end in (first, second))
    return (left > right) - (left < right)


PLUS_INFINITY = Dyadic(0, 0, 1)
MINUS_INFINITY = Dyadic(0, 0, -1)


def _decimal_context(digits: int, up: bool) -> decimal.Context:
    return decimal.Context(
        prec=digits,
        rounding=decimal.ROUND_CEILING if up else decimal.ROUND_FLOOR,
        Emax=decimal.MAX_EMAX,
        Emin=decimal.MIN_EMIN,
        traps=[decimal.InvalidOperation, decimal.Overflow, decimal.DivisionByZero],
    )


def _power_of_two(exponent: int, digits: int, up: bool) -> Decimal:
    """Return 2**exponent by squaring, every product rounded to the same side."""
    context = _decimal_context(digits + _GUARD_DIGITS, up)
    result, base = Decimal(1), Decimal(2)
    while exponent:
        if exponent & 1:
            result = context.multiply(result, base)
        exponent >>= 1
        if exponent:
            base = context.multiply(base, base)
    return result


def _plain(value: Decimal) -> str:
    """Return fixed notation where it is short, scientific elsewhere, without trailing zeros."""
    sign, digits, exponent = value.as_tuple()
    text = "".join(map(str, digits)).rstrip("0")
    point = int(exponent) + len(digits)  # the decimal point stands after this many digits
    if _SMALLEST_PLAIN_POWER <= point - 1 <= _LARGEST_PLAIN_POWER:
        whole, part = text[: max(point, 0)].ljust(max(point, 0), "0"), text[max(point, 0) :]
        body = f"{whole or '0'}.{'0' * max(-point, 0)}{part}" if part else whole or "0"
    else:
        body = f"{text[0]}{'.' + text[1:] if text[1:] else ''}e{point - 1:+d}"
    return f"-{body}" if sign else body


def rational_decimal(value: Fraction, figures: int, up: bool) -> str:
    """Return a rational as decimals of so many figures, rounded up or down."""
    context = _decimal_context(figures, up)
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return _plain(context.divide(top, bottom)) if top else "0"


def leading(end: Dyadic) -> int:
    """Return the position of the leading bit of a finite number other than 0."""
    return end.mantissa.bit_length() + end.exponent
