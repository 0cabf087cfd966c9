"""A plot for each chain: the simulated values and the bounds against k, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .bounds import STANDARD_ERRORS
from .results import Result
from .sources import Kind
from .tables import TITLES

# Bounds that are further from all means are not shown.
_ROOM = 50
SHOWN = ("total_variation", "coefficient_change", "kl")
STYLES = {
    Kind.PROVED: "-",
    Kind.BELOW: "-.",
    Kind.EXACT: "-",
    Kind.PRINTED: "--",
    Kind.CERTIFICATE: "-.",
    Kind.RATE: ":",
}


def write_plot(path: Path, results: Sequence[Result]) -> None:
    """Write one chain's plot; nothing is shown on a screen."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(18, 6), layout="constrained")
    for panel, statistic in zip(figure.subplots(1, len(SHOWN)), SHOWN, strict=True):
        _draw(panel, statistic, results)
    figure.suptitle(f"{results[0].chain.title}: simulated values and bounds")
    figure.savefig(path, dpi=110)


def _draw(panel: Any, statistic: str, results: Sequence[Result]) -> None:
    factors = [one.factor for one in results]
    means = [one.means[statistic] for one in results]
    errors = [STANDARD_ERRORS * mean.error for mean in means]
    panel.errorbar(
        factors, [mean.value for mean in means], yerr=errors, fmt="ko", label="simulated, 4 errors"
    )
    for place, bound in enumerate(results[0].bounds):
        if bound.source.statistic == statistic:
            values = [one.bounds[place].value for one in results]
            if None not in values:
                panel.plot(factors, values, STYLES[bound.source.kind], label=bound.source.label)
    panel.set_ylim(min(mean.value for mean in means) / _ROOM, max(m.value for m in means) * _ROOM)
    panel.set(xscale="log", yscale="log", xlabel="k / k_min", title=TITLES[statistic])
    panel.legend(fontsize="x-small")
