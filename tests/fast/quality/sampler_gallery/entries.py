"""How a sampler of the gallery is put down: by a decorator that says whether it is sound."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from simplexcert.certify.backends.protocol import Backend, as_backend
from simplexcert.certify.samplers import Point

Table: TypeAlias = NDArray[np.float64]
Sampler: TypeAlias = Callable[..., Any]


def everywhere(_point: Point) -> bool:
    return True


@dataclass(frozen=True)
class Entry:
    """A sampler, what it is called, and at which points it is what it is said to be."""

    kind: str
    name: str
    sampler: Sampler
    is_sound: bool
    where: Callable[[Point], bool]

    def backend(self) -> Backend:
        """Return a backend that offers this sampler alone."""
        samplers = {self.kind: self.sampler}
        thing = SimpleNamespace(name=self.name, version="1", quantities={}, samplers=samplers)
        return as_backend(thing, self.name)


dirichlet_entries: dict[str, Entry] = {}
laplace_entries: dict[str, Entry] = {}
_ENTRIES: Mapping[str, dict[str, Entry]] = {
    "dirichlet": dirichlet_entries,
    "laplace": laplace_entries,
}


def put_down(
    kind: str, *, is_sound: bool = False, where: Callable[[Point], bool] = everywhere
) -> Callable[[Sampler], Sampler]:
    """Put a sampler into the gallery."""

    def put(sampler: Sampler) -> Sampler:
        name = sampler.__name__
        assert name not in _ENTRIES[kind]
        _ENTRIES[kind][name] = Entry(kind, name, sampler, is_sound, where)
        return sampler

    return put


def generator(seed: int | None) -> np.random.Generator:
    return np.random.default_rng(seed)


def log_gammas(alpha: list[float], count: int, random: np.random.Generator) -> Table:
    """Logarithms of gamma draws: that of alpha + 1, times a uniform to the power 1/alpha.

    No alpha underflows. (The boost of Marsaglia and Tsang 2000.)
    """
    shapes = np.array(alpha)
    boosted = random.standard_gamma(shapes + 1, size=(count, len(alpha)))
    uniform = 1 - random.random((count, len(alpha)))
    return np.asarray(np.log(boosted) + np.log(uniform) / shapes)


def normalised(logarithms: Table) -> Table:
    """The exponentials over their sum."""
    parts = np.exp(logarithms - logarithms.max(axis=1, keepdims=True))
    return np.asarray(parts / parts.sum(axis=1, keepdims=True))


def exact(alpha: list[float], count: int, random: np.random.Generator) -> Table:
    """Draws from the law."""
    return normalised(log_gammas(alpha, count, random))
