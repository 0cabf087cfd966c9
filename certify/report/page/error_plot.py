"""Draw a backend's errors over its domain: the cases that a certificate keeps for it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ....reference.errors import UnknownNameError
from ....reference.quantity import Side, quantity_named
from ...certificate.models import Sample
from .drawing import Picture, drawn, legend_below
from .palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = "errors"
# Truths nearer to 0 than this stand at the plot's edge: a few of them would squeeze all others.
_SMALLEST = 1e-40
# Labels on an axis, so that none runs into the next.
_TICKS = 7
# Further off than this an answer has nothing to do with the truth; a double cannot say how far.
_LARGEST = 1e200
_SIZE = "size of the truth"
_TITLE = "Error of the answers over the domain"
_COLUMNS = ("quantity", "check", "size of the truth", "error, ulps", "side")
_GROUPS: Final = (
    ("on the safe side", "curve", "o"),
    ("on the unsafe side", "refuted", "X"),
    ("of a quantity without a safe side", "printed", "s"),
)


def error_picture(sample: Sequence[Sample]) -> Picture | None:
    """Return the plot of a certificate's sample; None where there is nothing in it to draw."""
    points = [(group_of(item), *place) for item in sample if (place := _place(item)) is not None]
    if not points:
        return None
    description = _described(points, len(sample))
    svg = drawn(_NAME, lambda axes: _draw(axes, points), _TITLE, description)
    rows = tuple(
        (item.quantity, item.check, f"{float.fromhex(item.size):.3g}", item.ulps, item.side)
        for item in sample
    )
    return Picture(_TITLE, description, svg, _COLUMNS, rows, _notes(len(sample), len(points)))


def _notes(sampled: int, shown: int) -> tuple[str, ...]:
    kept = (
        f"{sampled} of the cases, spread over the transcript; the worst of each check stands in "
        "the table of checks. Nothing rests on this plot."
    )
    missing = f"{sampled - shown} of them have no finite place; the table of numbers has them."
    return (kept, missing) if shown < sampled else (kept,)


def group_of(item: Sample) -> str:
    """Return which of the three groups an answer belongs to, by its quantity's safe side."""
    try:
        safe = quantity_named(item.quantity).safe
    except UnknownNameError:
        return _GROUPS[2][0]
    wrong = {Side.UPPER: "below", Side.LOWER: "above"}.get(safe)
    if wrong is None:
        return _GROUPS[2][0]
    return _GROUPS[1][0] if item.side == wrong else _GROUPS[0][0]


def _place(item: Sample) -> tuple[float, float] | None:
    """Return an answer's place: the truth's size, and how far off; None where neither is finite.

    Floats, as a place on a screen is all that is asked for.
    """
    size = abs(float.fromhex(item.size))
    if item.ulps == "unbounded" or not math.isfinite(size):
        return None
    return max(size, _SMALLEST), min(float(item.ulps), _LARGEST)


def _draw(axes: Axes, points: list[tuple[str, float, float]]) -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator, SymmetricalLogLocator

    for name, colour, shape in _GROUPS:
        mine = [(size, ulps) for group, size, ulps in points if group == name]
        if mine:
            axes.scatter(
                [size for size, _ in mine],
                [ulps for _, ulps in mine],
                s=22,
                marker=shape,
                color=LIGHT[colour],
                linewidths=0,
                clip_on=False,
                label=f"{name} ({len(mine)})",
            )
    plain = FuncFormatter(lambda value, _: f"{value:g}")
    axes.set_xscale("log")
    # From 0 to one unit in the last place the axis is straight: exact answers have a place on it.
    axes.set_yscale("symlog", linthresh=1.0)
    axes.xaxis.set_major_formatter(plain)
    axes.yaxis.set_major_formatter(plain)
    axes.xaxis.set_major_locator(LogLocator(numticks=_TICKS))
    axes.xaxis.set_minor_locator(NullLocator())
    of_errors = SymmetricalLogLocator(base=10, linthresh=1)
    of_errors.set_params(numticks=_TICKS)
    axes.yaxis.set_major_locator(of_errors)
    axes.set_ylim(bottom=-0.1)
    at_the_edge = min(size for _, size, _ in points) <= _SMALLEST
    axes.set_xlabel(f"{_SIZE} (at the left edge: {_SMALLEST:g} or less)" if at_the_edge else _SIZE)
    axes.set_ylabel("error, units in the last place")
    legend_below(axes)


def _described(points: list[tuple[str, float, float]], count: int) -> str:
    largest = max(ulps for _, _, ulps in points)
    groups = [
        f"{number} {name}"
        for name, _, _ in _GROUPS
        if (number := sum(group == name for group, _, _ in points))
    ]
    return (
        f"{len(points)} of {count} answers as points: how large the truth is, against how far off "
        f"the answer, at most {largest:.3g} units in the last place. {', '.join(groups)}."
    )
