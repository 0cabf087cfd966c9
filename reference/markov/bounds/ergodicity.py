"""Bounds on the mean change of the ergodicity coefficient in the maximum norm, P~ against P.

Row i of the private matrix P~ is Dirichlet(k_i P_i), independent of the others. The change is at
most the largest column sum of |P~ - P|, whose entries have the mean MAD(k_i, P_ij). P~ is the
unrounded draw; of what a release publishes ``markov.certificate_ergodicity`` speaks.

It must change for two reasons, which give a proved lower bound of the mean change. In a column that
attains the coefficient, the upper half less the lower half moves like a sum of independent
mean-zero terms, upwards half of the time. And in any column pairs of rows differ in the private
matrix even where they do not in P.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias, cast

from flint import arb

from ...arb.balls import ball, sharpened
from ...arb.gamma import log_beta
from ...dirichlet.utility import absolute_deviation
from ...domain import AT_LEAST_ZERO, CONCENTRATIONS, CONCENTRATIONS_OF_COUNTS, COUNTS, STOCHASTIC
from ...precision import check_budget
from ...quantity import LeastSound, Side, Truth, quantity
from ...relations import UNKNOWN
from ...structures import Matrix
from ..structure import CONCENTRATION_OF_EACH_STATE, chain_of
from .deviations import as_ball, largest, private_rows, root
from .stationary import CONCENTRATION_OF_EACH_ROW, divergence_bound

_NOTE = "proofs_notes/markov-coefficient.md"


@quantity(
    "markov.ergodicity_bound_a",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("markov.ergodicity_floor", lambda point: point, "the same parameters"),
    source=_NOTE,
    formula=r"\frac{1}{2} \sum_i E R_i, \quad R_i = \|\tilde P_i - P_i\|_1",
    within=AT_LEAST_ZERO,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
)
def ergodicity_bound_a(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound T5-A on the mean change of the ergodicity coefficient, unrounded draw: half sum E R_i.

    R_i is the distance of private row i from P_i in the 1-norm.
    """
    rows = private_rows(P, k)
    return sum((row.mean_deviation for row in rows), arb(0)) / 2 if rows else Fraction(0)


@quantity(
    "markov.ergodicity_bound_b",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("markov.ergodicity_floor", lambda point: point, "the same parameters"),
    source=_NOTE,
    formula=r"\max_j \sum_i m_{i j} + \sqrt{ \frac{n - 1}{n} \sum_{i, j} \left( \frac{P_{i j} (1 "
    r"- P_{i j})}{k_i + 1} - m_{i j}^2 \right) }, \quad m_{i j} = E |\tilde P_{i j} - "
    r"P_{i j}|",
    within=AT_LEAST_ZERO,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
)
def ergodicity_bound_b(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound T5-B on the mean change of the ergodicity coefficient, unrounded draw: by Aven.

    By Aven's inequality: the largest column sum of MAD(k_i, P_ij), and the root of (n-1)/n times
    the sum over all entries of P_ij (1-P_ij)/(k_i+1) - MAD^2, their variances.
    """
    if not private_rows(P, k):
        return Fraction(0)
    deviations = mean_deviations(P, k)
    columns = [sum(column, arb(0)) for column in zip(*deviations, strict=True)]
    return largest(*columns) + root(_variances(P, k, deviations) * (len(P) - 1) / len(P))


def mean_deviations(P: Matrix, k: Sequence[Fraction]) -> list[list[arb]]:
    """Enclose MAD(k_i, P_ij) for every entry; within a row equal entries are evaluated once."""
    found = []
    for row, one in zip(P, k, strict=True):
        check_budget()
        known = {share: as_ball(absolute_deviation(share, one)) for share in set(row)}
        found.append([known[share] for share in row])
    return found


def _variances(P: Matrix, k: Sequence[Fraction], deviations: Sequence[Sequence[arb]]) -> arb:
    """Enclose the sum over all entries of Var |P~_ij - P_ij|."""
    total = arb(0)
    for row, one, means in zip(P, k, deviations, strict=True):
        squares = ball(sum((p * (1 - p) for p in row), Fraction(0)) / (one + 1))
        total += squares - sum((mean**2 for mean in means), arb(0))
    return total


@quantity(
    "markov.ergodicity_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("markov.ergodicity_floor", lambda point: point, "the same parameters"),
    source=_NOTE,
    formula=r"E |\tau_{\infty}(\tilde P) - \tau_{\infty}(P)| \le \min \{ \text{T5-A}, "
    r"\text{T5-B} \}",
    within=AT_LEAST_ZERO,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
)
def ergodicity_bound(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound on the mean change of the ergodicity coefficient, unrounded draw: the lesser T5."""
    if not private_rows(P, k):
        return Fraction(0)
    return as_ball(ergodicity_bound_a(P, k)).min(as_ball(ergodicity_bound_b(P, k)))


@quantity(
    "markov.ergodicity_bound_repair",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound(
        "markov.ergodicity_floor",
        lambda point: {
            "P": chain_of(cast("tuple[tuple[int, ...], ...]", point["counts"])),
            "k": point["k"],
        },
        "the chain of the counts, k",
    ),
    source=_NOTE,
    formula=r"\sum_i \sqrt{L_i / 2}, \quad L_i = \max_{p_j \ge 1/N_i} E \, \mathrm{KL}(p \,\|\, "
    r"x), \; x \sim \mathrm{Dirichlet}(k_i p)",
    within=AT_LEAST_ZERO,
    conditions=(CONCENTRATION_OF_EACH_ROW,),
    rises=UNKNOWN,
)
def ergodicity_bound_repair(counts: COUNTS, k: CONCENTRATIONS_OF_COUNTS) -> arb | Fraction:
    """Bound on the mean change of the ergodicity coefficient, unrounded draw: by KL.

    The sum of the roots of L_i/2, L_i benvenuti2025 Corollary 1 for row i with its own number of
    feasible transitions. The paper's Theorem 5 puts the root of 2 sum_i pi_i L_i in its place,
    which is false.
    """
    bounds = [divergence_bound(row, one) for row, one in zip(counts, k, strict=True)]
    return (
        sum(((as_ball(bound) / 2).sqrt() for bound in bounds if bound != 0), arb(0))
        if any(bound != 0 for bound in bounds)
        else Fraction(0)
    )


# An entry of one column, and the concentration of its row.
_Entry: TypeAlias = tuple[Fraction, Fraction]


@quantity(
    "markov.ergodicity_floor",
    safe=Side.LOWER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\max \left\{ \frac{1}{2} \max_{i, j} E |\tilde P_{i j} - P_{i j}|, \; \max_j \sum "
    r"E |\tilde P_{i j} - \tilde P_{i' j}| - \tau_{\infty}(P) \right\} \le E "
    r"|\tau_{\infty}(\tilde P) - \tau_{\infty}(P)|",
    within=AT_LEAST_ZERO,
    conditions=(CONCENTRATION_OF_EACH_STATE,),
    rises=UNKNOWN,
)
def ergodicity_floor(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Lower bound on the mean change of the ergodicity coefficient, unrounded draw; it may be 0.

    The larger of half the largest mean deviation of an entry that counts in a column that attains
    the coefficient; and the largest sum over pairs of rows of lower bounds on E |P~_ij - P~_i'j|,
    less the coefficient.
    """
    columns = [tuple(zip(column, k, strict=True)) for column in zip(*P, strict=True)]
    spreads = [_spread(sorted(p for p, _ in column)) for column in columns]
    coefficient = max(spreads)
    floors = [
        _moved(column)
        for column, found in zip(columns, spreads, strict=True)
        if found == coefficient
    ]
    floors += [
        _paired(column, found - coefficient) for column, found in zip(columns, spreads, strict=True)
    ]
    return _largest(floors)


def _spread(ordered: Sequence[Fraction]) -> Fraction:
    """Return the sum of the larger half of some numbers less that of their smaller half."""
    half = len(ordered) // 2
    return sum(ordered[-half:], Fraction(0)) - sum(ordered[:half], Fraction(0))


def _moved(column: Sequence[_Entry]) -> arb | Fraction:
    """Half the largest mean deviation of an entry that can have the sign + or -.

    Of an odd number of entries the middle one has no sign; where several are equal to it, any of
    them can stand in the middle.
    """
    values = sorted(p for p, _ in column)
    middle = values[len(values) // 2]
    if len(values) % 2 and values.count(middle) == 1:
        column = [entry for entry in column if entry[0] != middle]
    found = [absolute_deviation(p, k) for p, k in sorted(set(column)) if p not in (0, 1)]
    return as_ball(_largest(found)) / 2 if found else Fraction(0)


def _paired(column: Sequence[_Entry], missing: Fraction) -> arb | Fraction:
    """The sum over pairs of what E |X - X'| exceeds |p - p'| by, less what the spread lacks.

    The smallest entry is paired with the largest and so on, among equal ones the least
    concentration with the largest, so that the |p - p'| add up to the spread.
    """
    ordered = sorted(column)
    total: arb | Fraction = missing
    for low, high in zip(ordered[: len(ordered) // 2], reversed(ordered), strict=False):
        check_budget()
        excess = _excess(low, high)
        if not isinstance(excess, Fraction):
            total = as_ball(total) + excess
    return total


def _excess(low: _Entry, high: _Entry) -> arb | Fraction:
    """Enclose a lower bound on E |X - X'| - |p - p'|, X and X' independent Beta(k p, k (1-p)).

    MAD - 2 |p - p'| of either, or 0; for p = p' also Gini's mean difference at the larger k.
    """
    (p, k), (q, l) = low, high  # noqa: E741
    found = [Fraction(0)] + [
        as_ball(absolute_deviation(share, one)) - ball(2 * (q - p))
        for share, one in {low, high}
        if share not in (0, 1)
    ]
    if p == q and p not in (0, 1):
        found.append(mean_difference(p, max(k, l)))
    return _largest(found)


def mean_difference(p: Fraction, k: Fraction) -> arb:
    """Enclose Gini's mean difference E |X - X'|, X, X' independent Beta(a, b), a + b = k, a = k p.

    4 B(2a, 2b)/(k B(a, b)^2).
    """
    a, b = k * p, k * (1 - p)
    return sharpened(lambda: (log_beta(2 * a, 2 * b) - 2 * log_beta(a, b)).exp() * ball(4 / k))


def _largest(values: Sequence[arb | Fraction]) -> arb | Fraction:
    """Enclose the largest of some numbers, exactly 0 where none is above it."""
    found: arb | Fraction = Fraction(0)
    for value in values:
        if not as_ball(value) <= as_ball(found):
            found = as_ball(found).max(as_ball(value))
    return found
