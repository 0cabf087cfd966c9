"""Tables and plots of the naive Bayes models."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Cell, Plot, Table
from .batches import Score
from .bayes import Studied, Study
from .styles import plotted, style_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# The budgets on the page; all of them are in the file.
SHOWN_EPSILONS = ("0.01", "0.1", "1", "10")
_COLUMNS = 4
LOSS, ACCURACY = "cross-entropy", "accuracy"


def measured(score: Score, measure: str) -> Mean:
    """Return one of the two measures."""
    return score.loss if measure == LOSS else score.accuracy


def guess(table: Studied, measure: str) -> float:
    """Return what the uniform guess has."""
    classes = table.split.classes
    return log(classes) if measure == LOSS else 1 / classes


def all_scores(study: Study) -> Table:
    """Return every score with its standard error."""
    rows = [
        (table.split.source.name, epsilon, label, *_numbers(score))
        for table in study.tables
        for (epsilon, label), score in table.scores.items()
    ]
    columns = ("table", "epsilon", "way", LOSS, "its error", ACCURACY, "accuracy's error")
    note = "No number: the budget is out of the way's reach."
    return Table("scores", "Test scores, means over the draws", columns, tuple(rows), note)


def _numbers(score: Score | None) -> tuple[Cell, ...]:
    if score is None:
        return (None,) * 4
    return score.loss.value, score.loss.error, score.accuracy.value, score.accuracy.error


def by_table(study: Study, measure: str) -> Table:
    """Return a line a table and budget, a column a way."""
    labels = [way.label for way in study.ways]
    rows: list[tuple[Cell, ...]] = []
    for table in study.tables:
        known = guess(table, measure), measured(table.not_private, measure).value
        for epsilon in (one for one in SHOWN_EPSILONS if one in study.epsilons):
            scores = [table.scores[epsilon, label] for label in labels]
            cells = [measured(score, measure).value if score else None for score in scores]
            rows.append((table.split.source.name, epsilon, *known, *cells))
    columns = ("table", "epsilon", "uniform guess", "not private", *labels)
    return Table(measure, f"Test {measure}, mean over the draws", columns, tuple(rows))


def table_1(study: Study) -> Table:
    """Return Table 1's columns, of the paper and of the data here."""
    rows = [
        (
            table.split.source.name,
            table.split.instances,
            table.split.source.printed.instances,
            len(table.split.sizes),
            table.split.source.printed.attributes,
            table.split.classes,
            table.split.source.printed.classes,
            100 * table.split.positive_share if table.split.source.positive else None,
            table.split.source.printed.positive,
        )
        for table in study.tables
    ]
    columns = ("instances", "attributes", "classes", "percent positive")
    both = [name for column in columns for name in (column, f"{column}, printed")]
    return Table("table-1", "Table 1, here and as printed", ("table", *both), tuple(rows))


def plots(study: Study, figures: tuple[str, str]) -> tuple[Plot, ...]:
    """Return a plot of each measure, with a panel a table."""
    return tuple(
        Plot(figure, f"Test {measure} by budget", drawn(study, measure))
        for figure, measure in zip(figures, (LOSS, ACCURACY), strict=True)
    )


def drawn(study: Study, measure: str) -> Figure:
    """Return a panel for each table; cross-entropies on a scale of logarithms."""
    from matplotlib.figure import Figure

    rows = -(-len(study.tables) // _COLUMNS)
    figure = Figure(figsize=(4.5 * _COLUMNS, 3.8 * rows + 1), layout="constrained")
    places = figure.subplots(rows, _COLUMNS, squeeze=False).ravel()
    for panel in places[len(study.tables) :]:
        panel.set_visible(False)
    for panel, table in zip(places, study.tables, strict=False):
        _panel(panel, study, table, measure)
    lines, labels = places[0].get_legend_handles_labels()
    figure.legend(lines, labels, loc="outside lower center", ncols=_COLUMNS, fontsize="small")
    return figure


def _panel(panel: Axes, study: Study, table: Studied, measure: str) -> None:
    for way in filter(plotted, study.ways):
        scores = [(epsilon, table.scores[epsilon, way.label]) for epsilon in study.epsilons]
        known = [(float(epsilon), measured(score, measure)) for epsilon, score in scores if score]
        panel.errorbar(
            [epsilon for epsilon, _ in known],
            [one.value for _, one in known],
            yerr=[one.error for _, one in known],
            linewidth=1,
            **style_of(way),
        )
    not_private = measured(table.not_private, measure).value
    panel.axhline(not_private, color="black", linewidth=1, label="not private")
    panel.axhline(guess(table, measure), color="gray", linestyle="--", label="uniform guess")
    panel.set(title=table.split.source.name, xscale="log", xlabel="epsilon", ylabel=measure)
    if measure == LOSS:
        panel.set_yscale("log")
