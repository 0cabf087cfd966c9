"""The papers' delta and the gamma that goes with it: the tail at its worst input, on safe sides.

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

from collections.abc import Callable
from fractions import Fraction

import numpy as np

from .doubled import UNIT, Flags, Indices, Reals, plus, rounded_towards, single, two_product
from .roots import Excess, bracket, safe_root
from .tails import Misses, alike, log_tail, log_union, probability

# Added to the logarithm of a point, so that its steps, 2^-41, are no finer than the bound is good.
_OFFSET = 4096.0

_Bound = Callable[[Misses, Reals], Reals]


def identity_delta(k: Reals, eta: Reals, w: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on gohari2020 Theorem 1's delta, at its worst input."""
    return probability(log_tail(_floor_and_rest(k, eta, w), gamma))


def counts_delta(k: Reals, eta: Reals, n: Reals, gamma: Reals) -> Reals:
    """Return an upper bound on benvenuti2025 equation 7's delta, at its worst input."""
    return probability(_log_vertex_tail(_vertex(k, eta, n), gamma))


def identity_gamma(k: Reals, eta: Reals, w: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the gamma at which ``identity_delta`` is delta."""
    return _level(_floor_and_rest(k, eta, w), log_tail, delta)


def counts_gamma(k: Reals, eta: Reals, n: Reals, delta: Reals) -> Reals:
    """Return a lower bound on the gamma at which ``counts_delta`` is delta."""
    return _level(_vertex(k, eta, n), _log_vertex_tail, delta)


def _floor_and_rest(k: Reals, eta: Reals, w: Reals) -> Misses:
    alpha, rest = np.empty_like(k), np.empty_like(k)
    for index in range(k.size):
        total, share, count = (Fraction(float(part[index])) for part in (k, eta, w))
        alpha[index] = rounded_towards(total * share, -np.inf)
        left = total - count * Fraction(float(alpha[index]))
        rest[index] = rounded_towards(max(left, Fraction(0)), np.inf)
    return alike(alpha, w, rest)


def _vertex(k: Reals, eta: Reals, n: Reals) -> Misses:
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
    return Misses(np.stack([floor, large]), np.stack([n - 1.0, np.ones_like(n)]), others)


def _log_vertex_tail(misses: Misses, gamma: Reals) -> Reals:
    """Return ``log_tail`` with the margin for the rounding of the large coordinate."""
    logarithm = log_tail(misses, gamma)
    count = np.sum(misses.counts, axis=0)
    # The truth is at least the largest summand of the union bound.
    least = np.log(count) + 1.0 - np.where(np.isfinite(logarithm), logarithm, 0.0)
    margin = 2 * UNIT * (2 * least + misses.alpha[1] + 1.0)
    return np.asarray(np.minimum(logarithm + margin, 0.0))


def _level(misses: Misses, bound: _Bound, delta: Reals) -> Reals:
    """Return the largest gamma that was found where the bound is at most delta, or 0.

    The union bound, which is cheap, gives the point to start from.
    """
    target = np.log(delta) * (1.0 + 4 * UNIT)
    limit = np.nextafter(1.0 / np.sum(misses.counts, axis=0), 1.0)
    result, start, where = np.zeros_like(delta), limit / 2, np.arange(delta.size)
    for way in (log_union, bound):
        safe, found = _largest(_excess(way, misses.at(where), target[where]), start, limit[where])
        where, start = where[found], safe[found]
        result[where] = start
    return result


def _excess(bound: _Bound, misses: Misses, target: Reals) -> Excess:
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
