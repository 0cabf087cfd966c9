"""The classifier: what it promises, what it refuses, and what it predicts."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from each import each_of
from simplexcert.certify import Verdict, audit
from simplexcert.certify.models import NotPrivateWarning, PrivateNaiveBayes, PrivateTables
from simplexcert.certify.models.release import ExactDraws
from simplexcert.reference import DomainError, InputError, evaluate
from sklearn.naive_bayes import CategoricalNB

SIZES = (2, 3, 4)
RENYI = {"epsilon": "1", "order": 5}
DELTA = {"epsilon": "1", "delta": "1e-5"}
BUDGETS = [{**kind, "neighbours": a} for kind in (RENYI, DELTA) for a in ("replace", "add_remove")]
METHODS = ("dirichlet", "gaussian", "laplace")


def some_data(records: int = 200) -> tuple[Any, Any]:
    generator = np.random.default_rng(7)
    labels = generator.integers(0, 2, records)
    columns = [(generator.integers(0, size, records) + labels) % size for size in SIZES]
    return np.column_stack(columns), labels


X, Y = some_data()


def fitted(**parameters: Any) -> PrivateNaiveBayes:
    return PrivateNaiveBayes(SIZES, **{"classes": [0, 1], **RENYI, **parameters}).fit(X, Y)


@each_of("budget", BUDGETS)
@each_of("method", METHODS)
@each_of("class_table", ["own", "summed"])
def test_what_is_claimed_holds(budget: dict[str, Any], method: str, class_table: str) -> None:
    model = PrivateNaiveBayes(
        SIZES, classes=[0, 1], method=method, class_table=class_table, **budget
    ).fit(X, Y)
    assert model.privacy_.holds()
    assert model.privacy_.tables == len(SIZES) + (class_table == "own")
    assert model.private_
    assert model.not_private_because_ == ()


@pytest.mark.parametrize("budget", BUDGETS[:3])
def test_evaluate_confirms_the_evidence(budget: dict[str, Any]) -> None:
    """What as_json publishes is enough to work the number out anew."""
    said: Any = fitted(**{"order": None, **budget}).privacy_.as_json()["evidence"]
    number = evaluate(said["quantity"], said["parameters"]).upper
    assert number * said["times"] <= Fraction(said["at_most"])


@pytest.mark.parametrize("neighbours", ["replace", "add_remove"])
@pytest.mark.parametrize("method", ["dirichlet", "algorithm-1"])
def test_audit_certifies_each_table(neighbours: str, method: str, tmp_path: Path) -> None:
    claim = fitted(neighbours=neighbours, method=method).privacy_.table_claim
    file = tmp_path / "claim.toml"
    file.write_text(claim, encoding="utf-8")
    assert audit(file).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("classes", [{0, 1}, 2, [0.0, float("nan")]])
def test_classes_are_a_list_of_labels(classes: object) -> None:
    with pytest.raises(InputError, match="it lists all labels there may be"):
        fitted(classes=classes)


@pytest.mark.parametrize("budget", [{"delta": "1e-6"}, {"order": 5}])
def test_audit_certifies_the_whole_model_by_the_evidence_of_the_model(
    budget: dict[str, Any], tmp_path: Path
) -> None:
    """The audit asks for the same composition of the same pairs, and no more is lost."""
    privacy = fitted(**{"order": None, **budget}).privacy_
    file = tmp_path / "claim.toml"
    file.write_text(privacy.model_claim, encoding="utf-8")
    found = audit(file)
    assert found.verdict is Verdict.CERTIFIED
    pair = {key: privacy.loss.parameters[key] for key in ("alpha", "step")}
    shape: Any = found.as_json()
    releases = shape["exact"]["releases"]
    assert releases == [[pair["alpha"], pair["step"], str(privacy.tables)]]


@pytest.mark.parametrize("other", [{"neighbours": "add_remove"}, {"method": "gaussian"}])
def test_there_is_no_claim_of_rows_about_other_losses(other: dict[str, Any]) -> None:
    assert fitted(**other).privacy_.model_claim is None


@each_of("budget", BUDGETS)
@each_of("method", METHODS)
def test_the_calibration_is_tight(budget: dict[str, Any], method: str) -> None:
    """A thousandth less noise, or a thousandth more step, is not proved private."""
    privacy = fitted(**{"order": None, **budget, "method": method}).privacy_
    numbers = {key: Fraction(value) for key, value in privacy.loss.parameters.items()}
    key = next(key for key in numbers if key != "alpha")
    factor = Fraction(1001, 1000) if key == "step" else Fraction(999, 1000)
    more = type(privacy.loss)(**{**numbers, key: numbers[key] * factor}, tables=privacy.tables)
    assert not more.evidence(privacy.budget).holds()


def test_algorithm_1_takes_line_2_and_more_noise_than_is_needed() -> None:
    loss = fitted(method="algorithm-1").privacy_.loss
    step, alpha = (Fraction(loss.parameters[key]) for key in ("step", "alpha"))
    assert alpha == 1 + 16 * step
    assert Fraction(fitted(alpha=alpha).privacy_.loss.parameters["step"]) > step


def test_draws_in_floats_are_not_private() -> None:
    model = fitted(draw="float", random_state=1)
    assert not model.private_
    assert "float" in model.not_private_because_[0]


def test_classes_that_are_read_off_the_labels_are_not_private_and_warn() -> None:
    with pytest.warns(NotPrivateWarning, match="classes"):
        model = fitted(classes=None)
    assert not model.private_


def test_a_class_that_no_record_has_is_released() -> None:
    model = fitted(classes=[0, 1, 2])
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.predict_proba(X).shape == (len(X), 3)


def test_labels_of_text_are_known_in_arrays_of_objects() -> None:
    names = np.array(["no", "yes"], dtype=object)[Y]
    model = PrivateNaiveBayes(SIZES, classes=["yes", "no"], **RENYI).fit(X, names)
    assert set(model.predict(X)) <= {"yes", "no"}


def test_a_seed_repeats_a_draw_in_floats() -> None:
    one, other = (fitted(draw="float", random_state=3) for _ in range(2))
    assert np.array_equal(one.class_log_prob_, other.class_log_prob_)


def test_exact_draws_are_fresh() -> None:
    assert not np.array_equal(fitted().class_log_prob_, fitted().class_log_prob_)


@each_of("draw", ["exact", "float"])
@each_of("method", ["dirichlet", "gaussian"])
def test_with_nearly_no_noise_it_is_the_usual_classifier(draw: str, method: str) -> None:
    """At a step of millions, or a tiny variance, the relative frequencies are the tables."""
    model = PrivateNaiveBayes(
        SIZES, classes=[0, 1], epsilon=1000, order=1, method=method, draw=draw, count_floor="1e-9"
    )
    large, labels = (np.tile(part, (5000, 1)) for part in (X, Y[:, None]))
    usual = CategoricalNB(alpha=1e-9, force_alpha=True).fit(large, labels.ravel())
    mine = model.fit(large, labels.ravel())
    gap = np.abs(mine.predict_proba(X) - usual.predict_proba(X)).max()
    assert gap < 1 / 50


def test_probabilities_are_the_products_of_the_released_tables() -> None:
    model = fitted()
    row = X[0]
    joint = np.exp(model.class_log_prob_)
    for k, value in enumerate(row):
        joint = joint * np.exp(model.feature_log_prob_[k][:, value])
    assert model.predict_proba(X[:1])[0] == pytest.approx(joint / joint.sum())
    for table in (model.class_log_prob_[None, :], *model.feature_log_prob_):
        assert np.exp(table).sum(axis=1) == pytest.approx(np.ones(len(table)))


def test_a_share_below_the_grid_is_predicted_with() -> None:
    """At a coarse grid shares are rounded to 0; no prediction is NaN or infinite."""
    model = fitted(grid_bits=1, epsilon="0.01")
    assert np.isfinite(model.predict_log_proba(X)).all()


def test_the_data_are_not_kept() -> None:
    """Nothing that a fitted model holds is a count of the data."""
    model = fitted()
    counts = np.bincount(Y)
    held = [value for value in vars(model).values() if isinstance(value, np.ndarray)]
    assert not any(value.shape == counts.shape and np.array_equal(value, counts) for value in held)
    assert set(vars(model)) - set(model.get_params()) == {
        "classes_", "class_log_prob_", "feature_log_prob_", "n_categories_", "n_features_in_",
        "not_private_because_", "privacy_", "private_",
    }  # fmt: skip


def test_the_number_of_records_has_no_say_where_it_is_private() -> None:
    """With records added or removed, alpha is the same for one record and for 200."""
    few = PrivateNaiveBayes(SIZES, classes=[0, 1], neighbours="add_remove", **RENYI)
    one = few.fit(X[:1], Y[:1]).privacy_.as_json()
    assert one == few.fit(X, Y).privacy_.as_json()


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"random_state": 1}, "draw='float' alone"),
    ({"epsilon": None}, "epsilon and exactly one"),
    ({"delta": "1e-5"}, "exactly one of delta and order"),
    ({"epsilon": 0}, "epsilon from 1e-9"),
    ({"order": "0.5"}, "orders from 1"),
    ({"order": None, "delta": 1}, "delta from 1e-60"),
    ({"order": None, "delta": "1e-5", "method": "algorithm-1"}, "give order"),
    ({"method": "normal"}, "unknown method"),
    ({"neighbours": "change"}, "unknown neighbours"),
    ({"class_table": "none"}, "unknown class_table"),
    ({"draw": "fast"}, "unknown draw"),
    ({"n_categories": None}, "public number"),
    ({"n_categories": [2, 3]}, "lists 2 numbers for 3 features"),
    ({"n_categories": 0}, "at least one category"),
    ({"n_categories": "2.5"}, "whole number"),
    ({"n_categories": 10**8}, "cells"),
    ({"n_categories": [2, 3, 10**5000]}, r"characters\) cells"),
    ({"n_categories": [2, 3, 3]}, "feature 2 has categories 0 to 2"),
    ({"classes": [0]}, "not among the classes"),
    ({"step": 1}, "without alpha"),
    ({"alpha": 0}, "alpha = 0"),
    ({"alpha": "1e400"}, "from 1e-300 to 1e300"),
    ({"alpha": "1e-400"}, "from 1e-300 to 1e300"),
    ({"alpha": 1, "step": 1}, "take a smaller step"),
    ({"alpha": 1, "method": "laplace"}, "method='dirichlet' alone"),
    ({"method": "laplace", "count_floor": 0}, "above 0"),
    ({"method": "laplace", "count_floor": "1e400"}, "from 1e-300 to 1e300"),
    ({"grid_bits": 0}, "grid_bits"),
    ({"grid_bits": 53.5}, "whole number"),
    ({"grid_bits": None}, "grid_bits"),
    ({"records": 0}, "records = 0"),
    ({"records": 10**400}, "records"),
]


@each_of("parameters, sentence", REFUSED)
def test_what_cannot_be_is_refused_with_a_sentence(
    parameters: dict[str, Any], sentence: str
) -> None:
    given = {"n_categories": SIZES, "classes": [0, 1], **RENYI, **parameters}
    with pytest.raises(InputError, match=sentence):
        PrivateNaiveBayes(**given).fit(X, Y)


def test_fractional_data_are_refused() -> None:
    with pytest.raises(InputError, match="whole numbers"):
        PrivateNaiveBayes(SIZES, classes=[0, 1], **RENYI).fit(X + 0.5, Y)


def test_a_floor_too_small_to_draw_from_is_refused_whatever_the_counts() -> None:
    """Else a refusal would tell that some count is 0."""
    full = np.array([[a, b, c] for a in range(2) for b in range(3) for c in range(4)] * 2)
    labels = np.repeat([0, 1], len(full) // 2)
    model = PrivateNaiveBayes(SIZES, classes=[0, 1], alpha="0.0001", epsilon=1000, order=1)
    with pytest.raises(DomainError, match=r"0\.001"):
        model.fit(full, labels)


def test_a_floor_too_large_to_draw_from_is_refused_whatever_the_counts() -> None:
    """At 10^300 a cell without a record would be drawn, and one with a record refused."""
    nothing = PrivateTables((2,), ((),), alpha="1e300", neighbours="add_remove", **RENYI)
    with pytest.raises(DomainError, match=r"0\.001"):
        nothing.fit(np.zeros((0, 1)))


def test_sizes_may_be_numpys() -> None:
    model = fitted(grid_bits=np.int64(20), records=np.int64(100), epsilon=np.float64(1))
    assert np.isfinite(model.class_log_prob_).all()


@pytest.mark.parametrize("method", ["gaussian", "laplace"])
def test_a_floor_of_counts_is_refused_before_anything_is_drawn(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ExactDraws, "noisy", None)
    with pytest.raises(InputError, match="count_floor"):
        fitted(method=method, count_floor="much")


def test_without_scikit_learn_a_sentence_says_what_to_install() -> None:
    """The tables of a network need none."""
    program = (
        "import sys; sys.modules['sklearn'] = None\n"
        "from simplexcert.certify.models import PrivateTables\n"
        "try:\n from simplexcert.certify.models import PrivateNaiveBayes\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'simplexcert[models]'" in done.stdout
