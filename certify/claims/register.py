"""The register: every entry, by paper, in the order in which the papers state them."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module

from .entries import Claim

# Each has a package of its own, which holds its entries as CLAIMS.
PAPERS = {
    "gohari2020": "The Dirichlet mechanism for differential privacy on the unit simplex",
    "fallin2023": "Differential privacy for stochastic matrices, the matrix Dirichlet mechanism",
    "benvenuti2025": "Differentially private data-driven Markov chain modeling",
    "ponnoprat2023": "Dirichlet mechanism for differentially private KL divergence minimization",
    "song2017": "Pufferfish privacy mechanisms for correlated data",
}


def entries(pattern: str = "*") -> dict[str, Claim]:
    """Return the entries whose id matches a glob, papers in order."""
    return {name: claim for name, claim in _all().items() if fnmatchcase(name, pattern)}


@cache
def _all() -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for paper in PAPERS:
        for claim in import_module(f".{paper}", __package__).CLAIMS:
            if claim.id in found or claim.paper != paper:
                raise ValueError(f"the entry {claim.id} stands twice, or in another paper's place")
            found[claim.id] = claim
    for claim in found.values():
        if claim.repairs and claim.repairs not in found:
            raise ValueError(f"{claim.id} repairs {claim.repairs}, which is no entry")
    return found


def repairs_of(identifier: str) -> tuple[Claim, ...]:
    """Return the entries that repair another."""
    return tuple(claim for claim in _all().values() if claim.repairs == identifier)
