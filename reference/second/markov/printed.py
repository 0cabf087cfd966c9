"""Second opinions on the printed bounds for chains, by other formulas; rigorous, by MPFR.

The law and Z come from mean first passage times, in exact rationals. Digammas and Betas have their
arguments moved up by 1, which takes the pole at 0 out of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from ...enclosure import Enclosure
from ...precision import check_budget
from ..directed import OutOfReachError, Span, or_nothing, sharpened
from ..dirichlet.series import log_of
from ..opinion import second_opinion
from .bounds.chain import Counts, shares_of
from .fundamental import fundamental_norm, stationary

_Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]
_Row: TypeAlias = Sequence[Fraction]


def _law(P: _Matrix) -> tuple[Fraction, ...]:
    """Return the stationary law, rational whatever the precision."""
    found = stationary(0, P).exact
    if not isinstance(found, tuple):
        raise OutOfReachError
    return found


def _norm_of_fundamental(P: _Matrix, norm: str, sign: str) -> Fraction:
    """Return the norm of Z, rational whatever the precision."""
    found = fundamental_norm(0, P, norm, sign).exact
    if found is None:
        raise OutOfReachError
    return found


def _largest_sum(rows: Sequence[_Row], norm: str) -> Fraction:
    lines = rows if norm == "row" else list(zip(*rows, strict=True))
    return max(sum(line, Fraction(0)) for line in lines)


def _divergence(bits: int, counts: Counts, k: tuple[Fraction, ...]) -> Span:
    """Enclose L as sum of pi_i (1 + log-digamma terms at arguments above 1) over the rows."""
    law = _law(shares_of(counts))
    total = Span.of(0, bits)
    for share, row, concentration in zip(law, counts, k, strict=True):
        if share:
            worst = _worst_mean(bits, concentration, sum(row), len(row))
            total = total + Span.of(share, bits) * worst
    return total


def _worst_mean(bits: int, k: Fraction, records: int, n: int) -> Span:
    """Enclose (n-1)/k + sum of p (log p - psi(k p + 1)) + psi(k+1) at the vertex of counts."""
    few, many = Fraction(1, records), Fraction(records - n + 1, records)
    total = Span.of((n - 1) / k, bits) + Span.of(k + 1, bits).digamma()
    for share, times in ((few, n - 1), (many, 1)):
        inside = log_of(share, bits) - Span.of(k * share + 1, bits).digamma()
        total = total + Span.of(times * share, bits) * inside
    return total


@second_opinion("markov.benvenuti2025.lemma_4", engine="mpfr", rigorous=True)
@or_nothing
def lemma_4(bits: int, counts: Counts, k: tuple[Fraction, ...]) -> Enclosure:
    """Enclose L; rigorous."""
    return sharpened(bits, lambda precision: _divergence(precision, counts, k)).enclosure()


@second_opinion("markov.benvenuti2025.theorem_4", engine="mpfr", rigorous=True)
@or_nothing
def theorem_4(
    bits: int, counts: Counts, k: tuple[Fraction, ...], norm: str, sign: str
) -> Enclosure:
    """Enclose (|Z|^2 L/2)^(1/2); rigorous."""
    square = _norm_of_fundamental(shares_of(counts), norm, sign) ** 2 / 2

    def at(precision: int) -> Span:
        return _root(Span.of(square, precision) * _divergence(precision, counts, k))

    return sharpened(bits, at).enclosure()


@second_opinion("markov.benvenuti2025.theorem_5", engine="mpfr", rigorous=True)
@or_nothing
def theorem_5(bits: int, counts: Counts, k: tuple[Fraction, ...]) -> Enclosure:
    """Enclose (2 L)^(1/2); rigorous."""

    def at(precision: int) -> Span:
        return _root(Span.of(2, precision) * _divergence(precision, counts, k))

    return sharpened(bits, at).enclosure()


def _root(span: Span) -> Span:
    """Enclose the square root of a positive number as e to half its logarithm."""
    return (span.log() / Span.of(2, span.bits)).exp()


@second_opinion("markov.benvenuti2025.lemma_5", engine="mpfr", rigorous=True)
@or_nothing
def lemma_5(bits: int, P: _Matrix, Q: _Matrix, norm: str, sign: str) -> Enclosure:
    """Return |Z| |P - Q|, a rational."""
    gaps = [[abs(p - q) for p, q in zip(*rows, strict=True)] for rows in zip(P, Q, strict=True)]
    return Enclosure.of(_norm_of_fundamental(P, norm, sign) * _largest_sum(gaps, norm), bits)


@second_opinion("markov.benvenuti2025.lemma_8", engine="mpfr", rigorous=True)
@or_nothing
def lemma_8(bits: int, k: Fraction, N: int, n: int) -> Enclosure:
    """Enclose the printed lower bound; rigorous."""
    low, rest = Fraction(1, N), Fraction(n - 1, N)
    found = sharpened(bits, lambda precision: _least_logarithm(precision, k, low, rest))
    extra = max(int(abs(found.middle)).bit_length(), 0) + 8
    return sharpened(
        bits + extra, lambda precision: _least_logarithm(precision, k, low, rest)
    ).exp_enclosure()


def _least_logarithm(bits: int, k: Fraction, low: Fraction, rest: Fraction) -> Span:
    """Enclose log of 2 low^(k (1-rest)) rest^(k (1-low)) low rest/((low + rest) B').

    B' = Gamma(a+1) Gamma(b+1)/Gamma(a+b+1), a = k low, b = k rest: B(a, b) = B' (a+b)/(a b).
    """
    a, b = k * low, k * rest
    powers = Span.of(k * (1 - rest), bits) * log_of(low, bits)
    powers = powers + Span.of(k * (1 - low), bits) * log_of(rest, bits)
    beta = Span.of(a + 1, bits).lgamma() + Span.of(b + 1, bits).lgamma()
    beta = beta - Span.of(a + b + 1, bits).lgamma()
    return powers - beta + log_of(2 * low * rest / (low + rest), bits)


@second_opinion("markov.fallin2023.bracket", engine="mpfr", rigorous=True)
@or_nothing
def bracket(
    bits: int, n: int, k: Fraction, eta: Fraction, eta_bar: Fraction, w: tuple[int, ...]
) -> Enclosure:
    """Enclose the bracket; rigorous."""
    return sharpened(bits, lambda at: _bracket(at, n, k, eta, eta_bar, w)).enclosure()


def _bracket(
    bits: int, n: int, k: Fraction, eta: Fraction, eta_bar: Fraction, w: tuple[int, ...]
) -> Span:
    """Enclose n Gamma((k+1)/2)/(2 pi^(1/2) Gamma(k/2+1)) and the root, row by row."""
    check_budget()
    gammas = Span.of((k + 1) / 2, bits).lgamma() - Span.of(k / 2 + 1, bits).lgamma()
    largest = (gammas - Span.of(Fraction(1, 2), bits).lgamma()).exp()
    rests = [eta_bar + (size - 1) * eta for size in w]
    squares = [_square_of_least(bits, k, eta, rest) for rest in rests]
    least = Span(max(each.low for each in squares), max(each.high for each in squares))
    variances = Span.of(Fraction(n * n) / (4 * (k + 1)), bits) - least
    return Span.of(Fraction(n, 2), bits) * largest + _root(
        Span.of(Fraction(n - 1, n), bits) * variances
    )


def _square_of_least(bits: int, k: Fraction, low: Fraction, rest: Fraction) -> Span:
    return (Span.of(2, bits) * _least_logarithm(bits, k, low, rest)).exp()


@second_opinion("markov.fallin2023.theorem_3", engine="mpfr", rigorous=True)
@or_nothing
def theorem_3(
    bits: int,
    P: _Matrix,
    k: Fraction,
    eta: Fraction,
    eta_bar: Fraction,
    w: tuple[int, ...],
    norm: str,
    sign: str,
) -> Enclosure:
    """Enclose |Z| times the bracket; rigorous."""
    size = _norm_of_fundamental(P, norm, sign)

    def at(precision: int) -> Span:
        return Span.of(size, precision) * _bracket(precision, len(P), k, eta, eta_bar, w)

    return sharpened(bits, at).enclosure()
