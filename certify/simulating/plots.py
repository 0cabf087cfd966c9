"""Plots of a simulation: each error against epsilon, or its distribution; titled NOT PRIVATE."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Any, Final

from ..pictures import bytes_of, own_settings
from .comparing import STANDARD_ERRORS
from .expected import Expected, Kind
from .running import Point, Simulation

_TITLE: Final = "NOT PRIVATE: simulated"
_COLUMNS, _SIZE, _BINS, _TICKS = 3, 4.5, 60, 5
_STYLES: Final = {Kind.EXACT: "-", Kind.UPPER: "--", Kind.LOWER: ":"}
_LONGEST_NAME = 60


def plot_of(simulation: Simulation, kind: str = "png") -> bytes:
    """Return a plot as the bytes of its file; nothing is shown on a screen.

    A user's own matplotlib settings, or the current folder's, play no part.
    """
    errors = list(simulation.points[0].means)
    rows = ceil(len(errors) / _COLUMNS)
    with own_settings():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(_COLUMNS * _SIZE, rows * _SIZE), layout="constrained")
        panels = figure.subplots(rows, _COLUMNS, squeeze=False).flatten()
        for panel, error in zip(panels, errors, strict=False):
            (_against_epsilon if simulation.swept else _distribution)(panel, simulation, error)
            panel.set_title(f"{_TITLE} {error}", fontsize="medium")
        for panel in panels[len(errors) :]:
            panel.set_axis_off()
        figure.suptitle(_title(simulation), parse_math=False)
        return bytes_of(figure, kind)


def _title(simulation: Simulation) -> str:
    # A plot's font lacks most of the world's letters.
    name = simulation.claim.name[:_LONGEST_NAME].encode("ascii", "replace").decode()
    return (
        f"{_TITLE} errors of {name} ({simulation.claim.mechanism.name}), {simulation.draws} draws"
    )


def _distribution(panel: Any, simulation: Simulation, error: str) -> None:
    """Draw how the error is distributed, its mean, and the known values of the mean."""
    (point,) = simulation.points
    panel.hist(point.values[error], bins=_BINS, color="lightgrey")
    panel.axvline(point.means[error].value, color="black", label="mean")
    for at, expected in enumerate(_known(point, error)):
        panel.axvline(_end(expected), color=f"C{at}", linestyle=_STYLES[expected.kind],
                      label=_label(expected))  # fmt: skip
    panel.set(xlabel=error, ylabel="draws")
    _finish(panel)


def _against_epsilon(panel: Any, simulation: Simulation, error: str) -> None:
    """Draw means with standard errors against epsilon, and their known values."""
    points = sorted(simulation.points, key=lambda point: point.claim.epsilon)
    epsilons = [float(point.claim.epsilon) for point in points]
    means = [point.means[error] for point in points]
    panel.errorbar(epsilons, [mean.value for mean in means],
                   yerr=[STANDARD_ERRORS * mean.error for mean in means], fmt="ko",
                   label=f"simulated, {STANDARD_ERRORS} standard errors")  # fmt: skip
    for at, what in enumerate(_everywhere(points, error)):
        panel.plot(epsilons, [_end(one) for one in what], color=f"C{at}",
                   linestyle=_STYLES[what[0].kind], label=_label(what[0]))  # fmt: skip
    positive = all(mean.value > 0 for mean in means)
    panel.set(xlabel="epsilon", ylabel=error, yscale="log" if positive else "linear")
    _finish(panel)


def _finish(panel: Any) -> None:
    """Put the legend below, so that it hides nothing."""
    panel.locator_params(axis="x", nbins=_TICKS)
    panel.legend(fontsize="x-small", loc="upper center", bbox_to_anchor=(0.5, -0.14))


def _everywhere(points: Sequence[Point], error: str) -> Iterator[tuple[Expected, ...]]:
    """Yield the values and bounds that are known at every epsilon."""
    by_point = [{(e.kind, e.what): e for e in _known(point, error)} for point in points]
    for key in by_point[0]:
        if all(key in known for known in by_point):
            yield tuple(known[key] for known in by_point)


def _known(point: Point, error: str) -> list[Expected]:
    return [one.expected for one in point.compared
            if one.expected.error == error and one.expected.known]  # fmt: skip


def _end(expected: Expected) -> float:
    end = expected.high if expected.low is None else expected.low
    return float("nan") if end is None else float(end)


def _label(expected: Expected) -> str:
    return f"{expected.kind.value}: {expected.what}"
