"""Roots of monotone functions over arrays, always answered with the end that was seen to be safe.

An ``excess`` is at most 0 exactly at points that are certainly on the safe side of the root; it is
evaluated for some of the elements at a time. The sign convention makes the direction irrelevant:
the safe end may be the lower or the upper one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from .doubled import Flags, Indices, Reals

# excess(indices, points) for the elements of those indices.
Excess: TypeAlias = Callable[[Indices, Reals], Reals]

_TOLERANCE = 2.0**-51  # of the root: two units in the last place
_MOST_PROBES = 200
# A bracket is first sought with factors 4, 16, 256, ..., 2**512.
_DOUBLINGS = 9
_NEGLIGIBLE = 2.0**-50  # of the first bracket's width: a root at 0 is approached no further
_WIDE_RATIO = 16.0  # wider brackets that do not reach 0 are split at the geometric mean


def bracket(excess: Excess, start: Reals, limit: Reals) -> tuple[Reals, Reals, Flags]:
    """Return a safe lower point, an unsafe upper point and whether both were found.

    For functions that are safe near 0. ``limit`` is unsafe itself, and may be infinite.
    """
    everything = np.arange(start.size)
    here_safe = excess(everything, start) <= 0
    safe, unsafe = start.copy(), start.copy()
    found = np.ones(start.size, dtype=bool)
    upward, downward = np.flatnonzero(here_safe), np.flatnonzero(~here_safe)
    for doubling in range(_DOUBLINGS):
        factor = 2.0 ** (2 << doubling)
        unsafe[upward] = np.minimum(unsafe[upward] * factor, limit[upward])
        crossed = ~(excess(upward, unsafe[upward]) <= 0) | (unsafe[upward] >= limit[upward])
        upward = upward[~crossed]
        safe[upward] = unsafe[upward]
        safe[downward] = safe[downward] / factor
        crossed = excess(downward, safe[downward]) <= 0
        downward = downward[~crossed]
        unsafe[downward] = safe[downward]
    found[upward], found[downward] = False, False
    return safe, unsafe, found


def safe_root(excess: Excess, safe: Reals, unsafe: Reals) -> Reals:
    """Return, for each element, a safe point next to the root (Chandrupatla 1997).

    ``safe`` has an excess of at most 0, ``unsafe`` one above 0 (or unknown). Every point that is
    returned is one whose own excess was evaluated, or ``safe`` as it was given.
    """
    result = safe.copy()
    active = np.arange(safe.size)
    newest, opposite = safe.copy(), unsafe.copy()
    # Rounding may show either end on the wrong side; what was given stands.
    at_newest = np.fmin(excess(active, newest), 0.0)
    at_opposite = np.fmax(excess(active, opposite), np.finfo(np.float64).tiny)
    before, at_before = newest.copy(), at_newest.copy()
    share = np.full(safe.size, 0.5)
    least = _NEGLIGIBLE * np.abs(unsafe - safe)
    for _ in range(_MOST_PROBES):
        share = _guarded_share(newest, opposite, share)
        point = newest + share * (opposite - newest)
        value = excess(active, point)
        same = (value <= 0) == (at_newest <= 0)
        before, at_before = np.where(same, newest, opposite), np.where(same, at_newest, at_opposite)
        opposite = np.where(same, opposite, newest)
        at_opposite = np.where(same, at_opposite, at_newest)
        newest, at_newest = point, value
        is_safe = at_newest <= 0
        result[active] = np.where(is_safe, newest, opposite)
        width = np.abs(opposite - newest)
        going = width > 2 * _TOLERANCE * np.maximum(np.minimum(newest, opposite), least[active])
        going &= np.nextafter(newest, opposite) != opposite
        if not np.any(going):
            break
        active = active[going]
        newest, opposite, before = newest[going], opposite[going], before[going]
        at_newest, at_opposite = at_newest[going], at_opposite[going]
        at_before = at_before[going]
        share = _interpolated_share((newest, opposite, before), (at_newest, at_opposite, at_before))
    return result


def _guarded_share(newest: Reals, opposite: Reals, share: Reals) -> Reals:
    """Keep a step's distance from both ends; split wide brackets at their geometric mean."""
    low, high = np.minimum(newest, opposite), np.maximum(newest, opposite)
    least = np.minimum(_TOLERANCE * np.maximum(low, high * 2.0**-60) / (high - low), 0.5)
    middle = np.sqrt(low) * np.sqrt(high)
    wide = (low > 0) & (high > _WIDE_RATIO * low)
    share = np.where(wide, (middle - newest) / (opposite - newest), share)
    return np.clip(share, least, 1.0 - least)


def _interpolated_share(
    points: tuple[Reals, Reals, Reals], values: tuple[Reals, Reals, Reals]
) -> Reals:
    """Return how far from the first point to the second the root seems to be."""
    (first, second, third), (at_first, at_second, at_third) = points, values
    place = (first - second) / (third - second)
    height = (at_first - at_second) / (at_third - at_second)
    usable = (height**2 < place) & ((1.0 - height) ** 2 < 1.0 - place)
    ratio = (third - first) / (second - first)
    share = at_first / (at_second - at_first) * at_third / (at_second - at_third)
    share += ratio * at_first / (at_third - at_first) * at_second / (at_third - at_second)
    return np.where(usable & np.isfinite(share), share, 0.5)


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
