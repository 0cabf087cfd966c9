"""Sizes of DP-SGD that no plan in doubles holds, and rules that would take too long."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from each import each_of
from flint import arb
from gmpy2 import mpfr
from simplexcert import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dpsgd import route
from simplexcert.reference.dpsgd.route import Training
from simplexcert.reference.dpsgd.subsampled import Subsampled
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.pairs import NoPlanError
from simplexcert.reference.precision import Budget, climb
from simplexcert.reference.second import leaning
from simplexcert.reference.second.dpsgd.delta import Order
from simplexcert.reference.second.dpsgd.delta import delta as second_delta

_TINY, _HUGE = Fraction(1, 10**400), Fraction(10**400)
_USUAL = {
    "noise_multiplier": Fraction(1),
    "sampling_probability": Fraction(1, 1000),
    "steps": 10,
    "epsilon": Fraction(1),
}
_BEYOND = [
    {"noise_multiplier": _TINY},
    {"noise_multiplier": Fraction(1, 10**60)},
    {"noise_multiplier": _HUGE},
    {"sampling_probability": _TINY},
    {"sampling_probability": 1 - _TINY},
    {"steps": 10**400},
    {"epsilon": _HUGE},
]


@each_of("size", _BEYOND)
@each_of("engine", ["arb", "second"])
def test_sizes_beyond_doubles_have_an_enclosure(
    size: dict[str, Fraction | int], engine: str
) -> None:
    given = {**_USUAL, **size}
    found = evaluate("dpsgd.delta", given, engine=engine, budget=Budget(bits=128))
    assert not found.narrow
    assert 0 <= found.lower <= found.upper <= 1


@each_of("size", _BEYOND[:-1])
@each_of("engine", ["arb", "second"])
def test_epsilon_has_an_enclosure_at_such_sizes(
    size: dict[str, Fraction | int], engine: str
) -> None:
    given = {**_USUAL, **size, "delta": _TINY}
    del given["epsilon"]
    found = evaluate("dpsgd.epsilon", given, engine=engine, budget=Budget(bits=128))
    assert found.lower < found.upper == math.inf


def test_where_nothing_is_planned_the_total_variation_distance_bounds_delta() -> None:
    given = {**_USUAL, "sampling_probability": _TINY}
    found = evaluate("dpsgd.delta", given, budget=Budget(bits=128))
    assert Training(Fraction(1), _TINY, 10).most_distance() < ball(found.upper)
    assert found.upper < 10 * _TINY


def test_a_moment_of_too_many_points_is_out_of_reach_before_it_is_begun() -> None:
    pair = Subsampled(Fraction(1, 1000), Fraction(1, 1000), removed=True)
    with pytest.raises(NoPlanError):
        pair.log_moment(arb("1e-9"))


def test_the_second_engine_bounds_a_delta_whose_rule_has_too_many_points() -> None:
    found = second_delta(128, Fraction(1, 3), Fraction(1, 10**60), 7, Fraction(10**30))
    assert found.lower == 0
    assert found.upper < _TINY


def test_a_moment_of_too_many_bits_is_out_of_reach_before_it_is_begun() -> None:
    given = {
        "noise_multiplier": 10**9,
        "sampling_probability": Fraction(1, 10**17),
        "steps": 10**18,
        "delta": Fraction(1, 10**9),
    }
    found = evaluate("dpsgd.epsilon", given, budget=Budget(bits=128))
    assert not found.narrow
    assert found.lower <= 0


@each_of("size", _BEYOND[3:])
@each_of("engine", ["arb", "second"])
def test_the_least_noise_has_an_enclosure_at_such_sizes(
    size: dict[str, Fraction | int], engine: str
) -> None:
    given = {**_USUAL, **size, "delta": Fraction(1, 10**500)}
    del given["noise_multiplier"]
    found = evaluate("dpsgd.noise_multiplier_for_dp", given, engine=engine, budget=Budget(bits=128))
    assert found.lower <= found.upper


@each_of("size", [size for size in _BEYOND if "steps" not in size])
@each_of("engine", ["arb", "second"])
def test_the_most_steps_have_an_enclosure_at_such_sizes(
    size: dict[str, Fraction | int], engine: str
) -> None:
    given = {**_USUAL, **size, "delta": Fraction(1, 10**500)}
    del given["steps"]
    found = evaluate("dpsgd.steps_for_dp", given, engine=engine, budget=Budget(bits=128))
    assert found.lower <= found.upper


def test_where_a_line_tells_nothing_a_bound_still_does(monkeypatch: pytest.MonkeyPatch) -> None:
    training, epsilon = Training(Fraction(2), Fraction(1, 100), 50), Fraction(4)
    monkeypatch.setattr(route, "delta_on_line", lambda *_: arb(0, 1))
    with working_precision(128):
        found = route.routed(training, epsilon).value
    assert isinstance(found, arb)
    assert 0 < found.upper() < arb("1e-9")


def test_a_rule_that_would_be_too_long_is_not_begun_and_ends_the_climb(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun = []

    class Disagreeing:
        bits, products = 200, 100_000

        def __init__(
            self, _order: object, _epsilon: float, bits: int, which: int, more: float
        ) -> None:
            begun.append((bits, which, more))
            self._which = which

        def at(self, _epsilon: mpfr) -> tuple[mpfr, mpfr]:
            return mpfr(1 + self._which), mpfr(0)

    monkeypatch.setattr(leaning, "Rule", Disagreeing)
    order = Order(Fraction(2), Fraction(1, 100), 50, removed=True)

    def enclosed(bits: int) -> Enclosure:
        leaning.two_rules(bits, order, 1.0)
        raise AssertionError("they agree")

    climbed = climb(enclosed, lambda _: False, 128, Budget(bits=256))
    assert climbed.number == Enclosure.nothing_known()
    assert begun == [(128, 0, 1.0), (128, 1, 1.0)]
