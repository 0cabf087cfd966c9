"""Read an input that is made up or public, for a simulation, and what is drawn at it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_integer, exact_number, shown
from .plan import NoisePlan, Row, SimplexPlan

# Entries of one draw: a matrix of 1,000 states, the most that the reference takes.
MOST_ENTRIES: Final = 1_000_000
A_VECTOR: Final = 'shares that sum to 1, such as ["1/2", "0.3", "0.2"]'
COUNTS: Final = "counts, such as [8, 20, 20, 25, 25]"


def items_in(value: Any, what: str) -> Sequence[object]:
    """Return the entries of a list. Raises InputError, which says what is needed."""
    if value is None:
        raise InputError(f"give an input that is made up or public (--input): {what}")
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Sequence) or not value:
        raise InputError(f"the input is {shown(value)}; it needs {what}")
    if len(value) > MOST_ENTRIES:
        raise InputError(f"an input of more than {MOST_ENTRIES} entries is not simulated")
    return value


def shares_in(value: Any) -> tuple[Fraction, ...]:
    """Return shares that sum to 1. Raises InputError."""
    found = tuple(exact_number(item, "the input") for item in items_in(value, A_VECTOR))
    require_law(found, "the input")
    return found


def counts_in(value: Any) -> tuple[int, ...]:
    """Return counts of some records. Raises InputError."""
    found = tuple(exact_integer(item, "the input") for item in items_in(value, COUNTS))
    if min(found) < 0 or not sum(found):
        raise DomainError("the input: counts are at least 0, and one at least is positive")
    return found


def rows_in(value: Any, number: int, what: str) -> Sequence[object]:
    """Return as many rows as the claim has. Raises InputError."""
    rows = items_in(value, f"{number} rows of {what}")
    if len(rows) != number:
        raise InputError(f"the input has {len(rows)} rows; the claim is of {number}")
    return rows


def require_law(shares: Sequence[Fraction], where: str) -> None:
    """Raise DomainError unless these are at least 0 and sum to 1 exactly."""
    if any(share < 0 for share in shares) or sum(shares) != 1:
        raise DomainError(f"{where}: a row is no point of the simplex: shares are at least 0 and "
                          "sum to 1 exactly")  # fmt: skip


def drawn_from(*rows: Sequence[Fraction], matrix: bool = False) -> SimplexPlan:
    """Return a plan of rows without names."""
    return SimplexPlan(tuple(Row("", (), tuple(alpha)) for alpha in rows), matrix)


def noise_on(value: Any, scale: Fraction) -> NoisePlan:
    """Return noise on as many numbers as the input has; by default, on one."""
    if value is None:
        return NoisePlan((), (Fraction(0),), scale, scalar=True)
    numbers = items_in(value, "as many numbers as the query has, such as [3, 1, 4]")
    centres = tuple(exact_number(item, "the input") for item in numbers)
    return NoisePlan((), centres, scale, scalar=False)
