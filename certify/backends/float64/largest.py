"""The largest verified point of a function that is safe near 0."""

from __future__ import annotations

import numpy as np

from .doubled import Reals
from .roots import Excess, bracket, safe_root


def largest(excess: Excess, start: Reals, limit: Reals) -> Reals:
    """Return a point of which the excess was seen to be at most 0, next to the root; else 0.

    ``limit`` is unsafe itself.
    """
    safe, unsafe, found = bracket(excess, start, limit)
    result = np.where(found, safe, 0.0)
    where = np.flatnonzero(found)
    if where.size:
        result[where] = safe_root(
            lambda chosen, point: excess(where[chosen], point), safe[where], unsafe[where]
        )
    return result
