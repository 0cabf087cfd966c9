"""Quantities: named mathematical functions with parameters, a domain, a safe side and a source.

The registry is the spine of the project. A mechanism's module declares its formulas with the
``quantity`` decorator; everything else (evaluation, second opinions, checks of backends, audits)
reads the registry and knows no formula.
"""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from fractions import Fraction
from typing import Annotated, Any, TypeAlias, get_args, get_type_hints

from .enclosure import PLUS_INFINITY, Dyadic, Enclosure, Trilean
from .errors import DomainError, InputError, UnknownNameError
from .exact import exact_integer, exact_number, exact_text, shown

Exact: TypeAlias = Fraction | int
Parameters: TypeAlias = Mapping[str, Exact]


class Side(enum.Enum):
    """On which side of the truth an answer is safe to act on."""

    UPPER = "upper"
    LOWER = "lower"
    NONE = "none"


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


@dataclass(frozen=True)
class Quantity:
    """One line of the registry; ``function`` answers with a ball at the current precision."""

    name: str
    parameters: Mapping[str, Interval]
    conditions: tuple[Condition, ...]
    safe: Side
    source: str
    summary: str
    function: Callable[..., Any]
    within: Enclosure

    def read(self, given: Mapping[str, object]) -> dict[str, Exact]:
        """Return exact parameters inside the domain.

        Raises UnknownNameError, InputError (missing or malformed) or DomainError.
        """
        for name in given:
            if name not in self.parameters:
                raise UnknownNameError(
                    "parameter", name, self.parameters, f"({self.name} takes {self._takes()})"
                )
        missing = [name for name in self.parameters if name not in given]
        if missing:
            raise InputError(f"{self.name} needs {', '.join(missing)}; it takes {self._takes()}")
        exact = {name: item.read(name, given[name]) for name, item in self.parameters.items()}
        self._require_domain(exact)
        return exact

    def admits(self, parameters: Parameters) -> bool:
        """Whether exact parameters are certainly inside the domain."""
        return all(item.admits(parameters[name]) for name, item in self.parameters.items()) and all(
            item.holds(parameters) is Trilean.TRUE for item in self.conditions
        )

    def as_json(self) -> dict[str, object]:
        """Return the line of the registry in its published shape."""
        return {
            "name": self.name,
            "parameters": [
                {"name": name, "kind": item.kind, "domain": item.describe(name)}
                for name, item in self.parameters.items()
            ],
            "conditions": [condition.statement for condition in self.conditions],
            "safe": self.safe.value,
            "source": self.source,
            "summary": self.summary,
        }

    def _takes(self) -> str:
        return ", ".join(self.parameters)

    def _require_domain(self, exact: Parameters) -> None:
        for name, interval in self.parameters.items():
            if not interval.admits(exact[name]):
                raise DomainError(
                    f"{name} = {shown(exact[name])} is outside the domain of {self.name}: "
                    f"it needs {interval.describe(name)} ({self.source})"
                )
        for condition in self.conditions:
            if condition.holds(exact) is not Trilean.TRUE:
                values = ", ".join(f"{name} = {shown(exact[name])}" for name in condition.names)
                raise DomainError(
                    f"{values} is outside the domain of {self.name}: "
                    f"it needs {condition.statement} ({condition.source})"
                )


_registry: dict[str, Quantity] = {}


def quantity(
    name: str,
    *,
    safe: Side,
    source: str,
    conditions: tuple[Condition, ...] = (),
    within: Enclosure = ANY_NUMBER,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function of exact numbers that returns a ball (or an exact Fraction).

    The signature gives the parameters, their annotations the domain, the docstring's first line
    the summary. ``within`` is where the quantity lies by definition; every enclosure is cut to it.
    """

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        if name in _registry:
            raise ValueError(f"the quantity {name} is defined twice")
        _registry[name] = Quantity(
            name,
            _intervals(function),
            conditions,
            safe,
            source,
            _summary(function),
            function,
            within,
        )
        return function

    return register


def _summary(function: Callable[..., Any]) -> str:
    return (inspect.getdoc(function) or "").split("\n", 1)[0]


def _intervals(function: Callable[..., Any]) -> dict[str, Interval]:
    hints = get_type_hints(function, include_extras=True)
    return {
        name: next(part for part in get_args(hints[name]) if isinstance(part, Interval))
        for name in inspect.signature(function).parameters
    }


def quantities(pattern: str = "*") -> dict[str, Quantity]:
    """Return the quantities whose names match a glob, in order of name."""
    _load()
    return {name: _registry[name] for name in sorted(_registry) if fnmatchcase(name, pattern)}


def quantity_named(name: str) -> Quantity:
    """Return one quantity. Raises UnknownNameError with the nearest name."""
    _load()
    if name not in _registry:
        raise UnknownNameError("quantity", name, _registry, "(`simplexcert quantities` lists them)")
    return _registry[name]


def _load() -> None:
    """Import the modules that declare quantities; they register themselves."""
    from . import dirichlet  # noqa: F401
