"""What stands in the place of noisy counts that are too small for a probability."""

from __future__ import annotations

from ...reference.errors import DomainError
from ...reference.exact import exact_number, shown

# The word for a floor at the noise itself: max(1, its standard deviation).
NOISE = "noise"
_ONE_RECORD = 1.0


def floor_of(given: object, deviation: float) -> float:
    """Return the floor that was asked for. Raises InputError.

    ponnoprat2023 does not say what was put in the place of counts that are not positive, and the
    loss of a noisy model depends on it.
    """
    if given == NOISE:
        return max(_ONE_RECORD, deviation)
    exact = exact_number(given, f"count_floor (a number, or '{NOISE}')")
    if exact <= 0 or not float(exact) > 0:
        raise DomainError(f"count_floor = {shown(exact)}; a floor of counts is above 0")
    return float(exact)
