"""Certified numbers as doubles for tables and plots, and how printed ones are held against them."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

from simplexcert.certify.papers.evidence import NEAREST, how_it_rounds
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import Enclosure

# More than a table shows, and far more than a simulation gives.
DIGITS = 12


def upper(name: str, **given: object) -> float:
    """Return a quantity's proved upper end, to the nearest double.

    Raises DomainError where it has no value.
    """
    answer = evaluate(name, given, digits=DIGITS)
    assert answer.narrow, name
    return float(answer.upper)


def comes_out(printed: str, value: float) -> bool:
    """Whether a printed decimal is the value to the nearest, as the register of claims asks."""
    return how_it_rounds(printed, Enclosure.of(Fraction(value))) == NEAREST


def falls(values: Iterable[float]) -> bool:
    """Whether each value is below the one before it."""
    return all(later < earlier for earlier, later in pairwise(values))
