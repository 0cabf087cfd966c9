"""The identity query of gohari2020: one private vector in the bordered simplex.

W is the set of w protected coordinates. An input p has p_i >= eta on W and sum_W p <= 1 - eta_bar;
neighbours differ in two coordinates of W, by at most b in the 1-norm together, so each by at most
b/2. The release draws Dirichlet(k p).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Annotated, Any

from flint import arb

from ..adjacency import Floored
from ..arb.balls import ball, sharpened
from ..domain import (
    A_PROBABILITY,
    AT_LEAST_ZERO,
    Condition,
    Distance,
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
from .good_set import (
    WORST_STEP,
    WORST_STEP_NOTE,
    good_set_epsilon,
    room_for_good_set,
    seldom_missed,
    whole_step_is_worst,
)
from .pair import Neighbours, Pair, swapped_pair
from .profile import MONOTONE_NOTE, NOTE, largest_k, largest_k_of, some_k_reaches
from .tail import Miss, routed
from .tail.route import COUNT, WORST_INPUT_NOTE, level_of

_THEOREM = "gohari2020 Theorem 1"
_SIMPLIFIED = "gohari2020 Lemma 5 put into Theorem 1"
PROTECTED = Annotated[int, count_from(2, 50, 1_000)]
# As many protected coordinates differ between neighbours.
_TWO = 2

_ROOM_FOR_STEP = Condition(
    "eta + eta_bar + b/2 < 1", lambda eta, eta_bar, b: eta + eta_bar + b / 2 < 1, _THEOREM
)
HYPOTHESES: tuple[Hypothesis, ...] = (
    Hypothesis("w >= 2", lambda w: w >= 2, "gohari2020 Definition 2"),  # noqa: PLR2004
    Hypothesis("b <= 1", lambda b: b <= 1, "gohari2020 Definition 2"),
    Hypothesis(
        "w eta + eta_bar <= 1 (the bordered simplex is not empty)",
        lambda w, eta, eta_bar: w * eta + eta_bar <= 1,
        "gohari2020 Section II",
    ),
    Hypothesis(
        "b/2 <= 1 - eta_bar - w eta (a whole step fits into the bordered simplex)",
        lambda w, eta, eta_bar, b: b / 2 <= 1 - eta_bar - w * eta,
        _THEOREM,
    ),
    Hypothesis(
        f"{WORST_STEP}, s = b/2",
        lambda k, eta, eta_bar, b, w, gamma: whole_step_is_worst(k, eta, eta_bar, b / 2, w, gamma),
        WORST_STEP_NOTE,
    ),
)


SHORT_STEP = Condition(
    "eta + b/2 <= 1 - eta_bar - eta",
    lambda eta, eta_bar, b: eta + b / 2 <= 1 - eta_bar - eta,
    WORST_STEP_NOTE,
)


def neighbours(p: Complete) -> tuple[Floored, ...]:
    """Return who is a neighbour of whom in the parameters k p, without the border above."""
    return (Floored(p["k"] * p["eta"], p["k"] * p["b"] / 2),)


def step_fits(step: Fraction, eta: Fraction, eta_bar: Fraction, w: int) -> bool:
    """Whether a whole step has room in the bordered simplex, and is the worst."""
    return step <= 1 - eta_bar - w * eta and 2 * (eta + step) <= 1 - eta_bar


def with_room(p: Complete) -> dict[str, Any]:
    """Return a point where a whole step fits: 2 (1/16 + 1/4) <= 3/4, 1/4 <= 3/4 - 1/8."""
    return {
        **p,
        "eta": min(p["eta"], 1 / (8 * p["w"])),
        "eta_bar": min(p["eta_bar"], 0.25),
        "b": min(p["b"], 0.5),
    }


def _with_room_for_betas(p: Complete) -> dict[str, Any]:
    """Return a point where Lemma 5 holds as well: k eta >= 1, k (1 - eta_bar - eta) >= 1."""
    point = with_room(p)
    return {**point, "k": max(point["k"], 2 / point["eta"])}


_GOOD_SET = GoodSet(
    "dirichlet.identity.delta_bound",
    Condition(
        "s <= 1 - eta_bar - w eta and 2 (eta + s) <= 1 - eta_bar, s = b/2",
        lambda b, eta, eta_bar, w: step_fits(b / 2, eta, eta_bar, w),
        WORST_STEP_NOTE,
    ),
    with_room,
    seldom_missed,
)


@quantity(
    "dirichlet.identity.epsilon_bound",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_THEOREM,
    formula=r"\log \frac{B(k \eta, k (1 - \bar\eta - \eta))}{B(k (\eta + \frac{b}{2}), k (1 - "
    r"\bar\eta - \eta - \frac{b}{2}))} + \frac{k b}{2} \log \frac{1 - (w - 1) "
    r"\gamma}{\gamma}",
    conditions=(room_for_good_set(_THEOREM), _ROOM_FOR_STEP),
    rises=Trend("k", where=SHORT_STEP),
    falls="eta eta_bar w gamma",
    promise=Promise("epsilon", neighbours, good_set=_GOOD_SET),
)
def epsilon_bound(
    k: Positive, eta: Share, eta_bar: Share, b: Distance, w: PROTECTED, gamma: Share
) -> arb:
    """Epsilon that gohari2020 Theorem 1 prints, for outputs whose coordinates in W reach gamma."""
    return good_set_epsilon(k, eta, eta_bar, b / 2, w, gamma)


@quantity(
    "dirichlet.identity.epsilon_simplified",
    safe=Side.UPPER,
    truth=Truth.PRINTED,
    source=_SIMPLIFIED,
    formula=r"\log \frac{a + c - 1}{(2 a - 1)(2 c - 1)} + a + c - 2 + \frac{k b}{2} \log \frac{1 "
    r"- (w - 1) \gamma}{\gamma}, \quad a = k \eta, \; c = k (1 - \bar\eta - \eta)",
    conditions=(
        room_for_good_set(_SIMPLIFIED),
        _ROOM_FOR_STEP,
        Condition("k eta > 1/2", lambda k, eta: 2 * k * eta > 1, _SIMPLIFIED),
        Condition(
            "k (1 - eta_bar - eta) > 1/2",
            lambda k, eta, eta_bar: 2 * k * (1 - eta_bar - eta) > 1,
            _SIMPLIFIED,
        ),
    ),
    rises="b",
    falls="w gamma",
    promise=Promise(
        "epsilon", neighbours, good_set=replace(_GOOD_SET, admitted=_with_room_for_betas)
    ),
)
def epsilon_simplified(
    k: Positive, eta: Share, eta_bar: Share, b: Distance, w: PROTECTED, gamma: Share
) -> arb:
    """Epsilon of gohari2020 Theorem 1 with both Betas replaced by the bounds of Lemma 5.

    log((a + c - 1)/((2a - 1)(2c - 1))) + a + c - 2 + (k b/2) log((1 - (w - 1) gamma)/gamma) with
    a = k eta, c = k (1 - eta_bar - eta). It bounds the log-ratio on the good set even where the
    printed epsilon does not. The lemma asks for arguments above 1; above 1/2 is enough
    (proofs_notes/good-set-epsilon.md).
    """
    near, far = k * eta, k * (1 - eta_bar - eta)
    above = (near + far - 1) / ((2 * near - 1) * (2 * far - 1))
    ratio = (1 - (w - 1) * gamma) / gamma
    return sharpened(
        lambda: ball(above).log() + ball(near + far - 2) + ball(k * b / 2) * ball(ratio).log()
    )


def worst_miss(k: Fraction, eta: Fraction, w: int, gamma: Fraction) -> Miss:
    """Return the event that the good set is missed from its worst input: all of W at the floor."""
    return Miss(((k * eta, w),), k * (1 - w * eta), gamma)


_BORDERED = Condition("w eta <= 1", lambda w, eta: w * eta <= 1, "gohari2020 Section II")


@quantity(
    "dirichlet.identity.delta_bound",
    safe=Side.UPPER,
    truth=Truth.LEAST,
    source=WORST_INPUT_NOTE,
    formula=r"\max_{p} \; P\left( \min_{i \in W} x_i < \gamma \right), \quad x \sim "
    r"\mathrm{Dirichlet}(k p), \; p_i \ge \eta \text{ on } W",
    within=A_PROBABILITY,
    conditions=(_BORDERED,),
    rises="w gamma",
    falls="eta",
    vanishes="low gamma",
)
def delta_bound(k: Positive, eta: Share, w: COUNT, gamma: Probability) -> Routed:
    """Largest probability, over all inputs, that a coordinate of the output in W misses gamma.

    gohari2020 Theorem 1's delta, one evaluation in place of its minimum over vertices. Also that
    of the average query.
    """
    return routed(worst_miss(k, eta, w, gamma))


@quantity(
    "dirichlet.identity.gamma",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=WORST_INPUT_NOTE,
    formula=r"\max \left\{ \gamma : \max_p P\left( \min_{i \in W} x_i < \gamma \right) \le "
    r"\delta \right\}, \quad x \sim \mathrm{Dirichlet}(k p)",
    within=A_PROBABILITY,
    conditions=(_BORDERED,),
    rises="eta delta",
    falls="w",
    inverse=InverseOf("dirichlet.identity.delta_bound", "delta", "gamma"),
    quick="k >= 0.5, eta >= 0.01",
)
def gamma(k: Positive, eta: Share, w: COUNT, delta: OpenProbability) -> arb:
    """Largest gamma whose good set is missed with probability at most delta.

    gohari2020 equation 16: with it the printed epsilon is smallest. Also that of the average
    query.
    """
    return level_of(lambda level: worst_miss(k, eta, w, level), delta)


def floor_and_step(
    k: Fraction, eta: Fraction, eta_bar: Fraction, b: Fraction, w: int
) -> tuple[Fraction, Fraction]:
    """Return (alpha, step) of the dominating pair, attained for every w >= 2.

    The largest change of a coordinate is b/2 or what the bordered simplex has room for.
    """
    return k * eta, k * min(b / 2, 1 - eta_bar - w * eta)


def worst_pair(k: Fraction, eta: Fraction, eta_bar: Fraction, b: Fraction, w: int) -> Pair:
    """Return floor and step of the release, and the two inputs that attain them.

    There are no two neighbours exactly where w < 2, b = 0 or w eta + eta_bar >= 1
    (proofs_notes/vacuous-claims.md, protected-vectors).
    """
    room = 1 - eta_bar - w * eta
    alpha, step = floor_and_step(k, eta, eta_bar, b, w)
    if room < 0:
        why = f"w eta + eta_bar = {shown(1 - room)} is above 1"
        return Pair(alpha, step, Neighbours.NO_INPUT, why=why)
    if w < _TWO:
        why = f"w = {w}, but they differ in two protected coordinates"
        return Pair(alpha, step, Neighbours.NONE, why=why)
    if b == 0 or room == 0:
        why = "w eta + eta_bar = 1 leaves no room for a change" if b else "b = 0 allows no change"
        return Pair(alpha, step, Neighbours.NONE, why=why)
    return swapped_pair(
        k, eta, step / k, Neighbours.ATTAINED, "eta on the rest of W, what is left outside W"
    )


# What two protected coordinates have room for when eta_bar is next to nothing.
ROOM_FOR_TWO = Condition(
    "2 eta + b/2 <= 1 (room for a whole step; a larger b allows no more than b = 2 (1 - 2 eta))",
    lambda eta, b: 2 * eta + b / 2 <= 1,
    f"{NOTE}, room-for-two",
)


def _reachable(eta: Fraction, b: Fraction, epsilon: Fraction, delta: Fraction) -> Trilean:
    return some_k_reaches(2 * eta / b, epsilon, delta)


@quantity(
    "dirichlet.identity.k_for_dp",
    safe=Side.LOWER,
    truth=Truth.LEAST,
    source=MONOTONE_NOTE,
    formula=r"\max \left\{ k : \delta\left(k \eta, \frac{k b}{2}, \varepsilon\right) \le \delta "
    r"\right\}",
    within=AT_LEAST_ZERO,
    conditions=(
        ROOM_FOR_TWO,
        Condition("delta > e^(-c epsilon)/(1 + 2c), c = 2 eta/b", _reachable, MONOTONE_NOTE),
    ),
    rises="eta epsilon delta",
    falls="b",
    inverse=largest_k_of(lambda p: p["eta"], lambda p: p["b"] / 2),
    promise=Promise("k", neighbours),
    quick="eta <= 0.2, b >= 0.05",
)
def k_for_dp(eta: Share, b: Distance, epsilon: NonNegative, delta: OpenProbability) -> arb:
    """Largest k at which every identity query with this eta and b keeps (epsilon, delta).

    Floor k eta and step k b/2. Two protected coordinates have room for it, as nearly as one likes
    where eta_bar is small; more of them, or a larger eta_bar, may have less and keep a larger k.
    """
    return largest_k(eta, b / 2, epsilon, delta)
