"""How far a release falls from its input: x of Dirichlet(k p) against p.

One coordinate is Beta(k p, k (1-p)); with p = 0 or p = 1 it is p itself. Its variance and mean
distance are closed forms. The expected divergence and its variance are sums of digammas and
trigammas: with F(x) = x (log x - psi(x)), which falls from 1 to 1/2,

    E KL(p || x) = sum of p_i (log p_i - psi(k p_i)) + psi(k) = (sum of F(k p_i) - F(k))/k,

over the positive p_i: a coordinate of input 0 is 0, and contributes nothing. Every difference is
sharpened, since the terms cancel for large k.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Annotated

from flint import arb

from ..arb.balls import ball, sharpened
from ..arb.gamma import digamma, log_beta, trigamma
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    LAW,
    Condition,
    Entries,
    Interval,
    Positive,
    Probability,
    Share,
    count_from,
)
from ..quantity import Side, Truth, quantity
from ..relations import UNKNOWN

_UTILITY_NOTE = "proofs_notes/utility.md"
_HALF = Fraction(1, 2)


@quantity(
    "dirichlet.utility.variance",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_UTILITY_NOTE,
    formula=r"\mathrm{Var}(x) = \frac{p (1 - p)}{k + 1}",
    within=A_PROBABILITY,
    falls="k",
    vanishes="high k",
)
def variance(p: Probability, k: Positive) -> Fraction:
    """Variance of a coordinate with mean p: p (1-p)/(k+1), a rational."""
    return p * (1 - p) / (k + 1)


@quantity(
    "dirichlet.utility.variance_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source="fallin2023 equation 16",
    formula=r"\max_p \mathrm{Var}(x) = \frac{1}{4 (k + 1)}",
    within=A_PROBABILITY,
    falls="k",
)
def variance_bound(k: Positive) -> Fraction:
    """Largest variance of a coordinate, that of mean 1/2: 1/(4 (k+1)), a rational."""
    return 1 / (4 * (k + 1))


@quantity(
    "dirichlet.utility.absolute_deviation",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_UTILITY_NOTE,
    formula=r"E |x - p| = \frac{2 p^{k p} (1 - p)^{k (1 - p)}}{k \, B(k p, k (1 - p))}",
    within=A_PROBABILITY,
    falls="k",
)
def absolute_deviation(p: Probability, k: Positive) -> arb | Fraction:
    """Mean distance of a coordinate from its mean p.

    2 p^(k p) (1-p)^(k (1-p)) / (k B(k p, k (1-p))); 0 for p = 0 and for p = 1.
    """
    return _deviation(p, k)


def _deviation(p: Fraction, k: Fraction) -> arb | Fraction:
    if p in (0, 1):
        return Fraction(0)
    return sharpened(lambda: (_log_peak(p, k) - log_beta(k * p, k * (1 - p))).exp() * ball(2 / k))


def _log_peak(p: Fraction, k: Fraction) -> arb:
    return ball(k * p) * ball(p).log() + ball(k * (1 - p)) * ball(1 - p).log()


@quantity(
    "dirichlet.utility.absolute_deviation_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source="fallin2023 equation 15",
    formula=r"\max_p E |x - p| = \frac{\Gamma(k) \, 2^{1 - k}}{k \, \Gamma(k / 2)^2}",
    within=A_PROBABILITY,
    falls="k",
)
def absolute_deviation_bound(k: Positive) -> arb | Fraction:
    """Largest mean distance of a coordinate from its mean, that of p = 1/2.

    Gamma(k) 2^(1-k) / (k Gamma(k/2)^2). It is a bound for every k (proofs_notes/utility.md).
    """
    return _deviation(_HALF, k)


_THEOREM = "benvenuti2025 Theorem 2"
_COROLLARY = "benvenuti2025 Corollary 1"
_RECORDS = Annotated[int, count_from(1, 100_000, 1_000_000)]
_CELLS = Annotated[int, count_from(1, 50, 1_000)]
_PARAMETERS = Annotated[
    tuple[Fraction, ...], Entries(Interval(above=Fraction(0)), fewest=2, as_long_as="p")
]


def divergence_from(shares: Counter[Fraction], k: Fraction) -> arb | Fraction:
    """Enclose E KL(p || x), x of Dirichlet(k p), for a law given by how often each share occurs."""
    positive = {share: times for share, times in shares.items() if share}
    if 1 in positive:  # one coordinate holds everything, before and after
        return Fraction(0)

    def excess() -> arb:
        total = digamma(ball(k)) - ball(k).log()
        for share, times in positive.items():
            argument = ball(k * share)
            total += times * ball(share) * (argument.log() - digamma(argument))
        return total

    return sharpened(excess)


@quantity(
    "dirichlet.utility.expected_kl",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_THEOREM,
    formula=r"E \, \mathrm{KL}(p \,\|\, x) = \sum_i p_i (\log p_i + \psi(k) - \psi(k p_i)), "
    r"\quad x \sim \mathrm{Dirichlet}(k p)",
    within=AT_LEAST_ZERO,
    falls="k",
)
def expected_kl(p: LAW, k: Positive) -> arb | Fraction:
    """Mean of KL(p || x) for x of Dirichlet(k p), in nats.

    sum of p_i (log p_i + psi(k) - psi(k p_i)). A coordinate with p_i = 0 is 0 in x as well and
    contributes nothing; 0 if p is a vertex of the simplex.
    """
    return divergence_from(Counter(p), k)


def vertex(eta: Fraction, n: int) -> Counter[Fraction]:
    """Return the law with n - 1 shares of eta and the rest on one coordinate."""
    return Counter({eta: n - 1}) + Counter({1 - (n - 1) * eta: 1})


@quantity(
    "dirichlet.utility.expected_kl_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_COROLLARY,
    formula=r"\max_{p_i \ge 1/N} E \, \mathrm{KL}(p \,\|\, x), \quad x \sim \mathrm{Dirichlet}(k "
    r"p)",
    within=AT_LEAST_ZERO,
    conditions=(Condition("n <= N", lambda N, n: n <= N, _COROLLARY),),
    rises="N n",
    falls="k",
)
def expected_kl_bound(k: Positive, N: _RECORDS, n: _CELLS) -> arb | Fraction:
    """Bound of benvenuti2025 Corollary 1 on the mean of KL(p || x), all n counts of N at least 1.

    Its value at n - 1 counts of 1, which is the largest for every k (proofs_notes/utility.md).
    """
    return divergence_from(vertex(Fraction(1, N), n), k)


@quantity(
    "dirichlet.utility.expected_kl_worst",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_UTILITY_NOTE,
    formula=r"\max_{p_i \ge \eta} E \, \mathrm{KL}(p \,\|\, x), \quad x \sim "
    r"\mathrm{Dirichlet}(k p)",
    within=AT_LEAST_ZERO,
    conditions=(Condition("n eta <= 1", lambda eta, n: n * eta <= 1, _UTILITY_NOTE),),
    rises="n",
    falls="k eta",
)
def expected_kl_worst(k: Positive, eta: Share, n: _CELLS) -> arb | Fraction:
    """Largest mean of KL(p || x), x of Dirichlet(k p), over the laws p with n shares >= eta.

    Attained at n - 1 shares of eta; benvenuti2025 Corollary 1 with the floor in place of 1/N.
    """
    return divergence_from(vertex(eta, n), k)


_SAME_LENGTH = Condition(
    "p and u have the same length", lambda p, u: len(p) == len(u), _UTILITY_NOTE
)


@quantity(
    "dirichlet.utility.expected_kl_prior",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_UTILITY_NOTE,
    formula=r"E \, \mathrm{KL}(p \,\|\, y) = \sum_i p_i (\log p_i - \psi(u_i)) + \psi\Big(\sum_i "
    r"u_i\Big), \quad y \sim \mathrm{Dirichlet}(u)",
    within=AT_LEAST_ZERO,
    conditions=(_SAME_LENGTH,),
    rises=UNKNOWN,
)
def expected_kl_prior(p: LAW, u: _PARAMETERS) -> arb:
    """Mean of KL(p || y) for y of Dirichlet(u), in nats.

    sum of p_i (log p_i - psi(u_i)) + psi(u_0), u_0 the sum of u; a share p_i = 0 adds nothing.
    """

    def value() -> arb:
        total = digamma(sum(map(ball, u), arb(0)))
        for (share, parameter), times in _pairs(p, u).items():
            total += times * ball(share) * (ball(share).log() - digamma(ball(parameter)))
        return total

    return sharpened(value)


@quantity(
    "dirichlet.utility.kl_variance_prior",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_UTILITY_NOTE,
    formula=r"\mathrm{Var} \, \mathrm{KL}(p \,\|\, y) = \sum_i p_i^2 \, \psi'(u_i) - "
    r"\psi'\Big(\sum_i u_i\Big), \quad y \sim \mathrm{Dirichlet}(u)",
    within=AT_LEAST_ZERO,
    conditions=(_SAME_LENGTH,),
    rises=UNKNOWN,
)
def kl_variance_prior(p: LAW, u: _PARAMETERS) -> arb:
    """Variance of KL(p || y) for y of Dirichlet(u).

    sum of p_i^2 psi'(u_i) - psi'(u_0), u_0 the sum of u.
    """

    def value() -> arb:
        total = -trigamma(sum(map(ball, u), arb(0)))
        for (share, parameter), times in _pairs(p, u).items():
            total += times * ball(share**2) * trigamma(ball(parameter))
        return total

    return sharpened(value)


def _pairs(p: tuple[Fraction, ...], u: tuple[Fraction, ...]) -> Counter[tuple[Fraction, Fraction]]:
    """Return how often each pair of a positive share and its parameter occurs."""
    return Counter(pair for pair in zip(p, u, strict=True) if pair[0])
