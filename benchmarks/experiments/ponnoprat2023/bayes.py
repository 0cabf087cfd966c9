"""Figures 4, 5, 9 and 10: naive Bayes models on eight public tables, by budget and mechanism."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field

from simplexcert.certify.models.privacy import Budget
from simulation.chains import NoDataError

from ..registry import Setting
from .batches import Model, Score
from .split import Split, split
from .uci import SOURCES
from .ways import (
    EPSILONS,
    QUICK_EPSILONS,
    Way,
)

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
