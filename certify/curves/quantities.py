"""The curve of a quantity: one axis or several, at each point an enclosure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from typing import Any

from ...reference.domain import Interval
from ...reference.errors import InputError
from ...reference.exact import exact_json, shown
from ...reference.grids import MAX_POINTS, Answers, evaluate
from ...reference.precision import Budget
from ...reference.quantity import Side
from .table import VERDICT, Column, Curve, Kind, Line


def curve_of_quantity(
    name: str,
    fixed: Mapping[str, object],
    axes: Mapping[str, Sequence[object]],
    digits: int,
    engine: str,
    budget: Budget | None,
) -> Curve:
    """Return the curve of a quantity over all combinations of the axes, the longest one fastest."""
    if not axes:
        raise InputError(f"{name}: a curve needs a parameter that varies, as in epsilon=0:3:31")
    count = prod(map(len, axes.values()))
    if count > MAX_POINTS:
        raise InputError(f"{name}: {shown(count)} points in all; ask for {MAX_POINTS} at most")
    right = max(axes, key=lambda key: len(axes[key]))
    others = [key for key in axes if key != right]
    order = (*others, right)
    combined = zip(*product(*(axes[key] for key in order)), strict=True)
    varied = {key: list(values) for key, values in zip(order, combined, strict=True)}
    found: Any = evaluate(name, {**fixed, **varied}, digits=digits, engine=engine, budget=budget)
    return _curve(found, (right, *others), len(axes[right]))


def _curve(found: Answers, varied: tuple[str, ...], length: int) -> Curve:
    quantity, points = found.quantity, found.points
    enclosures = tuple(point.enclosure for point in points)
    numbers = [key for key, domain in quantity.parameters.items() if isinstance(domain, Interval)]
    parameters = [
        Column(key, Kind.EXACT, tuple(each.parameters[key] for each in points), key not in varied)
        for key in numbers
    ]
    ends = Column("lower", Kind.LOWER, enclosures), Column("upper", Kind.UPPER, enclosures)
    verdicts = Column(VERDICT, Kind.WORD, tuple(point.verdict for point in points))
    fixed = {
        key: exact_json(value) for key, value in points[0].parameters.items() if key not in varied
    }
    return Curve(
        title=found.call,
        subject={
            "quantity": quantity.name,
            "claim": None,
            "parameters": fixed,
            "rigorous": found.rigorous,
            "attained": None,
        },
        varied=varied,
        height=quantity.name.rpartition(".")[2].replace("_", " "),
        digits=points[0].digits,
        table=(*parameters, *ends, verdicts),
        lines=tuple(_lines(found, parameters, varied, length)),
    )


def _lines(
    found: Answers, parameters: Sequence[Column], varied: tuple[str, ...], length: int
) -> list[Line]:
    """Return a line for each combination of the other axes, of the side that is safe."""
    up = "lower" if found.quantity.safe is Side.LOWER else "upper"
    others = [column for column in parameters if column.name in varied[1:]]
    shown = {column.name: column.shown() for column in others}
    return [
        Line(
            ", ".join(f"{name} = {texts[start]}" for name, texts in shown.items()) or f"{up} end",
            up,
            tuple(range(start, start + length)),
        )
        for start in range(0, len(found.points), length)
    ]
