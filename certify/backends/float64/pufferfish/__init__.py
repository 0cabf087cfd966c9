"""The Pufferfish quantities in float64: song2017's mechanisms on their safe sides."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from ..elementwise import Answering, elementwise
from . import additive, baselines, line, mixing, profile, quilts

if TYPE_CHECKING:
    from collections.abc import Mapping

ANSWERS: Mapping[str, Answering] = MappingProxyType(
    {
        "pufferfish.chain_loss": additive.chain_loss,
        "pufferfish.chain_wasserstein": additive.chain_wasserstein,
        "pufferfish.closeness": line.closeness,
        "pufferfish.eigengap": mixing.eigengap,
        "pufferfish.eigengap_reversible": mixing.eigengap_reversible,
        "pufferfish.entry_scale": elementwise(baselines.entry_scale),
        "pufferfish.gaussian_delta": profile.gaussian_delta,
        "pufferfish.gk16_scale": baselines.gk16_scale,
        "pufferfish.group_scale": elementwise(baselines.group_scale),
        "pufferfish.instantiation_loss": line.instantiation_loss,
        "pufferfish.laplace_delta": profile.laplace_delta,
        "pufferfish.laplace_epsilon": profile.laplace_epsilon,
        "pufferfish.laplace_loss": line.laplace_loss,
        "pufferfish.max_divergence": line.max_divergence,
        "pufferfish.max_influence": quilts.max_influence,
        "pufferfish.quilt_epsilon": quilts.quilt_epsilon,
        "pufferfish.quilt_scale_approx": elementwise(mixing.quilt_scale_approx),
        "pufferfish.quilt_scale_approx_stationary": elementwise(
            mixing.quilt_scale_approx_stationary
        ),
        "pufferfish.quilt_scale_exact": quilts.quilt_scale_exact,
        "pufferfish.quilt_scale_pieces": quilts.quilt_scale_pieces,
        "pufferfish.quilt_scale_two_state": elementwise(quilts.quilt_scale_two_state),
        "pufferfish.stationary_minimum": mixing.stationary_minimum,
        "pufferfish.wasserstein": line.wasserstein,
        "pufferfish.wasserstein_scale": line.wasserstein_scale,
    }
)
