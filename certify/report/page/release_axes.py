"""Put a release's curve and the points beside it on axes: where, how large, in which colours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from .drawing import legend_below
from .loss_curve import Curve
from .palette import LIGHT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What a double holds with room to spare; what lies beyond is in the table alone.
LARGEST, SMALLEST = Fraction(10**200), Fraction(1, 10**200)
# A decade below the smallest number in question there is nothing to see.
_ROOM = 10.0
# The truth at the claimed epsilon may be so small that the rest would be squeezed: so far, no more.
_DEEPEST = Fraction(1, 10**9)

AXES: Final = {
    "delta_at_epsilon": ("epsilon", "delta"),
    "epsilon_at_delta": ("epsilon", "delta"),
    "epsilon_at_order": ("order", "epsilon"),
    "epsilon_at_scale": ("scale of the noise, in multiples of the released one", "epsilon"),
}
DOT, SQUARE, DIAMOND = "o", "s", "D"
_SIZES = {DOT: 6, SQUARE: 10, DIAMOND: 9}
_RULED_OUT = "ruled out: some inputs lose more than this"
_CURVES = {True: "exact: some inputs lose this much", False: "proved: no inputs lose more"}
_LOWERED = " (delta = 0, drawn at the edge)"


@dataclass(frozen=True)
class Mark:
    """A point to be drawn beside a curve, in a colour of the palette."""

    label: str
    right: Fraction
    up: Fraction
    shape: str
    colour: str


def drawable(curve: Curve) -> list[tuple[Fraction, Fraction]]:
    """Return the points that a plot of doubles can show."""
    return [(x, y) for x, y in curve.points if SMALLEST <= y <= LARGEST >= x]


def draw_loss(
    axes: Axes, curve: Curve, marks: Iterable[Mark], truth: Fraction | None, *, attained: bool
) -> None:
    """Draw a curve with its marks; what lies below it is ruled out where it is attained.

    ``truth`` is the number at the claimed point, which should be on the plot if it can be.
    """
    marks, points = list(marks), drawable(curve)
    right, up = [float(x) for x, _ in points], [float(y) for _, y in points]
    axes.plot(right, up, color=LIGHT["curve"], linewidth=2, label=_CURVES[attained])
    floor = _floor(curve, marks, truth)
    if attained:
        excluded = LIGHT["excluded"]
        axes.fill_between(right, up, floor or 0.0, color=excluded, linewidth=0, label=_RULED_OUT)
    for mark in marks:
        _draw_mark(axes, mark, floor)
    _scaled(axes, curve, floor)
    legend_below(axes)


def _draw_mark(axes: Axes, mark: Mark, floor: float | None) -> None:
    colour = LIGHT[mark.colour]
    axes.plot(
        [float(mark.right)],
        [max(float(mark.up), floor or 0.0)],
        color=colour,
        marker=mark.shape,
        # Points may coincide: all but the dot are outlines, through which others are seen.
        markerfacecolor=colour if mark.shape == DOT else "none",
        markeredgewidth=2,
        markersize=_SIZES[mark.shape],
        linestyle="none",
        clip_on=False,
        label=mark.label + (_LOWERED if floor and not mark.up else ""),
    )


def _floor(curve: Curve, marks: list[Mark], truth: Fraction | None) -> float | None:
    """Return where a logarithmic axis begins: below all that matters; None for a straight one."""
    lowest = min(y for _, y in drawable(curve))
    if curve.key == "epsilon_at_order":
        return None
    if curve.key == "epsilon_at_scale":
        return float(lowest) / 2
    lowest = min((mark.up for mark in marks if mark.up >= SMALLEST), default=lowest)
    return float(min(lowest, max(truth or lowest, lowest * _DEEPEST))) / _ROOM


def _scaled(axes: Axes, curve: Curve, floor: float | None) -> None:
    """Label the axes and set their scales; powers are written so that any font can."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    right, up = AXES[curve.key]
    axes.set_xlabel(right)
    axes.set_ylabel(up)
    if floor is None:
        axes.set_ylim(bottom=0)
        return
    plain = FuncFormatter(lambda value, _: f"{value:g}")
    axes.set_yscale("log")
    if curve.key == "epsilon_at_scale":
        axes.set_xscale("log", base=2)
        axes.xaxis.set_major_formatter(plain)
        axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    else:
        axes.set_xlim(left=0)
    axes.yaxis.set_major_formatter(plain)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_ylim(bottom=floor)
