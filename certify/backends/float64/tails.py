"""The probability that a protected coordinate of a Dirichlet draw misses gamma, never too low.

Of two upper bounds the smaller one is taken:

- the union bound, a sum of incomplete betas in logarithms, exact for one coordinate. It exceeds
  the truth by at most its own half, relatively (proofs_notes/tail-worst-input.md, bracket), so that
  nothing more is needed where it is tiny;
- elsewhere the contour integral of ``tail_contour``.

Everything here is for the exact numbers that alpha, count, rest and gamma are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .doubled import UNIT, Doubled, Flags, Reals, plus, single, two_product
from .incomplete_beta import log_incomplete_beta
from .tail_contour import tail_by_contour

_TINY = float(np.finfo(np.float64).tiny)
_LOG_ALONE = -30.0  # up to this logarithm the union bound exceeds the truth by less than 1e-13
_WHOLE = 2.0**53  # counts from here on may have been rounded
_HALF = 0.5
_LARGEST = Fraction(np.finfo(np.float64).max)  # beyond, nothing is attempted anyway


class Misses(NamedTuple):
    """Events of several laws: a row for each kind of protected coordinate, a column for each law.

    ``others`` is the sum of all parameters but one of that row, in two doubles. It is 0 only where
    the one coordinate is all there is.
    """

    alpha: Reals
    counts: Reals
    others: Doubled

    def at(self, where: object) -> Misses:
        """Return the events of some of the laws."""
        high, low = (part[:, where] for part in self.others)  # type: ignore[index]
        return Misses(self.alpha[:, where], self.counts[:, where], (high, low))  # type: ignore[index]


def log_tail(misses: Misses, gamma: Reals) -> Reals:
    """Return an upper bound, at most 0, on the logarithm of each probability, gamma >= 0.

    It is -infinity exactly at probability 0, and 0 from count gamma = 1 on.
    """
    certain = _certain(misses, gamma)
    result = np.where(certain, 0.0, log_union(misses, gamma))
    several = np.sum(misses.counts, axis=0) > 1.0
    for index in np.flatnonzero(~certain & several & (result > _LOG_ALONE)):
        law = misses.at(index)
        total = float(law.alpha[0] + law.others[0][0])
        value = tail_by_contour(law.alpha, law.counts, total, float(gamma[index]))
        result[index] = np.fmin(result[index], np.log(value) + 4 * UNIT)
    return result


def _certain(misses: Misses, gamma: Reals) -> Flags:
    """Whether count gamma >= 1, decided on the exact product, or the counts are not exact.

    One coordinate that is all there is never misses a gamma up to 1.
    """
    count = np.sum(misses.counts, axis=0)
    product, dropped = two_product(count, gamma)
    reached = (product > 1.0) | ((product == 1.0) & (dropped >= 0.0)) | (count >= _WHOLE)
    return np.asarray(reached & ~((count == 1.0) & (misses.others[0][0] == 0.0)), dtype=np.bool_)


def log_union(misses: Misses, gamma: Reals) -> Reals:
    """Return an upper bound, at most 0, on the logarithm of the union bound."""
    rows = []
    for alpha, count, high, low in zip(misses.alpha, misses.counts, *misses.others, strict=True):
        never = (high == 0.0) | (gamma == 0.0)
        point = np.where(never, _HALF, gamma)
        row = log_incomplete_beta(alpha, (high, low), point) + np.log(count) * (1.0 + 4 * UNIT)
        rows.append(np.where(never, -np.inf, row))
    largest = np.max(rows, axis=0)
    usual = np.where(np.isfinite(largest), largest, 0.0)
    value = usual + np.log(np.sum(np.exp(np.array(rows) - usual), axis=0))
    value += UNIT * (8 + 2 * len(rows) + 4 * np.abs(usual))
    return np.where(np.isnan(value), 0.0, np.minimum(value, 0.0))


def probability(logarithm: Reals) -> Reals:
    """Return e^logarithm rounded upward; 0 at -infinity alone."""
    value = np.nextafter(np.exp(logarithm) * (1.0 + 8 * UNIT), 1.0)
    value = np.minimum(np.fmax(value, _TINY), 1.0)
    return np.where(logarithm == -np.inf, 0.0, value)


def alike(alpha: Reals, count: Reals, rest: Reals) -> Misses:
    """Return the events of ``count`` protected coordinates of one parameter each."""
    more = two_product(count - 1.0, np.where(count > 1.0, alpha, 0.0))
    high, low = plus(more, single(rest))
    return Misses(alpha[None], count[None], (high[None], low[None]))


def uniform(alpha: Reals, count: Reals, rest: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on P(some of ``count`` equal coordinates is below gamma)."""
    return probability(log_tail(alike(alpha, count, rest), gamma))


def general(alpha: Sequence[float], rest: float, gamma: float) -> float:
    """Return an upper bound on P(some coordinate with a parameter in ``alpha`` is below gamma)."""
    kinds = Counter(float(value) for value in alpha)
    exact = [Fraction(value) for value in kinds]
    total = sum((a * c for a, c in zip(exact, kinds.values(), strict=True)), Fraction(rest))
    high = [float(min(total - a, _LARGEST)) for a in exact]
    low = [float(min(total - a, _LARGEST) - Fraction(h)) for a, h in zip(exact, high, strict=True)]
    misses = Misses(
        _column(list(kinds)),
        _column([float(count) for count in kinds.values()]),
        (_column(high), _column(low)),
    )
    with np.errstate(all="ignore"):
        return float(probability(log_tail(misses, np.array([float(gamma)])))[0])


def _column(values: list[float]) -> Reals:
    return np.array(values, dtype=np.float64)[:, None]
