"""delta of independent releases on a vertical line, by the moments of the privacy loss.

The moment generating function of the privacy loss of independent releases, on the real axis.

log M(c) = sum of n [log Gamma(alpha - c step) + log Gamma(alpha + step + c step) - log Gamma(alpha)
- log Gamma(alpha + step)], each bracket a second difference of log Gamma as in ``gammas``: nothing
cancels, and the error is relative (proofs_notes/composition.md, moment-function).

delta of independent releases by the trapezoid rule on the vertical line Re z = c > 0.

    delta < (h/2 pi) sum over j of F(c + i j h),   F(z) = M(z) e^(-z epsilon)/(z (z + 1)):

the aliases are positive, so any crossing and any step are safe (proofs_notes/composition.md,
aliases). With A = alpha - c step, B = A + D, D = (1 + 2c) step and t = step y a release has

    log |M(c + iy)/M(c)| = R(A) + R(B),    arg M(c + iy) = I(B) - I(A),
    R(X) + i I(X) = log Gamma(X + it) - log Gamma(X).

All X are lifted by 16 (log1p and arctan of positive numbers), and there Stirling's series with six
terms is differenced by formulas; both differences have the sign of each lifted part. Arguments
may be wrong by 9 units: condition numbers are at most 2 for R and for I(B) - I(A), as these are
sums over n >= 0 of log(1 + t^2/(X+n)^2)/2 and of integrals of t/((x+n)^2 + t^2) over [A, B].
What six terms leave out is the integral over u > 0 of (B_14 - B_14({u}))/(14 (u+z)^14), the bracket
at most 2 |B_14|: derivatives at most 2 |B_14| x^-14/14 and 2 |B_14| x^-15, x = Re z. The nodes
beyond the last one have a bound in closed form.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .doubled import UNIT, Reals, plus, single, two_product
from .gammas import RISE_ERROR, digamma_rise
from .hyperbola import Complexes

# Outside of these sizes nothing is attempted; inside, products of two doubles are error-free.
_TINIEST, _HUGEST = 1e-50, 1e50
_MOST_RELEASES = 1e300
# A floor that is shifted next to 0 loses all digits; nobody needs an abscissa so near to a pole.
_NEXT_TO_POLE = 1e-14
# Relative: the shifted floor within a unit and the shifts within 3, condition numbers below 2 and
# 1 (every term of the rise is a product of such), the products, and twice that.
_MOMENT_ERROR = RISE_ERROR + 40 * UNIT


class Releases(NamedTuple):
    """Independent releases, equal ones together; how many may be rounded up, but not down."""

    alpha: Reals
    step: Reals
    number: Reals

    @property
    def limit(self) -> float:
        """The least alpha/step, rounded: the first pole of M on the right."""
        return float(np.min(self.alpha / self.step))


class _AxisValues(NamedTuple):
    """Values at real abscissae, with bounds on their absolute errors; infinite beyond the pole."""

    value: Reals
    doubt: Reals


def releases_of(rows: Iterable[Sequence[float]]) -> Releases | None:
    """Return the releases of a table; None where their sizes are not attempted.

    One more release shows more, so a count that is no double is rounded up.
    """
    counted: Counter[tuple[float, float]] = Counter()
    for alpha, step, count in rows:
        counted[float(alpha), float(step)] += int(count)
    if max(counted.values()) > _MOST_RELEASES:
        return None
    sizes = np.array(list(counted), dtype=np.float64).ravel()
    if not (np.min(sizes) >= _TINIEST and np.max(sizes) <= _HUGEST):
        return None
    number = np.array([rounded_up(each) for each in counted.values()])
    return Releases(sizes[::2].copy(), sizes[1::2].copy(), number)


def rounded_up(count: int) -> float:
    """Return the smallest double that is not below a whole number within the range of doubles."""
    nearest = float(count)
    return nearest if int(nearest) >= count else float(np.nextafter(nearest, np.inf))


def _shifted_floor(alpha: Reals, step: Reals, point: Reals) -> Reals:
    """Return alpha - point step within a unit of round-off; NaN where it is not far from 0."""
    product, dropped = two_product(step, point)
    floor = plus(single(alpha + np.zeros_like(product)), (-product, -dropped))[0]
    return np.where(floor > _NEXT_TO_POLE * alpha, floor, np.nan)


def log_moments(releases: Releases, points: Reals) -> _AxisValues:
    """Return log M at positive abscissae."""
    alpha, step, number = (part[:, None] for part in releases)
    floor = _shifted_floor(alpha, step, points)
    inside = np.all(floor > 0.0, axis=0)
    base = np.where(inside, floor, 1.0)
    shift = np.where(inside, step * points, 1.0)
    rise = np.where(inside, step * (1.0 + points), 1.0)
    mean = digamma_rise(base.ravel(), shift.ravel(), rise.ravel()).reshape(base.shape)
    value = np.sum(number * (shift * mean), axis=0)
    value = np.where(inside & np.isfinite(value), value, np.inf)
    return _AxisValues(value, value * (_MOMENT_ERROR + 2 * releases.number.size * UNIT))


def log_chernoff(points: Reals) -> Reals:
    """Return an upper bound on log c^c/(1 + c)^(1 + c), the largest (1 - e^-u) e^(-c u)."""
    return -(np.log1p(points) + points * np.log1p(1.0 / points)) * (1.0 - 32 * UNIT)


_ComplexLike: TypeAlias = NDArray[np.complexfloating[Any, Any]]

_LIFT = 16
# B_2k/(2k (2k - 1)), k = 6..2 (DLMF 5.11.1), and |B_14|.
_STIRLING = (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360)
_BERNOULLI = 7 / 6
# Units of round-off of each part of R and I: functions within 8, arguments within 9 of condition
# number 2, some ten operations, 16 summands; and twice that.
_PART_UNITS = 120.0
# Of a node: its exponential, cosine, angles and moduli, 8 units each; pairwise sums; twice that.
_NODE_UNITS = 200.0
_FIRST_BLOCK = 64
_STEP_BITS = 26  # of h: all j h are doubles
_HALF = 0.5


class Change(NamedTuple):
    """log M(c + iy) - log M(c): real part and argument, with bounds on their absolute errors."""

    real: Reals
    angle: Reals
    real_doubt: Reals
    angle_doubt: Reals


class MomentLine(NamedTuple):
    """A rule that can be evaluated at any epsilon: nodes c + i height, those of height > 0."""

    crossing: float
    step: float
    log_moment: float
    moment_doubt: float
    height: Reals
    size: Reals  # |M(z)/M(c)| / |z (z + 1)|
    angle: Reals  # of M(z)/(z (z + 1))
    doubt: Reals  # of the angle and relative of the size, together
    beyond: float  # bound on all nodes that are left out, epsilon's factor apart


def change_off_axis(releases: Releases, crossing: float, height: Reals) -> Change:
    """Return how log M changes from the real axis up to these heights y > 0."""
    total = Change(*(np.zeros_like(height) for _ in Change._fields))
    for alpha, step, number in zip(*releases, strict=True):
        floor = float(_shifted_floor(np.array(alpha), np.array(step), np.array(crossing)))
        one = _change_of_one(floor, float(step * (1.0 + 2.0 * crossing)), step * height)
        total = Change(*(all_ + number * part for all_, part in zip(total, one, strict=True)))
    rounding = 2 * (releases.number.size + 2) * UNIT
    return total._replace(
        real_doubt=total.real_doubt + rounding * np.abs(total.real),
        angle_doubt=total.angle_doubt + rounding * total.angle,
    )


def _change_of_one(floor: float, gap: float, rise: Reals) -> Change:
    """Return the change of one release: A, D and t."""
    top = floor + gap
    fall, angle = np.zeros_like(rise), np.zeros_like(rise)
    square = rise * rise
    for shift in range(_LIFT):
        near, far = floor + shift, top + shift
        fall += _HALF * (np.log1p((rise / near) ** 2) + np.log1p((rise / far) ** 2))
        angle += np.arctan(rise * gap / (near * far + square))
    low, high = floor + _LIFT, top + _LIFT
    left, left_size = _stirling_fall(low, rise)
    right, right_size = _stirling_fall(high, rise)
    turn, turn_size = _stirling_turn(low, high, gap, rise)
    rest = 2 * _BERNOULLI * low**-14 * rise
    return Change(
        -(fall + left + right),
        angle + turn,
        UNIT * _PART_UNITS * (fall + left_size + right_size) + rest * np.minimum(rise / low, 1 / 7),
        UNIT * _PART_UNITS * (angle + turn_size) + rest * min(gap / low, 1 / 7),
    )


def _stirling_fall(point: float, rise: Reals) -> tuple[Reals, Reals]:
    """Return -R(X) for X >= 16 by Stirling's series, and the sum of its parts' sizes."""
    share = rise / point
    modulus = (point - _HALF) * (_HALF * np.log1p(share * share))
    turned = rise * np.arctan(share)
    first = share * rise / (point * point + rise * rise) / 12.0
    more = (_higher(point + 1j * rise) - _higher(np.array([complex(point)]))).real
    size = modulus + turned + first + 2 * point**-3 / 360
    return turned - modulus + first - more, size


def _stirling_turn(low: float, high: float, gap: float, rise: Reals) -> tuple[Reals, Reals]:
    """Return I(B) - I(A) for A >= 16 by Stirling's series, and the sum of its parts' sizes."""
    square = rise * rise
    near, far = low * low + square, high * high + square
    stretch = _HALF * rise * np.log1p(gap / near * (low + high))
    wide = gap * np.arctan(rise / high)
    turned = (low - _HALF) * np.arctan(rise * gap / (low * high + square))
    first = rise * (gap / near) * ((low + high) / far) / 12.0
    more = (_higher(high + 1j * rise) - _higher(low + 1j * rise)).imag
    size = stretch + wide + turned + first + 2 * low**-3 / 360
    return stretch + wide - turned + first + more, size


def _higher(point: _ComplexLike) -> Complexes:
    """Return Stirling's series from its term in z^-3 on, of modulus below |z|^-3/360 at 16."""
    inverse = np.asarray(1.0 / point, dtype=np.complex128)
    square = inverse * inverse
    total = np.full_like(inverse, _STIRLING[0])
    for coefficient in _STIRLING[1:]:
        total = total * square + coefficient
    return total * square * inverse


def moment_line(
    releases: Releases, crossing: float, step: float, negligible: float, most_nodes: int
) -> MomentLine:
    """Return the rule up to where what is left out is below e^negligible M(c), or out of nodes."""
    step = _short(step)
    at = log_moments(releases, np.array([crossing]))
    parts: list[tuple[Reals, Reals, Reals, Reals]] = []
    first, count, beyond = 1, min(_FIRST_BLOCK, most_nodes), math.inf
    while first <= most_nodes and not beyond <= math.exp(negligible):
        height = np.asarray(np.arange(first, first + count) * step, dtype=np.float64)
        change = change_off_axis(releases, crossing, height)
        parts.append((height, *_nodes(change, crossing, height)))
        last = float(change.real[-1] + change.real_doubt[-1])
        beyond = math.exp(min(last, 0.0)) / (math.pi * float(height[-1])) * (1.0 + 32 * UNIT)
        first, count = first + count, min(2 * count, max(most_nodes - first - count + 1, 1))
    height, size, angle, doubt = (np.concatenate(part) for part in zip(*parts, strict=True))
    moment, moment_doubt = float(at.value[0]), float(at.doubt[0])
    return MomentLine(crossing, step, moment, moment_doubt, height, size, angle, doubt, beyond)


def _short(step: float) -> float:
    mantissa, exponent = math.frexp(step)
    return math.ldexp(round(math.ldexp(mantissa, _STEP_BITS)), exponent - _STEP_BITS)


def _nodes(change: Change, crossing: float, height: Reals) -> tuple[Reals, Reals, Reals]:
    modulus = np.hypot(crossing, height) * np.hypot(1.0 + crossing, height)
    angle = change.angle - np.arctan2(height, crossing) - np.arctan2(height, 1.0 + crossing)
    rounding = _NODE_UNITS + 4 * (np.abs(change.real) + np.abs(change.angle))
    doubt = np.expm1(change.real_doubt) + change.angle_doubt + UNIT * rounding
    return np.exp(change.real) / modulus, angle, doubt


def log_delta_on(line: MomentLine, epsilon: Reals) -> Reals:
    """Return an upper bound on log delta at each epsilon >= 0; NaN where there is none."""
    return np.array([_log_delta_at(line, float(each)) for each in epsilon])


def _log_delta_at(line: MomentLine, epsilon: float) -> float:
    c, moved = line.crossing, line.height * epsilon
    terms = line.size * np.cos(line.angle - moved)
    doubts = line.size * (line.doubt + 4 * UNIT * (moved + np.abs(line.angle)))
    centre = 1.0 / (c * (1.0 + c))
    value = centre + 2.0 * float(np.sum(terms))
    doubt = 2.0 * float(np.sum(doubts)) + _NODE_UNITS * UNIT * centre
    whole = line.step / (2.0 * math.pi) * (value + 1.01 * doubt) + line.beyond
    if not 0.0 < whole < math.inf:
        return math.nan
    down, part = c * epsilon, math.log(whole)
    rounding = 8 * UNIT * (line.log_moment + down + abs(part) + 8)
    return line.log_moment - down + part + line.moment_doubt + rounding
