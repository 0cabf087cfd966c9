"""Privacy of a chain that is counted from records: the largest loss of one row is that of all.

Row i holds the shares of N_i records over its n_i feasible transitions, each share at least eta_i,
and is released as Dirichlet(k_i shares), rows independently (benvenuti2025 Algorithm 2). Which
transitions are feasible is public, and so is every N_i. Neighbouring data differ in one record,
which keeps its row and changes its category. So one row differs, the draws of the others have one
law on both sides, and the exact delta is the largest of the rows' own
(proofs_notes/markov-model.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import starmap
from math import ceil

from flint import arb

from ...arb.balls import ball
from ...dirichlet import profile
from ...dirichlet.calibration import largest_k, some_k_reaches
from ...dirichlet.counts import ROOM_FOR_A_RECORD, record_can_move, smallest_count
from ...dirichlet.profile import MONOTONE_NOTE
from ...domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    Condition,
    NonNegative,
    OpenProbability,
    Order,
    Parameters,
    Probability,
)
from ...enclosure import Trilean
from ...precision import check_budget
from ...quantity import LeastSound, Shape, Side, Truth, quantity
from ...relations import UNKNOWN, InverseOf, each
from .each_row import EachRow, SameLength
from .row_lists import ETAS, ETAS_ALONE, FEW_RECORDS, KS, NOTE, RECORDS, largest

LENGTHS = SameLength.of("k", "eta", "N")


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
    within=A_PROBABILITY,
    conditions=(LENGTHS,),
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
    within=AT_LEAST_ZERO,
    conditions=(LENGTHS,),
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
    within=AT_LEAST_ZERO,
    conditions=(LENGTHS,),
    rises=("order", each("k")),
    falls=each("eta"),
)
def renyi(k: KS, eta: ETAS, N: RECORDS, order: Order) -> arb | Fraction:
    """Renyi divergence of the whole model: the largest of the rows' dominating pairs."""
    return _largest_of(worst_pairs(k, eta, N), profile.renyi, order)


def _reachable(eta: Fraction, N: int, epsilon: Fraction, delta: Fraction) -> Trilean:
    return some_k_reaches(Fraction(smallest_count(eta, N)), epsilon, delta)


@quantity(
    "markov.model.k_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    within=AT_LEAST_ZERO,
    conditions=(
        SameLength.of("eta", "N"),
        EachRow.of(ROOM_FOR_A_RECORD),
        EachRow.of(
            Condition("delta > e^(-c epsilon)/(1 + 2c), c = ceil(eta N)", _reachable, MONOTONE_NOTE)
        ),
    ),
    shape=Shape.VECTOR,
    rises=UNKNOWN,
    quick="N <= 100",
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
