"""What adding or removing a record costs: Renyi divergence, and the largest step for a budget.

The pair is Gamma(alpha) against Gamma(alpha + step), whose divergence is step^2 C with C of
``jensen`` at u = alpha, v = alpha + step, w = alpha - (order - 1) step.
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Indices, Reals
from .jensen import CURVATURE_ERROR, Gap, curvature, product, usable
from .largest import largest
from .renyi_family import over_target
from .rooms import room

_LARGEST = float(np.finfo(np.float64).max)


def renyi(alpha: Reals, step: Reals, order: Reals) -> Reals:
    """Return an upper bound on the divergence, infinite exactly from its largest order on."""
    far = room(alpha, order, step)
    given = Gap(alpha, step, alpha + step, far, order - 1.0)
    value, flags = np.full_like(alpha, _LARGEST), usable(given)
    if np.any(flags):
        bent = curvature(Gap(*(part[flags] for part in given))) * (1.0 + CURVATURE_ERROR)
        value[flags] = product(bent, step[flags], step[flags])
    return np.where(far > 0, value, np.inf)


def step_for_renyi(alpha: Reals, order: Reals, epsilon: Reals) -> Reals:
    """Return a step of which the divergence, increasing in it, is at most epsilon."""

    def excess(chosen: Indices, step: Reals) -> Reals:
        return over_target(renyi(alpha[chosen], step, order[chosen]), epsilon[chosen])

    limit = np.where(order > 1, alpha / np.maximum(order - 1.0, UNIT * UNIT), np.inf)
    limit = np.nextafter(np.minimum(limit, _LARGEST / 4), np.inf)
    return largest(excess, np.minimum(alpha, limit / 2), limit)
