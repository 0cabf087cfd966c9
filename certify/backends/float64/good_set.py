"""The papers' epsilon on the good set, never below the printed expression.

    log B(p, r) - log B(p + h, r - h) + h log R,
    p = k eta, r = k (1 - eta_bar - eta), h = k shift, R = (1 - (w-1) gamma)/gamma,

is h (log R + m) where m, a mean of psi(z + d) - psi(z), has the sign of d = r - h - p: a second
difference of log Gamma as in ``gammas``. The two parts may cancel, so the margin is relative to
each of them and not to the sum. The differences that enter are formed in two doubles, or exactly
where these cancel.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from .doubled import (
    UNIT,
    Doubled,
    Reals,
    plus,
    quotient,
    single,
    two_product,
)
from .gammas import RISE_ERROR, digamma_rise

_SUM_ERROR = 2.0**-98  # of sums of numbers up to 1 in two doubles
_CANCELLED = 2.0**-30  # room below this is formed from exact fractions
_PART_ERROR = RISE_ERROR + 40 * UNIT  # six parameters' roundings, condition numbers below 3
_SMALL = 1e-280  # steps below which their products may be subnormal
# Above what rounding takes from a subnormal step, and from the half of a distance before it.
_SUBNORMAL = 1e-323
_LARGEST = float(np.finfo(np.float64).max)
_WHOLE = 2.0**53  # whole numbers from here on may have been rounded to doubles


def whole_below(count: Reals) -> Reals:
    """Return lower bounds on whole numbers, some of which may have been rounded to doubles."""
    return np.where(count < _WHOLE, count, np.nextafter(count, 0.0))


def _good_set_epsilon(
    k: Reals,
    eta: Reals,
    eta_bar: Reals,
    moved: Reals,
    divisor: Reals,
    protected: Reals,
    gamma: Reals,
) -> Reals:
    """Return an upper bound on the printed expression for shift = moved/divisor."""
    shift = quotient(moved, divisor)
    room = _room(eta, eta_bar, moved, divisor, shift)
    gap = plus(room, (-eta, np.zeros_like(eta)))[0]
    # psi rises by more over a longer way: the way is rounded up in the positive part, down in the
    # negative one. By so much that no rounding to a subnormal matters, for k is above _SMALL.
    way = k * np.where(gap > 0, gap + _SUM_ERROR, np.maximum(-gap - _SUM_ERROR, 0.0))
    base = k * np.where(gap > 0, eta, room[0])
    mean = digamma_rise(base, k * shift[0], way)
    mean = np.where(gap > 0, mean * (1.0 + _PART_ERROR), -mean * (1.0 - _PART_ERROR))
    logarithm = _log_ratio(protected, gamma)
    both = logarithm + mean + 4 * UNIT * (logarithm + np.abs(mean))
    value = k * shift[0] * both
    value += 8 * UNIT * np.abs(value) + 5e-324
    small = (np.minimum(k * shift[0], shift[0]) < _SMALL) | (divisor >= _WHOLE)
    value = np.where(small, _tangent(k, eta, shift[0], gamma), value)
    return np.where(np.isnan(value), _LARGEST, np.minimum(value, _LARGEST))


def _tangent(k: Reals, eta: Reals, shift: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on the printed expression, close for small h = k shift.

    It is concave in h and 0 at 0, so at most h (log R + psi(r) - psi(p)), p = k eta and r < k. As
    log x - 1/x < psi(x) < log x and R <= 1/gamma, that is at most h log(1/(gamma eta)) + shift/eta,
    which rises with h and shift: both may be rounded up to what is no longer small, and a shift
    that a large k enlarges again by what its own rounding may have taken.
    """
    moved = np.maximum(k * (shift + _SUBNORMAL), _SMALL) * -(np.log(gamma) + np.log(eta))
    return np.asarray((moved + np.maximum(shift, _SMALL) / eta) * (1.0 + 64 * UNIT))


def _room(eta: Reals, eta_bar: Reals, moved: Reals, divisor: Reals, shift: Doubled) -> Doubled:
    """Return 1 - eta_bar - eta - shift, which is positive."""
    zero = np.zeros_like(eta)
    room = plus(plus(single(zero + 1.0), (-eta_bar, zero)), (-eta, zero))
    high, low = plus(room, (-shift[0], -shift[1]))
    for index in np.flatnonzero(high < _CANCELLED):
        first, second, top, bottom = (
            Fraction(float(part[index])) for part in (eta, eta_bar, moved, divisor)
        )
        exact = 1 - first - second - top / bottom
        high[index] = max(float(exact), 5e-324)
        low[index] = float(exact - Fraction(float(high[index])))
    return high, low


def _log_ratio(protected: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on log R = log(1 + (1 - w gamma)/gamma), w gamma < 1."""
    product, dropped = two_product(whole_below(protected), gamma)
    left = np.maximum((1.0 - product) - dropped, 0.0)
    value = np.minimum(np.log1p(left / gamma), -np.log(gamma))
    return value * (1.0 + 8 * UNIT)


def identity_epsilon(
    k: Reals, eta: Reals, eta_bar: Reals, b: Reals, w: Reals, gamma: Reals
) -> Reals:
    """Return an upper bound on gohari2020 Theorem 1's epsilon."""
    return _good_set_epsilon(k, eta, eta_bar, 0.5 * b, np.ones_like(b), w, gamma)


def average_epsilon(
    k: Reals,
    eta: Reals,
    eta_bar: Reals,
    b: Reals,
    N: Reals,
    w: Reals,
    gamma: Reals,
) -> Reals:
    """Return an upper bound on gohari2020 Theorem 2's epsilon, with N for n."""
    return _good_set_epsilon(k, eta, eta_bar, 0.5 * b, N, w, gamma)


def counts_epsilon(
    k: Reals,
    eta: Reals,
    N: Reals,
    n: Reals,
    gamma: Reals,
) -> Reals:
    """Return an upper bound on benvenuti2025 Theorem 1's epsilon."""
    return _good_set_epsilon(k, eta, eta, np.ones_like(N), N, n, gamma)
