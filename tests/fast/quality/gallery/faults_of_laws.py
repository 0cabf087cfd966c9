"""Faults on the safe side, which no comparison with the truth shows: laws alone find them."""

from __future__ import annotations

import math
import random
from typing import Any

from scipy.special import betainc
from simplexcert.certify.backends.float64 import backend as float64

from .entries import Answer, Entry, fault, faulty, up

DELTA = "dirichlet.profile.delta"
EPSILON = "dirichlet.profile.epsilon"
RENYI = "dirichlet.profile.renyi"
TOTAL_VARIATION = "dirichlet.profile.total_variation"
STEP_FOR_DP = "dirichlet.profile.step_for_dp"
STEP_FOR_RENYI = "dirichlet.profile.step_for_renyi"
STATIONARY = "markov.stationary"
COMPOSED = "dirichlet.composition.delta"

_largest: dict[tuple[float, float], float] = {}
_last = {"delta": 0.0}
_calls = {"delta": 0}
_noise = random.Random("noise")  # noqa: S311


def forget() -> None:
    """Empty the caches and begin to count anew, as in a process that has just started."""
    _largest.clear()
    _last["delta"], _calls["delta"] = 0.0, 0
    _noise.seed("noise")


@fault(DELTA, "noise of 1e-12, always upwards", law="determinism")
def noisy_upwards(right: Answer, **given: float) -> float:
    return right(**given) * (1 + 1e-12 * _noise.random())


@fault(DELTA, "each call a little more conservative than the last one", law="determinism")
def drifts_upwards(right: Answer, **given: float) -> float:
    _calls["delta"] += 1
    return right(**given) * (1 + 1e-9 * _calls["delta"])


@fault(DELTA, "a sum that is not set to 0: some of the last answer is left", law="determinism")
def keeps_of_the_last(right: Answer, **given: float) -> float:
    _last["delta"] = right(**given) + 1e-9 * _last["delta"]
    return _last["delta"]


@fault(
    DELTA,
    "a cache without epsilon in its key, which keeps the largest: right at first, then too large",
    law="determinism",
)
def cached_largest(right: Answer, alpha: float, step: float, epsilon: float) -> float:
    found = right(alpha=alpha, step=step, epsilon=epsilon)
    _largest[alpha, step] = max(found, _largest.get((alpha, step), 0.0))
    return _largest[alpha, step]


@fault(STATIONARY, "an iteration from a random start, stopped at 1e-12", law="determinism")
def stationary_from_anywhere(right: Answer, P: Any) -> Any:
    return [share * (1 + 1e-12 * _noise.random()) for share in right(P=P)]


@fault(
    DELTA,
    "a stepwise table on the safe side, that rises with epsilon between its steps",
    law="monotone",
)
def rises_with_epsilon(right: Answer, epsilon: float, **rest: float) -> float:
    return right(epsilon=epsilon, **rest) * (1.5 + 0.5 * math.sin(1e3 * epsilon))


@fault(TOTAL_VARIATION, "given up for a floor above 500: 1, which is safe", law="monotone")
def gives_up_on_large_floors(right: Answer, alpha: float, step: float) -> float:
    return 1.0 if alpha > 500 else right(alpha=alpha, step=step)


@fault(
    STEP_FOR_DP,
    "a jump at the edge: a tenth of the step at alpha = 1000",
    law="monotone",
    cases=50,
)
def jumps_at_the_edge(right: Answer, alpha: float, **rest: float) -> float:
    return right(alpha=alpha, **rest) * (0.1 if alpha >= 1000 else 1.0)


@fault(
    STEP_FOR_RENYI,
    "a corner, large epsilon and order, that is given up: a thousandth of the step",
    law="monotone",
    cases=60,
)
def given_up_in_a_corner(right: Answer, epsilon: float, order: float, **rest: float) -> float:
    found: float = right(epsilon=epsilon, order=order, **rest)
    return found / (1000 if epsilon > 10 and order > 2 else 1)


@fault(COMPOSED, "a bound that depends on which release comes first", law="monotone", cases=60)
def composition_by_its_first(right: Answer, releases: Any, epsilon: float) -> float:
    found: float = right(releases=releases, epsilon=epsilon)
    return found * (1.3 if releases[0] > releases[-1] else 1.0)


@fault(
    "pufferfish.quilt_scale_exact",
    "no search where quilts may be wide: twice what the trivial one asks",
    law="monotone",
)
def quilt_given_up(right: Answer, length: int, epsilon: float, width: int, **rest: Any) -> float:
    if width > 4:
        return 2 * length / epsilon
    return float(right(length=length, epsilon=epsilon, width=width, **rest))


@fault(DELTA, "a probability above 1", law="limit")
def above_one(right: Answer, **given: float) -> float:
    return 2 * right(**given)


@fault(TOTAL_VARIATION, "in percent", law="limit")
def total_variation_in_percent(right: Answer, **given: float) -> float:
    return 100 * right(**given)


@fault("dirichlet.counts.delta_bound", "the union bound, not cut off at 1", law="limit")
def union_without_end(right: Answer, k: float, eta: float, n: int, gamma: float) -> float:
    alone = betainc(k * eta, k - k * eta, gamma)
    return max(float(n * alone), right(k=k, eta=eta, n=n, gamma=gamma))


@fault(DELTA, "delta does not tend to 0: never below 0.05", law="limit")
def delta_with_a_floor(right: Answer, **given: float) -> float:
    return max(right(**given), 0.05)


@fault(
    "dirichlet.add_remove.epsilon",
    "the limit at delta 1 forgotten: at least 0.1 everywhere",
    law="limit",
)
def epsilon_without_its_end(right: Answer, **given: float) -> float:
    return max(right(**given), 0.1)


@fault(
    STEP_FOR_DP,
    "a thousandth of the largest step: safe and of no use",
    law="inverse",
    cases=40,
    beside=(DELTA,),
)
def step_needlessly_small(right: Answer, **given: float) -> float:
    return right(**given) / 1000


@fault(STEP_FOR_DP, "always 0: safe and of no use", law="inverse", beside=(DELTA,))
def step_of_nothing(_right: Answer, **_given: float) -> float:
    return 0.0


@fault(
    EPSILON,
    "four times as much for a delta below 1e-6",
    law="inverse",
    beside=(DELTA,),
)
def epsilon_far_off_for_small_delta(right: Answer, delta: float, **rest: float) -> float:
    return right(delta=delta, **rest) * (4 if delta < 1e-6 else 1)


@fault(
    "dirichlet.average.k_for_dp",
    "N is ignored: calibrated as if a single vector were released",
    law="inverse",
    cases=40,
    beside=(DELTA,),
)
def k_without_number(right: Answer, N: int, **rest: float) -> float:
    """What one vector needs is enough for N, but the domain asks more of it."""
    try:
        found = float(right(N=1, **rest))
    except ValueError:
        return float(right(N=N, **rest))
    return found if math.isfinite(found) else float(right(N=N, **rest))


@fault(
    STEP_FOR_RENYI,
    "the order is ignored: safe for all orders that are searched",
    law="inverse",
    cases=40,
    beside=(RENYI,),
)
def step_for_all_orders(right: Answer, order: float, **rest: float) -> float:
    return right(order=max(order, 100.0), **rest)


@fault(
    "dirichlet.counts.gamma",
    "n is ignored: as many categories as eta leaves room for",
    law="inverse",
    cases=40,
    beside=("dirichlet.counts.delta_bound",),
)
def gamma_for_all_categories(right: Answer, eta: float, n: int, **rest: float) -> float:
    """50 at most, as are searched."""
    most = min(math.floor(1 / eta), 50)
    return right(eta=eta, n=max(n, most - (most * eta > 1)), **rest)


def _never(**_given: Any) -> float:
    return 0.0


# Either answer alone is held against its own truth; what both promise together, only by neighbours.
faulty.put(
    Entry(
        "good_set_never_missed",
        {
            "dirichlet.identity.epsilon_bound": float64.quantities[
                "dirichlet.identity.epsilon_bound"
            ],
            "dirichlet.identity.delta_bound": _never,
        },
        "the printed epsilon with a chance of 0 of missing the good set: pure privacy",
        law="adjacency",
    )
)


def _understated(quantity: str, label: str = "") -> None:
    """Put a backend on the shelf that answers 0 for a printed epsilon, and nothing else."""
    own = f"{quantity.split('.')[1]}_{quantity.rsplit('_', maxsplit=1)[-1]}"
    faulty.put(
        Entry(
            f"nothing_lost_by_{label or own}",
            {quantity: _never},
            f"an epsilon of 0 for {quantity}, whose chance is not answered",
            cases=40,
            law="adjacency",
        )
    )


for _printed in (
    "dirichlet.identity.epsilon_bound",
    "dirichlet.identity.epsilon_simplified",
    "dirichlet.average.epsilon_bound",
    "dirichlet.counts.epsilon_bound",
    "dirichlet.matrix.epsilon_bound",
):
    _understated(_printed)
_understated("dirichlet.counts.epsilon_minimum", "counts_minimum")
_understated("markov.model.epsilon_bound", "model")
_understated("markov.model.merged_epsilon", "merged_model")


def _without_noise(quantity: str) -> None:
    """Put a backend on the shelf that answers 0 for a scale or an epsilon of Laplace noise."""
    faulty.put(
        Entry(
            f"nothing_for_{quantity.split('.')[1]}",
            {quantity: _never},
            f"0 for {quantity}, whatever is asked",
            cases=20,
            law="adjacency",
        )
    )


def _halved(quantity: str) -> None:
    """Put a backend on the shelf that answers half of what is printed."""

    def half(**given: Any) -> float:
        known = float64.quantities.get(quantity)
        return (up(quantity, **given) if known is None else float(known(**given))) / 2

    faulty.put(
        Entry(
            f"half_of_{quantity.split('.')[1]}",
            {quantity: half},
            f"half of {quantity}",
            cases=40,
            law="adjacency",
        )
    )


_without_noise("pufferfish.gk16_scale")
for _printed in (
    "pufferfish.network_epsilon",
    "pufferfish.network_scale",
    "pufferfish.quilt_epsilon",
    "pufferfish.quilt_scale_approx",
    "pufferfish.quilt_scale_approx_stationary",
    "pufferfish.quilt_scale_contraction",
    "pufferfish.quilt_scale_exact",
    "pufferfish.quilt_scale_pieces",
    "pufferfish.quilt_scale_two_state",
    "pufferfish.wasserstein_scale",
):
    _without_noise(_printed)
    _halved(_printed)
