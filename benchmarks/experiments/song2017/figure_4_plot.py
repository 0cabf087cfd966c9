"""The plot of Figure 4's upper row."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from matplotlib.figure import Figure

from .figure_4_points import Point
from .mechanisms import APPROX, EXACT, GK16

MARKS = {GK16: "^", APPROX: "s", EXACT: "o"}


def drawn(points: Sequence[Point]) -> Figure:
    """Return a panel for each epsilon, GroupDP left out as in the paper."""
    epsilons = list(dict.fromkeys(one.epsilon for one in points))
    figure = Figure(figsize=(15, 4.5), layout="constrained")
    for panel, epsilon in zip(figure.subplots(1, len(epsilons)), epsilons, strict=True):
        _panel(panel, [one for one in points if one.epsilon == epsilon], epsilon)
    return figure


def _panel(panel: Any, points: Sequence[Point], epsilon: Fraction) -> None:
    for mechanism, mark in MARKS.items():
        shown = [one for one in points if one.mechanism == mechanism and one.error]
        alphas = [float(one.alpha) for one in shown]
        means = [one.error.value for one in shown if one.error]
        (line,) = panel.plot(alphas, means, mark, markersize=4, label=f"{mechanism}, trials")
        panel.plot(alphas, [one.expected for one in shown], "-", color=line.get_color())
    applies = [one.alpha for one in points if one.mechanism == GK16 and one.error]
    if applies:
        panel.axvline(float(min(applies)), color="black", linestyle="--", label="GK16 from here on")
    panel.set(yscale="log", xlabel="alpha", title=f"epsilon = {float(epsilon):g}")
    panel.set_ylabel("L1 error of the share of state 1")
    panel.legend(fontsize="small")
