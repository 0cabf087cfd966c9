"""Diffprivlib: the scale of the noise that its Gaussian mechanisms take for an epsilon and delta.

It tells that scale in no public attribute: the one that its ``randomise`` multiplies by is read.
"""

from __future__ import annotations

from typing import Any

from .accountant import Accountant, bare_package, version_of

bare_package("diffprivlib")  # which imports models of scikit-learn
from diffprivlib.mechanisms import Gaussian, GaussianAnalytic  # noqa: E402

_VERSION = version_of("diffprivlib")


def _analytic(epsilon: float, delta: float) -> Any:
    return GaussianAnalytic(epsilon=epsilon, delta=delta, sensitivity=1)._scale  # noqa: SLF001


def _classic(epsilon: float, delta: float) -> Any:
    return Gaussian(epsilon=epsilon, delta=delta, sensitivity=1)._scale  # noqa: SLF001


_NOISE = "gaussian.noise_multiplier_for_dp"
analytic = Accountant("diffprivlib, GaussianAnalytic", _VERSION, {_NOISE: _analytic}, "upper")
classic = Accountant(
    "diffprivlib, Gaussian",
    _VERSION,
    {_NOISE: _classic},
    "upper",
    within={"epsilon": ("1/100", "1")},
)
