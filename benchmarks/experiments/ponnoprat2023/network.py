"""A Bayesian network on Adult, its tables released by budget and mechanism."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass

import numpy as np
from simplexcert.certify.models import PrivateTables
from simplexcert.certify.models.layout import Layout, counts_of
from simplexcert.certify.models.privacy import Budget
from simplexcert.certify.models.release import FloatDraws, released
from simplexcert.certify.simulating.comparing import Mean

from ..registry import Setting
from .batches import mean
from .bayes import DRAWS, QUICK_DRAWS
from .split import Codes, Floats, split
from .uci import SOURCES
from .ways import (
    EPSILONS,
    QUICK_EPSILONS,
    Form,
    Way,
)

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
