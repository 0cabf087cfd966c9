"""The experiments of ponnoprat2023 run, and what they put together is what it is said to be."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from each import each_of
from experiments import ponnoprat2023
from experiments.outcome import Outcome, Verdict
from experiments.ponnoprat2023 import network, tail_integrals
from experiments.ponnoprat2023.batches import Model, mean
from experiments.ponnoprat2023.bayes import score
from experiments.ponnoprat2023.figure_3_bottom import COUNTS, TINY, converted, divergences
from experiments.ponnoprat2023.findings import counted
from experiments.ponnoprat2023.uci import BINS, SOURCES, Split, binned, split
from experiments.ponnoprat2023.ways import (
    AT_ORDER,
    DIRICHLET,
    FLOORS,
    NOISES,
    ORDER,
    PRINTED_AXIS,
    RENYI_WAYS,
    Way,
    approximate_budget,
    by,
    classical_laplace,
    converted_at,
    divided_label,
    noise_label,
    renyi_budget,
)
from experiments.ponnoprat2023.ways import converted as best_order
from experiments.registry import Setting
from experiments.testing import quick
from made_up_tables import RECORDS, write_tables
from scipy.special import digamma
from simplexcert.certify.models import PrivateNaiveBayes, PrivateTables
from simplexcert.certify.models.dirichlet import DirichletLoss
from simplexcert.certify.models.layout import Layout, Numbers, Table
from simplexcert.certify.papers.derive import recorded
from simplexcert.certify.simulating.comparing import Mean
from simplexcert.certify.verdict import Verdict as Decided
from simplexcert.reference import evaluate
from simulation.chains import DATA, NoDataError

IDS = [one.id for one in ponnoprat2023.EXPERIMENTS]
NEED_DATA = [f"ponnoprat2023.{one}" for one in ("figures-4-5", "figures-9-10", "figure-7")]
NAMED = re.compile(r"\bponnoprat2023\.[a-z0-9-]+")
REAL = os.environ.get(DATA, "")
# Doubles of sums and of logarithms keep twelve digits.
RELATIVE = 1e-10
# A seeded mean that is further off than this has another expectation.
ERRORS = 5
# What is left of a noise or a draw with 1e12 times as many records.
NEAR = 1e-4
WAYS = {way.label: way for way in RENYI_WAYS}
SETTING = Setting("ponnoprat2023.figures-4-5", quick=True, seed=3)
GERMAN = next(one for one in SOURCES if one.name == "GermanCredit")


@pytest.fixture(scope="module", autouse=True)
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("data")
    write_tables(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(DATA, str(folder))
        yield folder


@pytest.fixture(scope="module")
def german() -> Model:
    return Model(split(GERMAN, SETTING))


@cache
def ran(name: str) -> Outcome:
    return quick(name)


@pytest.mark.parametrize("name", IDS)
def test_an_experiment_ends_with_tables_a_plot_and_findings(name: str) -> None:
    outcome = ran(name)
    assert outcome.tables
    assert outcome.plots
    assert outcome.findings
    assert outcome.notes


@pytest.mark.parametrize("name", NEED_DATA)
def test_without_data_it_is_skipped_with_the_reason(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(DATA)
    with pytest.raises(NoDataError, match=DATA):
        quick(name)


def test_a_table_that_is_not_there_is_skipped_and_the_others_are_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tables(tmp_path)
    (tmp_path / GERMAN.files[0]).unlink()
    monkeypatch.setenv(DATA, str(tmp_path))
    outcome = quick("ponnoprat2023.figures-4-5")
    assert [reason.partition(":")[0] for reason in outcome.skipped] == [GERMAN.name]
    assert outcome.findings


@each_of("name", IDS)
def test_every_claim_that_is_named_is_in_the_register(name: str) -> None:
    outcome = ran(name)
    texts = [*outcome.notes, *outcome.skipped, *(finding.why for finding in outcome.findings)]
    claims = [claim for text in texts for claim in NAMED.findall(text)]
    assert [claim for claim in claims if claim not in recorded()] == []


@each_of("name", IDS)
def test_what_comes_out_as_printed_has_no_claim_that_is_refuted(name: str) -> None:
    for finding in ran(name).findings:
        claims = NAMED.findall(finding.why)
        assert claims
        if finding.verdict is Verdict.AS_PRINTED:
            assert Decided.REFUTED not in {recorded()[claim].verdict for claim in claims}


@each_of("name", IDS)
def test_what_does_not_come_out_has_a_claim_or_a_reading_that_is_not_certified(name: str) -> None:
    for finding in ran(name).findings:
        if finding.verdict is Verdict.NOT_AS_PRINTED:
            known = [recorded()[claim] for claim in NAMED.findall(finding.why)]
            decided = {verdict for one in known for verdict in (one.verdict, *one.readings)}
            assert decided - {Decided.CERTIFIED}


@pytest.mark.skipif(not REAL, reason=f"{DATA} is not set")
@pytest.mark.parametrize("name", ["Thyroid", "Shopper", "GermanCredit", "Spam"])
def test_the_real_tables_are_those_of_table_1(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(DATA, REAL)
    source = next(one for one in SOURCES if one.name == name)
    data = split(source, SETTING)
    assert data.instances == source.printed.instances
    assert len(data.sizes) == source.printed.attributes
    assert data.classes == source.printed.classes


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_table_has_the_attributes_that_are_printed(source: ponnoprat2023.uci.Source) -> None:
    assert len(set(source.features)) == source.printed.attributes
    assert source.label not in source.features


def test_all_experiments_split_a_table_alike() -> None:
    other = replace(SETTING, id="ponnoprat2023.figure-7")
    one, two = (split(GERMAN, setting) for setting in (SETTING, other))
    assert (one.train == two.train).all()
    assert (one.test_labels == two.test_labels).all()


def test_a_split_keeps_every_record_once(german: Model) -> None:
    data = german.split
    assert len(data.train) == round(0.7 * RECORDS)
    assert data.instances == RECORDS == len(data.train_labels) + len(data.test_labels)


def test_bins_are_between_the_deciles_of_the_training_part() -> None:
    values = np.arange(1_000, dtype=float)
    found = binned(values, np.arange(1_000))
    assert np.bincount(found).tolist() == [100] * BINS
    assert (np.diff(found) >= 0).all()


def test_bins_are_read_off_the_training_part_alone() -> None:
    values = np.array([1.0, 2.0, 3.0, 4.0, 1e6])
    assert binned(values, np.arange(4)).tolist()[4] == binned(values, np.arange(4)).tolist()[3]


def test_equal_values_have_one_bin_and_a_constant_column_has_no_other() -> None:
    column = np.array([0.0] * 95 + [1.0] * 5)
    assert binned(column, np.arange(100)).tolist() == [0] * 95 + [1] * 5
    assert set(binned(np.array([0.0] * 9 + [5.0]), np.arange(9)).tolist()) == {0}


@pytest.mark.parametrize("method", ["algorithm-1", "dirichlet", "gaussian", "laplace"])
def test_one_draw_of_a_batch_is_the_estimators(german: Model, method: str) -> None:
    data = german.split
    estimator = PrivateNaiveBayes(
        list(data.sizes),
        epsilon="1",
        order=ORDER,
        classes=list(range(data.classes)),
        method=method,
        draw="float",
        random_state=np.random.default_rng(5),
    ).fit(data.train, data.train_labels)
    loss = by(method)(german.layout, renyi_budget("1"), len(data.train))
    assert loss is not None
    logs = german.drawn(loss, Way("", by(method)), np.random.default_rng(5), 1)
    one = german.score(logs)
    expected = estimator.predict_log_proba(data.test)[np.arange(len(data.test)), data.test_labels]
    assert abs(one.losses[0] / -expected.mean() - 1) < RELATIVE
    assert one.accuracies[0] == estimator.score(data.test, data.test_labels)


def test_draws_of_a_batch_are_scored_each_for_itself(german: Model) -> None:
    way = WAYS[DIRICHLET]
    loss = way.loss(german.layout, renyi_budget("1"), 1)
    assert loss is not None
    logs = german.drawn(loss, way, np.random.default_rng(5), 3)
    classes = german.split.classes
    for at in range(3):
        one = {
            name: of[at * (len(of) // 3) : (at + 1) * (len(of) // 3)] for name, of in logs.items()
        }
        assert abs(german.score(one).losses[0] / german.score(logs).losses[at] - 1) < RELATIVE
    assert len(set(german.score(logs).losses.tolist())) == 3
    assert len(logs["feature 0"]) == 3 * classes


@pytest.fixture
def many_records(german: Model) -> Model:
    """Return a model whose counts are so large that nothing drawn is far from them."""
    found = Model(german.split)
    vars(found)["counts"] = {name: counts * 10**12 for name, counts in german.counts.items()}
    return found


def test_a_noise_is_drawn_alike_for_all_floors(german: Model) -> None:
    high = Model(german.split)
    vars(high)["counts"] = {name: counts + 10**9 for name, counts in german.counts.items()}
    ways = [WAYS[noise_label(NOISES[0], floor)] for floor in FLOORS]
    scores = [score(SETTING, high, way, "1", renyi_budget) for way in ways]
    assert len({one.losses.tolist()[0] for one in scores if one}) == 1


@pytest.mark.parametrize(
    ("label", "axis"),
    [(DIRICHLET, 1), (noise_label("Laplace", "1"), 1), (divided_label("1"), 1), (PRINTED_AXIS, 0)],
)
def test_with_many_records_a_release_comes_near_the_relative_frequencies(
    many_records: Model, label: str, axis: int
) -> None:
    way = WAYS[label]
    loss = way.loss(many_records.layout, renyi_budget("1"), 1)
    assert loss is not None
    logs = many_records.drawn(loss, way, np.random.default_rng(5), 1)
    for at in range(len(many_records.split.sizes)):
        counts = many_records.counts[f"feature {at}"]
        whole = counts.sum(axis=axis, keepdims=True) + 0 * counts
        known = whole > 0
        shares = counts[known] / whole[known]
        assert (abs(np.exp(logs[f"feature {at}"][known]) - shares) < NEAR).all()


def test_a_released_law_adds_up_to_one_and_the_printed_forms_do_not(german: Model) -> None:
    def sums(label: str) -> list[float]:
        way = WAYS[label]
        loss = way.loss(german.layout, renyi_budget("1"), 1)
        assert loss is not None
        logs = german.drawn(loss, way, np.random.default_rng(5), 1)
        found: list[float] = np.exp(logs["feature 0"]).sum(axis=1).tolist()
        return found

    for label in (DIRICHLET, noise_label(NOISES[0], "1e-6")):
        assert all(abs(one - 1) < RELATIVE for one in sums(label))
    for label in (PRINTED_AXIS, divided_label("1")):
        assert all(abs(one - 1) > RELATIVE for one in sums(label))


def test_draws_over_the_classes_add_up_to_one_over_the_classes(german: Model) -> None:
    way = WAYS[PRINTED_AXIS]
    loss = way.loss(german.layout, renyi_budget("1"), 1)
    assert loss is not None
    logs = german.drawn(loss, way, np.random.default_rng(5), 2)
    over = np.exp(logs["feature 1"]).reshape(2, german.split.classes, -1).sum(axis=1)
    assert (abs(over - 1) < RELATIVE).all()


def test_the_mean_of_one_draw_has_no_error() -> None:
    assert mean(np.array([2.5])) == Mean(2.5, 0.0, 1)


def test_order_5_reaches_no_epsilon_below_its_floor(german: Model) -> None:
    reached = {
        epsilon: converted_at(ORDER)(german.layout, approximate_budget(epsilon), 1)
        for epsilon in ("2.25", "2.26")
    }
    assert [epsilon for epsilon, loss in reached.items() if loss] == ["2.26"]


@pytest.mark.parametrize("order", [Fraction(2), ORDER, Fraction(200)])
def test_what_is_spent_before_a_conversion_gives_the_epsilon_that_is_asked(order: Fraction) -> None:
    spent = 20 - ponnoprat2023.ways.converting(order)
    given = {"order": order, "epsilon": spent, "delta": "1e-5"}
    found = evaluate("dirichlet.renyi.to_approximate_dp", given, digits=12)
    assert found.lower <= 20 <= found.upper + Fraction(1, 10**6)
    assert found.upper <= 20 + Fraction(1, 10**9)


def test_the_best_order_has_no_larger_divergence_than_order_5(german: Model) -> None:
    budget, records = approximate_budget("3"), len(german.split.train)
    losses = [way(german.layout, budget, records) for way in (best_order, converted_at(ORDER))]
    best, usual = (
        ponnoprat2023.ways.mean_divergence(german.layout, loss, records) for loss in losses if loss
    )
    assert best <= usual


def test_the_mean_divergence_is_that_over_uniform_laws() -> None:
    layout = Layout((Table("table", 2, 4),))
    losses = [DirichletLoss(Fraction(a), Fraction(r), 1) for a, r in (("3", "0.1"), ("0.5", "2"))]
    laws = np.random.default_rng(6).dirichlet(np.ones(4), 1_000)

    def divergences(loss: DirichletLoss) -> Numbers:
        u = float(loss.step) * 50 * laws + float(loss.alpha)
        found: Numbers = digamma(u.sum(axis=1)) - (laws * digamma(u)).sum(axis=1)
        return found

    simulated = Mean.of(divergences(losses[0]) - divergences(losses[1]))
    one, other = (ponnoprat2023.ways.mean_divergence(layout, loss, 100) for loss in losses)
    assert abs(one - other - simulated.value) < ERRORS * simulated.error


def test_wins_are_counted_by_value_and_for_sure_beyond_two_errors() -> None:
    def pair(one: float, other: float) -> tuple[Mean, Mean]:
        return Mean(one, 0.3, 10), Mean(other, 0.4, 10)

    found = counted("a", "b", [pair(3, 1), pair(2, 1.5), pair(1, 1.5), pair(0, 1), pair(0, 1.01)])
    assert (found.cells, found.wins, found.losses) == (5, 2, 3)
    assert (found.sure_wins, found.sure_losses) == (1, 1)


@pytest.mark.parametrize(
    ("wins", "sure_losses", "verdict"),
    [
        (100, 0, Verdict.AS_PRINTED),
        (90, 10, Verdict.IN_SHAPE),
        (89, 11, Verdict.NOT_AS_PRINTED),
        (50, 0, Verdict.NOT_AS_PRINTED),
    ],
)
def test_a_claim_on_all_cells_has_its_shape_with_a_tenth_of_exceptions(
    wins: int, sure_losses: int, verdict: Verdict
) -> None:
    found = ponnoprat2023.findings.Wins("a", "b", 100, wins, 100 - wins, 0, sure_losses)
    assert found.verdict is verdict


def test_the_likelihood_of_a_batch_is_that_of_the_tables() -> None:
    setting = Setting("ponnoprat2023.figure-7", quick=True, seed=3)
    adult = network.adult(setting)
    source = next(one for one in SOURCES if one.name == network.TABLE)
    data: Split = split(source, setting)
    places = [source.features.index(name) for name in network.PARENTS if name != network.LABEL]
    train = np.column_stack([data.train[:, places], data.train_labels])
    test = np.column_stack([data.test[:, places], data.test_labels])
    sizes = [*(data.sizes[place] for place in places), data.classes]
    tables = PrivateTables(
        sizes, network.PLACES, epsilon="1", order=ORDER, draw="float", random_state=7
    ).fit(train)
    logs = {
        table.name: log.reshape(table.vectors, table.categories)
        for table, log in zip(adult.layout.tables, tables.log_prob_, strict=True)
    }
    expected = tables.log_likelihood(test).mean()
    assert abs(adult.likelihoods(logs, 1)[0] / expected - 1) < RELATIVE


def test_equation_14_begins_at_the_floor_of_the_claim() -> None:
    assert 10.1266 < converted(2, TINY) < 10.12664


def test_simulated_divergences_are_of_f_from_the_draw() -> None:
    shares = np.array(COUNTS) / sum(COUNTS)
    logs = np.log(np.array([shares, np.full(6, 1 / 6)]))
    same, uniform = divergences(logs)
    assert abs(same) < RELATIVE
    assert abs(uniform - ponnoprat2023.figure_3_bottom.uniform()) < RELATIVE


def test_a_finer_grid_comes_nearer_to_the_certified_delta() -> None:
    one = tail_integrals.point("0.01", (100, 200, 400, 800))
    errors = [abs(value - one.certified[2]) for value in one.integrated.values()]
    assert errors == sorted(errors, reverse=True)


def test_a_share_of_epsilon_each_is_the_whole_scale_for_one_table() -> None:
    assert classical_laplace(1, 2.0) == 2**0.5


def test_out_of_reach_is_no_number() -> None:
    (scores,) = [t for t in ran("ponnoprat2023.figures-9-10").tables if t.name == "scores"]
    found = [row for row in scores.rows if row[1:3] == ("0.01", AT_ORDER)]
    assert len(found) == len(SOURCES)
    assert {cell for row in found for cell in row[3:]} == {None}
