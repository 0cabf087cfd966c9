"""What is known of a mean error without any draw: an exact value, or a proved bound."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final

from ...reference.enclosure import Enclosure
from ...reference.errors import InputError
from ...reference.evaluation import evaluate
from ...reference.precision import Budget, BudgetSpentError

# Eight digits are far more than a simulation gives.
DIGITS: Final = 8
# For one quantity; what is not known by then is told as not known.
SECONDS: Final = 20.0


class Kind(Enum):
    """What is known of a mean."""

    EXACT = "exact"
    UPPER = "upper bound"
    LOWER = "lower bound"


@dataclass(frozen=True)
class Expected:
    """Proved: the mean of ``error`` is at least ``low`` and at most ``high``; None is no end.

    Both None where nothing could be had, for the reason ``why_not``. ``what`` is a quantity's name
    or a formula, ``source`` who proved it.
    """

    error: str
    kind: Kind
    what: str
    source: str
    low: Fraction | None = None
    high: Fraction | None = None
    why_not: str = ""

    @property
    def known(self) -> bool:
        """Whether there is a number."""
        return self.low is not None or self.high is not None


@dataclass(frozen=True)
class Stated:
    """The claim to be made of a mean, before its number is worked out."""

    error: str
    kind: Kind
    what: str
    source: str

    def by(self, ends: Callable[[], tuple[Fraction, Fraction]]) -> Expected:
        """Return what is known, or why nothing is."""
        said = self.error, self.kind, self.what, self.source
        try:
            low, high = ends()
        except (InputError, BudgetSpentError) as error:
            return Expected(*said, why_not=str(error))
        return Expected(
            *said,
            None if self.kind is Kind.UPPER else low,
            None if self.kind is Kind.LOWER else high,
        )


def quantity_ends(name: str, given: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """Return a quantity's enclosure; of a vector, that of its entries' mean. Raises InputError."""
    answer = evaluate(name, given, digits=DIGITS, budget=Budget(seconds=SECONDS))
    return _mean_of(answer.lower), _mean_of(answer.upper)


def _mean_of(ends: Any) -> Fraction:
    entries = ends if isinstance(ends, tuple) else (ends,)
    if not all(isinstance(end, Fraction) for end in entries):
        raise BudgetSpentError("it was not bounded in time, or is infinite")
    return sum(entries, Fraction(0)) / len(entries)


def of_quantity(error: str, kind: Kind, name: str, given: dict[str, Any]) -> Expected:
    """Return what a quantity of the registry says of a mean."""
    from ...reference.quantity import quantity_named

    stated = Stated(error, kind, name, quantity_named(name).source)
    return stated.by(lambda: quantity_ends(name, given))


def mean_of_ends(
    ends: Iterable[tuple[Fraction, Fraction]],
) -> tuple[Fraction, Fraction]:
    """Return the mean of several enclosures, end by end."""
    found = list(ends)
    lows, highs = zip(*found, strict=True)
    return sum(lows, Fraction(0)) / len(found), sum(highs, Fraction(0)) / len(found)


def ends_of(value: Enclosure) -> tuple[Fraction, Fraction]:
    """Return the ends of an enclosure. Raises BudgetSpentError where one is infinite."""
    return _mean_of(value.lower), _mean_of(value.upper)
