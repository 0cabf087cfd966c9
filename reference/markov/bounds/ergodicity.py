"""Bounds on the mean change of the ergodicity coefficient in the maximum norm, P~ against P.

Row i of the private matrix P~ is Dirichlet(k_i P_i), independent of the others. The change is at
most the largest column sum of |P~ - P|, whose entries have the mean MAD(k_i, P_ij). P~ is the
unrounded draw; of what a release publishes ``markov.certificate_ergodicity`` speaks.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

from flint import arb

from ...arb.balls import ball
from ...dirichlet.utility import absolute_deviation
from ...domain import AT_LEAST_ZERO, CONCENTRATIONS, CONCENTRATIONS_OF_COUNTS, COUNTS, STOCHASTIC
from ...precision import check_budget
from ...quantity import LeastSound, Side, Truth, quantity
from ...relations import UNKNOWN
from ...structures import Matrix
from ..conditions import CONCENTRATION_OF_EACH_STATE, chain_of
from .counted import CONCENTRATION_OF_EACH_ROW, divergence_bound
from .rows import as_ball, largest, private_rows, root

NOTE = "proofs_notes/markov-coefficient.md"


@quantity(
    "markov.ergodicity_bound_a",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=LeastSound("markov.ergodicity_floor", lambda point: point, "the same parameters"),
    source=NOTE,
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
    source=NOTE,
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
    source=NOTE,
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
    source=NOTE,
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
