"""OpenDP: the maps of its Gaussian measurement, from zero-concentrated privacy on."""

from __future__ import annotations

from typing import Any

import opendp.prelude as dp

from .accountant import Accountant, version_of

dp.enable_features("contrib")
_SENSITIVITY = 1.0


def _measurement(noise_multiplier: float) -> Any:
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    measured = dp.m.make_gaussian(*space, scale=noise_multiplier)
    return dp.c.make_zCDP_to_approxDP(measured)


def _delta(noise_multiplier: float, epsilon: float) -> Any:
    return _measurement(noise_multiplier).map(_SENSITIVITY).delta(epsilon)


def _epsilon(noise_multiplier: float, delta: float) -> Any:
    return _measurement(noise_multiplier).map(_SENSITIVITY).epsilon(delta)


def _noise(epsilon: float, delta: float) -> Any:
    def fixed(scale: float) -> Any:
        return dp.c.make_fix_delta(_measurement(scale), delta)

    return dp.binary_search_param(fixed, d_in=_SENSITIVITY, d_out=(epsilon, delta), T=float)


backend = Accountant(
    "opendp, make_gaussian",
    version_of("opendp"),
    {
        "gaussian.delta": _delta,
        "gaussian.epsilon": _epsilon,
        "gaussian.noise_multiplier_for_dp": _noise,
    },
    "upper",
)
