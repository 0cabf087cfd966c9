"""Pufferfish privacy: divergences, Wasserstein distances, Markov quilts and their baselines."""

from . import (  # noqa: F401
    additive,
    baselines,
    divergences,
    gap,
    gaussian_profile,
    gaussian_renyi,
    laplace_profile,
    laplace_renyi,
    least,
    least_loss,
    least_renyi,
    network,
    quilt,
    wasserstein,
)
