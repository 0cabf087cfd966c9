"""Whether a quantity is the least sound number or a formula that is printed: all of them say so."""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterator

import pytest
from each import each
from simplexcert.certify.points import exact_point
from simplexcert.certify.search.draws import Draws
from simplexcert.certify.search.strategies import drawn_point
from simplexcert.reference import evaluate, quantities
from simplexcert.reference.domain import Value
from simplexcert.reference.quantity import (
    LeastSound,
    Quantity,
    Side,
    Truth,
    quantity,
    quantity_named,
)

PRINTED = [item for item in quantities().values() if item.truth is Truth.PRINTED]
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


@pytest.mark.parametrize("item", WITH_A_LEAST, ids=by_name)
def test_the_least_that_is_named_is_never_beyond_what_is_printed(item: Quantity) -> None:
    assert item.least is not None
    least, compared = quantity_named(item.least.quantity), 0
    # Its number is sound for nobody below: a least one, or a bound on the other side.
    assert least.truth is Truth.LEAST or least.safe is Side.LOWER
    assert item.safe is Side.UPPER
    assert item.least.where
    for exact in points(item):
        there = item.least.point(exact)
        if there is None:
            continue
        low, high = evaluate(least.name, there), evaluate(item.name, exact)
        assert low.lower <= high.upper, exact
        compared += low.lower > 0 and not math.isinf(high.upper)
    assert compared, "no point was compared"
