"""Sound backends: other formulas, other roundings, slack and accuracy declared, either shape."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
from simplexcert.certify.backends.float64 import backend as float64

from .entries import down, good, nearest, rounded, up

DELTA = "dirichlet.profile.delta"
RENYI = "dirichlet.profile.renyi"
HALF_UNIT = 2.0**-53
_DIGITS = 60


@good(DELTA)
def delta_rounded_up(**given: float) -> float:
    return up(DELTA, **given)


@good("dirichlet.profile.total_variation", slack=HALF_UNIT)
def total_variation_nearest_with_slack(**given: float) -> float:
    return nearest("dirichlet.profile.total_variation", **given)


@good(RENYI, slack=HALF_UNIT)
def renyi_nearest_with_slack(**given: float) -> float:
    return nearest(RENYI, **given)


@good("dirichlet.counts.epsilon_bound", slack=HALF_UNIT)
def counts_nearest_with_slack(**given: float) -> float:
    return nearest("dirichlet.counts.epsilon_bound", **given)


@good(DELTA)
def delta_ten_percent_above(**given: float) -> float:
    return min(max(1.1 * float64.quantities[DELTA](**given), 5e-324), 1.0)


@good("dirichlet.profile.step_for_dp")
def step_ten_percent_below(**given: float) -> float:
    return 0.9 * float(float64.quantities["dirichlet.profile.step_for_dp"](**given))


@good("dirichlet.identity.epsilon_bound", accuracy=0.2)
def identity_ten_percent_above(**given: float) -> float:
    found = float(float64.quantities["dirichlet.identity.epsilon_bound"](**given))
    return found + 0.1 * abs(found)


@good(DELTA)
def delta_by_incomplete_betas(alpha: float, step: float, epsilon: float) -> float:
    """The difference of two, at so many digits that what cancels does not matter."""
    with mpmath.workdps(400):
        q = 1 / (1 + mpmath.exp(mpmath.mpf(epsilon) / step))
        first = mpmath.betainc(alpha, mpmath.mpf(alpha) + step, 0, q, regularized=True)
        second = mpmath.betainc(mpmath.mpf(alpha) + step, alpha, 0, q, regularized=True)
        return _up((first - mpmath.exp(epsilon) * second) * (1 + mpmath.mpf(10) ** -_DIGITS))


@good(RENYI)
def renyi_by_log_gammas(alpha: float, step: float, order: float) -> float:
    with mpmath.workdps(_DIGITS):
        a, s, m = mpmath.mpf(alpha), mpmath.mpf(step), mpmath.mpf(order) - 1
        if m * s >= a:
            return math.inf
        if not m:
            found = s * (mpmath.digamma(a + s) - mpmath.digamma(a))
        else:
            top = mpmath.loggamma(a - m * s) + mpmath.loggamma(a + (m + 1) * s)
            found = (top - mpmath.loggamma(a) - mpmath.loggamma(a + s)) / m
        return _up(found * (1 + mpmath.mpf(10) ** -20))


@good("dirichlet.add_remove.renyi")
def add_remove_by_log_gammas(alpha: float, step: float, order: float) -> float:
    with mpmath.workdps(_DIGITS):
        a, s, m = mpmath.mpf(alpha), mpmath.mpf(step), mpmath.mpf(order) - 1
        if m * s >= a:
            return math.inf
        if not m:
            found = mpmath.loggamma(a + s) - mpmath.loggamma(a) - s * mpmath.digamma(a)
        else:
            found = (
                mpmath.loggamma(a - m * s)
                + m * mpmath.loggamma(a + s)
                - (m + 1) * mpmath.loggamma(a)
            ) / m
        return _up(found * (1 + mpmath.mpf(10) ** -20))


def _up(value: Any) -> float:
    """Return a double above a positive number, which may lie below all of them."""
    with mpmath.workdps(_DIGITS):
        found = float(mpmath.mpf(value))
    return math.nextafter(found, math.inf)


@good("dirichlet.utility.variance")
def variance_plain(p: float, k: float) -> float:
    return p * (1 - p) / (k + 1)


@good("dirichlet.utility.expected_kl", accuracy=1e-12)
def expected_kl_by_digammas(p: Any, k: float) -> float:
    with mpmath.workdps(_DIGITS):
        total = mpmath.digamma(k) - mpmath.log(k)
        for share in p:
            if share:
                product = mpmath.mpf(k) * share
                total += share * (mpmath.log(product) - mpmath.digamma(product))
        return float(total)


@good("markov.stationary")
def stationary_by_cofactors(P: Any) -> Any:
    """Principal minors of I - P in rational arithmetic: the Markov chain tree theorem."""
    size = range(len(P))
    gaps = [[Fraction(at == to) - Fraction(P[at][to]) for to in size] for at in size]
    minors = [
        _determinant([[gaps[at][to] for to in size if to != out] for at in size if at != out])
        for out in size
    ]
    return [float(minor / sum(minors)) for minor in minors]


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    """Elimination of the first column by the first row that has something there."""
    if not rows:
        return Fraction(1)
    at = next((at for at, row in enumerate(rows) if row[0]), None)
    if at is None:
        return Fraction(0)
    (first, *over), others = rows[at], rows[:at] + rows[at + 1 :]
    left = [
        [entry - row[0] / first * upper for entry, upper in zip(row[1:], over, strict=True)]
        for row in others
    ]
    return (-1) ** at * first * _determinant(left)


@good("markov.dobrushin_coefficient")
def dobrushin_plain(P: Any) -> float:
    rows = [[Fraction(entry) for entry in row] for row in P]
    pairs = ((a, b) for at, a in enumerate(rows) for b in rows[:at])
    return float(max(sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 2 for a, b in pairs))


@good("pufferfish.max_divergence")
def divergence_plain(p: Any, q: Any) -> float:
    if any(a and not b for a, b in zip(p, q, strict=True)):
        return math.inf
    largest = max(Fraction(a) / Fraction(b) for a, b in zip(p, q, strict=True) if a)
    with mpmath.workdps(_DIGITS):
        found = mpmath.log(mpmath.mpf(largest.numerator) / largest.denominator)
    return float(found) * (1 + 1e-15) + 5e-324


@good("pufferfish.wasserstein")
def wasserstein_by_quantiles(mu: Any, nu: Any) -> float:
    """The largest distance of two quantiles, at every level where either law jumps."""
    laws = [
        sorted(zip(map(Fraction, law["points"]), map(Fraction, law["mass"]), strict=True))
        for law in (mu, nu)
    ]
    levels = {sum(mass for _, mass in law[:at]) for law in laws for at in range(len(law))}
    moves = (
        abs(_quantile(laws[0], level) - _quantile(laws[1], level)) for level in levels if level < 1
    )
    return rounded(max(moves), 1)


def _quantile(law: Any, level: Fraction) -> Fraction:
    """Return the first point at which the mass exceeds a level."""
    mass = Fraction(0)
    for point, share in law:
        mass += share
        if mass > level:
            return point
    raise AssertionError


@good("pufferfish.entry_scale")
def entry_scale_in_fractions(lipschitz: float, epsilon: float) -> float:
    return rounded(Fraction(lipschitz) / Fraction(epsilon), 1)


@good("dirichlet.profile.largest_order", vectorized=True)
def largest_order_vectorized(alpha: Any, step: Any) -> Any:
    found = np.nextafter(1 + np.nextafter(np.asarray(alpha) / step, 0), 0)
    return found if np.shape(found) else float(found)


@good("dirichlet.renyi.epsilon_bound", vectorized=True)
def renyi_bound_vectorized(**given: Any) -> Any:
    return 1.0000001 * float64.quantities["dirichlet.renyi.epsilon_bound"](**given)


@good("dirichlet.composition.delta")
def composition_ten_percent_above(releases: Any, epsilon: float) -> float:
    found = float64.quantities["dirichlet.composition.delta"](releases=releases, epsilon=epsilon)
    return min(max(1.1 * float(found), 5e-324), 1.0)


@good("dirichlet.identity.k_for_dp")
def identity_k_rounded_down(**given: float) -> float:
    return down("dirichlet.identity.k_for_dp", **given)
