"""Second opinions on the utility of a release, by other formulas; rigorous, by MPFR.

The first engine evaluates digamma and log Gamma at the parameters themselves; here the arguments
are moved up by 1, which takes the pole at 0 out of them: psi(x) = psi(x+1) - 1/x.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from ..directed import Span, or_nothing, sharpened
from ..gamma import trigamma
from ..opinion import second_opinion
from .series import log_of

if TYPE_CHECKING:
    from collections.abc import Callable
from ...enclosure import Enclosure

_ZERO = Enclosure.of(Fraction(0))


@second_opinion("dirichlet.utility.variance", engine="mpfr", rigorous=True)
def variance(bits: int, p: Fraction, k: Fraction) -> Enclosure:
    """Return E x^2 - p^2 with E x^2 = p (k p + 1)/(k + 1), a rational."""
    return Enclosure.of(p * (k * p + 1) / (k + 1) - p * p, bits)


@second_opinion("dirichlet.utility.variance_bound", engine="mpfr", rigorous=True)
def variance_bound(bits: int, k: Fraction) -> Enclosure:
    """Return E x^2 - 1/4 with E x^2 = (k/2 + 1)/(2 (k + 1)), a rational."""
    return Enclosure.of((k / 2 + 1) / (2 * (k + 1)) - Fraction(1, 4), bits)


@second_opinion("dirichlet.utility.absolute_deviation", engine="mpfr", rigorous=True)
@or_nothing
def absolute_deviation(bits: int, p: Fraction, k: Fraction) -> Enclosure:
    """Enclose 2 p^(a+1) (1-p)^(b+1) / ((k+1) B(a+1, b+1)), a = k p and b = k (1-p); rigorous."""
    if p in (0, 1):
        return _ZERO
    a, b = k * p, k * (1 - p)

    def logarithm(precision: int) -> Span:
        powers = Span.of(a + 1, precision) * log_of(p, precision)
        powers = powers + Span.of(b + 1, precision) * log_of(1 - p, precision)
        beta = log_gamma(a + 1, precision) + log_gamma(b + 1, precision)
        beta = beta - log_gamma(k + 2, precision)
        return powers + log_of(2 / (k + 1), precision) - beta

    return _exponential(bits, logarithm)


@second_opinion("dirichlet.utility.absolute_deviation_bound", engine="mpfr", rigorous=True)
@or_nothing
def absolute_deviation_bound(bits: int, k: Fraction) -> Enclosure:
    """Enclose Gamma((k+1)/2) / (sqrt(pi) k Gamma(k/2)), by Legendre's duplication; rigorous."""

    def logarithm(precision: int) -> Span:
        root_of_pi = log_gamma(Fraction(1, 2), precision)
        gammas = log_gamma((k + 1) / 2, precision) - log_gamma(k / 2 + 1, precision)
        return gammas - log_of(Fraction(2), precision) - root_of_pi

    return _exponential(bits, logarithm)


@second_opinion("dirichlet.utility.expected_kl", engine="mpfr", rigorous=True)
@or_nothing
def expected_kl(bits: int, p: tuple[Fraction, ...], k: Fraction) -> Enclosure:
    """Enclose (m-1)/k + sum of p_i (log p_i - psi(k p_i + 1)) + psi(k+1); rigorous.

    m is the number of positive p_i.
    """
    return _expected_kl(bits, Counter(p), k)


@second_opinion("dirichlet.utility.expected_kl_bound", engine="mpfr", rigorous=True)
@or_nothing
def expected_kl_bound(bits: int, k: Fraction, N: int, n: int) -> Enclosure:
    """Enclose the mean at n - 1 counts of 1 and one of N - n + 1; rigorous."""
    return _expected_kl(bits, _vertex(Fraction(1, N), n), k)


@second_opinion("dirichlet.utility.expected_kl_worst", engine="mpfr", rigorous=True)
@or_nothing
def expected_kl_worst(bits: int, k: Fraction, eta: Fraction, n: int) -> Enclosure:
    """Enclose the mean at n - 1 shares of eta and one of 1 - (n-1) eta; rigorous."""
    return _expected_kl(bits, _vertex(eta, n), k)


def _vertex(floor: Fraction, n: int) -> Counter[Fraction]:
    return Counter([*[floor] * (n - 1), 1 - (n - 1) * floor])


def _expected_kl(bits: int, shares: Mapping[Fraction, int], k: Fraction) -> Enclosure:
    positive = {share: times for share, times in shares.items() if share}
    count = sum(positive.values())
    if count == 1:
        return _ZERO

    def at(precision: int) -> Span:
        total = Span.of((count - 1) / k, precision) + _digamma(k + 1, precision)
        for share, times in positive.items():
            inside = log_of(share, precision) - _digamma(k * share + 1, precision)
            total = total + Span.of(times * share, precision) * inside
        return total

    return sharpened(bits, at).enclosure()


@second_opinion("dirichlet.utility.expected_kl_prior", engine="mpfr", rigorous=True)
@or_nothing
def expected_kl_prior(bits: int, p: tuple[Fraction, ...], u: tuple[Fraction, ...]) -> Enclosure:
    """Enclose sum of p_i (log p_i - psi(u_i+1) + 1/u_i) + psi(u_0+1) - 1/u_0; rigorous."""
    pairs = Counter(pair for pair in zip(p, u, strict=True) if pair[0])
    whole = sum(u, Fraction(0))

    def at(precision: int) -> Span:
        total = _digamma(whole + 1, precision) - Span.of(1 / whole, precision)
        for (share, parameter), times in pairs.items():
            inside = log_of(share, precision) - _digamma(parameter + 1, precision)
            inside = inside + Span.of(1 / parameter, precision)
            total = total + Span.of(times * share, precision) * inside
        return total

    return sharpened(bits, at).enclosure()


@second_opinion("dirichlet.utility.kl_variance_prior", engine="mpfr", rigorous=True)
@or_nothing
def kl_variance_prior(bits: int, p: tuple[Fraction, ...], u: tuple[Fraction, ...]) -> Enclosure:
    """Enclose sum of p_i^2 psi'(u_i) - psi'(u_0) by the trigamma's asymptotic series; rigorous."""
    pairs = Counter(pair for pair in zip(p, u, strict=True) if pair[0])
    whole = sum(u, Fraction(0))

    def at(precision: int) -> Span:
        total = -trigamma(whole, precision)
        for (share, parameter), times in pairs.items():
            weight = Span.of(times * share**2, precision)
            total = total + weight * trigamma(parameter, precision)
        return total

    return sharpened(bits, at).enclosure()


@second_opinion("dirichlet.utility.kl_tail_bound", engine="mpfr", rigorous=True)
@or_nothing
def kl_tail_bound(bits: int, beta: Fraction, eta: Fraction) -> Enclosure:
    """Enclose exp(-beta (w-1)^2/w), w = 1 + eta/(2 (2+eta)); rigorous.

    That is where ponnoprat2023's proof ends before it is written as one fraction.
    """
    w = 1 + eta / (2 * (2 + eta))
    return _exponential(bits, lambda precision: Span.of(-beta * (w - 1) ** 2 / w, precision))


def _exponential(bits: int, logarithm: Callable[[int], Span]) -> Enclosure:
    """Enclose e to a power known to more bits than it has before its point."""
    size = logarithm(64).middle
    extra = max(int(abs(size)).bit_length(), 0) + 8 if abs(size) < float("inf") else 0
    return sharpened(bits + extra, logarithm).exp_enclosure()


def log_gamma(x: Fraction, bits: int) -> Span:
    """Enclose log Gamma(x) by MPFR's."""
    return Span.of(x, bits).lgamma()


def _digamma(x: Fraction, bits: int) -> Span:
    return Span.of(x, bits).digamma()
