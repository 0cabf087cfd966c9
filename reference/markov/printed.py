"""Bounds of benvenuti2025 and fallin2023 exactly as they are printed, true or not.

Each says which norm and which inverse it takes, what it is claimed to bound, and whether it does.

benvenuti2025, Lemmas 4, 5, 8 and Theorems 4, 5, on a chain that is estimated from counts: row i has
N_i records of n possible states, and its private form is Dirichlet(k_i P_i). L is the paper's bound
on the expected divergence of the chains, sum_i pi_i E KL(P_i || private row). The paper does not
say which matrix norm it means (fallin2023, from which Lemma 5 is taken, takes the largest column
sum), and prints the inverse of I - P - 1 pi. Both norms and both inverses are had.

fallin2023, Theorem 3 and its bracket (41), on the stationary law of a chain with private rows: all
rows have the same k. Row i has w_i protected entries, each at least eta, their sum at most
1 - eta_bar. The paper's norm is the largest column sum, and its Z is the inverse of I - P - 1 pi.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Annotated, cast

from flint import arb

from ..arb.balls import ball, sharpened
from ..arb.gamma import log_beta
from ..dirichlet.utility import absolute_deviation_bound, divergence_from, vertex
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    CONCENTRATIONS_OF_COUNTS,
    COUNTS,
    NORM,
    SIGN,
    STOCHASTIC,
    Condition,
    Entries,
    Positive,
    Share,
    count_from,
)
from ..exact import shown
from ..precision import check_budget
from ..quantity import LeastSound, Side, Truth, quantity
from ..relations import UNKNOWN
from ..structures import Matrix
from ..vocabulary import Meaning
from .bounds.deviations import as_ball
from .fundamental import OTHER_MATRIX, SAME_STATES, fundamental_norm, law_of
from .structure import ONE_CLOSED_CLASS, chain_of, classes_counted, counted_in_one_class


def _least_deviation_as_printed(k: Fraction, low: Fraction, rest: Fraction) -> arb:
    """Enclose 2 low^(k (1-rest)) rest^(k (1-low)) / (k B(k low, k rest)), low + rest <= 1.

    It is a lower bound of the mean absolute deviation of a coordinate whose mean p is at least
    ``low`` and 1 - p at least ``rest``: each factor is bounded for itself, so it is a far one
    (benvenuti2025 Lemma 8, fallin2023 (34) and (37); proofs_notes/markov-printed.md).
    """
    return sharpened(lambda: _logarithm(k, low, rest).exp() * ball(2 / k))


def _logarithm(k: Fraction, low: Fraction, rest: Fraction) -> arb:
    powers = ball(k * (1 - rest)) * ball(low).log() + ball(k * (1 - low)) * ball(rest).log()
    return powers - log_beta(k * low, k * rest)


_Counts = tuple[tuple[int, ...], ...]
_LEMMA_4 = "benvenuti2025 Lemma 4, equation 19"
_LEMMA_5 = "benvenuti2025 Lemma 5"
_LEMMA_8 = "benvenuti2025 Lemma 8"
_RECORDS = Annotated[int, count_from(2, 1_000)]
_CELLS = Annotated[int, count_from(2, 50)]


def _short_row(counts: _Counts) -> str:
    at, row = next((at, row) for at, row in enumerate(counts, 1) if sum(row) < len(row))
    return f"row {at} has {shown(sum(row))} records, and there are {len(row)} states"


_CONDITIONS = (
    Condition(
        "counts of a chain with one closed class of states",
        counted_in_one_class,
        _LEMMA_4,
        why=classes_counted,
    ),
    Condition(
        "every row has at least as many records as there are states",
        lambda counts: all(sum(row) >= len(row) for row in counts),
        _LEMMA_4,
        why=_short_row,
    ),
    Condition(
        "k has one entry for each row of counts",
        lambda counts, k: len(counts) == len(k),
        _LEMMA_4,
        why=lambda counts, k: f"there are {len(counts)} rows and {len(k)} entries",
    ),
)


@quantity(
    "markov.benvenuti2025.lemma_4",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound(
        "markov.expected_kl",
        lambda point: {"P": chain_of(cast("_Counts", point["counts"])), "k": point["k"]},
        "the chain of the counts, k",
    ),
    source=_LEMMA_4,
    formula=r"L = \sum_i \pi_i L_i, \quad L_i = \max_{p_j \ge 1/N_i} E \, \mathrm{KL}(p \,\|\, "
    r"x), \; x \sim \mathrm{Dirichlet}(k_i p)",
    conditions=_CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def lemma_4(counts: COUNTS, k: CONCENTRATIONS_OF_COUNTS) -> arb:
    """Bound L of benvenuti2025 (19) on the mean of sum_i pi_i KL(P_i || private row i).

    Corollary 1 row by row, with n the number of states even where a row has fewer positive
    entries. True for every k (proofs_notes/markov-printed.md).
    """
    return _divergence(counts, k)


def _divergence(counts: _Counts, k: tuple[Fraction, ...]) -> arb:
    """Enclose L; rows of as many records and the same k have one bound between them."""
    shares: defaultdict[tuple[int, Fraction], arb] = defaultdict(arb)
    for share, row, concentration in zip(law_of(chain_of(counts)), counts, k, strict=True):
        if share == 0:  # for certain: the chain leaves this state for good
            continue
        shares[sum(row), concentration] += as_ball(share)
    total = arb(0)
    for (records, concentration), share in shares.items():
        check_budget()
        worst = divergence_from(vertex(Fraction(1, records), len(counts)), concentration)
        total += share * as_ball(worst)
    return total


@quantity(
    "markov.benvenuti2025.theorem_4",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source="benvenuti2025 Theorem 4",
    formula=r"\frac{\|Z\|}{2} \sqrt{2 L}, \quad L = \sum_i \pi_i L_i",
    conditions=_CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def theorem_4(counts: COUNTS, k: CONCENTRATIONS_OF_COUNTS, norm: NORM, sign: SIGN) -> arb:
    """Bound of benvenuti2025 Theorem 4 on the mean total variation distance of the stationary laws.

    |Z| (2 L)^(1/2)/2, printed with the sign "minus". False for either norm and either sign where
    some transitions are impossible; where none are, neither proved nor refuted
    (proofs_notes/markov-printed.md).
    """
    size = as_ball(fundamental_norm(chain_of(counts), norm, sign))
    return size * (_divergence(counts, k) / 2).sqrt()


@quantity(
    "markov.benvenuti2025.theorem_5",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound(
        "markov.ergodicity_floor",
        lambda point: {"P": chain_of(cast("_Counts", point["counts"])), "k": point["k"]},
        "the chain of the counts, k",
    ),
    source="benvenuti2025 Theorem 5",
    formula=r"\sqrt{2 L}, \quad L = \sum_i \pi_i L_i",
    conditions=_CONDITIONS,
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def theorem_5(counts: COUNTS, k: CONCENTRATIONS_OF_COUNTS) -> arb:
    """Bound of benvenuti2025 Theorem 5 on the mean change of the ergodicity coefficient tau_inf.

    (2 L)^(1/2), also Lemma 6's on the mean norm of P less its private form. Both are false; true is
    the mean of sum_i pi_i |row i less its private form|_1 (proofs_notes/markov-printed.md).
    """
    return (2 * _divergence(counts, k)).sqrt()


@quantity(
    "markov.benvenuti2025.lemma_5",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound(
        "markov.stationary_distance",
        lambda point: {"P": point["P"], "Q": point["Q"]} if point["norm"] == "row" else None,
        "the two chains, which are twice as far apart in the 1-norm; for the norm by rows",
    ),
    source=_LEMMA_5,
    formula=r"\|\pi_P - \pi_Q\|_1 \le \|Z\| \, \|P - Q\|",
    conditions=(ONE_CLOSED_CLASS, SAME_STATES),
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def lemma_5(P: STOCHASTIC, Q: OTHER_MATRIX, norm: NORM, sign: SIGN) -> arb | Fraction:
    """Bound of benvenuti2025 Lemma 5 on the 1-norm of the difference of two stationary laws.

    |Z| |P - Q|, both in the norm that is named; fallin2023 Lemma 4 with "column" and "minus". For
    "row" it is true with either sign, for "column" false with either
    (proofs_notes/markov-printed.md).
    """
    difference = _norm_of_difference(P, Q, norm)
    if difference == 0:
        return Fraction(0)
    size = fundamental_norm(P, norm, sign)
    return size * difference if isinstance(size, Fraction) else size * ball(difference)


def _norm_of_difference(P: Matrix, Q: Matrix, norm: str) -> Fraction:
    """Return the largest row or column sum of |P - Q|."""
    gaps = [[abs(p - q) for p, q in zip(*rows, strict=True)] for rows in zip(P, Q, strict=True)]
    lines = gaps if norm == "row" else zip(*gaps, strict=True)
    return max(sum(line, Fraction(0)) for line in lines)


@quantity(
    "markov.benvenuti2025.lemma_8",
    safe=Side.LOWER,
    truth=Truth.PRINTED,
    least=LeastSound(
        "dirichlet.utility.absolute_deviation",
        lambda point: {"p": 1 / Fraction(cast("int", point["N"])), "k": point["k"]},
        "the share 1/N, k: it has the least deviation",
    ),
    source=_LEMMA_8,
    formula=r"\frac{2 \left(\frac{1}{N}\right)^{k (1 - \frac{n - 1}{N})} \left(\frac{n - "
    r"1}{N}\right)^{k (1 - \frac{1}{N})}}{k \, B\left(\frac{k}{N}, \frac{k (n - "
    r"1)}{N}\right)}",
    conditions=(Condition("n <= N", lambda N, n: n <= N, _LEMMA_8),),
    within=A_PROBABILITY,
    rises=UNKNOWN,
)
def lemma_8(k: Positive, N: _RECORDS, n: _CELLS) -> arb:
    """Bound of benvenuti2025 Lemma 8 below the mean absolute deviation of a private share.

    2 (1/N)^(k (1-(n-1)/N)) ((n-1)/N)^(k (1-1/N)) / (k B(k/N, k (n-1)/N)). True and far off: the
    least deviation is that of the share 1/N (proofs_notes/markov-printed.md).
    """
    return _least_deviation_as_printed(k, Fraction(1, N), Fraction(n - 1, N))


_THEOREM = "fallin2023 Theorem 3"
_BRACKET = "fallin2023 equation 41"
_STATES = Annotated[int, count_from(2, 3), Meaning("number of states", "3")]
# How many entries of each row are protected.
_SIZES = Annotated[tuple[int, ...], Entries(count_from(1, 3), longest_searched=3, as_long_as="P")]
_SIZES_OF_SO_MANY = Annotated[
    tuple[int, ...], Entries(count_from(1, 3), longest_searched=3, as_long_as="n")
]


def _too_wide(eta: Fraction, eta_bar: Fraction, w: tuple[int, ...]) -> str:
    row = next(at for at, size in enumerate(w, 1) if size * eta + eta_bar > 1)
    return f"row {row} has {shown(w[row - 1])} protected entries"


_THERE_IS_A_MATRIX = Condition(
    "w eta + eta_bar <= 1 in every row",
    lambda eta, eta_bar, w: max(w) * eta + eta_bar <= 1,
    "fallin2023 Definition 3",
    why=_too_wide,
)


@quantity(
    "markov.fallin2023.bracket",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_BRACKET,
    formula=r"n M(k) + \sqrt{\frac{n - 1}{n}} \sqrt{\frac{n^2}{4 (k + 1)} - \max_i m_i^2}",
    conditions=(
        _THERE_IS_A_MATRIX,
        Condition(
            "w has n entries, one for each row",
            lambda n, w: len(w) == n,
            _BRACKET,
            why=lambda n, w: f"there are {shown(n)} rows and {len(w)} sizes",
        ),
    ),
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def bracket(n: _STATES, k: Positive, eta: Share, eta_bar: Share, w: _SIZES_OF_SO_MANY) -> arb:
    """Bracket of fallin2023 Theorem 3, said to bound the mean of the largest column sum of |E|.

    n M(k) + ((n-1)/n)^(1/2) (n^2/(4 (k+1)) - max_i m_i^2)^(1/2), M(k) the largest mean absolute
    deviation of a coordinate and m_i a lower bound of it in row i. True for every k
    (proofs_notes/markov-printed.md).
    """
    return _bracket(n, k, eta, eta_bar, w)


def _bracket(n: int, k: Fraction, eta: Fraction, eta_bar: Fraction, w: tuple[int, ...]) -> arb:
    least = arb(0)
    for size in set(w):
        check_budget()
        least = least.max(_least_deviation_as_printed(k, eta, eta_bar + (size - 1) * eta))
    # At least (n^2 - 1)/(4 (k+1)): a mean deviation squared is no more than the variance.
    variances = ball(Fraction(n * n) / (4 * (k + 1))) - least**2
    first = n * as_ball(absolute_deviation_bound(k))
    return first + (variances * ball(Fraction(n - 1, n))).sqrt()


@quantity(
    "markov.fallin2023.theorem_3",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_THEOREM,
    formula=r"\|Z\| \left( n M(k) + \sqrt{\frac{n - 1}{n}} \sqrt{\frac{n^2}{4 (k + 1)} - \max_i "
    r"m_i^2} \right)",
    conditions=(
        ONE_CLOSED_CLASS,
        _THERE_IS_A_MATRIX,
        Condition(
            "w has one entry for each row of P",
            lambda P, w: len(w) == len(P),
            _THEOREM,
            why=lambda P, w: f"there are {len(P)} rows and {len(w)} sizes",
        ),
    ),
    within=AT_LEAST_ZERO,
    rises=UNKNOWN,
)
def theorem_3(
    P: STOCHASTIC,
    k: Positive,
    eta: Share,
    eta_bar: Share,
    w: _SIZES,
    norm: NORM,
    sign: SIGN,
) -> arb:
    """Bound of fallin2023 Theorem 3 on the mean 1-norm of the change of the stationary law.

    |Z| times the bracket (41). As printed the norm is "column" and the sign "minus"; its proof
    fails there, with no counterexample known. For "row" it is true from 4 states on, for either
    sign (proofs_notes/markov-printed.md).
    """
    return as_ball(fundamental_norm(P, norm, sign)) * _bracket(len(P), k, eta, eta_bar, w)
