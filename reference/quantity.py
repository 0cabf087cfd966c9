"""Quantities: named mathematical functions with parameters, a domain, a safe side and a source.

The registry is the spine of the project. A mechanism's module declares its formulas with the
``quantity`` decorator; everything else (evaluation, second opinions, checks of backends, audits)
reads the registry and knows no formula.
"""

from __future__ import annotations

import enum
import inspect
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib import import_module
from typing import Any, get_args, get_type_hints

from .display import table_in_html
from .domain import ANY_NUMBER, Condition, Domain, Parameters, Value
from .enclosure import Enclosed, Enclosure, Trilean, mapped, met
from .errors import DomainError, InputError, UnknownNameError
from .exact import shown
from .families import families
from .relations import (
    Bound,
    End,
    InverseOf,
    NoisePromise,
    Promise,
    Trend,
    Trends,
    bounds,
    ends,
    trends,
)
from .vocabulary import Meaning, meaning_of


class Side(enum.Enum):
    """On which side of the truth an answer is safe to act on."""

    UPPER = "upper"
    LOWER = "lower"
    NONE = "none"


class Shape(enum.IntEnum):
    """How many numbers say which entry of an answer is meant."""

    NUMBER = 0
    VECTOR = 1
    MATRIX = 2


class Truth(enum.Enum):
    """Whether a quantity's number is the least sound answer to its question, or a printed one.

    LEAST is the number itself: of a bound the least that is sound (on a safe lower side the
    largest), of a quantity without a safe side its value. PRINTED is what a formula gives, a
    paper's or one of ours, which is sound and need not be the least: something smaller may be
    sound as well.
    """

    LEAST = "least"
    PRINTED = "printed"


@dataclass(frozen=True)
class LeastSound:
    """The quantity below which an answer to a printed quantity's question is unsound.

    ``at`` gives its exact parameters from the printed quantity's own, or None where the two are
    not comparable; ``where`` says the same in words. Its number is at most the printed one where
    that is sound, and nothing below it is: some mechanism, or law, that the question is about
    attains it, comes as near as one likes, or is above. On a safe lower side all is the other way.
    """

    quantity: str
    at: Callable[[Parameters], Mapping[str, Value] | None]
    where: str

    def point(self, exact: Parameters) -> Mapping[str, Value] | None:
        """Return the parameters inside the domain of ``quantity``, if there are any."""
        found = self.at(exact)
        return found if found is not None and quantity_named(self.quantity).admits(found) else None


@dataclass(frozen=True)
class Routed:
    """An answer that could have been had in several ways, and the way that was taken."""

    value: Any
    route: str


@dataclass(frozen=True)
class Quantity:
    """One line of the registry; ``function`` answers with a ball at the current precision.

    Or with an exact Fraction, or with a Routed one of either. What is true of its answers beyond
    one point is stated as ``quantity`` was told; ``trends`` is None where that was nothing.
    ``said`` is its docstring, ``formula`` LaTeX in the symbols of ``meanings``.
    """

    name: str
    parameters: Mapping[str, Domain]
    conditions: tuple[Condition, ...]
    safe: Side
    truth: Truth
    least: LeastSound | None
    source: str
    said: str
    formula: str
    meanings: Mapping[str, Meaning]
    function: Callable[..., Any]
    within: Enclosure
    shape: Shape = Shape.NUMBER
    trends: tuple[Trend, ...] | None = None
    log_ratio: bool = False
    vanishes: tuple[End, ...] = ()
    inverse: InverseOf | None = None
    promise: Promise | None = None
    noise: NoisePromise | None = None
    quick: tuple[Bound, ...] = ()
    slow: bool = False

    def __repr__(self) -> str:
        return f"{self.name}({self._takes()}): {self.summary}"

    def _repr_html_(self) -> str:
        rows = [(name, item.describe(name)) for name, item in self.parameters.items()]
        safe = [("safe side", self.safe.value), ("source", self.source)]
        return table_in_html(repr(self), [*rows, *safe])

    @property
    def summary(self) -> str:
        """The first sentence of what is said of it."""
        return self.said.partition("\n")[0]

    @property
    def explanation(self) -> str:
        """What else is said of it; nothing where the summary says it all."""
        return self.said.partition("\n")[2].strip()

    @property
    def example(self) -> str:
        """A command that evaluates it."""
        given = [name + "=" + meaning.example for name, meaning in self.meanings.items()]
        words = [word for each in given for word in ("-p", each)]
        return shlex.join(["simplexcert", "evaluate", self.name, *words])

    def read(self, given: Mapping[str, object]) -> dict[str, Value]:
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

    def enclose(
        self, bits: int, exact: Parameters, took: Callable[[str], object] | None = None
    ) -> Enclosed:
        """Enclose the quantity at admitted parameters by the first engine, at so many bits.

        Nothing else calls ``function``. The enclosure is cut to ``within``; ``took`` is told the
        route, where there are several.
        """
        from .arb.balls import enclosure_of, working_precision

        with working_precision(bits):
            found = self.function(**exact)
            if isinstance(found, Routed):
                if took is not None:
                    took(found.route)
                found = found.value
            return met(mapped(enclosure_of, found), self.within)

    def as_json(self) -> dict[str, object]:
        """Return the line of the registry in its published shape: all that explains it."""
        return {
            "name": self.name,
            "parameters": [
                {
                    "name": name,
                    "symbol": self.meanings[name].symbol,
                    "meaning": self.meanings[name].says,
                    "kind": item.kind,
                    "domain": item.describe(name),
                    "search": list(item.search),
                }
                for name, item in self.parameters.items()
            ],
            "conditions": [condition.statement for condition in self.conditions],
            "safe": self.safe.value,
            "truth": self.truth.value,
            "least": None
            if self.least is None
            else {"quantity": self.least.quantity, "where": self.least.where},
            "source": self.source,
            "summary": self.summary,
            "explanation": self.explanation,
            "formula": self.formula,
            "example": self.example,
        }

    def require_related(self) -> None:
        """Raise ValueError where what is stated names a parameter that does not exist."""
        related: tuple[Trend | End | Bound, ...] = (
            *(self.trends or ()),
            *self.vanishes,
            *self.quick,
        )
        named = [each.parameter.partition(".")[0] for each in related]
        named += [self.inverse.target] if self.inverse else []
        for name in named:
            if name not in self.parameters:
                raise ValueError(f"{self.name} takes {self._takes()}, and no {name}")

    def _takes(self) -> str:
        return ", ".join(self.parameters)

    def _require_domain(self, exact: Parameters) -> None:
        for name, domain in self.parameters.items():
            stray = domain.stray(name, exact[name])
            if stray:
                raise DomainError(
                    f"{stray} is outside the domain of {self.name}: "
                    f"it needs {domain.describe(name)} ({self.source})"
                )
        for condition in self.conditions:
            if condition.holds(exact) is not Trilean.TRUE:
                values = ", ".join(f"{name} = {shown(exact[name])}" for name in condition.names)
                raise DomainError(
                    f"{values} is outside the domain of {self.name}: "
                    f"it needs {condition.statement} ({condition.source})"
                    f"{condition.reason(exact)}"
                )


_registry: dict[str, Quantity] = {}


def quantity(
    name: str,
    *,
    safe: Side,
    truth: Truth,
    source: str,
    formula: str = "",
    least: LeastSound | None = None,
    conditions: tuple[Condition, ...] = (),
    within: Enclosure = ANY_NUMBER,
    shape: Shape = Shape.NUMBER,
    rises: Trends | None = None,
    falls: Trends | None = None,
    log_ratio: bool = False,
    vanishes: str = "",
    inverse: InverseOf | None = None,
    promise: Promise | None = None,
    noise: NoisePromise | None = None,
    quick: str = "",
    slow: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function of exact numbers that returns a ball (or an exact Fraction).

    The signature gives the parameters, their annotations the domain, and their meaning where it is
    not the vocabulary's; the docstring's first line is the summary. ``formula`` is what defines it,
    in LaTeX. ``within`` is where the quantity lies by definition; every enclosure is cut to it.
    ``truth`` has no default: whether anything below the number can be sound is decided for each
    quantity, and ``least`` names the quantity below which nothing is, for one that is printed.

    What is proved beyond one point (`relations`, proofs_notes/laws-of-answers.md): in which
    parameters it ``rises`` and ``falls``, or UNKNOWN; at which ends it ``vanishes``, as in
    "high epsilon, low step"; what it is the ``inverse`` of; what it ``promise``s of neighbours, or
    of queries with Laplace ``noise``; and whether it is a ``log_ratio``, known to doubles only
    absolutely where the ratio is near 1.
    ``quick`` is where it is quick to find, as in "eta <= 0.2, b >= 0.05"; ``slow`` is what takes
    milliseconds to draw or to enclose, and what is the inverse of another: of that a search looks
    at fewer points.
    """
    if least is not None and truth is not Truth.PRINTED:
        raise ValueError(f"{name} is the least itself; no other quantity is named")

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        if name in _registry:
            raise ValueError(f"the quantity {name} is defined twice")
        annotations = _annotations(function)
        domains = {parameter: _domain(parts) for parameter, parts in annotations.items()}
        item = Quantity(
            name,
            domains,
            conditions,
            safe,
            truth,
            least,
            source,
            inspect.getdoc(function) or "",
            formula,
            {one: _meaning(one, parts, domains[one]) for one, parts in annotations.items()},
            function,
            within,
            shape,
            None if rises is falls is None else trends(rises or (), falls or ()),
            log_ratio,
            ends(vanishes),
            inverse,
            promise,
            noise,
            bounds(quick),
            slow or inverse is not None,
        )
        item.require_related()
        _registry[name] = item
        return function

    return register


def _annotations(function: Callable[..., Any]) -> dict[str, tuple[Any, ...]]:
    """Return what each parameter is annotated with."""
    hints = get_type_hints(function, include_extras=True)
    return {name: get_args(hints[name]) for name in inspect.signature(function).parameters}


def _domain(annotation: tuple[Any, ...]) -> Domain:
    return next(part for part in annotation if isinstance(part, Domain))


def _meaning(name: str, annotation: tuple[Any, ...], domain: Domain) -> Meaning:
    """Return what a parameter means: as its annotation says, else as the vocabulary does."""
    own = next((part for part in annotation if isinstance(part, Meaning)), Meaning())
    return own.over(meaning_of(name, domain.kind))


def quantities(pattern: str = "*") -> dict[str, Quantity]:
    """Return the quantities whose names match a glob, in order of name."""
    _load()
    return {name: _registry[name] for name in sorted(_registry) if fnmatchcase(name, pattern)}


def quantities_matching(pattern: str) -> dict[str, Quantity]:
    """Return the quantities whose names match a glob, one at least.

    Raises UnknownNameError with the nearest name where none does, and InputError for a list.
    """
    found = quantities(pattern)
    if not found and {",", " "} & set(pattern):
        raise InputError(
            f"{shown(pattern)} is no single pattern of quantities, and a list is not taken: * "
            "stands for any letters and [ab] for one of them, as in 'gaussian.[de]*'; or ask once "
            "for each"
        )
    if not found:
        raise UnknownNameError("quantity", pattern, _registry, "(no quantity matches)")
    return found


def quantity_named(name: str) -> Quantity:
    """Return one quantity. Raises UnknownNameError with the nearest name."""
    if name not in _registry:
        _load(name.partition(".")[0])
    if name not in _registry:
        _load()
    if name not in _registry:
        raise UnknownNameError("quantity", name, _registry, "(`simplexcert quantities` lists them)")
    return _registry[name]


def _load(family: str = "") -> None:
    """Import the modules that declare quantities, of one family or of all: they register."""
    for each in families():
        if family in ("", each):
            import_module(f".{each}", __package__)
