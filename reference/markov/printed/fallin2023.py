"""fallin2023 on the stationary law of a chain with private rows: Theorem 3 and its bracket (41).

All rows have the same k. Row i has w_i protected entries, each at least eta, their sum at most
1 - eta_bar. The paper's norm is the largest column sum, and its Z is the inverse of I - P - 1 pi.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from flint import arb

from ...arb.balls import ball
from ...dirichlet.utility import absolute_deviation_bound
from ...domain import (
    AT_LEAST_ZERO,
    NORM,
    SIGN,
    STOCHASTIC,
    Condition,
    Entries,
    Positive,
    Share,
    count_from,
)
from ...exact import shown
from ...precision import check_budget
from ...quantity import Side, Truth, quantity
from ...relations import UNKNOWN
from ..conditions import ONE_CLOSED_CLASS
from ..fundamental import fundamental_norm
from .benvenuti2025 import as_ball, least_deviation_as_printed

THEOREM = "fallin2023 Theorem 3"
_BRACKET = "fallin2023 equation 41"
STATES = Annotated[int, count_from(2, 3)]
# How many entries of each row are protected.
SIZES = Annotated[tuple[int, ...], Entries(count_from(1, 3), longest_searched=3, as_long_as="P")]
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
def bracket(n: STATES, k: Positive, eta: Share, eta_bar: Share, w: _SIZES_OF_SO_MANY) -> arb:
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
        least = least.max(least_deviation_as_printed(k, eta, eta_bar + (size - 1) * eta))
    # At least (n^2 - 1)/(4 (k+1)): a mean deviation squared is no more than the variance.
    variances = ball(Fraction(n * n) / (4 * (k + 1))) - least**2
    first = n * as_ball(absolute_deviation_bound(k))
    return first + (variances * ball(Fraction(n - 1, n))).sqrt()


@quantity(
    "markov.fallin2023.theorem_3",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=THEOREM,
    conditions=(
        ONE_CLOSED_CLASS,
        _THERE_IS_A_MATRIX,
        Condition(
            "w has one entry for each row of P",
            lambda P, w: len(w) == len(P),
            THEOREM,
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
    w: SIZES,
    norm: NORM,
    sign: SIGN,
) -> arb:
    """Bound of fallin2023 Theorem 3 on the mean 1-norm of the change of the stationary law.

    |Z| times the bracket (41). As printed the norm is "column" and the sign "minus"; its proof
    fails there, with no counterexample known. For "row" it is true from 4 states on, for either
    sign (proofs_notes/markov-printed.md).
    """
    return as_ball(fundamental_norm(P, norm, sign)) * _bracket(len(P), k, eta, eta_bar, w)
