"""delta and total variation of the dominating pair, never below the truth.

Three routes share one front factor (``incomplete_beta``): the difference series where it is short,
the complement series where delta is near 1, and a quadrature where both are long (alpha from about
10^4 on). Each finds the logarithm of delta and a bound on its error, and the bound is added.

The quadrature is of the integral form of the difference series: with v = -log y,

    delta = front * a b/A * integral over v > 0 of (1 - e^(-step v)) e^(-H(v)),
    H(v) = alpha v + A log(1 + q (e^-v - 1)),

H convex, H(0) = 0, H'(0) = alpha - A q. Nothing of it depends on alpha's size once v is measured
in units of the integrand's width, so twelve panels of sixteen Gauss-Legendre points do everywhere.
On a panel of width h at most 1.7/sqrt(A q (1-q)) or 3.8/H', the integrand is analytic, and on the
ellipse of parameter 5 around it larger than its largest value on the axis by less than e^8; the
error is below 5^-32 e^8 64/15 < 1e-18 of that value (Trefethen 2008, theorem 4.5).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from .doubled import UNIT, Flags, Reals
from .incomplete_beta import Front, front
from .series import complement_series, difference_series, terms_expected

_PANELS, _POINTS = 12, 16
_CHUNK_OF_ROWS = 512  # rows of 192 nodes that stay in the cache
_DROP = 42.0  # e^-42 < 1e-18: where the integrand is cut
_STRETCH = 1.15  # H falls short of its parabola by less than this where alpha >= 1000
_STEEP_PANEL = 4.0  # step times a panel's width up to which e^(-step v) is resolved on it
_SMALL = 0.5  # up to this v, and q up to 1/2, the two series below have 16 and 12 terms
# Relative error: rounding of H, whose parts are below 200 and carry 8 units each, cancellation of
# the two integrals by at most 6, the rule and the cut.
_ERROR = 12_000 * UNIT
_TAYLOR_TERMS, _TANGENT_TERMS = 16, 12


def _nodes() -> tuple[Reals, Reals]:
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    starts = np.arange(_PANELS, dtype=np.float64)[:, None]
    return ((starts + (points + 1.0) / 2.0) / _PANELS).ravel(), np.tile(weights / 2, _PANELS)


_PLACES, _WEIGHTS = _nodes()


def _integral_logarithm(given: Front) -> tuple[Reals, Reals]:
    """Return the logarithm of the integral times a b/A, and its largest absolute error."""
    logarithm = np.empty_like(given.alpha)
    for start in range(0, logarithm.size, _CHUNK_OF_ROWS):
        here = slice(start, start + _CHUNK_OF_ROWS)
        logarithm[here] = _chunk_logarithm(Front(*(part[here] for part in given)))
    return logarithm, np.full_like(logarithm, _ERROR) + 4 * UNIT * np.abs(logarithm)


def _chunk_logarithm(given: Front) -> Reals:
    steep = given.step * _reach(given, 0.0) > _STEEP_PANEL * _PANELS
    plain = _integral(given, 0.0, ~steep)
    plain[steep] -= _integral(given, given.step, np.zeros_like(steep))[steep]
    scale = given.alpha / given.total
    return np.log(plain) + np.log(given.second) + np.log(scale)


def _reach(given: Front, extra: Reals | float) -> Reals:
    """Return the v at which H(v) + extra v has risen to 42, or a little more."""
    slope = extra - given.drift
    bend = given.scaled_low * (given.scaled_high / given.total)
    root = np.sqrt(slope * slope + 2.0 * _DROP * bend)
    return _STRETCH * np.where(slope > 0, 2.0 * _DROP / (slope + root), (root - slope) / bend)


def _integral(given: Front, extra: Reals | float, with_step: object) -> Reals:
    """Integrate e^(-H - extra v), times 1 - e^(-step v) where ``with_step``."""
    reach = _reach(given, extra)
    place = reach[:, None] * _PLACES
    exponent = _exponent(given, place)
    if np.ndim(extra):
        exponent += np.asarray(extra)[:, None] * place
    value = np.exp(-exponent)
    chosen = np.asarray(with_step)
    value[chosen] *= -np.expm1(-given.step[chosen, None] * place[chosen])
    return (value @ _WEIGHTS) * (reach / _PANELS)


def _exponent(given: Front, place: Reals) -> Reals:
    """Return H(v) = (alpha - A q) v + A q (e^-v - 1 + v) + A (log(1 + z) - z), z = q (e^-v - 1)."""
    taylor = np.ones_like(place)
    for index in range(_TAYLOR_TERMS + 1, 2, -1):
        taylor = 1.0 - taylor * place / index
    curved = np.where(place < _SMALL, 0.5 * place * place * taylor, np.expm1(-place) + place)
    moved = given.low[:, None] * np.expm1(-place)
    tangent = moved / (2.0 + moved)  # log(1 + z) = 2 artanh, z = 2 t/(1 - t), -1/3 < t <= 0
    square = tangent * tangent
    series = np.full_like(place, 1.0 / (2 * _TANGENT_TERMS + 1))
    for index in range(_TANGENT_TERMS - 1, 0, -1):
        series = series * square + 1.0 / (2 * index + 1)
    bent = 2.0 * square * (tangent * series - 1.0 / (1.0 - tangent))
    linear = -given.drift[:, None] * place
    return linear + given.scaled_low[:, None] * curved + given.total[:, None] * bent


_Indices: TypeAlias = NDArray[np.intp]
_Route: TypeAlias = Callable[[Front], Reals]

# Outside of these sizes, and of these ratios, nothing is attempted: delta is at most 1.
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
    usual &= np.isfinite(epsilon) & (epsilon / step < _HUGEST) & (alpha / step < _HUGEST)
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


def _routes(given: Front) -> list[tuple[_Route, list[_Indices]]]:
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


def _chunks(chosen: Flags, length: Reals) -> list[_Indices]:
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
    logarithm, doubt = _integral_logarithm(given)
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
