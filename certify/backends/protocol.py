"""What a backend is: named functions in float64 that answer the registry's quantities."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, TypeVar

from ...reference.errors import InputError, UnknownNameError
from ...reference.exact import exact_number, shown
from ...reference.quantity import Quantity, quantities, quantity_named
from .declarations import SIDES, Direction, Ranges, declared_quantity, direction_in, ranges_in

_Declared = TypeVar("_Declared")
_MAX_NAME = 200
# More slack is no rounding: a loss that is understated would be certified.
MAX_SLACK = Fraction(1, 10**6)
# What can be drawn from: certify/samplers tests these.
SAMPLERS = ("dirichlet", "laplace")


@dataclass(frozen=True)
class Backend:
    """A backend under test, its declarations checked.

    ``slack`` is the relative understatement that it admits for a quantity, ``accuracy`` the
    relative error that it promises, ``domain`` where it answers at all, ``direction`` on which
    side of the truth; all are exact.
    """

    name: str
    version: str
    quantities: Mapping[str, Callable[..., Any]]
    vectorized: bool = False
    slack: Mapping[str, Fraction] = field(default_factory=dict)
    accuracy: Mapping[str, Fraction] = field(default_factory=dict)
    samplers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    domain: Mapping[str, Ranges] = field(default_factory=dict)
    direction: Mapping[str, Direction] = field(default_factory=dict)

    def quantity(self, name: str) -> Quantity:
        """Return a quantity as it is declared. Raises UnknownNameError."""
        return declared_quantity(
            quantity_named(name), self.domain.get(name), self.direction.get(name)
        )


def as_backend(thing: Any, where: str, known: Collection[str] | None = None) -> Backend:
    """Return a checked Backend from any object with the documented attributes.

    ``known`` are the quantities that there are, by default the registry's. Raises InputError if
    an attribute is missing or is not what it has to be.
    """
    is_whole = known is None
    known = quantities() if known is None else known
    backend = Backend(
        name=_text(thing, "name", where),
        version=_text(thing, "version", where),
        quantities=_functions(thing, "quantities", "quantity", known, where),
        vectorized=bool(attribute_of(thing, "vectorized", where)),
        slack=_slack(thing, where),
        accuracy=_shares(thing, "accuracy", where),
        samplers=_functions(thing, "samplers", "sampler", SAMPLERS, where),
        domain=_declared(thing, "domain", ranges_in, where),
        direction=_declared(thing, "direction", direction_in, where),
    )
    if not is_whole:
        return backend
    for name in {*backend.domain, *backend.direction}:
        backend.quantity(name)
    # What goes without saying need not be told.
    unusual = {
        name: direction
        for name, direction in backend.direction.items()
        if SIDES[direction] is not quantity_named(name).safe
    }
    return replace(backend, direction=unusual)


def _declared(
    thing: Any, attribute: str, read: Callable[[object, str], _Declared], where: str
) -> dict[str, _Declared]:
    """Return what is declared of quantities, each read. Raises InputError."""
    declared = _mapping(thing, attribute, where, required=False)
    return {name: read(value, f"{where}.{attribute}[{name!r}]") for name, value in declared.items()}


def _functions(
    thing: Any, attribute: str, kind: str, known: Collection[str], where: str
) -> dict[str, Callable[..., Any]]:
    """Return the callables of an attribute by name; only quantities are required."""
    named = _mapping(thing, attribute, where, required=attribute == "quantities")
    for name, function in named.items():
        if name not in known:
            raise UnknownNameError(kind, str(name), known, f"in {where}.{attribute}")
        if not callable(function):
            raise InputError(f"{where}.{attribute}[{name!r}] is not callable")
    return dict(named)


def _text(thing: Any, attribute: str, where: str) -> str:
    value = attribute_of(thing, attribute, where)
    if not isinstance(value, str) or not value:
        raise InputError(f"{where} is not a backend: its {attribute!r} is {shown(value)}, not text")
    if len(value) > _MAX_NAME or not value.isprintable():
        raise InputError(
            f"{where}: its {attribute!r} is {shown(value)}; at most {_MAX_NAME} printable "
            "characters can be certified"
        )
    return value


def attribute_of(thing: Any, attribute: str, where: str) -> Any:
    """Return an attribute or None; a backend's own code may raise anything when it is looked at.

    A SystemExit that passed would end the run with its own code, which looks like a pass.
    """
    try:
        return getattr(thing, attribute, None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001
        raise InputError(
            f"{where} is not a backend: its {attribute!r} raises {type(error).__name__}"
        ) from None


def _mapping(thing: Any, attribute: str, where: str, *, required: bool) -> Mapping[str, Any]:
    value = attribute_of(thing, attribute, where)
    if value is None and not required:
        return {}
    if not isinstance(value, Mapping):
        raise InputError(
            f"{where} is not a backend: its {attribute!r} is {shown(value)}, not a mapping"
        )
    return value


def _slack(thing: Any, where: str) -> dict[str, Fraction]:
    shares = _shares(thing, "slack", where)
    for name, share in shares.items():
        if share > MAX_SLACK:
            raise InputError(
                f"{where}.slack[{name!r}] = {shown(share)} is more than {shown(MAX_SLACK)}, "
                "which is the most that is admitted: more would certify understated losses; let "
                "the answers themselves be that much larger, or smaller, on their safe side"
            )
    return shares


def _shares(thing: Any, attribute: str, where: str) -> dict[str, Fraction]:
    declared = _mapping(thing, attribute, where, required=False)
    shares = {
        name: exact_number(value, f"{where}.{attribute}[{name!r}]")
        for name, value in declared.items()
    }
    for name, share in shares.items():
        if not 0 <= share < 1:
            raise InputError(f"{where}.{attribute}[{name!r}] = {shown(share)} is not in [0, 1)")
    return shares
