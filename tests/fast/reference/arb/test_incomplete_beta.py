"""The incomplete beta function: reflection, recurrence, Arb's own, and the swap."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb
from hypothesis import assume, given
from hypothesis import strategies as st
from simplexcert.reference.arb import incomplete_beta
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import log_beta
from simplexcert.reference.arb.incomplete_beta import (
    regularised_incomplete_beta,
    regularised_on_ball,
)

positive = st.fractions(min_value=Fraction(1, 100), max_value=200, max_denominator=1000)
inside = st.fractions(min_value=Fraction(1, 1000), max_value=Fraction(999, 1000))


@given(positive, positive, inside)
def test_reflection(a: Fraction, b: Fraction, x: Fraction) -> None:
    both = regularised_incomplete_beta(a, b, x) + regularised_incomplete_beta(b, a, 1 - x)
    assert both.overlaps(arb(1))


@given(positive, positive, inside)
def test_recurrence_in_the_first_parameter(a: Fraction, b: Fraction, x: Fraction) -> None:
    # I_x(a, b) - I_x(a + 1, b) = x^a (1 - x)^b / (a B(a, b))
    term = (ball(a) * ball(x).log() + ball(b) * ball(1 - x).log() - log_beta(a, b)).exp() / ball(a)
    left = regularised_incomplete_beta(a, b, x) - regularised_incomplete_beta(a + 1, b, x)
    assert left.overlaps(term)


@given(positive, positive, inside)
def test_it_is_what_the_engine_calls_beta_lower(a: Fraction, b: Fraction, x: Fraction) -> None:
    assume(a < 30 and b < 30)  # away from the slow pockets of beta_lower
    with working_precision(256):
        raw = ball(x).beta_lower(ball(a), ball(b), True)
    assert raw.overlaps(regularised_incomplete_beta(a, b, x))


@given(st.integers(1, 12), st.integers(1, 12), inside)
def test_whole_parameters_give_a_binomial_tail(a: int, b: int, x: Fraction) -> None:
    from math import comb

    n = a + b - 1
    tail = sum(comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(a, n + 1))
    found = regularised_incomplete_beta(Fraction(a), Fraction(b), x)
    assert found.overlaps(ball(tail))


@given(positive, positive, inside)
def test_on_the_ball_of_a_point_it_meets_that_at_the_point(
    a: Fraction, b: Fraction, x: Fraction
) -> None:
    on_ball = regularised_on_ball(a, b, ball(x), log_beta(a, b))
    assert on_ball.overlaps(regularised_incomplete_beta(a, b, x))


@pytest.mark.parametrize(
    ("a", "b", "x"),
    [("1.4849", "31.8183", "0.968536"), ("2", "5", "0.9"), ("120.5", "900.25", "0.5")],
)
def test_past_the_mean_the_short_side_is_summed(
    monkeypatch: pytest.MonkeyPatch, a: str, b: str, x: str
) -> None:
    summed: list[bool] = []
    series = incomplete_beta.beta_series

    def spied(first: Fraction, second: Fraction, point: arb) -> arb:
        summed.append(bool(point * ball(first + second) <= ball(first)))
        return series(first, second, point)

    monkeypatch.setattr(incomplete_beta, "beta_series", spied)
    found = regularised_incomplete_beta(Fraction(a), Fraction(b), Fraction(x))
    assert summed
    assert all(summed)
    assert found.rel_accuracy_bits() > 40


def test_the_ends_are_exact() -> None:
    assert regularised_incomplete_beta(Fraction(2), Fraction(3), Fraction(0)) == 0
    assert regularised_incomplete_beta(Fraction(2), Fraction(3), Fraction(1)) == 1
