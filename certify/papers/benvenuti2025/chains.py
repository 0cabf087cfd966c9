"""Section 5 and appendix B: formulas tried on small chains, the witnesses, and shared proofs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from flint import arb

from ....reference.arb.balls import ball
from ....reference.dirichlet.utility import absolute_deviation, divergence_from, vertex
from ....reference.markov import printed
from ....reference.markov.eigenvalues import eigenvalue_moduli
from ....reference.markov.ergodicity import ergodicity_coefficient
from ....reference.markov.stationary import exact_matrix, stationary_law
from ....reference.second.directed import Span
from ..evidence import Formula, Instance, Proof
from ..values import (
    At,
    Exactly,
    Named,
    Worked,
    as_ball,
    at_precision,
    by_balls,
    by_spans,
    certainly_below,
    draws,
    meets,
    span,
    texts,
)
from .divergence import Counts, Total, chain_divergence, mean_divergence, shares, total, tried
from .trap import FLOOR, claimed, hypotheses

# The formulas behind the entries on stationary laws and coefficients, tried on small chains.

_Row = tuple[Fraction, ...]
Rows = tuple[_Row, ...]
_TRIALS = 25


def _deviation(p: Fraction, k: Fraction) -> arb:
    """Enclose the mean distance of a share from p."""
    found = absolute_deviation(p, k)
    return as_ball(found)


def _drawn_chain(random: Random, states: int) -> Rows:
    """Return a chain with no entry 0."""
    return tuple(shares([random.randint(1, 9) for _ in range(states)]) for _ in range(states))


def pairs_of_chains(seed: int, count: int = _TRIALS) -> list[tuple[Rows, Rows]]:
    """Return drawn pairs of chains of 2 to 5 states."""
    found = []
    for random in draws(seed, count):
        states = random.randint(2, 5)
        found.append((_drawn_chain(random, states), _drawn_chain(random, states)))
    return found


def _less(one: Rows, other: Rows) -> Rows:
    """Return the difference of two matrices."""
    return tuple(
        tuple(x - y for x, y in zip(*rows, strict=True)) for rows in zip(one, other, strict=True)
    )


def size(row: Sequence[Fraction]) -> Fraction:
    """Return the sum of absolute values."""
    return sum(map(abs, row), Fraction(0))


def _norm(rows: Rows, kind: str) -> Fraction:
    """Return the largest row sum or column sum of absolute values."""
    return max(map(size, rows if kind == "row" else list(zip(*rows, strict=True))))


def inverse(P: Rows, turn: int) -> Rows:
    """Return the inverse of I - P + turn 1 pi."""
    law = stationary_law(P)
    rows = [[(i == j) - x + turn * law[j] for j, x in enumerate(row)] for i, row in enumerate(P)]
    found = exact_matrix(rows).inv().tolist()
    return tuple(tuple(Fraction(int(x.p), int(x.q)) for x in row) for row in found)


def _kappa(P: Rows, turn: int = 1) -> Fraction:
    """Return half the largest distance of two rows of the inverse."""
    pairs = combinations(inverse(P, turn), 2)
    return max(size([x - y for x, y in zip(*rows, strict=True)]) for rows in pairs) / 2


def law_moves_by_rows() -> bool:
    """Whether pi~ - pi = pi~ E Z, so |pi~ - pi| <= kappa |E|_row <= |Z|_row |E|_row, both signs."""
    for chain, other in pairs_of_chains(61, 60):
        new, change = stationary_law(other), _less(other, chain)
        gap = tuple(y - x for x, y in zip(stationary_law(chain), new, strict=True))
        moved, condition = _norm(change, "row"), _kappa(chain)
        if not size(gap) <= condition * moved or condition != _kappa(chain, -1):
            return False
        for turn, sign in ((1, "plus"), (-1, "minus")):
            turned = inverse(chain, turn)
            if _times(_times(new, change), turned) != gap or condition > _norm(turned, "row"):
                return False
            bound = as_ball(printed.lemma_5(chain, other, "row", sign))
            if not meets(bound, ball(_norm(turned, "row") * moved)):
                return False
    return True


def pinsker_by_rows() -> bool:
    """Whether sum pi_i |E_i| <= (2 sum pi_i KL_i)^(1/2) for pairs of chains."""
    for chain, other in pairs_of_chains(62):
        law = stationary_law(chain)
        moved = sum(
            (p * size(row) for p, row in zip(law, _less(other, chain), strict=True)), Fraction(0)
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
    """Whether E sum pi_i |E_i| < (2 (18))^(1/2) < (2L)^(1/2)."""
    chain = tuple(map(shares, counts))
    rows = zip(stationary_law(chain), chain, k, strict=True)
    mean = total([ball(share) * _deviation(p, each) for share, row, each in rows for p in row])
    middle = (2 * chain_divergence(counts, k)).sqrt()
    claimed = as_ball(printed.theorem_5(tuple(counts), tuple(k)))
    return certainly_below(mean, middle) and certainly_below(middle, claimed)


def coefficient_moves_by_columns() -> bool:
    """Whether |tau(P~) - tau(P)| <= tau(E) <= |E|_col <= sum max |E_i| <= sum |E_i|/2.

    And whether tau(P) <= |P|_col.
    """
    for chain, other in pairs_of_chains(63, 40):
        moved = _less(other, chain)
        change = abs(ergodicity_coefficient(chain) - ergodicity_coefficient(other))
        spread = max(map(_spread, zip(*moved, strict=True)))
        most = sum((max(map(abs, row)) for row in moved), Fraction(0))
        rows = sum(map(size, moved), Fraction(0)) / 2
        if not change <= spread <= _norm(moved, "column") <= most <= rows:
            return False
        if not ergodicity_coefficient(chain) <= _norm(chain, "column"):
            return False
    return True


def _spread(column: Sequence[Fraction]) -> Fraction:
    order, half = sorted(column), len(column) // 2
    return sum(order[len(order) - half :], Fraction(0)) - sum(order[:half], Fraction(0))


def rows_bound_the_coefficient() -> bool:
    """Whether |tau(P~) - tau(P)| <= sum |E_i|/2, as T5-A has it."""
    return all(
        abs(ergodicity_coefficient(chain) - ergodicity_coefficient(other))
        <= sum(map(size, _less(other, chain)), Fraction(0)) / 2
        for chain, other in pairs_of_chains(64)
    )


def errors_are_bounded() -> bool:
    """Whether TV(pi, pi~) <= 1 and |tau(P~) - tau(P)| <= n/2, and log k >= 1 from k = 3 on."""
    for chain, other in pairs_of_chains(76):
        gap = [y - x for x, y in zip(stationary_law(chain), stationary_law(other), strict=True)]
        change = abs(ergodicity_coefficient(chain) - ergodicity_coefficient(other))
        if size(gap) / 2 > 1 or change > Fraction(len(chain), 2):
            return False
    return bool(arb(3).log() > 1)


def law_moves_by_the_largest_row() -> bool:
    """Whether TV(pi, pi~) <= (kappa/2) max |E_i|."""
    for chain, other in pairs_of_chains(65):
        gap = size(
            [y - x for x, y in zip(stationary_law(chain), stationary_law(other), strict=True)]
        )
        if not gap / 2 <= _kappa(chain) / 2 * _norm(_less(other, chain), "row"):
            return False
    return True


def deviations_are_below_their_bound() -> bool:
    """Whether E |E_i| <= (2 L_i)^(1/2), L_i Corollary 1 of the row's own positive counts."""
    for random in draws(66, _TRIALS):
        counts = [random.randint(1, 9) for _ in range(random.randint(2, 5))]
        k = Fraction(random.randint(1, 900), random.choice((3, 60)))
        bound = divergence_from(vertex(Fraction(1, sum(counts)), len(counts)), k)
        mean = total([_deviation(p, k) for p in shares(counts)])
        if not bool(mean <= (2 * as_ball(bound)).sqrt()):
            return False
    return True


def powers_contract() -> bool:
    """Whether TV(mu P^t, pi) <= (1 - n min P)^t for chains with no entry 0."""
    for chain, _ in pairs_of_chains(67):
        least = len(chain) * min(map(min, chain))
        pi, now = stationary_law(chain), tuple(Fraction(i == 0) for i in range(len(chain)))
        for step in range(1, 8):
            now = _stepped(now, chain)
            if size([x - y for x, y in zip(now, pi, strict=True)]) / 2 > (1 - least) ** step:
                return False
    return True


def _aperiodic_powers_contract() -> bool:
    """Whether TV(mu P^t, pi) <= (1 - n min P^m)^floor(t/m), m = (n-1)^2 + 1, with entries 0.

    The chains lead round a cycle; one state leads to itself, and there may be chords.
    """
    for random in draws(74, 12):
        n = random.randint(2, 4)
        chords = {(0, 0), *((random.randrange(n), random.randrange(n)) for _ in range(n - 2))}
        rows = [[0] * n for _ in range(n)]
        for i in range(n):
            rows[i][(i + 1) % n] = random.randint(1, 9)
        for i, j in chords:
            rows[i][j] += random.randint(1, 9)
        chain = tuple(shares(row) for row in rows)
        pi, now = stationary_law(chain), tuple(Fraction(i == 0) for i in range(n))
        lag = (n - 1) ** 2 + 1
        power = tuple(tuple(Fraction(i == j) for j in range(n)) for i in range(n))
        for _ in range(lag):
            power = tuple(_stepped(row, chain) for row in power)
        least = n * min(map(min, power))
        if not least > 0:
            return False
        for step in range(1, 2 * lag + 1):
            now = _stepped(now, chain)
            far = size([x - y for x, y in zip(now, pi, strict=True)]) / 2
            if far > (1 - least) ** (step // lag):
                return False
    return True


@at_precision
def powers_fall_at_the_rate_of_the_second_modulus() -> bool:
    """Whether r^t/2 <= D_t <= |P^t| <= 2 D_t for drawn chains, and D_64 is below (r + 1/10)^64.

    r is the second largest modulus of an eigenvalue, D_t the largest TV(mu P^t, pi), |P^t| the norm
    of the map on vectors of sum 0, which two rows attain.
    """
    for chain, _ in pairs_of_chains(75, 12):
        rate = as_ball(eigenvalue_moduli(chain)[1])
        pi, steps = stationary_law(chain), 64
        rows = tuple(tuple(Fraction(i == j) for j in range(len(chain))) for i in range(len(chain)))
        for step in range(1, steps + 1):
            rows = tuple(_stepped(row, chain) for row in rows)
            far = max(size([x - y for x, y in zip(row, pi, strict=True)]) / 2 for row in rows)
            norm = max(
                size([x - y for x, y in zip(*pair, strict=True)]) / 2
                for pair in combinations(rows, 2)
            )
            if not far <= norm <= 2 * far or not rate**step <= 2 * ball(far):
                return False
        if not ball(far) < (rate + ball(Fraction(1, 10))) ** steps:
            return False
    return True


def _stepped(law: Sequence[Fraction], chain: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Return the law one step later."""
    columns = zip(*chain, strict=True)
    return tuple(sum((p * x for p, x in zip(law, c, strict=True)), Fraction(0)) for c in columns)


def divergence_is_of_order_one_over_k() -> bool:
    """Whether (n-1)/(2k) < E KL < (n-1)/(2k) + sum 1/(12 k^2 p)."""
    for random in draws(68, 30):
        law = shares([random.randint(1, 9) for _ in range(3)])
        k = Fraction(random.randint(1, 10**6), random.choice((1, 10**4)))
        found, low = mean_divergence(law, k), Fraction(1) / k
        high = low + sum(1 / (12 * k * k * p) for p in law)
        if not (certainly_below(ball(low), found) and certainly_below(found, ball(high))):
            return False
    return True


def deviation_is_of_order_a_root() -> bool:
    """Whether pq/(6 + 3pqk)^(1/2) < E|x - p| < (pq/(k+1))^(1/2)."""
    for random in draws(69, _TRIALS):
        p = Fraction(random.randint(1, 99), 100)
        k = Fraction(random.randint(1, 10**6), random.choice((1, 10**5)))
        spread = p * (1 - p)
        low, high = ball(spread) / ball(6 + 3 * spread * k).sqrt(), ball(spread / (k + 1)).sqrt()
        if not bool(low < _deviation(p, k) < high):
            return False
    return True


def law_moves_at_least_so_much() -> bool:
    """Whether pi E = (pi~ - pi)(I - P~), of 1-norm at most 2 |pi~ - pi|."""
    for chain, other in pairs_of_chains(70):
        pi, new = stationary_law(chain), stationary_law(other)
        forced = _times(pi, _less(other, chain))
        gap = tuple(y - x for x, y in zip(pi, new, strict=True))
        left = tuple(x - y for x, y in zip(gap, _times(gap, other), strict=True))
        if forced != left or size(forced) > 2 * size(gap):
            return False
    return True


def _times(row: _Row, rows: Rows) -> _Row:
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
        claimed = printed.theorem_4(counts, k, "row", "minus")
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


# Section 5 and appendix B: the chains and the proofs that their entries share.

LAW_NOTE, COEFFICIENT_NOTE = "benvenuti2025/stationary-law.md", "benvenuti2025/coefficient.md"
LAW_LAWS, COEFFICIENT_LAWS = f"{LAW_NOTE}#", f"{COEFFICIENT_NOTE}#"
IRREDUCIBLE = ("irreducible", "every feasible transition is counted", "k_i >= 3/(2 eta_i)")

# A rare and noisy row between two of very many records; and forty rows all alike.
RARE = ((499999, 1, 500000), (2, 1, 2), (500000, 1, 499999))
EQUAL = ((481, 481, *[1] * 38),) * 40


def least_k(counts: tuple[tuple[int, ...], ...]) -> list[str]:
    """Return 3/(2 eta_i), eta_i the least share of each row."""
    return [str(Fraction(3 * sum(row), 2 * min(row))) for row in counts]


def admissible(counts: tuple[tuple[int, ...], ...]) -> dict[str, bool]:
    """Return the hypotheses of Theorems 4 and 5, for counts without a 0 and k_i = 3/(2 eta_i)."""
    return {
        "every count is at least 1: irreducible and aperiodic": min(map(min, counts)) >= 1,
        "eta_i, the least share, is below 1/4": all(4 * min(row) < sum(row) for row in counts),
        "as many rows as states, at least 3": all(len(row) == len(counts) >= 3 for row in counts),  # noqa: PLR2004
        "N_i >= n": all(sum(row) >= len(row) for row in counts),
    }


def _of_counts(quantity: str, counts: tuple[tuple[int, ...], ...], **more: Any) -> At:
    given: dict[str, Any] = {"k": least_k(counts)}
    if quantity.startswith("benvenuti2025"):
        given["counts"] = [list(row) for row in counts]
    else:
        given["P"] = [texts(shares(row)) for row in counts]
    return At(f"markov.{quantity}", given, **more)


CLAIMED_RARE = _of_counts("benvenuti2025.theorem_5", RARE)
RARE_ROW = At(
    "markov.expected_deviations", _of_counts("expected_deviations", RARE).parameters, (2,)
)
RARE_COLUMN = Total(
    "the mean of the first column's sum of |E|",
    tuple(
        At("dirichlet.utility.absolute_deviation", {"p": str(shares(row)[0]), "k": k})
        for row, k in zip(RARE, least_k(RARE), strict=True)
    ),
)
RARE_FLOOR = _of_counts("ergodicity_floor", RARE)
EQUAL_FLOOR = Named(
    "the floor of E |tau(P~) - tau(P)|, 40 equal rows", _of_counts("ergodicity_floor", EQUAL)
)
EQUAL_CLAIM = Named("(2 L)^(1/2), 40 equal rows", _of_counts("benvenuti2025.theorem_5", EQUAL))

# One chain and one change of its second row, in whose place no average is taken.
_BEFORE = tuple(map(shares, RARE))
_AFTER = (_BEFORE[0], (Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)), _BEFORE[2])
_SECOND = Fraction(1, 800001)


def _divergence_in_balls() -> arb:
    parts = [ball(p) * ball(p / q).log() for p, q in zip(_BEFORE[1], _AFTER[1], strict=True)]
    return (2 * ball(_SECOND) * sum(parts, arb(0))).sqrt()


def _divergence_in_spans() -> Span:
    """Enclose the same from 4/5 log 2 - 1/5 log 3."""
    inside = span("4/5") * span(2).log() - span("1/5") * span(3).log()
    return ((span(2 * _SECOND) * inside).log() / span(2)).exp()


_PATH = Worked(
    "(2 pi_2 KL_2)^(1/2), one row changed",
    by_balls(_divergence_in_balls),
    by_spans(_divergence_in_spans),
)


def pathwise(kind: str) -> Instance:
    """Return (29) for the rare row's chain and one change of that row."""
    moved = _norm(_less(_AFTER, _BEFORE), kind)
    return Instance(
        f"(29) with {kind} sums, the row (2, 1, 2)/5 changed to (1, 3, 1)/5",
        Exactly(str(moved), f"|P - P~| by {kind} sums"),
        "<=",
        _PATH,
        {"pi_2 = 1/800001": stationary_law(_BEFORE)[1] == _SECOND, **admissible(RARE)},
    )


def lemma_5(
    chain: list[list[str]], first: list[str], kind: str, sign: str, holds: bool
) -> Instance:
    """Return Lemma 5 at a chain whose first row is replaced."""
    moved = [first, *chain[1:]]
    return Instance(
        f"{kind} sums, Z with the sign {sign}, first row changed to ({', '.join(first)})",
        At("markov.stationary_distance", {"P": chain, "Q": moved}, times="2"),
        "<=",
        At("markov.benvenuti2025.lemma_5", {"P": chain, "Q": moved, "norm": kind, "sign": sign}),
        {} if holds else {"no entry is 0": "0" not in [x for row in [*chain, first] for x in row]},
    )


ALIKE, ALIKE_MOVED = [["0.98", "0.01", "0.01"]] * 3, ["0.981", "0.01", "0.009"]
_STICKY = ["0.9895", "0.01", "0.0005"]
STICKY, STICKY_MOVED = (
    [_STICKY, ["0.1", "0.8995", "0.0005"], _STICKY],
    ["0.9885", "0.011", "0.0005"],
)


def trap_refutes(kind: str, sign: str, cells: int) -> Instance:
    """Return Theorem 4 in the trap: a lower bound of the mean is at most the claimed bound."""
    return Instance(
        f"(4) in the trap: {kind} sums, sign {sign}, n = {cells} in L",
        FLOOR,
        "<=",
        claimed(kind, sign, cells),
        hypotheses(),
    )


ROWS = Proof(
    "markov-printed.md#lemma-5-holds-with-row-sums",
    "pi~ - pi = pi~ E Z, and the rows of E sum to 0",
    (Formula("(1): pairs of chains, both signs of Z", law_moves_by_rows),),
)
WEIGHTED = Proof(
    "markov-printed.md#weighted-deviations-are-bounded",
    "Pinsker's inequality for each row, and Jensen's",
    (
        Formula(
            "(3): drawn counts and k",
            at_precision(partial(tried, weighted_deviations_are_below, 72)),
        ),
    ),
)
COLUMNS = Proof(
    "markov-coefficient.md#change-by-columns",
    "tau is the largest z.P_j over balanced z with entries in [-1, 1]",
    (Formula("(1): pairs of chains", coefficient_moves_by_columns),),
)
FIRST_ORDER = Proof(
    "markov-printed.md#theorem-4-holds-to-first-order",
    "the first-order part of the mean is at most the claim with row sums",
    (
        Formula(
            "drawn counts and k",
            at_precision(partial(tried, weighted_deviations_are_below, 73)),
        ),
    ),
    decides=False,
)
RATE = (
    Proof(
        "markov-printed.md#divergence-falls-like-one-over-k",
        "k L_i tends to (n-1)/2 from above, so that (2 L)^(1/2) is of order k^(-1/2)",
        (Formula("(5): drawn shares and k", at_precision(divergence_is_of_order_one_over_k)),),
    ),
    Proof(
        "markov-printed.md#error-falls-like-a-root",
        "the mean distance of the laws lies between two constants times k^(-1/2)",
        (
            Formula("(6): drawn shares and k", at_precision(deviation_is_of_order_a_root)),
            Formula("(7): pairs of chains", law_moves_at_least_so_much),
        ),
    ),
)
CYCLE = [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
APERIODIC_CHAINS_CONVERGE = Proof(
    LAW_LAWS + "aperiodic-chains-converge",
    "some power has no entry 0, and its steps bring two laws nearer",
    (Formula("(9): chains with impossible steps", _aperiodic_powers_contract),),
)
LONG_RUN = Proof(
    COEFFICIENT_LAWS + "the-rate-in-the-long-run",
    "the t-th root of the largest distance after t steps tends to it, and never beats it by more "
    "than 2^(1/t)",
    (
        Formula(
            "(4): drawn chains, 64 steps",
            powers_fall_at_the_rate_of_the_second_modulus,
        ),
    ),
)
POSITIVE_HALVES = [["0.97", "0.01", "0.01", "0.01"]] * 2 + [["0.01", "0.97", "0.01", "0.01"]] * 2
_HALVES = tuple(tuple(map(Fraction, row)) for row in POSITIVE_HALVES)
ONE_STEP = Instance(
    "four states, half lead mostly to one place and half to another: one step from the first state "
    "the distance is at most |lambda_2|",
    Exactly(
        str(size([x - y for x, y in zip(_HALVES[0], stationary_law(_HALVES), strict=True)]) / 2),
        "TV(mu P, pi), mu the first state",
    ),
    "<=",
    At("markov.eigenvalue_moduli", {"P": POSITIVE_HALVES}, (2,)),
    {
        "ergodic: all entries are positive": min(map(min, _HALVES)) > 0,
        "stochastic": all(sum(row) == 1 for row in _HALVES),
    },
)
