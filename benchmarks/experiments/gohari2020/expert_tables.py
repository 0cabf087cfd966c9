"""Tables and the plot of the experts' private averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from ..curves import curves
from ..outcome import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .experts import Outputs, Spread

# Points of each collection in the plot.
SHOWN = 300


def statistics(means: Mapping[str, tuple[Fraction, ...]], found: Sequence[Outputs]) -> Table:
    """Return Table I for each k: means and variances, exactly and of the outputs."""
    rows = tuple(
        (
            one.k,
            f"{name}, coordinate {at + 1}",
            float(p),
            float(one.outputs[name][:, at].mean()),
            one.variances[name][at],
            float(one.outputs[name][:, at].var(ddof=1)),
        )
        for one in found
        for name, law in means.items()
        for at, p in enumerate(law)
    )
    columns = ("k", "average of", "mean", "mean of outputs", "variance", "variance of outputs")
    return Table("table-1", "Table I for the made-up opinions", columns, rows)


def tails(found: Sequence[Outputs]) -> Table:
    """Return what can be told from an output, and how often the good set is missed."""
    rows = tuple(
        (
            one.k,
            one.apart,
            (1 + one.apart) / 2,
            one.guessed.value,
            one.guessed.error,
            one.missing,
            one.missed.value,
            one.missed.error,
        )
        for one in found
    )
    columns = (
        "k",
        "total variation, certified",
        "best guess is right, certified",
        "simulated",
        "its error",
        "good set missed from the worst input, certified",
        "missed, simulated",
        "its error, missed",
    )
    return Table("figure-3", "From an output to the collection", columns, rows)


def spreads_table(spreads: Sequence[Spread]) -> Table:
    """Return how the variances of a table spread."""
    rows = tuple((one.runs, one.least, one.largest, one.above) for one in spreads)
    columns = ("runs", "5 % of variances below", "5 % above", "tables with one above 0.01")
    return Table("spread", "Empirical variances of Table I, by its number of runs", columns, rows)


def drawn(found: Sequence[Outputs]) -> Figure:
    """Return the plot: a panel for each k."""
    panels = {
        f"k = {one.k}": {
            f"simulated, from {name}": [(float(x[0]), float(x[1])) for x in outputs[:SHOWN]]
            for name, outputs in one.outputs.items()
        }
        for one in found
    }
    axes = {"xlabel": "first coordinate", "ylabel": "second coordinate"}
    return curves(panels, **axes, xlim=(0, 1), ylim=(0, 1))
