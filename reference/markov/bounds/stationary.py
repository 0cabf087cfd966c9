"""Bounds on the mean total variation distance of the stationary laws of P and of its private draw.

Row i of the private matrix P~ is Dirichlet(k_i P_i), independent of the others; it has the zeros
of P, so one stationary law where P has one. E = P~ - P, R* the largest |E_i|_1, A the group inverse
of I - P, kappa half the largest distance of two rows of A in the 1-norm, all on the closed class.
P~ is the unrounded draw. What a release publishes is its rounding to a grid, which may be further
away and have other closed classes: of that ``markov.certificate_stationary`` speaks.
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ...domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    CONCENTRATIONS,
    STOCHASTIC,
)
from ...quantity import Side, Truth, quantity
from ...relations import UNKNOWN
from ..conditions import CONCENTRATION_OF_EACH_STATE, ONE_CLOSED_CLASS
from .chain import PrivateChain, bound_by_contraction, closed_part
from .rows import as_ball

NOTE = "proofs_notes/markov-bounds.md"
_OF_P_AND_K = (ONE_CLOSED_CLASS, CONCENTRATION_OF_EACH_STATE)


@quantity(
    "markov.stationary_bound_a",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
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
    source=NOTE,
    within=AT_LEAST_ZERO,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
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
    source=NOTE,
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
    source=NOTE,
    within=A_PROBABILITY,
    conditions=_OF_P_AND_K,
    rises=UNKNOWN,
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
    source=NOTE,
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
