"""The hyperbola for the tail of a divergence, and the integrand F = e^(-eta z) M(z)/z on it.

    z(u) = c + r [cos(psi) (cosh u - 1) + i sin(psi) sinh u],  psi = 1,

crosses the real axis at c, either in (0, z_max) or left of 0, with its foci where
proofs_notes/kl-tail.md wants them; turned by a it is the path of angle psi + a with the same foci.
Rounded, cosine and sine of 1 belong to some angle next to 1. The arguments of z_max - z and, left
of 0, of -z are at most pi - psi in size, so sums of exact numbers and these do not cancel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .doubled import UNIT, Reals
from .hyperbola import Complexes
from .kl_moments import Law, log_moments
from .rooms import rounded

_ANGLE = 1.0
_COSINE = np.cos(_ANGLE)
# The foci are moved off their bounds by this share.
_INSIDE = 63 / 64
# z/(z_max - z) is sought between 1/_SPAN and _SPAN, on grids around the best point so far.
_SPAN, _GRID, _ZOOMS = 1e16, 33, 5
# Of a node: z and dz/du within 12, their quotient, eta z, the exponential; and twice that.
_NODE_UNITS = 100.0


class Path(NamedTuple):
    """The crossing, its distance from z_max, the size, and whether it is right of 0."""

    crossing: float
    room: float
    radius: float
    right: bool


class Values(NamedTuple):
    """F dz/du over e^scale at some nodes, and bounds on the absolute errors."""

    value: Complexes
    doubt: Reals
    scale: float


def right_path(law: Law, eta: float) -> Path:
    """Return the widest path through the saddle between 0 and z_max."""

    def ends(odds: Reals) -> tuple[Reals, Reals]:
        limit = rounded(law.limit)
        return limit * (odds / (1.0 + odds)), limit / (1.0 + odds)

    crossing, room = (float(end[0]) for end in ends(_least(law, eta, ends, 1.0 / _SPAN, _SPAN)))
    if crossing < room:
        room = rounded(law.limit - Fraction(crossing))
    else:
        crossing = rounded(law.limit - Fraction(room))
    radius = _INSIDE * min(crossing / _COSINE, room / (1.0 - _COSINE))
    return Path(crossing, room, radius, right=True)


def left_path(law: Law, eta: float) -> Path:
    """Return the widest path through the saddle left of 0.

    There eta = 1/|z| + (log M)', so |z| eta is between 1 and 1 + pi B/2.
    """

    def ends(size: Reals) -> tuple[Reals, Reals]:
        return -size, rounded(law.limit) + size

    low, high = 0.5 / eta, 2.0 * (1.0 + math.pi * law.spread) / eta
    size = float(_least(law, eta, ends, low, high)[0])
    room = rounded(law.limit + Fraction(size))
    return Path(-size, room, _INSIDE * size / (1.0 - _COSINE), right=False)


def _least(
    law: Law, eta: float, ends: Callable[[Reals], tuple[Reals, Reals]], low: float, high: float
) -> Reals:
    """Return about where log |F| is least on the real axis, where it is convex."""
    places = np.geomspace(low, high, _GRID)
    for _ in range(_ZOOMS):
        crossing, room = ends(places)
        sizes = log_moments(
            law, crossing.astype(np.complex128), room.astype(np.complex128)
        ).value.real
        sizes = sizes - eta * crossing - np.log(np.abs(crossing))
        best = int(np.argmin(np.where(np.isnan(sizes), np.inf, sizes)))
        near, far = places[max(best - 1, 0)], places[min(best + 1, _GRID - 1)]
        found, places = places[best : best + 1], np.geomspace(near, far, _GRID)
    return found


class _Points(NamedTuple):
    """z, z_max - z and dz/du."""

    place: Complexes
    room: Complexes
    change: Complexes


def _points(path: Path, turn: float | Reals, u: Reals) -> _Points:
    cosine, sine = np.cos(_ANGLE + turn), np.sin(_ANGLE + turn)
    shift = path.radius * (cosine - _COSINE)
    rise, bend = np.sinh(u), 2.0 * np.sinh(u / 2) ** 2
    way = path.radius * (cosine * bend + 1j * (sine * rise))
    change = path.radius * (cosine * rise + 1j * (sine * np.cosh(u)))
    return _Points(path.crossing + shift + way, path.room - shift - way, change)


def values(law: Law, eta: float, path: Path, u: Reals) -> Values:
    """Return F dz/du at u = 0 and at other points, over its size at the first."""
    at = _points(path, 0.0, u)
    moments, moved = log_moments(law, at.place, at.room), eta * at.place
    exponent = moments.value - moved
    scale = float(exponent.real[0])
    value = np.exp(exponent - scale) * (at.change / at.place)
    units = 16 * np.abs(moved) + 4 * np.abs(exponent) + 4 * abs(scale) + _NODE_UNITS
    return Values(value, np.abs(value) * np.expm1(moments.doubt + UNIT * units), scale)


def log_sizes(law: Law, eta: float, path: Path, turn: float | Reals, u: Reals) -> Reals:
    """Return about log |F dz/du| on the path that is turned by an angle."""
    at = _points(path, turn, u)
    exponent = log_moments(law, at.place, at.room).value - eta * at.place
    return np.asarray(exponent.real + np.log(np.abs(at.change / at.place)))


def shortest(law: Law, eta: float, path: Path, turn: float) -> float:
    """Return about the u from which on e^(-eta z) falls twice as fast as M may grow."""
    angle = _ANGLE + turn
    fall = eta * path.radius * math.cos(angle)
    return math.asinh(max(2.0 * math.pi * law.spread / (math.sin(angle) * fall), 1.0))


def log_beyond(law: Law, eta: float, path: Path, turn: float, end: Reals) -> Reals:
    """Return the logarithm of a bound on the integral of |F dz/du| over u > end, and on the sum.

    Infinite where e^(-eta z) does not fall as fast as M may grow (end-of-the-hyperbola).
    """
    at = _points(path, turn, end)
    moments, moved = log_moments(law, at.place, at.room), eta * at.place.real
    ratio = np.abs(at.change) / at.place.imag
    fall = eta * path.radius * math.cos(_ANGLE + turn) * np.sinh(end)
    rate = fall * (1.0 - 16 * UNIT) - math.pi * law.spread * ratio * (1.0 + 32 * UNIT)
    real = moments.value.real
    value = real - moved + moments.doubt + UNIT * (16 * moved + 4 * np.abs(real) + 64)
    value = value + np.log(ratio / rate)
    return np.where((rate > 0.0) & ~np.isnan(value), value, np.inf)
