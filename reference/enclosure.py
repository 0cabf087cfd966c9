"""An enclosure: two exact endpoints that a real number is proved to lie between.

Endpoints are dyadic rationals (or infinite) held as mantissa and exponent, so that e^-10^9 costs
no more than 1/2. Comparisons are exact and three-valued: what the enclosure does not decide is
UNKNOWN, and UNKNOWN cannot be mistaken for a yes or a no.
"""

from __future__ import annotations

import decimal
import enum
import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from .errors import SoundnessError

EXTRA_DIGITS = 2  # printed beyond what was asked, so that printing does not spoil the width
_GUARD_DIGITS = 30
# Powers of ten within which numbers are printed without an exponent.
_SMALLEST_PLAIN_POWER, _LARGEST_PLAIN_POWER = -4, 20


class Trilean(enum.Enum):
    """Yes, no, or not decided. Using one as a condition is an error: ask ``is Trilean.TRUE``."""

    TRUE = "true"
    FALSE = "false"
    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        raise TypeError("a three-valued answer is not a condition; compare it with Trilean.TRUE")

    @classmethod
    def of(cls, value: bool) -> Trilean:
        """Return TRUE or FALSE."""
        return cls.TRUE if value else cls.FALSE


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
        return _plain(_decimal_context(digits, up).plus(self._wide_decimal(digits, up)))

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
    if _leading(first) != _leading(second):
        return one if _leading(first) > _leading(second) else -one
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


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A real number (or +inf) lies in [low, high]; ``exact`` is the number itself where known."""

    low: Dyadic
    high: Dyadic
    exact: Fraction | None = None

    def __post_init__(self) -> None:
        if self.high < self.low:
            raise SoundnessError("an enclosure's lower end lies above its upper end")

    @classmethod
    def of(cls, value: Fraction, bits: int = 128) -> Enclosure:
        """Return the enclosure of a known rational, its ends rounded outward to ``bits``."""
        low, high = Dyadic.rounded(value, bits, up=False), Dyadic.rounded(value, bits, up=True)
        return cls(low, high, value)

    @classmethod
    def infinite(cls) -> Enclosure:
        """Return the answer +inf."""
        return cls(PLUS_INFINITY, PLUS_INFINITY)

    @classmethod
    def nothing_known(cls) -> Enclosure:
        """Return [-inf, inf], what a non-finite ball says."""
        return cls(MINUS_INFINITY, PLUS_INFINITY)

    @property
    def lower(self) -> Fraction | float:
        """The lower end as a Fraction, or a float infinity."""
        return self.low.as_fraction()

    @property
    def upper(self) -> Fraction | float:
        """The upper end as a Fraction, or a float infinity."""
        return self.high.as_fraction()

    def meet(self, other: Enclosure) -> Enclosure:
        """Return the intersection of two enclosures of one number.

        Raises SoundnessError where they do not overlap: then one of them is wrong.
        """
        if not self.overlaps(other):
            raise SoundnessError("two enclosures of one number do not overlap")
        exact = self.exact if self.exact is not None else other.exact
        return Enclosure(max(self.low, other.low), min(self.high, other.high), exact)

    def overlaps(self, other: Enclosure) -> bool:
        """Whether some number lies in both."""
        return self.low <= other.high and other.low <= self.high

    def is_below(self, value: Fraction) -> Trilean:
        """Whether the number is strictly smaller than ``value``."""
        if self.exact is not None:
            return Trilean.of(self.exact < value)
        if self.high.compared_with(value) < 0:
            return Trilean.TRUE
        return Trilean.FALSE if self.low.compared_with(value) >= 0 else Trilean.UNKNOWN

    def is_above(self, value: Fraction) -> Trilean:
        """Whether the number is strictly larger than ``value``."""
        if self.exact is not None:
            return Trilean.of(self.exact > value)
        if self.low.compared_with(value) > 0:
            return Trilean.TRUE
        return Trilean.FALSE if self.high.compared_with(value) <= 0 else Trilean.UNKNOWN

    @property
    def is_point(self) -> bool:
        """Whether the number is known exactly (or is known to be infinite)."""
        return self.exact is not None or self.low == self.high

    def is_narrow(self, digits: int) -> bool:
        """Whether upper - lower <= 10**(1-digits)/2 of the larger end's magnitude.

        The half leaves room for the printed ends, which are rounded outward once more.
        """
        if self.is_point:
            return True
        if not (self.low.is_finite and self.high.is_finite):
            return False
        # Exponents can be astronomical: keep a few more bits than the digits need, no more.
        kept = 4 * digits + 64
        scale = max(_leading(self.low), _leading(self.high)) - kept
        low, high = _shifted(self.low, scale), _shifted(self.high, scale)
        width = high - low + 1  # both were rounded down, by less than one unit
        allowed = max(abs(low), abs(high)) - 1
        return 2 * width * int(10 ** (digits - 1)) <= allowed

    def decimals(self, digits: int) -> tuple[str, str]:
        """Return the ends as decimals of ``digits + 2`` figures, rounded outward."""
        figures = digits + EXTRA_DIGITS
        if self.exact is not None:
            down, up = (_rational_decimal(self.exact, figures, side) for side in (False, True))
            return down, up
        return self.low.decimal(figures, up=False), self.high.decimal(figures, up=True)


def _rational_decimal(value: Fraction, figures: int, up: bool) -> str:
    context = _decimal_context(figures, up)
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    return _plain(context.divide(top, bottom)) if top else "0"


def _leading(end: Dyadic) -> int:
    return end.mantissa.bit_length() + end.exponent


def _shifted(end: Dyadic, scale: int) -> int:
    """Return floor(end / 2**scale) without building more bits than the mantissa has."""
    shift = end.exponent - scale
    if not end.mantissa:
        return 0
    if shift >= 0:
        return end.mantissa << shift
    return end.mantissa >> min(-shift, end.mantissa.bit_length() + 1)
