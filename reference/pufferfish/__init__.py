"""Pufferfish privacy: divergences, Wasserstein distances, Markov quilts and their baselines."""

from . import (  # noqa: F401
    additive,
    baselines,
    divergences,
    gap,
    gaussian_profile,
    laplace_profile,
    least,
    least_loss,
    network,
    quilt,
    wasserstein,
)
