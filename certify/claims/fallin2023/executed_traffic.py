"""What the note on the traffic example states in formulas, tried at exact points."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

from ....reference.enclosure import Trilean
from ....reference.markov.stationary import stationary_law
from ..benvenuti2025 import chain_formulas
from ..benvenuti2025.chain_formulas import pairs_of_chains, size
from ..forms import at_precision, draws

_TRIALS = 30


def zeros_stay() -> bool:
    """Whether a row on its support, put back among its zeros, is stochastic with the same zeros."""
    for random in draws(101, _TRIALS):
        row = [random.randint(0, 4) for _ in range(6)] + [1]
        support = [at for at, count in enumerate(row) if count]
        drawn = [random.randint(1, 9) for _ in support]
        released = [Fraction(0)] * len(row)
        for at, part in zip(support, drawn, strict=True):
            released[at] = Fraction(part, sum(drawn))
        if sum(released) != 1 or [x > 0 for x in released] != [count > 0 for count in row]:
            return False
    return True


def distances_are_below_two() -> bool:
    """Whether |pi - pi~| = 2 - 2 sum min(pi, pi~) < 2, and 2 - 4/m for two near-vertices."""
    for chain, other in pairs_of_chains(102):
        pi, new = stationary_law(chain), stationary_law(other)
        smaller = sum(map(min, pi, new))
        if not size([x - y for x, y in zip(pi, new, strict=True)]) == 2 - 2 * smaller < 2:  # noqa: PLR2004
            return False
    near = [(Fraction(1) - Fraction(1, m), Fraction(1, m)) for m in (10, 1000)]
    return all(2 * (p - q) == 2 - 4 * q for p, q in near)


def is_symmetric() -> bool:
    """Whether permuting the states of a chain permutes its law, so that means are uniform."""
    for chain, _ in pairs_of_chains(103):
        law = stationary_law(chain)
        for order in permutations(range(len(chain))):
            moved = tuple(tuple(chain[i][j] for j in order) for i in order)
            if stationary_law(moved) != tuple(law[i] for i in order):
                return False
    return True


def norm_of_mean_is_below() -> bool:
    """Whether |pi - E pi~| <= E |pi - pi~| for drawn finite laws of pi~."""
    for chain, other in pairs_of_chains(104):
        pi, new = stationary_law(chain), stationary_law(other)
        half = [(x + y) / 2 for x, y in zip(pi, new, strict=True)]
        vertex = [Fraction(at == 0) for at in range(len(pi))]
        laws = (new, half, vertex)
        mean = [sum(column, Fraction(0)) / len(laws) for column in zip(*laws, strict=True)]
        norms = [size([x - y for x, y in zip(pi, law, strict=True)]) for law in laws]
        if size([x - y for x, y in zip(pi, mean, strict=True)]) > sum(norms) / len(norms):
            return False
    return True


def roots_hold() -> bool:
    """Whether pq/(6 + 3pqk)^(1/2) < E|x - p| < (pq/(k+1))^(1/2)."""
    return at_precision(chain_formulas.deviation_is_of_order_a_root)()


def laws_move() -> bool:
    """Whether |pi E| <= 2 |pi~ - pi|."""
    return chain_formulas.law_moves_at_least_so_much()


def entries_are_below_half() -> bool:
    """Whether each entry of drawn differences of laws is at most half of the sum of sizes."""
    for random in draws(61, _TRIALS):
        weights = [[random.randint(1, 60) for _ in range(32)] for _ in range(2)]
        laws = [[Fraction(each, sum(row)) for each in row] for row in weights]
        moves = [abs(p - q) for p, q in zip(*laws, strict=True)]
        if 2 * max(moves) > sum(moves):
            return False
    return True


def two_states_have_it_all() -> Trilean:
    """Whether of two laws at a distance of 0.485 no entry differs by more than 0.485/32."""
    low, high = Fraction("0.0075"), Fraction("0.25")
    alike = [(1 - low - high) / 30] * 30
    moves = [abs(p - q) for p, q in zip([high, low, *alike], [low, high, *alike], strict=True)]
    if sum(moves) != Fraction("0.485"):
        raise ValueError("the laws are not at that distance")
    return Trilean.of(32 * max(moves) <= Fraction("0.485"))
