"""Domains: what a quantity's parameters may be, one by one and together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, TypeAlias

from .dyadic import PLUS_INFINITY, Dyadic
from .enclosure import Enclosure, Trilean
from .exact import exact_integer, exact_number, exact_text, exact_vector

Exact: TypeAlias = Fraction | int
Vector: TypeAlias = tuple[Fraction, ...]
Value: TypeAlias = Exact | Vector
Parameters: TypeAlias = Mapping[str, Value]

# A longer vector is not read; nothing here is meant for so many coordinates.
MAX_ENTRIES = 10_000


@dataclass(frozen=True)
class Interval:
    """The values that one real or integer parameter may take, and where a search should look.

    ``search`` is a hint for drawing test points (both ends positive); it is no condition.
    """

    kind: str = "real"
    above: Fraction | None = None
    at_least: Fraction | None = None
    below: Fraction | None = None
    at_most: Fraction | None = None
    search: tuple[str, str] = ("0.001", "1000")

    def read(self, name: str, value: object) -> Exact:
        """Return the exact parameter. Raises InputError if it is no such number."""
        return exact_integer(value, name) if self.kind == "integer" else exact_number(value, name)

    def admits(self, value: Value) -> bool:
        """Whether the value is a number in the interval."""
        return not isinstance(value, tuple) and (
            (self.above is None or value > self.above)
            and (self.at_least is None or value >= self.at_least)
            and (self.below is None or value < self.below)
            and (self.at_most is None or value <= self.at_most)
        )

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it, such as ``0 < gamma < 1``."""
        left = _bound(self.above, " < ") or _bound(self.at_least, " <= ")
        right = _bound(self.below, "", " < ") or _bound(self.at_most, "", " <= ")
        return f"{left}{name}{right}"


@dataclass(frozen=True)
class Entries:
    """The vectors that a parameter may be: any number of entries, each in one interval.

    ``longest_searched`` is how many entries a drawn test point has at most.
    """

    each: Interval
    longest_searched: int = 8
    kind: str = "vector"

    @property
    def search(self) -> tuple[str, str]:
        """Where a search should look for an entry."""
        return self.each.search

    def read(self, name: str, value: object) -> Vector:
        """Return the exact vector. Raises InputError if it is none."""
        return exact_vector(value, name, MAX_ENTRIES)

    def admits(self, value: Value) -> bool:
        """Whether the value is a vector whose entries lie in the interval."""
        return isinstance(value, tuple) and all(self.each.admits(entry) for entry in value)

    def describe(self, name: str) -> str:
        """Return the condition as a person would write it, such as ``0 < each of alpha``."""
        return self.each.describe(f"each of {name}")


Domain: TypeAlias = Interval | Entries


def _bound(value: Fraction | None, after: str, before: str = "") -> str:
    return "" if value is None else f"{before}{exact_text(value)}{after}"


ZERO, ONE = Fraction(0), Fraction(1)
ANY_NUMBER = Enclosure.nothing_known()
A_PROBABILITY = Enclosure(Dyadic(0), Dyadic(1))
AT_LEAST_ZERO = Enclosure(Dyadic(0), PLUS_INFINITY)

Positive = Annotated[Fraction, Interval(above=ZERO)]
NonNegative = Annotated[Fraction, Interval(at_least=ZERO, search=("0.001", "30"))]
Order = Annotated[Fraction, Interval(at_least=ONE, search=("1", "100"))]
Probability = Annotated[Fraction, Interval(at_least=ZERO, at_most=ONE, search=("1e-12", "1"))]
OpenProbability = Annotated[Fraction, Interval(above=ZERO, below=ONE, search=("1e-12", "1"))]
Share = Annotated[Fraction, Interval(above=ZERO, below=ONE, search=("0.001", "1"))]
Distance = Annotated[Fraction, Interval(above=ZERO, search=("0.001", "2"))]


def count_from(least: int, most_searched: int) -> Interval:
    """Return the domain of a whole number that is at least ``least``."""
    return Interval("integer", at_least=Fraction(least), search=(str(least), str(most_searched)))


@dataclass(frozen=True)
class Condition:
    """Something that several parameters must satisfy together for the quantity to exist."""

    statement: str
    test: Callable[..., bool | Trilean]
    source: str

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters that the condition is about."""
        return tuple(inspect.signature(self.test).parameters)

    def holds(self, parameters: Parameters) -> Trilean:
        """Evaluate the condition on the parameters that it names."""
        answer = self.test(**{name: parameters[name] for name in self.names})
        return answer if isinstance(answer, Trilean) else Trilean.of(answer)


# A hypothesis is what a paper asks beyond the domain: same shape, other consequences.
Hypothesis: TypeAlias = Condition
