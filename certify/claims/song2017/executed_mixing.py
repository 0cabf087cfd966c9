"""Formulas of the notes on mixing and MQMApprox, executed in rationals and balls."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from .exact_chains import (
    Law,
    Moves,
    after,
    influence_by_formula,
    multiplied,
    paths,
    power,
    reversed_in_time,
    worst_ratio_to,
)
from .inputs import P_1, matrix

HALF = Fraction(1, 2)
_STEPS = range(1, 9)


def chains_of_rate_one_half() -> Iterator[tuple[Law, Moves]]:
    """Yield chains whose P P* has the second eigenvalue 1/4: reversible, and not reversible."""
    yield (Fraction(4, 5), Fraction(1, 5)), matrix(P_1)
    third = Fraction(1, 3)
    yield (
        (third, third, third),
        tuple(
            tuple(HALF if to in {at, (at + 1) % 3} else Fraction(0) for to in range(3))
            for at in range(3)
        ),
    )


def rates_are_one_half() -> bool:
    """P P* - 1 pi^T is 1/4 times the projection off the mean, so sigma is 1/2."""
    for pi, moves in chains_of_rate_one_half():
        both = multiplied(moves, reversed_in_time(moves, pi))
        size = range(len(pi))
        off = [[(x == y) - pi[y] for y in size] for x in size]
        if any(both[x][y] - pi[y] != off[x][y] / 4 for x, y in product(size, size)):
            return False
    return True


def powers_come_near() -> bool:
    """|P^t(x, y)/pi(y) - 1| <= sigma^t/pi_min, sigma = 1/2, for every t."""
    return rates_are_one_half() and all(
        worst_ratio_to(pi, power(moves, t)) <= HALF**t / min(pi)
        for pi, moves in chains_of_rate_one_half()
        for t in _STEPS
    )


def _limit(pi: Law, t: int) -> Fraction | None:
    size = HALF**t / min(pi)
    return (1 + size) / (1 - size) if size < 1 else None


def ratios_are_bounded() -> bool:
    """Forward by (1+D)/(1-D), backward by its square, for every start; without, if stationary."""
    for pi, moves in chains_of_rate_one_half():
        uneven = tuple(Fraction(k + 1, 3 * len(pi) * (len(pi) + 1) // 6) for k in range(len(pi)))
        point = tuple(Fraction(not k) for k in range(len(pi)))
        for t in _STEPS:
            most = _limit(pi, t)
            if most is None:
                continue
            for start in (uneven, point, pi):
                square = 1 if start == pi else 2
                ahead = influence_by_formula(start, moves, t + 1, 0, t)
                back = influence_by_formula(start, moves, t + 1, t, 0)
                if ahead > most or back > most**square:
                    return False
    return True


def reversible_gap_is_larger() -> bool:
    """2 (1 - m) - (1 - m^2) = (1 - m)^2."""
    grid = [Fraction(k, 10) for k in range(11)]
    return all(2 * (1 - m) - (1 - m**2) == (1 - m) ** 2 for m in grid)


def reversal_runs_backwards() -> bool:
    """P(X_1 = y | X_2 = x) = P*(x, y) from the stationary start."""
    for pi, moves in chains_of_rate_one_half():
        back = reversed_in_time(moves, pi)
        for (y, x), chance in paths(pi, moves, 2):
            if chance / pi[x] != back[x][y] or after(pi, moves) != pi:
                return False
    return True
