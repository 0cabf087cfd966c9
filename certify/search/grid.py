"""Laws whose doubles sum to one exactly: shares on a dyadic grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from .ways import Choice, a_copy, at_end, is_way, share

# Multiples of 2^-53 up to 1 are doubles, and so is the sum of any of them that is at most 1.
GRID_BITS = 53


def law(choice: Choice, weights: Sequence[float]) -> tuple[float, ...]:
    """Return shares in proportion to the weights; now and then all alike, or all in one."""
    if is_way(choice, a_copy) or not any(weights):
        return on_grid([1] * len(weights))
    if is_way(choice, at_end):
        return on_grid([weight == max(weights) for weight in weights])
    return on_grid(weights)


def on_grid(weights: Sequence[float]) -> tuple[float, ...]:
    """Return shares as the weights, rounded down to multiples of 2^-53, with sum exactly 1.

    What rounding leaves goes to the largest. Summed as doubles, in any order, they give 1 as well.
    """
    exact = [Fraction(weight) for weight in weights]
    scale = (1 << GRID_BITS) / sum(exact)
    units = [int(weight * scale) for weight in exact]
    units[units.index(max(units))] += (1 << GRID_BITS) - sum(units)
    return tuple(math.ldexp(unit, -GRID_BITS) for unit in units)


def count(choice: Choice, fewest: int, most: int) -> int:
    """Return the whole number between both, ends included, that a choice stands for."""
    return fewest + place(choice, most - fewest + 1)


def place(choice: Choice, among: int) -> int:
    """Return the place, from 0, that a choice stands for among so many."""
    return int(share(choice) * among)
