"""Second opinions on the bounds on stationary laws, repairs and certificates; rigorous, by MPFR.

All is rational but for roots. T4-C is evaluated at every r, and its tail is a sum of multiples of
powers of e.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from ....enclosure import Enclosure
from ....precision import check_budget
from ...directed import Span, or_nothing, sharpened
from ...dirichlet.series import log_of
from ...dirichlet.utility import expected_kl_bound
from ...opinion import second_opinion
from ..fundamental import condition_number, reached
from .chain import (
    ZERO,
    ClosedChain,
    Counts,
    Matrix,
    Vector,
    closed_states,
    largest,
    least,
    root,
    root_of,
    shares_of,
    span_of,
    total,
)
from .deviations import EXACTLY_ZERO, deviation_bounds, expected_kl, random_rows


def _answer(bits: int, P: Matrix, k: Vector, way: str) -> Enclosure:
    private = _PrivateChain(P, k)
    if not private.rows:
        return EXACTLY_ZERO
    return sharpened(bits, getattr(private, way)).enclosure()


@second_opinion("markov.stationary_bound_a", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_a(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose T4-A with kappa in rationals; rigorous."""
    return _answer(bits, P, k, "first")


@second_opinion("markov.stationary_bound_b", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_b(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose T4-B with the variances in rationals; rigorous."""
    return _answer(bits, P, k, "second")


@second_opinion("markov.stationary_bound_c", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound_c(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose T4-C, every r in its turn; rigorous."""
    return _answer(bits, P, k, "third")


@second_opinion("markov.stationary_rate", engine="mpfr", rigorous=True)
@or_nothing
def stationary_rate(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose S/2, every column's square in rationals; rigorous."""
    return _answer(bits, P, k, "rate")


@second_opinion("markov.stationary_bound", engine="mpfr", rigorous=True)
@or_nothing
def stationary_bound(bits: int, P: Matrix, k: Vector) -> Enclosure:
    """Enclose the least of the three and 1; rigorous."""
    private = _PrivateChain(P, k)
    if not private.rows:
        return EXACTLY_ZERO
    ways = (private.first, private.second, private.third)

    def at(precision: int) -> Span:
        return least([Span.of(1, precision), *(way(precision) for way in ways)])

    return sharpened(bits, at).enclosure()


_R_PARTS = 64


@dataclass(frozen=True)
class _Noise:
    """The numbers of a row: 1/(k+1), kappa_i^2/(k+1), v_i/k, kappa_i/k, of columns both /k."""

    support: frozenset[int]
    proxy: Fraction
    local_proxy: Fraction
    variance: Fraction
    scale: Fraction
    columns: tuple[tuple[Fraction, Fraction], ...]


class _PrivateChain:
    """A chain on its closed class, with the concentrations of its rows."""

    def __init__(self, P: Matrix, k: Vector) -> None:
        self.chain = ClosedChain.of(P)
        self.k = tuple(k[state] for state in closed_states(P))
        self.rows = random_rows(self.chain.P, self.k)
        self.random = [at for at, row in enumerate(self.chain.P) if max(row) < 1]
        self._known: dict[int, tuple[Span, Span]] = {}

    def first(self, bits: int) -> Span:
        """Enclose kappa/2 times the bound on E R*."""
        return Span.of(self.chain.condition / 2, bits) * self._deviation(bits)[0]

    def second(self, bits: int) -> Span:
        """Enclose the rate and kappa^2/2 times the bound on E R*^2."""
        square = self._deviation(bits)[1]
        return self.rate(bits) + Span.of(self.chain.condition**2 / 2, bits) * square

    def _deviation(self, bits: int) -> tuple[Span, Span]:
        """Enclose the bounds on R*, once at each precision."""
        if bits not in self._known:
            self._known[bits] = deviation_bounds(self.rows, len(self.k), bits)
        return self._known[bits]

    def third(self, bits: int) -> Span:
        """Enclose the least over all r."""
        typical, rate, pairs = self._stretch(bits), self.rate(bits), self._pairs(bits)
        found = []
        for part in range(1, _R_PARTS):
            check_budget()
            r = Fraction(part, _R_PARTS)
            more = least([typical, Span.of(r, bits)]) / Span.of(1 - r, bits)
            tail = total((pair.tail(r, bits) for pair in pairs), bits)
            found.append(rate + rate * more + tail)
        return least(found)

    def rate(self, bits: int) -> Span:
        """Enclose S/2."""
        return total(self._deviations(bits), bits) / Span.of(2, bits)

    def _deviations(self, bits: int) -> list[Span]:
        """Enclose the standard deviations of pi E A, whose squares are rational."""
        return [
            root_of(sum((self._part(i, j) for i in self.random), ZERO), bits)
            for j in range(len(self.k))
        ]

    def _part(self, i: int, j: int) -> Fraction:
        return self.chain.law[i] ** 2 * self.chain.variances[i][j] / (self.k[i] + 1)

    def _stretch(self, bits: int) -> Span:
        """Enclose q."""
        deviations = self._deviations(bits)
        found = Span.of(0, bits)
        for i in self.random:
            variances = (self.chain.variances[i][j] / (self.k[i] + 1) for j in range(len(self.k)))
            found = found + deviations[i] * total((root_of(each, bits) for each in variances), bits)
        return found / total(deviations, bits)

    def _pairs(self, bits: int) -> list[_Pair]:
        noises = [self._noise(i) for i in self.random]
        if len(noises) < len(self.k):
            silent = ((ZERO, ZERO),) * len(self.k)
            noises.append(_Noise(frozenset(), ZERO, ZERO, ZERO, ZERO, silent))
        return [_Pair(self.chain, *two, bits) for two in combinations(noises, 2)]

    def _noise(self, i: int) -> _Noise:
        k, local = self.k[i], self.chain.local_condition(i)
        columns = range(len(self.k))
        return _Noise(
            self.chain.support(i),
            1 / (k + 1),
            local**2 / (k + 1),
            self.chain.variance_bound(i) / k,
            local / k,
            tuple((self.chain.variances[i][j] / k, self.chain.width(i, j) / k) for j in columns),
        )


class _Pair:
    """Two rows, and the chance that they stretch by more than r."""

    def __init__(self, chain: ClosedChain, one: _Noise, other: _Noise, bits: int) -> None:
        self._near = 2 ** len(one.support | other.support) - 2
        self._all = 2 ** len(chain.P) - 2
        self._everywhere = chain.condition**2 * (one.proxy + other.proxy)
        self._local = one.local_proxy + other.local_proxy
        self._variance = one.variance + other.variance
        self._scale = max(one.scale, other.scale)
        columns = [
            (v + w, max(x, y)) for (v, x), (w, y) in zip(one.columns, other.columns, strict=True)
        ]
        roots = [(root_of(square, bits), width) for square, width in columns if square]
        self._sum = total((deviation for deviation, _ in roots), bits)
        self._ratio = largest(Span.of(width, bits) / deviation for deviation, width in roots)

    def tail(self, r: Fraction, bits: int) -> Span:
        """Enclose the least of the bounds on P(rho > r), each in full."""
        gaussian = -2 * r * r / self._local
        bernstein = -r * r / (2 * self._variance + 2 * self._scale * r)
        size = self._sum * (self._sum + Span.of(2 * r, bits) * self._ratio)
        return least(
            [
                Span.of(self._near, bits) * Span.of(-2 * r * r / self._everywhere, bits).exp(),
                Span.of(self._all, bits) * Span.of(min(gaussian, bernstein), bits).exp(),
                Span.of(2, bits) * (Span.of(-2 * r * r, bits) / size).exp(),
            ]
        )


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
