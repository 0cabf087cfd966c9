"""Renyi calibration through the registry: digits, ends, conditions, and what the audit reads."""

from __future__ import annotations

import re
import time
from fractions import Fraction

import pytest
from each import each_of
from hypothesis import given, settings
from hypothesis import strategies as st
from simplexcert.reference import Answer, evaluate
from simplexcert.reference.arb.balls import working_precision
from simplexcert.reference.dirichlet import renyi as module
from simplexcert.reference.dirichlet.renyi_divergence import divergence
from simplexcert.reference.domain import Exact
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import DomainError
from simplexcert.reference.precision import Budget, BudgetSpentError, _under

INFINITE = float("inf")
orders = st.fractions(min_value=1, max_value=50, max_denominator=1000)
sizes = st.fractions(min_value=Fraction(1, 1000), max_value=20, max_denominator=10**6)
shapes = st.lists(st.tuples(sizes, sizes), min_size=2, max_size=6)


def renyi(name: str, digits: int = 20, **given: Exact | str | list[Fraction]) -> Answer:
    answer = evaluate(f"dirichlet.renyi.{name}", given, digits=digits)
    assert answer.narrow
    return answer


def low(answer: Answer) -> Fraction:
    assert isinstance(answer.lower, Fraction)
    return answer.lower


@given(orders, sizes, sizes, sizes)
@settings(max_examples=40)
def test_the_step_spends_epsilon_and_no_more(
    order: Fraction, epsilon: Fraction, squared: Fraction, largest: Fraction
) -> None:
    given = {"delta2_squared": squared, "delta_inf": largest}
    step = renyi("step", order=order, epsilon=epsilon, **given)
    at_low = renyi("epsilon_bound", order=order, step=low(step), **given)
    assert at_low.enclosure.is_above(epsilon) is not Trilean.TRUE
    more = renyi("epsilon_bound", order=order, step=low(step) * Fraction(10**9 + 1, 10**9), **given)
    assert more.enclosure.is_above(epsilon) is Trilean.TRUE


def test_three_hundred_steps_take_about_a_second() -> None:
    """The target; on a loaded machine three times as long is let pass."""
    began = time.process_time()
    for tenth in range(1, 301):
        renyi("step", order=5, epsilon=Fraction(tenth, 100), delta2_squared=2, delta_inf=1)
    assert time.process_time() - began < 3


@each_of("order", [1, "1.0000000000000000000000000000000001", "1e6", "1e300"])
@each_of("epsilon", ["1e-300", "1", "1e300"])
def test_a_step_is_found_at_any_scale(order: int | str, epsilon: str) -> None:
    for largest in ("1e-300", "1", "1e300"):
        answer = renyi("step", order=order, epsilon=epsilon, delta2_squared=2, delta_inf=largest)
        assert answer.precision_bits == 128
        assert answer.lower > 0


@given(shapes, orders)
@settings(max_examples=60)
def test_a_divergence_is_positive_or_infinite(
    pairs: list[tuple[Fraction, Fraction]], order: Fraction
) -> None:
    u, v = ([pair[end] for pair in pairs] for end in range(2))
    answer = renyi("divergence", u=u, v=v, order=order)
    inside = all(order * a - (order - 1) * b > 0 for a, b in pairs)
    assert (answer.lower == INFINITE) is not inside
    assert answer.lower > 0 or u == v


@given(shapes)
@settings(max_examples=40)
def test_a_law_is_at_no_distance_from_itself(pairs: list[tuple[Fraction, Fraction]]) -> None:
    u = [pair[0] for pair in pairs]
    assert renyi("divergence", u=u, v=u, order=7).exact == 0


def test_one_coordinate_is_no_distance_away() -> None:
    """It is always 1, also where the formula's argument would not be positive."""
    assert renyi("divergence", u=[Fraction(1)], v=[Fraction(9)], order=7).exact == 0


def test_vectors_of_different_lengths_are_refused() -> None:
    with pytest.raises(DomainError, match=re.escape("len(u) = len(v)")):
        evaluate("dirichlet.renyi.divergence", {"u": [1, 2], "v": [1], "order": 2})


def test_a_swap_costs_the_same_rational_as_the_profile() -> None:
    pair = {"u": [2, 5, 9], "v": [5, 2, 9], "order": 1}
    swap = evaluate("dirichlet.renyi.divergence", pair)
    profile = evaluate("dirichlet.profile.renyi", {"alpha": 2, "step": 3, "order": 1})
    assert swap.exact == profile.exact == 3 * (Fraction(1, 2) + Fraction(1, 3) + Fraction(1, 4))


def test_a_swap_by_no_whole_number_costs_no_rational() -> None:
    pair = {"u": [1, "5/2"], "v": ["5/2", 1], "order": 1}
    swap = evaluate("dirichlet.renyi.divergence", pair)
    profile = evaluate("dirichlet.profile.renyi", {"alpha": 1, "step": "3/2", "order": 1})
    assert swap.exact is None
    assert swap.narrow
    assert profile.narrow
    assert swap.enclosure.overlaps(profile.enclosure)


def test_a_long_vector_keeps_to_the_budget() -> None:
    u = tuple(Fraction(n, 7) for n in range(1, 9001))
    v = tuple(entry + Fraction(1, 30) for entry in u)
    assert renyi("divergence", u=list(u), v=list(v), order=1).lower > 0
    with (
        _under(Budget(seconds=-1.0)),
        working_precision(128),
        pytest.raises(BudgetSpentError),
    ):
        divergence(u, v, Fraction(2))


@each_of(
    "name, given",
    [
        ("divergence", {"u": ["1e5", "3"], "v": ["100000.000000001", "3"], "order": "1.000001"}),
        ("divergence", {"u": ["1e5", "3"], "v": ["100000.000000001", "3"], "order": 1}),
        ("epsilon_sensitivity",
         {"order": "1.000000001", "step": "1e-9", "alpha": "1e6", "delta2_squared": 2,
          "delta_inf": 1}),
        ("to_approximate_dp", {"order": "1.000000001", "epsilon": "1e-9", "delta": "0.999"}),
    ],
)  # fmt: skip
def test_where_terms_cancel_the_first_precision_already_suffices(
    name: str, given: dict[str, Exact | str]
) -> None:
    assert renyi(name, **given).precision_bits == 128


@given(orders, sizes, sizes, sizes, sizes)
@settings(max_examples=40)
def test_the_two_bounds_are_infinite_together(
    order: Fraction, step: Fraction, alpha: Fraction, squared: Fraction, largest: Fraction
) -> None:
    given = {"order": order, "step": step, "delta2_squared": squared, "delta_inf": largest}
    printed, tighter = (
        renyi(name, alpha=alpha, **given) for name in ("epsilon_bound_alpha", "epsilon_sensitivity")
    )
    infinite = alpha <= (order - 1) * step * largest
    assert (printed.lower == INFINITE) is infinite
    assert (tighter.lower == INFINITE) is infinite
    assert infinite or order == 1 or tighter.upper < printed.lower


@given(sizes, sizes, st.fractions(min_value=Fraction(1, 100), max_value=Fraction(99, 100)))
@settings(max_examples=40)
def test_general_bounds_hold_for_counts(alpha: Fraction, step: Fraction, share: Fraction) -> None:
    """One record replaced changes two counts by 1, one added or removed changes one."""
    order = 1 + share * alpha / step
    for name, changes in (("profile", 2), ("add_remove", 1)):
        given = {"alpha": alpha, "step": step, "order": order}
        exact = evaluate(f"dirichlet.{name}.renyi", given)
        bound = renyi("epsilon_sensitivity", delta2_squared=changes, delta_inf=1, **given)
        assert exact.narrow
        if changes == 2:
            assert exact.upper < bound.lower
        elif order >= 2:  # for one count the bound is the exact cost
            assert bound.enclosure.overlaps(exact.enclosure)
        else:
            assert exact.lower <= bound.upper


@pytest.mark.parametrize("shift", [Fraction(0), Fraction(-1, 10**30), Fraction(1, 10**30)])
def test_the_orders_end_exactly_at_one_rational(shift: Fraction) -> None:
    edge = evaluate("dirichlet.profile.largest_order", {"alpha": "0.7", "step": "0.3"})
    assert edge.exact == Fraction(10, 3)
    for name in ("profile", "add_remove"):
        given = {"alpha": "0.7", "step": "0.3", "order": edge.exact + shift}
        assert (evaluate(f"dirichlet.{name}.renyi", given).upper == INFINITE) is (shift >= 0)


def test_a_conversion_is_never_negative() -> None:
    assert renyi("to_approximate_dp", order=2, epsilon="0.1", delta="0.9").exact == 0
    assert renyi("to_approximate_dp", order=2, epsilon=0, delta="1/4").exact == 0
    assert renyi("to_approximate_dp", order=2, epsilon=0, delta="0.2499999").lower > 0


@each_of(
    "name, change, statement",
    [
        ("to_approximate_dp", {"order": 1}, "1 < order"),
        ("to_approximate_dp", {"delta": 1}, "0 < delta < 1"),
        ("step", {"order": "0.99"}, "1 <= order"),
        ("step", {"delta2_squared": 0}, "0 < delta2_squared"),
        ("epsilon_bound_alpha", {"alpha": 0}, "0 < alpha"),
        ("divergence", {"u": [1, 0]}, "0 < each of u"),
    ],
)
def test_what_means_nothing_is_refused(
    name: str, change: dict[str, object], statement: str
) -> None:
    good: dict[str, dict[str, object]] = {
        "to_approximate_dp": {"order": 2, "epsilon": 1, "delta": "0.1"},
        "step": {"order": 2, "epsilon": 1, "delta2_squared": 2, "delta_inf": 1},
        "epsilon_bound_alpha": {
            "order": 2, "step": 1, "alpha": 2, "delta2_squared": 2, "delta_inf": 1,
        },
        "divergence": {"u": [1, 2], "v": [2, 2], "order": 2},
    }  # fmt: skip
    assert evaluate(f"dirichlet.renyi.{name}", good[name]).narrow
    with pytest.raises(DomainError, match=re.escape(statement)):
        evaluate(f"dirichlet.renyi.{name}", {**good[name], **change})


@pytest.mark.parametrize(
    ("alpha", "paper", "line_2"), [("7", True, False), ("13", True, True), ("3.999", False, False)]
)
def test_hypotheses_are_told_apart(alpha: str, paper: bool, line_2: bool) -> None:
    """At order 4 and step 1: 1 + 3 for Theorem 1, 1 + 12 for the algorithm."""
    release = {
        "order": Fraction(4),
        "step": Fraction(1),
        "alpha": Fraction(alpha),
        "delta2_squared": Fraction(2),
        "delta_inf": Fraction(1),
    }
    (theorem,), (algorithm,) = module.HYPOTHESES, module.ALGORITHM_HYPOTHESES
    assert theorem.holds(release) is Trilean.of(paper)
    assert algorithm.holds(release) is Trilean.of(line_2)


@each_of(
    "squared, largest, replace, add",
    [(2, 1, True, True), (1, 1, False, True), (2, "1/2", False, False), ("1/2", 1, False, False)],
)
def test_sensitivities_cover_an_adjacency_or_not(
    squared: int | str, largest: int | str, replace: bool, add: bool
) -> None:
    release = {"delta2_squared": Fraction(squared), "delta_inf": Fraction(largest)}
    (replacing,), (adding,) = module.REPLACE_HYPOTHESES, module.ADD_REMOVE_HYPOTHESES
    assert replacing.holds(release) is Trilean.of(replace)
    assert adding.holds(release) is Trilean.of(add)
