"""Tables are released by the method asked for, each draw by its law and on its grid."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from scipy import stats
from simplexcert.certify.models.dirichlet import DirichletLoss, delta_upper
from simplexcert.certify.models.layout import CLASSES, bayes_counts, bayes_layout
from simplexcert.certify.models.noise import GaussianLoss, LaplaceLoss
from simplexcert.certify.models.privacy import budget_of
from simplexcert.certify.models.release import (
    ExactDraws,
    FloatDraws,
    floor_of,
    noisy_by_normal,
    planned,
    privacy_of,
    released,
)
from simplexcert.reference import InputError, evaluate
from simplexcert.reference.sampling import seeded

# Draws are seeded, so that no test fails by chance: what is held is one fixed sample.
_DRAWS, _LEAST_P = 1000, 0.001


def test_exact_normal_noise_has_its_law() -> None:
    source = seeded(4)
    drawn = [float(noisy_by_normal(10, Fraction(9), 40, source)) for _ in range(_DRAWS)]
    assert stats.kstest(drawn, stats.norm(10, 3).cdf).pvalue > _LEAST_P


def test_exact_noisy_counts_lie_on_the_grid() -> None:
    source = seeded(5)
    for _ in range(20):
        assert (noisy_by_normal(7, Fraction(1, 3), 5, source) * 32).denominator == 1


@pytest.mark.parametrize("loss", [GaussianLoss(Fraction(9), 1), LaplaceLoss(Fraction(3), 1)])
def test_noise_of_both_kinds_has_its_law(loss: GaussianLoss | LaplaceLoss) -> None:
    law = stats.norm(0, 3) if isinstance(loss, GaussianLoss) else stats.laplace(0, 3)
    counts = np.zeros((10, _DRAWS // 10), dtype=np.int64)
    for draws in (ExactDraws(53, seeded(6)), FloatDraws(np.random.default_rng(6))):
        drawn = draws.noisy(counts, loss).ravel()
        assert stats.kstest(drawn, law.cdf).pvalue > _LEAST_P


def test_shares_of_both_kinds_are_beta_variables() -> None:
    counts = np.tile([[3, 0, 1]], (_DRAWS, 1))
    for draws in (ExactDraws(53, seeded(7)), FloatDraws(np.random.default_rng(7))):
        first = np.exp(draws.laws(counts, Fraction(1, 2), Fraction(1, 4))[:, 0])
        assert stats.kstest(first, stats.beta(1.75, 1).cdf).pvalue > _LEAST_P


def test_tiny_alphas_do_not_underflow_in_floats() -> None:
    drawn = FloatDraws(np.random.default_rng(8)).laws(
        np.zeros((100, 5), dtype=np.int64), Fraction(1), Fraction(1, 10**6)
    )
    assert np.isfinite(drawn).all()


def test_the_floor_is_the_noise_or_what_is_given() -> None:
    assert floor_of("noise", 0.5) == 1
    assert floor_of("noise", 7.0) == 7
    assert floor_of("1e-6", 7.0) == 1e-6
    for wrong in ("0", -1, "much"):
        with pytest.raises(InputError):
            floor_of(wrong, 1.0)


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


@each_of("neighbours", ["replace", "add_remove"])
@each_of("epsilon", ["1e-9", "1000"])
@each_of("said", [{"order": "1e6"}, {"order": 1}, {"delta": "1e-60"}])
def test_the_ends_of_all_budgets_are_calibrated(
    neighbours: str, epsilon: str, said: dict[str, Any]
) -> None:
    budget = budget_of(epsilon, said.get("delta"), said.get("order"), neighbours)
    layout = bayes_layout(2, SIZES, "own")
    for method in ("dirichlet", "gaussian", "laplace"):
        assert planned(layout, budget, method, 1000, None, None).evidence(budget).holds()
