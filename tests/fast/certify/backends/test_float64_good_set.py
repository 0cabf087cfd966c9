"""The float64 backend's printed epsilons where doubles end: never below the truth.

Products of tiny parameters are subnormal, quotients by tiny ones are beyond the range, and whole
numbers beyond 2^53 need not be doubles: of each, a rounding that a relative margin does not cover.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from each import each_of
from instances import instances
from simplexcert.certify.backends.float64 import backend
from simplexcert.reference import evaluate, quantities

Point = dict[str, Any]
IDENTITY, AVERAGE = "dirichlet.identity.epsilon_bound", "dirichlet.average.epsilon_bound"
SIMPLIFIED = "dirichlet.identity.epsilon_simplified"
COUNTS, MINIMUM = "dirichlet.counts.epsilon_bound", "dirichlet.counts.epsilon_minimum"
SMALLEST = 5e-324


def answer(name: str, point: Point) -> float:
    value = backend.quantities[name](**point)
    assert isinstance(value, float)
    assert math.isfinite(value)
    return value


def is_safe(name: str, point: Point) -> bool:
    truth = evaluate(name, point)
    assert truth.narrow
    return Fraction(answer(name, point)) >= truth.upper


def spread(random: np.random.Generator, low: float, high: float) -> float:
    return float(10 ** random.uniform(math.log10(low), math.log10(high)))


def test_a_step_that_is_subnormal_is_rounded_up_before_k_enlarges_it() -> None:
    """Half of the smallest double is 0, and k brings 5e-324 back to what can be seen."""
    least = {"k": 2.4e279, "eta": 2e-150, "eta_bar": 6e-160, "b": SMALLEST, "w": 3, "gamma": 0.3}
    assert is_safe(IDENTITY, least)
    assert is_safe(IDENTITY, {**least, "k": 5e298, "eta": 2e-140, "b": 2.5e-323})
    assert is_safe(AVERAGE, {**least, "k": 4.6e260, "eta": 0.69, "b": 3.99e-321, "N": 10**6})


def test_a_floor_that_is_subnormal_is_on_the_safe_side() -> None:
    """The floor k eta is 1e-320 or so, with four digits; psi(k eta) is near -1/(k eta)."""
    random = np.random.default_rng(121)
    for _ in range(instances(33, 100)):
        k = spread(random, 1e-170, 1e-150)
        eta = spread(random, 1e-322, 1e-316) / k
        b, gamma = spread(random, 0.01, 0.5), spread(random, 0.01, 0.4)
        point = {"k": k, "eta": eta, "eta_bar": 0.25, "b": b, "w": 2, "gamma": gamma}
        assert is_safe(IDENTITY, point), point


def test_tiny_parameters_are_on_the_safe_side() -> None:
    random = np.random.default_rng(122)
    tried = 0
    while tried < 300:
        sizes = {key: spread(random, 1e-322, 1e-3) for key in ("eta", "eta_bar", "b", "gamma")}
        point = {**sizes, "k": spread(random, 1e-320, 1e300), "w": 2, "N": 10**6}
        for name in (IDENTITY, AVERAGE):
            given = {key: point[key] for key in quantities()[name].parameters}
            exact = {key: Fraction(value) for key, value in given.items()}
            if quantities()[name].admits(exact) and (value := answer(name, given)) < 1e300:
                tried += 1
                assert Fraction(value) >= evaluate(name, given).upper, given


def test_a_least_k_beyond_the_range_gives_no_less_than_the_truth() -> None:
    """3/(2 eta) is beyond the range of doubles, the epsilon is not."""
    random = np.random.default_rng(123)
    for _ in range(instances(16, 50)):
        eta = spread(random, 1e-314, 1e-309)
        point = {"eta": eta, "N": 10**15, "n": 3, "gamma": spread(random, 1e-300, 0.3)}
        assert is_safe(MINIMUM, point), point
    for eta in (SMALLEST, 1e-300):
        assert answer(MINIMUM, {"eta": eta, "N": 1, "n": 3, "gamma": 0.1}) > 1e299


@each_of("name", [IDENTITY, SIMPLIFIED, AVERAGE, COUNTS, MINIMUM])
def test_a_number_of_coordinates_that_is_no_double_is_rounded_down(name: str) -> None:
    """With w gamma, or n gamma, next to 1, log R goes with log(1 - w gamma)."""
    random = np.random.default_rng(124)
    for _ in range(instances(10, 40)):
        w = 2 ** int(random.integers(53, 75)) + 2 * int(random.integers(0, 2**20)) + 1
        gamma = float((1 - Fraction(10) ** -int(random.integers(1, 15))) / w)
        if gamma * Fraction(w) < 1:
            rest = {"eta": 0.2, "eta_bar": 0.15, "b": 0.1, "N": 5, "k": spread(random, 1e2, 1e5)}
            point = {**rest, "w": w, "n": w, "gamma": gamma}
            point["eta"] = 0.2 if "w" in quantities()[name].parameters else 0.5 / w
            given = {key: point[key] for key in quantities()[name].parameters}
            assert is_safe(name, given), given


def test_a_number_of_inputs_that_is_no_double_leaves_room_where_there_is_some() -> None:
    """The room 1 - eta - eta_bar - b/(2N) is 2^-105; with the double next to N only half of it."""
    rest = {"k": 10.0, "eta": 0.25, "eta_bar": 0.75 - 2.0**-53, "b": 2 - 2.0**-52}
    assert is_safe(AVERAGE, {"w": 2, "gamma": 0.3, **rest, "N": 2**53 + 1})


def test_an_ordinary_epsilon_is_as_close_as_before() -> None:
    point = {"k": 200.0, "eta": 0.1, "eta_bar": 0.1, "b": 0.2, "w": 3, "gamma": 0.01}
    truth = evaluate(IDENTITY, point)
    assert Fraction(answer(IDENTITY, point)) <= Fraction(truth.lower) * (1 + Fraction("1e-13"))
