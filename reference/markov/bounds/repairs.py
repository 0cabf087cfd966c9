"""Bounds that take a counted matrix: per row its k, its records N_i and its positive counts n_i.

Bounds on the stationary laws that repair the papers': with Corollary 1's L_i, or with one k.

P, P~, A and kappa are those of the bounds T4 (``stationary``).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from ...arb.balls import ball
from ...dirichlet.kl import divergence_from, vertex
from ...domain import (
    AT_LEAST_ZERO,
    CONCENTRATIONS,
    CONCENTRATIONS_OF_COUNTS,
    COUNTS,
    STOCHASTIC,
    Condition,
    Positive,
)
from ...quantity import Side, Truth, quantity
from ...relations import UNKNOWN
from ..conditions import (
    CONCENTRATION_OF_EACH_STATE,
    ONE_CLOSED_CLASS,
    SOURCE,
    chain_of,
    classes_counted,
    counted_in_one_class,
)
from .chain import closed_part, closed_states
from .deviations import expected_kl
from .rows import as_ball

_ONE_CLOSED_CLASS_COUNTED = Condition(
    "counts with one closed class of states",
    counted_in_one_class,
    SOURCE,
    classes_counted,
)
CONCENTRATION_OF_EACH_ROW = Condition(
    "as many entries of k as there are rows of counts",
    lambda counts, k: len(counts) == len(k),
    SOURCE,
    lambda counts, k: f"there are {len(counts)} rows, k has {len(k)} entries",
)


def divergence_bound(counts: Sequence[int], k: Fraction) -> arb | Fraction:
    """Enclose L_i: benvenuti2025 Corollary 1 with the number of the row's positive counts.

    The mean divergence at counts (1, ..., 1, N - n + 1), no smaller than at any others
    (proofs_notes/utility.md#worst-vertex); 0 for one positive count.
    """
    cells = sum(1 for count in counts if count)
    return divergence_from(vertex(Fraction(1, sum(counts)), cells), k)


NOTE = "proofs_notes/markov-bounds.md"


@quantity(
    "markov.stationary_bound_private",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(ONE_CLOSED_CLASS, CONCENTRATION_OF_EACH_STATE),
    rises=UNKNOWN,
)
def stationary_bound_private(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound on the mean distance of the stationary laws, unrounded draw, in units of its tau_1(A).

    Half the root of twice the expected divergence: benvenuti2025 Theorem 4 with the condition of
    the private chain inside of the mean in place of a norm of P's outside.
    """
    divergence = expected_kl(P, k)
    return Fraction(0) if divergence == 0 else (2 * as_ball(divergence)).sqrt() / 2


@quantity(
    "markov.stationary_bound_repair",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(_ONE_CLOSED_CLASS_COUNTED, CONCENTRATION_OF_EACH_ROW),
    rises=UNKNOWN,
)
def stationary_bound_repair(counts: COUNTS, k: CONCENTRATIONS_OF_COUNTS) -> arb | Fraction:
    """Bound on the mean distance of the stationary laws, unrounded draw: kappa/2 root(2 sum_i L_i).

    L_i is benvenuti2025 Corollary 1 for row i with its own number of feasible transitions: the
    paper's Theorem 4 without the weights pi_i, and with kappa for the norm. It takes of the rows
    themselves only kappa, their sums and how many entries are positive.
    """
    shares = chain_of(counts)
    chain = closed_part(shares, k)
    if not chain.rows:
        return Fraction(0)
    bounds = (divergence_bound(counts[state], k[state]) for state in closed_states(shares))
    total = sum(map(as_ball, bounds), arb(0))
    return chain.condition / 2 * (2 * total).sqrt()


@quantity(
    "markov.stationary_bound_uniform",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=(ONE_CLOSED_CLASS,),
    rises=UNKNOWN,
)
def stationary_bound_uniform(P: STOCHASTIC, k: Positive) -> arb | Fraction:
    """Bound on the mean distance of the stationary laws, unrounded draw, for one k: of kappa alone.

    kappa/2 times the root of 2 log(n (2^n - 2))/(k+1), n the size of the closed class; fallin2023
    Theorem 3 with the maximum row sum, proved and for n >= 4 smaller.
    """
    chain = closed_part(P, (k,) * len(P))
    if not chain.rows:
        return Fraction(0)
    signs = ball(chain.states * (2**chain.states - 2)).log()
    return chain.condition / 2 * (2 * signs / ball(k + 1)).sqrt()
