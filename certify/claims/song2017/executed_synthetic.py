"""Formulas of the note on the synthetic experiment, executed in balls and rationals."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from ....reference.arb.balls import working_precision
from ....reference.enclosure import Trilean
from ....reference.pufferfish.influence_matrix import Gamma, influences
from ....reference.structures import STATIONARY, ChainLaw
from .approx_scores import influence_bound
from .exact_chains import (
    after,
    power,
    reversed_in_time,
)
from .inputs import matrix, symmetric

_BITS = 128


def two_states_are_reversible() -> bool:
    """Pi = (1-p1, 1-p0)/(2-p0-p1) is stationary and satisfies detailed balance."""
    grid = [Fraction(k, 10) for k in range(1, 10)]
    for p0, p1 in product(grid, grid):
        moves = ((p0, 1 - p0), (1 - p1, p1))
        pi = ((1 - p1) / (2 - p0 - p1), (1 - p0) / (2 - p0 - p1))
        if reversed_in_time(moves, pi) != moves or after(pi, moves) != pi:
            return False
    return True


def larger_classes_need_more() -> bool:
    """W rises as pi_min or g falls; card/(epsilon - e) rises with e and falls with epsilon."""
    with working_precision(_BITS):
        for lag in range(8, 14):
            least = influence_bound(Fraction(1, 5), Fraction(3, 4), lag)
            for pi, gap in (("1/6", "3/4"), ("1/5", "2/3"), ("1/6", "2/3")):
                if not influence_bound(Fraction(pi), Fraction(gap), lag) > least:
                    return False
    scores = [Fraction(3) / (Fraction(epsilon) - e) for epsilon, e in ((2, 1), (2, 0), (3, 0))]
    return scores == sorted(scores, reverse=True)


def symmetric_line_is_between() -> bool:
    """GK16's condition at T = 100 fails for staying with 0.32 or 0.68, holds for 0.33 or 0.67."""
    found = []
    for stay in ("0.32", "0.68", "0.33", "0.67"):
        own = influences(ChainLaw(STATIONARY, matrix(symmetric(stay))))
        found.append(Gamma(own, 100).norm_below_one())
    return found == [Trilean.FALSE] * 2 + [Trilean.TRUE] * 2


def corners_have_the_largest_influences() -> bool:
    """Of chains that stay with 0.35 to 0.65 none has larger ratios behind GK16 than the corners."""
    grid = [Fraction(k, 100) for k in range(35, 66, 5)]
    found = {pair: _gk16_ratios(*pair) for pair in product(grid, grid)}
    corners = [found[grid[at], grid[at]] for at in (0, -1)]
    return all(
        one <= max(most)
        for ratios in found.values()
        for one, most in zip(ratios, zip(*corners, strict=True), strict=True)
    )


def _gk16_ratios(p0: Fraction, p1: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """Return e^2 to the influences of an inner node's neighbours, and on the first node."""
    once = ((p0, 1 - p0), (1 - p1, p1))
    twice, pairs = power(once, 2), ((0, 1), (1, 0))
    before = max(
        max(once[x][s] / once[y][s] for s in (0, 1))
        * max(twice[y][s] / twice[x][s] for s in (0, 1))
        for x, y in pairs
    )
    behind = max(
        max(once[s][x] / once[s][y] for s in (0, 1))
        * max(twice[s][y] / twice[s][x] for s in (0, 1))
        for x, y in pairs
    )
    odds = p0 * p1 / ((1 - p0) * (1 - p1))
    return before, behind, max(odds, 1 / odds)
