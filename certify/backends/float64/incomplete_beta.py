"""The regularised incomplete beta in logarithms, and the factor that it shares with delta.

The factor that both incomplete betas share: q^a (1-q)^b / B(a, b), b = a + step.

With A = a + b and q = 1/(1 + e^(epsilon/step)) it is

    a b/A  R(a) R(b)/R(A)  e^-F,   F = a log(a/(A q)) + b log(b/(A (1-q))) >= 0,

R as in ``gammas``: Loader's saddle-point form, in which nothing large cancels. F is the sum of two
deviances of one sign each; A q and A (1-q) are kept in two doubles, so that F is wrong by a few
units of its own size only. Source: Loader 2000, "Fast and accurate computation of binomial
probabilities".

The regularised incomplete beta I_x(a, b) in logarithms, never below the truth.

With A = a + b and the factor  b/A  R(a) R(b)/R(A)  e^-F,  R as in ``gammas`` and

    F = a log(a/(A x)) + b log(b/(A (1-x))),

a sum of two deviances of one sign each as in ``front``,

    I_x(a, b) = factor * sum of t_n,  t_0 = 1,  t_n = x (A + n - 1)/(a + n) t_(n-1),

all terms positive (DLMF 8.17.8), and 1 - I_(1-x)(b, a) where x is past the mean a/A. The remainder
after t_n is at most t_n r/(1-r), r = max(x, x (A + n)/(a + n + 1)): the ratios of the terms move
towards x. b is a sum of two doubles, so that it need not be rounded.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .doubled import (
    UNIT,
    Doubled,
    Flags,
    Indices,
    Reals,
    exp_minus,
    over,
    plus,
    quotient,
    single,
    times,
    two_sum,
    unboxed,
)
from .gammas import STIRLING_UNITS, log_stirling_ratio
from .series import terms_expected

# Up to this epsilon/step the deviances are formed in two doubles; above, from logarithms.
_STEEP = 32.0
_UNDERFLOWS = 800.0  # e^-slope is 0 in doubles
# Where two numbers differ by less than a third of their sum the deviance is a series in the square
# of their relative difference, at most 1/9; 17 terms leave out less than 1e-17.
_CLOSE = 1 / 3
_DEVIANCE_TERMS = 17
_UNITS_OF_FRONT = 12.0  # direct form: cancels by at most 6 where it is used
# Half the squares of the second doubles over the first, and the rounding of b's logarithm, are at
# most 3 u^2 A together.
_NEXT_ORDER = 2.0**-103
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
    deviance = _deviance_of(alpha, low[0], alpha - low[0]) + _deviance_of(
        second[0], high[0], second[0] - high[0]
    )
    # First order in the second doubles of A q, A (1-q) and b; what is left is of the next order.
    corrected = deviance + (low[0] - alpha) / low[0] * low[1]
    corrected += (high[0] - second[0]) / high[0] * high[1]
    corrected += second[1] * np.log(second[0] / high[0])
    spread = _UNITS_OF_FRONT * UNIT * deviance + np.abs(drift) * _EXPONENTIAL_ERROR
    spread += _NEXT_ORDER * total[0]
    return low[0] / total[0], low[0], high[0], drift, np.maximum(corrected, 0.0), spread


def _deviance_of(mean: Reals, other: Reals, gap: Reals) -> Reals:
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


# Outside of these sizes nothing is attempted: the probability is at most 1.
_TINIEST, _HUGEST = 1e-280, 1e280
_UNDERFLOWING = 1e-130  # below this x its product with a share is not free of error
_UNITS_OF_DEVIANCE = 14.0
_GAP_ERROR = 2.0**-100  # of a - A x, relative to the larger of the two
_HALF = 0.5
# Where x underflows F is a log(a/A) - a log x and more; the logarithms are below 1500.
_UNITS_OF_LOGARITHMS = 4500.0
_UNITS_A_STEP = 7.0  # 5 in a term's ratio, 1 product, and 1 - x
_NEGLIGIBLE = 2.0**-58
_BLOCK = 16
_MOST_TERMS = 16_000


class _Factor(NamedTuple):
    """The factor of one array of parameters, without b/A."""

    alpha: Reals
    others: Reals  # b
    total: Reals  # A
    point: Reals  # x
    low: Reals  # A x
    high: Reals  # A (1 - x)
    logarithm: Reals
    doubt: Reals  # absolute error of the logarithm, at most


def log_incomplete_beta(alpha: Reals, others: Doubled, point: Reals) -> Reals:
    """Return an upper bound, at most 0, on log I_x(a, b) for a = ``alpha``, b = ``others``.

    ``point`` = x is in (0, 1). Where a, b or their ratio is out of all proportion the answer is 0.
    """
    result = np.zeros_like(alpha)
    usual = is_usual(alpha, others, point)
    if np.any(usual):
        given = _factor(alpha[usual], (others[0][usual], others[1][usual]), point[usual])
        past = given.low - given.alpha > np.sqrt(given.low * (given.high / given.total))
        direct = terms_expected(given.low, given.point, given.alpha, given.total)
        other = terms_expected(given.high, 1.0 - given.point, given.others, given.total)
        swapped = past & (other < direct)
        value = np.zeros_like(given.alpha)
        # Where the series is too long the complement is tried as well; it loses what I is below 1.
        # What is hopelessly long is left at 0.
        for where, way in (
            (~swapped & (direct < 2 * _MOST_TERMS), _by_series),
            ((swapped | (direct > _MOST_TERMS)) & (other < 2 * _MOST_TERMS), _by_complement),
        ):
            if np.any(where):
                found = way(_Factor(*(part[where] for part in given)))
                value[where] = np.fmin(value[where], found)
        result[usual] = value
    return result


def is_usual(alpha: Reals, others: Doubled, point: Reals) -> Flags:
    """Whether a, b and x are of sizes for which the factor is found."""
    total = alpha + others[0]
    usual = (alpha > _TINIEST) & (others[0] > _TINIEST) & (total < _HUGEST)
    usual &= (np.minimum(alpha, others[0]) > _TINIEST * total) & (point < 1.0)
    return np.asarray(usual)


def log_front(alpha: Reals, others: Doubled, point: Reals) -> Reals:
    """Return an upper bound on log(A x^a (1-x)^b/(a b B(a, b))), usual sizes, 0 < x < 1."""
    given = _factor(alpha, others, point)
    rounding = 4 * UNIT * (1.0 + np.abs(given.logarithm))
    return np.asarray(given.logarithm + 1.001 * (given.doubt + rounding))


def _factor(alpha: Reals, others: Doubled, point: Reals) -> _Factor:
    total = plus(single(alpha), others)
    deviance, spread, low, high = _deviances(alpha, others, total, point)
    ratio = log_stirling_ratio(alpha) + log_stirling_ratio(others[0])
    ratio -= log_stirling_ratio(total[0])
    doubt = 3 * STIRLING_UNITS + 4 * np.abs(ratio) + 8 * np.abs(np.log(total[0]))
    doubt += 4 * (np.abs(np.log(alpha)) + np.abs(np.log(others[0])))
    return _Factor(
        alpha,
        others[0],
        total[0],
        point,
        low,
        high,
        ratio - deviance,
        UNIT * doubt + spread,
    )


def _deviances(
    alpha: Reals, others: Doubled, total: Doubled, point: Reals
) -> tuple[Reals, Reals, Reals, Reals]:
    """Return F, its error, A x and A (1-x); everything in two doubles and scaled to A = 1."""
    scale = np.frexp(total[0])[1]
    near, far, whole = np.ldexp(alpha, -scale), _scaled(others, -scale), _scaled(total, -scale)
    tiny = point < _UNDERFLOWING
    usual = np.where(tiny, 0.5, point)
    low = times(whole, single(usual))
    high = times(whole, two_sum(np.ones_like(usual), -usual))
    # The gap a - A x = A (1-x) - b, from the difference of what is smaller.
    gap = plus(single(near), (-low[0], -low[1]))[0]
    gap = np.where(usual < _HALF, gap, plus(high, (-far[0], -far[1]))[0])
    deviance = _deviance_of(near, low[0], gap) + _deviance_of(far[0], high[0], -gap)
    spread = _UNITS_OF_DEVIANCE * UNIT * deviance
    size, smaller = np.abs(gap), np.where(usual < _HALF, low[0], high[0])
    slope = np.minimum(size / low[0], 1.0) + np.minimum(size / high[0], 1.0)
    spread += _GAP_ERROR * (smaller + size) * slope
    lone = near * (np.log(near / whole[0]) - np.log(point)) - far[0] * np.log1p(near / far[0])
    lone = np.maximum(lone + far[0] * point, 0.0)
    spread = np.where(tiny, UNIT * (_UNITS_OF_LOGARITHMS * near + 8 * lone), spread)
    return (
        np.ldexp(np.where(tiny, lone, deviance), scale),
        np.ldexp(spread, scale),
        np.where(tiny, total[0] * point, np.ldexp(low[0], scale)),
        np.where(tiny, total[0], np.ldexp(high[0], scale)),
    )


def _scaled(value: Doubled, scale: Indices) -> Doubled:
    return np.ldexp(value[0], scale), np.ldexp(value[1], scale)


def _by_series(given: _Factor) -> Reals:
    value, rest, doubt = _summed(given.low, given.point, given.alpha)
    logarithm = np.log(given.others / given.total) + np.log(value + rest)
    rounding = 4 * UNIT * (1.0 + np.abs(logarithm) + np.abs(given.logarithm))
    return np.asarray(given.logarithm + logarithm + 1.001 * (given.doubt + doubt + rounding))


def _by_complement(given: _Factor) -> Reals:
    """Return log(1 - w), w = I_(1-x)(b, a) rounded down: what its sum lacks is left out."""
    value, _, doubt = _summed(given.high, 1.0 - given.point, given.others)
    doubt = 1.01 * (given.doubt + doubt) + 8 * UNIT
    missing: Reals = np.exp(given.logarithm) * (given.alpha / given.total) * value * (1.0 - doubt)
    return np.asarray(np.log1p(-missing * (1.0 - 8 * UNIT)) * (1.0 - 4 * UNIT))


def _summed(scaled: Reals, point: Reals, bottom: Reals) -> tuple[Reals, Reals, Reals]:
    """Return the sum of t_n for A x = ``scaled``, what is left out, and the relative error."""
    term, value = np.ones_like(scaled), np.ones_like(scaled)
    weighted, rest = np.zeros_like(scaled), np.full_like(scaled, np.inf)
    going: Flags = np.ones(scaled.shape, dtype=np.bool_)
    alone = scaled.size == 1  # then it goes on as long as the loop does
    front, place, below = unboxed(scaled, point, bottom)
    term, value = unboxed(term, value)
    for done in range(0, _MOST_TERMS, _BLOCK):
        before = value
        for index in range(done + 1, done + _BLOCK + 1):
            term = term * ((front + place * (index - 1.0)) / (below + index))
            value = value + term if alone else np.where(going, value + term, value)
        last = done + _BLOCK
        weighted += (value - before) * last
        ratio = np.maximum(point, (scaled + point * last) / (bottom + last + 1.0))
        left = np.where(ratio < 1.0, term * ratio / (1.0 - ratio), np.inf)
        rest = np.where(going, left * (1.0 + 1e-9), rest)
        going &= ~(left <= _NEGLIGIBLE * value)
        if not np.any(going):
            break
    doubt = UNIT * (_UNITS_A_STEP * weighted / value + last + 8)
    return np.broadcast_to(value, rest.shape), rest, doubt
