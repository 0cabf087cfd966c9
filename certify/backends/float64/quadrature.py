"""delta by quadrature, for parameters at which both series are long (alpha from about 10^4 on).

With v = -log y in the integral form of the difference series,

    delta = front * a b/A * integral over v > 0 of (1 - e^(-step v)) e^(-H(v)),
    H(v) = alpha v + A log(1 + q (e^-v - 1)),

H convex, H(0) = 0, H'(0) = alpha - A q. Nothing of it depends on alpha's size once v is measured
in units of the integrand's width, so twelve panels of sixteen Gauss-Legendre points do everywhere.
On a panel of width h at most 1.7/sqrt(A q (1-q)) or 3.8/H', the integrand is analytic, and on the
ellipse of parameter 5 around it larger than its largest value on the axis by less than e^8; the
error is below 5^-32 e^8 64/15 < 1e-18 of that value (Trefethen 2008, theorem 4.5).
"""

from __future__ import annotations

import numpy as np

from .doubled import UNIT, Reals
from .front import Front

_PANELS, _POINTS = 12, 16
_CHUNK = 512  # rows of 192 nodes that stay in the cache
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


def integral_logarithm(given: Front) -> tuple[Reals, Reals]:
    """Return the logarithm of the integral times a b/A, and its largest absolute error."""
    logarithm = np.empty_like(given.alpha)
    for start in range(0, logarithm.size, _CHUNK):
        here = slice(start, start + _CHUNK)
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
