"""Points of an axis, FROM:TO:STEPS or FROM:TO:STEPS:log: exact, both ends included."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Context, Decimal
from fractions import Fraction
from typing import Final

from ...reference.errors import InputError
from ...reference.exact import exact_integer, exact_number, shown
from ...reference.grids import MAX_POINTS

# Points between the ends have so many significant digits; where they lie is a matter of looks.
FIGURES: Final = 12
_GUARD_DIGITS: Final = 20
# Both ends.
_LEAST_STEPS: Final = 2
_AXIS: Final = re.compile(r"([^:]+):([^:]+):([^:]+?)(:log)?")
_FORM: Final = "FROM:TO:STEPS or FROM:TO:STEPS:log"


def spaced(name: str, text: str, *, whole: bool = False) -> tuple[Fraction, ...]:
    """Return the points that an axis is, even in value, or in logarithm where it ends in ``:log``.

    The ends are as given, the points between them rounded to 12 significant digits, or, where
    ``whole``, to whole numbers. Raises InputError.
    """
    found = _AXIS.fullmatch(text.strip())
    if found is None:
        raise InputError(f"{name}: {shown(text)} is not of the form {_FORM}")
    start, end = (
        exact_number(found[at], f"{name} {word}") for at, word in ((1, "FROM"), (2, "TO"))
    )
    steps = exact_integer(found[3], f"{name} STEPS")
    if not _LEAST_STEPS <= steps <= MAX_POINTS:
        raise InputError(
            f"{name}: {shown(steps)} steps; ask for {_LEAST_STEPS} to {MAX_POINTS}, ends included"
        )
    if found[4] and not (start > 0 and end > 0):
        raise InputError(f"{name}: an axis that is even in logarithm has ends above 0")
    between = _by_ratio(start, end, steps) if found[4] else _by_value(start, end, steps)
    points = (start, *(_rounded(point, whole=whole) for point in between), end)
    if len(set(points)) < steps:
        raise InputError(f"{name}: {shown(text)} has points that are equal; ask for fewer steps")
    return points


def _by_value(start: Fraction, end: Fraction, steps: int) -> Iterator[Fraction]:
    for at in range(1, steps - 1):
        yield start + (end - start) * Fraction(at, steps - 1)


def _by_ratio(start: Fraction, end: Fraction, steps: int) -> Iterator[Fraction]:
    context = Context(prec=FIGURES + _GUARD_DIGITS)
    low, high = (context.ln(_decimal(value, context)) for value in (start, end))
    for at in range(1, steps - 1):
        share = context.divide(Decimal(at), Decimal(steps - 1))
        here = context.add(low, context.multiply(context.subtract(high, low), share))
        yield Fraction(context.exp(here))


def _rounded(point: Fraction, *, whole: bool) -> Fraction:
    return Fraction(round(point)) if whole else Fraction(_decimal(point, Context(prec=FIGURES)))


def _decimal(value: Fraction, context: Context) -> Decimal:
    return context.divide(Decimal(value.numerator), Decimal(value.denominator))
