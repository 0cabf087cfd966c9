"""Pictures of a curve: a line for each, on axes that fit what they show.

Only the points are proved, and each is a dot. A straight line between two of them may lie below the
truth, as it does where a logarithm is drawn upward and bends down; so it is said what lines are.
What has no place on the axes, 0 on one by powers of ten and what is infinite, stands at their edge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import inf, isfinite
from pathlib import Path
from sys import float_info
from typing import TYPE_CHECKING, Any, Final

from ...reference.errors import InputError
from ...reference.grids import nearest_float
from ..extras import require_plots
from ..pictures import bytes_of, format_of, own_settings
from .table import Curve, Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

# More lines cannot be told apart.
MAX_LINES: Final = 8
_INCHES: Final = (7.0, 4.6)
# Of exact, printed and further ones; each is dark enough on white (WCAG 2.2, 1.4.11).
_COLOURS: Final = (
    "#1d4ed8", "#b45309", "#0b5d33", "#9b1c1c", "#6d28d9", "#0e7490", "#4b5563", "#a21caf",
)  # fmt: skip
_STYLES: Final = ("-", "--", "-.", ":")
_MARK_COLOUR, _NOTE_COLOUR, _GRID_COLOUR = "#0f172a", "#4b5563", "#e5e8ed"
_RULED_OUT_COLOUR, _RULED_OUT_INK = "#f6d5d5", "#9b1c1c"
# Heights, or places, whose ratio is larger are seen on an axis by powers of ten.
_WIDE, _WIDE_PLACES = 100.0, 10.0
# What is so far below the claim is left out: it would squeeze what is read from the rest.
_DEEPEST: Final = 1e-9
_ROOM: Final = 10.0
# Above the lines of a claim there is room for their names.
_MARGIN: Final = 0.1
# An axis that shows less has a label at 2 and at 5, too.
_SHORT: Final = 1e3
_LONGEST_TITLE: Final = 160
# So many letters stand in a row of the legend, with its lines.
_LETTERS_A_ROW, _LETTERS_OF_LINE = 84, 7
_ROW_POINTS, _PAD_POINTS = 15, 6
_DOT_SIZE: Final = 4
# Where the note stands under an axis, and how far from its point a word.
_NOTE_POINTS, _WORD_POINTS = -34, 8
_LEFT_PART, _RIGHT_PART = 0.35, 0.7
_RULED_OUT: Final = "ruled out: some inputs lose more"
_LINES_ARE: Final = "each dot is proved; the lines between them only guide the eye"
_Points = list[tuple[float, float]]


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
    right = [float(place) for place in curve.column(curve.varied[0]).numbers()]
    drawn = [_pieces(curve, line, right) for line in curve.lines]
    every = [up for pieces in drawn for piece in pieces for _, up in piece]
    if not any(map(isfinite, every)):
        raise InputError("there is nothing to draw: no point is decided and has a finite number")
    mark = None if curve.mark is None else (*map(nearest_float, curve.mark[1:]),)
    marked = [mark[1]] if mark else []
    is_by_powers = curve.height == "delta" or _is_wide([*filter(isfinite, every), *marked])
    floor = _floor(every, marked) if is_by_powers else None
    if mark:
        axes.margins(y=_MARGIN)
    _spanned(axes, [place for place in right if isfinite(place)], every)
    edges: dict[float, None] = {}
    for at, (line, pieces) in enumerate(zip(curve.lines, drawn, strict=True)):
        _draw_line(axes, at, line.label if mark is None else "_line", pieces, floor)
        edges |= dict.fromkeys(_draw_edges(axes, at, pieces, floor))
    if floor is not None:
        axes.set_yscale("log")
    if _is_even_in_logarithm(right):
        axes.set_xscale("log")
    axes.set_ylim(bottom=floor)
    if mark is not None:
        _rule_out(curve, axes, right, floor)
        _draw_mark(curve, axes, mark, floor)
        for at, (line, pieces) in enumerate(zip(curve.lines, drawn, strict=True)):
            _name_line(axes, at, line.label, [point for piece in pieces for point in piece])
    for axis in (axes.xaxis, axes.yaxis):
        _number(axis)
    left_out = floor is not None and any(0 < up < floor for up in every)
    _say(curve, axes, [*_said_of(curve, edges, least=min(filter(None, every)) if left_out else 0)])


def _spanned(axes: Axes, places: Sequence[float], heights: Sequence[float]) -> None:
    """Let the axis to the right hold every place that was asked for, whatever is known there."""
    height = max(filter(isfinite, heights))
    axes.update_datalim([(min(places), height), (max(places), height)])
    axes.autoscale_view()


def _draw_line(
    axes: Axes, at: int, label: str, pieces: Sequence[_Points], floor: float | None
) -> None:
    """Draw the pieces of a line; from its last number above 0 it leaves the axes for a 0."""
    named: str | None = label
    least = None if floor is None else max(floor / _ROOM**2, float_info.min)
    for piece in pieces:
        for is_finite, run in groupby(piece, lambda point: isfinite(point[1])):
            kept = [(place, max(up, least or up)) for place, up in run]
            if not is_finite or (floor is not None and all(up < floor for _, up in kept)):
                continue
            axes.plot(
                *zip(*kept, strict=True),
                color=_COLOURS[at],
                linestyle=_STYLES[at % len(_STYLES)],
                marker=".",
                markersize=_DOT_SIZE,
                label=named,
            )
            named = None  # one entry in the legend for all pieces


def _draw_edges(
    axes: Axes, at: int, pieces: Sequence[_Points], floor: float | None
) -> Iterator[float]:
    """Draw at an edge what has no place between them, and yield which numbers those are."""
    for value, edge, sign in ((0.0, 0.0, "v"), (inf, 1.0, "^")):
        places = [place for piece in pieces for place, up in piece if up == value]
        if not places or (floor is None and not value):
            continue
        axes.plot(places, [edge] * len(places), sign, color=_COLOURS[at], clip_on=False,
                  markerfacecolor="white", markersize=_DOT_SIZE, label="_edge",
                  transform=axes.get_xaxis_transform())  # fmt: skip
        yield value


def _rule_out(curve: Curve, axes: Axes, right: Sequence[float], floor: float | None) -> None:
    """Shade what a claim cannot say, by the lower ends: a loss falls, so each holds to its left."""
    if not curve.subject["attained"]:
        return
    ends = curve.column("exact_lower").numbers()
    known = sorted(
        (place, float(up))
        for place, up, verdict in zip(right, ends, curve.verdicts, strict=True)
        if verdict != "undecided" and isfinite(float(up)) and isfinite(place)
    )
    if not known:
        return
    places, heights = zip(*known, strict=True)
    least = 0.0 if floor is None else floor / _ROOM
    axes.fill_between(places, [max(up, least) for up in heights], least, step="pre",
                      color=_RULED_OUT_COLOUR, linewidth=0, label=_RULED_OUT, zorder=0)  # fmt: skip


def _is_ruled_out(curve: Curve) -> bool:
    """Whether the claim is below a proved loss at its own place, or at one further to the right."""
    if curve.mark is None or not curve.subject["attained"]:
        return False
    _, place, up = curve.mark
    ends = zip(curve.column(curve.varied[0]).cells, curve.column("exact_lower").cells, strict=True)
    return any(at >= place and end is not None and end.lower > up for at, end in ends)


def _draw_mark(curve: Curve, axes: Axes, mark: tuple[float, ...], floor: float | None) -> None:
    """Draw what was claimed, with its word where the curve, which falls, is not."""
    place, up = mark
    is_at_edge = floor is not None and up < floor
    transform = axes.get_xaxis_transform() if is_at_edge else axes.transData
    height = 0.0 if is_at_edge else up
    axes.plot([place], [height], color=_MARK_COLOUR, marker="D", markerfacecolor="white",
              markeredgewidth=1.5, linestyle="none", clip_on=False, transform=transform,
              label="_mark", zorder=4)  # fmt: skip
    axes.autoscale_view(scaley=False)
    is_below = _is_ruled_out(curve)
    share = axes.transAxes.inverted().transform(transform.transform((place, height)))[0]
    is_left = share > (_LEFT_PART if is_below else _RIGHT_PART)
    word = curve.mark[0] if curve.mark else ""
    axes.annotate(
        f"{word}{': ruled out' if is_below else ''}{' (0, drawn at the edge)' * is_at_edge}",
        (place, height),
        xycoords=transform,
        xytext=(-_WORD_POINTS if is_left else _WORD_POINTS, _WORD_POINTS * is_at_edge),
        textcoords="offset points",
        ha="right" if is_left else "left",
        va="bottom" if is_at_edge else "center",
        color=_RULED_OUT_INK if is_below else _MARK_COLOUR,
        weight="bold",
    )


def _name_line(axes: Axes, at: int, label: str, points: _Points) -> None:
    """Put a line's name at the line: lines of a claim fall, and above and to the right is room."""
    low, high = axes.get_ylim()
    shown = [(place, up) for place, up in points if low < up < high]
    if not shown:
        return
    # The first line is in the others' way at its ends alone.
    place, up = shown[0 if at else len(shown) // 3]
    share = axes.transAxes.inverted().transform(axes.transData.transform((place, up)))[0]
    is_left = share > _RIGHT_PART
    place = shown[-1][0] if is_left else place
    axes.annotate(label, (place, up), xytext=(0 if is_left else _WORD_POINTS, 0.75 * _WORD_POINTS),
                  textcoords="offset points", ha="right" if is_left else "left", va="bottom",
                  color=_COLOURS[at])  # fmt: skip


def _number(axis: Axis) -> None:
    """Write powers of ten in plain letters, and on a short axis some numbers between them."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    if axis.get_scale() != "log":
        return
    low, high = sorted(axis.get_view_interval())
    if high < low * _SHORT:
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}".replace("e-0", "e-")))
    axis.set_minor_locator(NullLocator())


def _said_of(curve: Curve, edges: dict[float, None], *, least: float) -> Iterator[str]:
    """Yield what a picture does not show, or shows at an edge."""
    yield _LINES_ARE
    said = {0.0: "0", inf: "infinite"}
    if edges:
        yield f"triangles at an edge: {' or '.join(said[edge] for edge in edges)}"
    if least:
        yield f"goes on below the edge, to about {least:.0e}".replace("e-0", "e-")
    if undecided := curve.verdicts.count("undecided"):
        yield f"{undecided} undecided: not drawn"


def _say(curve: Curve, axes: Axes, notes: Sequence[str]) -> None:
    """Put the words on a picture: what tells lines apart stands above them, in no one's way."""
    axes.set_xlabel(curve.varied[0].replace("_", " "))
    axes.annotate("\n".join([notes[0], "; ".join(notes[1:])]).rstrip(), (0.5, 0),
                  xycoords="axes fraction", xytext=(0, _NOTE_POINTS), textcoords="offset points",
                  ha="center", va="top", fontsize="small", color=_NOTE_COLOUR)  # fmt: skip
    handles, labels = axes.get_legend_handles_labels()
    is_alone = len(labels) == 1 and curve.mark is None
    axes.set_ylabel(f"{curve.height}, {labels[0]}" if is_alone else curve.height)
    rows = 0
    if not is_alone and labels:
        widest = max(map(len, labels)) + _LETTERS_OF_LINE
        columns = max(1, min(len(labels), _LETTERS_A_ROW // widest))
        rows = -(-len(labels) // columns)
        axes.legend(handles, labels, loc="lower left", bbox_to_anchor=(0, 1), ncols=columns,
                    frameon=False, fontsize="small", borderaxespad=0.1,
                    borderpad=0.2, columnspacing=1.2)  # fmt: skip
    # The font of a plot lacks most of the world's letters.
    title = curve.title.encode("ascii", "replace").decode()
    cut = title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}..."
    axes.set_title(cut, fontsize="medium", parse_math=False, wrap=True, loc="left",
                   pad=_PAD_POINTS + rows * _ROW_POINTS)  # fmt: skip
    axes.grid(visible=True, color=_GRID_COLOUR)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)


def _pieces(curve: Curve, line: Line, right: Sequence[float]) -> list[_Points]:
    """Return the places and heights of a line's points that are decided, in pieces.

    Nothing is drawn across a place of which nothing is known, or whose height is infinite.
    """
    heights: Sequence[Any] = curve.column(line.up).numbers()
    verdicts = curve.verdicts

    def is_known(row: int) -> bool:
        is_number = isfinite(right[row]) and float(heights[row]) >= -float_info.max
        return is_number and verdicts[row] != "undecided"

    runs = groupby(line.rows, is_known)
    return [[(right[row], float(heights[row])) for row in rows] for known, rows in runs if known]


def _is_wide(values: Sequence[float], ratio: float = _WIDE) -> bool:
    return min(values) > 0 and max(values) / min(values) >= ratio


def _floor(heights: Sequence[float], marked: Sequence[float]) -> float | None:
    """Return where an axis by powers of ten begins; None where nothing is above 0.

    All that was asked for is shown, but what is far below a claim.
    """
    above = [up for up in heights if 0 < up < inf]
    if not above:
        return None
    least = min(*above, *marked) / 2 if marked and min(marked) > 0 else min(above) / 2
    deepest = min(max(above), *marked) * _DEEPEST if marked else 0.0
    # The least doubles have no half, and no place on an axis by powers of ten.
    return max(least, deepest, float_info.min)


def _is_even_in_logarithm(right: Sequence[float]) -> bool:
    """Whether the places are nearer to even in logarithm than to even in value."""
    places = sorted({place for place in right if isfinite(place)})
    if len(places) < 3 or places[0] <= 0:  # noqa: PLR2004
        return False
    is_bent = places[len(places) // 2] < places[0] + (places[-1] - places[0]) / 4
    return is_bent and _is_wide(places, _WIDE_PLACES)
