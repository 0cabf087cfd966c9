"""Plots of lines: one panel for each part of a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Line: TypeAlias = Sequence[tuple[float, float]]
# Inches of one panel.
_WIDTH, _HEIGHT = 6.0, 4.5


def curves(panels: Mapping[str, Mapping[str, Line]], **axes: Any) -> Figure:
    """Return a figure of a panel for each title, with its lines by their labels.

    What is measured is drawn as points: lines whose label starts with ``simulated``. ``axes`` is
    passed to each panel, such as xlabel or yscale.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH * len(panels), _HEIGHT), layout="constrained")
    places = figure.subplots(1, len(panels), squeeze=False)[0]
    for panel, (title, lines) in zip(places, panels.items(), strict=True):
        for label, line in lines.items():
            style = "." if label.startswith("simulated") else "-"
            panel.plot([x for x, _ in line], [y for _, y in line], style, label=label)
        panel.set(title=title, **axes)
        panel.legend(fontsize="small")
    return figure
