"""Second opinions on the repairs and on the certificates; rigorous, by MPFR."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from ....enclosure import Enclosure
from ...directed import Span, or_nothing
from ...dirichlet.series import log_of
from ...dirichlet.utility import expected_kl_bound
from ...opinion import second_opinion
from ..fundamental import condition_number, reached
from .chain import ClosedChain, Counts, Matrix, Vector, closed_states, shares_of
from .deviations import EXACTLY_ZERO, expected_kl, random_rows
from .spans import largest, least, root, span_of, total


@second_opinion("markov.stationary_bound_private", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_private(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose the root of half the expected divergence; rigorous."""
    divergence = expected_kl(bits, P, k)
    if divergence.exact == 0:
        return EXACTLY_ZERO
    return root(span_of(divergence, bits) / Span.of(2, bits)).enclosure()


@second_opinion("markov.stationary_bound_repair", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_repair(bits: int, counts: Counts, k: Vector) -> Enclosure:
    """Enclose kappa times the root of half the sum of the L_i; rigorous."""
    shares = shares_of(counts)
    bounds = [row_bound(counts[state], k[state], bits) for state in closed_states(shares)]
    if all(bound is None for bound in bounds):
        return EXACTLY_ZERO
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
        return EXACTLY_ZERO
    signs = log_of(Fraction(size), bits) + log_of(Fraction(2**size - 2), bits)
    found = Span.of(chain.condition, bits) * root(signs * Span.of(1 / (2 * k + 2), bits))
    return found.enclosure()


def _radii(
    k: Vector, sizes: tuple[int, ...], beta: Fraction, bits: int
) -> Iterator[tuple[int, Span]]:
    """Yield n_i and half of r_i, the root of (log(m/beta) + log(2^n_i - 2))/(2 (k+1)), of m rows.

    Of rows with one feasible transition there is nothing.
    """
    random = [(one, size) for one, size in zip(k, sizes, strict=True) if size > 1]
    for one, size in random:
        signs = log_of(len(random) / beta, bits) + log_of(Fraction(2**size - 2), bits)
        yield size, root(signs * Span.of(1 / (2 * one + 2), bits))


def _moved(half: Span, rounding: Fraction, bits: int) -> Span:
    """Return half of how far a row has come, with what rounding can add: 1 at most."""
    return least([half + Span.of(rounding, bits), Span.of(1, bits)])


@second_opinion("markov.certificate_stationary", engine="mpfr", rigorous=True)
@or_nothing
def certificate_stationary(
    bits: int,
    Q: Matrix,
    k: Vector,
    sizes: tuple[int, ...],
    beta: Fraction,
    grid_bits: int,
) -> Enclosure:
    """Enclose kappa of the released matrix, in rationals, times half the largest radius; rigorous.

    A row of n that is rounded by at most half of its coordinates up, or by as many as there are
    steps, moves by half the product of both numbers over n, once for each side.
    """
    reach = [reached(Q, state) for state in range(len(Q))]
    if not set.intersection(*reach):
        return Enclosure.of(Fraction(1))
    steps = 2**grid_bits
    moved = [
        _moved(
            half, max(Fraction(up * (n - up), n * steps) for up in range(min(n, steps + 1))), bits
        )
        for n, half in _radii(k, sizes, beta, bits)
    ]
    if not moved:
        return EXACTLY_ZERO
    kappa = span_of(condition_number(bits, Q), bits)
    return least([kappa * largest(moved), Span.of(1, bits)]).enclosure()


@second_opinion("markov.certificate_ergodicity", engine="mpfr", rigorous=True)
@or_nothing
def certificate_ergodicity(
    bits: int, k: Vector, sizes: tuple[int, ...], beta: Fraction, grid_bits: int
) -> Enclosure:
    """Enclose the sum over rows of half the r_i and of a step less its n-th part; rigorous."""
    step = Fraction(1, 2**grid_bits)
    moved = [_moved(half, step - step / n, bits) for n, half in _radii(k, sizes, beta, bits)]
    if not moved:
        return EXACTLY_ZERO
    return least([total(moved, bits), Span.of(len(k) // 2, bits)]).enclosure()
