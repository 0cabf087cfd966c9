"""How far the private rows fall from the matrix: R_i = |private row i - P_i|_1, R* the largest.

Row i of the private matrix is Dirichlet(k_i P_i) on the entries where P_i is positive, independent
of the others. A row with one positive entry is released as it is, and its deviation is 0: it is
left out. R* is bounded in two ways.

By the moments of the divergence: R_i^2 <= 2 KL(P_i || private row i). For X of Dirichlet(k p) and
0 < l < k the mean of e^(l KL(p || X)) is exactly
e^(l sum p log p) B((k-l) p)/B(k p) (proofs_notes/markov-deviations.md#divergence-moments).

By exponential moments: R_i is twice the largest excess of a set of cells.

The excess of a set of share p is that of a Beta variable, and the mean of e^(2 theta excess) is at
most e^phi (proofs_notes/markov-deviations.md#beta-is-sub-gaussian and #beta-is-sub-gamma), with

    phi = theta^2/(2 (k+1)) min{1, 4 v (k+1)/(k+1-2 theta)},

v the widest p (1-p) of the row; the second only while 2 theta < k + 1. All rows and sets together
have the sum Y of mean at most e^L = sum_i (2^n_i - 2) e^phi_i, and e^(theta R*) <= Y.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil
from typing import cast

from flint import arb

from ...arb.balls import ball, extra_bits
from ...dirichlet.utility import absolute_deviation, divergence_from
from ...domain import AT_LEAST_ZERO, CONCENTRATIONS, STOCHASTIC, Parameters
from ...dyadic import Dyadic
from ...enclosure import Enclosure
from ...precision import check_budget
from ...quantity import LeastSound, Shape, Side, Truth, quantity
from ...relations import UNKNOWN, each
from ...structures import Matrix
from ..stationary import stationary_law
from ..structure import CONCENTRATION_OF_EACH_STATE, ONE_CLOSED_CLASS

_HALF, _QUARTER = Fraction(1, 2), Fraction(1, 4)


@dataclass(frozen=True)
class Row:
    """One private row of two cells or more: its concentration and its positive shares."""

    k: Fraction
    shares: tuple[Fraction, ...]

    @property
    def subsets(self) -> int:
        """How many sets of cells are neither empty nor everything: 2^n_i - 2."""
        return (1 << len(self.shares)) - 2

    @cached_property
    def widest(self) -> Fraction:
        """Largest p (1-p), p the share of a set of cells; at most 1/4, exact if one cell has half.

        Where one share is 1/2 or more, each set or its complement has at least that share.
        """
        most = max(self.shares)
        return most * (1 - most) if most > _HALF else _QUARTER

    @cached_property
    def mean_deviation(self) -> arb:
        """The mean of R_i = |private row - P_i|_1: the sum of its cells' mean deviations."""
        total = arb(0)
        for share, times in Counter(self.shares).items():
            check_budget()
            total += times * as_ball(absolute_deviation(share, self.k))
        return total

    @cached_property
    def size_bound(self) -> arb:
        """An upper bound of the root of E R_i^2: the sum of the cells' standard deviations."""
        total = arb(0)
        for share, times in Counter(self.shares).items():
            total += times * ball(share * (1 - share) / (self.k + 1)).sqrt()
        return total


def private_rows(P: Matrix, k: Sequence[Fraction]) -> list[Row]:
    """Return the rows of two positive entries or more."""
    pairs = ((one, tuple(filter(None, row))) for one, row in zip(k, P, strict=True))
    return [Row(one, shares) for one, shares in pairs if len(shares) > 1]


def as_ball(value: arb | Fraction) -> arb:
    """Return the ball of a number; a ball is itself."""
    return ball(value) if isinstance(value, Fraction) else value


def least(first: arb, *others: arb) -> arb:
    """Enclose the least of some numbers."""
    for other in others:
        first = first.min(other)
    return first


def largest(first: arb, *others: arb) -> arb:
    """Enclose the largest of some numbers."""
    for other in others:
        first = first.max(other)
    return first


def root(square: arb) -> arb:
    """Enclose the root of a number that is not negative, whose ball may reach below 0."""
    if square > 0 or not square.is_finite():
        return square.sqrt()
    return arb(0).union(square.upper().nonnegative_part().sqrt())


_NOTE = "proofs_notes/markov-deviations.md"
# A distance of two laws in the 1-norm is at most 2.
_DIAMETER = 2
_UP_TO_TWO = Enclosure(Dyadic(0), Dyadic(2))
_UP_TO_FOUR = Enclosure(Dyadic(0), Dyadic(4))


@quantity(
    "markov.expected_kl",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source="benvenuti2025 Lemma 4, equation 18",
    formula=r"\sum_i \pi_i \, E \, \mathrm{KL}(P_i \,\|\, \tilde P_i), \quad \tilde P_i \sim "
    r"\mathrm{Dirichlet}(k_i P_i)",
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
    formula=r"E \|\tilde P_i - P_i\|_1 = \sum_j E |\tilde P_{i j} - P_{i j}|, \quad \tilde P_i "
    r"\sim \mathrm{Dirichlet}(k_i P_i)",
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


def _widest_entry(point: Parameters) -> Parameters | None:
    """Return the entry of the largest variance and its row's k; None where no row is random."""
    rows, k = cast("Matrix", point["P"]), cast("tuple[Fraction, ...]", point["k"])
    entries = (
        (p * (1 - p) / (one + 1), p, one) for row, one in zip(rows, k, strict=True) for p in row
    )
    variance, p, one = max(entries)
    return {"p": p, "k": one} if variance else None


_AN_ENTRY = "the share p in P with the largest variance, and its row's k"


@quantity(
    "markov.largest_deviation_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("dirichlet.utility.absolute_deviation", _widest_entry, _AN_ENTRY),
    source=_NOTE,
    formula=r"E R^* \le \text{least of five bounds}, \quad R^* = \max_i \|\tilde P_i - P_i\|_1, "
    r"\; \tilde P_i \sim \mathrm{Dirichlet}(k_i P_i)",
    within=_UP_TO_TWO,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
    slow=True,
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
    least=LeastSound("dirichlet.utility.variance", _widest_entry, _AN_ENTRY),
    source=_NOTE,
    formula=r"E (R^*)^2 \le \text{least of four bounds}, \quad R^* = \max_i \|\tilde P_i - "
    r"P_i\|_1, \; \tilde P_i \sim \mathrm{Dirichlet}(k_i P_i)",
    within=_UP_TO_FOUR,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
    slow=True,
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
            *_square_by_divergence(self.rows),
        )

    @cached_property
    def _logs(self) -> list[tuple[Fraction, arb]]:
        return [(theta, log_sum(self.rows, theta)) for theta in exponents(self.rows, self.states)]

    @property
    def _spread(self) -> arb:
        """(m-1)/m times the root of the sum of bounds on the variances of the m deviations."""
        variances = [row.size_bound**2 - row.mean_deviation**2 for row in self.rows]
        return root(sum(variances, arb(0))) * (len(self.rows) - 1) / len(self.rows)


# The values of l are these parts of the least k. For rows of m cells and large k the bound is like
# (log(rows) - (m-1)/2 log(1-x))/x, x = l/k, which is flat around its least value: measured at most
# 1.3 % above it for up to 63 rows and cells.
_PARTS = tuple(Fraction(j, 8) for j in range(1, 8))
# The terms of a logarithm are near k log k, and what is left of them near the number of cells.
_SPARE_BITS = 32


def _square_by_divergence(rows: Sequence[Row]) -> Iterator[arb]:
    """Yield (2/l) log of the sum over rows of E e^(l KL): each is at least E R*^2."""
    size = int(max(row.k for row in rows)).bit_length()
    with extra_bits(2 * size.bit_length() + size + _SPARE_BITS):
        log_moments = [log_moment_of(row) for row in rows]
        for part in _PARTS:
            l = part * min(row.k for row in rows)  # noqa: E741 - the note's name
            logs = [log_moment(l) for log_moment in log_moments]
            most = largest(*logs)
            total = sum(((each - most).exp() for each in logs), arb(0))
            yield 2 * (most + total.log()) / ball(l)


def log_moment_of(row: Row) -> Callable[[Fraction], arb]:
    """Return the function that encloses log E e^(l KL) for one row, 0 < l < k."""
    shares = [(ball(share), times) for share, times in Counter(row.shares).items()]
    entropy = sum((times * p * p.log() for p, times in shares), arb(0))
    whole = ball(row.k)
    fixed = whole.lgamma() - sum((times * (whole * p).lgamma() for p, times in shares), arb(0))

    def log_moment(l: Fraction) -> arb:  # noqa: E741
        check_budget()
        rest = ball(row.k - l)
        gammas = sum((times * (rest * p).lgamma() for p, times in shares), arb(0))
        return fixed + gammas - rest.lgamma() + ball(l) * entropy

    return log_moment


# The values of theta are (4, 5, 6 or 7)/4 times powers of two: at the worst 1/8 off the best one,
# and L/theta, which is like c/theta + theta then, is 1/128 above its least value at the most.
_STEPS = 4
# For n states and N sets, 2 log N <= 2 (n log 2 + log n) < 4 n.
_LOG_FACTOR = 4


def exponents(rows: Sequence[Row], states: int) -> Iterator[Fraction]:
    """Yield the values of theta at which the bounds are taken; rationals that balls never touch.

    From half the root of the least k + 1, below which log N/theta alone is above the value at
    theta = root of 2 (k+1) log N; to the largest k + 1 or root of 4 n (k+1), beyond which the
    sub-Gaussian exponent alone is above it.
    """
    low = min(row.k for row in rows) + 1
    high = ceil(max(row.k for row in rows) + 1).bit_length()
    first = (int(low).bit_length() - 1) // 2 - 1
    last = max(high, (high + (_LOG_FACTOR * states).bit_length() + 1) // 2)
    for power in range(first, last + 1):
        for step in range(_STEPS):
            yield Fraction(_STEPS + step, _STEPS) * Fraction(2) ** power


def cumulant_bound(row: Row, theta: Fraction) -> Fraction:
    """Return phi: no set of cells has a larger log of its mean of e^(2 theta excess)."""
    whole = row.k + 1
    factor = Fraction(1)
    if 2 * theta < whole:
        factor = min(factor, 4 * row.widest * whole / (whole - 2 * theta))
    return theta**2 / (2 * whole) * factor


def log_sum(rows: Sequence[Row], theta: Fraction) -> arb:
    """Enclose L, the log of the sum over rows of (2^n_i - 2) e^phi_i; the largest phi is apart."""
    check_budget()
    bounds = [cumulant_bound(row, theta) for row in rows]
    most = max(bounds)
    total = arb(0)
    for row, bound in zip(rows, bounds, strict=True):
        total += ball(bound - most).exp() * row.subsets
    return ball(most) + total.log()


def mean_by_exponents(theta: Fraction, logarithm: arb) -> arb:
    """Return L/theta: theta E R* <= log E e^(theta R*) <= L, by Jensen's inequality."""
    return logarithm / ball(theta)


def square_by_exponents(theta: Fraction, logarithm: arb) -> arb:
    """Return L (2 + L)/theta^2, at least E R*^2.

    (1 + log y)^2 is concave for y >= 1, so (1 + theta R*)^2 has a mean of at most (1 + L)^2.
    """
    return logarithm * (2 + logarithm) / ball(theta**2)
