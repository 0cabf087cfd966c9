"""Second opinions on the repairs and on the certificates; rigorous, by MPFR."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ...enclosure import Enclosure
from ..directed import Span, or_nothing
from ..opinion import second_opinion
from ..series import log_of
from ..utility import expected_kl_bound
from .bound_chain import ClosedChain, Counts, Matrix, Vector, closed_states, shares_of
from .bound_spans import largest, root, span_of, total
from .bounds import ZERO, expected_kl, random_rows


@second_opinion("markov.stationary_bound_private", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_private(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose the root of half the expected divergence; rigorous."""
    divergence = expected_kl(bits, P, k)
    if divergence.exact == 0:
        return ZERO
    return root(span_of(divergence, bits) / Span.of(2, bits)).enclosure()


@second_opinion("markov.stationary_bound_repair", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_repair(bits: int, counts: Counts, k: Vector) -> Enclosure:
    """Enclose kappa times the root of half the sum of the L_i; rigorous."""
    shares = shares_of(counts)
    bounds = [row_bound(counts[state], k[state], bits) for state in closed_states(shares)]
    if all(bound is None for bound in bounds):
        return ZERO
    found = total(filter(None, bounds), bits)
    kappa = Span.of(ClosedChain.of(shares).condition, bits)
    return (kappa * root(found / Span.of(2, bits))).enclosure()


def row_bound(counts: tuple[int, ...], k: Fraction, bits: int) -> Span | None:
    """Enclose benvenuti2025 Corollary 1 for a row; None for one positive count, where it is 0."""
    cells = sum(map(bool, counts))
    return span_of(expected_kl_bound(bits, k, sum(counts), cells), bits) if cells > 1 else None


@second_opinion("markov.stationary_bound_uniform", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_uniform(bits: int, P: Matrix, k: Fraction) -> Enclosure:
    """Enclose kappa times the root of (log n + log(2^n - 2))/(2 (k+1)); rigorous."""
    chain = ClosedChain.of(P)
    size = len(chain.P)
    if not random_rows(chain.P, (k,) * size):
        return ZERO
    signs = log_of(Fraction(size), bits) + log_of(Fraction(2**size - 2), bits)
    found = Span.of(chain.condition, bits) * root(signs * Span.of(1 / (2 * k + 2), bits))
    return found.enclosure()


def _radii(k: Vector, sizes: tuple[int, ...], beta: Fraction, bits: int) -> Iterator[Span]:
    """Yield half of each r_i: the root of (log(n/beta) + log(2^n_i - 2))/(2 (k+1))."""
    for one, size in zip(k, sizes, strict=True):
        signs = log_of(len(k) / beta, bits) + log_of(Fraction(2**size - 2), bits)
        yield root(signs * Span.of(1 / (2 * one + 2), bits))


@second_opinion("markov.certificate_stationary", engine="mpfr", rigorous=True)
@or_nothing
def certificate_stationary(
    bits: int, Q: Matrix, k: Vector, sizes: tuple[int, ...], beta: Fraction
) -> Enclosure:
    """Enclose kappa of the private matrix, in rationals, times half the largest r_i; rigorous."""
    closed = closed_states(Q)
    if len(closed) == 1:
        return ZERO
    radii = list(_radii(k, sizes, beta, bits))
    kappa = Span.of(ClosedChain.of(Q).condition, bits)
    return (kappa * largest([radii[state] for state in closed])).enclosure()


@second_opinion("markov.certificate_ergodicity", engine="mpfr", rigorous=True)
@or_nothing
def certificate_ergodicity(
    bits: int, k: Vector, sizes: tuple[int, ...], beta: Fraction
) -> Enclosure:
    """Enclose the sum of half the r_i; rigorous."""
    return total(_radii(k, sizes, beta, bits), bits).enclosure()
