"""Whether a quantity is the least sound number or a formula that is printed: all of them say so."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator
from typing import Any

import pytest
from each import each, each_of
from simplexcert.certify.checks.judgement import judge, rules_for
from simplexcert.certify.points import exact_point
from simplexcert.certify.search.draws import Draws
from simplexcert.certify.search.strategies import drawn_point
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.domain import Value
from simplexcert.reference.errors import DomainError
from simplexcert.reference.quantity import (
    LeastSound,
    Quantity,
    Side,
    Truth,
    quantity,
    quantity_named,
)

PRINTED = [item for item in quantities().values() if item.truth is Truth.PRINTED]
# What a paper prints and is false: the truth, and what is least, is beyond it at some points.
FALSE = {"markov.benvenuti2025.theorem_5"}
WITH_A_LEAST = [item for item in PRINTED if item.least is not None]
POINTS, TRIES = 12, 400


def by_name(item: Quantity) -> str:
    return item.name


@each(quantities().values())
def test_every_quantity_says_whether_it_is_the_least_sound_number(item: Quantity) -> None:
    shape = item.as_json()
    assert shape["truth"] in ("least", "printed")
    assert item.truth is Truth.PRINTED or shape["least"] is None
    # A number that is safe on neither side is itself, not a bound.
    assert item.safe is not Side.NONE or item.truth is Truth.LEAST


def test_a_quantity_that_does_not_say_is_refused() -> None:
    assert inspect.signature(quantity).parameters["truth"].default is inspect.Parameter.empty
    with pytest.raises(TypeError, match="truth"):
        quantity("made.silent", safe=Side.UPPER, source="a test")  # type: ignore[call-arg]
    least = LeastSound("renyi.epsilon_for_dp", lambda point: point, "the same parameters")
    with pytest.raises(ValueError, match="the least itself"):
        quantity("made.both", safe=Side.UPPER, truth=Truth.LEAST, least=least, source="a test")


def test_what_says_that_it_is_printed_or_a_bound_is_flagged() -> None:
    """Summaries that say so; the ones that say it of a number that is attained are named."""
    attained = {
        "dirichlet.counts.delta_bound",
        "dirichlet.utility.absolute_deviation_bound",
        "dirichlet.utility.expected_kl_bound",
        "dirichlet.utility.variance_bound",
        "markov.model.delta_bound",
    }
    for name, item in quantities().items():
        said = " prints" in item.summary or item.summary.startswith(("Bound", "Scale of MQM"))
        if said and name not in attained:
            assert item.truth is Truth.PRINTED, name


def points(item: Quantity) -> Iterator[dict[str, Value]]:
    found = 0
    for number in range(TRIES):
        point = drawn_point(item, Draws(f"{item.name}/{number}"))
        exact = exact_point(point)
        if item.admits(exact):
            yield exact
            found += 1
        if found == POINTS:
            return


@each_of("item", WITH_A_LEAST)
def test_the_least_that_is_named_is_sound_and_says_where(item: Quantity) -> None:
    assert item.least is not None
    least = quantity_named(item.least.quantity)
    # Its number is sound for nobody below: a least one, or a bound on the other side.
    # Or it is the same one, where what it is a bound on attains it. On a safe lower side: above.
    assert least.truth is Truth.LEAST or least.safe is Side.LOWER or least is item
    assert item.safe is not Side.NONE
    assert item.least.where


@each_of("item", [item for item in WITH_A_LEAST if item.name not in FALSE])
def test_the_least_that_is_named_is_never_beyond_what_is_printed_and_true(item: Quantity) -> None:
    assert item.least is not None
    least, compared = quantity_named(item.least.quantity), 0
    for exact in points(item):
        there = item.least.point(exact)
        if there is None:
            continue
        low, high = evaluate(least.name, there), evaluate(item.name, exact)
        if item.safe is Side.LOWER:
            low, high = high, low
        assert low.lower <= high.upper, exact
        compared += low.lower > 0 and not math.isinf(high.upper)
    assert compared, "no point was compared"


@each_of("name", FALSE)
def test_what_is_printed_and_false_is_below_its_least_where_a_row_tells_little(name: str) -> None:
    """Three alike rows, of which one is drawn all but from its vertices."""
    counts, k = [[0, 784, 659]] * 3, ["0.001", 10, 863]
    item = quantities()[name]
    assert item.least is not None
    exact = item.read({"counts": counts, "k": k})
    there = item.least.point(exact)
    assert there is not None
    assert evaluate(item.least.quantity, there).lower > evaluate(name, exact).upper


def test_where_two_categories_hide_more_a_smaller_delta_is_not_refuted() -> None:
    """Counts of (2, 3) or more of 5 to 9 records: with two categories less is lost."""
    quantity = quantities()["markov.model.delta"]
    (rule, *_) = rules_for(quantity, {}, {})
    point = {"k": (9,), "eta": ("0.3",), "epsilon": "0.5"}
    for size, verdict in ((7, Verdict.INAPPLICABLE), (100, Verdict.REFUTED)):
        exact = quantity.read({**point, "N": (size,)})
        assert judge(quantity, exact, 0.0, rule).verdict is verdict


@each_of(
    "name, inside, outside",
    [
        ("dirichlet.identity.k_for_dp", {"eta": "0.25", "b": 1}, {"eta": "0.4", "b": 1}),
        (
            "dirichlet.average.k_for_dp",
            {"eta": "0.25", "b": 1, "N": 2},
            {"eta": "0.4", "b": 1, "N": 2},
        ),
        ("dirichlet.counts.k_for_dp", {"eta": "0.3", "N": 10}, {"eta": "0.3", "N": 6}),
        ("markov.model.k_for_dp", {"eta": ["0.3"], "N": [10]}, {"eta": ["0.3"], "N": [6]}),
    ],
)
def test_a_largest_k_is_of_a_step_that_two_inputs_can_make(
    name: str, inside: Any, outside: Any
) -> None:
    """Beyond that a larger k would be sound too, and an answer is not asked for."""
    claim = {"epsilon": 9, "delta": "0.1"}
    assert evaluate(name, {**inside, **claim}).narrow
    with pytest.raises(DomainError, match=r"room|can move"):
        evaluate(name, {**outside, **claim})
