"""Second opinions on the Pufferfish quantities; each module registers its own."""

from . import additive, baselines, gap, line, loss, network, quilt, wasserstein  # noqa: F401
