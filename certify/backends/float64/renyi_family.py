"""Epsilon of Dirichlet(step f + alpha) from sensitivities, the calibrated step, and conversion.

With C as in ``jensen`` and delta2_squared step^2 taken out, equation 18 and line 1 of ponnoprat2023
are C at no change, order psi'/2; the tight bound is C at the change step delta_inf, or the larger
one of these two. Every argument of C is formed without cancellation.
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Indices, Reals, two_product
from .jensen import CURVATURE_ERROR, Gap, curvature, product, usable
from .largest import largest
from .rooms import room

_LARGEST = float(np.finfo(np.float64).max)
_KEPT_PARTS = 3.0  # of step delta_inf (order - 1), in line 1 of Algorithm 1
_ONE_STEP_ORDER = 2.0  # from this order on a change all in one step is the worst
# Relative error of C from that of its argument, which has a condition number below 2.
_ARGUMENT_ERROR = 24 * UNIT
_EXACT_LOW, _EXACT_HIGH = 1e-130, 1e130
_NEAR_ONE = 0.5
_UNITS_OF_SUM = 16.0


def _bound(given: Gap, *factors: Reals) -> Reals:
    """Return an upper bound on C times the factors; the largest double where it fails."""
    flags = usable(given)
    value = np.full_like(given.base, _LARGEST)
    if np.any(flags):
        bent = curvature(Gap(*(part[flags] for part in given)))
        bent = bent * (1.0 + CURVATURE_ERROR + _ARGUMENT_ERROR)
        value[flags] = product(bent, *(part[flags] for part in factors))
    return value


def _without_change(base: Reals, order: Reals) -> Gap:
    return Gap(base, np.zeros_like(base), base, base, order - 1.0)


def epsilon_bound(order: Reals, step: Reals, delta2_squared: Reals, delta_inf: Reals) -> Reals:
    """Return an upper bound on line 1 of Algorithm 1."""
    argument = 1.0 + _KEPT_PARTS * (order - 1.0) * step * delta_inf
    return _bound(_without_change(argument, order), step, step, delta2_squared)


def epsilon_bound_alpha(
    order: Reals, step: Reals, alpha: Reals, delta2_squared: Reals, delta_inf: Reals
) -> Reals:
    """Return an upper bound on equation 18; infinite exactly where it bounds nothing."""
    base = room(alpha, order, step, delta_inf)
    value = _bound(_without_change(base, order), step, step, delta2_squared)
    return np.where(base > 0, value, np.inf)


def epsilon_sensitivity(
    order: Reals, step: Reals, alpha: Reals, delta2_squared: Reals, delta_inf: Reals
) -> Reals:
    """Return an upper bound on the tight counterpart of equation 18, infinite where that is."""
    far = room(alpha, order, step, delta_inf)
    change = step * delta_inf
    spread = _bound(_without_change(alpha, order), step, step, delta2_squared)
    large = _bound(Gap(alpha, change, alpha + change, far, order - 1.0), step, step, delta2_squared)
    value = np.where(order < _ONE_STEP_ORDER, np.maximum(spread, large), large)
    value = np.where(order > 1.0, value, spread)
    return np.where(far > 0, value, np.inf)


def step(order: Reals, epsilon: Reals, delta2_squared: Reals, delta_inf: Reals) -> Reals:
    """Return a step of which ``epsilon_bound``, increasing in it, is at most epsilon."""

    def excess(chosen: Indices, point: Reals) -> Reals:
        value = epsilon_bound(order[chosen], point, delta2_squared[chosen], delta_inf[chosen])
        return over_target(value, epsilon[chosen])

    # Taking 1/(0.6 + y) for psi'(1 + y): a matter of speed alone.
    scale = 2.0 * epsilon / (order * delta2_squared)
    half = 0.5 * _KEPT_PARTS * (order - 1.0) * delta_inf * scale
    start = half + np.sqrt(half * half + 0.6 * scale)
    start = np.where(np.isfinite(start) & (start > 0), start, 1.0)
    return largest(excess, np.asarray(start), np.full_like(scale, _LARGEST))


def over_target(value: Reals, target: Reals) -> Reals:
    """Return about log(value/target), at most 0 exactly where the value is at most the target."""
    ratio = np.log(value) - np.log(target)
    tiny = np.finfo(np.float64).tiny
    return np.asarray(np.where(value <= target, np.fmin(ratio, 0.0), np.fmax(ratio, tiny)))


def to_approximate_dp(order: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return an upper bound on epsilon + log(1 - 1/order) - log(delta order)/(order - 1), or 0."""
    excess = order - 1.0
    near = np.log(excess) - np.log(order)
    share = np.where(order < _ONE_STEP_ORDER, near, np.log1p(-1.0 / order))
    sizes = np.where(order < _ONE_STEP_ORDER, np.abs(np.log(excess)) + np.log(order), np.abs(share))
    logarithm, doubt = _log_product(delta, order)
    last = logarithm / excess
    value = epsilon + share - last
    sizes = epsilon + sizes + np.abs(last)
    value = value + (_UNITS_OF_SUM * UNIT * sizes + doubt / excess * (1.0 + 8 * UNIT))
    value = np.where(np.isnan(value), _LARGEST, np.nextafter(value, np.inf))
    return np.asarray(np.clip(value, 0.0, _LARGEST))


def _log_product(delta: Reals, order: Reals) -> tuple[Reals, Reals]:
    """Return log(delta order) and an absolute bound on its error."""
    value, dropped = two_product(delta, order)
    exact = (delta > _EXACT_LOW) & (order < _EXACT_HIGH)
    near = exact & (np.abs(value - 1.0) < _NEAR_ONE)
    logarithm = np.log(value)
    doubt = 4 * UNIT * np.abs(logarithm) + 2 * UNIT
    close = np.log1p(np.where(near, (value - 1.0) + dropped, 0.0))
    apart = np.log(delta) + np.log(order)
    result = np.where(near, close, np.where(exact, logarithm, apart))
    error = np.where(near, 8 * UNIT * np.abs(close), doubt)
    return result, np.where(exact, error, 4 * UNIT * (np.abs(np.log(delta)) + np.log(order)))
