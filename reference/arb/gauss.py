"""Gaussian quadrature on [0, 1] with the weight u^(a-1), nodes and weights as proved balls.

For a = 1 FLINT has the rule (Johansson and Mezzarobba 2018). Otherwise the nodes are the roots of
p(u) = 2F1(-n, n + a; 1; 1 - u), a Jacobi polynomial, and the weight of a node u is
1/(u (1 - u) p'(u)^2). All roots are simple and in (0, 1); FLINT isolates them, so each ball holds
exactly one. The proofs, and that of the error bound, are in proofs_notes/tail-cubature.md.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

from flint import acb_poly, arb, arb_poly, ctx

from ..precision import check_budget
from .balls import ball, working_precision

Rule: TypeAlias = tuple[tuple[arb, arb], ...]

# The roots lose less than 4 bits a degree to cancellation; the small ones of p are near 1/n^2.
_BITS_PER_NODE = 4
_SPARE_BITS = 40
# Rounds of doubled spare precision before the roots count as not to be found.
_MAX_ROUNDS = 6
_CACHED_RULES = 512
_SECONDS_OF_A_ROOT = 5e-7  # measured on one machine, times n^2
_BITS_FOR_TWICE = 1000


def gauss_jacobi(exponent: Fraction, count: int) -> Rule:
    """Enclose the nodes and weights of the rule for the weight u^(exponent-1), exponent > 0.

    With ``count`` nodes it is exact for polynomials of degree below 2 count. Where FLINT cannot
    tell the roots apart the rule is a single NaN, which makes every sum over it NaN.
    """
    return _legendre(count, ctx.prec) if exponent == 1 else _jacobi(exponent, count, ctx.prec)


@lru_cache(_CACHED_RULES)
def _legendre(count: int, bits: int) -> Rule:
    with working_precision(bits + _SPARE_BITS):
        known = [arb.legendre_p_root(count, index, weight=True) for index in range(count)]
        return tuple(((1 + node) / 2, weight / 2) for node, weight in known)


@lru_cache(_CACHED_RULES)
def _jacobi(exponent: Fraction, count: int, bits: int) -> Rule:
    spare = _SPARE_BITS + _BITS_PER_NODE * count + (1 / exponent).__ceil__().bit_length()
    for _ in range(_MAX_ROUNDS):
        check_budget()
        with working_precision(bits + spare):
            rule = _isolated(exponent, count, bits + spare // 2)
        if all(x.rel_accuracy_bits() >= bits for pair in rule for x in pair):
            return rule
        spare *= 2
    return ((arb("nan"), arb("nan")),)


def _isolated(exponent: Fraction, count: int, root_bits: int) -> Rule:
    polynomial = _polynomial(exponent, count)
    slope = polynomial.derivative()
    try:
        roots = acb_poly(polynomial).roots(arb(2) ** -root_bits)
    except ValueError:  # FLINT could not isolate them at this precision
        return ((arb("nan"), arb("nan")),)
    distances = [root.real for root in roots]
    return tuple((1 - q, 1 / (q * (1 - q) * slope(q) ** 2)) for q in distances)


def _polynomial(exponent: Fraction, count: int) -> arb_poly:
    """Enclose p as a polynomial in q = 1 - u."""
    above, coefficient = ball(exponent) + count, arb(1)
    coefficients = [coefficient]
    for k in range(count):
        coefficient = coefficient * (k - count) * (above + k) / ((k + 1) ** 2)
        coefficients.append(coefficient)
    return arb_poly(coefficients)


def seconds_expected(exponent: Fraction, count: int) -> float:
    """Guess how long a rule takes that is not yet known; a matter of speed alone."""
    return (
        0.0 if exponent == 1 else _SECONDS_OF_A_ROOT * count**3 * (1 + ctx.prec / _BITS_FOR_TWICE)
    )


def error_factor(ellipse: arb, count: int) -> arb:
    """Enclose 4 / ((rho - 1) rho^(2 n - 1)), the rule's error per unit of total weight.

    It bounds |integral - sum| / integral of the weight where |f| <= 1 on the open Bernstein
    ellipse about [0, 1] of parameter rho = ``ellipse`` > 1, on which f is analytic.
    """
    return 4 / ((ellipse - 1) * ellipse ** (2 * count - 1))
