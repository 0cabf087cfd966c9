"""Opacus's accountants, without PyTorch: they use its name for an annotation, and nothing of it."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from .accountant import Accountant, bare_package, version_of

_VERSION = version_of("opacus")


def _without_a_framework() -> None:
    bare_package("opacus")
    optimizers = ModuleType("opacus.optimizers")
    optimizers.DPOptimizer = object  # type: ignore[attr-defined]
    sys.modules["opacus.optimizers"] = optimizers


_without_a_framework()
from opacus.accountants import create_accountant  # noqa: E402
from opacus.accountants.analysis.rdp import get_privacy_spent  # noqa: E402
from opacus.accountants.utils import get_noise_multiplier  # noqa: E402


def _answers_of(mechanism: str) -> dict[str, Any]:
    def training_epsilon(
        noise_multiplier: float, sampling_probability: float, steps: int, delta: float
    ) -> Any:
        accountant = create_accountant(mechanism)
        accountant.history = [(noise_multiplier, sampling_probability, steps)]
        return accountant.get_epsilon(delta)

    def training_noise(
        sampling_probability: float, steps: int, epsilon: float, delta: float
    ) -> Any:
        return get_noise_multiplier(
            target_epsilon=epsilon,
            target_delta=delta,
            sample_rate=sampling_probability,
            steps=steps,
            accountant=mechanism,
        )

    return {"dpsgd.epsilon": training_epsilon, "dpsgd.noise_multiplier_for_dp": training_noise}


def _converted(order: float, epsilon: float, delta: float) -> Any:
    return get_privacy_spent(orders=order, rdp=epsilon, delta=delta)[0]


rdp = Accountant(
    "Opacus, RDPAccountant",
    _VERSION,
    {**_answers_of("rdp"), "renyi.epsilon_for_dp": _converted},
    "upper",
)
prv = Accountant("Opacus, PRVAccountant", _VERSION, _answers_of("prv"), "upper")
# A central limit, which is documented as an approximation.
gdp = Accountant("Opacus, GaussianAccountant", _VERSION, _answers_of("gdp"), "estimate")
