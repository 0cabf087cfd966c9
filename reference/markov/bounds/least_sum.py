"""The least sum of a rising and a falling function over some points, without looking at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from flint import arb


def least_of_sum(
    rising: Callable[[Fraction], arb],
    falling: Callable[[Fraction], arb],
    points: Sequence[Fraction],
) -> arb:
    """Enclose the least sum of a rising and a falling function over some points in order.

    Between two points both are bounded by their values there; what lies above the least value
    found is not looked at.
    """
    last = len(points) - 1
    values = {at: rising(points[at]) + falling(points[at]) for at in (0, last)}
    waiting = [(0, last)]
    while waiting:
        low, high = waiting.pop()
        floor = rising(points[low]) + falling(points[high])
        if high - low < 2 or any(floor > value for value in values.values()):  # noqa: PLR2004
            continue
        middle = (low + high) // 2
        values[middle] = rising(points[middle]) + falling(points[middle])
        waiting += [(low, middle), (middle, high)]
    found, *others = values.values()
    for value in others:
        found = found.min(value)
    return found
