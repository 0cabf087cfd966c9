"""Inverses of the profile: epsilon, the largest step, the largest k; all on their safe sides.

A point is taken only if the upper bound on delta at that very point is at most the target, or, for
epsilon, if a closed bound proves it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from .doubled import UNIT, Indices, Reals, two_product
from .gammas import STIRLING_UNITS, log_stirling_ratio
from .profile import log_delta
from .roots import largest, safe_root

# An upper bound on log delta at floor, step and epsilon; a bound on epsilon at floor, step and
# the target's logarithm.
_LogDelta: TypeAlias = Callable[[Reals, Reals, Reals], Reals]
_Closed: TypeAlias = Callable[[Reals, Reals, Reals], Reals]

_LARGEST = float(np.finfo(np.float64).max)
_NEAR_ONE = 0.5  # from here on target - 1 is exact
_LOG_UNITS = 4  # of the logarithm of a target, and of the comparison
_SHARE_UNITS = 8  # two of a share, one of the product with k, one of this factor, doubled
# Integers up to here are doubles, so that their product with a double is known without error.
_EXACT_INTEGERS = 2.0**53
_SUBNORMAL = 5e-324


def _log_below(target: Reals) -> Reals:
    """Return a lower bound on log(target), 0 < target <= 1."""
    value = np.where(target > _NEAR_ONE, np.log1p(target - 1.0), np.log(target))
    return value * (1.0 + _LOG_UNITS * UNIT)


def smallest_epsilon(
    bound: _LogDelta, closed: _Closed, alpha: Reals, step: Reals, delta: Reals
) -> Reals:
    """Return an upper bound on the smallest epsilon whose delta is at most ``delta``.

    Infinite at delta = 0. ``bound`` is an upper bound that falls with epsilon. Starts from
    ``closed``, a bound on that epsilon where it is positive, and answers with it where nothing
    smaller is verified.
    """
    target = _log_below(np.where(delta > 0, delta, 1.0))
    top = closed(alpha, step, target)
    done = bound(alpha, step, np.zeros_like(alpha)) <= target
    result = np.where(done | (top <= 0), 0.0, top)
    where = np.flatnonzero((result > 0) & (result < _LARGEST) & (delta > 0))

    def excess(chosen: Indices, point: Reals) -> Reals:
        index = where[chosen]
        return bound(alpha[index], step[index], point) - target[index]

    if where.size:
        result[where] = safe_root(excess, result[where], np.zeros(where.size))
    return np.where(delta > 0, result, np.inf)


def largest_step(bound: _LogDelta, alpha: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return a step at which ``bound``, which rises with it, shows at most ``delta``."""
    target = _log_below(delta)

    def excess(chosen: Indices, step: Reals) -> Reals:
        return bound(alpha[chosen], step, epsilon[chosen]) - target[chosen]

    return largest(excess, alpha / (1.0 + epsilon), np.full_like(alpha, _LARGEST))


def epsilon(alpha: Reals, step: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the pair's epsilon, from the note on monotone roots' closed one."""
    return smallest_epsilon(log_delta, _closed_epsilon, alpha, step, delta)


def _closed_epsilon(alpha: Reals, step: Reals, target: Reals) -> Reals:
    """Return an upper bound on log(C/delta) step/alpha, finite, where that is positive."""
    second, total = alpha + step, 2.0 * alpha + step
    ratio = log_stirling_ratio(alpha) + log_stirling_ratio(second) - log_stirling_ratio(total)
    spread = alpha * np.log1p(second / alpha) + second * np.log1p(alpha / second)
    size = np.abs(ratio) + spread + np.abs(np.log(step / total)) + np.abs(target)
    constant = np.log(step / total) + ratio + spread - target
    constant += 16 * UNIT * size + 3 * STIRLING_UNITS * UNIT
    value = constant * (step / alpha) * (1.0 + 8 * UNIT)
    value += _SUBNORMAL * (size + 8.0)  # of a subnormal quotient and what it is multiplied by
    return np.where(np.isnan(value), _LARGEST, np.minimum(value, _LARGEST))


def step_for_dp(alpha: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the largest step that keeps (epsilon, delta) at this floor."""
    return largest_step(log_delta, alpha, epsilon, delta)


def _largest_k(floor: Reals, shift: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the largest k at floor k ``floor`` and step k ``shift``.

    Both shares may be rounded by two units. The floor is taken smaller and the step larger by
    more than all roundings: a pair that dominates the true one (proofs_notes/monotone-roots.md).
    """
    target = _log_below(delta)

    def excess(chosen: Indices, k: Reals) -> Reals:
        alpha = k * floor[chosen] * (1.0 - _SHARE_UNITS * UNIT)
        step = k * shift[chosen] * (1.0 + _SHARE_UNITS * UNIT)
        return log_delta(alpha, step, epsilon[chosen]) - target[chosen]

    start = 1.0 / shift
    return largest(excess, start, np.full_like(start, _LARGEST))


def identity_k(eta: Reals, b: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the largest k whose identity query keeps (epsilon, delta)."""
    return _largest_k(eta, 0.5 * b, epsilon, delta)


def average_k(
    eta: Reals,
    b: Reals,
    N: Reals,
    epsilon: Reals,
    delta: Reals,
) -> Reals:
    """Return the same for the average of N vectors: the floor is k eta, the step k b/(2N)."""
    return _largest_k(eta, 0.5 * b / N, epsilon, delta)


def counts_k(
    eta: Reals,
    N: Reals,
    epsilon: Reals,
    delta: Reals,
) -> Reals:
    """Return the same for counts: the floor is k ceil(eta N)/N, the step k/N."""
    return _largest_k(_smallest_count(eta, N) / N, 1.0 / N, epsilon, delta)


def _smallest_count(eta: Reals, N: Reals) -> Reals:
    """Return ceil(eta N) of the exact product, for whole N up to 2**53.

    The rounded product is a whole number or on the same side of all of them as the exact one.
    """
    product, dropped = two_product(eta, N)
    count = np.where(dropped > 0, np.floor(product) + 1.0, np.ceil(product))
    return np.where(N <= _EXACT_INTEGERS, np.maximum(count, 1.0), np.maximum(product, 1.0))
