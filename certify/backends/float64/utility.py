"""How far a release falls from its input: deviation, variance, mean divergence.

How far one coordinate of a release falls from its input, and ponnoprat2023's bound on the rest.

With R as in ``gammas``, E|x - p| = 2 p (1-p) R(k p) R(k (1-p))/R(k) for the Beta law of one
coordinate: Loader's saddle-point form, in which nothing large cancels. A relative error in an
argument of R changes its logarithm by half of that at most.

The mean of KL(p || y) and its variance for y of a Dirichlet law, as sums that do not cancel.

For y of Dirichlet(k p) the mean is (sum of F(k p_i) - F(k))/k, F(z) = z (log z - psi(z)) from 1
down to 1/2: of m positive shares at least (m - 1)/2 is left. With E(z) = log z - psi(z),
X(z) = psi'(z) - 1/z, s_i = u_i/u_0 for y of Dirichlet(u)

    mean = sum of [p_i log(p_i/s_i) + s_i - p_i] + sum of p_i [E(u_i) - E(u_0)],
    variance = sum of (p_i - s_i)^2/u_i + sum of p_i^2 [X(u_i) - X(u_0)] - (1 - sum p_i^2) X(u_0),

all but the last one sums of positive terms. Differences of the given numbers are formed from exact
fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from .doubled import UNIT, Reals, plus, single, two_product
from .gammas import (
    DIGAMMA_ERROR,
    STIRLING_UNITS,
    excess,
    fall,
    log_stirling_ratio,
    slope_excess,
    slope_fall,
)
from .jensen import BEND_ERROR, entropy_bend
from .renyi import rounded

_HALF = 0.5
_TINY = float(np.finfo(np.float64).tiny)


def variance(p: Reals, k: Reals) -> Reals:
    """Return p (1-p)/(k+1), to a few units of round-off."""
    return p * ((1.0 - p) / (k + 1.0))


def absolute_deviation(p: Reals, k: Reals) -> Reals:
    """Return the mean distance of a coordinate from its mean, to about 1e-13 relative."""
    logarithm = _log_ratio(k * p, k * (1.0 - p), k)
    return 2.0 * p * (1.0 - p) * np.exp(logarithm)


def _log_ratio(first: Reals, second: Reals, total: Reals) -> Reals:
    value = log_stirling_ratio(first) + log_stirling_ratio(second)
    return np.asarray(value - log_stirling_ratio(total))


def absolute_deviation_bound(k: Reals) -> Reals:
    """Return an upper bound on the mean distance at p = 1/2, at most 1/2."""
    logarithm = _log_ratio(_HALF * k, _HALF * k, k)
    units = 3 * STIRLING_UNITS + 16 + 8 * np.abs(np.log(k)) + 4 * np.abs(logarithm)
    value = _HALF * np.exp(logarithm + units * UNIT) * (1.0 + 8 * UNIT)
    return np.asarray(np.minimum(value, _HALF))


def kl_tail_bound(beta: Reals, eta: Reals) -> Reals:
    """Return an upper bound on exp(-beta eta^2/(2 (2+eta) (4+3 eta))), at most 1."""
    small = np.where(np.isfinite(eta), eta, 1.0)
    third = np.where(small > 1.0, 1.0 / (3.0 + 4.0 / small), small / (4.0 + 3.0 * small))
    rate = (small / (2.0 + small)) * third
    value = np.exp(-_HALF * beta * rate * (1.0 - 12 * UNIT)) * (1.0 + 8 * UNIT)
    return np.where(eta > 0, np.minimum(np.fmax(value, _TINY), 1.0), 1.0)


_LARGEST = float(np.finfo(np.float64).max)
_WHOLE = 2.0**53  # whole numbers from here on may have been rounded
# (n + 1)/((n - 1)/2) <= 6 from n = 2 on: what cancels in the worst law, and the roundings.
_CANCELLED = 8.0
_FAR = 1e100  # a share over the mean's
_CLIPPED = 1e300  # and from here on replaced by a smaller one
MEAN_ERROR = BEND_ERROR + DIGAMMA_ERROR + 100 * UNIT  # and a unit for each coordinate


def expected_kl(p: Sequence[float], k: float) -> float:
    """Return the mean of KL(p || x) for x of Dirichlet(k p), to about 1e-14 relative."""
    shares = np.array([float(share) for share in p if share])
    if shares.size == 1:
        return 0.0
    with np.errstate(all="ignore"):
        return _finite(_spread(np.sum(excess(k * shares), keepdims=True), np.array([float(k)])))


def _finite(value: Reals) -> float:
    return float(np.fmin(value[0], _LARGEST))


def _spread(excesses: Reals, k: Reals) -> Reals:
    return (excesses - excess(k)) / k


def expected_kl_bound(k: Reals, N: Reals, n: Reals) -> Reals:
    """Return an upper bound on the mean at n - 1 counts of 1 and one of N - n + 1."""
    return _vertex(k, 1.0 / N, (N - n + 1.0) / N, np.where(N < _WHOLE, n, np.inf), n)


def expected_kl_worst(k: Reals, eta: Reals, n: Reals) -> Reals:
    """Return an upper bound on the mean at n - 1 shares of eta and one of 1 - (n - 1) eta."""
    used = two_product(n - 1.0, eta)
    large = plus(single(np.ones_like(eta)), (-used[0], -used[1]))[0]
    return _vertex(k, eta, large, n, n)


def _vertex(k: Reals, small: Reals, large: Reals, count: Reals, most: Reals) -> Reals:
    """Return an upper bound on [(n-1) F(k small) + F(k large) - F(k)]/k; 0 for n = 1.

    (n - 1)/k, which is larger, where whole numbers may have been rounded (proofs_notes/utility.md,
    bracket-of-the-mean).
    """
    parts = (count - 1.0) * excess(k * small) + excess(k * np.maximum(large, small / 2))
    value = _spread(parts, k) * (1.0 + _CANCELLED * DIGAMMA_ERROR)
    crude = (most - 1.0) / k * (1.0 + 8 * UNIT)
    value = np.where(count < _WHOLE, value, crude)
    value = np.where(most < _CLIPPED, np.nextafter(value, np.inf), _LARGEST)
    value = np.where(np.isnan(value), _LARGEST, np.minimum(value, _LARGEST))
    return np.where(most > 1.0, value, 0.0)


def _fractions(values: Sequence[float]) -> list[Fraction]:
    return [Fraction(value) for value in values]


def _column(values: Sequence[Fraction]) -> Reals:
    return np.array([rounded(value) for value in values])


def expected_kl_prior(p: Sequence[float], u: Sequence[float]) -> float:
    """Return the mean of KL(p || y) for y of Dirichlet(u), to about 1e-13 relative."""
    with np.errstate(all="ignore"):
        return mean_divergence(_fractions(p), _fractions(u))


def mean_divergence(p: Sequence[Fraction], u: Sequence[Fraction]) -> float:
    """Return the mean for exact numbers, within MEAN_ERROR and a unit for each coordinate."""
    total = sum(u, Fraction(0))
    leans = [parameter / total for parameter in u]
    gaps = [share - lean for share, lean in zip(p, leans, strict=True)]
    ratios = _column([share / lean for share, lean in zip(p, leans, strict=True)])
    lean, gap = _column(leans), _column(gaps)
    far = ratios > _FAR
    slope = np.where(far, 0.0, gap / lean)
    apart = gap * slope * entropy_bend(slope, np.where(far, 1.0, ratios))
    # Where a quotient might overflow, from logarithms; nothing cancels there.
    logarithm = np.log(_column(p)) - np.log(_column(u)) + np.log(rounded(total))
    apart = np.where(far, _column(p) * logarithm - gap, apart)
    # A share over a parameter, times the parameter times a fall: neither need be large.
    positive = [(a, b) for a, b in zip(p, u, strict=True) if a]
    rates = _column([share / parameter for share, parameter in positive])
    parameters = _column([parameter for _, parameter in positive])
    others = _column([total - parameter for _, parameter in positive])
    value = np.sum(apart) + np.sum(rates * fall(parameters, others))
    return float(np.fmin(value, _LARGEST))


def kl_variance_prior(p: Sequence[float], u: Sequence[float]) -> float:
    """Return the variance of KL(p || y) for y of Dirichlet(u), to about 1e-13 relative."""
    with np.errstate(all="ignore"):
        return _variance(_fractions(p), _fractions(u))


def _variance(p: Sequence[Fraction], u: Sequence[Fraction]) -> float:
    """Return the variance, worked out for parameters over their sum u_0, times u_0^2."""
    total = sum(u, Fraction(0))
    apart = _column([(a - b / total) ** 2 * total**2 / b for a, b in zip(p, u, strict=True)])
    positive = [(a, b) for a, b in zip(p, u, strict=True) if a]
    ratios = _column([share * total / parameter for share, parameter in positive])
    parameters = _column([parameter for _, parameter in positive])
    others = _column([total - parameter for _, parameter in positive])
    whole = np.array([rounded(total)])
    lost = rounded(1 - sum((share**2 for share in p), Fraction(0))) * slope_excess(whole)[0]
    value = np.sum(apart) + np.sum(ratios * (ratios * slope_fall(parameters, others))) - lost
    return float(np.fmin(np.maximum(value, 0.0) / whole[0] / whole[0], _LARGEST))
