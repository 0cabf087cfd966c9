"""Balls: nothing that is not finite is ever an answer, and precision is always given back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.reference.arb.balls import (
    INFINITY,
    ball,
    ball_of,
    enclosure_of,
    extra_bits,
    sharpened,
    sign,
    working_precision,
)
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure, Trilean


def test_a_ball_that_is_not_a_number_says_nothing() -> None:
    nan = arb("nan")
    assert nan.contains(arb(7))  # the trap: it contains every number, and is "true"
    assert enclosure_of(nan) == Enclosure.nothing_known()
    assert sign(nan) is Trilean.UNKNOWN


def test_a_ball_of_infinite_radius_says_nothing() -> None:
    assert enclosure_of(arb(1, "inf")) == Enclosure.nothing_known()
    assert enclosure_of(-INFINITY) == Enclosure.nothing_known()


def test_infinity_itself_is_an_answer() -> None:
    assert enclosure_of(INFINITY) == Enclosure.infinite()


def test_the_sign_of_a_ball_around_zero_is_unknown() -> None:
    assert sign(arb(0)) is Trilean.UNKNOWN
    assert sign(arb(0, 1)) is Trilean.UNKNOWN
    assert sign(arb(2, 1)) is Trilean.TRUE
    assert sign(arb(-2, 1)) is Trilean.FALSE


@given(st.fractions(), st.integers(32, 300))
def test_the_ends_of_a_ball_enclose_the_rational(value: Fraction, bits: int) -> None:
    with working_precision(bits):
        enclosure = enclosure_of(ball(value))
    assert enclosure.lower <= value <= enclosure.upper


@given(st.integers(-(2**300), 2**300), st.integers(1, 2**40))
def test_the_ends_are_those_of_the_ball_whatever_the_precision(middle: int, radius: int) -> None:
    # Midpoint and radius printed and read again do not come back; exact endpoints do.
    wide = arb(middle, radius)
    for bits in (20, 53, 400):
        with working_precision(bits):
            enclosure = enclosure_of(wide)
        assert enclosure.lower <= middle - radius
        assert enclosure.upper >= middle + radius


def test_precision_is_restored_even_after_an_error() -> None:
    before = ctx.prec
    seen: list[int] = []

    def broken() -> None:
        with working_precision(999), extra_bits(1):
            seen.append(ctx.prec)
            raise ValueError("boom")

    with pytest.raises(ValueError, match="boom"):
        broken()
    assert seen == [1000]
    assert ctx.prec == before


def cancelling() -> arb:
    return (arb(1) + ball(Fraction(1, 2**150))).log()


def test_what_cancels_is_worked_out_again_until_it_does_not() -> None:
    with working_precision(128):
        plain, sharp = cancelling(), sharpened(cancelling)
    assert plain.rel_accuracy_bits() < 0
    assert sharp.rel_accuracy_bits() >= 100


def test_a_true_zero_ends_the_sharpening() -> None:
    third = Fraction(1, 3)
    zero = sharpened(lambda: ball(third) - ball(third))
    assert sign(zero) is Trilean.UNKNOWN
    assert zero.contains(0)


@given(
    low=st.fractions(-9, 9),
    more=st.fractions(0, 9),
    power=st.integers(-(10**6), 10**6),
    bits=st.integers(2, 90),
)
def test_a_ball_holds_the_enclosure_that_it_is_made_of(
    low: Fraction, more: Fraction, power: int, bits: int
) -> None:
    ends = (Dyadic.rounded(low, 60, up=False), Dyadic.rounded(low + more, 60, up=True))
    known = Enclosure(*(Dyadic(end.mantissa, end.exponent + power) for end in ends))
    with working_precision(bits):
        found = enclosure_of(ball_of(known))
    assert found.low <= known.low
    assert known.high <= found.high


def test_a_ball_knows_what_an_enclosure_knows() -> None:
    third = Fraction(1, 3)
    assert ball_of(Enclosure.of(third)).overlaps(ball(third))
    assert ball_of(Enclosure.of(third, bits=2)).rel_accuracy_bits() > 40
    assert ball_of(Enclosure.infinite()) == INFINITY
    assert enclosure_of(ball_of(Enclosure.nothing_known())) == Enclosure.nothing_known()
