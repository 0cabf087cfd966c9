"""The formulas behind the entries on stationary laws and coefficients, tried on small chains."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet.kl import divergence_from, vertex
from ....reference.dirichlet.utility import absolute_deviation
from ....reference.markov.ergodicity import ergodicity_coefficient
from ....reference.markov.printed import benvenuti2025
from ....reference.markov.stationary import exact_matrix, stationary_law
from ..forms import draws
from .divergence_formulas import Counts, chain_divergence, mean_divergence, total
from .forms import shares

Row = tuple[Fraction, ...]
Rows = tuple[Row, ...]
_TRIALS = 25


def deviation(p: Fraction, k: Fraction) -> arb:
    """Enclose the mean distance of a share from p."""
    found = absolute_deviation(p, k)
    return ball(found) if isinstance(found, Fraction) else found


def drawn_chain(random: Random, states: int) -> Rows:
    """Return a chain with no entry 0."""
    return tuple(shares([random.randint(1, 9) for _ in range(states)]) for _ in range(states))


def pairs_of_chains(seed: int) -> list[tuple[Rows, Rows]]:
    """Return drawn pairs of chains of 2 to 4 states."""
    found = []
    for random in draws(seed, _TRIALS):
        states = random.randint(2, 4)
        found.append((drawn_chain(random, states), drawn_chain(random, states)))
    return found


def less(one: Rows, other: Rows) -> Rows:
    """Return the difference of two matrices."""
    return tuple(
        tuple(x - y for x, y in zip(*rows, strict=True)) for rows in zip(one, other, strict=True)
    )


def size(row: Sequence[Fraction]) -> Fraction:
    """Return the sum of absolute values."""
    return sum(map(abs, row), Fraction(0))


def norm(rows: Rows, kind: str) -> Fraction:
    """Return the largest row sum or column sum of absolute values."""
    return max(map(size, rows if kind == "row" else list(zip(*rows, strict=True))))


def inverse(P: Rows, turn: int) -> Rows:
    """Return the inverse of I - P + turn 1 pi."""
    law = stationary_law(P)
    rows = [[(i == j) - x + turn * law[j] for j, x in enumerate(row)] for i, row in enumerate(P)]
    found = exact_matrix(rows).inv().tolist()
    return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in row) for row in found)


def kappa(P: Rows) -> Fraction:
    """Return half the largest distance of two rows of the inverse."""
    pairs = combinations(inverse(P, 1), 2)
    return max(size([x - y for x, y in zip(*rows, strict=True)]) for rows in pairs) / 2


def law_moves_by_rows() -> bool:
    """Whether |pi~ - pi| <= kappa |E|_row <= |Z|_row |E|_row for either sign of Z."""
    for chain, other in pairs_of_chains(61):
        gap = size(
            [y - x for x, y in zip(stationary_law(chain), stationary_law(other), strict=True)]
        )
        moved, condition = norm(less(other, chain), "row"), kappa(chain)
        norms = [norm(inverse(chain, turn), "row") for turn in (1, -1)]
        if not gap <= condition * moved or not condition <= min(norms):
            return False
    return True


def pinsker_by_rows() -> bool:
    """Whether sum pi_i |E_i| <= (2 sum pi_i KL_i)^(1/2) for pairs of chains."""
    for chain, other in pairs_of_chains(62):
        law = stationary_law(chain)
        moved = sum(
            (p * size(row) for p, row in zip(law, less(other, chain), strict=True)), Fraction(0)
        )
        divergence = total(
            [
                ball(p * x) * ball(x / y).log()
                for p, row, new in zip(law, chain, other, strict=True)
                for x, y in zip(row, new, strict=True)
            ]
        )
        if bool(ball(moved) > (2 * divergence).sqrt()):
            return False
    return True


def weighted_deviations_are_below(counts: Counts, k: Sequence[Fraction]) -> bool:
    """Whether E sum pi_i |E_i| <= (2 (18))^(1/2) <= (2L)^(1/2)."""
    chain = tuple(map(shares, counts))
    rows = zip(stationary_law(chain), chain, k, strict=True)
    mean = total([ball(share) * deviation(p, each) for share, row, each in rows for p in row])
    middle = (2 * chain_divergence(counts, k)).sqrt()
    return bool(mean <= middle) and bool(middle <= benvenuti2025.theorem_5(tuple(counts), tuple(k)))


def coefficient_moves_by_columns() -> bool:
    """Whether |tau(P~) - tau(P)| <= tau(E) <= |E|_col and tau(P) <= |P|_col."""
    for chain, other in pairs_of_chains(63):
        moved = less(other, chain)
        change = abs(ergodicity_coefficient(chain) - ergodicity_coefficient(other))
        columns = zip(*moved, strict=True)
        spread = max(_spread(column) for column in columns)
        if not change <= spread <= norm(moved, "column"):
            return False
        if not ergodicity_coefficient(chain) <= norm(chain, "column"):
            return False
    return True


def _spread(column: Sequence[Fraction]) -> Fraction:
    order, half = sorted(column), len(column) // 2
    return sum(order[len(order) - half :], Fraction(0)) - sum(order[:half], Fraction(0))


def rows_bound_the_coefficient() -> bool:
    """Whether |tau(P~) - tau(P)| <= sum |E_i|/2, as T5-A has it."""
    return all(
        abs(ergodicity_coefficient(chain) - ergodicity_coefficient(other))
        <= sum(map(size, less(other, chain)), Fraction(0)) / 2
        for chain, other in pairs_of_chains(64)
    )


def law_moves_by_the_largest_row() -> bool:
    """Whether TV(pi, pi~) <= (kappa/2) max |E_i|."""
    for chain, other in pairs_of_chains(65):
        gap = size(
            [y - x for x, y in zip(stationary_law(chain), stationary_law(other), strict=True)]
        )
        if not gap / 2 <= kappa(chain) / 2 * norm(less(other, chain), "row"):
            return False
    return True


def deviations_are_below_their_bound() -> bool:
    """Whether E |E_i| <= (2 L_i)^(1/2), L_i Corollary 1 of the row's own positive counts."""
    for random in draws(66, _TRIALS):
        counts = [random.randint(1, 9) for _ in range(random.randint(2, 5))]
        k = Fraction(random.randint(1, 900), random.choice((3, 60)))
        bound = divergence_from(vertex(Fraction(1, sum(counts)), len(counts)), k)
        mean = total([deviation(p, k) for p in shares(counts)])
        if not bool(mean <= (2 * (bound if isinstance(bound, arb) else ball(bound))).sqrt()):
            return False
    return True


def powers_contract() -> bool:
    """Whether TV(mu P^t, pi) <= (1 - n min P)^t for chains with no entry 0."""
    for chain, _ in pairs_of_chains(67):
        least = len(chain) * min(map(min, chain))
        pi, now = stationary_law(chain), tuple(Fraction(i == 0) for i in range(len(chain)))
        for step in range(1, 8):
            columns = zip(*chain, strict=True)
            now = tuple(
                sum((p * x for p, x in zip(now, c, strict=True)), Fraction(0)) for c in columns
            )
            if size([x - y for x, y in zip(now, pi, strict=True)]) / 2 > (1 - least) ** step:
                return False
    return True


def divergence_is_of_order_one_over_k() -> bool:
    """Whether (n-1)/(2k) < E KL < (n-1)/(2k) + sum 1/(12 k^2 p)."""
    for random in draws(68, _TRIALS):
        law = shares([random.randint(1, 9) for _ in range(3)])
        k = Fraction(random.randint(1, 10**5), random.choice((1, 1000)))
        found, low = mean_divergence(law, k), Fraction(1) / k
        high = low + sum(1 / (12 * k * k * p) for p in law)
        if not bool(ball(low) < found < ball(high)):
            return False
    return True


def deviation_is_of_order_a_root() -> bool:
    """Whether pq/(6 + 3pqk)^(1/2) < E|x - p| < (pq/(k+1))^(1/2)."""
    for random in draws(69, _TRIALS):
        p, k = Fraction(random.randint(1, 99), 100), Fraction(random.randint(1, 10**5), 10)
        spread = p * (1 - p)
        low, high = ball(spread) / ball(6 + 3 * spread * k).sqrt(), ball(spread / (k + 1)).sqrt()
        if not bool(low < deviation(p, k) < high):
            return False
    return True


def law_moves_at_least_so_much() -> bool:
    """Whether pi E = (pi~ - pi)(I - P~), of 1-norm at most 2 |pi~ - pi|."""
    for chain, other in pairs_of_chains(70):
        pi, new = stationary_law(chain), stationary_law(other)
        forced = _times(pi, less(other, chain))
        gap = tuple(y - x for x, y in zip(pi, new, strict=True))
        left = tuple(x - y for x, y in zip(gap, _times(gap, other), strict=True))
        if forced != left or size(forced) > 2 * size(gap):
            return False
    return True


def _times(row: Row, rows: Rows) -> Row:
    return tuple(
        sum((x * y for x, y in zip(row, column, strict=True)), Fraction(0))
        for column in zip(*rows, strict=True)
    )


_CHAINS, _DRAWS = 40, 60


def theorem_4_on_dense_chains() -> tuple[int, int]:
    """Return how many dense chains were sampled, and in how many the mean exceeded Theorem 4's."""
    failed = 0
    generator = np.random.default_rng(7)
    for random in draws(71, _CHAINS):
        states = random.randint(3, 5)
        counts = tuple(tuple(random.randint(1, 40) for _ in range(states)) for _ in range(states))
        k = tuple(Fraction(3 * sum(row), 2 * min(row)) for row in counts)
        claimed = benvenuti2025.theorem_4(counts, k, "row", "minus")
        failed += bool(ball(Fraction(_mean_distance(counts, k, generator))) > claimed)
    return _CHAINS, failed


def _mean_distance(counts: Counts, k: Sequence[Fraction], generator: np.random.Generator) -> float:
    """Return the mean total variation distance of the stationary laws over some draws."""
    chain = [[float(p) for p in shares(row)] for row in counts]
    law, found = _float_law(np.array(chain)), 0.0
    for _ in range(_DRAWS):
        drawn = [
            generator.dirichlet([float(each) * p for p in row])
            for row, each in zip(chain, k, strict=True)
        ]
        found += float(np.abs(_float_law(np.array(drawn)) - law).sum()) / 2
    return found / _DRAWS


def _float_law(chain: np.ndarray) -> np.ndarray:
    ones = np.ones_like(chain)
    solved: np.ndarray = np.linalg.solve((np.eye(len(chain)) - chain + ones).T, ones[0])
    return solved
