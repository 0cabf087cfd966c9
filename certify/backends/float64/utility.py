"""How far one coordinate of a release falls from its input, and ponnoprat2023's bound on the rest.

With R as in ``gammas``, E|x - p| = 2 p (1-p) R(k p) R(k (1-p))/R(k) for the Beta law of one
coordinate: Loader's saddle-point form, in which nothing large cancels. A relative error in an
argument of R changes its logarithm by half of that at most.
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Reals
from .gammas import STIRLING_UNITS, log_stirling_ratio

_HALF = 0.5
_TINY = float(np.finfo(np.float64).tiny)


def variance(p: Reals, k: Reals) -> Reals:
    """Return p (1-p)/(k+1), to a few units of round-off."""
    return p * ((1.0 - p) / (k + 1.0))


def absolute_deviation(p: Reals, k: Reals) -> Reals:
    """Return the mean distance of a coordinate from its mean, to about 1e-13 relative."""
    logarithm = _log_ratio(k * p, k * (1.0 - p), k)
    return 2.0 * p * (1.0 - p) * np.exp(logarithm)


def _log_ratio(first: Reals, second: Reals, total: Reals) -> Reals:
    value = log_stirling_ratio(first) + log_stirling_ratio(second)
    return np.asarray(value - log_stirling_ratio(total))


def absolute_deviation_bound(k: Reals) -> Reals:
    """Return an upper bound on the mean distance at p = 1/2, at most 1/2."""
    logarithm = _log_ratio(_HALF * k, _HALF * k, k)
    units = 3 * STIRLING_UNITS + 16 + 8 * np.abs(np.log(k)) + 4 * np.abs(logarithm)
    value = _HALF * np.exp(logarithm + units * UNIT) * (1.0 + 8 * UNIT)
    return np.asarray(np.minimum(value, _HALF))


def kl_tail_bound(beta: Reals, eta: Reals) -> Reals:
    """Return an upper bound on exp(-beta eta^2/(2 (2+eta) (4+3 eta))), at most 1."""
    small = np.where(np.isfinite(eta), eta, 1.0)
    third = np.where(small > 1.0, 1.0 / (3.0 + 4.0 / small), small / (4.0 + 3.0 * small))
    rate = (small / (2.0 + small)) * third
    value = np.exp(-_HALF * beta * rate * (1.0 - 12 * UNIT)) * (1.0 + 8 * UNIT)
    return np.where(eta > 0, np.minimum(np.fmax(value, _TINY), 1.0), 1.0)
