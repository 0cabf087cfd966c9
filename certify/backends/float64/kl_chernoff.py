"""Chernoff's bound on P(KL(p || y) > eta), y of Dirichlet(b), b_i = beta p_i + alpha.

For every z in [0, z_max), z_max = beta + alpha/max p_i,

    log E e^(z (KL - eta)) = z (mean - eta) + the Kullback-Leibler divergence of Dirichlet(b) from
                             Dirichlet(b - z p),

and each z gives a bound: what is minimised need not be minimised well. The mean and the divergence
are formed without cancellation, from b and b - z p as exact fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from .doubled import UNIT
from .expected_kl import MEAN_ERROR, mean_divergence
from .renyi_laws import divergence_above
from .rooms import rounded

_TINY = float(np.finfo(np.float64).tiny)
_PROBES = 60
_SPAN = 64.0  # z/(z_max - z) is sought between e^-64 and e^64
_ENOUGH = 1e-7  # of that logarithm: the bound depends on its square


def kl_chernoff(p: Sequence[float], beta: float, alpha: float, eta: float) -> float:
    """Return an upper bound on the least E e^(z (KL - eta)), at most 1."""
    prior = Fraction(alpha)
    shares = [Fraction(share) for share in p]
    shares = shares if prior else [share for share in shares if share]
    if len(shares) == 1 or eta == 0:
        return 0.0 if eta else 1.0
    parameters = [Fraction(beta) * share + prior for share in shares]
    with np.errstate(all="ignore"):
        return _least(shares, parameters, Fraction(eta))


def _least(p: list[Fraction], b: list[Fraction], eta: Fraction) -> float:
    mean, rate = mean_divergence(p, b), rounded(eta)
    if not mean < rate:
        return 1.0
    limit = min(parameter / share for share, parameter in zip(p, b, strict=True) if share)
    if limit < _TINY:  # z might be rounded to it
        return 1.0
    low, high = -_SPAN, _SPAN
    place = 0.0
    for _ in range(_PROBES):
        tilted = _tilted(p, b, _point(limit, place))
        low, high = (place, high) if mean_divergence(p, tilted) < rate else (low, place)
        place = (low + high) / 2
        if high - low < _ENOUGH:
            break
    z = _point(limit, place)
    rise = divergence_above(b, _tilted(p, b, z), Fraction(0))
    error = MEAN_ERROR + len(p) * UNIT
    above = mean * (1.0 + error) - rate * (1.0 - 2 * UNIT)
    size = rounded(z)
    drop = size * above * (1.0 - 4 * UNIT) if above < 0 else size * above * (1.0 + 4 * UNIT)
    exponent = drop + rise + 4 * UNIT * (abs(drop) + rise)
    value = float(np.exp(np.float64(exponent))) * (1.0 + 8 * UNIT)
    return min(max(value, _TINY), 1.0) if value >= 0 else 1.0


def _point(limit: Fraction, place: float) -> Fraction:
    """Return the point of (0, limit) whose share of it is 1/(1 + e^-place), or next to that."""
    grown = Fraction(float(np.exp(place)))
    if place < 0:
        return Fraction(rounded(limit * grown / (1 + grown)))
    return limit - Fraction(rounded(limit / (1 + grown)))


def _tilted(p: list[Fraction], b: list[Fraction], z: Fraction) -> list[Fraction]:
    return [parameter - z * share for share, parameter in zip(p, b, strict=True)]
