"""What an answer promises of neighbours: who they are, and what they lose at most.

An answer completes the parameters of its quantity: a delta those of (alpha, step, epsilon), a k
those of (eta, b, epsilon, delta). Complete, they say that no two neighbours lose more than
``delta`` at ``epsilon``, or have a larger Renyi divergence than ``limit`` at ``order``.

Each is proved to hold of every answer on the safe side of the truth: of floor and step in
proofs_notes/dominating-pair.md and add-remove.md (smaller steps and larger floors lose less), of
sensitivities in renyi-calibration.md; and of the printed epsilon with the delta of the good set in
good-set-epsilon.md, where ``holds`` says that its conditions are met. Several releases lose
together no less than one of them alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, TypeAlias

from ....reference.adjacency import Floored, Grown, Neighbourhood, Released, Sensitive

Complete: TypeAlias = Mapping[str, Any]

PAIR_DELTA, DIVERGENCE = "dirichlet.pair.delta", "dirichlet.renyi.divergence"


@dataclass(frozen=True)
class GoodSet:
    """The chance that belongs to a printed epsilon, and where both together are proved.

    ``admitted`` moves a point to where they are, if it is not there.
    """

    delta: str
    names: tuple[str, ...]
    holds: Callable[[Complete], bool]
    admitted: Callable[[Complete], dict[str, Any]]


@dataclass(frozen=True)
class Promise:
    """How a quantity's answer is called among the complete parameters, and what these promise."""

    answer: str
    spaces: Callable[[Complete], tuple[Neighbourhood, ...]]
    limit: str = "delta"
    good_set: GoodSet | None = None

    @property
    def loss(self) -> str:
        """The quantity that says what two neighbours lose."""
        return PAIR_DELTA if self.limit == "delta" else DIVERGENCE

    @property
    def at(self) -> str:
        """The parameter at which they lose it."""
        return "epsilon" if self.limit == "delta" else "order"


def _profile(p: Complete) -> tuple[Neighbourhood, ...]:
    return (Floored(p["alpha"], p["step"]),)


def _add_remove(p: Complete) -> tuple[Neighbourhood, ...]:
    return (Grown(p["alpha"], p["step"]),)


def _releases(p: Complete) -> tuple[Neighbourhood, ...]:
    return tuple(Floored(alpha, step) for alpha, step, _ in p["releases"])


def _identity(p: Complete) -> tuple[Neighbourhood, ...]:
    return (Floored(p["k"] * p["eta"], p["k"] * p["b"] / 2),)


def _average(p: Complete) -> tuple[Neighbourhood, ...]:
    return (Floored(p["k"] * p["eta"], p["k"] * p["b"] / (2 * p["N"])),)


def _counts(p: Complete) -> tuple[Neighbourhood, ...]:
    return (Floored(p["k"] * Fraction(_least(p), p["N"]), p["k"] / p["N"]),)


def _least(p: Complete) -> int:
    """Return the smallest count."""
    return ceil(Fraction(p["eta"]) * int(p["N"]))


def _sensitive(p: Complete) -> tuple[Neighbourhood, ...]:
    norms = Sensitive(p["delta2_squared"], p["delta_inf"])
    return (Released(p["alpha"], p["step"], norms),)


def _calibrated(p: Complete) -> tuple[Neighbourhood, ...]:
    """ponnoprat2023 Algorithm 1, line 2."""
    return _sensitive({**p, "alpha": 1 + 4 * (p["order"] - 1) * p["step"] * p["delta_inf"]})


def _a_step_fits(p: Complete) -> bool:
    """Whether a whole step has room in the bordered simplex, and is the worst: good-set-epsilon."""
    step = p["b"] / (2 * p.get("N", 1))
    fits = step <= 1 - p["eta_bar"] - p["w"] * p["eta"]
    return bool(fits and 2 * (p["eta"] + step) <= 1 - p["eta_bar"])


def _with_room(p: Complete) -> dict[str, Any]:
    """Return a point where a whole step fits: 2 (1/16 + 1/4) <= 3/4, 1/4 <= 3/4 - 1/8."""
    return {
        **p,
        "eta": min(p["eta"], 1 / (8 * p["w"])),
        "eta_bar": min(p["eta_bar"], 0.25),
        "b": min(p["b"], 0.5),
    }


def _a_record_can_move(p: Complete) -> bool:
    return bool(p["n"] * _least(p) < p["N"])


def _with_records(p: Complete) -> dict[str, Any]:
    """Return a point where a record can move: n (N/(8n) + 1) <= N/8 + N/4 < N."""
    return {**p, "eta": min(p["eta"], 1 / (8 * p["n"])), "N": max(p["N"], 4 * p["n"])}


_BORDERED = GoodSet(
    "dirichlet.identity.delta_bound", ("k", "eta", "w", "gamma"), _a_step_fits, _with_room
)
_COUNTED = GoodSet(
    "dirichlet.counts.delta_bound", ("k", "eta", "n", "gamma"), _a_record_can_move, _with_records
)

PROMISES: Mapping[str, Promise] = {
    "dirichlet.profile.delta": Promise("delta", _profile),
    "dirichlet.profile.total_variation": Promise("delta", _profile),
    "dirichlet.profile.epsilon": Promise("epsilon", _profile),
    "dirichlet.profile.step_for_dp": Promise("step", _profile),
    "dirichlet.profile.renyi": Promise("limit", _profile, "limit"),
    "dirichlet.profile.step_for_renyi": Promise("step", _profile, "epsilon"),
    "dirichlet.add_remove.delta": Promise("delta", _add_remove),
    "dirichlet.add_remove.epsilon": Promise("epsilon", _add_remove),
    "dirichlet.add_remove.step_for_dp": Promise("step", _add_remove),
    "dirichlet.add_remove.renyi": Promise("limit", _add_remove, "limit"),
    "dirichlet.add_remove.step_for_renyi": Promise("step", _add_remove, "epsilon"),
    "dirichlet.composition.delta": Promise("delta", _releases),
    "dirichlet.composition.epsilon": Promise("epsilon", _releases),
    "dirichlet.identity.k_for_dp": Promise("k", _identity),
    "dirichlet.average.k_for_dp": Promise("k", _average),
    "dirichlet.counts.k_for_dp": Promise("k", _counts),
    "dirichlet.matrix.delta": Promise("delta", _identity),
    "dirichlet.identity.epsilon_bound": Promise("epsilon", _identity, good_set=_BORDERED),
    "dirichlet.average.epsilon_bound": Promise("epsilon", _average, good_set=_BORDERED),
    "dirichlet.counts.epsilon_bound": Promise("epsilon", _counts, good_set=_COUNTED),
    "dirichlet.renyi.epsilon_bound": Promise("limit", _calibrated, "limit"),
    "dirichlet.renyi.epsilon_bound_alpha": Promise("limit", _sensitive, "limit"),
    "dirichlet.renyi.epsilon_sensitivity": Promise("limit", _sensitive, "limit"),
    "dirichlet.renyi.step": Promise("step", _calibrated, "epsilon"),
}
