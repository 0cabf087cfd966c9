"""Neighbours, in the parameters of a release; on rational numbers.

Each class is the set of pairs that a promise speaks of (`relations.Promise`). Nothing here knows
how pairs are drawn or what they lose.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias

Vector: TypeAlias = tuple[Fraction, ...]


class Neighbourhood(Protocol):
    """Who is a neighbour of whom, decided on rational numbers."""

    def are_adjacent(self, u: Vector, v: Vector) -> bool:
        """Whether two parameters keep floor and step, and differ as neighbours do."""


@dataclass(frozen=True)
class Floored:
    """Parameters of two coordinates above a floor, a step or less moved between them.

    That is all that `dirichlet.profile` and `dirichlet.composition` know of a release.
    """

    alpha: Fraction
    step: Fraction

    def are_adjacent(self, u: Vector, v: Vector) -> bool:
        """Whether two pairs of parameters agree in their sum and keep floor and step."""
        return (
            len(u) == len(v) == 2  # noqa: PLR2004
            and sum(u) == sum(v)
            and min(*u, *v) >= self.alpha
            and abs(u[0] - v[0]) <= self.step
        )


@dataclass(frozen=True)
class Grown:
    """Parameters above a floor, one of which differs, by a step or less: a record came or went."""

    alpha: Fraction
    step: Fraction

    def are_adjacent(self, u: Vector, v: Vector) -> bool:
        """Whether both keep the floor, and one coordinate at most differs, by the step at most."""
        if len(u) != len(v):
            return False
        changes = [abs(a - b) for a, b in zip(u, v, strict=True) if a != b]
        return min(*u, *v) >= self.alpha and len(changes) <= 1 and sum(changes) <= self.step


@dataclass(frozen=True)
class Sensitive:
    """ponnoprat2023 Theorem 1: values f >= 0, their change bounded in 2-norm and maximum norm."""

    delta2_squared: Fraction
    delta_inf: Fraction

    def are_adjacent(self, first: Vector, second: Vector) -> bool:
        """Whether the values are possible, and their change is within both sensitivities."""
        changes = [abs(a - b) for a, b in zip(first, second, strict=True)]
        return (
            min(*first, *second) >= 0
            and sum(change**2 for change in changes) <= self.delta2_squared
            and max(changes) <= self.delta_inf
        )


@dataclass(frozen=True)
class Released:
    """Parameters step f + alpha of values f >= 0 whose change the sensitivities bound."""

    alpha: Fraction
    step: Fraction
    values: Sensitive

    def are_adjacent(self, u: Vector, v: Vector) -> bool:
        """Whether the values behind two parameters are neighbours."""
        first, second = (
            tuple((entry - self.alpha) / self.step for entry in vector) for vector in (u, v)
        )
        return len(u) == len(v) and self.values.are_adjacent(first, second)
