"""delta and total variation of the dominating pair, never below the truth.

Three routes share one front factor (``front``): the difference series where it is short, the
complement series where delta is near 1, quadrature where both are long. Every route answers with
the logarithm of delta and a bound on its error, and the bound is added.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .doubled import UNIT, Flags, Reals
from .front import Front, front
from .quadrature import integral_logarithm
from .series import complement_series, difference_series, terms_expected

Indices: TypeAlias = NDArray[np.intp]
Route: TypeAlias = Callable[[Front], Reals]

# Outside of these sizes nothing is attempted: delta is at most 1.
_TINIEST, _HUGEST = 1e-280, 1e280
_MOST_TERMS = 2000  # where quadrature becomes faster than the series
_CHUNK = 4096  # elements whose twelve rows of state stay in the cache
# Past the mean by this many units of F, delta is 1 within e^-42 < 1e-18 of 1.
_CERTAIN = 42.0
_PAST_MEAN = 1.0  # standard deviations past P's mean from which the complement is at most 0.4
_LOG_TWO = 0.69314718055994530942


def log_delta(alpha: Reals, step: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on log delta, at most 0, for one-dimensional arrays."""
    result = np.zeros_like(alpha)
    usual = (alpha > _TINIEST) & (alpha < _HUGEST) & (step > _TINIEST) & (step < _HUGEST)
    usual &= np.isfinite(epsilon) & (epsilon / step < _HUGEST)
    if not np.all(usual):
        if np.any(usual):
            result[usual] = log_delta(alpha[usual], step[usual], epsilon[usual])
        return result
    given = front(alpha, step, epsilon)
    for route, chosen in _routes(given):
        for where in chosen:
            value = route(Front(*(part[where] for part in given)))
            result[where] = np.where(np.isnan(value), 0.0, np.minimum(value, 0.0))
    return result


def _routes(given: Front) -> list[tuple[Route, list[Indices]]]:
    """Return each route with the indices that take it, alike ones together."""
    direct = terms_expected(given.scaled_low, given.low, given.alpha, given.total)
    other = terms_expected(
        given.scaled_high, given.scaled_high / given.total, given.second, given.total
    )
    bend = given.scaled_low * (given.scaled_high / given.total)
    past = given.drift > _PAST_MEAN * np.sqrt(bend)
    certain = (given.drift > 0) & (given.deviance > _CERTAIN + given.doubt + 10.0)
    complement = ~certain & past & (other < direct) & (other < _MOST_TERMS)
    series = ~certain & ~complement & (direct < _MOST_TERMS)
    rest = ~certain & ~complement & ~series
    return [
        (_by_difference, _chunks(series, direct)),
        (_by_complement, _chunks(complement, other)),
        (_by_quadrature, _chunks(rest, direct)),
    ]


def _chunks(chosen: Flags, length: Reals) -> list[Indices]:
    """Split the chosen indices into chunks of similar length of series."""
    where = np.flatnonzero(chosen)
    where = where[np.argsort(length[where], kind="stable")]
    return [where[start : start + _CHUNK] for start in range(0, where.size, _CHUNK)]


def _by_difference(given: Front) -> Reals:
    summed = difference_series(
        given.alpha, given.step, given.low, given.scaled_low, 4 * _MOST_TERMS
    )
    logarithm = np.log(summed.value) + summed.exponent * _LOG_TWO
    return _raised(given.logarithm + logarithm, given, summed.doubt, logarithm)


def _raised(value: Reals, given: Front, doubt: Reals, part: Reals) -> Reals:
    rounding = 4 * UNIT * (1.0 + np.abs(part) + np.abs(given.logarithm))
    return value + (1.0 + 1e-3) * (given.doubt + doubt + rounding)


def _by_complement(given: Front) -> Reals:
    """Return log(1 - w) for w = the two complements, w rounded down."""
    near = complement_series(
        given.alpha, given.step, given.scaled_high / given.total, given.scaled_high, _MOST_TERMS
    )
    far = complement_series(given.alpha, given.step, given.low, given.scaled_low, _MOST_TERMS)
    doubt = given.doubt + np.maximum(near.doubt, far.doubt) + 4 * UNIT
    missing = np.exp(given.logarithm) * (near.value + far.value) * (1.0 - 1.01 * doubt)
    return np.log1p(-missing * (1.0 - 8 * UNIT)) * (1.0 - 4 * UNIT)


def _by_quadrature(given: Front) -> Reals:
    logarithm, doubt = integral_logarithm(given)
    return _raised(given.logarithm + logarithm, given, doubt, logarithm)


def delta(alpha: Reals, step: Reals, epsilon: Reals) -> Reals:
    """Return an upper bound on the hockey-stick divergence at e^epsilon, at most 1.

    Below the smallest normal double the answer is that double.
    """
    logarithm = log_delta(alpha, step, epsilon)
    value = np.exp(logarithm) * (1.0 + 8 * UNIT)
    return np.minimum(np.nextafter(np.fmax(value, np.finfo(np.float64).tiny), 1.0), 1.0)


def total_variation(alpha: Reals, step: Reals) -> Reals:
    """Return an upper bound on the total variation distance, which is delta at epsilon 0."""
    return delta(alpha, step, np.zeros_like(alpha))
