"""Look for something for a while: what an audit tells, and no verdict rests on, may be left out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from ....reference.enclosure import Enclosure
from ....reference.errors import DomainError
from ....reference.precision import Budget, BudgetSpentError, climb

Found = TypeVar("Found")
# One step at one precision: the climb is there for its deadline, which inner loops look at.
_BITS = 128


def found_within(seconds: float, look: Callable[[], Found]) -> Found | None:
    """Return what ``look`` finds; None where it is refused, or after so many seconds."""
    found: list[Found] = []

    def once(_bits: int) -> Enclosure:
        found.append(look())
        return Enclosure.nothing_known()

    with suppress(DomainError, BudgetSpentError):
        climb(once, lambda _: True, _BITS, Budget(seconds, _BITS))
    return found[0] if found else None
