"""The regularised incomplete gamma of complex argument, with a bound on its error.

With e^L = z^a e^-z / Gamma(a + 1), L in Stirling's form,

    P(a, z) = e^L * sum of z^n / ((a + 1) ... (a + n)),                            |z| <= a + 5;
    Q(a, z) = e^L a / (z + 1 - a - 1 (1 - a)/(z + 3 - a - 2 (2 - a)/(z + 5 - a - ...))), beyond

(DLMF 8.7.1, 8.9.2). Either comes as L and a mantissa, for neither may underflow alone. The error of
the sum is bounded by the sizes of its terms, that of the fraction, evaluated from its end, by a
recurrence beside it. How much the fraction leaves out is told by half as long a one: as the error
of n levels falls like e^(-c sqrt(n |z|)), the difference of the two is larger than what is left.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .doubled import UNIT, Flags, Reals
from .gammas import STIRLING_UNITS, log_stirling_ratio

Complexes: TypeAlias = NDArray[np.complex128]

_NEAR = 5.0
_NEGLIGIBLE = 2.0**-60
_BLOCK = 8
_MOST_TERMS = 40_000  # far above what |z| up to 10^5 needs
_UNITS_A_TERM = 6.0  # a reciprocal, two products of which one is complex
_FEWEST_LEVELS, _MOST_LEVELS = 16, 1 << 14
_AGREED = 2.0**-46  # two fractions agree well enough; squared roughly by the longer one
_UNITS_A_LEVEL = 12.0  # a complex quotient, Smith's way, and the numerator


class Scaled(NamedTuple):
    """e^logarithm * mantissa is P(a, z), or Q(a, z) where ``upper``; doubt is the mantissa's."""

    logarithm: Complexes
    mantissa: Complexes
    doubt: Reals  # absolute error, at most, the logarithm's taken in
    upper: Flags


def incomplete_gamma(alpha: Reals, argument: Complexes) -> Scaled:
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
    return Scaled(logarithm, mantissa, doubt + UNIT * units * np.abs(mantissa), upper)


def _sum(alpha: Reals, argument: Complexes) -> tuple[Complexes, Reals]:
    """Return the sum and its error, of which every term has as many units as its index says."""
    size = np.abs(argument)
    term, total = np.ones_like(argument), np.ones_like(argument)
    sizes, weighted = np.ones_like(size), np.zeros_like(size)
    done = 0
    while done < _MOST_TERMS:
        for index in range(done + 1, done + _BLOCK + 1):
            term = term * (argument * (1.0 / (alpha + index)))
            total = total + term
            modulus = np.abs(term)
            sizes += modulus
            weighted += index * modulus
        done += _BLOCK
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
