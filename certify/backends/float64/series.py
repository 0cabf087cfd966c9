"""Two series of positive terms for delta, run over arrays, what has converged leaving early.

With b = alpha + step, A = 2 alpha + step, and the factor a b/A of the front taken in:

    difference:  delta = front * sum of T_n,
        T_0 = step/A, U_0 = alpha/A, f_n = q (A + n - 1),
        T_n = f_n/(alpha + n) (T_(n-1) + U_(n-1) step/(b + n)),  U_n = f_n U_(n-1)/(b + n);
    complement:  1 - delta = front * (V(q) + V(1-q)),
        V(z) = sum of v_n, v_0 = alpha/A, v_n = z (A + n - 1) v_(n-1)/(b + n).

The first loses nothing for small steps; the second is short where delta is near 1 and the first is
long. The remainder after T_n is at most T_n r/(1-r), r = q (1 + 1/(n+1)) max(1, (A+n)/(alpha+n+1));
after v_n likewise with r = z max(1, (A+n)/(b+n+1)).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .doubled import UNIT, Flags, Reals

# Units of round-off that one step adds to a term, at most. f_n has 7: those of q and one more, or
# those of A q, and one of their sum, for a q within 4 and an A q within 6 as ``front`` has them.
# T_n adds a denominator, a quotient, a product and a sum, U_n a denominator of two, a quotient and
# a product: 11 either way.
_UNITS_A_STEP = 13.0
_SMALLEST_BLOCK, _LARGEST_BLOCK = 4, 16
_NEGLIGIBLE = 2.0**-58  # of the sum: the remainder at which an element has converged
# Nearer to 1 the rounding of a ratio would count in 1 - ratio. There a term of the difference
# series is at least a share e^(-n/999)/(n+1)^2 of n + 1 terms' sum, and never negligible.
_LARGEST_RATIO = 0.999
_COMPACT_SHARE = 1 / 16  # of a chunk: so many must have converged to be taken out
_DIGITS = 40.0  # natural logarithm of the accuracy that lengths are estimated for
_TESTED = [1, 4, 5, 7, 9]  # rows of the difference series that tell whether it has converged
_LARGE, _SHRINK = 2.0**700, -600  # a sum above the one is multiplied by 2 to the other


def terms_expected(scaled: Reals, point: Reals, bottom: Reals, total: Reals) -> Reals:
    """Estimate the terms of a series with ratios point (A + n)/(bottom + n); speed only."""
    peak = np.maximum((scaled - bottom) / (1.0 - point), 0.0)
    width = np.sqrt(2 * _DIGITS * (total + peak) * ((bottom + peak) / (total - bottom)))
    falling = np.log(bottom / scaled)
    steep = np.where(falling > 0, _DIGITS / falling, np.inf)
    return peak + np.minimum(width, steep) + _DIGITS / -np.log(point)


class Summed(NamedTuple):
    """A sum 2**exponent * value, and the largest relative error of it, on either side."""

    value: Reals
    exponent: Reals
    doubt: Reals


def difference_series(
    alpha: Reals, step: Reals, low: Reals, scaled_low: Reals, terms: int
) -> Summed:
    """Sum T_n for q = ``low``, A q = ``scaled_low``, to a remainder below 2**-58 of the sum.

    Elements that ``terms`` steps do not bring there answer with an infinite doubt.
    """
    second, total = alpha + step, 2.0 * alpha + step
    outcome = np.empty((3, alpha.size))
    # Rows: index, alpha, step, b, A, q, A q, T, U, sum, weighted sum, exponent.
    state = np.stack(
        [
            np.arange(alpha.size, dtype=np.float64),
            alpha,
            step,
            second,
            total,
            low,
            scaled_low,
            step / total,
            alpha / total,
            step / total,
            np.zeros_like(alpha),
            np.zeros_like(alpha),
        ]
    )
    done, block = 0, _SMALLEST_BLOCK
    while state.shape[1] and done < terms:
        _advance(state, done, block)
        done += block
        block = _LARGEST_BLOCK if done >= _LARGEST_BLOCK else block
        converged = _difference_converged(state, done)
        _shrink(state)
        if np.count_nonzero(converged) >= _COMPACT_SHARE * converged.size:
            _record(outcome, state[:, converged], done)
            state = state[:, ~converged]
    _record(outcome, state, done)
    if state.shape[1]:
        unfinished = ~_difference_converged(state, done)
        outcome[2, state[0, unfinished].astype(np.intp)] = np.inf
    return Summed(outcome[0], outcome[1], outcome[2])


def _advance(state: Reals, done: int, block: int) -> None:
    """Add ``block`` terms to every sum, in place."""
    if state.shape[1] == 1:
        _advance_one(state[:, 0], done, block)
        return
    _, alpha, step, second, _, low, scaled_low, term, partner, total, weighted, _ = state
    before = total.copy()
    factor, share, scratch = np.empty_like(alpha), np.empty_like(alpha), np.empty_like(alpha)
    for index in range(done + 1, done + block + 1):
        np.multiply(low, index - 1.0, out=factor)
        factor += scaled_low
        np.add(second, index, out=scratch)
        np.divide(partner, scratch, out=share)
        np.multiply(share, factor, out=partner)
        share *= step
        term += share
        np.add(alpha, index, out=scratch)
        factor /= scratch
        term *= factor
        total += term
    weighted += (total - before) * (done + block)


def _advance_one(state: Reals, done: int, block: int) -> None:
    """Add the same terms to one sum by the same operations, without the cost of arrays."""
    _, alpha, step, second, _, low, scaled_low, term, partner, before, weighted, _ = state.tolist()
    total = before
    for index in range(done + 1, done + block + 1):
        factor = low * (index - 1.0) + scaled_low
        share = partner / (second + index)
        partner = share * factor
        term += share * step
        term *= factor / (alpha + index)
        total += term
    state[7:11] = term, partner, total, weighted + (total - before) * (done + block)


def _difference_converged(state: Reals, done: int) -> Flags:
    if state.shape[1] == 1:
        return np.array([_has_converged(state[_TESTED, 0].tolist(), done, max)])
    return np.asarray(_has_converged(state[_TESTED], done, np.maximum), dtype=np.bool_)


def _has_converged(tested: Any, done: int, larger: Callable[..., Any]) -> Any:
    alpha, total, low, term, value = tested  # numbers of one sum, or rows of many
    ratio = low * (1.0 + 1.0 / (done + 1)) * larger(1.0, (total + done) / (alpha + done + 1))
    negligible = _NEGLIGIBLE * value * (1.0 - ratio)
    return (ratio < _LARGEST_RATIO) & (term * ratio <= negligible)


def _shrink(state: Reals) -> None:
    if state.shape[1] == 1 and not state.item(9, 0) > _LARGE:
        return
    large = state[9] > _LARGE
    if np.any(large):
        state[7:11, large] = np.ldexp(state[7:11, large], _SHRINK)
        state[11, large] -= _SHRINK


def _record(outcome: Reals, state: Reals, done: int) -> None:
    where = state[0].astype(np.intp)
    outcome[0, where] = state[9]
    outcome[1, where] = state[11]
    units = _UNITS_A_STEP * state[10] / state[9] + done + 8
    outcome[2, where] = units * UNIT + 2 * _NEGLIGIBLE


def complement_series(
    alpha: Reals, step: Reals, point: Reals, scaled_point: Reals, terms: int
) -> Summed:
    """Sum v_n for z = ``point``, A z = ``scaled_point``; what is left out only lowers the sum."""
    second, total = alpha + step, 2.0 * alpha + step
    outcome = np.empty((3, alpha.size))
    # Rows: index, b, A, z, A z, v, sum.
    state = np.stack(
        [
            np.arange(alpha.size, dtype=np.float64),
            second,
            total,
            point,
            scaled_point,
            alpha / total,
            alpha / total,
        ]
    )
    done = 0
    while state.shape[1]:
        _advance_complement(state, done)
        done += _LARGEST_BLOCK
        ratio = state[3] * np.maximum(1.0, (state[2] + done) / (state[1] + done + 1))
        over = (ratio < 1.0) & (state[5] * ratio <= _NEGLIGIBLE * state[6] * (1.0 - ratio))
        over |= done >= terms
        if np.count_nonzero(over) >= _COMPACT_SHARE * over.size:
            where = state[0, over].astype(np.intp)
            outcome[0, where] = state[6, over]
            outcome[2, where] = (_UNITS_A_STEP + 1) * (done + 8) * UNIT
            state = state[:, ~over]
    outcome[1] = 0.0
    return Summed(outcome[0], outcome[1], outcome[2])


def _advance_complement(state: Reals, done: int) -> None:
    if state.shape[1] == 1:
        _advance_one_complement(state[:, 0], done)
        return
    _, second, _, point, scaled_point, term, total = state
    factor, scratch = np.empty_like(term), np.empty_like(term)
    for index in range(done + 1, done + _LARGEST_BLOCK + 1):
        np.multiply(point, index - 1.0, out=factor)
        factor += scaled_point
        np.add(second, index, out=scratch)
        factor /= scratch
        term *= factor
        total += term


def _advance_one_complement(state: Reals, done: int) -> None:
    """Add the same terms to one sum by the same operations."""
    _, second, _, point, scaled_point, term, total = state.tolist()
    for index in range(done + 1, done + _LARGEST_BLOCK + 1):
        term *= (point * (index - 1.0) + scaled_point) / (second + index)
        total += term
    state[5:7] = term, total
