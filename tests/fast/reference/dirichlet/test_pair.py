"""The loss of a given pair: its domain, its extremes, and both engines on it."""

from __future__ import annotations

from fractions import Fraction

import pytest
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import DomainError, InputError

NAME = "dirichlet.pair.delta"


@pytest.mark.parametrize(
    ("u", "v", "says"),
    [
        ([1, 2, 3], [2, 1], "they have 3 and 2 entries"),
        ([1, 2, 3], [2, 3, 4], "they differ in 3 coordinates"),
        ([1, 2, 3], [2, 3, 3], "the two sums differ"),
        ([1], [1], "at least 2 of them"),
        ([1, 0], [0, 1], "0 < each of u"),
    ],
)
def test_other_pairs_are_outside_the_domain_and_a_sentence_says_why(
    u: list[int], v: list[int], says: str
) -> None:
    with pytest.raises(DomainError, match=says):
        evaluate(NAME, {"u": u, "v": v, "epsilon": 1})


def test_a_sum_that_differs_beyond_double_precision_is_outside_the_domain() -> None:
    v = [2, "1.000000000000000000000000000001"]
    with pytest.raises(DomainError, match="the two sums differ"):
        evaluate(NAME, {"u": [1, 2], "v": v, "epsilon": 1})


def test_what_is_no_vector_is_bad_input() -> None:
    with pytest.raises(InputError):
        evaluate(NAME, {"u": 1, "v": [1, 2], "epsilon": 1})


@pytest.mark.parametrize("engine", ["arb", "second"])
def test_equal_laws_lose_exactly_nothing(engine: str) -> None:
    found = evaluate(NAME, {"u": [1, 2], "v": [1, 2], "epsilon": 0}, engine=engine)
    assert found.enclosure.exact == 0


@pytest.mark.parametrize("engine", ["arb", "second"])
def test_a_larger_count_loses_exactly_nothing_beyond_its_bound(engine: str) -> None:
    """Of Beta(2, 1) from Beta(1, 1) the largest log-ratio is log 2 = 0.693147..."""
    point = {"u": [2, 1], "v": [1, 1]}
    beyond = evaluate(NAME, {**point, "epsilon": "0.693148"}, engine=engine)
    assert beyond.enclosure.exact == 0
    before = evaluate(NAME, {**point, "epsilon": "0.693147"}, engine=engine)
    assert before.enclosure.low.compared_with(Fraction(0)) > 0


@pytest.mark.parametrize("engine", ["arb", "second"])
@pytest.mark.parametrize(
    ("u", "v", "epsilon"),
    [
        (["1e-9", 1], [1, "1e-9"], "0.1"),
        (["1000", "1000.000001"], ["1000.000001", "1000"], "1e-9"),
        (["7e-6", 1], ["1e5", 1], "0.03"),
        (["1e5", 1], ["7e-6", 1], "13"),
        (["2.5", 3, 4], ["2", 3, 4], "0.5"),
        (["30", "1e-6"], ["1e-6", "30"], "500"),
    ],
)
def test_extreme_pairs_are_narrow(engine: str, u: list[str], v: list[str], epsilon: str) -> None:
    assert evaluate(NAME, {"u": u, "v": v, "epsilon": epsilon}, engine=engine).narrow


def test_moves_and_one_coordinate_by_hand() -> None:
    """Uniform against Beta(2, 1), density 2x: at e^epsilon = 1 below 1/2, 1/2 - 1/4."""
    for u, v in [([1, 1], [2, 1]), ([2, 1], [1, 1])]:
        found = evaluate(NAME, {"u": u, "v": v, "epsilon": 0}).enclosure
        assert (
            found.low.compared_with(Fraction(1, 4)) <= 0 <= found.high.compared_with(Fraction(1, 4))
        )
    moved = evaluate(NAME, {"u": [1, 2], "v": [2, 1], "epsilon": 0})
    assert moved.enclosure.exact == Fraction(1, 2)


@pytest.mark.parametrize(
    ("size", "epsilon"),
    [("1e20", "1"), ("1e27", "1e5"), ("1e300", "0"), ("1e300", "1e296")][:: instances(2, 1)],
)
def test_laws_far_apart_lose_all_at_any_size(size: str, epsilon: str) -> None:
    whole, next_to = Fraction(size), Fraction(1, 10**30)
    u, v = ([whole * part, whole * (13 - part)] for part in (1, 2))
    lost = evaluate(NAME, {"u": u, "v": v, "epsilon": epsilon})
    assert lost.enclosure.is_above(1 - next_to) is Trilean.TRUE
    beyond = evaluate(NAME, {"u": u, "v": v, "epsilon": whole * 100})
    assert beyond.enclosure.is_below(next_to) is Trilean.TRUE
