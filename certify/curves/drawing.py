"""Pictures of a curve: a line for each, on axes that fit what they show.

Only the points are proved, and each is a dot. A straight line between two of them may lie below the
truth, as it does where a logarithm is drawn upward and bends down; so it is said what lines are.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import isfinite
from pathlib import Path
from sys import float_info
from typing import TYPE_CHECKING, Final

from ...reference.errors import InputError
from ...reference.grids import nearest_float
from ..extras import require_plots
from ..pictures import bytes_of, format_of, own_settings
from .table import Curve, Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# More lines cannot be told apart.
MAX_LINES: Final = 8
_INCHES: Final = (7.0, 4.6)
# Of exact, printed and further ones; each is dark enough on white (WCAG 2.2, 1.4.11).
_COLOURS: Final = (
    "#1d4ed8", "#b45309", "#0b5d33", "#9b1c1c", "#6d28d9", "#0e7490", "#4b5563", "#a21caf",
)  # fmt: skip
_STYLES: Final = ("-", "--", "-.", ":")
_MARK_COLOUR: Final = "#0f172a"
# Heights, or places, whose ratio is larger are seen on an axis by powers of ten.
_WIDE: Final = 100.0
_LONGEST_TITLE: Final = 90
_DOT_SIZE: Final = 4
_LINES_ARE: Final = "each dot is proved; the lines between them only guide the eye"


def picture_of(curve: Curve, path: str | Path) -> bytes:
    """Return the picture as the bytes of a file of this name. Raises InputError."""
    kind = format_of(path)
    with own_settings():
        from matplotlib.figure import Figure

        figure = Figure(figsize=_INCHES, layout="constrained")
        _draw(curve, figure.subplots())
        return bytes_of(figure, kind)


def plotted(curve: Curve, axes: Axes | None) -> Axes:
    """Draw a curve on axes, or on those of a new figure, and return them. Raises InputError."""
    require_plots("a plot")
    if axes is None:
        from matplotlib import pyplot as plt

        _, axes = plt.subplots(figsize=_INCHES, layout="constrained")
    _draw(curve, axes)
    return axes


def _draw(curve: Curve, axes: Axes) -> None:
    if len(curve.lines) > MAX_LINES:
        raise InputError(
            f"{len(curve.lines)} lines cannot be told apart in a plot, which shows {MAX_LINES}; "
            "ask for fewer steps of the other parameters"
        )
    right = curve.column(curve.varied[0]).numbers()
    drawn = [_pieces(curve, line, right) for line in curve.lines]
    if not any(drawn):
        raise InputError("there is nothing to draw: no point is decided and has a finite number")
    mark = None if curve.mark is None else tuple(map(nearest_float, curve.mark[1:]))
    heights = [up for pieces in drawn for piece in pieces for _, up in piece]
    heights += [mark[1]] if mark else []
    floor = _floor(heights) if curve.height == "delta" or _is_wide(heights) else None
    for at, (line, pieces) in enumerate(zip(curve.lines, drawn, strict=True)):
        label: str | None = line.label
        for piece in pieces:
            kept = [(place, up) for place, up in piece if floor is None or up > 0]
            if kept:
                axes.plot(
                    *zip(*kept, strict=True),
                    color=_COLOURS[at],
                    linestyle=_STYLES[at % len(_STYLES)],
                    marker=".",
                    markersize=_DOT_SIZE,
                    label=label,
                )
                label = None  # one entry in the legend for all pieces
    if curve.mark is not None and mark is not None:
        height = max(mark[1], floor or mark[1])
        lowered = " (0, drawn at the edge)" if height > mark[1] else ""
        axes.plot([mark[0]], [height], color=_MARK_COLOUR, marker="D", markerfacecolor="none",
                  linestyle="none", clip_on=False, label=curve.mark[0] + lowered)  # fmt: skip
    if floor is not None:
        axes.set_yscale("log")
        axes.set_ylim(bottom=floor)
    if _is_even_in_logarithm(right):
        axes.set_xscale("log")
    _say(curve, axes)


def _say(curve: Curve, axes: Axes) -> None:
    """Put the words on a picture."""
    axes.set_xlabel(f"{curve.varied[0].replace('_', ' ')}\n{_LINES_ARE}")
    axes.set_ylabel(curve.height)
    # The font of a plot lacks most of the world's letters.
    title = curve.title.encode("ascii", "replace").decode()
    cut = title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}..."
    axes.set_title(cut, fontsize="medium", parse_math=False, wrap=True)
    axes.grid(visible=True, color="#e5e8ed")
    axes.set_axisbelow(True)
    axes.legend(fontsize="small")


def _pieces(
    curve: Curve, line: Line, right: Sequence[float | int | str]
) -> list[list[tuple[float, float]]]:
    """Return the places and heights of a line's points that are decided and finite, in pieces.

    Nothing is drawn across a place of which nothing finite is known.
    """
    heights, verdicts = curve.column(line.up).numbers(), curve.verdicts

    def is_known(row: int) -> bool:
        whole = isfinite(float(right[row])) and isfinite(float(heights[row]))
        return whole and verdicts[row] != "undecided"

    runs = groupby(line.rows, is_known)
    return [[(float(right[row]), float(heights[row])) for row in rows]
            for known, rows in runs if known]  # fmt: skip


def _is_wide(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) / min(values) >= _WIDE


def _floor(heights: Sequence[float]) -> float | None:
    """Return where an axis by powers of ten begins; None where nothing is above 0."""
    above = [height for height in heights if height > 0]
    # The least doubles have no half, and no place on an axis by powers of ten.
    return max(min(above) / 2, float_info.min) if above else None


def _is_even_in_logarithm(right: Sequence[float | int | str]) -> bool:
    """Whether the places are nearer to even in logarithm than to even in value."""
    places = sorted({float(place) for place in right})
    if len(places) < 3 or places[0] <= 0:  # noqa: PLR2004
        return False
    return places[len(places) // 2] < places[0] + (places[-1] - places[0]) / 4 and _is_wide(places)
