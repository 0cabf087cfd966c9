"""Pufferfish privacy: divergences, Wasserstein distances, Markov quilts and their baselines."""

from . import additive, baselines, gap, line, loss, network, quilt, wasserstein  # noqa: F401
