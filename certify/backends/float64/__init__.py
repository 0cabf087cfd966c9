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

from . import (
    add_remove,
    composition,
    dpsgd,
    gaussian,
    good_set,
    inverses,
    kl_tail,
    laplace,
    markov,
    matrix,
    mixtures,
    pair_delta,
    permute_and_flip,
    profile,
    pufferfish,
    renyi,
    renyi_to_dp,
    tails,
    utility,
)
from .elementwise import Answering, elementwise, one_by_one

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Float64Backend", "backend"]


def _version() -> str:
    try:
        return version("simplexcert")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "unknown"


_QUANTITIES: dict[str, Answering] = {
    "composition.delta": one_by_one(mixtures.delta),
    "composition.epsilon": one_by_one(mixtures.epsilon),
    "dirichlet.profile.delta": elementwise(profile.delta),
    "dirichlet.profile.epsilon": elementwise(inverses.epsilon),
    "dirichlet.profile.renyi": elementwise(renyi.renyi),
    "dirichlet.profile.total_variation": elementwise(profile.total_variation),
    "dirichlet.profile.step_for_dp": elementwise(inverses.step_for_dp),
    "dirichlet.profile.largest_order": elementwise(renyi.largest_order),
    "dirichlet.profile.step_for_renyi": elementwise(renyi.step_for_renyi),
    "dirichlet.identity.epsilon_bound": elementwise(good_set.identity_epsilon),
    "dirichlet.identity.epsilon_simplified": elementwise(good_set.identity_simplified),
    "dirichlet.identity.delta_bound": elementwise(tails.identity_delta),
    "dirichlet.identity.gamma": elementwise(tails.identity_gamma),
    "dirichlet.identity.k_for_dp": elementwise(inverses.identity_k),
    "dirichlet.average.epsilon_bound": elementwise(good_set.average_epsilon),
    "dirichlet.average.k_for_dp": elementwise(inverses.average_k),
    "dirichlet.counts.epsilon_bound": elementwise(good_set.counts_epsilon),
    "dirichlet.counts.epsilon_minimum": elementwise(good_set.counts_minimum),
    "dirichlet.counts.delta_bound": elementwise(tails.counts_delta),
    "dirichlet.counts.gamma": elementwise(tails.counts_gamma),
    "dirichlet.counts.k_for_dp": elementwise(inverses.counts_k),
    "dirichlet.tail.uniform": elementwise(tails.uniform),
    "dirichlet.tail.general": one_by_one(tails.general),
    "dirichlet.pair.delta": one_by_one(pair_delta.delta),
    "dirichlet.composition.delta": one_by_one(composition.delta),
    "dirichlet.composition.epsilon": one_by_one(composition.epsilon),
    "dirichlet.matrix.epsilon_bound": one_by_one(matrix.epsilon_bound),
    "dirichlet.matrix.delta_bound": one_by_one(matrix.delta_bound),
    "dirichlet.matrix.delta": elementwise(matrix.delta),
    "dirichlet.renyi.divergence": one_by_one(renyi.divergence),
    "dirichlet.renyi.epsilon_bound": elementwise(renyi.epsilon_bound),
    "dirichlet.renyi.epsilon_bound_alpha": elementwise(renyi.epsilon_bound_alpha),
    "dirichlet.renyi.epsilon_sensitivity": elementwise(renyi.epsilon_sensitivity),
    "dirichlet.renyi.step": elementwise(renyi.step),
    "dirichlet.renyi.to_approximate_dp": elementwise(renyi.to_approximate_dp),
    "dirichlet.add_remove.delta": elementwise(add_remove.delta),
    "dirichlet.add_remove.epsilon": elementwise(add_remove.epsilon),
    "dirichlet.add_remove.renyi": elementwise(add_remove.renyi),
    "dirichlet.add_remove.step_for_dp": elementwise(add_remove.step_for_dp),
    "dirichlet.add_remove.step_for_renyi": elementwise(add_remove.step_for_renyi),
    "dirichlet.utility.absolute_deviation": elementwise(utility.absolute_deviation),
    "dirichlet.utility.absolute_deviation_bound": elementwise(utility.absolute_deviation_bound),
    "dirichlet.utility.expected_kl": one_by_one(utility.expected_kl),
    "dirichlet.utility.expected_kl_bound": elementwise(utility.expected_kl_bound),
    "dirichlet.utility.expected_kl_prior": one_by_one(utility.expected_kl_prior),
    "dirichlet.utility.expected_kl_worst": elementwise(utility.expected_kl_worst),
    "dirichlet.utility.kl_chernoff": one_by_one(kl_tail.kl_chernoff),
    "dirichlet.utility.kl_tail": one_by_one(kl_tail.kl_tail),
    "dirichlet.utility.kl_tail_bound": elementwise(utility.kl_tail_bound),
    "dirichlet.utility.kl_variance_prior": one_by_one(utility.kl_variance_prior),
    "dirichlet.utility.variance": elementwise(utility.variance),
    "dpsgd.delta": one_by_one(dpsgd.delta),
    "dpsgd.epsilon": one_by_one(dpsgd.epsilon),
    "gaussian.delta": elementwise(gaussian.delta),
    "gaussian.epsilon": elementwise(gaussian.epsilon),
    "gaussian.noise_multiplier_for_dp": elementwise(gaussian.noise_multiplier_for_dp),
    "gaussian.renyi": elementwise(gaussian.renyi),
    "laplace.delta": elementwise(laplace.delta),
    "laplace.epsilon": elementwise(laplace.epsilon),
    "laplace.noise_multiplier_for_dp": elementwise(laplace.noise_multiplier_for_dp),
    "laplace.renyi": elementwise(laplace.renyi),
    "permute_and_flip.delta": elementwise(permute_and_flip.delta),
    "permute_and_flip.epsilon": elementwise(permute_and_flip.epsilon),
    "permute_and_flip.largest_loss_for_dp": elementwise(permute_and_flip.largest_loss_for_dp),
    "renyi.epsilon_for_dp": elementwise(renyi_to_dp.epsilon_for_dp),
    **{name: one_by_one(each) for name, each in markov.ANSWERS.items()},
    **{name: one_by_one(each) for name, each in pufferfish.ANSWERS.items()},
}
# Largest relative distance from the truth, on the safe side, over the registry's search ranges.
# Left out: what underflows there (delta), and what is ill-conditioned at an end of its range
# (epsilon near the total variation, steps and k as delta nears 1 or its floor, epsilon bounds
# whose two parts cancel).
_ACCURACY: dict[str, float] = {
    "dirichlet.profile.renyi": 1e-13,
    "dirichlet.profile.total_variation": 1e-11,
    "dirichlet.profile.step_for_renyi": 1e-13,
    "dirichlet.renyi.epsilon_bound": 1e-13,
    "dirichlet.renyi.epsilon_bound_alpha": 1e-13,
    "dirichlet.renyi.epsilon_sensitivity": 1e-13,
    "dirichlet.renyi.step": 1e-13,
    "dirichlet.add_remove.renyi": 1e-13,
    "dirichlet.add_remove.step_for_renyi": 1e-13,
    "dirichlet.utility.absolute_deviation": 1e-12,
    "dirichlet.utility.absolute_deviation_bound": 1e-12,
    "dirichlet.utility.expected_kl": 1e-12,
    "dirichlet.utility.expected_kl_bound": 1e-12,
    "dirichlet.utility.expected_kl_prior": 1e-12,
    "dirichlet.utility.expected_kl_worst": 1e-12,
    "dirichlet.utility.kl_variance_prior": 1e-12,
    "dirichlet.utility.variance": 1e-12,
    "gaussian.renyi": 1e-13,
    "laplace.noise_multiplier_for_dp": 1e-14,
    "laplace.renyi": 1e-13,
    "markov.certificate_ergodicity": 1e-13,
    "markov.certificate_stationary": 1e-11,
    "markov.condition_number": 1e-13,
    "markov.dobrushin_coefficient": 1e-13,
    "markov.ergodicity_coefficient": 1e-13,
    "markov.fundamental": 1e-13,
    "markov.fundamental_norm": 1e-13,
    "markov.group_inverse": 1e-13,
    "markov.stationary": 1e-13,
    "pufferfish.closeness": 1e-13,
    "pufferfish.entry_scale": 1e-15,
    "pufferfish.gk16_scale": 1e-12,
    "pufferfish.group_scale": 1e-15,
    "pufferfish.max_divergence": 1e-13,
    "pufferfish.quilt_scale_approx": 1e-12,
    "pufferfish.quilt_scale_approx_stationary": 1e-12,
    "pufferfish.quilt_scale_two_state": 1e-12,
    "pufferfish.stationary_minimum": 1e-14,
    "pufferfish.wasserstein": 1e-15,
    "pufferfish.wasserstein_scale": 1e-15,
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
