"""Upper bounds on the least epsilon-hat that Renyi privacy of one order implies.

Two bounds hold by proof (proofs_notes/renyi-to-dp.md): that of two tangents at any y, and that of
the corner at any x whose response loses at least epsilon, where its value is at most the slope
there. The y and the x are searched in plain floats; of what is evaluated at them, every rounding
is counted, so a poor y costs accuracy and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .doubled import UNIT

if TYPE_CHECKING:
    from .doubled import Flags, Reals

# Units of rounding: more than any one line below makes, relative to the sizes that are added.
_UNITS = 16.0
_DOUBT = _UNITS * UNIT
# Steps that split an interval into eight: the bounds are flat in y, where half of a double's digits
# are enough. What a call of NumPy costs hardly grows with the points that it is asked at.
_STEPS_OF_X, _STEPS_OF_Y = 19, 13
_SPLITS = np.arange(1, 8)[:, None] / 8
_LEAST_Y = 1e-300
_SMALL_POWER = 1.0


def epsilon_for_dp(order: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return an upper bound on the least epsilon-hat; exactly 0 where epsilon is.

    Infinite where it is beyond doubles, or where they cannot tell.
    """
    x = _corner(order, epsilon)
    value = np.fmin(_at_corner(order, epsilon, delta, x), _least_dual(order, epsilon, delta, x))
    value = np.where(np.isnan(value), np.inf, value)
    return np.asarray(np.where((epsilon == 0) | (value <= 0), 0.0, np.nextafter(value, np.inf)))


def _response(order: Reals, x: Reals) -> Reals:
    """Return the divergence of randomised response of odds e^x, within 8 units of rounding."""
    over, half = order - 1.0, np.tanh(x / 2)
    power = over * x
    small = np.log1p(2 * np.sinh(power / 2) ** 2 + np.sinh(power) * half) / over
    shrunk = np.exp(-2 * power)
    large = x + np.log(((1 + shrunk) + (1 - shrunk) * half) / 2) / over
    return np.where(order == 1.0, x * half, np.where(power < _SMALL_POWER, small, large))


def _corner(order: Reals, epsilon: Reals) -> Reals:
    """Return about the least x whose response certainly loses epsilon.

    By order 1, and tanh z >= z/(1 + z), it does from (epsilon + sqrt(epsilon^2 + 8 epsilon))/2 on.
    """
    high = (epsilon + np.sqrt(epsilon * epsilon + 8 * epsilon)) / 2 * (1 + 2 * _DOUBT)
    low = np.zeros_like(high)
    for _ in range(_STEPS_OF_X):
        points = low + (high - low) * _SPLITS
        enough = _response(order, points) * (1 - _DOUBT) >= epsilon
        low, high = _beside_first(enough, low, points, high)
    return high


def _beside_first(true: Flags, low: Reals, points: Reals, high: Reals) -> tuple[Reals, Reals]:
    """Return the first point where it is true, or ``high``, and the one before; ``low`` is none."""
    ends = np.concatenate([low[None], points, high[None]])
    first = np.where(true.any(axis=0), true.argmax(axis=0), len(points))[None]
    return np.take_along_axis(ends, first, 0)[0], np.take_along_axis(ends, first + 1, 0)[0]


def _at_corner(order: Reals, epsilon: Reals, delta: Reals, x: Reals) -> Reals:
    """Return a bound by the corner; not a number where it is not certain to be one."""
    kept, lost = 1 - delta, delta * np.exp(-x)
    inner, size = kept - lost, kept + lost
    value = x + np.log(inner)
    value = value + _DOUBT * (size / inner + x + np.abs(np.log(inner)))
    # So little is left only where (1 - delta) e^x is next to delta: its logarithm is negative.
    value = np.where(inner <= _DOUBT * size, 0.0, np.maximum(value, 0.0))
    over = order - 1.0
    ratio = over / order * np.expm1(-2 * order * x) / np.expm1(-2 * over * x)
    ratio = np.where(order == 1.0, -np.expm1(-2 * x) / (2 * x), ratio)
    slope = x + np.log(ratio) - _DOUBT * (1 + x + np.abs(np.log(ratio)))
    holds = _response(order, x) * (1 - _DOUBT) >= epsilon
    return np.where(holds & (value <= np.maximum(slope, 0.0)), value, np.nan)


def _least_dual(order: Reals, epsilon: Reals, delta: Reals, x: Reals) -> Reals:
    """Return the tangents' bound at the y, up to x, where their pair loses about epsilon."""
    low, high = np.full_like(x, np.log(_LEAST_Y)), np.log(x)
    for _ in range(_STEPS_OF_Y):
        points = low + (high - low) * _SPLITS
        enough = ~(_attained(order, epsilon, delta, np.exp(points)) < epsilon)
        low, high = _beside_first(enough, low, points, high)
    return np.fmin(_dual(order, epsilon, delta, np.exp(low)), _dual(order, epsilon, delta, x))


def _log_expm1(z: Reals) -> Reals:
    return z + np.log(-np.expm1(-z))


def _log_spare(order: Reals, epsilon: Reals, y: Reals) -> tuple[Reals, Reals]:
    """Return log N of the note, and a bound on its error."""
    shorter = -np.expm1(-y)
    spare = epsilon + (y - shorter)
    error = _DOUBT * (1 + (y + shorter) / spare + np.abs(np.log(spare)))
    over = order - 1.0
    power = over * (epsilon + y)
    grown, sizes = _log_expm1(power) - np.log(over), power + np.abs(np.log(over))
    share = shorter * np.exp(-grown)
    value = grown + np.log1p(-share)
    doubt = _DOUBT * ((2 + sizes + np.abs(_log_expm1(power))) / (1 - share) + np.abs(value))
    at_one = order == 1.0
    return np.where(at_one, np.log(spare), value), np.where(at_one, error, doubt)


def _width(order: Reals, delta: Reals, spare: Reals) -> tuple[Reals, Reals]:
    """Return log(a/b), and how fast it moves with log N."""
    over = order - 1.0
    share = spare + np.log(over) - np.log(order) - np.log(delta)
    width, pace = np.logaddexp(0.0, share) / over, 1 / (1 + np.exp(-share)) / over
    at_one, alone = order == 1.0, np.exp(spare) / delta
    return np.where(at_one, alone, width), np.where(at_one, alone, pace)


def _attained(order: Reals, epsilon: Reals, delta: Reals, y: Reals) -> Reals:
    """Return about the divergence of the tangents' pair; infinite where there is none."""
    spare, _ = _log_spare(order, epsilon, y)
    width, _ = _width(order, delta, spare)
    x, over, whole = width - y, order - 1.0, -np.expm1(-width)
    p, rest = -np.expm1(-y) / whole, -np.exp(-y) * np.expm1(-x) / whole
    small = np.log1p(p * np.expm1(over * x) + rest * np.expm1(-over * y)) / over
    large = x + np.log(p + rest * np.exp(-over * width)) / over
    value = np.where(over * x < _SMALL_POWER, small, large)
    value = np.where(order == 1.0, p * x - rest * y, value)
    return np.where(x > 0, value, np.inf)


def _dual(order: Reals, epsilon: Reals, delta: Reals, y: Reals) -> Reals:
    """Return a bound on the logarithm of the tangents' slope, for any y."""
    spare, error = _log_spare(order, epsilon, y)
    width, pace = _width(order, delta, spare)
    log_delta, power = np.log(delta), order * width
    grown = _log_expm1(power)
    over = np.where(order == 1.0, 1.0, order - 1.0)
    moved = error + _DOUBT * (2 + np.abs(np.log(over)) + np.log(order) + np.abs(log_delta))
    moved = order * (pace * moved + _DOUBT * width) / -np.expm1(-power)
    sizes = np.abs(log_delta) + np.abs(grown) + np.abs(spare) + y + 1
    return log_delta + grown - spare - y + moved + error + _DOUBT * sizes
