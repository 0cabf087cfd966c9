"""Pufferfish privacy: divergences, Wasserstein distances, Markov quilts and their baselines."""

from . import (  # noqa: F401
    additive,
    baselines,
    divergence,
    eigengap,
    gk16,
    influence,
    instantiation,
    laplace_loss,
    line,
    network,
    network_loss,
    quilt,
    quilt_approx,
    two_state,
)
