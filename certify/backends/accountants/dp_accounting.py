"""Google's dp-accounting: Renyi divergences, privacy-loss distributions, the Gaussian's formula."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dp_accounting as library
from dp_accounting import gaussian_mechanism
from dp_accounting import pld as distributions
from dp_accounting import rdp as divergences
from dp_accounting.pld import privacy_loss_distribution

from .accountant import Accountant, version_of

_VERSION = version_of("dp-accounting")


def _training(noise_multiplier: float, sampling_probability: float, steps: int) -> Any:
    noise = library.GaussianDpEvent(noise_multiplier)
    step = library.PoissonSampledDpEvent(sampling_probability, noise)
    return library.SelfComposedDpEvent(step, steps)


def _answers_of(accountant: Callable[[], Any]) -> dict[str, Callable[..., Any]]:
    """Return what an accountant of events answers, and what its calibration finds with it."""

    def gaussian_delta(noise_multiplier: float, epsilon: float) -> Any:
        event = library.GaussianDpEvent(noise_multiplier)
        return accountant().compose(event).get_delta(epsilon)

    def gaussian_epsilon(noise_multiplier: float, delta: float) -> Any:
        event = library.GaussianDpEvent(noise_multiplier)
        return accountant().compose(event).get_epsilon(delta)

    def gaussian_noise(epsilon: float, delta: float) -> Any:
        return library.calibrate_dp_mechanism(accountant, library.GaussianDpEvent, epsilon, delta)

    def training_delta(epsilon: float, **training: Any) -> Any:
        return accountant().compose(_training(**training)).get_delta(epsilon)

    def training_epsilon(delta: float, **training: Any) -> Any:
        return accountant().compose(_training(**training)).get_epsilon(delta)

    def training_noise(epsilon: float, delta: float, **training: Any) -> Any:
        def event(noise_multiplier: float) -> Any:
            return _training(noise_multiplier, **training)

        return library.calibrate_dp_mechanism(accountant, event, epsilon, delta)

    return {
        "gaussian.delta": gaussian_delta,
        "gaussian.epsilon": gaussian_epsilon,
        "gaussian.noise_multiplier_for_dp": gaussian_noise,
        "dpsgd.delta": training_delta,
        "dpsgd.epsilon": training_epsilon,
        "dpsgd.noise_multiplier_for_dp": training_noise,
    }


def _converted(order: float, epsilon: float, delta: float) -> Any:
    return divergences.compute_epsilon([order], [epsilon], delta)[0]


rdp = Accountant(
    "dp-accounting, RdpAccountant",
    _VERSION,
    {**_answers_of(divergences.RdpAccountant), "renyi.epsilon_for_dp": _converted},
    "upper",
)
pld = Accountant(
    "dp-accounting, PLDAccountant", _VERSION, _answers_of(distributions.PLDAccountant), "upper"
)


def _optimistic(noise_multiplier: float, sampling_probability: float = 1.0, steps: int = 1) -> Any:
    once = privacy_loss_distribution.from_gaussian_mechanism(
        noise_multiplier,
        sampling_prob=sampling_probability,
        pessimistic_estimate=False,
        use_connect_dots=False,
    )
    return once.self_compose(steps)


def _optimistic_delta(epsilon: float, **release: Any) -> Any:
    return _optimistic(**release).get_delta_for_epsilon(epsilon)


def _optimistic_epsilon(delta: float, **release: Any) -> Any:
    return _optimistic(**release).get_epsilon_for_delta(delta)


optimistic = Accountant(
    "dp-accounting, optimistic privacy-loss distributions",
    _VERSION,
    {
        "gaussian.delta": _optimistic_delta,
        "gaussian.epsilon": _optimistic_epsilon,
        "dpsgd.delta": _optimistic_delta,
        "dpsgd.epsilon": _optimistic_epsilon,
    },
    "lower",
)


def _formula_epsilon(noise_multiplier: float, delta: float) -> Any:
    return gaussian_mechanism.get_epsilon_gaussian(noise_multiplier, delta)


# Roots to a tolerance, which is documented; on which side of it is not.
gaussian = Accountant(
    "dp-accounting, gaussian_mechanism",
    _VERSION,
    {
        "gaussian.epsilon": _formula_epsilon,
        "gaussian.noise_multiplier_for_dp": gaussian_mechanism.get_sigma_gaussian,
    },
    "estimate",
)
