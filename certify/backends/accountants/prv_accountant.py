"""Microsoft's prv_accountant: the upper and the lower ends of its numerical composition."""

from __future__ import annotations

from typing import Any

from prv_accountant import GaussianMechanism, PRVAccountant
from prv_accountant.dpsgd import DPSGDAccountant, find_noise_multiplier

from .accountant import Accountant, version_of

_VERSION = version_of("prv-accountant")
# What is typical in the library's own documentation.
_EPSILON_ERROR, _DELTA_ERROR, _SHARE_OF_DELTA = 0.1, 1e-9, 1e-3
# An answer is a lower end, an estimate and an upper end.
_LOWER, _UPPER = 0, 2


def _gaussian(noise_multiplier: float, delta_error: float) -> Any:
    return PRVAccountant(
        prvs=GaussianMechanism(noise_multiplier),
        max_self_compositions=1,
        eps_error=_EPSILON_ERROR,
        delta_error=delta_error,
    )


def _training(
    noise_multiplier: float, sampling_probability: float, steps: int, delta_error: float
) -> Any:
    return DPSGDAccountant(
        noise_multiplier, sampling_probability, steps, _EPSILON_ERROR, delta_error
    )


def _answers_of(end: int) -> dict[str, Any]:
    def gaussian_delta(noise_multiplier: float, epsilon: float) -> Any:
        return _gaussian(noise_multiplier, _DELTA_ERROR).compute_delta(epsilon, 1)[end]

    def gaussian_epsilon(noise_multiplier: float, delta: float) -> Any:
        found = _gaussian(noise_multiplier, delta * _SHARE_OF_DELTA)
        return found.compute_epsilon(delta, 1)[end]

    def training_delta(epsilon: float, steps: int, **training: Any) -> Any:
        found = _training(**training, steps=steps, delta_error=_DELTA_ERROR)
        return found.compute_delta(epsilon, steps)[end]

    def training_epsilon(delta: float, steps: int, **training: Any) -> Any:
        found = _training(**training, steps=steps, delta_error=delta * _SHARE_OF_DELTA)
        return found.compute_epsilon(delta, steps)[end]

    return {
        "gaussian.delta": gaussian_delta,
        "gaussian.epsilon": gaussian_epsilon,
        "dpsgd.delta": training_delta,
        "dpsgd.epsilon": training_epsilon,
    }


def _training_noise(sampling_probability: float, steps: int, epsilon: float, delta: float) -> Any:
    return find_noise_multiplier(sampling_probability, steps, epsilon, delta)


upper = Accountant(
    "prv_accountant, upper ends",
    _VERSION,
    {**_answers_of(_UPPER), "dpsgd.noise_multiplier_for_dp": _training_noise},
    "upper",
)
lower = Accountant("prv_accountant, lower ends", _VERSION, _answers_of(_LOWER), "lower")
