"""The gamma family: functional equations, a second precision, and no cancellation."""

from __future__ import annotations

from fractions import Fraction

from each import each_of
from flint import acb, arb
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.arb.gamma import (
    digamma,
    digamma_change,
    log_beta,
    log_beta_change,
    trigamma,
)

positive = st.fractions(min_value=Fraction(1, 1000), max_value=10**5)
FULL = 90  # bits of relative accuracy asked for at 128


@given(positive, positive)
def test_beta_is_symmetric(a: Fraction, b: Fraction) -> None:
    assert log_beta(a, b).overlaps(log_beta(b, a))


@given(positive, positive)
def test_beta_satisfies_its_recurrence(a: Fraction, b: Fraction) -> None:
    # B(a + 1, b) = B(a, b) a/(a + b)
    assert log_beta(a + 1, b).overlaps(log_beta(a, b) + ball(a / (a + b)).log())


@given(positive, positive, st.integers(130, 500))
def test_a_second_precision_agrees(a: Fraction, b: Fraction, bits: int) -> None:
    with working_precision(128):
        rough = log_beta(a, b)
    with working_precision(bits):
        assert rough.overlaps(log_beta(a, b))


@each_of(
    "a, b",
    [
        (238.0917500363869, 0.2418380831384581),  # next to the curve where log-Beta vanishes
        (9999991.0, 11.0),
        (1e15, 1e-3),
        (1.99999, 1e-9),
        (0.5, 0.5),
    ],
)
def test_log_beta_keeps_its_digits_where_three_log_gammas_lose_them(a: float, b: float) -> None:
    with working_precision(128):
        assert log_beta(Fraction(a), Fraction(b)).rel_accuracy_bits() >= FULL


def test_a_tiny_shift_of_log_beta_keeps_its_digits() -> None:
    first, second, shift = Fraction(10**5), Fraction(2 * 10**5), Fraction(1, 10**9)
    with working_precision(128):
        change = log_beta_change(first, second, shift)
        plain = log_beta(first, second) - log_beta(first + shift, second - shift)
    assert change.rel_accuracy_bits() >= FULL > plain.rel_accuracy_bits()
    assert change.overlaps(plain)


@given(positive, positive, st.fractions(min_value=Fraction(1, 10**12), max_value=Fraction(99, 100)))
def test_the_shift_lies_between_its_derivatives(a: Fraction, b: Fraction, share: Fraction) -> None:
    # d/dt log B(a + t, b - t) = psi(a + t) - psi(b - t), which increases in t.
    shift = share * b
    with working_precision(128):
        mean = -log_beta_change(a, b, shift) / ball(shift)
        low = digamma(ball(a)) - digamma(ball(b))
        high = digamma(ball(a + shift)) - digamma(ball(b - shift))
    assert not mean < low
    assert not mean > high


def test_a_shift_that_only_swaps_the_arguments_changes_nothing() -> None:
    assert log_beta_change(Fraction(1), Fraction(3), Fraction(2)) == 0


@given(positive)
def test_digamma_satisfies_its_recurrence(x: Fraction) -> None:
    assert digamma(ball(x + 1)).overlaps(digamma(ball(x)) + ball(1 / x))


@given(positive, positive)
def test_digamma_change_over_a_whole_step_is_a_sum(x: Fraction, shift: Fraction) -> None:
    assert digamma_change(x, Fraction(2)).overlaps(ball(1 / x + 1 / (x + 1)))
    assert digamma_change(x, shift) > 0


@given(positive)
def test_trigamma_satisfies_its_recurrence_and_is_polygamma_one(x: Fraction) -> None:
    value = trigamma(ball(x))
    assert value.overlaps(trigamma(ball(x + 1)) + ball(1 / x**2))
    assert value.overlaps(acb(ball(x)).polygamma(acb(1)).real)


def test_a_wide_ball_gets_the_hull_of_its_ends() -> None:
    wide = arb("3.7", "0.1")
    with working_precision(128):
        raw, hull = wide.digamma(), digamma(wide)
        ends = digamma(wide.lower()).union(digamma(wide.upper()))
    assert hull.overlaps(ends)
    assert 10 * hull.rad() < raw.rad()  # the trap: the ball's own answer is far too wide
    assert trigamma(wide).overlaps(trigamma(wide.upper()))
    assert trigamma(wide).rad() < arb("0.01")
