"""The Dirichlet mechanism: the exact profile of one release, and each paper's route to it."""

from . import average, counts, identity, profile, tail  # noqa: F401
