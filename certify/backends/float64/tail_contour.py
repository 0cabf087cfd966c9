"""P(some x_i < gamma) for x ~ Dirichlet(a_1, ..., a_w, rest) by inverting a Laplace transform.

With k = sum a + rest and independent gamma variables for the coordinates,

    delta = Gamma(k)/(2 pi i) * integral of e^s s^-k f(s) ds,  f = 1 - prod Q(a_i, gamma s),

over a path around the negative axis from below to above: the hyperbola through the saddle, by the
trapezoid rule. f is put together as P_1 + Q_1 (P_2 + Q_2 (...)), so that nothing is lost where it
is small; where the product overflows, e^s s^-k and the product are taken from logarithms instead.

Every value carries a bound on its error, and the sum of the bounds is added. Three things are
allowed for without a bound of their own: the aliasing (``hyperbola``), what the incomplete gamma's
fraction leaves out, and what follows the last node, by the decay of the blocks before it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .doubled import UNIT, Reals
from .gammas import STIRLING_UNITS, log_stirling_ratio
from .hyperbola import Complexes, Nodes, Path, nodes, path_through_saddle
from .incomplete_gamma import Scaled, incomplete_gamma

# Outside of these sizes nothing is attempted.
_SMALLEST_TOTAL, _LARGEST_TOTAL, _MOST_COORDINATES = 1e-5, 1e5, 2.0**53
_SMALLEST_ALPHA, _SMALLEST = 1e-280, 1e-300
_BLOCK, _MOST_BLOCKS = 32, 1024
_ENOUGH = 8  # blocks by which the sum should be above its error
_LEFT_OUT = 2.0**-54  # of the sum: the estimated rest at which it ends; four times that is added
# Far out, where |s| grows like e^u, the terms fall like |s|^(1 - w - rest) e^((1 - w gamma) Re s),
# the product's part, and faster than any power: by e^-1 a unit of u or more, w being at least 2.
# Half of that is counted on. A block may be followed by others that hardly fall.
_SLOWEST = 0.5
_ALIASED = 2.0**-50  # of the sum of sizes
_LOG_LARGE = 300.0  # natural logarithm of a product that is no longer formed as one


class _Part(NamedTuple):
    """Values at the nodes of a block, with bounds on their absolute errors."""

    value: Complexes
    doubt: Reals


def tail_by_contour(alpha: Reals, count: Reals, total: float, gamma: float) -> float:
    """Return an upper bound on delta, or NaN: ``count`` coordinates each of the ``alpha``.

    ``total`` = k may be rounded once. Meant for delta from 1e-13 on.
    """
    if not (_SMALLEST_TOTAL <= total <= _LARGEST_TOTAL and np.sum(count) < _MOST_COORDINATES):
        return math.nan
    if not (np.min(alpha) > _SMALLEST_ALPHA and gamma * total > _SMALLEST):
        return math.nan
    path = path_through_saddle(alpha, count, total, gamma)
    front, front_doubt = _front(total, path.crossing)
    slowest = math.exp(-_SLOWEST * _BLOCK * path.step)
    value = doubt = size = before = 0.0
    for block in range(_MOST_BLOCKS):
        here = nodes(path, block * _BLOCK, _BLOCK)
        part = _terms(here, path, alpha, count, total, gamma, front)
        last = float(np.sum(np.abs(part.value)))
        value += float(np.sum(part.value.imag))
        doubt += float(np.sum(part.doubt))
        size += last
        decay = max(last / before, slowest) if before > last else 1.0
        rest = last * decay / (1.0 - decay) if decay < 1.0 else math.inf
        if rest <= _LEFT_OUT * abs(value):
            doubt += 4.0 * rest + (front_doubt + _ALIASED + _BLOCK * UNIT) * size
            usable = value > 0.0 and doubt < value
            return (value + 1.01 * doubt) / math.pi * (1.0 + 8 * UNIT) if usable else math.nan
        if block >= _ENOUGH and not doubt < abs(value):
            return math.nan
        before = last
    return math.nan


def _front(total: float, crossing: float) -> tuple[float, float]:
    """Return log(Gamma(k) e^sigma sigma^(1-k)) and its error, that of k's rounding taken in."""
    gap = crossing - total
    share = math.log1p(gap / total) if abs(gap) < 0.5 * total else math.log(crossing / total)
    ratio = float(log_stirling_ratio(np.array([total]))[0])
    logarithm = (gap - total * share) + share - ratio
    units = 4 * abs(gap) + 6 * abs(total * share) + 4 * abs(share) + 4 * abs(ratio)
    return logarithm, UNIT * (units + STIRLING_UNITS + 8)


def _terms(
    here: Nodes,
    path: Path,
    alpha: Reals,
    count: Reals,
    total: float,
    gamma: float,
    front: float,
) -> _Part:
    """Return the terms of the rule, times pi."""
    moved = path.crossing * here.shift
    exponent = front + moved - total * here.logarithm
    units = 8 * (np.abs(moved) + total * np.abs(here.logarithm)) + 4 * abs(front) + 16
    point = gamma * path.crossing * (1.0 + here.shift)
    argument = np.broadcast_to(point, (alpha.size, point.size)).ravel()
    given = _rows(incomplete_gamma(np.repeat(alpha, point.size), argument), alpha.size)
    weight = np.exp(exponent) * here.weight
    missed = _missed(given, count)
    value = weight * missed.value
    doubt = np.abs(weight) * (missed.doubt + np.abs(missed.value) * UNIT * units)
    large = np.sum(count[:, None] * _log_size(given), axis=0) > _LOG_LARGE
    if np.any(large):
        kept, kept_doubt = _product(given, count)
        kept = np.exp(exponent + kept) * here.weight
        value[large] = (weight - kept)[large]
        doubt[large] = (np.abs(weight) * UNIT * units)[large]
        doubt[large] += (np.abs(kept) * (UNIT * units + kept_doubt))[large]
    return _Part(value, doubt)


def _rows(given: Scaled, rows: int) -> Scaled:
    """Return the same values with a row for each parameter."""
    shape = (rows, given.doubt.size // rows)
    return Scaled(
        given.logarithm.reshape(shape),
        given.mantissa.reshape(shape),
        given.doubt.reshape(shape),
        given.upper.reshape(shape),
    )


def _log_size(given: Scaled) -> Reals:
    """Return an upper bound on log|Q|, roughly."""
    return np.logaddexp(0.0, given.logarithm.real + np.log(np.abs(given.mantissa)))


def _missed(given: Scaled, count: Reals) -> _Part:
    """Return 1 - prod Q^count."""
    scale = np.exp(given.logarithm)
    value, doubt = scale * given.mantissa, np.abs(scale) * given.doubt
    lower = np.where(given.upper, 1.0 - value, value)
    doubt = doubt + np.where(given.upper, UNIT * (1.0 + np.abs(lower)), 0.0)
    some = _Part(np.zeros_like(lower[0]), np.zeros_like(doubt[0]))
    for row, each in enumerate(count):
        some = _either(some, _repeated(_Part(lower[row], doubt[row]), int(each)))
    return some


def _repeated(once: _Part, count: int) -> _Part:
    """Return 1 - (1 - P)^count by doubling."""
    some = _Part(np.zeros_like(once.value), np.zeros_like(once.doubt))
    while count:
        if count & 1:
            some = _either(some, once)
        count >>= 1
        once = _either(once, once) if count else once
    return some


def _either(left: _Part, right: _Part) -> _Part:
    """Return L + (1 - L) R = 1 - (1 - L)(1 - R)."""
    kept = 1.0 - left.value
    more = kept * right.value
    doubt = left.doubt * (np.abs(1.0 - right.value) + right.doubt) + right.doubt * np.abs(kept)
    rounding = UNIT * (2 * np.abs(left.value) + 6 * np.abs(more) + 2 * np.abs(right.value))
    return _Part(left.value + more, doubt + rounding)


def _product(given: Scaled, count: Reals) -> tuple[Complexes, Reals]:
    """Return log prod Q^count and its error, where the product is large."""
    lone = given.logarithm + np.log(-given.mantissa)  # of -P, next to which 1 is nothing
    both = np.log(1.0 - np.exp(given.logarithm) * given.mantissa)
    lower = np.where(given.logarithm.real > _LOG_LARGE, lone, both)
    logarithm = np.where(given.upper, given.logarithm + np.log(given.mantissa), lower)
    size = np.exp(-logarithm.real + given.logarithm.real)
    doubt = given.doubt * size + 8 * UNIT * (1.0 + np.abs(logarithm))
    return np.sum(count[:, None] * logarithm, axis=0), np.sum(count[:, None] * doubt, axis=0)
