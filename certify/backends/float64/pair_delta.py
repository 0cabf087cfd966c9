"""delta of a given pair of Dirichlet laws, never below the truth.

It is the hockey-stick of Beta(a, b) from Beta(A, B), m = A - a >= 0 and k = b - B >= 0, and

    delta = F [S(a, b, x) - S(A, B, x)],  F = x^a (1-x)^b / B(a, b),

at the x where the densities' ratio is e^epsilon (proofs_notes/exact-loss-of-a-pair.md, one-front).
At any other x that is delta at another epsilon; the ratio falls in x and delta in epsilon, so an x
that is no less than the right one is safe. The terms of a S(a, b, x) - a S(A, B, x) are

    a/(a+n) [D_n + U_n m/(A+n)],  U_0 = 1, D_0 = 0,  U_n = U_(n-1) x (A+B+n-1)/(A+n-1),
    D_n = D_(n-1) x (a+b+n-1)/(a+n-1) + U_(n-1) x (b m + k (a+n-1))/((a+n-1) (A+n-1)),

none negative. Never more than delta of the worst pair with that floor and step is answered.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from . import add_remove, profile
from .doubled import UNIT, rounded_towards
from .gammas import RISE_ERROR, digamma_rise
from .incomplete_beta import is_usual, log_front

_ADDED = 1
_MOST_TERMS = 20_000
_NEGLIGIBLE = 2.0**-58
# Of a term: those of D_n, nine for each n, where no two are ever subtracted, and a few more.
_UNITS_A_STEP = 12.0
# Outside of these sizes nothing is attempted here.
_TINIEST, _HUGEST = 1e-140, 1e140
# A sum below may have lost terms that underflowed.
_LEAST_SUM = 1e-250
# Below it a double may have few digits.
_LEAST_POINT = 1e-300
# Of a mean of differences, and of its three arguments, which are rounded.
_RISE_ERROR = RISE_ERROR + 8 * UNIT
_TINY = float(np.finfo(np.float64).tiny)


class Shares(NamedTuple):
    """The two Beta laws, Beta(a, b) and Beta(A, B), and whether x or 1 - x is what is a double."""

    a: Fraction
    b: Fraction
    larger: Fraction  # A
    smaller: Fraction  # B
    turned: bool


def delta(u: Sequence[float], v: Sequence[float], epsilon: float) -> float:
    """Return an upper bound on the hockey-stick of Dirichlet(u) from Dirichlet(v) at e^epsilon."""
    changed = [(Fraction(one), Fraction(other)) for one, other in zip(u, v, strict=True)
               if one != other]  # fmt: skip
    if not changed:
        return 0.0
    with np.errstate(all="ignore"):
        worst = _of_the_worst_pair(changed, epsilon)
        found = _of_shares(_shares(u, changed), epsilon)
    return min(worst, found) if found >= 0 else worst


def _of_the_worst_pair(changed: Sequence[tuple[Fraction, Fraction]], epsilon: float) -> float:
    """Return a bound on delta of all pairs of that floor and step (below-the-dominating-pair)."""
    floor = float(min(min(pair) for pair in changed))
    step = rounded_towards(abs(changed[0][0] - changed[0][1]), np.inf)
    law = add_remove.delta if len(changed) == _ADDED else profile.delta
    return float(law(np.array([floor]), np.array([step]), np.array([epsilon]))[0])


def _shares(u: Sequence[float], changed: Sequence[tuple[Fraction, Fraction]]) -> Shares:
    """Return the laws of one share (share-is-sufficient)."""
    if len(changed) == _ADDED:
        ((own, other),) = changed
        rest = sum(map(Fraction, u), Fraction(0)) - own
        if other > own:
            return Shares(own, rest, other, rest, turned=False)
        return Shares(rest, own, rest, other, turned=True)
    (a, larger), (b, smaller) = sorted(changed, key=lambda pair: pair[0] > pair[1])
    return Shares(a, b, larger, smaller, turned=False)


def _of_shares(laws: Shares, epsilon: float) -> float:
    """Return an upper bound on delta, NaN where none is found here."""
    step = max(laws.larger - laws.a, laws.b - laws.smaller)
    least = min(laws.a, laws.smaller, step)
    if not _TINIEST < least <= laws.larger + laws.b < _HUGEST:
        return math.nan
    slope = _slope(laws, epsilon)
    if laws.turned and slope <= 0:
        return 0.0
    own, others = (laws.b, laws.a) if laws.turned else (laws.a, laws.b)
    point = _point(laws, slope)
    high = float(others)
    pair = np.array([high]), np.array([float(others - Fraction(high))])
    alpha = np.array([float(own)])
    exact = Fraction(high) + Fraction(float(pair[1][0])) == others
    if not (0.0 < point < 1.0 and exact and is_usual(alpha, pair, np.array([point]))[0]):
        return math.nan
    summed = _sum_of_terms(laws, float(np.nextafter(1.0 - point, 2.0)) if laws.turned else point)
    if not _LEAST_SUM < summed < math.inf:
        return math.nan
    front = float(log_front(alpha, pair, np.array([point]))[0])
    parts = (front, math.log(summed), math.log(laws.b / (laws.a + laws.b)))
    logarithm = math.fsum(parts) + 4 * UNIT * (1.0 + sum(map(abs, parts)))
    value = max(float(np.exp(logarithm)) * (1.0 + 8 * UNIT), _TINY)
    return min(float(np.nextafter(value, 2.0)), 1.0)


def _slope(laws: Shares, epsilon: float) -> float:
    """Return an upper bound on (log(B(A, B)/B(a, b)) - epsilon)/step.

    The log of the quotient is a second difference of log Gamma.
    """
    step = max(laws.larger - laws.a, laws.b - laws.smaller)
    if laws.larger - laws.a == laws.b - laws.smaller:
        base, across = min(laws.a, laws.smaller), abs(laws.smaller - laws.a)
        falls = laws.a < laws.smaller
    else:
        base, across = (laws.smaller, laws.a) if laws.turned else (laws.a, laws.b)
        falls = not laws.turned
    width = float(step)
    rise = float(digamma_rise(*(np.array([z]) for z in (float(base), width, float(across))))[0])
    mean = -rise * (1.0 - _RISE_ERROR) if falls else rise * (1.0 + _RISE_ERROR)
    return mean - epsilon / width + 4 * UNIT * (abs(mean) + epsilon / width)


def _point(laws: Shares, slope: float) -> float:
    """Return x, not below where the ratio is e^epsilon; of turned laws 1 - x, not above."""
    up, down = (1.0 + 8 * UNIT), (1.0 - 8 * UNIT)
    if laws.turned:
        point = float(np.exp(-slope)) * down
        return point if point > _LEAST_POINT else 0.0
    if laws.b == laws.smaller:
        return max(float(np.exp(slope)) * up, _LEAST_POINT)
    return max(float(1.0 / (1.0 + np.exp(-slope))) * up, _LEAST_POINT)


def _sum_of_terms(laws: Shares, x: float) -> float:
    """Return an upper bound on a S(a, b, x) - a S(A, B, x); NaN where the series is too long."""
    a, b, larger = float(laws.a), float(laws.b), float(laws.larger)
    total, other = float(laws.a + laws.b), float(laws.larger + laws.smaller)
    m, k = float(laws.larger - laws.a), float(laws.b - laws.smaller)
    u, d, value, weighted = 1.0, 0.0, m / larger, 0.0
    for n in range(1, _MOST_TERMS):
        before, under = a + (n - 1), larger + (n - 1)
        d = d * (x * ((total + (n - 1)) / before)) + u * (x * ((b * m / before + k) / under))
        u *= x * ((other + (n - 1)) / under)
        share = a / (a + n)
        term = share * (d + u * (m / (larger + n)))
        value += term
        weighted += n * term
        ratio = max(x, x * ((total + n) / (a + n + 1.0))) * (1.0 + 8 * UNIT)
        if ratio < 1.0:
            # What is left is less than that of S(a, b, x) alone.
            rest = share * (u + d) * (ratio / (1.0 - ratio))
            if rest <= _NEGLIGIBLE * value:
                roundings = _UNITS_A_STEP * (weighted / value + 1.0) + n + 16
                return (value + rest * (1.0 + 1e-9)) * (1.0 + 1.001 * UNIT * roundings)
    return math.nan
