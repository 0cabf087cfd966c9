"""The papers' epsilon in closed form and at a fixed k, never below the printed expression.

The arguments of the logarithms and of the gamma functions are formed as exact fractions and rounded
once, so that no difference of parameters is lost; the parts are added with a margin for each.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from .doubled import UNIT, Reals
from .gammas import RISE_ERROR, digamma_rise
from .good_set import whole_below

_LARGEST = float(np.finfo(np.float64).max)
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
    columns = (k, eta, eta_bar, b, whole_below(w), gamma)
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
    for share, records, count, level in _rows(eta, N, whole_below(n), gamma):
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
