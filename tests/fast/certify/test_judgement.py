"""The pass-or-fail rule, decided exactly at the line."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from simplexcert.certify.checks.judgement import Judgement, distance, judge, rules_for
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.domain import Exact
from simplexcert.reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.quantity import Quantity

DELTA = quantities()["dirichlet.profile.delta"]
STEP = quantities()["dirichlet.profile.step_for_dp"]
RENYI = quantities()["dirichlet.profile.renyi"]
POINT: dict[str, Exact] = {
    "alpha": Fraction(42, 25),
    "step": Fraction(1, 5),
    "epsilon": Fraction(1, 2),
}
CALIBRATION: dict[str, Exact] = {
    "alpha": Fraction(2),
    "epsilon": Fraction(1),
    "delta": Fraction(1, 1000),
}


def held(
    item: object, point: dict[str, Exact], answer: object, slack: str = "0", accuracy: str = ""
) -> list[Judgement]:
    name = item.name  # type: ignore[attr-defined]
    promised = {name: Fraction(accuracy)} if accuracy else {}
    rules = rules_for(item, {name: Fraction(slack)}, promised)  # type: ignore[arg-type]
    return [judge(item, point, answer, rule) for rule in rules]  # type: ignore[arg-type]


def doubles_around(item: object, point: dict[str, Exact]) -> tuple[float, float]:
    """Return the largest double below the truth and the smallest above."""
    truth = evaluate(item.name, point, digits=40)  # type: ignore[attr-defined]
    nearest = float(truth.lower)
    if Fraction(nearest) < truth.lower:
        return nearest, math.nextafter(nearest, math.inf)
    return math.nextafter(nearest, -math.inf), nearest


def test_the_first_double_above_the_truth_passes_and_the_one_below_fails() -> None:
    below, above = doubles_around(DELTA, POINT)
    assert held(DELTA, POINT, above)[0].verdict is Verdict.CERTIFIED
    failed = held(DELTA, POINT, below)[0]
    assert failed.verdict is Verdict.REFUTED
    assert failed.side == "below"
    assert failed.ulps is not None
    assert 0 < failed.ulps < 1


@pytest.mark.parametrize(
    ("item", "value", "verdict"),
    [
        (DELTA, 1, Verdict.REFUTED),
        (DELTA, 2, Verdict.UNDECIDED),
        (DELTA, 3, Verdict.UNDECIDED),
        (DELTA, 4, Verdict.CERTIFIED),
        (STEP, 2, Verdict.CERTIFIED),
        (STEP, 3, Verdict.UNDECIDED),
        (STEP, 4, Verdict.UNDECIDED),
        (STEP, 5, Verdict.REFUTED),
    ],
)
def test_between_the_ends_of_an_enclosure_nothing_is_decided(
    item: Quantity, value: int, verdict: Verdict
) -> None:
    rule, *_ = rules_for(item, {}, {})
    assert rule.passes(Enclosure(Dyadic(2), Dyadic(4)), Fraction(value), None) is verdict


@pytest.mark.parametrize(
    ("truth", "largest"),
    [
        (Enclosure(MINUS_INFINITY, Dyadic(1)), Dyadic(1)),
        (Enclosure(Dyadic(1), PLUS_INFINITY), Dyadic(1)),
        (Enclosure(Dyadic(1), Dyadic(2)), PLUS_INFINITY),
    ],
)
def test_no_distance_is_known_from_what_has_no_end(truth: Enclosure, largest: Dyadic) -> None:
    found = distance(truth, Fraction(5), Enclosure(Dyadic(0), largest))
    assert found == (None, "unknown")


def test_the_rule_is_mirrored_where_the_safe_side_is_below() -> None:
    below, above = doubles_around(STEP, CALIBRATION)
    assert held(STEP, CALIBRATION, below)[0].verdict is Verdict.CERTIFIED
    assert held(STEP, CALIBRATION, above)[0].verdict is Verdict.REFUTED


@pytest.mark.parametrize(("item", "point"), [(DELTA, POINT), (STEP, CALIBRATION)])
def test_a_declared_slack_moves_the_line_by_just_that(
    item: object, point: dict[str, Exact]
) -> None:
    truth = evaluate(item.name, point, digits=40)  # type: ignore[attr-defined]
    sign = -1 if item is DELTA else 1
    inside = float(truth.lower * (1 + sign * Fraction(9, 10000)))
    outside = float(truth.lower * (1 + sign * Fraction(11, 10000)))
    assert held(item, point, inside, slack="0.001")[0].verdict is Verdict.CERTIFIED
    assert held(item, point, inside)[0].verdict is Verdict.REFUTED
    assert held(item, point, outside, slack="0.001")[0].verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        ("0.8999", Verdict.REFUTED),
        ("0.9001", Verdict.CERTIFIED),
        ("1.0999", Verdict.CERTIFIED),
        ("1.1001", Verdict.REFUTED),
    ],
)
def test_an_accuracy_is_decided_at_its_line_on_either_side(share: str, verdict: Verdict) -> None:
    truth = evaluate(DELTA.name, POINT, digits=40).lower
    *_, within = held(DELTA, POINT, float(truth * Fraction(share)), accuracy="0.1")
    assert within.verdict is verdict


def test_excess_on_the_safe_side_fails_only_a_declared_accuracy() -> None:
    _, above = doubles_around(DELTA, POINT)
    generous = above * 1.01
    assert [j.verdict for j in held(DELTA, POINT, generous)] == [Verdict.CERTIFIED]
    verdicts = [j.verdict for j in held(DELTA, POINT, generous, accuracy="0.001")]
    assert verdicts == [Verdict.CERTIFIED, Verdict.REFUTED]
    verdicts = [j.verdict for j in held(DELTA, POINT, generous, accuracy="0.1")]
    assert verdicts == [Verdict.CERTIFIED, Verdict.CERTIFIED]


@pytest.mark.parametrize(
    "rubbish",
    [
        float("nan"), np.nan, "0.5", None, True, [0.5], np.array([0.5]), 1j, ValueError("no"),
        10**400, {}, b"1",
    ],
    ids=repr,
)  # fmt: skip
def test_rubbish_is_an_error_and_never_a_pass(rubbish: object) -> None:
    assert held(DELTA, POINT, rubbish)[0].verdict is Verdict.ERROR


@pytest.mark.parametrize("answer", [np.float64(1.0), np.array(1.0), 1, np.int64(1), 1.0])
def test_every_kind_of_real_scalar_is_read(answer: object) -> None:
    assert held(DELTA, POINT, answer)[0].verdict is Verdict.CERTIFIED


def test_an_infinite_answer_passes_only_where_the_truth_is_infinite() -> None:
    infinite: dict[str, Exact] = {"alpha": Fraction(1), "step": Fraction(1), "order": Fraction(2)}
    finite = {**infinite, "order": Fraction(3, 2)}
    assert held(RENYI, infinite, math.inf)[0].verdict is Verdict.CERTIFIED
    assert held(RENYI, infinite, -math.inf)[0].verdict is Verdict.REFUTED
    assert held(RENYI, finite, math.inf)[0].verdict is Verdict.REFUTED


def test_a_finite_answer_fails_where_the_truth_is_infinite() -> None:
    infinite: dict[str, Exact] = {"alpha": Fraction(1), "step": Fraction(1), "order": Fraction(2)}
    assert held(RENYI, infinite, 1e308)[0].verdict is Verdict.REFUTED


def test_an_answer_that_equals_a_rational_truth_passes() -> None:
    half: dict[str, Exact] = {"alpha": Fraction(1), "step": Fraction(1), "epsilon": Fraction(0)}
    exactly = held(DELTA, half, 0.5)[0]
    assert exactly.verdict is Verdict.CERTIFIED
    assert exactly.ulps == 0
    assert held(DELTA, half, math.nextafter(0.5, 0))[0].verdict is Verdict.REFUTED
