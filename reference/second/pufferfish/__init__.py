"""Second opinions on the Pufferfish quantities; each module registers its own."""

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
    network_gaussian,
    quilt,
    wasserstein,
)
