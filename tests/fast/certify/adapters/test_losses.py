"""What adapters hand on: floats never below the truth, and losses of inputs that are far apart."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import pytest
from each import each_of
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.certify.adapters.losses import (
    ADD_REMOVED,
    LARGEST_EPSILON,
    MAX_CHANGES,
    REPLACED,
    Loss,
    exact_loss,
    float_at_least,
)
from simplexcert.reference import evaluate
from simplexcert.reference.errors import DomainError, InputError

ALPHA, STEP = Fraction(42, 25), Fraction(103, 490)
FAMILIES = pytest.mark.parametrize("family", [REPLACED, ADD_REMOVED])
EPSILONS = [Fraction(0), Fraction(1, 3), Fraction(2), Fraction(9)]


@given(st.fractions(min_value=0))
def test_a_float_at_least_a_number_is_the_smallest(value: Fraction) -> None:
    found = float_at_least(value)
    assert found >= value
    assert found == 0 or math.nextafter(found, -math.inf) < value


def test_the_ends_of_the_floats_are_on_the_safe_side() -> None:
    assert float_at_least(Fraction(1, 10**400)) == math.ulp(0.0)
    assert float_at_least(Fraction(10) ** 400) == math.inf
    assert float_at_least(math.inf) == math.inf
    assert float_at_least(Fraction(0)) == 0.0


@FAMILIES
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_one_record_apart_delta_is_the_float_above_the_exact_one(
    family: str, epsilon: Fraction
) -> None:
    found = Loss(family, ALPHA, STEP).delta(epsilon)
    point = {"alpha": ALPHA, "step": STEP, "epsilon": epsilon}
    exact = evaluate(f"{family}.delta", point, digits=30)
    assert math.nextafter(found, 0) < exact.lower <= found


@FAMILIES
@pytest.mark.parametrize("changes", [2, 3, 7])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_records_that_all_change_alike_lose_no_more_than_is_said(
    family: str, changes: int, epsilon: Fraction
) -> None:
    # They come to one larger step, which some inputs attain, or come near to.
    point = {"alpha": ALPHA, "step": changes * STEP, "epsilon": epsilon}
    exact = evaluate(f"{family}.delta", point).lower
    assert Loss(family, ALPHA, STEP).apart(changes).delta(epsilon) >= exact
    alike = Loss(family, ALPHA, STEP, two_cells=True).apart(changes).delta(epsilon)
    assert math.nextafter(alike, 0) < exact <= alike


@FAMILIES
@pytest.mark.parametrize("changes", [2, 3])
@pytest.mark.parametrize("order", [Fraction(1), Fraction(3, 2), Fraction(3)])
def test_renyi_divergences_of_records_that_change_alike_are_no_more_than_is_said(
    family: str, changes: int, order: Fraction
) -> None:
    point = {"alpha": ALPHA, "step": changes * STEP, "order": order}
    exact = evaluate(f"{family}.renyi", point).lower
    assert Loss(family, ALPHA, STEP).apart(changes).renyi(order) >= exact


LAW = st.lists(st.integers(1, 50), min_size=4, max_size=4).map(
    lambda found: [Fraction(one, sum(found)) for one in found]
)
THRESHOLD = st.fractions(Fraction(1, 10), Fraction(10), max_denominator=50)


@given(LAW, LAW, LAW, THRESHOLD, THRESHOLD)
def test_hockey_sticks_chain(
    first: list[Fraction], second: list[Fraction], third: list[Fraction], s: Fraction, t: Fraction
) -> None:
    def stick(p: list[Fraction], q: list[Fraction], at: Fraction) -> Fraction:
        return sum((max(x - at * y, Fraction(0)) for x, y in zip(p, q, strict=True)), Fraction(0))

    chained = stick(first, second, s) + s * stick(second, third, t)
    assert stick(first, third, s * t) <= chained


@FAMILIES
def test_losses_rise_with_the_distance_and_fall_with_epsilon(family: str) -> None:
    loss = Loss(family, ALPHA, STEP)
    told = [[loss.apart(d).delta(epsilon) for epsilon in EPSILONS] for d in (0, 1, 2, 5, 20)]
    assert all(a <= b for near, far in pairwise(told) for a, b in zip(near, far, strict=True))
    assert all(a >= b for row in told for a, b in pairwise(row))
    assert told[-1][0] == 1.0


@FAMILIES
def test_no_distance_loses_nothing(family: str) -> None:
    for two_cells in (False, True):
        same = Loss(family, ALPHA, STEP, two_cells=two_cells).apart(0)
        assert (same.delta(Fraction(0)), same.renyi(Fraction(2))) == (0.0, 0.0)


@pytest.mark.parametrize("changes", [-1, MAX_CHANGES + 1])
def test_a_distance_of_which_nothing_is_known_is_refused(changes: int) -> None:
    with pytest.raises(InputError, match="changed records"):
        Loss(REPLACED, ALPHA, STEP).apart(changes)


@pytest.mark.parametrize("changes", [1, 3])
def test_beyond_the_largest_epsilon_delta_is_bounded_at_once(changes: int) -> None:
    loss = Loss(REPLACED, ALPHA, STEP).apart(changes)
    assert 0 < loss.delta(Fraction(10) ** 300) <= loss.delta(LARGEST_EPSILON)


def test_renyi_divergences_are_infinite_from_the_exact_order_on() -> None:
    first = 1 + ALPHA / STEP
    assert Loss(REPLACED, ALPHA, STEP).renyi(first) == math.inf
    assert Loss(REPLACED, ALPHA, STEP).renyi(first - Fraction(1, 10)) < math.inf
    assert Loss(REPLACED, ALPHA, STEP).apart(2).renyi((1 + first) / 2) == math.inf


@each_of("alpha, step", [(0, 1), (1, 0), (-1, 1), (math.nan, 1), ("x", 1)])
def test_floor_and_step_are_numbers_above_0(alpha: object, step: object) -> None:
    with pytest.raises((InputError, DomainError)):
        exact_loss(alpha, step)


def test_where_records_come_and_go_two_cells_are_no_special_case() -> None:
    assert not exact_loss(ALPHA, STEP, replaced=False, two_cells=True).two_cells
    assert exact_loss("1.68", STEP, two_cells=True) == Loss(REPLACED, ALPHA, STEP, two_cells=True)
