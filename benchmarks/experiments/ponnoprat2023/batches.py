"""Naive Bayes models released many times at once, and their losses on the test part.

The tables, the calibration and the draws are those of ``simplexcert.certify.models``; the draws
are in floats, and so not private. All draws of a model are made and scored together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from simplexcert.certify.models.dirichlet import DirichletLoss
from simplexcert.certify.models.layout import (
    CLASSES,
    Layout,
    bayes_counts,
    bayes_layout,
    feature_name,
)
from simplexcert.certify.models.noise import NoiseLoss
from simplexcert.certify.models.release import AnyLoss, FloatDraws, floor_of, released
from simplexcert.certify.simulating.comparing import Mean

from .uci import Codes, Floats, Split
from .ways import Form, Way

# One row a draw and class, one column a category.
Logs = Mapping[str, Floats]
_ONE = 1


@dataclass(frozen=True)
class Score:
    """Cross-entropy in nats and accuracy on the test part, a number a draw."""

    losses: Floats
    accuracies: Floats

    @property
    def loss(self) -> Mean:
        """The mean cross-entropy over the draws."""
        return mean(self.losses)

    @property
    def accuracy(self) -> Mean:
        """The mean accuracy over the draws."""
        return mean(self.accuracies)


def mean(values: Floats) -> Mean:
    """Return the mean of a number a draw; of one draw there is no error, and it is 0."""
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return Mean(float(values.mean()), spread / len(values) ** 0.5, len(values))


@dataclass(frozen=True)
class Model:
    """A naive Bayes model of a split table, that can be released."""

    split: Split

    @cached_property
    def layout(self) -> Layout:
        """Its tables: of the classes, and of each feature in each class."""
        return bayes_layout(self.split.classes, self.split.sizes, "own")

    @cached_property
    def counts(self) -> dict[str, Codes]:
        """The counts of the training part, of all tables."""
        return bayes_counts(self.layout, self.split.train, self.split.train_labels)

    @cached_property
    def _test(self) -> csr_array:
        """A row a record, with a 1 at each of its features' categories."""
        records, features = self.split.test.shape
        starts = np.cumsum([0, *self.split.sizes])
        places = (self.split.test + starts[:-1]).ravel()
        ends = np.arange(records + 1) * features
        return csr_array((np.ones(places.size), places, ends), shape=(records, starts[-1]))

    def drawn(self, loss: AnyLoss, way: Way, random: np.random.Generator, draws: int) -> Logs:
        """Return the logarithms of so many releases, one below the other."""
        many = {name: np.tile(counts, (draws, 1)) for name, counts in self.counts.items()}
        if isinstance(loss, DirichletLoss):
            if way.form is Form.PRINTED_AXIS:
                return self._over_classes(loss, FloatDraws(random), draws)
        elif way.form is Form.DIVIDED:
            return self._divided(many, loss, FloatDraws(random), way.floor)
        return released(self.layout, many, loss, FloatDraws(random), way.floor)

    def _over_classes(self, loss: DirichletLoss, random: FloatDraws, draws: int) -> Logs:
        """Return draws over the classes for each value, which stand for P(value | class)."""
        found = {}
        for table in self.layout.tables:
            counts = self.counts[table.name]
            over = counts if table.name == CLASSES else counts.T
            logs = random.laws(np.tile(over, (draws, 1)), loss.step, loss.alpha)
            found[table.name] = (
                logs
                if table.name == CLASSES
                else logs.reshape(draws, *over.shape).swapaxes(1, 2).reshape(-1, table.categories)
            )
        return found

    def _divided(
        self, many: Mapping[str, Codes], loss: NoiseLoss, random: FloatDraws, floor: object
    ) -> Logs:
        """Return noisy counts of class and value over the noisy counts of the class."""
        least = floor_of(floor, loss.deviation)
        noisy = {
            name: np.log(np.maximum(random.noisy(counts, loss), least))
            for name, counts in many.items()
        }
        whole = noisy[CLASSES].reshape(-1, 1)
        return {name: logs if name == CLASSES else logs - whole for name, logs in noisy.items()}

    def not_private(self) -> Logs:
        """Return the relative frequencies, each count raised by one: an empty cell has a law."""
        raised = {name: counts + _ONE for name, counts in self.counts.items()}
        return {
            name: np.log(counts / counts.sum(axis=1, keepdims=True))
            for name, counts in raised.items()
        }

    def score(self, logs: Logs) -> Score:
        """Return what each draw's predictions cost."""
        classes = self.split.classes
        columns = [logs[feature_name(k)] for k in range(len(self.split.sizes))]
        theta = np.concatenate(columns, axis=1).T
        joint = (self._test @ theta).reshape(len(self.split.test), -1, classes)
        joint += logs[CLASSES].reshape(-1, classes)
        return scored(joint, self.split.test_labels)


def scored(joint: Floats, labels: Codes) -> Score:
    """Return the scores of log P(y, x): by record, draw and class."""
    logs = joint - np.logaddexp.reduce(joint, axis=2, keepdims=True)
    right: NDArray[np.bool_] = logs.argmax(axis=2) == labels[:, None]
    true = np.take_along_axis(logs, labels[:, None, None], axis=2)[:, :, 0]
    return Score(-true.mean(axis=0), right.mean(axis=0))
