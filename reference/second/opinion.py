"""The registry of second opinions, one for each quantity of the first registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ..enclosure import Enclosed


@dataclass(frozen=True)
class Opinion:
    """How the second engine answers one quantity.

    ``enclose(bits, **parameters)`` takes exact parameters already inside the domain and returns an
    enclosure at a working precision of ``bits``; of an array one for each entry. ``engine`` is
    "mpfr" or "mpmath".
    """

    enclose: Callable[..., Enclosed]
    engine: str
    rigorous: bool


_Answering = TypeVar("_Answering", bound=Callable[..., Enclosed])
_registry: dict[str, Opinion] = {}


def second_opinion(name: str, *, engine: str, rigorous: bool) -> Callable[[_Answering], _Answering]:
    """Register a function as the second opinion on a quantity."""

    def register(function: _Answering) -> _Answering:
        if name in _registry:
            raise ValueError(f"there are two second opinions on {name}")
        _registry[name] = Opinion(function, engine, rigorous)
        return function

    return register


def opinions() -> dict[str, Opinion]:
    """Return every second opinion by the name of its quantity."""
    from . import dirichlet, markov, pufferfish, renyi  # noqa: F401

    return dict(_registry)
