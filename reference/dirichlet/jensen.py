"""Jensen gaps of log Gamma: what one coordinate adds to the Renyi divergence of Dirichlet laws.

With F = log Gamma, u is the mean of w = order u - (order - 1) v (weight 1/order) and of v (the
rest), and the gap is T = [F(w) + (order - 1) F(v) - order F(u)]/(order - 1). It is never negative,
0 for u = v alone, and infinite unless w > 0 (proofs_notes/renyi-calibration.md).
"""

from __future__ import annotations

from fractions import Fraction

from flint import arb

from ..arb.balls import ball
from ..arb.gamma import digamma, log_gamma


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
