"""A record added or removed: inverse to each other, monotone, full of digits, never unsafe."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from each import each_of
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from simplexcert.reference import Answer, evaluate
from simplexcert.reference.arb import incomplete_gamma
from simplexcert.reference.arb.balls import ball, enclosure_of, working_precision
from simplexcert.reference.arb.incomplete_gamma import series_difference
from simplexcert.reference.dirichlet.add_remove import _epsilon_above
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.precision import Budget, BudgetSpentError, _under

if TYPE_CHECKING:
    from simplexcert.reference.domain import Exact

INFINITE = float("inf")
floors = st.fractions(min_value=Fraction(1, 20), max_value=200, max_denominator=10**6)
shares = st.fractions(min_value=Fraction(1, 1000), max_value=2, max_denominator=10**6)
epsilons = st.fractions(min_value=0, max_value=10, max_denominator=10**6)
deltas = st.fractions(min_value=Fraction(1, 10**9), max_value=Fraction(99, 100))


def add_remove(name: str, digits: int = 20, **given: Exact | str) -> Answer:
    answer = evaluate(f"dirichlet.add_remove.{name}", given, digits=digits)
    assert answer.narrow
    return answer


def low(answer: Answer) -> Fraction:
    assert isinstance(answer.lower, Fraction)
    return answer.lower


def high(answer: Answer) -> Fraction:
    assert isinstance(answer.upper, Fraction)
    return answer.upper


@given(floors, shares, epsilons)
@settings(max_examples=40)
def test_epsilon_inverts_delta(alpha: Fraction, share: Fraction, epsilon: Fraction) -> None:
    step = alpha * share
    delta = add_remove("delta", alpha=alpha, step=step, epsilon=epsilon)
    below = add_remove("epsilon", alpha=alpha, step=step, delta=high(delta))
    above = add_remove("epsilon", alpha=alpha, step=step, delta=low(delta))
    assert low(below) <= epsilon <= high(above)


@given(floors, epsilons, deltas)
@settings(max_examples=30)
def test_the_step_for_dp_is_the_largest(alpha: Fraction, eps: Fraction, delta: Fraction) -> None:
    step = add_remove("step_for_dp", alpha=alpha, epsilon=eps, delta=delta)
    at_low = add_remove("delta", alpha=alpha, step=low(step), epsilon=eps)
    at_high = add_remove("delta", alpha=alpha, step=high(step), epsilon=eps)
    assert at_low.enclosure.is_above(delta) is not Trilean.TRUE
    assert at_high.enclosure.is_below(delta) is not Trilean.TRUE
    replacing = evaluate(
        "dirichlet.profile.step_for_dp", {"alpha": alpha, "epsilon": eps, "delta": delta}
    )
    assert high(replacing) < low(step)


@given(
    floors,
    st.fractions(min_value=1, max_value=50, max_denominator=1000),
    st.fractions(min_value=Fraction(1, 10**6), max_value=50),
)
@settings(max_examples=30)
def test_the_step_for_renyi_is_the_largest(alpha: Fraction, order: Fraction, eps: Fraction) -> None:
    step = add_remove("step_for_renyi", alpha=alpha, order=order, epsilon=eps)
    at_low = add_remove("renyi", alpha=alpha, step=low(step), order=order)
    at_high = add_remove("renyi", alpha=alpha, step=high(step), order=order)
    assert at_low.enclosure.is_above(eps) is not Trilean.TRUE
    assert at_high.enclosure.is_below(eps) is not Trilean.TRUE


@given(floors, shares, epsilons, st.integers(130, 300))
@settings(max_examples=30)
def test_a_second_precision_agrees(
    alpha: Fraction, share: Fraction, epsilon: Fraction, digits: int
) -> None:
    rough = add_remove("delta", alpha=alpha, step=alpha * share, epsilon=epsilon)
    fine = add_remove("delta", digits, alpha=alpha, step=alpha * share, epsilon=epsilon)
    assert rough.enclosure.overlaps(fine.enclosure)


def test_epsilon_is_exactly_zero_from_the_total_variation_on() -> None:
    """At alpha = step = 1 that is 1/e = 0.36787944...."""
    assert add_remove("epsilon", alpha=1, step=1, delta="0.3678795").exact == 0
    assert low(add_remove("epsilon", alpha=1, step=1, delta="0.3678794")) > 0
    assert add_remove("epsilon", alpha="1.5", step="0.25", delta=1).exact == 0


def test_at_delta_one_epsilon_is_zero_however_near_the_total_variation_is() -> None:
    """1 - TV is about e^-50000: no precision of a reasonable budget would tell."""
    given = {"alpha": 1, "step": 10**5, "delta": 1}
    answer = evaluate("dirichlet.add_remove.epsilon", given)
    assert answer.exact == 0
    assert answer.precision_bits == 128


def test_where_target_and_total_variation_are_not_told_apart_the_answer_holds_both() -> None:
    """1/e to sixty digits is decided by a few hundred bits and by no fewer."""
    point = {"alpha": 1, "step": 1}
    digits = "0.367879441171442321595523770161460867445811131031767834507836"
    known = add_remove("epsilon", delta=digits, **point)
    wide = evaluate(
        "dirichlet.add_remove.epsilon", {"delta": digits, **point}, budget=Budget(bits=128)
    )
    assert not wide.narrow
    assert wide.lower == 0 < low(known) < high(known) < wide.upper


def test_there_is_no_pure_differential_privacy() -> None:
    assert add_remove("epsilon", alpha=5, step="0.001", delta=0).lower == INFINITE


@each_of(
    "name, given",
    [
        ("delta", {"alpha": "1e5", "step": "1e-9", "epsilon": 0}),
        ("delta", {"alpha": "0.001", "step": "0.001", "epsilon": 1}),
        ("delta", {"alpha": 10, "step": 1, "epsilon": "1e6"}),
        ("delta", {"alpha": 1000, "step": "0.001", "epsilon": 30}),
        ("delta", {"alpha": "1e6", "step": "1e-6", "epsilon": "1e9"}),
        ("delta", {"alpha": "1e-30", "step": "1e-9", "epsilon": 1}),
        ("delta", {"alpha": "1.461632144968362341", "step": "1e-12", "epsilon": 0}),
        ("renyi", {"alpha": "1e5", "step": "1e-9", "order": 2}),
        ("renyi", {"alpha": "1e5", "step": "1e-9", "order": "1.000000001"}),
        ("renyi", {"alpha": "1e5", "step": "1e-9", "order": 1}),
        ("step_for_dp", {"alpha": 1000, "epsilon": 30, "delta": "1e-12"}),
        ("step_for_dp", {"alpha": "0.001", "epsilon": "0.001", "delta": "0.99999"}),
        ("step_for_renyi", {"alpha": "0.001", "order": 100, "epsilon": 30}),
    ],
)
def test_the_first_precision_already_suffices(name: str, given: dict[str, str | int]) -> None:
    assert add_remove(name, **given).precision_bits == 128


def test_a_tiny_delta_has_all_its_digits() -> None:
    """At step 1 it is e^(-x) x^alpha/Gamma(alpha + 1) + P(alpha + 1, x)(1 - e^epsilon)."""
    alpha, epsilon = Fraction(40), Fraction(5)
    known = add_remove("delta", alpha=alpha, step=1, epsilon=epsilon)
    with working_precision(1000):
        x = 40 * (-arb(5)).exp()
        first, second = (x.gamma_lower(arb(a), regularized=1) for a in (40, 41))
        direct = enclosure_of(first - arb(5).exp() * second)
    assert direct.is_narrow(30)
    assert high(known) < Fraction(1, 10**60)
    assert known.enclosure.overlaps(direct)


def test_a_sum_that_is_too_long_says_nothing() -> None:
    with working_precision(128):
        assert series_difference(Fraction(10**13), Fraction(1), arb(10**13)).is_nan()
        assert series_difference(Fraction(10) ** 400, Fraction(1), arb(10) ** 400).is_nan()
        assert series_difference(Fraction(1), Fraction(1), arb("inf")).is_nan()


def test_delta_is_found_where_its_sum_is_too_long() -> None:
    """At step 1 and epsilon 0 it is alpha^alpha e^(-alpha)/Gamma(alpha + 1)."""
    alpha = Fraction(10**13)
    known = add_remove("delta", alpha=alpha, step=1, epsilon=Fraction(0))
    with working_precision(1000):
        x = arb(10**13)
        direct = enclosure_of((x * x.log() - x - (x + 1).lgamma()).exp())
    assert known.narrow
    assert known.enclosure.overlaps(direct)


def test_a_point_that_is_hardly_known_is_enclosed_all_the_same() -> None:
    """The sum ends although no digit of it is certain, and holds the values at both ends."""
    with working_precision(128):
        wide = series_difference(Fraction(3), Fraction(1), arb(5, 5))
        for end in (arb("0.01"), arb("9.99")):
            assert wide.contains(series_difference(Fraction(3), Fraction(1), end))


def test_a_long_sum_keeps_to_the_budget() -> None:
    with _under(Budget(seconds=-1.0)), working_precision(128), pytest.raises(BudgetSpentError):
        series_difference(Fraction(3), Fraction(1), arb(5))


def test_a_sum_that_stops_early_is_no_less_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two bits asked for it ends after few terms, and its remainder holds the rest.

    For a tiny shift and a large parameter the second ratio is nearly as large as its bound.
    """
    point, early = (Fraction(12), Fraction(1, 1000), arb(1) / 64), SimpleNamespace(prec=2)
    with working_precision(200):
        exact = series_difference(*point)
        monkeypatch.setattr(incomplete_gamma, "_TERMS_BETWEEN_LOOKS", 1)
        monkeypatch.setattr(incomplete_gamma, "ctx", early)
        rough = series_difference(*point)
    assert exact.rel_accuracy_bits() > 150
    assert rough.rel_accuracy_bits() < 50
    assert rough.contains(exact)


@each_of("delta", ["1e-60", "1e-9", "1/100"])
@each_of("alpha, step", [("1/20", "1"), ("3", "1"), ("200", "90")])
def test_epsilon_is_not_above_the_bound_that_stands_for_it(
    alpha: str, step: str, delta: str
) -> None:
    """Where no precision tells delta from the total variation, epsilon is between 0 and that."""
    floor, moved, level = Fraction(alpha), Fraction(step), Fraction(delta)
    with working_precision(128):
        above = enclosure_of(_epsilon_above(floor, moved, ball(level).log()))
    found = add_remove("epsilon", alpha=floor, step=moved, delta=level)
    assert 0 < found.enclosure.lower <= above.upper
