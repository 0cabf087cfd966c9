"""Answers: as narrow as asked, exact where the number is rational, honest where they are not."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from flint import ctx
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import InputError, SoundnessError
from simplexcert.reference.evaluation import second_opinion
from simplexcert.reference.precision import Budget

POINT = {"alpha": "1.68", "step": "103/490", "epsilon": "0.6"}


@each_of("digits", [1, 5, 20, 50, 300])
def test_the_width_is_what_was_asked(digits: int) -> None:
    answer = evaluate("dirichlet.profile.delta", POINT, digits=digits)
    assert answer.narrow
    assert isinstance(answer.upper, Fraction)
    assert (answer.upper - answer.lower) * 10 ** (digits - 1) <= answer.upper


def test_more_digits_refine_and_never_contradict() -> None:
    rough, fine = (evaluate("dirichlet.profile.delta", POINT, digits=d) for d in (5, 60))
    assert rough.lower <= fine.lower <= fine.upper <= rough.upper


def test_json_holds_no_float_and_the_published_fields() -> None:
    shape = evaluate("dirichlet.profile.delta", POINT).as_json()
    assert list(shape) == [
        "schema_version", "quantity", "parameters", "lower", "upper", "exact", "verdict",
        "engine", "route", "rigorous", "precision_bits", "source",
    ]  # fmt: skip
    assert shape["parameters"] == {"alpha": "42/25", "step": "103/490", "epsilon": "3/5"}
    assert not any(isinstance(value, float) for value in shape.values())
    printed = Fraction(str(shape["upper"])) - Fraction(str(shape["lower"]))
    assert printed * 10**19 <= Fraction(str(shape["upper"]))
    json.dumps(shape)


@each_of("digits", [0, 10_001, None, 5.0, "5"])
def test_digits_are_a_whole_number(digits: Any) -> None:
    with pytest.raises(InputError, match=r"^digits = .*: ask for 1 to"):
        evaluate("dirichlet.profile.delta", POINT, digits=digits)


def test_digits_of_numpy_are_as_good() -> None:
    asked = [evaluate("dirichlet.profile.delta", POINT, digits=five) for five in (5, np.int64(5))]
    assert asked[0].as_json() == asked[1].as_json()


def test_a_spent_budget_is_undecided_with_the_last_enclosure() -> None:
    answer = evaluate("dirichlet.profile.delta", POINT, digits=2000, budget=Budget(bits=512))
    assert not answer.narrow
    shape = answer.as_json()
    assert shape["verdict"] == "undecided"
    assert Fraction(str(shape["lower"])) < Fraction(str(shape["upper"]))


def test_a_probability_is_one_even_where_no_time_was_left() -> None:
    point = {"alpha": 1, "count": 3, "rest": 1, "gamma": "0.01"}
    answer = evaluate("dirichlet.tail.uniform", point, budget=Budget(seconds=-1.0))
    assert not answer.narrow
    assert (answer.lower, answer.upper) == (0, 1)


def test_the_working_precision_is_given_back() -> None:
    before = ctx.prec
    evaluate("dirichlet.profile.epsilon", {"alpha": 1, "step": 1, "delta": "0.1"}, digits=100)
    assert ctx.prec == before


def test_infinity_is_an_answer() -> None:
    shape = evaluate("dirichlet.profile.renyi", {"alpha": 1, "step": 1, "order": 2}).as_json()
    assert (shape["lower"], shape["upper"], shape["verdict"]) == ("inf", "inf", "certified")


def test_a_rational_answer_is_exact() -> None:
    shape = evaluate("dirichlet.profile.renyi", {"alpha": 3, "step": 1, "order": 1}).as_json()
    assert shape["exact"] == "1/3"
    assert shape["lower"] == "0.3333333333333333333333"
    assert shape["upper"] == "0.3333333333333333333334"


EXTREME = [
    ("dirichlet.profile.delta", {"alpha": "1e900", "step": "1e-900", "epsilon": "1"}),
    ("dirichlet.profile.delta", {"alpha": "1e-900", "step": "1e900", "epsilon": "1e900"}),
    ("dirichlet.profile.delta", {"alpha": "1", "step": "0.001", "epsilon": "1e20"}),
    ("dirichlet.profile.delta", {"alpha": "1", "step": "1", "epsilon": "1e9999"}),
    ("dirichlet.profile.delta", {"alpha": "1", "step": "1", "epsilon": "1.7e308"}),
    ("dirichlet.profile.epsilon", {"alpha": "1e-310", "step": "1", "delta": "0.1"}),
    ("dirichlet.profile.delta", {"alpha": "1e20", "step": "1", "epsilon": "1e-11"}),
    ("dirichlet.profile.total_variation", {"alpha": "1e600", "step": "1e600"}),
    ("dirichlet.profile.epsilon", {"alpha": "1e-900", "step": "1e-900", "delta": "1e-9000"}),
    ("dirichlet.profile.epsilon", {"alpha": "4e5", "step": "1e300", "delta": "1/2"}),
    ("dirichlet.profile.renyi", {"alpha": "1e900", "step": "1", "order": "1e899"}),
    ("dirichlet.profile.step_for_dp", {"alpha": "1e-500", "epsilon": "0", "delta": "1e-500"}),
    ("dirichlet.profile.step_for_dp", {"alpha": "58", "epsilon": "0.9", "delta": "0." + "9" * 900}),
    ("dirichlet.profile.step_for_renyi", {"alpha": "1e900", "order": "1e900", "epsilon": "1e-900"}),
    ("dirichlet.identity.k_for_dp",
     {"eta": "1/3", "b": "1e-900", "epsilon": "0", "delta": "0." + "9" * 50}),
    ("dirichlet.counts.k_for_dp",
     {"eta": "1e-900", "N": 10**9, "epsilon": "0", "delta": "0.999"}),
    ("dirichlet.counts.epsilon_bound",
     {"k": "1e900", "eta": "1e-900", "N": 10**9, "n": 3, "gamma": "1e-900"}),
]  # fmt: skip


@each_of("engine", ["arb", "second"])
@each_of("name, given", EXTREME[:: instances(2, 1)])
def test_extreme_parameters_are_answered_or_left_undecided(
    name: str, given: dict[str, object], engine: str
) -> None:
    answer = evaluate(name, given, engine=engine, budget=Budget(seconds=0.5, bits=512))
    assert answer.lower <= answer.upper
    assert answer.as_json()["verdict"] in ("certified", "undecided")


def test_a_second_opinion_overlaps_with_the_truth_contradicts_another_and_may_be_late() -> None:
    name = "dirichlet.profile.delta"
    answer = evaluate(name, POINT)
    assert second_opinion(name, answer.parameters, answer.number) == "overlaps"
    assert second_opinion(name, answer.parameters, answer.number, seconds=0) == "undecided"
    with pytest.raises(SoundnessError, match="contradict each other"):
        second_opinion(name, answer.parameters, Enclosure.of(Fraction(1, 2)))
