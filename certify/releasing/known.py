"""The mechanisms that releases are made by; each maker is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, cast

from ...reference.errors import UnknownNameError
from ..mechanisms.maker import Maker

# Module and name of each mechanism's maker.
_HOMES: Final[Mapping[str, tuple[str, str]]] = {
    "dirichlet.identity": ("vector_plan", "VECTOR"),
    "dirichlet.average": ("average_plan", "AVERAGE"),
    "dirichlet.counts": ("counts_plan", "COUNTS"),
    "dirichlet.matrix": ("matrix_plan", "MATRIX"),
    "dirichlet.renyi": ("histogram_plan", "HISTOGRAM"),
    "markov.model": ("markov_model.model_plan", "MODEL"),
    "pufferfish.chain": ("pufferfish.chain_plan", "CHAIN"),
    "pufferfish.network": ("pufferfish.network_plan", "NETWORK"),
    "pufferfish.wasserstein": ("pufferfish.wasserstein_plan", "WASSERSTEIN"),
}
MECHANISMS: Final = tuple(_HOMES)


def maker_named(name: str) -> Maker:
    """Return a mechanism's maker. Raises UnknownNameError with the nearest name."""
    if name not in _HOMES:
        raise UnknownNameError("mechanism", name, MECHANISMS, f"(known: {', '.join(MECHANISMS)})")
    module, constant = _HOMES[name]
    return cast("Maker", getattr(import_module(f"..mechanisms.{module}", __package__), constant))
