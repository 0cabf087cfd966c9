"""Second opinions on identity, average, counting and matrix queries, from the papers' definitions.

Each mechanism is a floor and a shift per unit of k: the dominating pair has alpha = k floor and
step = k shift. Every shift below is the largest change of one coordinate between neighbours.

| query | floor | shift | source |
|---|---|---|---|
| identity | eta | b/2 (b bounds the 1-norm over two coordinates) | gohari2020 Definition 1 |
| average of N | eta | b/(2N) | gohari2020 Definition 3, 1-norm |
| counts of N records | ceil(eta N)/N, counts being whole | 1/N | benvenuti2025 Definition 2 |

The tight k is a root of the series of positive terms; the papers' bound on epsilon is composed
from MPFR's log Gamma. All are rigorous.

Of a matrix (fallin2023) the printed epsilon is by ``gamma``, which knows no Gamma, and for every
row; the largest miss over all rows one by one, where the first engine drops rows that another one
dominates; delta of equal rows that change together is their composition's.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import TypeAlias

from ...enclosure import Enclosure
from ...likely import likely_answer
from ..directed import Span, or_nothing, sharpened
from ..gamma import log_gamma_exchange
from ..opinion import second_opinion
from ..roots import bracketed
from .composition.moments import Losses
from .composition.quantities import composed_delta
from .series import log_beta, log_of, log_profile
from .tail import identity_delta_bound

_Row: TypeAlias = tuple[int, Fraction]


@second_opinion("dirichlet.identity.epsilon_bound", engine="mpfr", rigorous=True)
@or_nothing
def identity_epsilon_bound(
    bits: int, k: Fraction, eta: Fraction, eta_bar: Fraction, b: Fraction, w: int, gamma: Fraction
) -> Enclosure:
    """Enclose the epsilon of gohari2020 Theorem 1, equation 13; rigorous.

    log B(k eta, k (1-eta_bar-eta)) - log B(k (eta+b/2), k (1-eta_bar-eta-b/2))
    + (k b/2) log((1-(w-1) gamma)/gamma), by MPFR's log Gamma at raised precision.
    """
    return _good_set_bound(bits, k, eta, 1 - eta_bar - eta, b / 2, (1 - (w - 1) * gamma) / gamma)


@second_opinion("dirichlet.identity.epsilon_simplified", engine="mpfr", rigorous=True)
@or_nothing
def identity_epsilon_simplified(
    bits: int, k: Fraction, eta: Fraction, eta_bar: Fraction, b: Fraction, w: int, gamma: Fraction
) -> Enclosure:
    """Enclose gohari2020 Theorem 1's epsilon with Lemma 5's bounds for the Betas; rigorous.

    The upper bound's logarithm is taken before its terms are added to one fraction:
    log((1/(2a-1) + 1/(2c-1))/2) - (2 - k (1-eta_bar)) + (k b/2) log(1/gamma - (w-1)), with
    a = k eta and c = k (1-eta_bar-eta).
    """
    total = k * (1 - eta_bar)
    mean = (1 / (2 * k * eta - 1) + 1 / (2 * (total - k * eta) - 1)) / 2

    def at(precision: int) -> Span:
        outer = Span.of(k * b / 2, precision) * log_of(1 / gamma - (w - 1), precision)
        return log_of(mean, precision) - Span.of(2 - total, precision) + outer

    return sharpened(bits, at).enclosure()


@second_opinion("dirichlet.average.epsilon_bound", engine="mpfr", rigorous=True)
@or_nothing
def average_epsilon_bound(
    bits: int,
    k: Fraction,
    eta: Fraction,
    eta_bar: Fraction,
    b: Fraction,
    N: int,
    w: int,
    gamma: Fraction,
) -> Enclosure:
    """Enclose the epsilon of gohari2020 Theorem 2, with N for its n; rigorous.

    Theorem 1's with b/(2N) for b/2, by MPFR's log Gamma at raised precision.
    """
    shift = b / (2 * N)
    return _good_set_bound(bits, k, eta, 1 - eta_bar - eta, shift, (1 - (w - 1) * gamma) / gamma)


@second_opinion("dirichlet.counts.epsilon_bound", engine="mpfr", rigorous=True)
@or_nothing
def counts_epsilon_bound(
    bits: int,
    k: Fraction,
    eta: Fraction,
    N: int,
    n: int,
    gamma: Fraction,
) -> Enclosure:
    """Enclose the epsilon of benvenuti2025 Theorem 1, equation 6; rigorous.

    log B(k eta, k (1-2 eta)) - log B(k (eta+1/N), k (1-2 eta-1/N))
    + (k/N) log((1-(n-1) gamma)/gamma), by MPFR's log Gamma at raised precision.
    """
    return _good_set_bound(bits, k, eta, 1 - 2 * eta, Fraction(1, N), (1 - (n - 1) * gamma) / gamma)


@second_opinion("dirichlet.counts.epsilon_minimum", engine="mpfr", rigorous=True)
@or_nothing
def counts_epsilon_minimum(
    bits: int,
    eta: Fraction,
    N: int,
    n: int,
    gamma: Fraction,
) -> Enclosure:
    """Enclose the epsilon of benvenuti2025 Theorem 1 at k = 3/(2 eta); rigorous.

    log B(3/2, m) - log B(3/2 + t, m - t) + t log((1-(n-1) gamma)/gamma), t = 3/(2 eta N) and
    m = 3/(2 eta) - 3, by MPFR's log Gamma at raised precision.
    """
    scaled = 1 / (2 * eta) - 1  # in units of 3/2, as t/(3/2) = 1/(eta N) is
    shift = 1 / (eta * N)
    return _good_set_bound(
        bits, Fraction(3, 2), Fraction(1), 2 * scaled, shift, (1 - (n - 1) * gamma) / gamma
    )


def _good_set_bound(
    bits: int, k: Fraction, floor: Fraction, other: Fraction, shift: Fraction, ratio: Fraction
) -> Enclosure:
    """Enclose log B(k floor, k other) - log B(k (floor+shift), k (other-shift)) + k shift log r."""

    def at(precision: int) -> Span:
        before = log_beta(k * floor, k * other, precision)
        after = log_beta(k * (floor + shift), k * (other - shift), precision)
        return before - after + Span.of(k * shift, precision) * log_of(ratio, precision)

    return sharpened(bits, at).enclosure()


@second_opinion("dirichlet.identity.k_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def identity_k_for_dp(
    bits: int, eta: Fraction, b: Fraction, epsilon: Fraction, delta: Fraction
) -> Enclosure:
    """Enclose the largest k whose identity query is (epsilon, delta)-private; rigorous.

    The series' logarithm increases in k (proofs_notes/monotone-roots.md): two proved signs.
    """
    return _largest_k(bits, eta, b / 2, epsilon, delta)


@second_opinion("dirichlet.average.k_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def average_k_for_dp(
    bits: int,
    eta: Fraction,
    b: Fraction,
    N: int,
    epsilon: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the largest k whose average query is (epsilon, delta)-private; rigorous.

    The series' logarithm increases in k (proofs_notes/monotone-roots.md): two proved signs.
    """
    return _largest_k(bits, eta, b / (2 * N), epsilon, delta)


@second_opinion("dirichlet.counts.k_for_dp", engine="mpfr", rigorous=True)
@or_nothing
def counts_k_for_dp(
    bits: int,
    eta: Fraction,
    N: int,
    epsilon: Fraction,
    delta: Fraction,
) -> Enclosure:
    """Enclose the largest k whose counting query is (epsilon, delta)-private; rigorous.

    The series' logarithm increases in k (proofs_notes/monotone-roots.md): two proved signs.
    """
    return _largest_k(bits, Fraction(ceil(eta * N), N), Fraction(1, N), epsilon, delta)


def _largest_k(
    bits: int, floor: Fraction, shift: Fraction, epsilon: Fraction, delta: Fraction
) -> Enclosure:
    def excess(k: Fraction, precision: int) -> Span:
        return log_profile(precision, k * floor, k * shift, epsilon) - log_of(delta, precision)

    # The mean loss is about k shift log(1 + shift/floor) for a large k: epsilon from here on.
    start = 1 / shift + epsilon * floor / shift**2
    return bracketed(excess, start, bits, likely=likely_answer()).enclosure()


@second_opinion("dirichlet.matrix.epsilon_bound", engine="mpfr", rigorous=True)
@or_nothing
def epsilon_bound(
    bits: int,
    k: Fraction,
    eta: Fraction,
    eta_bar: Fraction,
    b: Fraction,
    rows: tuple[_Row, ...],
) -> Enclosure:
    """Enclose fallin2023 Theorem 1's epsilon, the largest over all rows; rigorous.

    log B(k eta, k c) - log B(k (eta+b/2), k (c-b/2)) + (k b/2) log(1/gamma - w + 1), where
    c = 1 - eta_bar - eta, as a sum over Gauss's product and logarithms of rationals.
    """
    shift = b / 2
    near, far = k * eta, k * (1 - eta_bar - eta)

    def at(precision: int) -> Span:
        change = _log_beta_change(precision, near, far, k * shift)
        scale = Span.of(k * shift, precision)
        found = [scale * log_of(1 / gamma - w + 1, precision) for w, gamma in sorted(set(rows))]
        largest = Span(max(each.low for each in found), max(each.high for each in found))
        return change + largest

    return sharpened(bits, at).enclosure()


def _log_beta_change(bits: int, near: Fraction, far: Fraction, part: Fraction) -> Span:
    """Enclose log [Gamma(x) Gamma(y)/(Gamma(x+c) Gamma(y-c))]: the wider pair's product is larger.

    Both pairs have one sum, so the pair with the smaller least number is the wider one.
    """
    before, after = sorted((near, far)), sorted((near + part, far - part))
    if before[0] == after[0]:
        return Span.of(0, bits)
    if before[0] < after[0]:
        return log_gamma_exchange(bits, before[0], before[1], after[0] - before[0])
    return -log_gamma_exchange(bits, after[0], after[1], before[0] - after[0])


@second_opinion("dirichlet.matrix.delta_bound", engine="mpmath", rigorous=False)
@or_nothing
def delta_bound(bits: int, k: Fraction, eta: Fraction, rows: tuple[_Row, ...]) -> Enclosure:
    """Enclose the largest tail over all rows, one by one; not rigorous."""
    found = [identity_delta_bound(bits, k, eta, *row) for row in sorted(set(rows))]
    known = [each.exact for each in found if each.exact is not None]
    if 1 in known or len(known) == len(found):
        return Enclosure.of(max(known), bits)
    return Enclosure(max(each.low for each in found), max(each.high for each in found))


@second_opinion("dirichlet.matrix.delta", engine="mpmath", rigorous=False)
@or_nothing
def delta(
    bits: int, k: Fraction, eta: Fraction, b: Fraction, changed_rows: int, epsilon: Fraction
) -> Enclosure:
    """Enclose delta of so many equal releases, floor k eta and step k b/2; not rigorous."""
    return composed_delta(bits, Losses([(k * eta, k * b / 2, changed_rows)]), epsilon)
