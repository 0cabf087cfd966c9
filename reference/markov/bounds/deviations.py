"""How far the private rows fall from the matrix: R_i = |private row i - P_i|_1, R* the largest.

Row i of the private matrix is Dirichlet(k_i P_i), independent of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from flint import arb

from ...arb.balls import ball
from ...dirichlet.kl import divergence_from
from ...domain import AT_LEAST_ZERO, CONCENTRATIONS, STOCHASTIC
from ...dyadic import Dyadic
from ...enclosure import Enclosure
from ...quantity import Shape, Side, Truth, quantity
from ...relations import UNKNOWN, each
from ..conditions import CONCENTRATION_OF_EACH_STATE, ONE_CLOSED_CLASS
from ..stationary import stationary_law
from .divergence import square_by_divergence
from .exponential import exponents, log_sum, mean_by_exponents, square_by_exponents
from .rows import Row, as_ball, largest, least, private_rows, root

NOTE = "proofs_notes/markov-deviations.md"
# A distance of two laws in the 1-norm is at most 2.
_DIAMETER = 2
_UP_TO_TWO = Enclosure(Dyadic(0), Dyadic(2))
_UP_TO_FOUR = Enclosure(Dyadic(0), Dyadic(4))


@quantity(
    "markov.expected_kl",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source="benvenuti2025 Lemma 4, equation 18",
    within=AT_LEAST_ZERO,
    conditions=(ONE_CLOSED_CLASS, CONCENTRATION_OF_EACH_STATE),
    falls=each("k"),
)
def expected_kl(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Mean divergence rate of the chain from its unrounded draw: sum_i pi_i E KL(P_i || row i).

    Each term is exact; a row of one positive entry has none. In nats a step.
    """
    total: arb | Fraction = Fraction(0)
    for weight, row, one in zip(stationary_law(P), P, k, strict=True):
        if weight and max(row) < 1:
            total = ball(weight) * as_ball(divergence_from(Counter(row), one)) + as_ball(total)
    return total


@quantity(
    "markov.expected_deviations",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source="proofs_notes/utility.md",
    within=_UP_TO_TWO,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    shape=Shape.VECTOR,
    rises=UNKNOWN,
)
def expected_deviations(P: STOCHASTIC, k: CONCENTRATIONS) -> tuple[arb | Fraction, ...]:
    """Mean 1-norm distance of each row's unrounded draw from the row; 0 for one positive entry."""
    return tuple(
        Row(one, tuple(filter(None, row))).mean_deviation if max(row) < 1 else Fraction(0)
        for one, row in zip(k, P, strict=True)
    )


@quantity(
    "markov.largest_deviation_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=_UP_TO_TWO,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
)
def largest_deviation_bound(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound on the mean of the largest distance of a row's unrounded draw from it, in the 1-norm.

    The least of the sum of the means; the largest mean with what the rows' variances add; L/theta
    over the fixed values of theta; the root of the bound on the square; and 2.
    """
    rows = private_rows(P, k)
    return LargestDeviation(rows, len(P)).mean if rows else Fraction(0)


@quantity(
    "markov.largest_deviation_square_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=_UP_TO_FOUR,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
)
def largest_deviation_square_bound(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound on the mean square of the largest distance of a row's unrounded draw from it.

    The least of the sum over rows of the squares of their summed standard deviations; of
    L (2 + L)/theta^2 over the fixed values of theta; of (2/l) log of the divergences' moments over
    the fixed values of l; and of 4.
    """
    rows = private_rows(P, k)
    return LargestDeviation(rows, len(P)).mean_square if rows else Fraction(0)


@dataclass(frozen=True)
class LargestDeviation:
    """The bounds on R* for some random rows, one or more, of a matrix of so many states."""

    rows: Sequence[Row]
    states: int

    @cached_property
    def mean(self) -> arb:
        """The bound on E R*."""
        means = [row.mean_deviation for row in self.rows]
        return least(
            arb(_DIAMETER),
            sum(means, arb(0)),
            largest(*means) + self._spread,
            root(self.mean_square),
            *(mean_by_exponents(theta, logarithm) for theta, logarithm in self._logs),
        )

    @cached_property
    def mean_square(self) -> arb:
        """The bound on E R*^2."""
        return least(
            arb(_DIAMETER**2),
            sum((row.size_bound**2 for row in self.rows), arb(0)),
            *(square_by_exponents(theta, logarithm) for theta, logarithm in self._logs),
            *square_by_divergence(self.rows),
        )

    @cached_property
    def _logs(self) -> list[tuple[Fraction, arb]]:
        return [(theta, log_sum(self.rows, theta)) for theta in exponents(self.rows, self.states)]

    @property
    def _spread(self) -> arb:
        """(m-1)/m times the root of the sum of bounds on the variances of the m deviations."""
        variances = [row.size_bound**2 - row.mean_deviation**2 for row in self.rows]
        return root(sum(variances, arb(0))) * (len(self.rows) - 1) / len(self.rows)
