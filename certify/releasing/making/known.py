"""The mechanisms that releases are made by; each maker is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Final, cast

from ....reference.errors import UnknownNameError
from ..maker import Maker

# Module and name of each mechanism's maker.
_HOMES: Final[Mapping[str, tuple[str, str]]] = {
    "dirichlet.identity": ("vector", "VECTOR"),
    "dirichlet.average": ("average", "AVERAGE"),
    "dirichlet.counts": ("counts", "COUNTS"),
    "dirichlet.matrix": ("matrix", "MATRIX"),
    "dirichlet.renyi": ("histogram", "HISTOGRAM"),
    "markov.model": ("model", "MODEL"),
    "pufferfish.chain": ("chain", "CHAIN"),
    "pufferfish.network": ("network", "NETWORK"),
    "pufferfish.wasserstein": ("wasserstein", "WASSERSTEIN"),
}
MECHANISMS: Final = tuple(_HOMES)


def maker_named(name: str) -> Maker:
    """Return a mechanism's maker. Raises UnknownNameError with the nearest name."""
    if name not in _HOMES:
        raise UnknownNameError("mechanism", name, MECHANISMS, f"(known: {', '.join(MECHANISMS)})")
    module, constant = _HOMES[name]
    return cast("Maker", getattr(import_module(f".{module}", __package__), constant))
