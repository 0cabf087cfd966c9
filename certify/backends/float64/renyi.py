"""Renyi divergence of the dominating pair and the largest step for a budget of it.

With e = (order - 1) step the numerator log B(alpha - e, alpha + order step) - log B(alpha,
alpha + step) is a second difference of log Gamma, so that

    D = step * mean of psi(z + order step) - psi(z) over z in [alpha - e, alpha],

for order 1 as well, where the window has no width. Every term is positive; what is delicate is
alpha - e alone, which is therefore formed in two doubles or, where even these cancel, exactly.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .doubled import UNIT, Flags, Indices, Reals, plus, single, times, two_sum
from .gammas import RISE_ERROR, digamma_rise
from .roots import bracket, safe_root

# Below this share of alpha the difference alpha - (order-1) step is formed from exact fractions:
# two doubles hold it to 2**-100 of alpha.
_CANCELLED = 2.0**-30
# Products outside of these sizes are not error-free; exact fractions take over.
_TINIEST, _HUGEST = 1e-130, 1e130
_LARGEST = float(np.finfo(np.float64).max)


def renyi(alpha: Reals, step: Reals, order: Reals) -> Reals:
    """Return an upper bound on the Renyi divergence; infinite exactly from e >= alpha on."""
    base = _room(alpha, step, order)
    finite = base > 0
    usable = np.where(finite, base, 1.0)
    window = np.where(finite, (order - 1.0) * step, 1.0)
    rise = np.where(finite, order * step, 1.0)
    value = step * digamma_rise(usable, window, rise)
    value = np.nextafter(value * (1.0 + RISE_ERROR + 16 * UNIT), np.inf)
    value = np.where(np.isnan(value), _LARGEST, np.minimum(value, _LARGEST))
    return np.where(finite, value, np.inf)


def _room(alpha: Reals, step: Reals, order: Reals) -> Reals:
    """Return alpha - (order-1) step within 2 units of round-off, of the true sign."""
    excess = times(two_sum(order, -np.ones_like(order)), single(step))
    room = plus(single(alpha), (-excess[0], -excess[1]))[0]
    exactly = ~(np.abs(room) > _CANCELLED * alpha) | _outside(alpha) | _outside(step)
    exactly |= order > _HUGEST
    for index in np.flatnonzero(exactly):
        values = (Fraction(float(part[index])) for part in (alpha, step, order))
        room[index] = _exact_room(*values)
    return room


def _outside(value: Reals) -> Flags:
    return (value < _TINIEST) | (value > _HUGEST)


def _exact_room(alpha: Fraction, step: Fraction, order: Fraction) -> float:
    """Return the room rounded, but never rounded to 0; -1 stands for anything below 0."""
    room = alpha - (order - 1) * step
    if room <= 0:
        return -1.0
    return max(float(room), 5e-324)


def step_for_renyi(alpha: Reals, order: Reals, epsilon: Reals) -> Reals:
    """Return a lower bound on the largest step whose divergence is at most epsilon.

    Its own divergence was found to be at most epsilon; the divergence increases in the step.
    """

    def excess(chosen: Indices, step: Reals) -> Reals:
        value = renyi(alpha[chosen], step, order[chosen])
        return np.log(value) - np.log(epsilon[chosen])

    limit = np.where(order > 1, alpha / np.maximum(order - 1.0, UNIT * UNIT), np.inf)
    limit = np.nextafter(np.minimum(limit, _LARGEST / 4), np.inf)
    start = np.minimum(alpha, limit / 2)
    safe, unsafe, found = bracket(excess, start, limit)
    result = np.where(found, safe, 0.0)
    where = np.flatnonzero(found)
    if where.size:
        result[where] = safe_root(
            lambda chosen, step: excess(where[chosen], step), safe[where], unsafe[where]
        )
    return result
