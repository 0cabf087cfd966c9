"""What is drawn for which table: the parameters that the proofs are about."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from simplexcert.certify.models.dirichlet import DirichletLoss, delta_upper
from simplexcert.certify.models.layout import CLASSES, bayes_counts, bayes_layout
from simplexcert.certify.models.noise import GaussianLoss
from simplexcert.certify.models.privacy import budget_of
from simplexcert.certify.models.release import FloatDraws, planned, privacy_of, released
from simplexcert.reference import InputError, evaluate

SIZES = (4, 3, 5)
LABELS = np.array([0, 1, 1, 0, 1])
DATA = np.array([[0, 1, 2], [3, 2, 4], [1, 1, 1], [0, 0, 0], [2, 2, 2]])


class Recorder(FloatDraws):
    """Draws that are remembered: which counts, with which parameters."""

    def __init__(self) -> None:
        super().__init__(np.random.default_rng(1))
        self.asked: list[tuple[Any, ...]] = []

    def laws(self, counts: Any, step: Fraction, alpha: Fraction) -> Any:
        self.asked.append((counts.tolist(), step, alpha))
        return super().laws(counts, step, alpha)

    def noisy(self, counts: Any, loss: Any) -> Any:
        self.asked.append((counts.tolist(),))
        return super().noisy(counts, loss)


def asked_for(class_table: str, loss: Any) -> tuple[Recorder, dict[str, Any]]:
    layout, draws = bayes_layout(2, SIZES, class_table), Recorder()
    counts = bayes_counts(layout, DATA, LABELS)
    return draws, released(layout, counts, loss, draws, 1)


def test_every_record_is_counted_once_in_each_table() -> None:
    layout = bayes_layout(2, SIZES, "own")
    counts = bayes_counts(layout, DATA, LABELS)
    assert counts[CLASSES].tolist() == [[2, 3]]
    assert counts["feature 1"].tolist() == [[1, 1, 0], [0, 1, 2]]
    assert {table.sum() for table in counts.values()} == {len(DATA)}


def test_summed_classes_are_drawn_with_the_sum_of_a_features_alphas() -> None:
    """The feature with the fewest categories, here 3: proofs_notes/private-models.md."""
    loss = DirichletLoss(Fraction(2), Fraction(1, 2), len(SIZES))
    draws, _ = asked_for("summed", loss)
    assert draws.asked[0] == ([[2, 3]], loss.step, 3 * loss.alpha)
    assert {alpha for _, _, alpha in draws.asked[1:]} == {loss.alpha}


def test_own_classes_are_drawn_with_the_same_alpha() -> None:
    loss = DirichletLoss(Fraction(2), Fraction(1, 2), len(SIZES) + 1)
    draws, _ = asked_for("own", loss)
    assert {alpha for _, _, alpha in draws.asked} == {loss.alpha}


def test_summed_noisy_classes_are_sums_of_noisy_counts() -> None:
    """The counts of the classes are never drawn from."""
    draws, _ = asked_for("summed", GaussianLoss(Fraction(1), len(SIZES)))
    assert [[2, 3]] not in [counts for (counts,) in draws.asked]
    assert len(draws.asked) == len(SIZES)


def test_no_claim_is_made_that_is_not_proved() -> None:
    layout, budget = bayes_layout(2, SIZES, "own"), budget_of(1, None, 5, "replace")
    with pytest.raises(InputError, match="cannot be proved"):
        privacy_of(layout, budget, DirichletLoss(Fraction(1), Fraction(1, 5), layout.paid))


@pytest.mark.parametrize("count", [2, 14])
def test_added_records_lose_less_than_replaced_ones_and_more_than_in_one_table(count: int) -> None:
    alpha, step, epsilon = Fraction(3, 2), Fraction(1, 10), Fraction(1, 4)
    found = delta_upper(alpha, step, count, epsilon, Fraction(1, 10**5))
    point = {"releases": [[alpha, step, count]], "epsilon": epsilon}
    assert found < evaluate("dirichlet.composition.delta", point).lower
    one = {"alpha": alpha, "step": step, "epsilon": epsilon}
    assert found > evaluate("dirichlet.add_remove.delta", one).upper


def test_where_a_rule_is_too_long_beta_pairs_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simplexcert.certify.models.dirichlet._MOST_NODES", 0)
    alpha, step, epsilon = Fraction(3, 2), Fraction(1, 10), Fraction(1, 4)
    found = delta_upper(alpha, step, 2, epsilon, Fraction(1, 10**5))
    point = {"releases": [[alpha, step, 2]], "epsilon": epsilon}
    assert found >= evaluate("dirichlet.composition.delta", point).lower


@pytest.mark.parametrize("adjacency", ["replace", "add-remove"])
@pytest.mark.parametrize("epsilon", ["1e-9", "1000"])
@pytest.mark.parametrize("said", [{"order": "1e6"}, {"order": 1}, {"delta": "1e-60"}])
def test_the_ends_of_all_budgets_are_calibrated(
    adjacency: str, epsilon: str, said: dict[str, Any]
) -> None:
    budget = budget_of(epsilon, said.get("delta"), said.get("order"), adjacency)
    layout = bayes_layout(2, SIZES, "own")
    for method in ("dirichlet", "gaussian", "laplace"):
        assert planned(layout, budget, method, 1000, None, None).evidence(budget).holds()
