"""Second opinions on the Pufferfish quantities; each module registers its own."""

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
