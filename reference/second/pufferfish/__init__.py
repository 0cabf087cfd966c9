"""Second opinions on the Pufferfish quantities; each module registers its own."""

from . import (  # noqa: F401
    additive,
    approx,
    baselines,
    divergence,
    gap,
    instantiation,
    line,
    network,
    quilts,
    two_state,
)
