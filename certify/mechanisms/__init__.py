"""The mechanisms that a claim may name: one module and one commented claim file each.

A mechanism answers all that an audit, a release, a ledger and a simulation ask (``Mechanism`` in
``protocol``); whatever asks knows none of them by name. Each is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Final, cast

from ...reference.errors import UnknownNameError

if TYPE_CHECKING:
    from .protocol import Mechanism

# Where each one is defined. Its claim file, example and template in one, is NAME.toml here.
_HOMES: Final[Mapping[str, tuple[str, str]]] = {
    "composition": ("composition", "COMPOSITION"),
    "dirichlet.average": ("vector", "AVERAGE"),
    "dirichlet.counts": ("vector", "COUNTS"),
    "dirichlet.identity": ("vector", "IDENTITY"),
    "dirichlet.matrix": ("matrix", "MATRIX"),
    "dirichlet.renyi": ("histogram", "HISTOGRAM"),
    "discrete_gaussian": ("discrete", "DISCRETE_GAUSSIAN"),
    "discrete_laplace": ("discrete", "DISCRETE_LAPLACE"),
    "dpsgd.poisson": ("dpsgd", "POISSON"),
    "exponential_mechanism": ("exponential", "EXPONENTIAL_MECHANISM"),
    "gaussian": ("additive", "GAUSSIAN"),
    "laplace": ("additive", "LAPLACE"),
    "markov.model": ("markov_model.model", "MODEL"),
    "permute_and_flip": ("permute_and_flip", "PERMUTE_AND_FLIP"),
    "pufferfish.chain": ("pufferfish.chain", "CHAIN"),
    "pufferfish.interval_chain": ("pufferfish.interval", "INTERVAL_CHAIN"),
    "pufferfish.mixing_chain": ("pufferfish.mixing", "MIXING_CHAIN"),
    "pufferfish.network": ("pufferfish.network", "NETWORK"),
    "pufferfish.wasserstein": ("pufferfish.wasserstein", "WASSERSTEIN"),
    "randomized_response": ("randomized", "RANDOMIZED_RESPONSE"),
}
MECHANISMS: Final = tuple(_HOMES)
_LISTED: Final = "(`simplexcert audit --template` lists all)"


def mechanism_named(name: str) -> Mechanism:
    """Return a mechanism. Raises UnknownNameError with the nearest name."""
    if name not in _HOMES:
        raise UnknownNameError("mechanism", name, MECHANISMS, _LISTED)
    module, constant = _HOMES[name]
    return cast("Mechanism", getattr(import_module(f".{module}", __name__), constant))


def template_text(name: str) -> str:
    """Return a mechanism's claim file. Raises UnknownNameError with the nearest name."""
    file = files(__package__) / f"{mechanism_named(name).name}.toml"
    return file.read_text(encoding="utf-8")


__all__ = ["MECHANISMS", "mechanism_named", "template_text"]
