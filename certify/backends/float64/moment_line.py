"""delta of independent releases by the trapezoid rule on the vertical line Re z = c > 0.

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
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .doubled import UNIT, Reals
from .hyperbola import Complexes
from .loss_moments import Releases, log_moments, shifted_floor

ComplexLike: TypeAlias = NDArray[np.complexfloating[Any, Any]]

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
        floor = float(shifted_floor(np.array(alpha), np.array(step), np.array(crossing)))
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


def _higher(point: ComplexLike) -> Complexes:
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
