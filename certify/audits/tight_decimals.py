"""Decimals of few figures in a row, and where in the row a claim begins or ceases to hold.

Positive decimals of ``FIGURES`` significant figures are numbered by consecutive integers, so that
neighbours differ by one unit of the last figure. Where the search begins is a matter of speed; it
ends at two neighbours of which one keeps the claim and the other does not, whatever the function
between them does.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import floor
from typing import TypeAlias

from ...reference.enclosure import Trilean
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.precision import Budget, BudgetSpentError, seconds_left
from ..mechanisms.questions import Question
from ..mechanisms.truth import Truth, truth_of

# So many figures a person still copies, and the last one gives away less than 1e-11 of the rest.
FIGURES = 12
# No release is drawn from a concentration, a step or a scale beyond these; searches end there.
LEAST, MOST = Fraction(1, 10**15), Fraction(10**15)
_FIRST: int = 10 ** (FIGURES - 1)
_PER_DECADE: int = 9 * _FIRST
# A number that this precision does not tell from the target is taken for equal to it: 600 figures.
_MOST_BITS = 2048

Keeps: TypeAlias = Callable[[Fraction], bool]


def decimal_at(place: int) -> Fraction:
    """Return the decimal of this number; number 0 is 1."""
    decade, above = divmod(place, _PER_DECADE)
    return (_FIRST + above) * _ten_to(decade - FIGURES + 1)


def _ten_to(power: int) -> Fraction:
    return Fraction(10**power) if power >= 0 else Fraction(1, 10**-power)


def place_below(value: Fraction) -> int:
    """Return the number of the largest decimal that is at most a positive ``value``."""
    decade = len(str(value.numerator)) - len(str(value.denominator))
    decade -= _ten_to(decade) > value
    above = floor(value * _ten_to(FIGURES - 1 - decade)) - _FIRST
    return decade * _PER_DECADE + above


def is_kept(question: Question) -> bool:
    """Whether a number is at most what was claimed, and proved to be.

    The same on every machine that has the time: raises BudgetSpentError where this one has not.
    """
    budget = Budget(bits=_MOST_BITS)
    found = truth_of(question, budget)
    if found.above is Trilean.UNKNOWN and not _is_tie(found, budget):
        raise BudgetSpentError(f"{question.key} was not decided in time")
    return found.above is Trilean.FALSE


def _is_tie(found: Truth, budget: Budget) -> bool:
    """Whether all precision was tried, and did not tell the number from what was claimed."""
    in_time = not budget.is_over() and seconds_left() > 0
    return in_time and found.value.is_narrow(DEFAULT_DIGITS)


def last_kept(keeps: Keeps, near: Fraction) -> Fraction | None:
    """Return a decimal that is kept while the next one is not, by steps from ``near`` on.

    ``LEAST`` is kept. None where ``MOST`` and what was tried on the way to it are kept, too.
    """
    least, most = place_below(LEAST), place_below(MOST)
    here, stride = min(max(place_below(near), least), most), 1
    if keeps(decimal_at(here)):
        low, high = here, min(here + stride, most)
        while keeps(decimal_at(high)):
            if high == most:
                return None
            stride *= 2
            low, high = high, min(high + stride, most)
    else:
        high, low = here, max(here - stride, least)
        while low > least and not keeps(decimal_at(low)):
            stride *= 2
            high, low = low, max(low - stride, least)
    return _between(keeps, low, high)


def _between(keeps: Keeps, low: int, high: int) -> Fraction:
    """Return the kept one of two neighbours, from a place that is kept and one that is not."""
    while high - low > 1:
        middle = (low + high) // 2
        if keeps(decimal_at(middle)):
            low = middle
        else:
            high = middle
    return decimal_at(low)


def first_kept(keeps: Keeps, near: Fraction) -> Fraction:
    """Return the first decimal from ``near`` on that is kept; precondition: it is close by."""
    place = place_below(near)
    while not keeps(decimal_at(place)):
        place += 1
    return decimal_at(place)
