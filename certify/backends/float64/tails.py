"""The tail of a Dirichlet draw, and the papers' delta and gamma by it.

The probability that a protected coordinate of a Dirichlet draw misses gamma, never too low.

Of two upper bounds the smaller one is taken:

- the union bound, a sum of incomplete betas in logarithms, exact for one coordinate. It exceeds
  the truth by at most its own half, relatively (proofs_notes/tail-worst-input.md, bracket), so that
  nothing more is needed where it is tiny;
- elsewhere the contour integral of ``tail_contour``.

Everything here is for the exact numbers that alpha, count, rest and gamma are.

The papers' delta and the gamma that goes with it: the tail at its worst input, on safe sides.

The parameters k eta and k (1 - w eta) are derived, and rounded to a side that is proved to be safe.

- W strict: the floor is rounded down, what that takes from W goes to the rest, and the rest is
  rounded up. Mass that leaves W for the rest makes a miss likelier (proofs_notes/
  tail-worst-input.md, floor-is-the-worst-input), and so does mass that is added to the rest: it
  makes every coordinate of W smaller.
- all of n: the floor is rounded down, and what that takes goes to the large coordinate, which
  makes a miss likelier (spreading-two-coordinates). The large coordinate's parameter B is then
  rounded, and a margin added: d log delta/d B = E[Y | miss], Y = log x_n - E log x_n, and with
  t E[Y | miss] <= log(1/delta) + log E e^(t Y) at t = B and at t = -B/2, and the convexity of
  log Gamma, |B d log delta/d B| <= 2 log(1/delta) + B log 2 + 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from .doubled import (
    UNIT,
    Doubled,
    Flags,
    Indices,
    Reals,
    plus,
    rounded_towards,
    single,
    two_product,
)
from .incomplete_beta import log_incomplete_beta
from .roots import Excess, bracket, safe_root
from .tail_contour import tail_by_contour

_TINY = float(np.finfo(np.float64).tiny)
_LOG_ALONE = -30.0  # up to this logarithm the union bound exceeds the truth by less than 1e-13
_WHOLE = 2.0**53  # counts from here on may have been rounded
_HALF = 0.5
_LARGEST = Fraction(np.finfo(np.float64).max)  # beyond, nothing is attempted anyway


class _Misses(NamedTuple):
    """Events of several laws: a row for each kind of protected coordinate, a column for each law.

    ``others`` is the sum of all parameters but one of that row, in two doubles. It is 0 only where
    the one coordinate is all there is.
    """

    alpha: Reals
    counts: Reals
    others: Doubled

    def at(self, where: object) -> _Misses:
        """Return the events of some of the laws."""
        high, low = (part[:, where] for part in self.others)  # type: ignore[index]
        return _Misses(self.alpha[:, where], self.counts[:, where], (high, low))  # type: ignore[index]


def _log_tail(misses: _Misses, gamma: Reals) -> Reals:
    """Return an upper bound, at most 0, on the logarithm of each probability, gamma >= 0.

    It is -infinity exactly at probability 0, and 0 from count gamma = 1 on.
    """
    result, is_rough = _rough_log_tail(misses, gamma)
    for index in np.flatnonzero(is_rough):
        result[index] = np.fmin(result[index], _log_by_contour(misses, gamma, int(index)))
    return result


def _rough_log_tail(misses: _Misses, gamma: Reals) -> tuple[Reals, Flags]:
    """Return upper bounds by the union bound, and where a contour may bound more narrowly."""
    certain = _certain(misses, gamma)
    result = np.where(certain, 0.0, _log_union(misses, gamma))
    several = np.sum(misses.counts, axis=0) > 1.0
    return result, ~certain & several & (result > _LOG_ALONE)


def _log_by_contour(misses: _Misses, gamma: Reals, index: int) -> float:
    """Return an upper bound on the logarithm of one law's probability, or NaN."""
    law = misses.at(index)
    total = float(law.alpha[0] + law.others[0][0])
    value = tail_by_contour(law.alpha, law.counts, total, float(gamma[index]))
    return float(np.log(value) + 4 * UNIT)


def _certain(misses: _Misses, gamma: Reals) -> Flags:
    """Whether count gamma >= 1, decided on the exact product, or the counts are not exact.

    One coordinate that is all there is never misses a gamma up to 1.
    """
    count = np.sum(misses.counts, axis=0)
    product, dropped = two_product(count, gamma)
    reached = (product > 1.0) | ((product == 1.0) & (dropped >= 0.0)) | (count >= _WHOLE)
    return np.asarray(reached & ~((count == 1.0) & (misses.others[0][0] == 0.0)), dtype=np.bool_)


def _log_union(misses: _Misses, gamma: Reals) -> Reals:
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


def alike(alpha: Reals, count: Reals, rest: Reals) -> _Misses:
    """Return the events of ``count`` protected coordinates of one parameter each."""
    more = two_product(count - 1.0, np.where(count > 1.0, alpha, 0.0))
    high, low = plus(more, single(rest))
    return _Misses(alpha[None], count[None], (high[None], low[None]))


def uniform(alpha: Reals, count: Reals, rest: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on P(some of ``count`` equal coordinates is below gamma)."""
    return probability(_log_tail(alike(alpha, count, rest), gamma))


def general(alpha: Sequence[float], rest: float, gamma: float) -> float:
    """Return an upper bound on P(some coordinate with a parameter in ``alpha`` is below gamma)."""
    kinds = Counter(float(value) for value in alpha)
    exact = [Fraction(value) for value in kinds]
    total = sum((a * c for a, c in zip(exact, kinds.values(), strict=True)), Fraction(rest))
    high = [float(min(total - a, _LARGEST)) for a in exact]
    low = [float(min(total - a, _LARGEST) - Fraction(h)) for a, h in zip(exact, high, strict=True)]
    misses = _Misses(
        _column(list(kinds)),
        _column([float(count) for count in kinds.values()]),
        (_column(high), _column(low)),
    )
    with np.errstate(all="ignore"):
        return float(probability(_log_tail(misses, np.array([float(gamma)])))[0])


def _column(values: list[float]) -> Reals:
    return np.array(values, dtype=np.float64)[:, None]


# Added to the logarithm of a point, so that its steps, 2^-41, are no finer than the bound is good.
_OFFSET = 4096.0

_Bound = Callable[[_Misses, Reals], Reals]


def identity_delta(k: Reals, eta: Reals, w: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on gohari2020 Theorem 1's delta, at its worst input."""
    return probability(_log_tail(_floor_and_rest(k, eta, w), gamma))


def largest_identity_delta(k: Reals, eta: Reals, w: Reals, gamma: Reals) -> float:
    """Return an upper bound on the largest of several ``identity_delta``.

    The largest union bound is made narrower first; what its own already bounds no higher is left.
    """
    misses = _floor_and_rest(k, eta, w)
    rough, is_rough = _rough_log_tail(misses, gamma)
    largest = -np.inf
    for index in np.argsort(-rough, kind="stable"):
        if rough[index] <= largest:
            break
        narrow = _log_by_contour(misses, gamma, int(index)) if is_rough[index] else rough[index]
        largest = max(largest, float(np.fmin(rough[index], narrow)))
    return float(probability(np.array([largest]))[0])


def counts_delta(k: Reals, eta: Reals, n: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on benvenuti2025 equation 7's delta, at its worst input."""
    return probability(_log_vertex_tail(_vertex(k, eta, n), gamma))


def identity_gamma(k: Reals, eta: Reals, w: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the gamma at which ``identity_delta`` is delta."""
    return _level(_floor_and_rest(k, eta, w), _log_tail, delta)


def counts_gamma(k: Reals, eta: Reals, n: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the gamma at which ``counts_delta`` is delta."""
    return _level(_vertex(k, eta, n), _log_vertex_tail, delta)


def _floor_and_rest(k: Reals, eta: Reals, w: Reals) -> _Misses:
    alpha, rest = np.empty_like(k), np.empty_like(k)
    for index in range(k.size):
        total, share, count = (Fraction(float(part[index])) for part in (k, eta, w))
        alpha[index] = rounded_towards(total * share, -np.inf)
        left = total - count * Fraction(float(alpha[index]))
        rest[index] = rounded_towards(max(left, Fraction(0)), np.inf)
    return alike(alpha, w, rest)


def _vertex(k: Reals, eta: Reals, n: Reals) -> _Misses:
    """Return the event of n - 1 coordinates at the floor and a large one, rounded once."""
    floor, large = np.empty_like(k), np.empty_like(k)
    for index in range(k.size):
        total, share, count = (Fraction(float(part[index])) for part in (k, eta, n))
        floor[index] = rounded_towards(total * share, -np.inf)
        left = total - (count - 1) * Fraction(float(floor[index]))
        large[index] = float(max(left, Fraction(0)))
    one = plus(two_product(n - 2.0, floor), single(large))
    other = two_product(n - 1.0, floor)
    others = np.stack([one[0], other[0]]), np.stack([one[1], other[1]])
    return _Misses(np.stack([floor, large]), np.stack([n - 1.0, np.ones_like(n)]), others)


def _log_vertex_tail(misses: _Misses, gamma: Reals) -> Reals:
    """Return ``_log_tail`` with the margin for the rounding of the large coordinate."""
    logarithm = _log_tail(misses, gamma)
    count = np.sum(misses.counts, axis=0)
    # The truth is at least the largest summand of the union bound.
    least = np.log(count) + 1.0 - np.where(np.isfinite(logarithm), logarithm, 0.0)
    margin = 2 * UNIT * (2 * least + misses.alpha[1] + 1.0)
    return np.asarray(np.minimum(logarithm + margin, 0.0))


def _level(misses: _Misses, bound: _Bound, delta: Reals) -> Reals:
    """Return the largest gamma that was found where the bound is at most delta, or 0.

    The union bound, which is cheap, gives the point to start from.
    """
    target = np.log(delta) * (1.0 + 4 * UNIT)
    limit = np.nextafter(1.0 / np.sum(misses.counts, axis=0), 1.0)
    result, start, where = np.zeros_like(delta), limit / 2, np.arange(delta.size)
    for way in (_log_union, bound):
        safe, found = _largest(_excess(way, misses.at(where), target[where]), start, limit[where])
        where, start = where[found], safe[found]
        result[where] = start
    return result


def _excess(bound: _Bound, misses: _Misses, target: Reals) -> Excess:
    def excess(chosen: Indices, point: Reals) -> Reals:
        value: Reals = bound(misses.at(chosen), point) - target[chosen]
        return value

    return excess


def _largest(excess: Excess, start: Reals, limit: Reals) -> tuple[Reals, Flags]:
    """Return the largest verified point below the limit, and whether there is one.

    The logarithm of the point is what is sought: roots may lie below the first bracket by any
    power. What is returned is a point whose own excess was seen, not its logarithm's exponential.
    """
    best, unsafe, found = bracket(excess, start, limit)
    where = np.flatnonzero(found)

    def excess_at(chosen: Indices, logarithm: Reals) -> Reals:
        index, point = where[chosen], np.exp(logarithm - _OFFSET)
        value = excess(index, point)
        best[index] = np.where(value <= 0, np.maximum(best[index], point), best[index])
        return value

    if where.size:
        ends = (np.log(part[where]) + _OFFSET for part in (best, unsafe))
        safe_root(excess_at, *ends)
    return best, found
