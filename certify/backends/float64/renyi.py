"""Renyi divergences of Dirichlet laws, epsilon from sensitivities, and steps for a budget.

alpha - (order - 1) a b, of which the sign decides whether a divergence is finite.

Renyi divergence of the dominating pair and the largest step for a budget of it.

With e = (order - 1) step the numerator log B(alpha - e, alpha + order step) - log B(alpha,
alpha + step) is a second difference of log Gamma, so that

    D = step * mean of psi(z + order step) - psi(z) over z in [alpha - e, alpha],

for order 1 as well, where the window has no width. Every term is positive; what is delicate is
alpha - e alone, which is therefore formed in two doubles or, where even these cancel, exactly.

Epsilon of Dirichlet(step f + alpha) from sensitivities, the calibrated step, and conversion.

With C as in ``jensen`` and delta2_squared step^2 taken out, equation 18 and line 1 of ponnoprat2023
are C at no change, order psi'/2; the tight bound is C at the change step delta_inf, or the larger
one of these two. Every argument of C is formed without cancellation.

The Renyi divergence of two Dirichlet laws, as a sum in which little cancels.

With T the Jensen gap of log Gamma (``jensen``), D = sum T(u_i, v_i) - T(u_0, v_0). Of log Gamma
the part z log z leaves a divergence of its own, a sum of positive terms,

    sum of d_i^2 [e(d_i/y_i)/y_i + c e(-c d_i/x_i)/x_i],   c = order - 1,
    y_i = u_i v_0/u_0,  x_i = u_i w_0/u_0,  d_i = v_i - y_i = (x_i - w_i)/c,

e being the bend of the entropy and 0 the index of sums. What is left of the gaps is convex as well,
and much smaller for large parameters. Changes, sums and d_i are formed from exact fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import prod
from typing import TypeAlias

import numpy as np

from .doubled import UNIT, Flags, Indices, Reals, plus, single, times, two_product, two_sum
from .gammas import RISE_ERROR, digamma_rise
from .jensen import (
    BEND_ERROR,
    CURVATURE_ERROR,
    HUGEST,
    TINIEST,
    Gap,
    curvature,
    entropy_bend,
    product,
    remainder,
    usable,
)
from .roots import largest

# Below this share of alpha the difference is formed from exact fractions: two doubles hold it to
# 2**-100 of alpha.
_CANCELLED = 2.0**-30
# Products outside of these sizes are not error-free; exact fractions take over.
_TINIEST, _HUGEST = 1e-60, 1e60
_SMALLEST, _LARGEST_EXACT = 5e-324, float(np.finfo(np.float64).max)


def room(alpha: Reals, order: Reals, *factors: Reals) -> Reals:
    """Return alpha - (order - 1) * factors within 2 units of round-off, of the true sign.

    -1 stands for anything that is not positive.
    """
    used = times(two_sum(order, -np.ones_like(order)), single(factors[0]))
    for factor in factors[1:]:
        used = times(used, single(factor))
    left = plus(single(alpha), (-used[0], -used[1]))[0]
    exactly = ~(np.abs(left) > _CANCELLED * alpha)
    for part in (alpha, order, *factors):
        exactly |= _outside(part)
    for index in np.flatnonzero(exactly):
        left[index] = _exactly(*(Fraction(float(part[index])) for part in (alpha, order, *factors)))
    return np.where(left > 0, left, -1.0)


def _outside(value: Reals) -> Flags:
    return (value < _TINIEST) | (value > _HUGEST)


def _exactly(alpha: Fraction, order: Fraction, *factors: Fraction) -> float:
    """Return the room rounded, but never rounded to 0."""
    left = alpha - (order - 1) * prod(factors)
    return rounded(left) if left > 0 else -1.0


def rounded(value: Fraction) -> float:
    """Return the nearest double, but neither 0 nor infinity for a number that is not."""
    size = abs(value)
    if not size:
        return 0.0
    near = _LARGEST_EXACT if size >= Fraction(_LARGEST_EXACT) else max(float(size), _SMALLEST)
    return near if value > 0 else -near


_LARGEST = float(np.finfo(np.float64).max)
# Above the rounding of a subnormal order * step. Half as much in alpha - e or in e matters less: if
# one of these is subnormal, either order * step is so much smaller or the mean, near 1/alpha or
# order * step/alpha^2, overflows.
_SUBNORMAL = 5e-324


def renyi(alpha: Reals, step: Reals, order: Reals) -> Reals:
    """Return an upper bound on the Renyi divergence; infinite exactly from e >= alpha on."""
    base = room(alpha, order, step)
    finite = base > 0
    usable = np.where(finite, base, 1.0)
    window = np.where(finite, (order - 1.0) * step, 1.0)
    rise = np.where(finite, order * step + _SUBNORMAL, 1.0)
    value = step * digamma_rise(usable, window, rise)
    value = np.nextafter(value * (1.0 + RISE_ERROR + 16 * UNIT), np.inf)
    value = np.where(np.isnan(value), _LARGEST, np.minimum(value, _LARGEST))
    return np.where(finite, value, np.inf)


def largest_order(alpha: Reals, step: Reals) -> Reals:
    """Return a lower bound on 1 + alpha/step; a quotient and a sum, each rounded once."""
    ratio = np.nextafter(np.minimum(alpha / step, _LARGEST), 0.0)
    return np.maximum(np.nextafter(1.0 + ratio, 0.0), 1.0)


def step_for_renyi(alpha: Reals, order: Reals, epsilon: Reals) -> Reals:
    """Return a lower bound on the largest step whose divergence is at most epsilon.

    Its own divergence was found to be at most epsilon; the divergence increases in the step.
    """

    def excess(chosen: Indices, step: Reals) -> Reals:
        return over_target(renyi(alpha[chosen], step, order[chosen]), epsilon[chosen])

    limit = np.where(order > 1, alpha / np.maximum(order - 1.0, UNIT * UNIT), np.inf)
    limit = np.nextafter(np.minimum(limit, _LARGEST / 4), np.inf)
    start = np.minimum(alpha, limit / 2)
    return largest(excess, start, limit)


_KEPT_PARTS = 3.0  # of step delta_inf (order - 1), in line 1 of Algorithm 1
_ONE_STEP_ORDER = 2.0  # from this order on a change all in one step is the worst
# Relative error of C from that of its argument, which has a condition number below 2.
_ARGUMENT_ERROR = 24 * UNIT
_EXACT_LOW, _EXACT_HIGH = 1e-130, 1e130
_NEAR_ONE = 0.5
_UNITS_OF_SUM = 16.0


def _bound(given: Gap, *factors: Reals) -> Reals:
    """Return an upper bound on C times the factors; the largest double where it fails."""
    flags = usable(given)
    value = np.full_like(given.base, _LARGEST)
    if np.any(flags):
        bent = curvature(Gap(*(part[flags] for part in given)))
        bent = bent * (1.0 + CURVATURE_ERROR + _ARGUMENT_ERROR)
        value[flags] = product(bent, *(part[flags] for part in factors))
    return value


def _without_change(base: Reals, order: Reals) -> Gap:
    return Gap(base, np.zeros_like(base), base, base, order - 1.0)


def epsilon_bound(order: Reals, step: Reals, delta2_squared: Reals, delta_inf: Reals) -> Reals:
    """Return an upper bound on line 1 of Algorithm 1."""
    argument = 1.0 + _KEPT_PARTS * (order - 1.0) * step * delta_inf
    return _bound(_without_change(argument, order), step, step, delta2_squared)


def epsilon_bound_alpha(
    order: Reals, step: Reals, alpha: Reals, delta2_squared: Reals, delta_inf: Reals
) -> Reals:
    """Return an upper bound on equation 18; infinite exactly where it bounds nothing."""
    base = room(alpha, order, step, delta_inf)
    value = _bound(_without_change(base, order), step, step, delta2_squared)
    return np.where(base > 0, value, np.inf)


def epsilon_sensitivity(
    order: Reals, step: Reals, alpha: Reals, delta2_squared: Reals, delta_inf: Reals
) -> Reals:
    """Return an upper bound on the tight counterpart of equation 18, infinite where that is."""
    far = room(alpha, order, step, delta_inf)
    change = step * delta_inf
    spread = _bound(_without_change(alpha, order), step, step, delta2_squared)
    large = _bound(Gap(alpha, change, alpha + change, far, order - 1.0), step, step, delta2_squared)
    value = np.where(order < _ONE_STEP_ORDER, np.maximum(spread, large), large)
    value = np.where(order > 1.0, value, spread)
    return np.where(far > 0, value, np.inf)


def step(order: Reals, epsilon: Reals, delta2_squared: Reals, delta_inf: Reals) -> Reals:
    """Return a step of which ``epsilon_bound``, increasing in it, is at most epsilon."""

    def excess(chosen: Indices, point: Reals) -> Reals:
        value = epsilon_bound(order[chosen], point, delta2_squared[chosen], delta_inf[chosen])
        return over_target(value, epsilon[chosen])

    # Taking 1/(0.6 + y) for psi'(1 + y): a matter of speed alone.
    scale = 2.0 * epsilon / (order * delta2_squared)
    half = 0.5 * _KEPT_PARTS * (order - 1.0) * delta_inf * scale
    start = half + np.sqrt(half * half + 0.6 * scale)
    start = np.where(np.isfinite(start) & (start > 0), start, 1.0)
    return largest(excess, np.asarray(start), np.full_like(scale, _LARGEST))


def over_target(value: Reals, target: Reals) -> Reals:
    """Return about log(value/target), at most 0 exactly where the value is at most the target."""
    ratio = np.log(value) - np.log(target)
    tiny = np.finfo(np.float64).tiny
    return np.asarray(np.where(value <= target, np.fmin(ratio, 0.0), np.fmax(ratio, tiny)))


def to_approximate_dp(order: Reals, epsilon: Reals, delta: Reals) -> Reals:
    """Return an upper bound on epsilon + log(1 - 1/order) - log(delta order)/(order - 1), or 0."""
    excess = order - 1.0
    near = np.log(excess) - np.log(order)
    share = np.where(order < _ONE_STEP_ORDER, near, np.log1p(-1.0 / order))
    sizes = np.where(order < _ONE_STEP_ORDER, np.abs(np.log(excess)) + np.log(order), np.abs(share))
    logarithm, doubt = _log_product(delta, order)
    last = logarithm / excess
    value = epsilon + share - last
    sizes = epsilon + sizes + np.abs(last)
    value = value + (_UNITS_OF_SUM * UNIT * sizes + doubt / excess * (1.0 + 8 * UNIT))
    value = np.where(np.isnan(value), _LARGEST, np.nextafter(value, np.inf))
    return np.asarray(np.clip(value, 0.0, _LARGEST))


def _log_product(delta: Reals, order: Reals) -> tuple[Reals, Reals]:
    """Return log(delta order) and an absolute bound on its error."""
    value, dropped = two_product(delta, order)
    exact = (delta > _EXACT_LOW) & (order < _EXACT_HIGH)
    near = exact & (np.abs(value - 1.0) < _NEAR_ONE)
    logarithm = np.log(value)
    doubt = 4 * UNIT * np.abs(logarithm) + 2 * UNIT
    close = np.log1p(np.where(near, (value - 1.0) + dropped, 0.0))
    apart = np.log(delta) + np.log(order)
    result = np.where(near, close, np.where(exact, logarithm, apart))
    error = np.where(near, 8 * UNIT * np.abs(close), doubt)
    return result, np.where(exact, error, 4 * UNIT * (np.abs(np.log(delta)) + np.log(order)))


Exact: TypeAlias = Sequence[Fraction]

_UNITS = 60.0  # around a bend: factors and squares


def divergence(u: Sequence[float], v: Sequence[float], order: float) -> float:
    """Return an upper bound on the divergence; infinite exactly where it is, 0 for equal laws."""
    first, second = [Fraction(x) for x in u], [Fraction(x) for x in v]
    excess = Fraction(order) - 1
    moves = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
    if len(first) == 1 or not moves:
        return 0.0
    if any(a + excess * (a - b) <= 0 for a, b in moves):
        return float("inf")
    with np.errstate(all="ignore"):
        return divergence_above(first, second, excess)


def divergence_above(first: Exact, second: Exact, excess: Fraction) -> float:
    """Return an upper bound on the divergence of laws for which it is finite."""
    value, doubt = _divergence(first, second, excess)
    above = np.nextafter((value + doubt) * (1.0 + 4 * UNIT), np.inf)
    return float(min(above, _LARGEST)) if above >= 0 else _LARGEST


def _divergence(first: Exact, second: Exact, excess: Fraction) -> tuple[float, float]:
    """Return the divergence and an absolute bound on its error; NaN where it is not attempted."""
    total, other = sum(first, Fraction(0)), sum(second, Fraction(0))
    pairs = [*zip(first, second, strict=True), (total, other)]
    given = Gap(
        _column([a for a, _ in pairs]),
        _column([b - a for a, b in pairs]),
        _column([b for _, b in pairs]),
        _column([a + excess * (a - b) for a, b in pairs]),
        np.full(len(pairs), rounded(excess)),
    )
    if not np.all(usable(given)):
        return float("nan"), 0.0
    small, errors = remainder(given)
    small, errors = small * given.change * given.change, errors * given.change * given.change
    entropy, unfit = _entropy_part(first, second, excess)
    count = len(pairs)
    value = (entropy + np.sum(small[:-1])) - small[-1]
    sizes = entropy + np.sum(small)
    doubt = np.sum(errors) * (1.0 + 1e-9) + (count + 8) * UNIT * sizes
    doubt += (BEND_ERROR + _UNITS * UNIT) * entropy + _UNITS * np.finfo(np.float64).tiny
    return (float("nan") if unfit else float(value)), float(doubt)


def _column(values: Exact) -> Reals:
    return np.array([rounded(value) for value in values])


def _entropy_part(first: Exact, second: Exact, excess: Fraction) -> tuple[float, bool]:
    """Return the divergence that z log z leaves, and whether a number in it is out of range."""
    total, other = sum(first, Fraction(0)), sum(second, Fraction(0))
    lean = other / total
    far_lean = 1 + excess * (1 - lean)
    gap = _column([b - a * lean for a, b in zip(first, second, strict=True)])
    near = _column([a * lean for a in first])
    beyond = _column([a * far_lean for a in first])
    near_share = _column([b / (a * lean) for a, b in zip(first, second, strict=True)])
    far_share = _column(
        [(a + excess * (a - b)) / (a * far_lean) for a, b in zip(first, second, strict=True)]
    )
    rest = rounded(excess)
    value = entropy_bend(gap / near, near_share) / near
    value = value + rest * entropy_bend(-rest * gap / beyond, far_share) / beyond
    parts = np.abs([*near, *beyond, *gap[gap != 0]])
    unfit = bool(np.any((parts < TINIEST) | (parts > HUGEST)))
    return float(np.sum(gap * (gap * value))), unfit
