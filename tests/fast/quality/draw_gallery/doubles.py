"""Marsaglia and Tsang's method in doubles, in logarithms, with places to plant a fault at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Column: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class Attempts:
    """Attempts at draws of one shape: the uniforms of their normals, t, and their heights."""

    size: Column
    angle: Column
    t: Column
    height: Column

    def chosen(self, which: NDArray[np.bool_]) -> Attempts:
        return Attempts(self.size[which], self.angle[which], self.t[which], self.height[which])


Heights: TypeAlias = Callable[[Column, Column, np.random.Generator], Column]
Accepts: TypeAlias = Callable[[float, Attempts], NDArray[np.bool_]]
# The logarithms of U^(1/shape), one a row, for the attempts that were accepted.
Boosts: TypeAlias = Callable[[float, Attempts, np.random.Generator], Column]


def fresh_heights(size: Column, _angle: Column, random: np.random.Generator) -> Column:
    return 1 - random.random(len(size))


def accepts(d: float, tried: Attempts) -> NDArray[np.bool_]:
    t = tried.t
    with np.errstate(invalid="ignore", divide="ignore"):
        bound = 3 * d * (np.log1p(t) - t + t * t / 2 - t**3 / 3)
        return np.asarray((t > -1) & (np.log(tried.height) < bound))


def fresh_boosts(shape: float, tried: Attempts, random: np.random.Generator) -> Column:
    return np.asarray(np.log(1 - random.random(len(tried.t))) / shape)


@dataclass(frozen=True)
class Method:
    """The method, sound as it stands: a fault replaces one of its parts."""

    heights: Heights = fresh_heights
    accepts: Accepts = accepts
    boosts: Boosts = fresh_boosts

    def log_gammas(self, shape: float, count: int, random: np.random.Generator) -> Column:
        """Return the logarithms of so many draws; shapes below 1 are boosted."""
        boosted = shape < 1
        d = shape + int(boosted) - 1 / 3
        tried = self._accepted(d, count, random)
        found = np.log(d) + 3 * np.log1p(tried.t)
        return found + self.boosts(shape, tried, random) if boosted else found

    def _accepted(self, d: float, count: int, random: np.random.Generator) -> Attempts:
        """Return so many of the attempts that are accepted, of enough: over 0.95 are."""
        size, angle = 1 - random.random(2 * count), random.random(2 * count)
        t = np.sqrt(-2 * np.log(size)) * np.cos(2 * np.pi * angle) / np.sqrt(9 * d)
        tried = Attempts(size, angle, t, self.heights(size, angle, random))
        return tried.chosen(np.flatnonzero(self.accepts(d, tried))[:count])


@dataclass(frozen=True)
class Logs:
    """Positive numbers by their logarithms: sums and quotients do not underflow."""

    values: Column

    def __add__(self, other: Logs) -> Logs:
        return Logs(np.logaddexp(self.values, other.values))

    def __truediv__(self, other: Logs) -> Logs:
        return Logs(self.values - other.values)


def shares(logarithms: Sequence[Column]) -> list[Logs]:
    """Return gammas over their sum."""
    parts = [Logs(one) for one in logarithms]
    total = parts[0]
    for part in parts[1:]:
        total += part
    return [part / total for part in parts]
