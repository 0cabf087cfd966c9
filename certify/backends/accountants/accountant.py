"""What the adapters of accountants have in common: what is declared, and how a library is met."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from types import MappingProxyType, ModuleType
from typing import Any, Final, TypeAlias

from ..declarations import Direction

_Ranges: TypeAlias = Mapping[str, tuple[str, str]]

# Where people ask an accountant; outside it nothing is asked, and nothing is said.
ASKED: Final[_Ranges] = MappingProxyType(
    {
        "noise_multiplier": ("1/2", "20"),
        "sampling_probability": ("1/1000", "1/2"),
        "steps": ("1", "10000"),
        "order": ("11/10", "256"),
        "epsilon": ("1/100", "20"),
        "delta": ("1e-12", "1/100"),
    }
)
# With these no delta is too small for a double: beyond, every answer would say as much, 0.
_ASKED_OF_DELTAS: Final[_Ranges] = MappingProxyType(
    {"noise_multiplier": ("1/2", "3"), "epsilon": ("1/100", "4")}
)
_PARAMETERS: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "gaussian.delta": ("noise_multiplier", "epsilon"),
        "gaussian.epsilon": ("noise_multiplier", "delta"),
        "gaussian.noise_multiplier_for_dp": ("epsilon", "delta"),
        "dpsgd.delta": ("noise_multiplier", "sampling_probability", "steps", "epsilon"),
        "dpsgd.epsilon": ("noise_multiplier", "sampling_probability", "steps", "delta"),
        "dpsgd.noise_multiplier_for_dp": ("sampling_probability", "steps", "epsilon", "delta"),
        "renyi.epsilon_for_dp": ("order", "epsilon", "delta"),
    }
)


@dataclass(frozen=True)
class Accountant:
    """An accountant's answers as a backend's, each within ``ASKED`` and on one side of the truth.

    ``unlike`` are the quantities that are answered on another side than the rest, ``within`` the
    ranges that the library's own documentation makes narrower.
    """

    name: str
    version: str
    quantities: Mapping[str, Callable[..., Any]]
    side: Direction
    unlike: Mapping[str, Direction] = field(default_factory=dict)
    within: _Ranges = field(default_factory=dict)

    @property
    def domain(self) -> Mapping[str, _Ranges]:
        """Where each quantity is asked."""
        return {name: self._asked_of(name) for name in self.quantities}

    def _asked_of(self, quantity: str) -> _Ranges:
        of_deltas = _ASKED_OF_DELTAS if quantity.endswith(".delta") else {}
        ranges = {**ASKED, **of_deltas, **self.within}
        return {key: ranges[key] for key in _PARAMETERS[quantity]}

    @property
    def direction(self) -> Mapping[str, Direction]:
        """On which side of the truth each quantity's answers are meant to be."""
        return {name: self.unlike.get(name, self.side) for name in self.quantities}


def version_of(distribution: str) -> str:
    """Return the version of what is installed, or that none is told."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "of no told version"


def bare_package(name: str) -> ModuleType:
    """Return a package whose own ``__init__`` was not run, so that its parts can be imported alone.

    Accounting needs none of what some packages import first: a framework for training, models.
    """
    spec = find_spec(name)
    if spec is None:
        raise ImportError(f"there is no package {name}")
    package = ModuleType(name)
    package.__path__ = list(spec.submodule_search_locations or ())
    package.__spec__ = spec
    sys.modules[name] = package
    importlib.invalidate_caches()
    return package
