"""Renyi divergence of the dominating pair and the largest step for a budget of it.

With e = (order - 1) step the numerator log B(alpha - e, alpha + order step) - log B(alpha,
alpha + step) is a second difference of log Gamma, so that

    D = step * mean of psi(z + order step) - psi(z) over z in [alpha - e, alpha],

for order 1 as well, where the window has no width. Every term is positive; what is delicate is
alpha - e alone, which is therefore formed in two doubles or, where even these cancel, exactly.
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Indices, Reals
from .gammas import RISE_ERROR, digamma_rise
from .largest import largest
from .renyi_family import over_target
from .rooms import room

_LARGEST = float(np.finfo(np.float64).max)
# Above the rounding of a subnormal order * step. Half as much in alpha - e or in e matters less: if
# one of these is subnormal, either order * step is so much smaller or the mean, near 1/alpha or
# order * step/alpha^2, overflows.
_SUBNORMAL = 5e-324


def renyi(alpha: Reals, step: Reals, order: Reals) -> Reals:
    """Return an upper bound on the Renyi divergence; infinite exactly from e >= alpha on."""
    base = room(alpha, order, step)
    finite = base > 0
    usable = np.where(finite, base, 1.0)
    window = np.where(finite, (order - 1.0) * step, 1.0)
    rise = np.where(finite, order * step + _SUBNORMAL, 1.0)
    value = step * digamma_rise(usable, window, rise)
    value = np.nextafter(value * (1.0 + RISE_ERROR + 16 * UNIT), np.inf)
    value = np.where(np.isnan(value), _LARGEST, np.minimum(value, _LARGEST))
    return np.where(finite, value, np.inf)


def largest_order(alpha: Reals, step: Reals) -> Reals:
    """Return a lower bound on 1 + alpha/step; a quotient and a sum, each rounded once."""
    ratio = np.nextafter(np.minimum(alpha / step, _LARGEST), 0.0)
    return np.maximum(np.nextafter(1.0 + ratio, 0.0), 1.0)


def step_for_renyi(alpha: Reals, order: Reals, epsilon: Reals) -> Reals:
    """Return a lower bound on the largest step whose divergence is at most epsilon.

    Its own divergence was found to be at most epsilon; the divergence increases in the step.
    """

    def excess(chosen: Indices, step: Reals) -> Reals:
        return over_target(renyi(alpha[chosen], step, order[chosen]), epsilon[chosen])

    limit = np.where(order > 1, alpha / np.maximum(order - 1.0, UNIT * UNIT), np.inf)
    limit = np.nextafter(np.minimum(limit, _LARGEST / 4), np.inf)
    start = np.minimum(alpha, limit / 2)
    return largest(excess, start, limit)
