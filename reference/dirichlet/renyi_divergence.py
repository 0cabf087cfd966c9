"""The Renyi divergence of any two Dirichlet laws, in closed form.

Each coordinate adds a Jensen gap of F = log Gamma: u is the mean of w = order u - (order - 1) v
(weight 1/order) and of v (the rest), and the gap is
T = [F(w) + (order - 1) F(v) - order F(u)]/(order - 1). It is never negative, 0 for u = v alone, and
infinite unless w > 0 (proofs_notes/renyi-calibration.md).
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import accumulate
from typing import Annotated, TypeAlias

from flint import arb

from ..arb.balls import INFINITY, ball, sharpened
from ..arb.gamma import digamma, log_gamma
from ..domain import AT_LEAST_ZERO, ZERO, Condition, Entries, Interval, Order
from ..precision import check_budget
from ..quantity import Side, Truth, quantity

_NOTE = "proofs_notes/renyi-calibration.md"
# A Kullback-Leibler divergence that is a rational sum is computed as such up to so many terms.
_MAX_TERMS = 256

_Shapes = Annotated[tuple[Fraction, ...], Entries(Interval(above=ZERO))]
_ShapesToo = Annotated[tuple[Fraction, ...], Entries(Interval(above=ZERO), as_long_as="u")]
# How often each pair of different entries (u_i, v_i) occurs.
_Moves: TypeAlias = Counter[tuple[Fraction, Fraction]]


@quantity(
    "dirichlet.renyi.divergence",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=_NOTE,
    formula=r"D_\lambda = \frac{1}{\lambda - 1} \log \int \mathrm{Dirichlet}(u)^{\lambda} \, "
    r"\mathrm{Dirichlet}(v)^{1 - \lambda}",
    within=AT_LEAST_ZERO,
    conditions=(Condition("len(u) = len(v)", lambda u, v: len(u) == len(v), _NOTE),),
    rises="order",
)
def divergence(u: _Shapes, v: _ShapesToo, order: Order) -> arb | Fraction:
    """Renyi divergence of Dirichlet(u) from Dirichlet(v); order 1 is Kullback-Leibler.

    With T the Jensen gap of log Gamma it is sum_i T(u_i, v_i) - T(sum u, sum v), infinite exactly
    where some order u_i - (order - 1) v_i is not positive. A single coordinate is always 1.
    """
    moves = Counter((first, second) for first, second in zip(u, v, strict=True) if first != second)
    if len(u) == 1 or not moves:
        return Fraction(0)
    if any(far_point(first, second, order) <= 0 for first, second in moves):
        return INFINITY
    known = _rational_kullback_leibler(moves) if order == 1 else None
    return sharpened(lambda: _sum_of_gaps(u, v, moves, order)) if known is None else known


def _sum_of_gaps(
    u: tuple[Fraction, ...], v: tuple[Fraction, ...], moves: _Moves, order: Fraction
) -> arb:
    total, other = sum(u, ZERO), sum(v, ZERO)
    result = arb(0) if total == other else -gap(total, other, order)
    for (first, second), count in moves.items():
        check_budget()
        result += count * gap(first, second, order)
    return result


def _rational_kullback_leibler(moves: _Moves) -> Fraction | None:
    """Return sum (u_i - v_i) psi(u_i) where v permutes u and whole numbers are all that moves.

    Then the Gammas cancel, the weights u_i - v_i add up to 0, and psi(base + n) - psi(base) is
    the sum of 1/(base + j) over j < n.
    """
    before, after = (Counter(pair[end] for pair in moves.elements()) for end in range(2))
    base = min(before)
    whole = all((entry - base).denominator == 1 for entry in before)
    if before != after or not whole or max(before) - base > _MAX_TERMS:
        return None
    length = int(max(before) - base)
    rises = list(accumulate((1 / (base + j) for j in range(length)), initial=ZERO))
    return sum(
        (
            count * (first - second) * rises[int(first - base)]
            for (first, second), count in moves.items()
        ),
        ZERO,
    )


def far_point(first: Fraction, second: Fraction, order: Fraction) -> Fraction:
    """Return w = order first - (order - 1) second, which must be positive for a finite gap."""
    return first + (order - 1) * (first - second)


def gap(first: Fraction, second: Fraction, order: Fraction) -> arb:
    """Enclose T from ``first`` (u) to ``second`` (v); at order 1 its limit, where w is positive.

    The terms cancel, so the caller evaluates it ``sharpened``. At order 1 it is
    F(v) - F(u) + (u - v) psi(u), the Kullback-Leibler divergence of two gamma laws.
    """
    if order == 1:
        slope = ball(first - second) * digamma(ball(first))
        return log_gamma(second) - log_gamma(first) + slope
    rise = log_gamma(far_point(first, second, order)) - log_gamma(first)
    return rise / ball(order - 1) + log_gamma(second) - log_gamma(first)
