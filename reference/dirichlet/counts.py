"""The counting query of benvenuti2025: the shares of N records over n categories.

Every share is at least eta, all n coordinates are protected, and neighbouring data sets differ in
one record, which moves 1/N from one category to another. Counts are whole, so the smallest share
that occurs is ceil(eta N)/N. The release draws Dirichlet(k shares).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Annotated

from flint import arb

from ..domain import (
    AT_LEAST_ZERO,
    Condition,
    Hypothesis,
    NonNegative,
    OpenProbability,
    Positive,
    Share,
    count_from,
)
from ..enclosure import Trilean
from ..quantity import Side, quantity
from .calibration import largest_k, some_k_reaches
from .good_set import good_set_epsilon
from .pair import Neighbours, Pair, swapped_pair
from .profile import MONOTONE_NOTE

THEOREM = "benvenuti2025 Theorem 1, equation 6"
RECORDS = Annotated[int, count_from(1, 10_000)]
CATEGORIES = Annotated[int, count_from(3, 50)]

HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis("n >= 3", lambda n: n >= 3, THEOREM),  # noqa: PLR2004
    Hypothesis("eta < 1/4", lambda eta: eta < Fraction(1, 4), "benvenuti2025 Assumption 3"),
    Hypothesis("k >= 3/(2 eta)", lambda k, eta: k >= 3 / (2 * eta), "benvenuti2025 Assumption 4"),
    Hypothesis(
        "eta + 1/N <= 1 - (n - 1) eta (one record can move inside the bordered simplex)",
        lambda eta, N, n: eta + Fraction(1, N) <= 1 - (n - 1) * eta,
        THEOREM,
    ),
)


@quantity(
    "dirichlet.counts.epsilon_bound",
    safe=Side.UPPER,
    source=THEOREM,
    conditions=(
        Condition("n eta <= 1", lambda n, eta: n * eta <= 1, "benvenuti2025 Definition 2"),
        Condition("n gamma < 1", lambda n, gamma: n * gamma < 1, THEOREM),
        Condition(
            "2 eta + 1/N < 1",
            lambda eta, N: 2 * eta + Fraction(1, N) < 1,
            THEOREM,
        ),
    ),
)
def epsilon_bound(
    k: Positive,
    eta: Share,
    N: RECORDS,
    n: CATEGORIES,
    gamma: Share,
) -> arb:
    """Epsilon that benvenuti2025 Theorem 1 prints, for outputs whose coordinates reach gamma."""
    return good_set_epsilon(k, eta, eta, Fraction(1, N), n, gamma)


def smallest_count(eta: Fraction, N: int) -> int:
    """Return the smallest whole count whose share is at least eta."""
    return ceil(eta * N)


def floor_and_step(
    k: Fraction,
    eta: Fraction,
    N: int,
) -> tuple[Fraction, Fraction]:
    """Return (alpha, step) of the dominating pair, the floor on the lattice of counts."""
    return k * Fraction(smallest_count(eta, N), N), k * Fraction(1, N)


def worst_pair(
    k: Fraction,
    eta: Fraction,
    N: int,
    n: int,
) -> Pair:
    """Return floor and step of the release, and two vectors of shares that attain them.

    With c the smallest count, (c, c + 1) against (c + 1, c) and the other n - 2 counts at least c
    need N >= n c + 1. With n = 2 there is no third count to take up the rest.
    """
    alpha, step = floor_and_step(k, eta, N)
    least = smallest_count(eta, N)
    spare = N - n * least
    if spare <= 0:
        return Pair(alpha, step, Neighbours.NO_INPUT if spare else Neighbours.NONE)
    attained = n > 2 or spare == 1  # noqa: PLR2004
    pair = swapped_pair(
        k,
        Fraction(least, N),
        Fraction(1, N),
        Neighbours.ATTAINED if attained else Neighbours.BOUNDED,
        f"at least {least}/{N} each",
    )
    return replace(pair, off_lattice=k * eta if k * eta < alpha else None)


def _reachable(
    eta: Fraction,
    N: int,
    epsilon: Fraction,
    delta: Fraction,
) -> Trilean:
    return some_k_reaches(Fraction(smallest_count(eta, N)), epsilon, delta)


@quantity(
    "dirichlet.counts.k_for_dp",
    safe=Side.LOWER,
    source=MONOTONE_NOTE,
    within=AT_LEAST_ZERO,
    conditions=(
        Condition("delta > e^(-c epsilon)/(1 + 2c), c = ceil(eta N)", _reachable, MONOTONE_NOTE),
    ),
)
def k_for_dp(
    eta: Share,
    N: RECORDS,
    epsilon: NonNegative,
    delta: OpenProbability,
) -> arb:
    """Largest k whose counting query is exactly (epsilon, delta)-differentially private."""
    return largest_k(Fraction(smallest_count(eta, N), N), Fraction(1, N), epsilon, delta)
