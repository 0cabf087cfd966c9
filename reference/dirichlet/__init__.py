"""The Dirichlet mechanism: the exact profile of one release, and each paper's route to it."""

from . import (  # noqa: F401
    add_remove,
    average,
    composition,
    counts,
    identity,
    kl,
    kl_tail,
    matrix,
    pair_delta,
    profile,
    renyi,
    renyi_conversion,
    renyi_laws,
    sensitivity,
    tail,
    utility,
)
