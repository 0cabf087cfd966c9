"""The moments of a divergence at complex arguments, and the path of its tail's integral.

log E e^(z KL(p || y)) for y of Dirichlet(b), b_i = beta p_i + alpha, at complex z.

With q = z_max - z and A the sum of b, log Gamma is needed at X = p_i (b_i/p_i - z_max + q) and at
X = A - z_max + q; let x = p_i or 1, and n = the number of such cells or -1. Then log M(z) is

    D z + sum of n [(X + N - 1/2) log((X+N)/(b+N)) + s(X+N) - s(b+N)
                     - sum over j < N of log((X+j)/(b+j))],
    D = sum of n x log(x S/(b+N)),  any N for each kind of cell and any S,

s being Stirling's series, for what is linear in X drops out as sum of n x = 0. No term is larger
than about |A - z|. What six terms of s leave out is the integral over t > 0 of at most 2 |B_14|
over 14 |t + X|^14, and |t + X| >= (t + |X|) cos(arg(X)/2), so it is (2/R)^13/78 at most,
R = |X| + Re X (as in digamma-off-the-axis, proofs_notes/kl-tail.md). q may be wrong by 12 units;
what is added to it, times any p_i, is positive, and arg q is at most pi - 1 in size on the path, so
that X + N is wrong by 24 at most.

The hyperbola for the tail of a divergence, and the integrand F = e^(-eta z) M(z)/z on it.

    z(u) = c + r [cos(psi) (cosh u - 1) + i sin(psi) sinh u],  psi = 1,

crosses the real axis at c, either in (0, z_max) or left of 0, with its foci where
proofs_notes/kl-tail.md wants them; turned by a it is the path of angle psi + a with the same foci.
Rounded, cosine and sine of 1 belong to some angle next to 1. The arguments of z_max - z and, left
of 0, of -z are at most pi - psi in size, so sums of exact numbers and these do not cancel.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .doubled import UNIT, Reals, rounded_towards
from .hyperbola import Complexes
from .renyi import rounded

# From |X| + Re X = 32 on, what six terms of Stirling's series leave out is below 3e-18; a point
# whose argument is at most pi - 1 in size is there after 23 steps, at pi - 15/32 after 82.
_ROOM, _MOST_STEPS = 32.0, 100
# B_2k/(2k (2k - 1)), k = 6..1 (DLMF 5.11.1).
_STIRLING = (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12)
# Units of round-off of X + N, relative; with those of a quotient and a logarithm, absolute.
_ARGUMENT_UNITS, _LOGARITHM_UNITS = 24.0, 40.0
# Outside of these sizes nothing is attempted.
_TINIEST, _HUGEST = Fraction("1e-100"), Fraction("1e100")


class Law(NamedTuple):
    """Kinds of cells, the last one A, and what else the contour needs; rounded once each."""

    share: Reals  # x, exact
    parameter: Reals  # b
    gap: Reals  # b/x - z_max
    times: Reals  # n, exact
    limit: Fraction  # z_max, exact
    spread: float  # B, rounded up

    def cells(self) -> list[tuple[float, float, float, float]]:
        """Return the kinds of cells, one by one."""
        columns = (part.tolist() for part in (self.share, self.parameter, self.gap, self.times))
        return list(zip(*columns, strict=True))


def law_of(p: Sequence[Fraction], beta: Fraction, alpha: Fraction, eta: Fraction) -> Law | None:
    """Return the law of KL(p || y), the cells of p being those of y; None for extreme sizes."""
    shares = Counter(share for share in p if share)
    total = beta + len(p) * alpha
    limit = beta + alpha / max(shares)
    cells = [(x, beta * x + alpha, n) for x, n in shares.items()] + [(Fraction(1), total, -1)]
    sizes = [eta, limit, *(b for _, b, _ in cells), *shares]
    if not (min(sizes) > _TINIEST and max(sizes) < _HUGEST):
        return None
    distance = sum((abs(len(p) * x - 1) * n for x, n in shares.items()), Fraction(0))
    spread = alpha * distance + shares.total() + 1
    share, parameter, gap, times = np.array(
        [[float(value) for value in (x, b, b / x - limit, n)] for x, b, n in cells]
    ).T
    return Law(share, parameter, gap, times, limit, rounded_towards(spread, np.inf))


class _Moments(NamedTuple):
    """log M with bounds on the absolute errors."""

    value: Complexes
    doubt: Reals


def log_moments(law: Law, point: Complexes, room: Complexes) -> _Moments:
    """Return log M where z = ``point`` and z_max - z = ``room``, each within 12 units of round-off.

    The argument of the room is to be at most pi - 1 in size; NaN where Stirling's series fails.
    """
    total, doubt, size = np.zeros_like(point), np.zeros(point.shape), np.zeros(point.shape)
    slope, steepness = 0.0, 0.0
    scale: float = law.parameter[-1].item() + 1.0
    for share, parameter, gap, times in law.cells():
        argument = share * (gap + room)
        lift = _steps_to_room(argument, parameter)
        change, units = _change(argument, parameter, lift)
        total += times * change
        doubt += abs(times) * units
        size += abs(times) * np.abs(change)
        weight = math.log(share * (scale / (parameter + lift)))
        slope += times * share * weight
        steepness += abs(times) * share * (1.0 + abs(weight))
    summands = len(law.share) + 2
    doubt += summands * size + (summands + _ARGUMENT_UNITS + 12) * steepness * np.abs(point)
    return _Moments(total + slope * point, UNIT * doubt)


def _steps_to_room(argument: Complexes, parameter: float) -> int:
    """Return N for which |X+N| + Re X+N is large enough, or a smaller one if that is too much."""
    height = argument.imag / _ROOM
    missing = np.max(_ROOM / 2 * (1.0 - height * height) - argument.real)
    needed = max(float(missing), _ROOM / 2 - parameter, 0.0)
    return math.ceil(needed) if needed < _MOST_STEPS else 0


def _change(argument: Complexes, parameter: float, lift: int) -> tuple[Complexes, Reals]:
    """Return log Gamma(X) - log Gamma(b) + (b - X) (log(b+N) - 1), and its error in units."""
    steps = np.arange(float(lift))[:, None]
    logarithms = np.log((argument + steps) / (parameter + steps))
    total = -np.sum(logarithms, axis=0)
    doubt = _LOGARITHM_UNITS * lift + (8 + lift) * np.sum(np.abs(logarithms), axis=0)
    far, near = argument + lift, parameter + lift
    logarithm, size = np.log(far / near), np.abs(far)
    total += (far - 0.5) * logarithm + (_series(far) - _series(np.array([near])))
    doubt += (size + 1.0) * (_LOGARITHM_UNITS + (_ARGUMENT_UNITS + 12) * np.abs(logarithm))
    far_enough = (size + far.real >= _ROOM * (1.0 - 1e-9)) & (near >= _ROOM / 2)
    return np.where(far_enough, total, np.nan), doubt


def _series(argument: Complexes | Reals) -> Complexes:
    inverse = 1.0 / argument
    square = inverse * inverse
    total = np.zeros_like(inverse)
    for coefficient in _STIRLING:
        total = total * square + coefficient
    return np.asarray(total * inverse)


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


class _Values(NamedTuple):
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


def values(law: Law, eta: float, path: Path, u: Reals) -> _Values:
    """Return F dz/du at u = 0 and at other points, over its size at the first."""
    at = _points(path, 0.0, u)
    moments, moved = log_moments(law, at.place, at.room), eta * at.place
    exponent = moments.value - moved
    scale = float(exponent.real[0])
    value = np.exp(exponent - scale) * (at.change / at.place)
    units = 16 * np.abs(moved) + 4 * np.abs(exponent) + 4 * abs(scale) + _NODE_UNITS
    return _Values(value, np.abs(value) * np.expm1(moments.doubt + UNIT * units), scale)


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
