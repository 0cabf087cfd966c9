"""Privacy of a chain that is counted from records: exactly, and as benvenuti2025 prints it.

Row i holds the shares of N_i records over its n_i feasible transitions, each share at least eta_i,
and is released as Dirichlet(k_i shares), rows independently (benvenuti2025 Algorithm 2). Which
transitions are feasible is public, and so is every N_i. Neighbouring data differ in one record,
which keeps its row and changes its category. So one row differs, the draws of the others have one
law on both sides, and the exact delta is the largest of the rows' own
(proofs_notes/markov-model.md). The paper, too, takes the largest of its rows' epsilons and deltas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import starmap
from math import ceil
from typing import Any, TypeAlias

from flint import arb

from ...adjacency import Floored
from ...arb.balls import ball
from ...dirichlet import counts, profile
from ...dirichlet.counts import (
    ROOM_FOR_A_RECORD,
    is_reachable,
    record_can_move,
    smallest_count,
)
from ...dirichlet.good_set import seldom_missed
from ...dirichlet.profile import MONOTONE_NOTE, largest_k
from ...dirichlet.tail import bracket, routed
from ...dirichlet.tail.event import Miss
from ...domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    COUNTS,
    Condition,
    NonNegative,
    OpenProbability,
    Order,
    Parameters,
    Probability,
)
from ...precision import check_budget
from ...quantity import LeastSound, Routed, Shape, Side, Truth, quantity
from ...relations import UNKNOWN, Complete, GoodSet, InverseOf, Promise, each
from .rows import (
    CATEGORIES,
    CHANCES,
    ETAS,
    ETAS_ALONE,
    FEW_KS,
    FEW_RECORDS,
    GAMMAS,
    KS,
    NOTE,
    PAPER,
    RECORDS,
    EachRow,
    SameLength,
    Whole,
    largest,
)

_LENGTHS = SameLength.of("k", "eta", "N")


def worst_pairs(
    k: Sequence[Fraction], eta: Sequence[Fraction], N: Sequence[int]
) -> list[tuple[Fraction, Fraction]]:
    """Return floor and step of the rows whose dominating pair no other row's dominates.

    With c = ceil(eta N) and step s = k/N the floor is c s. Pair 1 is dominated by pair 2 where
    c_1 >= c_2 and (2 c_1 + 1)/s_1 >= (2 c_2 + 1)/s_2 (monotone-roots.md#blackwell-order).
    """
    rows = zip(k, eta, N, strict=True)
    pairs = {(ceil(share * size), scale / size) for scale, share, size in rows}
    front: list[tuple[int, Fraction]] = []
    for least, step in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        if not front or (2 * least + 1) / step < (2 * front[-1][0] + 1) / front[-1][1]:
            front.append((least, step))
    return [(least * step, step) for least, step in front]


def _largest_of(
    pairs: list[tuple[Fraction, Fraction]],
    loss: Callable[[Fraction, Fraction, Fraction], arb | Fraction],
    at: Fraction,
) -> arb | Fraction:
    found = []
    for alpha, step in pairs:
        check_budget()
        found.append(loss(alpha, step, at))
    return largest(found)


def _has_room(p: Parameters) -> bool:
    shares, sizes = (p[name] for name in ("eta", "N"))
    assert isinstance(shares, tuple)
    assert isinstance(sizes, tuple)
    return all(starmap(record_can_move, zip(shares, sizes, strict=True)))


def _with_room(name: str) -> LeastSound:
    """Return the number itself where it is the least: a row without room loses less, or nothing."""
    return LeastSound(
        name,
        lambda p: p if _has_room(p) else None,
        "the same parameters, where 3 ceil(eta N) < N in each row (a record can move)",
    )


@quantity(
    "markov.model.delta",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=_with_room("markov.model.delta"),
    source=NOTE,
    formula=r"\max_i \; \delta\left( \frac{k_i \lceil \eta_i N_i \rceil}{N_i}, \frac{k_i}{N_i}, "
    r"\varepsilon \right)",
    within=A_PROBABILITY,
    conditions=(_LENGTHS,),
    rises=each("k"),
    falls=("epsilon", each("eta")),
    vanishes="high epsilon",
)
def delta(k: KS, eta: ETAS, N: RECORDS, epsilon: NonNegative) -> arb | Fraction:
    """Exact delta of the whole model: the largest hockey-stick of the rows' dominating pairs.

    Row i has step k_i/N_i and floor k_i ceil(eta_i N_i)/N_i.
    """
    return _largest_of(worst_pairs(k, eta, N), profile.delta, epsilon)


@quantity(
    "markov.model.epsilon",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=_with_room("markov.model.epsilon"),
    source=NOTE,
    formula=r"\min \left\{ \varepsilon \ge 0 : \max_i \; \delta\left( \frac{k_i \lceil \eta_i "
    r"N_i \rceil}{N_i}, \frac{k_i}{N_i}, \varepsilon \right) \le \delta \right\}",
    within=AT_LEAST_ZERO,
    conditions=(_LENGTHS,),
    rises=each("k"),
    falls=("delta", each("eta")),
    vanishes="high delta",
    inverse=InverseOf("markov.model.delta", "delta", "epsilon"),
)
def epsilon(k: KS, eta: ETAS, N: RECORDS, delta: Probability) -> arb | Fraction:
    """Smallest epsilon at which the model's exact delta is at most ``delta``.

    The delta of each row falls in epsilon, so this is the largest of the rows' own.
    """
    return _largest_of(worst_pairs(k, eta, N), profile.epsilon, delta)


@quantity(
    "markov.model.renyi",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    least=_with_room("markov.model.renyi"),
    source=NOTE,
    formula=r"\max_i \; D_{\lambda}\left( \frac{k_i \lceil \eta_i N_i \rceil}{N_i}, "
    r"\frac{k_i}{N_i} \right)",
    within=AT_LEAST_ZERO,
    conditions=(_LENGTHS,),
    rises=("order", each("k")),
    falls=each("eta"),
)
def renyi(k: KS, eta: ETAS, N: RECORDS, order: Order) -> arb | Fraction:
    """Renyi divergence of the whole model: the largest of the rows' dominating pairs."""
    return _largest_of(worst_pairs(k, eta, N), profile.renyi, order)


@quantity(
    "markov.model.k_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    formula=r"k_i = \max \left\{ k : \delta\left( \frac{k \lceil \eta_i N_i \rceil}{N_i}, "
    r"\frac{k}{N_i}, \varepsilon \right) \le \delta \right\}",
    within=AT_LEAST_ZERO,
    conditions=(
        SameLength.of("eta", "N"),
        EachRow.of(ROOM_FOR_A_RECORD),
        EachRow.of(
            Condition(
                "delta > e^(-c epsilon)/(1 + 2c), c = ceil(eta N)", is_reachable, MONOTONE_NOTE
            )
        ),
    ),
    shape=Shape.VECTOR,
    rises=UNKNOWN,
    quick="N <= 100",
    slow=True,
)
def k_for_dp(
    eta: ETAS_ALONE, N: FEW_RECORDS, epsilon: NonNegative, delta: OpenProbability
) -> tuple[arb, ...]:
    """Largest k of each row whose release keeps (epsilon, delta), where a record can move.

    With these the whole model is. k_i/N_i depends on c_i = ceil(eta_i N_i) alone.
    """
    least = [smallest_count(*row) for row in zip(eta, N, strict=True)]
    each: dict[int, arb] = {}
    for count in set(least):
        check_budget()
        each[count] = largest_k(Fraction(count), Fraction(1), epsilon, delta)
    return tuple(ball(size) * each[count] for count, size in zip(least, N, strict=True))


_Ends: TypeAlias = tuple[arb, arb]
_TWO = 2  # categories, fewer than which no Dirichlet law has


def feasible(row: Whole) -> int:
    """Return how many transitions were seen, n_i."""
    return sum(1 for count in row if count)


def least_positive(row: Whole) -> int:
    """Return the least positive count, c_i; there is one."""
    return min(count for count in row if count)


def _constant_row(counts: tuple[Whole, ...]) -> int:
    """Return the first row, counted from 1, with a single feasible transition; 0 without one."""
    return next((at for at, row in enumerate(counts, 1) if feasible(row) < _TWO), 0)


_TWO_IN_EACH_ROW = Condition(
    "two feasible transitions or more in each row",
    lambda counts: not _constant_row(counts),
    "a Dirichlet law has two categories or more",
    lambda counts: f"row {_constant_row(counts)} has n = 1, so its release would be constant",
)


@quantity(
    "markov.model.k_minimum",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source="benvenuti2025 Assumption 4",
    formula=r"k_i = \frac{3 N_i}{2 c_i}, \quad c_i = \min_j \{ n_{i j} : n_{i j} > 0 \}",
    conditions=(_TWO_IN_EACH_ROW,),
    shape=Shape.VECTOR,
    rises=UNKNOWN,
)
def k_minimum(counts: COUNTS) -> tuple[Fraction, ...]:
    """Smallest k of each row that benvenuti2025 Assumption 4 admits: 3 N_i / (2 c_i).

    c_i is the least positive count of the row, c_i/N_i the largest eta_i that the row has.
    """
    return tuple(Fraction(3 * sum(row), 2 * least_positive(row)) for row in counts)


def _neighbours(p: Complete) -> tuple[Floored, ...]:
    return tuple(starmap(counts.space_of, zip(p["k"], p["eta"], p["N"], strict=True)))


def _with_records(p: Complete) -> dict[str, Any]:
    """Return a point where a record can move in each row."""
    rows = [
        counts.with_records({"eta": eta, "N": N, "n": n})
        for eta, N, n in zip(p["eta"], p["N"], p["n"], strict=True)
    ]
    return {**p, **{name: tuple(row[name] for row in rows) for name in ("eta", "N")}}


def _seldom_missed(p: Complete) -> dict[str, Any]:
    """Return a point whose good set is seldom missed in any row."""
    rows = zip(p["k"], p["eta"], p["gamma"], strict=True)
    found = [seldom_missed({"k": k, "eta": eta, "gamma": gamma}) for k, eta, gamma in rows]
    return {**p, **{name: tuple(row[name] for row in found) for name in ("k", "gamma")}}


@quantity(
    "markov.model.epsilon_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=f"{PAPER}, equation 6 in each row",
    formula=r"\max_i \left[ \log \frac{B(k_i \eta_i, k_i (1 - 2 \eta_i))}{B(k_i (\eta_i + "
    r"\frac{1}{N_i}), k_i (1 - 2 \eta_i - \frac{1}{N_i}))} + \frac{k_i}{N_i} \log "
    r"\frac{1 - (n_i - 1) \gamma_i}{\gamma_i} \right]",
    conditions=(
        SameLength.of("k", "eta", "N", "n", "gamma"),
        *map(EachRow.of, counts.EPSILON_CONDITIONS),
    ),
    falls=each("gamma"),
    promise=Promise(
        "epsilon",
        _neighbours,
        good_set=GoodSet(
            "markov.model.delta_bound",
            EachRow.of(counts.ROOM_FOR_ONE_RECORD),
            _with_records,
            _seldom_missed,
        ),
    ),
)
def epsilon_bound(k: KS, eta: ETAS, N: RECORDS, n: CATEGORIES, gamma: GAMMAS) -> arb | Fraction:
    """Epsilon that benvenuti2025 Theorem 3 prints: the largest of its rows' by equation 6.

    A row whose counts are all at the floor, N = n eta N, has no neighbour, and its formula may fall
    below 0.
    """
    found = []
    for row in sorted(set(zip(k, eta, N, n, gamma, strict=True))):
        check_budget()
        found.append(counts.epsilon_bound(*row))
    return largest(found)


@quantity(
    "markov.model.delta_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=f"{PAPER}, equation 7 in each row",
    formula=r"\max_i \; \max_{p_j \ge \eta_i} P\left( \min_j x_j < \gamma_i \right), \quad x "
    r"\sim \mathrm{Dirichlet}(k_i p)",
    within=A_PROBABILITY,
    conditions=(SameLength.of("k", "eta", "n", "gamma"), EachRow.of(counts.BORDERED)),
    rises=each("gamma"),
    quick="k <= 60",
)
def delta_bound(k: FEW_KS, eta: ETAS, n: CATEGORIES, gamma: CHANCES) -> Routed:
    """Largest probability, over rows of shares of at least eta, that a coordinate misses gamma.

    It is the delta of benvenuti2025 Theorem 3, the largest of its rows' by equation 7. Shares are
    multiples of 1/N there, so eta only bounds the smallest one that occurs. Only rows that a
    bracket by incomplete betas leaves in the race are worked out
    (proofs_notes/tail-worst-input.md, bracket).
    """
    rows = sorted(set(zip(k, eta, n, gamma, strict=True)))
    found = [routed(miss) for miss in _in_the_race([counts.worst_miss(*row) for row in rows])]
    ways = ", ".join(dict.fromkeys(answer.route for answer in found))
    return Routed(largest(answer.value for answer in found), ways)


def _in_the_race(misses: list[Miss]) -> list[Miss]:
    """Return the events that are not certainly less probable than another."""
    certain = [miss for miss in misses if miss.known == 1]
    if certain:
        return certain[:1]
    ends = [_bracket(miss) for miss in misses]
    least = ends[0][0]
    for low, _ in ends[1:]:
        least = least.max(low)
    return [miss for miss, (_, high) in zip(misses, ends, strict=True) if not high < least]


def _bracket(miss: Miss) -> _Ends:
    """Return a number that the probability is at least, and one that it is at most."""
    check_budget()
    if miss.known is not None:
        return ball(miss.known), ball(miss.known)
    found = bracket(miss)
    return (found.lower(), found.upper()) if found.is_finite() else (arb(0), arb(1))
