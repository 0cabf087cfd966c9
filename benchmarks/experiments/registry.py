"""The experiments that there are: those of the packages beside this module, one for each paper."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

import numpy as np
from simulation.chains import DATA, NoDataError

from .outcome import Running


@dataclass(frozen=True)
class Setting:
    """How one experiment is run."""

    id: str
    quick: bool
    seed: int

    def generator(self, *parts: int | str) -> np.random.Generator:
        """Return a generator that the seed, the experiment and the parts fix, and nothing else."""
        name = "/".join(map(str, (self.id, *parts)))
        return np.random.default_rng([self.seed, *name.encode()])

    def data(self, path: str) -> Path:
        """Return a file of the public data. Raises NoDataError where it is not there."""
        folder = os.environ.get(DATA)
        if not folder:
            raise NoDataError(f"set {DATA} to the folder with the data")
        found = Path(folder) / path
        if not found.is_file():
            raise NoDataError(f"{DATA} has no file {path}")
        return found


@dataclass(frozen=True)
class Experiment:
    """An experiment of a paper; the id starts with the paper's name and a dot."""

    id: str
    where: str
    title: str
    run: Callable[[Setting], Running]


class UnknownExperimentError(Exception):
    """No experiment has a name that was asked for; the message says which there are."""


def experiments() -> dict[str, Experiment]:
    """Return all experiments by id, in the order of papers and of each one's EXPERIMENTS."""
    package = import_module(__package__)
    papers = sorted(module.name for module in iter_modules(package.__path__) if module.ispkg)
    found: dict[str, Experiment] = {}
    for paper in papers:
        for one in getattr(import_module(f".{paper}", __package__), "EXPERIMENTS", ()):
            if one.id in found or not one.id.startswith(f"{paper}."):
                raise ValueError(f"{one.id} of {paper} is there twice, or is another paper's")
            found[one.id] = one
    return found


def chosen(patterns: list[str]) -> list[str]:
    """Return the ids that match a pattern, such as song2017.* (all, without a pattern)."""
    known = list(experiments())
    for pattern in patterns:
        if not any(fnmatchcase(one, pattern) for one in known):
            raise UnknownExperimentError(
                f"there is no experiment {pattern!r}; there are: {', '.join(known)}"
            )
    return [one for one in known if not patterns or any(fnmatchcase(one, p) for p in patterns)]
