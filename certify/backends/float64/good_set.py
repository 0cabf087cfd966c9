"""The papers' epsilon on the good set, in general and in closed form, never below it.

The papers' epsilon on the good set, never below the printed expression.

    log B(p, r) - log B(p + h, r - h) + h log R,
    p = k eta, r = k (1 - eta_bar - eta), h = k shift, R = (1 - (w-1) gamma)/gamma,

is h (log R + m) where m, a mean of psi(z + d) - psi(z), has the sign of d = r - h - p: a second
difference of log Gamma as in ``gammas``. The two parts may cancel, so the margin is relative to
each of them and not to the sum. The differences that enter are formed in two doubles, or exactly
where these cancel.

The papers' epsilon in closed form and at a fixed k, never below the printed expression.

The arguments of the logarithms and of the gamma functions are formed as exact fractions and rounded
once, so that no difference of parameters is lost; the parts are added with a margin for each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from .doubled import UNIT, Doubled, Reals, plus, quotient, single, two_product
from .gammas import RISE_ERROR, digamma_rise

_SUM_ERROR = 2.0**-98  # of sums of numbers up to 1 in two doubles
_CANCELLED = 2.0**-30  # room below this is formed from exact fractions
_PART_ERROR = RISE_ERROR + 40 * UNIT  # six parameters' roundings, condition numbers below 3
_SMALL = 1e-280  # steps below which their products may be subnormal
# Above what rounding takes from a subnormal step, and from the half of a distance before it.
_SUBNORMAL = 1e-323
_LARGEST = float(np.finfo(np.float64).max)
_WHOLE = 2.0**53  # whole numbers from here on may have been rounded to doubles


def _whole_below(count: Reals) -> Reals:
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
    product, dropped = two_product(_whole_below(protected), gamma)
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


_TINIEST = 5e-324
_PART_UNITS = 8  # of each part of a sum: its argument's rounding, a function, a product
_MEAN_ERROR = RISE_ERROR + 16 * UNIT  # three rounded parameters, condition numbers below 3
_LOG_TWO = 0.69314718055994530942
_CLOSE = Fraction(1, 2)  # of 1: where log1p takes over
_SPAN = 900  # binary digits that a quotient keeps within the range of a double


def identity_simplified(
    k: Reals, eta: Reals, eta_bar: Reals, b: Reals, w: Reals, gamma: Reals
) -> Reals:
    """Return an upper bound on gohari2020 Theorem 1's epsilon with Lemma 5 put into it."""
    values = []
    columns = (k, eta, eta_bar, b, _whole_below(w), gamma)
    for total, share, outside, distance, count, level in _rows(*columns):
        near, far = total * share, total * (1 - outside - share)
        below = (2 * near - 1) * (2 * far - 1)
        parts = (
            _log((near + far - 1) / below) if below > 0 else math.nan,
            _float(near + far - 2),
            _float(total * distance / 2) * _log((1 - (count - 1) * level) / level),
        )
        values.append(_sum_above(parts))
    return np.array(values, dtype=np.float64)


def counts_minimum(eta: Reals, N: Reals, n: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on benvenuti2025 Theorem 1's epsilon at k = 3/(2 eta).

    As in ``good_set``: h (log R + m), h = k/N, m a mean of psi(z + d) - psi(z) of the sign of
    d = k (1 - 3 eta - 1/N). Should N be no double, it does not matter here: eta <= 1/3.
    """
    values = []
    for share, records, count, level in _rows(eta, N, _whole_below(n), gamma):
        total = 3 / (2 * share)
        moved = total / records
        gap = total * (1 - 3 * share - 1 / records)
        base = min(Fraction(3, 2), Fraction(3, 2) + gap)
        numbers = (np.array([_float(part)]) for part in (base, moved, abs(gap)))
        mean = float(digamma_rise(*numbers)[0])
        mean = mean * (1.0 + _MEAN_ERROR) if gap > 0 else -mean * (1.0 - _MEAN_ERROR)
        logarithm = _log((1 - (count - 1) * level) / level)
        value = _float(moved) * _sum_above((logarithm, mean))
        value += 4 * UNIT * abs(value) + _TINIEST
        values.append(value if all(map(math.isfinite, (mean, value))) else _LARGEST)
    return np.array(values, dtype=np.float64)


def _rows(*columns: Reals) -> Iterator[tuple[Fraction, ...]]:
    for row in zip(*columns, strict=True):
        yield tuple(Fraction(float(value)) for value in row)


def _float(value: Fraction) -> float:
    """Return the nearest double, of which the numbers beyond the range have an infinite one."""
    if abs(value) > Fraction(_LARGEST):
        return math.inf if value > 0 else -math.inf
    return float(value)


def _log(value: Fraction) -> float:
    """Return the logarithm of a positive number of any size, within 4 units of its own size."""
    if value <= 0:
        return math.nan  # outside of the domain
    if abs(value - 1) < _CLOSE:
        return math.log1p(_float(value - 1))
    shift = value.numerator.bit_length() - value.denominator.bit_length()
    if abs(shift) <= _SPAN:
        return math.log(value)
    return math.log(value / Fraction(2) ** shift) + shift * _LOG_TWO


def _sum_above(parts: tuple[float, ...]) -> float:
    """Return a sum with a margin for each part, at most the largest double."""
    margin = _PART_UNITS * UNIT * sum(map(abs, parts))
    value = math.fsum((*parts, margin * (1.0 + 8 * UNIT)))
    value += 4 * UNIT * abs(value) + _TINIEST
    return _LARGEST if math.isnan(value) else min(value, _LARGEST)
