"""The names that a CI's node ids, rules and expected failures are made of."""

from __future__ import annotations

# One answer against the truth, and the laws that answers keep among each other.
CHECKS = (
    "direction",
    "accuracy",
    "determinism",
    "monotone",
    "limit",
    "inverse",
    "adjacency",
    "draws",
)
# What stands before a sampler's name, in the place of a quantity.
SAMPLER = "sampler."
DRAWS = "draws"
# A campaign has a quantity; this one costs next to nothing.
CHEAP = "dirichlet.utility.variance_bound"
