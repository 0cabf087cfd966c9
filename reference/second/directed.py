"""Spans: intervals of MPFR numbers whose every operation rounds its ends outward.

MPFR rounds each of its functions correctly in a chosen direction (Fousse et al. 2007, "MPFR: a
multiple-precision binary floating-point library with correct rounding"), so a span of what is
computed contains what is meant. All arithmetic goes through the methods of two private contexts
per precision: the caller's gmpy2 context is neither read nor changed. The bare operators of mpfr
numbers would round to that context, usually 53 bits, and are used nowhere here.

Exponents end near 2**30. What is smaller becomes [0, tiny], what is larger [huge, inf], and what
is not a number [-inf, inf]: always true, if not always narrow.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Any, TypeAlias

import gmpy2
from gmpy2 import mpfr, mpz

from ..dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from ..enclosure import Enclosure
from ..precision import check_budget

if TYPE_CHECKING:
    from collections.abc import Callable

# gmpy2 ships no types: a context is a bundle of a precision and a direction of rounding.
Rounding: TypeAlias = Any

# log Gamma falls up to its minimum at 1.46163..., where it is -0.121486290535849..., then rises.
_LGAMMA_FALLS_TO = Fraction(146_163, 100_000)
_LGAMMA_RISES_FROM = Fraction(146_164, 100_000)
_LGAMMA_LEAST = Fraction(-121_486_290_535_850, 10**15)
# MPFR's log Gamma takes seconds from here on, minutes at twice that, and cannot be interrupted.
_MAX_GAMMA_BITS = 16_384
# Kept pairs of contexts: one for each precision in use; a ladder has a dozen rungs.
_PAIRS_KEPT = 64


class OutOfReachError(ArithmeticError):
    """Nothing can be said: a series is too long, or a number is outside MPFR's exponents."""


def or_nothing(opinion: Callable[..., Enclosure]) -> Callable[..., Enclosure]:
    """Let what is out of reach be answered by the enclosure that says nothing."""

    @wraps(opinion)
    def answer(*given: Any, **named: Any) -> Enclosure:
        try:
            return opinion(*given, **named)
        # What a double cannot hold, or holds as 0, can only have served to choose where to look.
        except (OutOfReachError, OverflowError, ZeroDivisionError):
            return Enclosure.nothing_known()

    return answer


@lru_cache(maxsize=_PAIRS_KEPT)
def roundings(bits: int) -> tuple[Rounding, Rounding]:
    """Return the contexts that round down and up to ``bits``."""
    down = gmpy2.context(precision=bits, round=gmpy2.RoundDown)
    return down, gmpy2.context(precision=bits, round=gmpy2.RoundUp)


@dataclass(frozen=True, slots=True)
class Span:
    """A real number lies in [low, high]; operations work at the wider operand's precision."""

    low: mpfr
    high: mpfr

    @classmethod
    def of(cls, value: Fraction | int, bits: int) -> Span:
        """Return the span of a rational number, a point where ``bits`` bits hold it."""
        return cls.of_ratio(value.numerator, value.denominator, bits)

    @classmethod
    def of_ratio(cls, top: int, bottom: int, bits: int) -> Span:
        """Return the span of a quotient of integers, reduced or not."""
        down, up = roundings(bits)
        numerator, denominator = mpz(top), mpz(bottom)
        return _span(down.div(numerator, denominator), up.div(numerator, denominator))

    @property
    def bits(self) -> int:
        """The precision of the ends."""
        return max(int(self.low.precision), int(self.high.precision))

    @property
    def sign(self) -> int:
        """1 or -1 where the number's sign is proved, 0 where it is not."""
        return int(self.low > 0) - int(self.high < 0)

    @property
    def middle(self) -> float:
        """Some float near the middle, for choosing where to look next; it proves nothing."""
        low, high = _near(self.low), _near(self.high)
        return low / 2 + high / 2 if math.isfinite(low) and math.isfinite(high) else low

    @property
    def low_fraction(self) -> Fraction:
        """The lower end exactly, which must be finite."""
        mantissa, exponent = self.low.as_mantissa_exp()
        return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)

    @property
    def high_fraction(self) -> Fraction:
        """The upper end exactly, which must be finite."""
        return -(-self).low_fraction

    def __neg__(self) -> Span:
        down, up = roundings(self.bits)
        return _span(down.minus(self.high), up.minus(self.low))

    def __add__(self, other: Span) -> Span:
        down, up = _shared(self, other)
        return _span(down.add(self.low, other.low), up.add(self.high, other.high))

    def __sub__(self, other: Span) -> Span:
        down, up = _shared(self, other)
        return _span(down.sub(self.low, other.high), up.sub(self.high, other.low))

    def __mul__(self, other: Span) -> Span:
        down, up = _shared(self, other)
        if self.low > 0 and other.low > 0:  # as in most places, and four times as fast
            return _span(down.mul(self.low, other.low), up.mul(self.high, other.high))
        return _hull(
            [down.mul(x, y) for x in self._ends() for y in other._ends()],
            [up.mul(x, y) for x in self._ends() for y in other._ends()],
        )

    def __truediv__(self, other: Span) -> Span:
        if other.sign == 0:
            return _span(gmpy2.nan(), gmpy2.nan())
        down, up = _shared(self, other)
        return _hull(
            [down.div(x, y) for x in self._ends() for y in other._ends()],
            [up.div(x, y) for x in self._ends() for y in other._ends()],
        )

    def _ends(self) -> tuple[mpfr, mpfr]:
        return self.low, self.high

    def exp(self) -> Span:
        """Enclose e to this power."""
        return self._increasing("exp")

    def expm1(self) -> Span:
        """Enclose e to this power, less 1."""
        return self._increasing("expm1")

    def log(self) -> Span:
        """Enclose the natural logarithm; nothing is known if the span leaves [0, inf]."""
        return self._increasing("log")

    def log1p(self) -> Span:
        """Enclose log(1 + this); nothing is known if the span leaves [-1, inf]."""
        return self._increasing("log1p")

    def digamma(self) -> Span:
        """Enclose psi, which increases on the positive numbers; elsewhere nothing is known."""
        if self.sign <= 0:
            return _span(gmpy2.nan(), gmpy2.nan())
        if self.bits > _MAX_GAMMA_BITS:
            raise OutOfReachError
        check_budget()
        return self._increasing("digamma")

    def lgamma(self) -> Span:
        """Enclose log Gamma of a positive number; elsewhere nothing is known.

        It falls, then rises; a span across the minimum is bounded below by the minimum.
        """
        if self.sign <= 0:
            return _span(gmpy2.nan(), gmpy2.nan())
        if self.bits > _MAX_GAMMA_BITS:
            raise OutOfReachError
        check_budget()
        if self.low >= _LGAMMA_RISES_FROM:
            return self._increasing("lngamma")
        down, up = roundings(self.bits)
        if self.high <= _LGAMMA_FALLS_TO:
            return _span(down.lngamma(self.high), up.lngamma(self.low))
        least = Span.of(_LGAMMA_LEAST, self.bits).low
        return _hull([least], [up.lngamma(self.low), up.lngamma(self.high)])

    def _increasing(self, name: str) -> Span:
        down, up = roundings(self.bits)
        return _span(getattr(down, name)(self.low), getattr(up, name)(self.high))

    def is_within(self, bits: int) -> bool:
        """Whether the span is narrower than 2**-bits of its larger end."""
        down, up = roundings(self.bits)
        largest = max(down.abs(self.low), down.abs(self.high))
        width = up.sub(self.high, self.low)
        return bool(gmpy2.is_finite(width) and width <= down.div_2exp(largest, bits))

    def enclosure(self, power: int = 0) -> Enclosure:
        """Return the span times 2**power with exact ends."""
        return Enclosure(_dyadic(self.low, power), _dyadic(self.high, power))

    def exp_enclosure(self) -> Enclosure:
        """Enclose e to this power even where its exponent is beyond MPFR's."""
        if not (gmpy2.is_finite(self.low) and gmpy2.is_finite(self.high)):
            return self.exp().enclosure()
        log_two = Span.of(2, self.bits).log()
        # int() of an mpfr rounds as the caller's context says.
        numerator, denominator = (self / log_two).low.as_integer_ratio()
        power = int(numerator // denominator)
        return (self - Span.of(power, self.bits) * log_two).exp().enclosure(power)


def _near(end: mpfr) -> float:
    """Return some float near an end, the largest there is where it is finite and larger."""
    # float() of an mpfr rounds as the caller's context says, unless 53 bits hold the number.
    short, _ = roundings(53)
    found = float(short.plus(end))
    if math.isinf(found) and gmpy2.is_finite(end):
        return math.copysign(sys.float_info.max, found)
    return found


def _shared(first: Span, second: Span) -> tuple[Rounding, Rounding]:
    return roundings(max(first.bits, second.bits))


def _span(low: mpfr, high: mpfr) -> Span:
    """Return the span between two ends; an end that is not a number says nothing."""
    if gmpy2.is_nan(low) or gmpy2.is_nan(high):
        bits = max(low.precision, high.precision)
        return Span(mpfr("-inf", bits), mpfr("inf", bits))
    return Span(low, high)


def _hull(lows: list[mpfr], highs: list[mpfr]) -> Span:
    # min and max drop what is not a number, which a product of 0 and inf is.
    if any(gmpy2.is_nan(end) for end in lows):
        return _span(gmpy2.nan(), gmpy2.nan())
    return _span(min(lows), max(highs))


def _dyadic(end: mpfr, power: int) -> Dyadic:
    if gmpy2.is_infinite(end):
        return PLUS_INFINITY if end > 0 else MINUS_INFINITY
    mantissa, exponent = end.as_mantissa_exp()
    return Dyadic(int(mantissa), int(exponent) + power)


def hull(first: Span, second: Span) -> Span:
    """Return the least span that contains both."""
    return _hull([first.low, second.low], [first.high, second.high])


def sharpened(bits: int, enclose_at: Callable[[int], Span]) -> Span:
    """Enclose with about ``bits`` correct bits what an expression that cancels is worth.

    The precision is doubled until that many bits are left, three times at most: what cancels more
    is left to the ladder.
    """
    precision = bits + 32
    for _ in range(3):
        found = enclose_at(precision)
        if found.is_within(bits):
            return found
        precision *= 2
    return enclose_at(precision)
