"""Certified numbers, as doubles for tables and plots."""

from __future__ import annotations

from simplexcert.reference import evaluate

# More than a table shows, and far more than a simulation gives.
DIGITS = 12


def upper(name: str, **given: object) -> float:
    """Return a quantity's proved upper end, to the nearest double.

    Raises DomainError where it has no value.
    """
    answer = evaluate(name, given, digits=DIGITS)
    assert answer.narrow, name
    return float(answer.upper)
