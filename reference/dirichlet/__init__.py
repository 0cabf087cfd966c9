"""The Dirichlet mechanism: the exact profile of one release, and each paper's route to it."""

from . import (  # noqa: F401
    add_remove,
    average,
    composition,
    counts,
    identity,
    kl_tail,
    matrix,
    pair,
    profile,
    renyi,
    renyi_divergence,
    tail,
    utility,
)
