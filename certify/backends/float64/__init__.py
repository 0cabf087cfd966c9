"""The built-in backend: float64, vectorised, always on the safe side.

Upper quantities are answered at or above the truth and lower ones at or below it, for the exact
numbers that the given doubles are; no slack is asked. Each module states its formulas and where
their error bounds come from. Nothing here imports the reference, which is what judges it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import TYPE_CHECKING

from . import good_set, good_set_closed, inverses, profile, renyi, tail_bounds, tails
from .elementwise import Answering, elementwise

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Float64Backend", "backend"]


def _version() -> str:
    try:
        return version("simplexcert")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "unknown"


_QUANTITIES: dict[str, Answering] = {
    "dirichlet.profile.delta": elementwise(profile.delta),
    "dirichlet.profile.epsilon": elementwise(inverses.epsilon),
    "dirichlet.profile.renyi": elementwise(renyi.renyi),
    "dirichlet.profile.total_variation": elementwise(profile.total_variation),
    "dirichlet.profile.step_for_dp": elementwise(inverses.step_for_dp),
    "dirichlet.profile.step_for_renyi": elementwise(renyi.step_for_renyi),
    "dirichlet.identity.epsilon_bound": elementwise(good_set.identity_epsilon),
    "dirichlet.identity.epsilon_simplified": elementwise(good_set_closed.identity_simplified),
    "dirichlet.identity.delta_bound": elementwise(tail_bounds.identity_delta),
    "dirichlet.identity.gamma": elementwise(tail_bounds.identity_gamma),
    "dirichlet.identity.k_for_dp": elementwise(inverses.identity_k),
    "dirichlet.average.epsilon_bound": elementwise(good_set.average_epsilon),
    "dirichlet.average.k_for_dp": elementwise(inverses.average_k),
    "dirichlet.counts.epsilon_bound": elementwise(good_set.counts_epsilon),
    "dirichlet.counts.epsilon_minimum": elementwise(good_set_closed.counts_minimum),
    "dirichlet.counts.delta_bound": elementwise(tail_bounds.counts_delta),
    "dirichlet.counts.gamma": elementwise(tail_bounds.counts_gamma),
    "dirichlet.counts.k_for_dp": elementwise(inverses.counts_k),
    "dirichlet.tail.uniform": elementwise(tails.uniform),
    "dirichlet.tail.general": tails.general,
}
# Largest relative distance from the truth, on the safe side, over the registry's search ranges.
# Left out: what underflows there (delta), and what is ill-conditioned at an end of its range
# (epsilon near the total variation, steps and k as delta nears 1 or its floor, epsilon bounds
# whose two parts cancel).
_ACCURACY: dict[str, float] = {
    "dirichlet.profile.renyi": 1e-13,
    "dirichlet.profile.total_variation": 1e-12,
    "dirichlet.profile.step_for_renyi": 1e-13,
}


@dataclass(frozen=True)
class Float64Backend:
    """Names, callables and promises, in the shape that a backend has."""

    name: str
    version: str
    quantities: Mapping[str, Answering]
    accuracy: Mapping[str, float]
    vectorized: bool = True


backend = Float64Backend(
    "simplexcert-float64",
    _version(),
    MappingProxyType(_QUANTITIES),
    MappingProxyType(_ACCURACY),
)
