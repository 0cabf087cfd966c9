"""The truth at a point, from both engines, so narrow that a reader with doubles alone can judge.

No time limit decides what a file holds: the same seed gives the same bytes on any machine. It is
precision that is bounded; where time runs out all the same, nothing is written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ...reference.domain import Value
from ...reference.enclosures import Enclosed, entries_of, overlap
from ...reference.errors import SimplexcertError, SoundnessError
from ...reference.evaluation import climb_quantity, climb_second
from ...reference.exact import exact_text
from ...reference.precision import Budget, Climbed
from ...reference.quantity import Quantity, Side
from ..checks.judgement import CASE_MAX_BITS
from .doubles import is_decided

# Significant digits to which an enclosure is narrow.
NARROW_DIGITS = 23
_SECOND_DIGITS = 17
# For one point and one engine. Most take milliseconds; what takes longer is kept out by ranges.
MAX_SECONDS = 120.0


class TooSlowError(SimplexcertError):
    """A truth was not found in time; nothing is written, for it would depend on the machine."""


def truth_at(quantity: Quantity, exact: Mapping[str, Value]) -> Enclosed | None:
    """Return the first engine's enclosure, with which the second engine's overlaps.

    None where either needs more precision than is allowed. Where a side is safe, the enclosure says
    of every double whether it is on that side. Raises TooSlowError, and SoundnessError if
    the engines contradict each other.
    """
    first = _within_time(
        quantity,
        lambda budget: climb_quantity(
            quantity, exact, lambda found: _is_enough(quantity, found), budget, NARROW_DIGITS
        ),
    )
    if first is None:
        return None
    second = _within_time(
        quantity,
        lambda budget: climb_second(
            quantity, exact, lambda found: found.is_narrow(_SECOND_DIGITS), budget, _SECOND_DIGITS
        ),
    )
    if second is None:
        return None
    if not overlap(second, first):
        at = ", ".join(f"{name} = {exact_text(value)}" for name, value in exact.items())
        raise SoundnessError(f"the two engines contradict each other on {quantity.name} at {at}")
    return first


def _is_enough(quantity: Quantity, found: Enclosed) -> bool:
    """Whether an enclosure is narrow and, where a side is safe, decides every double."""
    if not found.is_narrow(NARROW_DIGITS):
        return False
    up = quantity.safe is Side.UPPER
    return quantity.safe is Side.NONE or all(
        is_decided(entry, up=up) for _, entry in entries_of(found)
    )


def _within_time(quantity: Quantity, climb: Callable[[Budget], Climbed]) -> Enclosed | None:
    """Return what a climb found; None if it ran out of precision, an error if out of time."""
    budget = Budget(MAX_SECONDS, CASE_MAX_BITS)
    climbed = climb(budget)
    if climbed.satisfied:
        return climbed.enclosure
    if budget.is_over():
        raise TooSlowError(
            f"{quantity.name}: one case took more than {MAX_SECONDS:g} s, and what is left out for "
            "time would depend on the machine; take other --quantities, fewer --cases or another "
            "--seed"
        )
    return None
