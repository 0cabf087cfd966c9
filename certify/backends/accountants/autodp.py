"""Autodp: the exact Gaussian mechanism, its calibration, and noisy SGD by Renyi divergences."""

from __future__ import annotations

from typing import Any

from autodp import mechanism_zoo, privacy_calibrator

from .accountant import Accountant, version_of


def _gaussian_delta(noise_multiplier: float, epsilon: float) -> Any:
    return mechanism_zoo.ExactGaussianMechanism(noise_multiplier).get_approx_delta(epsilon)


def _gaussian_epsilon(noise_multiplier: float, delta: float) -> Any:
    return mechanism_zoo.ExactGaussianMechanism(noise_multiplier).get_approxDP(delta)


def _gaussian_noise(epsilon: float, delta: float) -> Any:
    return privacy_calibrator.ana_gaussian_mech(epsilon, delta)["sigma"]


def _training_epsilon(
    noise_multiplier: float, sampling_probability: float, steps: int, delta: float
) -> Any:
    training = mechanism_zoo.NoisySGD_Mechanism(sampling_probability, noise_multiplier, steps)
    return training.get_approxDP(delta)


# The Gaussian's epsilon and noise are called exact, and are found to a tolerance; its delta comes,
# as that of noisy SGD does, from Renyi divergences.
backend = Accountant(
    "autodp",
    version_of("autodp"),
    {
        "gaussian.delta": _gaussian_delta,
        "gaussian.epsilon": _gaussian_epsilon,
        "gaussian.noise_multiplier_for_dp": _gaussian_noise,
        "dpsgd.epsilon": _training_epsilon,
    },
    "estimate",
    unlike={"gaussian.delta": "upper", "dpsgd.epsilon": "upper"},
)
