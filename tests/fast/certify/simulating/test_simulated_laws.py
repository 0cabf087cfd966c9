"""Simulated errors: they agree with what is proved, and what is wrong is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from simplexcert.certify import simulate
from simplexcert.certify.audits import read_claim
from simplexcert.certify.mechanisms.plan import NoisePlan, Row, SimplexPlan
from simplexcert.certify.mechanisms.protocol import Public
from simplexcert.certify.simulating import comparing, errors, expected, running
from simplexcert.certify.simulating.comparing import (
    BERNSTEIN,
    CHERNOFF,
    EXACTLY,
    Finding,
    Judge,
    Mean,
    of_noise_sum,
)
from simplexcert.certify.simulating.expected import Expected, Kind
from simplexcert.certify.simulating.running import errors_of
from simplexcert.certify.simulating.study import (
    LEAST_ALPHA,
    MOST_TOTAL,
    NoiseStudy,
    SimplexStudy,
    Study,
    StudyRow,
    study_of_plan,
)
from simplexcert.reference.errors import InputError

FIFTHS = tuple(Fraction(n, 15) for n in range(1, 6))
MANY = 40_000


def row(k: Fraction | int, prior: Fraction | int = 0) -> StudyRow:
    return StudyRow(tuple(k * share + prior for share in FIFTHS), FIFTHS)


def chain() -> SimplexStudy:
    """Return a chain with an impossible move."""
    shares = [(1, 2, 1), (0, 1, 1), (2, 1, 1)]
    rows = [tuple(Fraction(x, sum(line)) for x in line) for line in shares]
    return SimplexStudy(tuple(StudyRow(tuple(30 * x for x in one), one) for one in rows), True)


STUDIES: dict[str, Study] = {
    "vector": SimplexStudy((row(20),)),
    "tiny parameters": SimplexStudy((row(Fraction(1, 1000)),)),
    "nearly certain": SimplexStudy((row(MOST_TOTAL),)),
    "pseudo-counts": SimplexStudy((row(10, Fraction(3, 2)),)),
    "a cell without records": SimplexStudy(
        (StudyRow((Fraction(1), Fraction(5), Fraction(9)), (Fraction(0), *([Fraction(1, 2)] * 2))),)
    ),
    "several rows": SimplexStudy((row(20), row(3)), True),
    "chain": chain(),
    "one number": NoiseStudy(1, Fraction(3)),
    "many numbers": NoiseStudy(12, Fraction(1, 10**100)),
}


def compared(study: Study, number: int = MANY, seed: int = 3) -> list[comparing.Compared]:
    is_chain = errors.has_chain_errors(study, number)
    known = expected.expected_errors(study, Public(), chain=is_chain)
    found = errors_of(study, number, [seed], lambda _: None, chain=is_chain)
    judge = Judge.of(study, len(known), chain=is_chain)
    return [judge.compared(one, Mean.of(found[one.error])) for one in known]


@each_of("name", STUDIES)
def test_means_agree_with_what_is_proved(name: str) -> None:
    for one in compared(STUDIES[name]):
        assert one.finding is Finding.AGREES, one


def test_each_error_is_held_against_something() -> None:
    for study in STUDIES.values():
        found = errors_of(study, 100, [0], lambda _: None,
                          chain=errors.has_chain_errors(study, 100))  # fmt: skip
        assert {one.expected.error for one in compared(study, 100)} == set(found)


@pytest.fixture
def wrong_concentration(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Draw with a concentration that is 3 % too large."""
    right = errors.log_rows

    def wrong(random: np.random.Generator, alphas: Any, number: int) -> Any:
        return right(random, alphas * 1.03, number)

    monkeypatch.setattr(errors, "log_rows", wrong)
    yield
    monkeypatch.undo()


@pytest.mark.usefixtures("wrong_concentration")
@pytest.mark.parametrize("name", ["vector", "pseudo-counts", "several rows", "chain"])
def test_a_concentration_that_is_3_percent_off_is_contradicted(name: str) -> None:
    found = compared(STUDIES[name], 150_000)
    exact_ones = {one.expected.error: one for one in found if one.expected.kind is Kind.EXACT}
    assert exact_ones["kl"].finding is Finding.CONTRADICTED
    assert exact_ones["kl"].test == CHERNOFF
    assert exact_ones["l1"].finding is not Finding.AGREES


def test_a_scale_that_is_3_percent_off_is_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    right = errors.noise
    monkeypatch.setattr(errors, "noise", lambda *given: 0.97 * right(*given))
    found = {one.expected.error: one for one in compared(STUDIES["many numbers"], 150_000)}
    assert {found["l1"].finding, found["largest"].finding} == {Finding.CONTRADICTED}


def held(study: Study, statement: Expected) -> comparing.Compared:
    """Hold right draws against a statement."""
    is_chain = errors.has_chain_errors(study, MANY)
    found = errors_of(study, MANY, [3], lambda _: None, chain=is_chain)
    return Judge.of(study, 1, chain=is_chain).compared(statement, Mean.of(found[statement.error]))


def known(study: Study, error: str, kind: Kind) -> Expected:
    is_chain = errors.has_chain_errors(study, MANY)
    found = expected.expected_errors(study, Public(), chain=is_chain)
    return next(one for one in found if (one.error, one.kind) == (error, kind))


@each_of("error", ["l1", "l2_squared"])
@each_of("factor", [Fraction(4, 5), Fraction(5, 4)])
def test_a_wrong_value_of_a_bounded_error_is_contradicted(error: str, factor: Fraction) -> None:
    right = known(STUDIES["vector"], error, Kind.EXACT)
    assert right.low is not None
    found = held(STUDIES["vector"], replace(right, low=right.low * factor, high=right.low * factor))
    assert (found.finding, found.test) == (Finding.CONTRADICTED, BERNSTEIN)


def test_a_wrong_bound_of_the_stationary_law_is_contradicted() -> None:
    right = known(STUDIES["chain"], "stationary", Kind.UPPER)
    assert right.high is not None
    assert held(STUDIES["chain"], right).finding is Finding.AGREES
    found = held(STUDIES["chain"], replace(right, high=right.high / 10))
    assert (found.finding, found.test) == (Finding.CONTRADICTED, BERNSTEIN)


def test_a_wrong_lower_bound_is_contradicted() -> None:
    right = known(STUDIES["chain"], "ergodicity", Kind.LOWER)
    assert right.low is not None
    found = held(STUDIES["chain"], replace(right, low=right.low * 30))
    assert found.finding is Finding.CONTRADICTED


@pytest.mark.parametrize("kind", [Kind.EXACT, Kind.UPPER])
def test_a_wrong_divergence_is_contradicted_by_the_law_itself(kind: Kind) -> None:
    right = known(STUDIES["vector"], "kl", Kind.EXACT)
    assert right.low is not None
    wrong = right.low * Fraction(999, 1000)
    low = wrong if kind is Kind.EXACT else None
    found = held(STUDIES["vector"], Expected("kl", kind, "wrong", "", low, wrong))
    assert (found.finding, found.test) == (Finding.CONTRADICTED, EXACTLY)


def test_what_no_test_proves_is_only_odd() -> None:
    wrong = Expected("l2", Kind.UPPER, "wrong", "", None, Fraction(1))
    assert held(STUDIES["one number"], wrong).finding is Finding.ODD


def test_a_mean_that_is_not_finite_is_no_agreement() -> None:
    right = known(STUDIES["vector"], "l1", Kind.EXACT)
    judge = Judge.of(STUDIES["vector"], 1, chain=False)
    for value in (float("nan"), float("inf")):
        assert judge.compared(right, Mean(value, 1.0, MANY)).finding is Finding.ODD


def test_what_is_not_known_is_no_agreement() -> None:
    nothing = Expected("l1", Kind.EXACT, "unknown", "", why_not="it was not bounded in time")
    assert held(STUDIES["vector"], nothing).finding is Finding.NOTHING


def test_a_seed_reproduces_and_another_differs() -> None:
    study = STUDIES["chain"]
    first, again, other = (
        errors_of(study, 1000, [seed], lambda _: None, chain=True) for seed in (1, 1, 2)
    )
    for name, values in first.items():
        assert np.array_equal(values, again[name])
        assert not np.array_equal(values, other[name])


def test_false_alarms_are_shared_among_all_comparisons() -> None:
    """What contradicts alone does not where it is one of very many."""
    right = known(STUDIES["vector"], "l1", Kind.EXACT)
    assert right.low is not None
    off = right.low * Fraction(21, 20)
    wrong = replace(right, low=off, high=off)
    found = errors_of(STUDIES["vector"], MANY, [3], lambda _: None, chain=False)
    mean = Mean.of(found["l1"])
    alone, shared = (
        Judge.of(STUDIES["vector"], in_all, chain=False).compared(wrong, mean).finding
        for in_all in (1, 10**300)
    )
    assert (alone, shared) == (Finding.CONTRADICTED, Finding.ODD)


@each_of(
    "alpha",
    [(-1, 2), (LEAST_ALPHA / 2, 1), (MOST_TOTAL, 1), (0, 0)],
)
def test_a_law_that_doubles_do_not_draw_is_refused(alpha: tuple[Fraction | int, ...]) -> None:
    half = Fraction(1, 2)
    with pytest.raises(InputError, match="not simulated"):
        SimplexStudy((StudyRow(tuple(map(Fraction, alpha)), (half, half)),))


def test_a_share_that_is_never_drawn_is_refused() -> None:
    half = Fraction(1, 2)
    with pytest.raises(InputError, match="never drawn"):
        SimplexStudy((StudyRow((Fraction(0), Fraction(1)), (half, half)),))


def test_a_simulation_is_never_private() -> None:
    found = simulate("example:dirichlet.identity", given=["1/2", "1/2"], draws=100)
    assert found.private is False


def test_input_and_claim_give_the_laws_of_each_mechanism() -> None:
    for name, given, laws in [
        ("benvenuti2025-grades", [8, 20, 20, 25, 25], Fraction(206, 10)),
        ("gohari2020-experts", ["0.2", "0.3", "0.5"], Fraction(24)),
        ("ponnoprat2023-histogram", [1, 0, 2],
         3 * (Fraction("0.2775676") + Fraction("5.4410816"))),
    ]:  # fmt: skip
        (point,) = simulate(f"example:{name}", given=given, draws=100).points
        assert isinstance(point.study, SimplexStudy)
        assert [one.total for one in point.study.rows] == [laws]


def test_chains_too_large_for_the_draws_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "MOST_CHAIN_STEPS", 10)
    (point,) = simulate("example:markov-model", given="claim", draws=100).points
    assert point.chain_left_out
    assert "stationary" not in point.means


def test_a_sweep_needs_a_number_to_choose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "CHOSEN", ("scale", "step"))
    with pytest.raises(InputError, match="none of these"):
        simulate("example:dirichlet.identity", given=[1], epsilons=[1])


def test_errors_fall_as_epsilon_rises() -> None:
    found = simulate(
        "example:benvenuti2025-grades", given=[8, 20, 20, 25, 25], draws=2000,
        epsilons=["0.5", 1, Fraction(4)],
    )  # fmt: skip
    means = [point.means["l1"].value for point in found.points]
    assert means == sorted(means, reverse=True)
    assert [point.claim.epsilon for point in found.points] == [Fraction(1, 2), 1, 4]


def test_a_bound_for_shares_above_a_floor_is_not_asked_of_shares_below() -> None:
    """With n shares of at least eta the mean divergence is at most the worst; below it is more."""
    names = {
        eta: {one.what for one in expected.expected_errors(
            STUDIES["vector"], Public(eta, 15), chain=False)}
        for eta in (Fraction(1, 15), Fraction(1, 14))
    }  # fmt: skip
    worst = "dirichlet.utility.expected_kl_worst"
    assert worst in names[Fraction(1, 15)]
    assert worst not in names[Fraction(1, 14)]


def test_a_bound_for_counts_of_at_least_1_is_not_asked_of_fewer_records() -> None:
    names = {
        records: {one.what for one in expected.expected_errors(
            STUDIES["vector"], Public(None, records), chain=False)}
        for records in (15, 14)
    }  # fmt: skip
    bound = "dirichlet.utility.expected_kl_bound"
    assert bound in names[15]
    assert bound not in names[14]


def test_a_chance_is_of_the_side_that_was_asked_for() -> None:
    """A mean below the law's is no sign that it is too high."""
    moments = of_noise_sum(NoiseStudy(3, Fraction(1)))
    assert moments.log_chance(Fraction(2), 1000, high=True) == 0
    assert moments.log_chance(Fraction(4), 1000, high=False) == 0
    assert moments.log_chance(Fraction(4), 1000, high=True) < 0
    assert moments.log_chance(Fraction(2), 1000, high=False) < 0


def test_a_plan_is_held_against_the_shares_of_its_data() -> None:
    claim = read_claim("example:ponnoprat2023-histogram")
    step, alpha = claim.parameters.given["step"], claim.parameters.given["alpha"]
    names, drawn = ("a", "b", "c"), tuple(step * count + alpha for count in (0, 1, 3))
    study = study_of_plan(SimplexPlan((Row("", names, drawn),), matrix=False), claim)
    assert isinstance(study, SimplexStudy)
    assert study.rows[0].alpha == drawn
    assert ((0, Fraction(1, 4), Fraction(3, 4)),) == study.P


def test_a_plan_without_a_record_is_refused() -> None:
    claim = read_claim("example:ponnoprat2023-histogram")
    nothing = Row("", ("a", "b"), (claim.parameters.given["alpha"],) * 2)
    with pytest.raises(InputError, match="no record"):
        study_of_plan(SimplexPlan((nothing,), matrix=False), claim)


def test_a_plan_of_noise_has_as_many_numbers() -> None:
    claim = read_claim("example:song2017-chain")
    plan = NoisePlan(("a", "b"), (Fraction(1), Fraction(2)), Fraction(3), scalar=False)
    assert study_of_plan(plan, claim) == NoiseStudy(2, Fraction(3))


def test_a_mean_that_doubles_lost_has_no_ends() -> None:
    """With a z below 0 the two ends would be exchanged, and contradict what is true."""
    moments = of_noise_sum(NoiseStudy(7, Fraction(3)))
    for mean in (0.0, -1e-9):
        assert replace(moments, mean=mean).mean_ends is None
