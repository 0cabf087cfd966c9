"""Bounds on the mean total variation distance of the stationary laws of P and of its private draw.

Row i of the private matrix P~ is Dirichlet(k_i P_i), independent of the others; it has the zeros
of P, so one stationary law where P has one. E = P~ - P, R* the largest |E_i|_1, A the group inverse
of I - P, kappa half the largest distance of two rows of A in the 1-norm, all on the closed class.
P~ is the unrounded draw. What a release publishes is its rounding to a grid, which may be further
away and have other closed classes: of that ``markov.certificate_stationary`` speaks.

Some bounds repair the papers': with Corollary 1's L_i, or with one k. Those that take a counted
matrix have per row its k, its records N_i and its positive counts n_i.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from flint import arb

from ...arb.balls import ball
from ...dirichlet.utility import divergence_from, vertex
from ...domain import (
    A_PROBABILITY,
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
from ..structure import (
    CONCENTRATION_OF_EACH_STATE,
    ONE_CLOSED_CLASS,
    SOURCE,
    chain_of,
    classes_counted,
    counted_in_one_class,
)
from .chain import PrivateChain, bound_by_contraction, closed_part, closed_states
from .deviations import as_ball, expected_kl

_NOTE = "proofs_notes/markov-bounds.md"
_OF_P_AND_K = (ONE_CLOSED_CLASS, CONCENTRATION_OF_EACH_STATE)


@quantity(
    "markov.stationary_bound_a",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\frac{\kappa}{2} E R^*, \quad R^* = \max_i \|\tilde P_i - P_i\|_1",
    within=AT_LEAST_ZERO,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
    slow=True,
)
def stationary_bound_a(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound T4-A on the mean distance of the stationary laws, unrounded draw: kappa/2 times E R*'s.

    The best of the three where k is small.
    """
    return _bound_a(closed_part(P, k))


def _bound_a(chain: PrivateChain) -> arb | Fraction:
    if not chain.rows:
        return Fraction(0)
    return chain.condition / 2 * chain.deviation.mean


@quantity(
    "markov.stationary_bound_b",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\frac{S}{2} + \frac{\kappa^2}{2} E (R^*)^2",
    within=AT_LEAST_ZERO,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
    slow=True,
)
def stationary_bound_b(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound T4-B on the mean distance of the stationary laws, unrounded draw: to second order.

    The rate plus kappa^2/2 E R*^2, with the bound on E R*^2 in its place.
    """
    return _bound_b(closed_part(P, k))


def _bound_b(chain: PrivateChain) -> arb | Fraction:
    if not chain.rows:
        return Fraction(0)
    return (chain.rate + chain.condition**2 * chain.deviation.mean_square) / 2


@quantity(
    "markov.stationary_bound_c",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\min_{r = j / 64} \; \frac{S}{2} \left( 1 + \frac{\min\{r, q\}}{1 - r} \right) + "
    r"P(\rho > r)",
    within=AT_LEAST_ZERO,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
)
def stationary_bound_c(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound T4-C on the mean distance of the stationary laws, unrounded draw: by contraction.

    The least over r = j/64, 0 < j < 64, of S/2 (1 + min(r, q)/(1-r)) + P(rho > r): rho is the
    ergodicity coefficient of E A in the 1-norm, q a mean of bounds on |E_i A|_1, and the last term
    stands for its bound. Near S/2 for large k.
    """
    return _bound_c(closed_part(P, k))


def _bound_c(chain: PrivateChain) -> arb | Fraction:
    return bound_by_contraction(chain) if chain.rows else Fraction(0)


@quantity(
    "markov.stationary_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"E \, \mathrm{TV}(\tilde\pi, \pi) \le \min \{ 1, \text{T4-A}, \text{T4-B}, "
    r"\text{T4-C} \}",
    within=A_PROBABILITY,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
    slow=True,
)
def stationary_bound(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Bound on the mean distance of the stationary laws, unrounded draw: the least T4, or 1."""
    chain = closed_part(P, k)
    if not chain.rows:
        return Fraction(0)
    a, b, c = (as_ball(bound(chain)) for bound in (_bound_a, _bound_b, _bound_c))
    return _at_most_one(a.min(b).min(c))


def _at_most_one(bound: arb) -> arb | Fraction:
    return Fraction(1) if bound >= 1 else bound.min(arb(1))


@quantity(
    "markov.stationary_rate",
    safe=Side.NONE,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"\frac{S}{2}, \quad S = \sum_j \sqrt{ \sum_i \frac{\pi_i^2 \, "
    r"\mathrm{Var}_{P_i}(A^{\#}_{\cdot j})}{k_i + 1} }",
    within=AT_LEAST_ZERO,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
)
def stationary_rate(P: STOCHASTIC, k: CONCENTRATIONS) -> arb | Fraction:
    """Rate S/2 of the mean distance of the stationary laws, unrounded draw, for large k.

    S = sum over states j of the root of sum_i pi_i^2 Var_(P_i)(A_.j)/(k_i + 1). S/2 bounds the mean
    of the first-order part |pi E A|_1/2; the distance itself comes to S/2 times root(2/3.14159...).
    """
    chain = closed_part(P, k)
    return chain.rate / 2 if chain.rows else Fraction(0)


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


@quantity(
    "markov.stationary_bound_private",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_NOTE,
    formula=r"\frac{1}{2} \sqrt{2 \sum_i \pi_i \, E \, \mathrm{KL}(P_i \,\|\, \tilde P_i)}",
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
    source=_NOTE,
    formula=r"\frac{\kappa}{2} \sqrt{2 \sum_i L_i}",
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
    source=_NOTE,
    formula=r"\frac{\kappa}{2} \sqrt{\frac{2 \log(n (2^n - 2))}{k + 1}}",
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
