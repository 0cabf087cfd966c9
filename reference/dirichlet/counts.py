"""The counting query of benvenuti2025: the shares of N records over n categories.

Every share is at least eta, all n coordinates are protected, and neighbouring data sets differ in
one record, which moves 1/N from one category to another. Counts are whole, so the smallest share
that occurs is ceil(eta N)/N. The release draws Dirichlet(k shares).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil
from typing import Annotated, Any

from flint import arb

from ..adjacency import Floored
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    Condition,
    Hypothesis,
    NonNegative,
    OpenProbability,
    Positive,
    Probability,
    Share,
    count_from,
)
from ..enclosure import Trilean
from ..exact import shown
from ..quantity import Routed, Side, Truth, quantity
from ..relations import Complete, GoodSet, InverseOf, Promise, Trend
from .good_set import WORST_STEP_NOTE, good_set_epsilon, seldom_missed
from .pair import Neighbours, Pair, swapped_pair
from .profile import MONOTONE_NOTE, NOTE, largest_k, largest_k_of, some_k_reaches
from .tail import Miss, routed
from .tail.route import WORST_INPUT_NOTE, level_of

_THEOREM = "benvenuti2025 Theorem 1, equation 6"
_RECORDS = Annotated[int, count_from(1, 10_000, 1_000_000)]
_CATEGORIES = Annotated[int, count_from(3, 50, 1_000)]

HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis("n >= 3", lambda n: n >= 3, _THEOREM),  # noqa: PLR2004
    Hypothesis("eta < 1/4", lambda eta: eta < Fraction(1, 4), "benvenuti2025 Assumption 3"),
    Hypothesis("k >= 3/(2 eta)", lambda k, eta: k >= 3 / (2 * eta), "benvenuti2025 Assumption 4"),
    Hypothesis(
        "eta + 1/N <= 1 - (n - 1) eta (one record can move inside the bordered simplex)",
        lambda eta, N, n: eta + Fraction(1, N) <= 1 - (n - 1) * eta,
        _THEOREM,
    ),
)


BORDERED = Condition("n eta <= 1", lambda n, eta: n * eta <= 1, "benvenuti2025 Definition 2")
EPSILON_CONDITIONS: tuple[Condition, ...] = (
    BORDERED,
    Condition("n gamma < 1", lambda n, gamma: n * gamma < 1, _THEOREM),
    Condition(
        "2 eta + 1/N < 1",
        lambda eta, N: 2 * eta + Fraction(1, N) < 1,
        _THEOREM,
    ),
)


_SHORT_STEP = Condition(
    "eta + 1/N <= 1 - 2 eta", lambda eta, N: eta + Fraction(1, N) <= 1 - 2 * eta, WORST_STEP_NOTE
)


def room_for_one_record(n: int, eta: Fraction, N: int) -> bool:
    """Whether one record can move while each of n counts stays at least ceil(eta N)."""
    return n * smallest_count(eta, N) < N


def with_records(p: Complete) -> dict[str, Any]:
    """Return a point where a record can move: n (N/(8n) + 1) <= N/8 + N/4 < N."""
    return {**p, "eta": min(p["eta"], 1 / (8 * p["n"])), "N": max(p["N"], 4 * p["n"])}


ROOM_FOR_ONE_RECORD = Condition(
    "n ceil(eta N) < N (one record can move)", room_for_one_record, WORST_STEP_NOTE
)
_GOOD_SET = GoodSet(
    "dirichlet.counts.delta_bound", ROOM_FOR_ONE_RECORD, with_records, seldom_missed
)


def _at_the_smallest_k(p: Complete) -> dict[str, Any]:
    """Return a point with the k of Assumption 4, which is the least that it allows."""
    return {**p, "k": 3 / (2 * p["eta"])}


def _chance_at_the_smallest_k(p: Complete) -> dict[str, Any]:
    """Return the parameters of the chance there; that k need not be a double."""
    complete = _at_the_smallest_k(p)
    return {name: complete[name] for name in ("k", "eta", "n", "gamma")}


def _smallest_share(p: Complete) -> Fraction:
    """Return the least share that a count can be."""
    return Fraction(smallest_count(p["eta"], p["N"]), p["N"])


def space_of(k: Fraction, eta: Fraction, N: int) -> Floored:
    """Return the parameters of neighbours: a record moves, and every count stays high enough."""
    return Floored(*floor_and_step(k, eta, N))


def _neighbours(p: Complete) -> tuple[Floored, ...]:
    return (space_of(p["k"], p["eta"], p["N"]),)


@quantity(
    "dirichlet.counts.epsilon_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_THEOREM,
    formula=r"\log \frac{B(k \eta, k (1 - 2 \eta))}{B(k (\eta + \frac{1}{N}), k (1 - 2 \eta - "
    r"\frac{1}{N}))} + \frac{k}{N} \log \frac{1 - (n - 1) \gamma}{\gamma}",
    conditions=EPSILON_CONDITIONS,
    rises=Trend("k", where=_SHORT_STEP),
    falls="eta n gamma",
    promise=Promise("epsilon", _neighbours, good_set=_GOOD_SET),
)
def epsilon_bound(
    k: Positive,
    eta: Share,
    N: _RECORDS,
    n: _CATEGORIES,
    gamma: Share,
) -> arb:
    """Epsilon that benvenuti2025 Theorem 1 prints, for outputs whose coordinates reach gamma."""
    return good_set_epsilon(k, eta, eta, Fraction(1, N), n, gamma)


@quantity(
    "dirichlet.counts.epsilon_minimum",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=f"{_THEOREM}, at the smallest k of Assumption 4",
    formula=r"\log \frac{B(k \eta, k (1 - 2 \eta))}{B(k (\eta + \frac{1}{N}), k (1 - 2 \eta - "
    r"\frac{1}{N}))} + \frac{k}{N} \log \frac{1 - (n - 1) \gamma}{\gamma}, \quad k = "
    r"\frac{3}{2 \eta}",
    conditions=EPSILON_CONDITIONS,
    falls="n gamma",
    promise=Promise(
        "epsilon",
        lambda p: _neighbours(_at_the_smallest_k(p)),
        good_set=replace(_GOOD_SET, given=_chance_at_the_smallest_k),
    ),
)
def epsilon_minimum(
    eta: Share,
    N: _RECORDS,
    n: _CATEGORIES,
    gamma: Share,
) -> arb:
    """Epsilon that benvenuti2025 Theorem 1 prints at k = 3/(2 eta), the least it allows.

    Nothing smaller is printed for a larger k if 3 eta + 1/N <= 1, which holds wherever one record
    can move; a smaller k prints less (proofs_notes/good-set-epsilon.md).
    """
    return good_set_epsilon(3 / (2 * eta), eta, eta, Fraction(1, N), n, gamma)


def worst_miss(k: Fraction, eta: Fraction, n: int, gamma: Fraction) -> Miss:
    """Return the event that the good set of all n coordinates is missed from its worst input.

    That is the vertex (eta, ..., eta, 1 - (n - 1) eta).
    """
    floor, largest = k * eta, k * (1 - (n - 1) * eta)
    groups = ((floor, n),) if floor == largest else ((floor, n - 1), (largest, 1))
    return Miss(groups, Fraction(0), gamma)


@quantity(
    "dirichlet.counts.delta_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=WORST_INPUT_NOTE,
    formula=r"\max_{p_i \ge \eta} \; P\left( \min_i x_i < \gamma \right), \quad x \sim "
    r"\mathrm{Dirichlet}(k p)",
    within=A_PROBABILITY,
    conditions=(BORDERED,),
    rises="n gamma",
    falls="eta",
    vanishes="low gamma",
)
def delta_bound(
    k: Positive,
    eta: Share,
    n: _CATEGORIES,
    gamma: Probability,
) -> Routed:
    """Largest probability, over all shares of at least eta, that a coordinate misses gamma.

    benvenuti2025 equation 7, all n coordinates in the good set. Shares are multiples of 1/N, so
    eta only bounds the smallest one that occurs.
    """
    return routed(worst_miss(k, eta, n, gamma))


@quantity(
    "dirichlet.counts.gamma",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=WORST_INPUT_NOTE,
    formula=r"\max \left\{ \gamma : \max_{p_i \ge \eta} P\left( \min_i x_i < \gamma \right) \le "
    r"\delta \right\}, \quad x \sim \mathrm{Dirichlet}(k p)",
    within=A_PROBABILITY,
    conditions=(BORDERED,),
    rises="eta delta",
    falls="n",
    inverse=InverseOf("dirichlet.counts.delta_bound", "delta", "gamma"),
    quick="k >= 0.5, eta >= 0.01",
)
def gamma(
    k: Positive,
    eta: Share,
    n: _CATEGORIES,
    delta: OpenProbability,
) -> arb:
    """Largest gamma whose good set is missed with probability at most delta."""
    return level_of(lambda level: worst_miss(k, eta, n, level), delta)


def smallest_count(eta: Fraction, N: int) -> int:
    """Return the smallest whole count whose share is at least eta."""
    return ceil(eta * N)


def floor_and_step(
    k: Fraction,
    eta: Fraction,
    N: int,
) -> tuple[Fraction, Fraction]:
    """Return (alpha, step) of the dominating pair, the floor on the lattice of counts."""
    return k * Fraction(smallest_count(eta, N), N), k * Fraction(1, N)


def worst_pair(
    k: Fraction,
    eta: Fraction,
    N: int,
    n: int,
) -> Pair:
    """Return floor and step of the release, and two vectors of shares that attain them.

    With c the smallest count, (c, c + 1) against (c + 1, c) and the other n - 2 counts at least c
    need N >= n c + 1. With n = 2 there is no third count to take up the rest: (c, N - c) and
    (c + 1, N - c - 1) are told, which lose less. There are no two neighbours exactly where n = 1
    or N <= n c (proofs_notes/vacuous-claims.md, counts-of-records).
    """
    alpha, step = floor_and_step(k, eta, N)
    least = smallest_count(eta, N)
    spare = N - n * least
    if spare < 0:
        why = f"N = {shown(N)} records cannot have n = {shown(n)} counts of {shown(least)}"
        return Pair(alpha, step, Neighbours.NO_INPUT, why=why)
    if n == 1:
        why = "n = 1, but they differ in a record's category"
        return Pair(alpha, step, Neighbours.NONE, why=why)
    if spare == 0:
        why = f"N = {shown(N)} = n ceil(eta N), so every count is {shown(least)}"
        return Pair(alpha, step, Neighbours.NONE, why=why)
    attained = n > 2 or spare == 1  # noqa: PLR2004
    pair = swapped_pair(
        k,
        Fraction(least, N),
        Fraction(1, N),
        Neighbours.ATTAINED if attained else Neighbours.BOUNDED,
        f"at least {shown(least)}/{shown(N)} each",
    )
    if not attained:
        rest = N - least
        first, second = (least, rest), (least + 1, rest - 1)
        shares = [(Fraction(one, N), Fraction(other, N)) for one, other in (first, second)]
        pair = replace(pair, first=shares[0], second=shares[1], others="there are none")
    return replace(pair, off_lattice=k * eta if k * eta < alpha else None)


def record_can_move(eta: Fraction, N: int) -> bool:
    """Whether of three categories, and so of as many as there are, two can exchange a record."""
    return 3 * smallest_count(eta, N) < N


ROOM_FOR_A_RECORD = Condition(
    "3 ceil(eta N) < N (of three categories a record can move)",
    record_can_move,
    f"{NOTE}, room-for-two",
)


def is_reachable(eta: Fraction, N: int, epsilon: Fraction, delta: Fraction) -> Trilean:
    """Whether some k reaches delta where shares are counted from N records."""
    return some_k_reaches(Fraction(smallest_count(eta, N)), epsilon, delta)


@quantity(
    "dirichlet.counts.k_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    formula=r"\max \left\{ k : \delta\left(\frac{k \lceil \eta N \rceil}{N}, \frac{k}{N}, "
    r"\varepsilon\right) \le \delta \right\}",
    within=AT_LEAST_ZERO,
    conditions=(
        ROOM_FOR_A_RECORD,
        Condition("delta > e^(-c epsilon)/(1 + 2c), c = ceil(eta N)", is_reachable, MONOTONE_NOTE),
    ),
    rises="eta epsilon delta",
    inverse=largest_k_of(_smallest_share, lambda p: Fraction(1, p["N"])),
    promise=Promise("k", _neighbours),
    quick="eta <= 0.2, N <= 200",
)
def k_for_dp(
    eta: Share,
    N: _RECORDS,
    epsilon: NonNegative,
    delta: OpenProbability,
) -> arb:
    """Largest k whose counting query keeps (epsilon, delta), where a record can move.

    Floor k ceil(eta N)/N and step k/N, whatever the number of categories from 3 on. With 2 of them
    it keeps it as well; a larger k may, too.
    """
    return largest_k(Fraction(smallest_count(eta, N), N), Fraction(1, N), epsilon, delta)
