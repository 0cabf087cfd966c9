"""An enclosure: two exact endpoints that a real number is proved to lie between; arrays of them.

Comparisons are exact and three-valued: what the enclosure does not decide is UNKNOWN, and UNKNOWN
cannot be mistaken for a yes or a no. The entries of a vector or a matrix are enclosed one by one,
in its shape.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from .dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic, leading, rational_decimal
from .errors import SoundnessError

_EXTRA_DIGITS = 2  # printed beyond what was asked, so that printing does not spoil the width
# What people are shown: figures of an end, bits of a known fraction's parts, entries of an array.
_FIGURES_SHOWN, _BITS_SHOWN, _ENTRIES_SHOWN = 10, 64, 3


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
        """Return [-inf, inf], the enclosure of a ball that is not finite."""
        return cls(MINUS_INFINITY, PLUS_INFINITY)

    @property
    def lower(self) -> Fraction | float:
        """The lower end as a Fraction or a float infinity; outward beyond 2**27 bits."""
        return self.low.outward(up=False)

    @property
    def upper(self) -> Fraction | float:
        """The upper end as a Fraction or a float infinity; outward beyond 2**27 bits."""
        return self.high.outward(up=True)

    @property
    def lower_float(self) -> float:
        """The lower end as a double, rounded down."""
        return self.low.as_float(up=False)

    @property
    def upper_float(self) -> float:
        """The upper end as a double, rounded up."""
        return self.high.as_float(up=True)

    def __str__(self) -> str:
        if self.exact is not None and _is_short(self.exact):
            return str(self.exact)
        low, high = self.decimals(_FIGURES_SHOWN - _EXTRA_DIGITS)
        return low if low == high else f"[{low}, {high}]"

    def __repr__(self) -> str:
        return f"Enclosure({self})"

    def _repr_html_(self) -> str:
        return f"<code>{self}</code>"

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
        scale = max(leading(self.low), leading(self.high)) - kept
        low, high = _shifted(self.low, scale), _shifted(self.high, scale)
        width = high - low + 1  # both were rounded down, by less than one unit
        allowed = max(abs(low), abs(high)) - 1
        return 2 * width * int(10 ** (digits - 1)) <= allowed

    def is_at_most_twice(self, other: Enclosure) -> bool:
        """Whether upper - lower is at most twice that of another enclosure.

        False where the two differ by so little that 256 bits of the largest end do not tell.
        """
        if self.is_point:
            return True
        if other.is_point:
            return False
        if not (other.low.is_finite and other.high.is_finite):
            return True
        if not (self.low.is_finite and self.high.is_finite):
            return False
        if (self.low, self.high) == (other.low, other.high):
            return True
        ends = (self.low, self.high, other.low, other.high)
        scale = max(leading(end) for end in ends if end.mantissa) - _BITS_OF_A_WIDTH
        low, high, least, most = (_shifted(end, scale) for end in ends)
        return high - low + 1 <= 2 * (most - least - 1)

    def decimals(self, digits: int) -> tuple[str, str]:
        """Return the ends as decimals of ``digits + 2`` figures, rounded outward."""
        figures = digits + _EXTRA_DIGITS
        if self.exact is not None:
            down, up = (rational_decimal(self.exact, figures, side) for side in (False, True))
            return down, up
        return self.low.decimal(figures, up=False), self.high.decimal(figures, up=True)


def _is_short(value: Fraction) -> bool:
    """Whether a fraction is short enough to be shown as one, in 40 characters or so."""
    return max(value.numerator.bit_length(), value.denominator.bit_length()) <= _BITS_SHOWN


# Published ends have at most 60 figures, 200 bits.
_BITS_OF_A_WIDTH = 256


def _shifted(end: Dyadic, scale: int) -> int:
    """Return floor(end / 2**scale) without building more bits than the mantissa has."""
    shift = end.exponent - scale
    if not end.mantissa:
        return 0
    if shift >= 0:
        return end.mantissa << shift
    return end.mantissa >> min(-shift, end.mantissa.bit_length() + 1)


@dataclass(frozen=True, slots=True)
class Enclosures:
    """The enclosures of the entries of a vector, or of the rows of a matrix, in their order.

    What is asked of it is asked of every entry, and holds where it holds for all of them.
    """

    entries: tuple[Enclosed, ...]

    @property
    def lower(self) -> tuple[Any, ...]:
        """The entries' lower ends, in the shape of the array."""
        return tuple(entry.lower for entry in self.entries)

    @property
    def upper(self) -> tuple[Any, ...]:
        """The entries' upper ends, in the shape of the array."""
        return tuple(entry.upper for entry in self.entries)

    @property
    def lower_float(self) -> tuple[Any, ...]:
        """The entries' lower ends as doubles, rounded down, in the shape of the array."""
        return tuple(entry.lower_float for entry in self.entries)

    @property
    def upper_float(self) -> tuple[Any, ...]:
        """The entries' upper ends as doubles, rounded up, in the shape of the array."""
        return tuple(entry.upper_float for entry in self.entries)

    def __str__(self) -> str:
        first = ", ".join(map(str, self.entries[:_ENTRIES_SHOWN]))
        more = len(self.entries) > _ENTRIES_SHOWN
        return f"[{first}{f', ... ({len(self.entries)} entries)' if more else ''}]"

    def __repr__(self) -> str:
        return f"Enclosures({self})"

    def _repr_html_(self) -> str:
        return f"<code>{self}</code>"

    @property
    def exact(self) -> tuple[Any, ...] | None:
        """The entries themselves, where all of them are known rationals."""
        found = tuple(entry.exact for entry in self.entries)
        return None if None in found else found

    def is_narrow(self, digits: int) -> bool:
        """Whether every entry is narrow, measured by its own size."""
        return all(entry.is_narrow(digits) for entry in self.entries)

    def decimals(self, digits: int) -> tuple[list[Any], list[Any]]:
        """Return the lower and the upper ends as decimals, in the shape of the array."""
        pairs = [entry.decimals(digits) for entry in self.entries]
        return [low for low, _ in pairs], [high for _, high in pairs]

    def overlaps(self, other: Enclosed) -> bool:
        """Whether the shapes are the same, and each entry overlaps its own counterpart."""
        return (
            isinstance(other, Enclosures)
            and len(self.entries) == len(other.entries)
            and all(map(overlap, self.entries, other.entries))
        )


# A number's enclosure, a vector's or a matrix's.
Enclosed: TypeAlias = "Enclosure | Enclosures"
Place: TypeAlias = tuple[int, ...]


def overlap(one: Enclosed, other: Enclosed) -> bool:
    """Whether two enclosures could be of the same number or array."""
    if Enclosure.nothing_known() in (one, other):
        return True
    if isinstance(one, Enclosure):
        return isinstance(other, Enclosure) and one.overlaps(other)
    return one.overlaps(other)


def met(found: Enclosed, known: Enclosed) -> Enclosed:
    """Return the intersection of two enclosures; one of a number holds for every entry of an array.

    Raises SoundnessError where they do not overlap, or have other shapes: then one is wrong.
    """
    if isinstance(found, Enclosure) and isinstance(known, Enclosure):
        return found.meet(known)
    if isinstance(found, Enclosure):
        return met(known, found)
    if known == Enclosure.nothing_known():
        return found  # for a million entries that is worth saying
    if isinstance(known, Enclosure):
        return Enclosures(tuple(met(entry, known) for entry in found.entries))
    if not found.overlaps(known):
        raise SoundnessError("two enclosures of one array do not overlap")
    return Enclosures(tuple(map(met, found.entries, known.entries)))


def mapped(change: Callable[[Any], Enclosure], found: Any) -> Enclosed:
    """Return the enclosure of a number, or those of a nested sequence of numbers in its shape."""
    if isinstance(found, tuple | list):
        return Enclosures(tuple(mapped(change, item) for item in found))
    return change(found)


def entries_of(found: Enclosed, place: Place = ()) -> Iterator[tuple[Place, Enclosure]]:
    """Yield every entry of an array with its place, counted from 1; a number's place is ()."""
    if isinstance(found, Enclosure):
        yield place, found
        return
    for at, entry in enumerate(found.entries, 1):
        yield from entries_of(entry, (*place, at))


def entry_at(found: Enclosed, place: Place) -> Enclosure:
    """Return the entry of an array at a place, counted from 1. Raises LookupError if none is."""
    for at in place:
        if isinstance(found, Enclosure) or not 1 <= at <= len(found.entries):
            raise LookupError(f"there is no entry {place}")
        found = found.entries[at - 1]
    if not isinstance(found, Enclosure):
        raise LookupError(f"there is more than one entry at {place}")  # noqa: TRY004
    return found


def number_in(found: Enclosed) -> Enclosure:
    """Return the enclosure of a number. Raises TypeError for those of an array."""
    if isinstance(found, Enclosures):
        raise TypeError("this is an array, not a number")
    return found


def largest_size(found: Enclosed) -> Enclosure:
    """Enclose the largest absolute value of the entries."""
    sizes = [_size(entry) for _, entry in entries_of(found)]
    return Enclosure(max(size.low for size in sizes), max(size.high for size in sizes))


def _size(entry: Enclosure) -> Enclosure:
    zero = Dyadic(0)
    if entry.low >= zero:
        return entry
    return Enclosure(max(zero, _negative(entry.high)), max(_negative(entry.low), entry.high))


def _negative(end: Dyadic) -> Dyadic:
    return Dyadic(-end.mantissa, end.exponent, -end.kind)
