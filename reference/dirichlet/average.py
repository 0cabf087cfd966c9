"""The average query of gohari2020: the mean of N private vectors in the bordered simplex.

Neighbouring collections differ in one vector, and that one as in the identity query, so the mean
changes by at most b/(2N) in a coordinate. (The paper prints b/(2n); Definition 3 takes the 1-norm
over two coordinates of W.) The release draws Dirichlet(k mean).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Annotated

from flint import arb

from ..adjacency import Floored
from ..domain import (
    AT_LEAST_ZERO,
    Condition,
    Distance,
    Hypothesis,
    NonNegative,
    OpenProbability,
    Positive,
    Share,
    count_from,
)
from ..enclosure import Trilean
from ..quantity import Side, Truth, quantity
from ..relations import Complete, GoodSet, Promise, Trend
from . import identity
from .good_set import (
    WORST_STEP,
    WORST_STEP_NOTE,
    good_set_epsilon,
    room_for_good_set,
    seldom_missed,
    whole_step_is_worst,
)
from .pair import Neighbours, Pair, swapped_pair
from .profile import MONOTONE_NOTE, largest_k, largest_k_of, some_k_reaches

_THEOREM = "gohari2020 Theorem 2, with N for n"
_VECTORS = Annotated[int, count_from(1, 1_000, 1_000_000)]

HYPOTHESES: tuple[Hypothesis, ...] = (
    *identity.HYPOTHESES[:3],
    Hypothesis(
        "b/(2N) <= 1 - eta_bar - w eta (a whole step fits into the bordered simplex)",
        lambda w, eta, eta_bar, b, N: b / (2 * N) <= 1 - eta_bar - w * eta,
        _THEOREM,
    ),
    Hypothesis(
        f"{WORST_STEP}, s = b/(2N)",
        lambda k, eta, eta_bar, b, N, w, gamma: whole_step_is_worst(
            k, eta, eta_bar, b / (2 * N), w, gamma
        ),
        WORST_STEP_NOTE,
    ),
)


_SHORT_STEP = Condition(
    "eta + b/(2N) <= 1 - eta_bar - eta",
    lambda eta, eta_bar, b, N: eta + b / (2 * N) <= 1 - eta_bar - eta,
    WORST_STEP_NOTE,
)
_GOOD_SET = GoodSet(
    "dirichlet.identity.delta_bound",
    Condition(
        "s <= 1 - eta_bar - w eta and 2 (eta + s) <= 1 - eta_bar, s = b/(2N)",
        lambda b, N, eta, eta_bar, w: identity.step_fits(b / (2 * N), eta, eta_bar, w),
        WORST_STEP_NOTE,
    ),
    identity.with_room,
    seldom_missed,
)


def _neighbours(p: Complete) -> tuple[Floored, ...]:
    return (Floored(p["k"] * p["eta"], p["k"] * p["b"] / (2 * p["N"])),)


@quantity(
    "dirichlet.average.epsilon_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_THEOREM,
    formula=r"\log \frac{B(k \eta, k (1 - \bar\eta - \eta))}{B(k (\eta + t), k (1 - \bar\eta - "
    r"\eta - t))} + k t \log \frac{1 - (w - 1) \gamma}{\gamma}, \quad t = \frac{b}{2 N}",
    conditions=(
        room_for_good_set(_THEOREM),
        Condition(
            "eta + eta_bar + b/(2N) < 1",
            lambda eta, eta_bar, b, N: eta + eta_bar + b / (2 * N) < 1,
            _THEOREM,
        ),
    ),
    rises=Trend("k", where=_SHORT_STEP),
    falls="eta eta_bar w gamma",
    promise=Promise("epsilon", _neighbours, good_set=_GOOD_SET),
)
def epsilon_bound(
    k: Positive,
    eta: Share,
    eta_bar: Share,
    b: Distance,
    N: _VECTORS,
    w: identity.PROTECTED,
    gamma: Share,
) -> arb:
    """Epsilon that gohari2020 Theorem 2 gives for the mean of N vectors, read with N for n."""
    return good_set_epsilon(k, eta, eta_bar, b / (2 * N), w, gamma)


def floor_and_step(
    k: Fraction,
    eta: Fraction,
    eta_bar: Fraction,
    b: Fraction,
    N: int,
    w: int,
) -> tuple[Fraction, Fraction]:
    """Return (alpha, step) of the dominating pair, attained for every w >= 2."""
    alpha, step = identity.floor_and_step(k, eta, eta_bar, b, w)
    return alpha, step / N


def worst_pair(
    k: Fraction,
    eta: Fraction,
    eta_bar: Fraction,
    b: Fraction,
    N: int,
    w: int,
) -> Pair:
    """Return floor and step of the release, and two means that attain them.

    All vectors but one are at eta in both coordinates; that one is as in the identity query.
    """
    one = identity.worst_pair(k, eta, eta_bar, b, w)
    if one.neighbours is not Neighbours.ATTAINED:
        return replace(one, step=one.step / N)
    return swapped_pair(k, eta, one.step / k / N, one.neighbours, one.others)


def _reachable(
    eta: Fraction,
    b: Fraction,
    N: int,
    epsilon: Fraction,
    delta: Fraction,
) -> Trilean:
    return some_k_reaches(2 * eta * N / b, epsilon, delta)


@quantity(
    "dirichlet.average.k_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    formula=r"\max \left\{ k : \delta\left(k \eta, \frac{k b}{2 N}, \varepsilon\right) \le "
    r"\delta \right\}",
    within=AT_LEAST_ZERO,
    conditions=(
        identity.ROOM_FOR_TWO,
        Condition("delta > e^(-c epsilon)/(1 + 2c), c = 2 eta N/b", _reachable, MONOTONE_NOTE),
    ),
    rises="eta N epsilon delta",
    falls="b",
    inverse=largest_k_of(lambda p: p["eta"], lambda p: p["b"] / (2 * p["N"])),
    promise=Promise("k", _neighbours),
    quick="eta <= 0.2, N <= 20, b >= 0.2",
)
def k_for_dp(
    eta: Share,
    b: Distance,
    N: _VECTORS,
    epsilon: NonNegative,
    delta: OpenProbability,
) -> arb:
    """Largest k at which every average query with this eta, b and N keeps (epsilon, delta).

    Floor k eta and step k b/(2N). Two protected coordinates have room for it, as nearly as one
    likes where eta_bar is small; more of them, or a larger eta_bar, may keep a larger k.
    """
    return largest_k(eta, b / (2 * N), epsilon, delta)
