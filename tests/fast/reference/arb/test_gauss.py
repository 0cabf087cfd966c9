"""Gaussian rules: FLINT's own and ours agree, hard weights, and a NaN where roots do not show."""

from __future__ import annotations

from fractions import Fraction

import pytest
from each import each_of
from flint import arb
from simplexcert.reference.arb import gauss
from simplexcert.reference.arb.balls import ball, working_precision


def in_order(rule: gauss.Rule) -> list[tuple[arb, arb]]:
    return sorted(rule, key=lambda pair: float(pair[0].mid()))


@each_of("count", [1, 4, 13, 32])
def test_the_rule_without_weight_is_the_one_that_flint_knows(count: int) -> None:
    with working_precision(100):
        known, found = (
            gauss.gauss_jacobi(Fraction(1), count),
            gauss._jacobi(Fraction(1), count, 100),
        )
        assert len(known) == len(found) == count
        for pair, other in zip(in_order(known), in_order(found), strict=True):
            assert all(x.rel_accuracy_bits() >= 95 for x in (*pair, *other))
            assert all(x.overlaps(y) for x, y in zip(pair, other, strict=True))


@each_of("exponent", [Fraction(1, 2**40), Fraction(1, 997), Fraction(10**7)])
@each_of("bits", [40, 200])
def test_extreme_weights_have_narrow_rules(exponent: Fraction, bits: int) -> None:
    with working_precision(bits):
        rule = gauss.gauss_jacobi(exponent, 24)
        assert len(rule) == 24
        assert all(x.rel_accuracy_bits() >= bits - 1 for pair in rule for x in pair)
        for power in (0, 1, 47):
            moment = sum((weight * node**power for node, weight in rule), arb(0))
            assert moment.overlaps(1 / ball(exponent + power))


def test_an_exponent_of_many_digits_takes_no_more_precision() -> None:
    with working_precision(60):
        rule = gauss.gauss_jacobi(Fraction(1, 3) + Fraction(1, 10**1500), 5)
    assert all(60 <= x.rel_accuracy_bits() < 300 for pair in rule for x in pair)


def test_roots_that_cannot_be_told_apart_make_the_rule_nan() -> None:
    with working_precision(16):
        rule = gauss._isolated(Fraction(1, 3), 40, 16)
    assert not any(x.is_finite() for pair in rule for x in pair)


def test_a_rule_that_stays_wide_is_nan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gauss, "_isolated", lambda *_: ((arb(0, 1), arb(0, 1)),))
    with working_precision(41):
        rule = gauss.gauss_jacobi(Fraction(5, 3), 3)
    assert not any(x.is_finite() for pair in rule for x in pair)
    gauss._jacobi.cache_clear()


def test_rules_of_two_precisions_are_kept_apart() -> None:
    for bits in (60, 180):
        with working_precision(bits):
            ((node, _),) = gauss.gauss_jacobi(Fraction(2, 7), 1)
        assert bits <= node.rel_accuracy_bits() + 1
        assert node.rel_accuracy_bits() < bits + 400
    with working_precision(60):
        ((coarse, _),) = gauss.gauss_jacobi(Fraction(2, 7), 1)
    assert coarse.rel_accuracy_bits() < 180


def test_a_guess_of_the_time_grows_with_the_count() -> None:
    assert gauss.seconds_expected(Fraction(1), 40) == 0
    assert 0 < gauss.seconds_expected(Fraction(2), 8) < gauss.seconds_expected(Fraction(2), 40)


def test_the_error_falls_by_the_ellipses_square_with_every_node() -> None:
    assert gauss.error_factor(arb(2), 1) == arb(2)
    assert gauss.error_factor(arb(2), 5) == arb(1) / 128


def test_a_guess_of_the_time_grows_with_the_precision() -> None:
    with working_precision(100):
        few = gauss.seconds_expected(Fraction(2), 40)
    with working_precision(10_000):
        assert few < gauss.seconds_expected(Fraction(2), 40)
