"""The registry of second opinions, one for each quantity of the first registry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from ..enclosure import Enclosed
from ..errors import UnknownNameError
from ..exact import parse_toml
from ..families import families

_EDGES = Path(__file__).with_name("edges.toml")


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


def opinion_on(name: str) -> Opinion:
    """Return the second opinion on a quantity. Raises UnknownNameError."""
    if name not in _registry:
        _load(name.partition(".")[0])
    if name not in _registry:
        raise UnknownNameError("second opinion on", name, opinions())
    return _registry[name]


def opinions() -> dict[str, Opinion]:
    """Return every second opinion by the name of its quantity."""
    _load()
    return dict(_registry)


def _load(family: str = "") -> None:
    """Import the modules that hold opinions, on one family's quantities or on all."""
    for each in families():
        if family in ("", each):
            import_module(f".{each}", __package__)


@cache
def edges() -> dict[str, list[dict[str, Any]]]:
    """Return points of each quantity's domain at which formulas and libraries fail first.

    Both engines are asked there, and test vectors hold them.
    """
    found: dict[str, list[dict[str, Any]]] = parse_toml(_EDGES.read_bytes(), _EDGES.name)
    return found
