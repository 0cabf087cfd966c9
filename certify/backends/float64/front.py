"""The factor that both incomplete betas share: q^a (1-q)^b / B(a, b), b = a + step.

With A = a + b and q = 1/(1 + e^(epsilon/step)) it is

    a b/A  R(a) R(b)/R(A)  e^-F,   F = a log(a/(A q)) + b log(b/(A (1-q))) >= 0,

R as in ``gammas``: Loader's saddle-point form, in which nothing large cancels. F is the sum of two
deviances of one sign each; A q and A (1-q) are kept in two doubles, so that F is wrong by a few
units of its own size only. Source: Loader 2000, "Fast and accurate computation of binomial
probabilities".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .doubled import (
    UNIT,
    Doubled,
    Reals,
    exp_minus,
    over,
    plus,
    quotient,
    single,
    times,
    two_sum,
)
from .gammas import STIRLING_UNITS, log_stirling_ratio

# Up to this epsilon/step the deviances are formed in two doubles; above, from logarithms.
_STEEP = 32.0
_UNDERFLOWS = 800.0  # e^-slope is 0 in doubles
# Where two numbers differ by less than a third of their sum the deviance is a series in the square
# of their relative difference, at most 1/9; 17 terms leave out less than 1e-17.
_CLOSE = 1 / 3
_DEVIANCE_TERMS = 17
_UNITS_OF_DEVIANCE = 12.0  # direct form: cancels by at most 6 where it is used
_EXPONENTIAL_ERROR = 2.0**-62  # of exp_minus, times the distance between A q and a


class Front(NamedTuple):
    """Everything that the three routes to delta share, for one array of parameters."""

    alpha: Reals
    step: Reals
    second: Reals  # b = alpha + step
    total: Reals  # A = 2 alpha + step
    low: Reals  # q
    scaled_low: Reals  # A q
    scaled_high: Reals  # A (1 - q)
    drift: Reals  # A q - alpha
    deviance: Reals  # F
    logarithm: Reals  # of R(a) R(b)/R(A) e^-F; the factor a b/A is left to the routes
    doubt: Reals  # absolute error of the logarithm, at most


def front(alpha: Reals, step: Reals, epsilon: Reals) -> Front:
    """Return the shared factor for alpha and step within 1e-280..1e280, epsilon >= 0 finite."""
    scale = np.frexp(2.0 * alpha + step)[1]
    small_alpha, small_step = np.ldexp(alpha, -scale), np.ldexp(step, -scale)
    slope = quotient(epsilon, step)
    parts = _near_parts(small_alpha, small_step, slope)
    steep = slope[0] > _STEEP
    if np.any(steep):
        there = slope[0][steep], slope[1][steep]
        far = _steep_parts(small_alpha[steep], small_step[steep], there)
        for part, value in zip(parts, far, strict=True):
            part[steep] = value
    second, total = alpha + step, 2.0 * alpha + step
    ratio = log_stirling_ratio(alpha) + log_stirling_ratio(second) - log_stirling_ratio(total)
    low, scaled_low, scaled_high, drift, deviance, spread = parts
    deviance, spread = np.ldexp(deviance, scale), np.ldexp(spread, scale)
    doubt = 3 * STIRLING_UNITS * UNIT + spread + 2 * UNIT * (np.abs(ratio) + deviance)
    doubt += 6 * UNIT * np.abs(np.log(total)) + 4 * UNIT * np.abs(np.log(alpha))
    return Front(
        alpha,
        step,
        second,
        total,
        low,
        np.ldexp(scaled_low, scale),
        np.ldexp(scaled_high, scale),
        np.ldexp(drift, scale),
        deviance,
        ratio - deviance,
        doubt,
    )


def _near_parts(alpha: Reals, step: Reals, slope: Doubled) -> tuple[Reals, ...]:
    """Return q, A q, A (1-q), A q - alpha, F and its error, for slopes up to 32."""
    slope = np.minimum(slope[0], _STEEP), slope[1]
    second = two_sum(alpha, step)
    total = plus(single(alpha), second)
    ratio = exp_minus(slope)
    high = over(total, plus(single(np.ones_like(alpha)), ratio))
    low = times(ratio, high)
    drift = (low[0] - alpha) + low[1]
    deviance = deviance_of(alpha, low[0], alpha - low[0]) + deviance_of(
        second[0], high[0], second[0] - high[0]
    )
    # First order in the second doubles of A q, A (1-q) and b; the next order is 1e-32 A.
    corrected = deviance + (low[0] - alpha) / low[0] * low[1]
    corrected += (high[0] - second[0]) / high[0] * high[1]
    corrected += second[1] * np.log(second[0] / high[0])
    spread = _UNITS_OF_DEVIANCE * UNIT * deviance + np.abs(drift) * _EXPONENTIAL_ERROR
    return low[0] / total[0], low[0], high[0], drift, np.maximum(corrected, 0.0), spread


def deviance_of(mean: Reals, other: Reals, gap: Reals) -> Reals:
    """Return u log(u/v) + v - u, at least 0, for u = ``mean``, v = ``other``, ``gap`` = u - v.

    Within 10 units of round-off of itself for the gap that is given.
    """
    both = mean + other
    share = gap / both
    close = np.abs(share) < _CLOSE
    limited = np.where(close, share, 0.0)
    square = limited * limited
    series = np.full_like(mean, 1.0 / (2 * _DEVIANCE_TERMS + 1))
    for index in range(_DEVIANCE_TERMS - 1, 0, -1):
        series = series * square + 1.0 / (2 * index + 1)
    near = square * (both + 2.0 * mean * limited * series)
    return np.where(close, near, mean * np.log(mean / other) - gap)


def _steep_parts(alpha: Reals, step: Reals, doubled_slope: Doubled) -> tuple[Reals, ...]:
    """Return the same where q may underflow: F from log q = -slope - log1p(e^-slope).

    Where q is normal it is within 4 units of round-off, and A q within 6, whatever the slope is.
    """
    slope, rest_of_slope = doubled_slope
    second, total = alpha + step, 2.0 * alpha + step
    # The exponential turns half a unit of the slope into so many units as the slope is large. In
    # what is 0 or denormal the rest is lost all the same, and need not be a number.
    ratio = np.exp(-slope)
    ratio -= ratio * np.where(slope < _UNDERFLOWS, rest_of_slope, 0.0)
    share = np.log(alpha / total)
    high = total / (1.0 + ratio)
    rest = second * np.log1p(-alpha / total) + total * np.log1p(ratio)
    deviance = alpha * (slope + share) + rest
    low = ratio - ratio * ratio  # e^-96 of it is left out
    spread = alpha * (slope - share) + np.abs(rest) + total * ratio * (2.0 + slope)
    scaled = total * low
    return low, scaled, high, scaled - alpha, np.maximum(deviance, 0.0), 8 * UNIT * spread
