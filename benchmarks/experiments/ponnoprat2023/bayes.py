"""Figures 4, 5, 9 and 10: naive Bayes models on eight public tables, by budget and mechanism."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING

from simplexcert.certify.models.privacy import Budget
from simplexcert.certify.simulating.comparing import Mean
from simulation.chains import NoDataError

from ..outcome import Cell, Plot, Table
from ..registry import Setting
from .batches import Model, Score
from .uci import SOURCES, Split, split
from .ways import EPSILONS, QUICK_EPSILONS, Way, plotted, style_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DRAWS, QUICK_DRAWS = 10, 2


@dataclass(frozen=True)
class Studied:
    """What came of one table: scores by budget and way; None where a budget is out of reach."""

    split: Split
    not_private: Score
    scores: dict[tuple[str, str], Score | None]


@dataclass
class Study:
    """What came of all tables that are there."""

    epsilons: Sequence[str]
    ways: Sequence[Way]
    tables: list[Studied] = field(default_factory=list)
    skipped: list[str] = field(default_factory=list)

    def pairs(self, one: str, other: str) -> list[tuple[Score, Score]]:
        """Return the scores of two ways wherever both have one, a cell a table and budget."""
        cells = (
            (table.scores[epsilon, one], table.scores[epsilon, other])
            for table in self.tables
            for epsilon in self.epsilons
        )
        return [(a, b) for a, b in cells if a and b]


def studied(
    setting: Setting, ways: Sequence[Way], budget: Callable[[str], Budget]
) -> Generator[float, None, Study]:
    """Release and score models of every table that is there. Raises NoDataError if none is."""
    study = Study(QUICK_EPSILONS if setting.quick else EPSILONS, ways)
    for at, source in enumerate(SOURCES):
        try:
            model = Model(split(source, setting))
        except NoDataError as error:
            study.skipped.append(f"{source.name}: {error}")
            continue
        scores = {}
        for place, epsilon in enumerate(study.epsilons):
            for way in ways:
                scores[epsilon, way.label] = score(setting, model, way, epsilon, budget)
            yield (at + (place + 1) / len(study.epsilons)) / len(SOURCES)
        study.tables.append(Studied(model.split, model.score(model.not_private()), scores))
    if not study.tables:
        raise NoDataError(study.skipped[0])
    return study


def score(
    setting: Setting, model: Model, way: Way, epsilon: str, budget: Callable[[str], Budget]
) -> Score | None:
    """Release a model several times in one way, and score each.

    A noise is drawn alike for all its floors, which are compared.
    """
    loss = way.loss(model.layout, budget(epsilon), len(model.split.train))
    if loss is None:
        return None
    random = setting.generator("draws", model.split.source.name, epsilon, loss.method)
    draws = QUICK_DRAWS if setting.quick else DRAWS
    return model.score(model.drawn(loss, way, random, draws))


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
