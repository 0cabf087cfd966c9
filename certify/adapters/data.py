"""Private data as an adapter's function meets them: no sentence about them tells a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from ...reference.errors import DomainError, InputError
from ...reference.exact import exact_number

OUTSIDE = "the data are no input of this measurement: "


def counts_of(data: Sequence[int], cells: int) -> list[int]:
    """Return how many records lie in each cell. Raises DomainError where one lies in none."""
    try:
        found = Counter(data)
    except TypeError:
        raise DomainError(f"{OUTSIDE}no list of numbers") from None
    counted = [found[cell] for cell in range(cells)]
    if sum(counted) != len(data):
        raise DomainError(f"{OUTSIDE}a record is no cell's number")
    return counted


def whole_counts(data: Sequence[int], cells: int) -> list[int]:
    """Return counts, none below 0. Raises DomainError where they are not one a cell."""
    if len(data) != cells:
        raise DomainError(f"{OUTSIDE}not one count a cell")
    return [max(0, count) for count in data]


def exact_shares(data: Sequence[object]) -> list[Fraction]:
    """Return shares as exact numbers. Raises DomainError where they are none."""
    try:
        found = [exact_number(share) for share in data]
    except (InputError, TypeError):
        found = []
    if not found:
        raise DomainError(f"{OUTSIDE}not a list of exact numbers") from None
    return found
