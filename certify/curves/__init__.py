"""Curves: a quantity, or what the release of a claim loses, over a grid of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ...reference.domain import Interval
from ...reference.errors import InputError, UnknownNameError
from ...reference.evaluation import DEFAULT_DIGITS
from ...reference.exact import exact_number
from ...reference.grids import MAX_POINTS
from ...reference.precision import Budget, all_within
from ...reference.quantity import quantity_named
from ..audits.claim import EXAMPLE_PREFIX
from .spacing import spaced
from .table import Curve

__all__ = ["Curve", "curve", "is_claim", "spaced"]

_OF_A_CLAIM = ("epsilon", "delta")


def curve(
    what: str | Path | Mapping[str, object],
    parameters: Mapping[str, object] | None = None,
    *,
    digits: int = DEFAULT_DIGITS,
    engine: str = "arb",
    budget: Budget | None = None,
    **named: object,
) -> Curve:
    """Return the curve of a quantity, or of a claim, over a grid: each point is proved.

    ``what`` is a quantity's name, and the parameters are those of ``evaluate``; each number that is
    given as a one-dimensional array or list is an axis, the grid is all their combinations, and the
    longest axis is drawn to the right. Or it is a claim, as ``audit`` takes it, and ``epsilon`` or
    ``delta`` is an array: then the curve has what the claim's release loses, exactly, what the
    paper prints, and what is claimed. A text such as "0:3:31" or "1e-9:0.1:9:log" is an axis, too:
    first, last, number of points.

    Raises InputError, UnknownNameError or DomainError. ``budget`` is for all points together; a
    point that it does not suffice for is undecided.
    """
    given = dict(parameters or {})
    for key, value in named.items():
        if key in given:
            raise InputError(f"the parameter {key} is given twice")
        given[key] = value
    if is_claim(what):
        return _of_claim(what, given, budget)
    from .quantities import curve_of_quantity

    quantity = quantity_named(str(what))
    numbers = {name for name, domain in quantity.parameters.items() if isinstance(domain, Interval)}
    whole = {name for name in numbers if quantity.parameters[name].kind == "integer"}
    axes = {
        name: points
        for name in given
        if name in numbers
        if (points := _axis(name, given[name], whole=name in whole)) is not None
    }
    fixed = {name: value for name, value in given.items() if name not in axes}
    return curve_of_quantity(quantity.name, fixed, axes, digits, engine, budget)


def is_claim(what: str | Path | Mapping[str, object]) -> bool:
    """Whether this is a claim: a table, a path, a text of lines, ``example:NAME``, or ``*.toml``.

    Any other text is so where it is the name of a file, and not that of a quantity.
    """
    if not isinstance(what, str):
        return True
    if "\n" in what or what == "-" or what.startswith(EXAMPLE_PREFIX) or what.endswith(".toml"):
        return True
    try:
        quantity_named(what)
    except UnknownNameError:
        return Path(what).is_file()
    return False


def _of_claim(
    what: str | Path | Mapping[str, object], given: Mapping[str, object], budget: Budget | None
) -> Curve:
    from .claims import curve_of_claim

    for name in given:
        if name not in _OF_A_CLAIM:
            raise UnknownNameError(
                "parameter", name, _OF_A_CLAIM, "(of a claim epsilon or delta varies)"
            )
    axes = {name: _axis(name, value, whole=False) for name, value in given.items()}
    if len(axes) != 1 or None in axes.values():
        raise InputError("of a claim either epsilon or delta varies, as in epsilon=0:3:31")
    ((name, points),) = axes.items()
    values = [exact_number(point, name) for point in points or ()]
    with all_within((budget or Budget()).left()):
        return curve_of_claim(what, name, values)


def _axis(name: str, value: object, *, whole: bool) -> Sequence[object] | None:
    """Return the points of an axis, None for a single number. Raises InputError."""
    if isinstance(value, str):
        return spaced(name, value, whole=whole) if ":" in value else None
    found = value.tolist() if hasattr(value, "tolist") else value
    if not isinstance(found, Sequence) or isinstance(found, bytes):
        return None
    if any(isinstance(item, list | tuple) for item in found):
        raise InputError(f"{name}: an axis is one list of numbers; the grid is all combinations")
    if not 1 <= len(found) <= MAX_POINTS:
        raise InputError(f"{name}: {len(found)} points; ask for 1 to {MAX_POINTS}")
    return found
