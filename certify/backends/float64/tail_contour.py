"""The tail of several coordinates by a contour integral, and the incomplete gamma on it.

The regularised incomplete gamma of complex argument, with a bound on its error.

With e^L = z^a e^-z / Gamma(a + 1), L in Stirling's form,

    P(a, z) = e^L * sum of z^n / ((a + 1) ... (a + n)),                            |z| <= a + 5;
    Q(a, z) = e^L a / (z + 1 - a - 1 (1 - a)/(z + 3 - a - 2 (2 - a)/(z + 5 - a - ...))), beyond

(DLMF 8.7.1, 8.9.2). Either comes as L and a mantissa, for neither may underflow alone. The error of
the sum is bounded by the sizes of its terms, that of the fraction, evaluated from its end, by a
recurrence beside it. How much the fraction leaves out is told by half as long a one: as the error
of n levels falls like e^(-c sqrt(n |z|)), the difference of the two is larger than what is left.

P(some x_i < gamma) for x ~ Dirichlet(a_1, ..., a_w, rest) by inverting a Laplace transform.

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

from .doubled import UNIT, Flags, Reals
from .gammas import STIRLING_UNITS, log_stirling_ratio
from .hyperbola import Complexes, Nodes, Path, nodes, path_through_saddle

_NEAR = 5.0
_NEGLIGIBLE = 2.0**-60
_TERMS_A_BLOCK = 8
_MOST_TERMS = 40_000  # far above what |z| up to 10^5 needs
_UNITS_A_TERM = 6.0  # a reciprocal, two products of which one is complex
_FEWEST_LEVELS, _MOST_LEVELS = 16, 1 << 14
_AGREED = 2.0**-46  # two fractions agree well enough; squared roughly by the longer one
_UNITS_A_LEVEL = 12.0  # a complex quotient, Smith's way, and the numerator


class _Scaled(NamedTuple):
    """e^logarithm * mantissa is P(a, z), or Q(a, z) where ``upper``; doubt is the mantissa's."""

    logarithm: Complexes
    mantissa: Complexes
    doubt: Reals  # absolute error, at most, the logarithm's taken in
    upper: Flags


def incomplete_gamma(alpha: Reals, argument: Complexes) -> _Scaled:
    """Return P or Q for arrays of one shape, a > 1e-280, |arg z| at most 3/4 pi."""
    share = alpha * np.log(argument / alpha)
    stirling = log_stirling_ratio(alpha)
    logarithm = share + (alpha - argument) + stirling
    units = 4 * np.abs(share) + 6 * np.abs(argument) + 8 * alpha + 2 * np.abs(stirling)
    units += STIRLING_UNITS + 10
    upper = np.abs(argument) > alpha + _NEAR
    mantissa = np.empty_like(argument)
    doubt = np.empty_like(alpha)
    for where, way in ((~upper, _sum), (upper, _fraction)):
        if np.any(where):
            mantissa[where], doubt[where] = way(alpha[where], argument[where])
    return _Scaled(logarithm, mantissa, doubt + UNIT * units * np.abs(mantissa), upper)


def _sum(alpha: Reals, argument: Complexes) -> tuple[Complexes, Reals]:
    """Return the sum and its error, of which every term has as many units as its index says."""
    size = np.abs(argument)
    term, total = np.ones_like(argument), np.ones_like(argument)
    sizes, weighted = np.ones_like(size), np.zeros_like(size)
    done = 0
    while done < _MOST_TERMS:
        for index in range(done + 1, done + _TERMS_A_BLOCK + 1):
            term = term * (argument * (1.0 / (alpha + index)))
            total = total + term
            modulus = np.abs(term)
            sizes += modulus
            weighted += index * modulus
        done += _TERMS_A_BLOCK
        ratio = size / (alpha + done + 1.0)
        left = modulus * ratio / (1.0 - ratio)
        if np.all((ratio < 1.0) & (left <= _NEGLIGIBLE * sizes)):
            break
    else:
        left = np.full_like(size, np.inf)
    return total, UNIT * (_UNITS_A_TERM * weighted + (done + 8) * sizes) + 2 * left


def _fraction(alpha: Reals, argument: Complexes) -> tuple[Complexes, Reals]:
    """Return a times the fraction and its error; infinite where it does not settle."""
    before = _levels(alpha, argument, _FEWEST_LEVELS // 2)[0]
    levels = _FEWEST_LEVELS
    while True:
        value, doubt = _levels(alpha, argument, levels)
        change = np.abs(value - before)
        settled = change <= _AGREED * np.abs(value)
        if np.all(settled) or levels >= _MOST_LEVELS:
            doubt = np.where(settled, doubt + change, np.inf)
            return value * alpha, doubt * alpha
        before, levels = value, 2 * levels


def _levels(alpha: Reals, argument: Complexes, levels: int) -> tuple[Complexes, Reals]:
    """Return the fraction of so many levels from its end, and what rounding does to it."""
    rest = np.zeros_like(argument)
    doubt = np.zeros_like(alpha)
    size = np.abs(argument) + alpha
    for index in range(levels, -1, -1):
        bottom = argument + ((2 * index + 1) - alpha) - rest
        doubt = (doubt + 4 * UNIT * (size + 2 * index + 1 + np.abs(rest))) / np.abs(bottom)
        rest = (index * (index - alpha) if index else 1.0) / bottom
        doubt = np.abs(rest) * (_UNITS_A_LEVEL * UNIT + 1.01 * doubt)
    return rest, doubt


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


def _rows(given: _Scaled, rows: int) -> _Scaled:
    """Return the same values with a row for each parameter."""
    shape = (rows, given.doubt.size // rows)
    return _Scaled(
        given.logarithm.reshape(shape),
        given.mantissa.reshape(shape),
        given.doubt.reshape(shape),
        given.upper.reshape(shape),
    )


def _log_size(given: _Scaled) -> Reals:
    """Return an upper bound on log|Q|, roughly."""
    return np.logaddexp(0.0, given.logarithm.real + np.log(np.abs(given.mantissa)))


def _missed(given: _Scaled, count: Reals) -> _Part:
    """Return 1 - prod Q^count."""
    scale = np.exp(given.logarithm)
    value, doubt = scale * given.mantissa, np.abs(scale) * given.doubt
    lower = np.where(given.upper, 1.0 - value, value)
    doubt = doubt + np.where(given.upper, UNIT * (1.0 + np.abs(lower)), 0.0)
    some = None
    for row, each in enumerate(count):
        more = _repeated(_Part(lower[row], doubt[row]), int(each))
        some = more if some is None else _either(some, more)
    assert some is not None
    return some


def _repeated(once: _Part, count: int) -> _Part:
    """Return 1 - (1 - P)^count by doubling, count >= 1."""
    some = None
    while count:
        if count & 1:
            some = once if some is None else _either(some, once)
        count >>= 1
        once = _either(once, once) if count else once
    assert some is not None
    return some


def _either(left: _Part, right: _Part) -> _Part:
    """Return L + (1 - L) R = 1 - (1 - L)(1 - R)."""
    kept = 1.0 - left.value
    more = kept * right.value
    doubt = left.doubt * (np.abs(1.0 - right.value) + right.doubt) + right.doubt * np.abs(kept)
    rounding = UNIT * (2 * np.abs(left.value) + 6 * np.abs(more) + 2 * np.abs(right.value))
    return _Part(left.value + more, doubt + rounding)


def _product(given: _Scaled, count: Reals) -> tuple[Complexes, Reals]:
    """Return log prod Q^count and its error, where the product is large."""
    lone = given.logarithm + np.log(-given.mantissa)  # of -P, next to which 1 is nothing
    both = np.log(1.0 - np.exp(given.logarithm) * given.mantissa)
    lower = np.where(given.logarithm.real > _LOG_LARGE, lone, both)
    logarithm = np.where(given.upper, given.logarithm + np.log(given.mantissa), lower)
    size = np.exp(-logarithm.real + given.logarithm.real)
    doubt = given.doubt * size + 8 * UNIT * (1.0 + np.abs(logarithm))
    return np.sum(count[:, None] * logarithm, axis=0), np.sum(count[:, None] * doubt, axis=0)
