"""Figures 7 and 11: a Bayesian network on Adult, its tables released by budget and mechanism.

Beside it stands what Section 5.2 and Appendix C say.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from simplexcert.certify.models import PrivateTables
from simplexcert.certify.models.layout import Layout, counts_of
from simplexcert.certify.models.privacy import Budget
from simplexcert.certify.models.release import FloatDraws, released
from simplexcert.certify.simulating.comparing import Mean

from ..outcome import Cell, Finding, Outcome, Plot, Running, Table, Verdict
from ..registry import Setting
from .batches import mean
from .bayes import DRAWS, QUICK_DRAWS
from .findings import APPENDIX, GOHARI, Wins, counted, worst
from .uci import SOURCES, Codes, Floats, split
from .ways import (
    APPROXIMATE_WAYS,
    DIRICHLET,
    EPSILONS,
    FLOORS,
    NOISES,
    QUICK_EPSILONS,
    RENYI_WAYS,
    TIGHT,
    Form,
    Way,
    approximate_budget,
    noise_label,
    renyi_budget,
    style_of,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLE, LABEL = "Adult", "income"
# Which attribute depends on which. The paper's network is a drawing; this one is made up here.
PARENTS: dict[str, tuple[str, ...]] = {
    "age": (),
    "sex": (),
    "education": ("age",),
    "marital-status": ("age", "sex"),
    "relationship": ("marital-status", "sex"),
    "workclass": ("education",),
    "occupation": ("education", "sex"),
    "hours-per-week": ("workclass", "sex"),
    LABEL: ("education", "relationship"),
}
PLACES = tuple(tuple(list(PARENTS).index(one) for one in above) for above in PARENTS.values())


@dataclass(frozen=True)
class Network:
    """The counts of both parts of the data in every table of the network."""

    layout: Layout
    train: dict[str, Codes]
    test: dict[str, Codes]
    records: int

    def likelihoods(self, logs: dict[str, Floats], draws: int) -> Floats:
        """Return the test part's log-likelihood (11) of each draw, over the number of records."""
        total: Floats = np.zeros(draws)
        for name, counts in self.test.items():
            total += np.tensordot(logs[name].reshape(draws, *counts.shape), counts, axes=2)
        found: Floats = total / self.test[self.layout.tables[0].name].sum()
        return found

    def not_private(self) -> float:
        """Return it for relative frequencies, with one added to every count."""
        raised = {name: counts + 1 for name, counts in self.train.items()}
        logs = {name: np.log(of / of.sum(axis=1, keepdims=True)) for name, of in raised.items()}
        return float(self.likelihoods(logs, 1)[0])


@dataclass(frozen=True)
class Study:
    """Test log-likelihoods a record, by budget and way; None where it is out of reach."""

    epsilons: Sequence[str]
    ways: Sequence[Way]
    not_private: float
    uniform: float
    found: dict[tuple[str, str], Mean | None]


def studied(
    setting: Setting, ways: Sequence[Way], budget: Callable[[str], Budget]
) -> Generator[float, None, Study]:
    """Release the network in every way. Raises NoDataError."""
    network = adult(setting)
    draws = QUICK_DRAWS if setting.quick else DRAWS
    epsilons = QUICK_EPSILONS if setting.quick else EPSILONS
    usual = [way for way in ways if way.form is Form.USUAL]
    found = {}
    for at, epsilon in enumerate(epsilons):
        for way in usual:
            found[epsilon, way.label] = likelihood(setting, network, way, budget(epsilon), draws)
        yield (at + 1) / len(epsilons)
    sizes = [table.categories for table in network.layout.tables]
    uniform = -float(np.log(sizes).sum())
    return Study(epsilons, usual, network.not_private(), uniform, found)


def likelihood(
    setting: Setting, network: Network, way: Way, budget: Budget, draws: int
) -> Mean | None:
    """Release the network so many times; a noise is drawn alike for all its floors."""
    loss = way.loss(network.layout, budget, network.records)
    if loss is None:
        return None
    random = setting.generator("draws", str(budget.epsilon), loss.method)
    many = {name: np.tile(counts, (draws, 1)) for name, counts in network.train.items()}
    logs = released(network.layout, many, loss, FloatDraws(random), way.floor)
    return mean(network.likelihoods(logs, draws))


def adult(setting: Setting) -> Network:
    """Return the network of Adult's records. Raises NoDataError."""
    source = next(one for one in SOURCES if one.name == TABLE)
    data = split(source, setting)
    places = [source.features.index(name) for name in PARENTS if name != LABEL]
    train = np.column_stack([data.train[:, places], data.train_labels])
    test = np.column_stack([data.test[:, places], data.test_labels])
    sizes = (*(data.sizes[place] for place in places), data.classes)
    layout = PrivateTables(sizes, PLACES, epsilon=1, order=1).layout
    return Network(layout, counts(layout, sizes, train), counts(layout, sizes, test), len(train))


def counts(layout: Layout, sizes: Sequence[int], data: Codes) -> dict[str, Codes]:
    """Return the counts of every table: a vector for each combination of the parents' values."""
    found = {}
    for node, (table, above) in enumerate(zip(layout.tables, PLACES, strict=True)):
        vectors = np.zeros(len(data), dtype=np.int64)
        for parent in above:
            vectors = vectors * sizes[parent] + data[:, parent]
        found[table.name] = counts_of(vectors, data[:, node], table)
    return found


FIGURE_7 = "claim ponnoprat2023.figure-7"
# Section 5.2 speaks of smaller epsilons than this.
BELOW = 1.0
NOTE = (
    "A network of nine attributes of Adult, made up here: Figure 6 is a drawing. (11) over the"
    " number of test records, in nats. Bins, split and what is not private are as for Figures 4 and"
    " 5. Cells are budgets; for sure: beyond two standard errors."
)
OTHERS = (
    "The networks on Bank and GermanCredit: Figure 6 is a drawing, and its text has no edges"
    f" ({FIGURE_7})."
)


def figure_7(setting: Setting) -> Running:
    """Release the network at (5, epsilon)-Renyi privacy."""
    study = yield from studied(setting, RENYI_WAYS, renyi_budget)
    return renyi_outcome(study)


def figure_11(setting: Setting) -> Running:
    """Release the network at (epsilon, 1e-5)-privacy."""
    study = yield from studied(setting, APPROXIMATE_WAYS, approximate_budget)
    return approximate_outcome(study)


def renyi_outcome(study: Study) -> Outcome:
    """Return all that came of Figure 7."""
    return _outcome(study, "figure-7", tuple(likelier(study, floor, FIGURE_7) for floor in FLOORS))


def approximate_outcome(study: Study) -> Outcome:
    """Return all that came of Figure 11."""
    found = (*(likelier(study, floor, APPENDIX) for floor in FLOORS), laplace(study))
    return _outcome(study, "figure-11", found, GOHARI)


def _outcome(study: Study, figure: str, findings: tuple[Finding, ...], *skipped: str) -> Outcome:
    tuned = compared(study, TIGHT, DIRICHLET, study.epsilons)
    return Outcome(
        tables=(table(study, figure),),
        plots=(Plot(figure, "Test log-likelihood by budget", drawn(study)),),
        findings=findings,
        skipped=(OTHERS, *skipped),
        notes=(
            NOTE,
            f"'{TIGHT}' against Algorithm 1: likelier : less likely in {tuned} cells.",
        ),
    )


def table(study: Study, figure: str) -> Table:
    """Return a line a budget, a column a way."""
    labels = [way.label for way in study.ways]
    rows: list[tuple[Cell, ...]] = []
    for epsilon in study.epsilons:
        means = [study.found[epsilon, label] for label in labels]
        cells = [one.value if one else None for one in means]
        rows.append((epsilon, study.uniform, study.not_private, *cells))
    columns = ("epsilon", "uniform laws", "not private", *labels)
    title = "Test log-likelihood of a record, mean over the draws"
    return Table(figure, title, columns, tuple(rows), "No number: the budget is out of reach.")


def drawn(study: Study) -> Figure:
    """Return one panel; losses, not likelihoods, have a scale of logarithms."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5.5), layout="constrained")
    panel = figure.subplots()
    for way in study.ways:
        known = [(float(e), one) for e in study.epsilons if (one := study.found[e, way.label])]
        panel.errorbar(
            [epsilon for epsilon, _ in known],
            [-one.value for _, one in known],
            yerr=[one.error for _, one in known],
            **style_of(way),
        )
    panel.axhline(-study.not_private, color="black", label="not private")
    panel.axhline(-study.uniform, color="gray", linestyle="--", label="uniform laws")
    panel.set(xscale="log", yscale="log", xlabel="epsilon", ylabel="- log-likelihood of a record")
    figure.legend(loc="outside right upper", fontsize="small")
    return figure


def compared(study: Study, one: str, other: str, epsilons: Sequence[str]) -> Wins:
    """Return at how many budgets the first way is the likelier one."""
    pairs = [(study.found[epsilon, one], study.found[epsilon, other]) for epsilon in epsilons]
    return counted(one, other, [(a, b) for a, b in pairs if a and b])


def likelier(study: Study, floor: str, claim: str) -> Finding:
    """Return the finding on log-likelihoods against noisy counts with one floor."""
    small = [epsilon for epsilon in study.epsilons if float(epsilon) < BELOW]
    found = [compared(study, DIRICHLET, noise_label(kind, floor), small) for kind in NOISES]
    tuned = [compared(study, TIGHT, noise_label(kind, floor), small) for kind in NOISES]
    return Finding(
        "the Dirichlet mechanism's log-likelihoods are above those of noisy counts for epsilon < 1"
        " ('less' in 5.2, 'higher' in Section 6)",
        f"Adult, noisy counts raised to {floor}, likelier : less likely: "
        + "; ".join(f"{kind} {one}" for kind, one in zip(NOISES, found, strict=True)),
        worst(one.verdict for one in found),
        f"what stands in the place of small noisy counts is not printed, and it decides ({claim})."
        f" '{TIGHT}': "
        + "; ".join(f"{kind} {one}" for kind, one in zip(NOISES, tuned, strict=True)),
    )


def laplace(study: Study) -> Finding:
    """Return the finding on Laplace against Gaussian noise."""
    found = {
        floor: compared(
            study, noise_label(NOISES[1], floor), noise_label(NOISES[0], floor), study.epsilons
        )
        for floor in FLOORS
    }
    return Finding(
        "at (epsilon, 1e-5) Laplace noise does better than Gaussian (Appendix C)",
        "likelier : less likely of Laplace for the floors "
        + "; ".join(f"{floor} {one}" for floor, one in found.items()),
        Verdict.IN_SHAPE
        if all(one.wins > one.losses for one in found.values())
        else Verdict.NOT_AS_PRINTED,
        "all tables are accounted for together here; with a share of epsilon and delta for each"
        f" Laplace noise is the smaller one ({APPENDIX})",
    )
