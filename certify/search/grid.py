"""Laws whose doubles sum to one exactly: shares on a dyadic grid."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ...reference.domain import Domain, Stochastic
from .ways import Choice, a_copy, at_end, is_way, share

# Multiples of 2^-53 up to 1 are doubles, and so is the sum of any of them that is at most 1.
GRID_BITS = 53


def bits_of(domain: Domain, known: Callable[[str], Any]) -> int:
    """Return the bits of the grid that a parameter's laws are put on; another one may say which."""
    named = domain.on_grid_of if isinstance(domain, Stochastic) else None
    return GRID_BITS if named is None else min(GRID_BITS, known(named))


def law(choice: Choice, weights: Sequence[float], grid_bits: int = GRID_BITS) -> tuple[float, ...]:
    """Return shares in proportion to the weights; now and then all alike, or all in one."""
    if is_way(choice, a_copy) or not any(weights):
        return on_grid([1] * len(weights), grid_bits)
    if is_way(choice, at_end):
        return on_grid([weight == max(weights) for weight in weights], grid_bits)
    return on_grid(weights, grid_bits)


def on_grid(weights: Sequence[float], grid_bits: int = GRID_BITS) -> tuple[float, ...]:
    """Return shares as the weights, rounded down to multiples of 2^-grid_bits, with sum exactly 1.

    What rounding leaves goes to the largest. Summed as doubles, in any order, they give 1 as well.
    """
    exact = [Fraction(weight) for weight in weights]
    scale = (1 << grid_bits) / sum(exact)
    units = [int(weight * scale) for weight in exact]
    units[units.index(max(units))] += (1 << grid_bits) - sum(units)
    return tuple(math.ldexp(unit, -grid_bits) for unit in units)


def count(choice: Choice, fewest: int, most: int) -> int:
    """Return the whole number between both, ends included, that a choice stands for."""
    return fewest + place(choice, most - fewest + 1)


def place(choice: Choice, among: int) -> int:
    """Return the place, from 0, that a choice stands for among so many."""
    return int(share(choice) * among)
