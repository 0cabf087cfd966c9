"""Domains: what a quantity's parameters may be, one by one and together."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, TypeAlias

from .dyadic import PLUS_INFINITY, Dyadic
from .enclosure import Enclosure, Trilean
from .exact import exact_integer, exact_number, exact_text

Exact: TypeAlias = Fraction | int
Parameters: TypeAlias = Mapping[str, Exact]


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

    def admits(self, value: Exact) -> bool:
        """Whether the value lies in the interval."""
        return (
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
