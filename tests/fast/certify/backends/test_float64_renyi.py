"""The float64 backend's Renyi calibration, and what adding or removing a record costs: safe sides.

Points lie where search ranges seldom lead: next to the largest order, at order 1 and next to it,
where the terms of the textbook formulas cancel, and where doubles end.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from each import each_of
from instances import instances
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.backends.float64.jensen import Gap, curvature, product
from simplexcert.certify.backends.float64.renyi import room
from simplexcert.reference import evaluate, quantities

Point = dict[str, Any]
RENYI, ADD = "dirichlet.renyi.", "dirichlet.add_remove."
LARGEST = float(np.finfo(np.float64).max)
ORDERS = (1.0, 1.0 + 2.0**-52, 1.0 + 1e-9, 1.5, 2.0 - 2.0**-52, 2.0, 7.0, 300.0)
SIZES = (1e-6, 1e-3, 0.1, 1.0, 15.0, 16.0, 17.0, 400.0, 1e6)


def answer(name: str, point: Point) -> float:
    value = backend.quantities[name](**point)
    assert isinstance(value, float)
    assert not math.isnan(value)
    return value


def excess(name: str, point: Point) -> Fraction:
    """How far the answer is beyond the truth, relatively; it must not be on the other side."""
    truth, value = evaluate(name, point, digits=25), answer(name, point)
    assert truth.narrow, point
    if truth.lower == math.inf:
        assert value == math.inf, point
        return Fraction(0)
    assert math.isfinite(value), point
    if truth.quantity.safe.value == "lower":
        assert Fraction(value) <= truth.lower, point
        return 1 - Fraction(value) / Fraction(truth.upper)
    assert Fraction(value) >= truth.upper, point
    lower = Fraction(truth.lower)
    return Fraction(value) / lower - 1 if lower else Fraction(0)


def spread(random: np.random.Generator, low: float, high: float) -> float:
    return float(10 ** random.uniform(math.log10(low), math.log10(high)))


def admitted(name: str, point: Point) -> bool:
    exact = {
        key: tuple(map(Fraction, value)) if isinstance(value, tuple) else Fraction(value)
        for key, value in point.items()
    }
    return bool(quantities()[name].admits(exact))


def order_and_step(random: np.random.Generator, alpha: float) -> Point:
    """An order, and a step of which (order - 1) step is a share of alpha, often nearly all."""
    order = float(random.choice(ORDERS))
    share = random.choice([random.random(), 1 - spread(random, 1e-16, 0.1), 1.0])
    step = alpha * share / (order - 1) if order > 1 + 1e-6 else spread(random, 1e-3, 1e3)
    return {"order": order, "step": float(np.nextafter(step, random.choice([0.0, step, math.inf])))}


def sensitive(random: np.random.Generator) -> Point:
    alpha = float(random.choice(SIZES))
    inf = float(random.choice([1.0, 0.3, 2.0]))
    point = order_and_step(random, alpha / inf)
    return {**point, "alpha": alpha, "delta2_squared": 2.0, "delta_inf": inf}


def calibrated(random: np.random.Generator) -> Point:
    order = float(random.choice(ORDERS))
    return {
        "order": order,
        "step": spread(random, 1e-6, 1e4),
        "delta2_squared": spread(random, 1e-2, 1e2),
        "delta_inf": spread(random, 1e-2, 1e2),
    }


def calibrating(random: np.random.Generator) -> Point:
    point = calibrated(random)
    epsilon = point.pop("step")
    return {**point, "epsilon": epsilon}


def converted(random: np.random.Generator) -> Point:
    order = max(float(random.choice(ORDERS)), 1.0 + 2.0**-52)
    delta = random.choice([spread(random, 1e-300, 0.9), 1 / order, np.nextafter(1 / order, 1)])
    epsilon = random.choice([0.0, spread(random, 1e-9, 1e3)])
    return {"order": order, "epsilon": float(epsilon), "delta": min(float(delta), 1 - 2.0**-53)}


def one_record(random: np.random.Generator) -> Point:
    alpha = float(random.choice(SIZES))
    return {**order_and_step(random, alpha), "alpha": alpha}


def budgeted(random: np.random.Generator) -> Point:
    order = float(random.choice(ORDERS))
    alpha = float(random.choice(SIZES))
    return {"alpha": alpha, "order": order, "epsilon": spread(random, 1e-6, 1e2)}


def laws(random: np.random.Generator) -> Point:
    u = tuple(spread(random, 1e-3, 1e5) for _ in range(int(random.integers(2, 5))))
    lean = spread(random, 1e-2, 1e2)
    kinds = (
        tuple(x * lean for x in u),
        (u[0] + spread(random, 1e-3, 1e3), *u[1:]),
        tuple(reversed(u)),
        tuple(x * float(1 + random.uniform(-1e-9, 1e-9)) for x in u),
    )
    v = kinds[int(random.integers(len(kinds)))]
    most = min((a / (b - a) for a, b in zip(u, v, strict=True) if b > a), default=50.0)
    order = float(random.choice([1.0, 1.0 + min(most, 50.0) * random.random()]))
    return {"u": u, "v": v, "order": order}


WAYS: dict[str, tuple[Callable[[np.random.Generator], Point], int]] = {
    RENYI + "epsilon_bound": (calibrated, 150),
    RENYI + "epsilon_bound_alpha": (sensitive, 200),
    RENYI + "epsilon_sensitivity": (sensitive, 200),
    RENYI + "step": (calibrating, 100),
    ADD + "renyi": (one_record, 300),
    ADD + "step_for_renyi": (budgeted, 100),
}


@each_of("name", WAYS)
def test_the_answer_is_on_its_safe_side_and_within_1e_13(name: str) -> None:
    draw, count = WAYS[name]
    random = np.random.default_rng(101)
    for _ in range(count):
        point = draw(random)
        assert excess(name, point) <= Fraction("1e-13"), point


def test_the_conversion_is_safe_and_near_where_its_terms_do_not_cancel() -> None:
    random = np.random.default_rng(102)
    for _ in range(instances(100, 300)):
        point = converted(random)
        truth = evaluate(RENYI + "to_approximate_dp", point, digits=25)
        value = Fraction(answer(RENYI + "to_approximate_dp", point))
        assert value >= truth.upper, point
        sizes = 1 + point["epsilon"] + abs(math.log(point["delta"])) / (point["order"] - 1)
        assert value <= Fraction(truth.lower) + Fraction(sizes * 40) * Fraction("1e-15"), point


@each_of("order", [2.0, 3.0, 5.0, 1.0 + 2.0**-52])
def test_the_conversion_is_safe_next_to_where_it_becomes_0(order: float) -> None:
    """At epsilon 0 and delta order = (1 - 1/order)^(order-1); exactly there at order 2."""
    edge = (1 - 1 / order) ** (order - 1) / order
    for delta in (math.nextafter(edge, 0), edge, math.nextafter(edge, 1)):
        if delta < 1:
            point = {"order": order, "epsilon": 0.0, "delta": delta}
            truth = evaluate(RENYI + "to_approximate_dp", point, digits=25)
            assert Fraction(answer(RENYI + "to_approximate_dp", point)) >= truth.upper


def test_the_divergence_is_safe_where_the_gaps_cancel() -> None:
    random = np.random.default_rng(103)
    for _ in range(instances(50, 200)):
        assert excess(RENYI + "divergence", laws(random)) <= Fraction("1e-9")


def test_laws_that_keep_their_shape_diverge_by_what_is_left_of_the_gaps() -> None:
    """Sum T_i and T_0 exceed 1e11 here; without the split no digit would be left."""
    point = {"u": (1e12, 1e12), "v": (2e12, 2e12), "order": 1.0}
    assert excess(RENYI + "divergence", point) <= Fraction("1e-12")


def test_equal_laws_and_a_single_coordinate_do_not_diverge() -> None:
    for u, v in ((1.5, 2.0), (1.5, 2.0)), ((3.0,), (4.0,)):
        assert answer(RENYI + "divergence", {"u": u, "v": v, "order": 3.0}) == 0.0


def test_lists_are_as_good_as_tuples() -> None:
    lists = {"u": [1.0, 2.0], "v": [2.0, 1.0], "order": 1.5}
    tuples = {"u": (1.0, 2.0), "v": (2.0, 1.0), "order": 1.5}
    assert answer(RENYI + "divergence", lists) == answer(RENYI + "divergence", tuples)


def test_a_permuted_law_is_safe_where_the_divergence_is_rational() -> None:
    point = {"u": (1.0, 3.0, 2.5), "v": (3.0, 1.0, 2.5), "order": 1.0}
    truth = evaluate(RENYI + "divergence", point).exact
    assert truth is not None
    assert truth <= Fraction(answer(RENYI + "divergence", point)) <= truth * Fraction(1 + 1e-12)


@pytest.mark.parametrize(
    "name", [ADD + "renyi", RENYI + "epsilon_bound_alpha", RENYI + "epsilon_sensitivity"]
)
def test_it_is_infinite_exactly_where_the_truth_is(name: str) -> None:
    random = np.random.default_rng(104)
    extra = {} if name.startswith(ADD) else {"delta2_squared": 1.0, "delta_inf": 0.7}
    for _ in range(instances(50, 200)):
        step, order = spread(random, 1e-3, 1e3), 1 + spread(random, 1e-9, 1e3)
        edge = (order - 1) * step * extra.get("delta_inf", 1.0)
        for alpha in (math.nextafter(edge, 0.0), edge, math.nextafter(edge, math.inf)):
            value = answer(name, {"alpha": alpha, "step": step, "order": order, **extra})
            used = (Fraction(order) - 1) * Fraction(step) * Fraction(extra.get("delta_inf", 1.0))
            assert (value == math.inf) == (used >= Fraction(alpha))


def test_a_divergence_is_infinite_exactly_where_the_truth_is() -> None:
    random = np.random.default_rng(105)
    for _ in range(instances(50, 200)):
        u, step = spread(random, 1e-3, 1e3), spread(random, 1e-3, 1e3)
        order = 1 + u / step
        for near in (math.nextafter(order, 0.0), order, math.nextafter(order, math.inf)):
            point = {"u": (u, 1.0), "v": (u + step, 1.0), "order": max(near, 1.0)}
            far = Fraction(u) + (Fraction(point["order"]) - 1) * (
                Fraction(u) - Fraction(point["v"][0])
            )
            assert (answer(RENYI + "divergence", point) == math.inf) == (far <= 0)


def test_a_room_keeps_its_sign_where_two_doubles_would_lose_it() -> None:
    alpha, order, step = 1.0, 1.0 + 2.0**-52, 2.0**52
    assert room(*(np.array([x]) for x in (alpha, order, step))) == -1.0
    tiny = room(*(np.array([x]) for x in (5e-324, 2.0, 5e-324, 0.5)))
    assert 0 < tiny <= 5e-324


def test_at_no_change_twice_the_curvature_is_the_trigamma_function() -> None:
    one = np.array([1.0])
    value = curvature(Gap(one, 0 * one, one, one, 0 * one))
    assert float(2 * value[0]) == pytest.approx(math.pi**2 / 6, rel=1e-15)


def test_a_product_underflows_only_at_its_end_and_upward() -> None:
    parts = [np.array([x]) for x in (1e-200, 1e-200, 1e300, 1e300)]
    assert 1e200 <= float(product(*parts)[0]) <= 1e200 * (1 + 1e-14)
    assert product(np.array([1e-300]), np.array([1e-300])) == 5e-324
    with np.errstate(over="ignore"):
        assert product(np.array([1e300]), np.array([1e300])) == LARGEST


DELTA, EPSILON, STEP = ADD + "delta", ADD + "epsilon", ADD + "step_for_dp"


def test_delta_of_adding_is_safe_and_within_1e_11() -> None:
    random = np.random.default_rng(106)
    for _ in range(instances(75, 300)):
        alpha, step = spread(random, 1e-4, 1e4), spread(random, 1e-4, 1e3)
        epsilon = random.choice([0.0, spread(random, 1e-6, 1e2)])
        point = {"alpha": alpha, "step": step, "epsilon": float(epsilon)}
        truth, value = evaluate(DELTA, point, digits=20), answer(DELTA, point)
        assert Fraction(value) >= min(truth.upper, Fraction(1)), point
        if value > 1e-250:
            assert Fraction(value) <= Fraction(truth.lower) * (1 + Fraction("1e-11")), point


def test_delta_of_adding_is_safe_where_that_of_replacing_takes_over() -> None:
    for alpha, step in ((1e7, 1.0), (1e7, 1e4), (3e6, 100.0)):
        point = {"alpha": alpha, "step": step, "epsilon": step / math.sqrt(alpha)}
        value = answer(DELTA, point)
        assert Fraction(value) >= evaluate(DELTA, point).upper
        assert value <= answer("dirichlet.profile.delta", point)


def test_epsilon_of_adding_is_safe_and_within_1e_11() -> None:
    random = np.random.default_rng(107)
    for _ in range(instances(15, 60)):
        alpha, step = spread(random, 1e-3, 1e3), spread(random, 1e-3, 1e2)
        point = {"alpha": alpha, "step": step, "delta": spread(random, 1e-12, 0.5)}
        if answer(DELTA, {"alpha": alpha, "step": step, "epsilon": 0.0}) > 1.001 * point["delta"]:
            assert excess(EPSILON, point) <= Fraction("1e-9"), point
        else:
            assert Fraction(answer(EPSILON, point)) >= evaluate(EPSILON, point).upper, point


def test_epsilon_of_adding_is_infinite_at_delta_0_alone_and_0_from_the_total_variation_on() -> None:
    assert answer(EPSILON, {"alpha": 2.0, "step": 1.0, "delta": 0.0}) == math.inf
    assert math.isfinite(answer(EPSILON, {"alpha": 2.0, "step": 1.0, "delta": 5e-324}))
    assert answer(EPSILON, {"alpha": 2.0, "step": 1.0, "delta": 1.0}) == 0.0


def test_the_step_for_adding_is_safe_and_within_1e_9() -> None:
    random = np.random.default_rng(108)
    for _ in range(instances(10, 40)):
        point = {
            "alpha": spread(random, 1e-2, 1e3),
            "epsilon": spread(random, 1e-2, 10),
            "delta": spread(random, 1e-12, 0.5),
        }
        assert excess(STEP, point) <= Fraction("1e-9"), point


EXTREMES = (5e-324, 1e-290, 1e-150, 1e-30, 1.0, 1e8, 1e30, 1e150, 1e300)
NAMES = tuple(sorted(name for name in backend.quantities if name.startswith((RENYI, ADD))))


@each_of("name", NAMES)
def test_extremes_give_numbers_that_are_finite_where_the_truth_is(name: str) -> None:
    """Warnings are errors in tests."""
    random = np.random.default_rng(109)
    for _ in range(instances(37, 150)):
        point = {key: float(random.choice(EXTREMES)) for key in quantities()[name].parameters}
        if "u" in point:
            u, v = random.choice(EXTREMES, (2, 3))
            point |= {"u": tuple(map(float, u)), "v": tuple(map(float, v))}
        if admitted(name, point):
            value = answer(name, point)
            assert value >= 0
            if value == math.inf:
                assert evaluate(name, point).lower == math.inf


def test_the_largest_step_is_safe_where_logarithms_of_a_budget_have_few_digits() -> None:
    """Two numbers near 1e250 with one logarithm in doubles are up to 1e-13 apart."""
    random = np.random.default_rng(110)
    for _ in range(instances(10, 40)):
        alpha = spread(random, 1e200, 1e260)
        order = float(random.choice([1.0, 1.0 + 2.0**-52]))
        point = {"alpha": alpha, "order": order, "epsilon": alpha * spread(random, 10, 1e20)}
        value = answer("dirichlet.profile.step_for_renyi", point)
        truth = evaluate("dirichlet.profile.step_for_renyi", point, digits=25)
        assert Fraction(value) <= truth.lower, point


def test_a_divergence_is_safe_where_a_product_of_its_step_is_subnormal() -> None:
    random = np.random.default_rng(111)
    for _ in range(instances(50, 200)):
        point = {
            "alpha": spread(random, 1e-225, 1e-205),
            "step": spread(random, 1e-320, 1e-310),
            "order": 1 + random.random(),
        }
        assert excess("dirichlet.profile.renyi", point) >= 0


def test_epsilon_of_adding_is_safe_where_it_is_subnormal() -> None:
    random = np.random.default_rng(112)
    for _ in range(instances(12, 50)):
        alpha, step = spread(random, 1e-6, 1e2), spread(random, 1e-321, 1e-312)
        delta = max(step / max(alpha, 1.0) * random.random(), 5e-324)
        assert excess(EPSILON, {"alpha": alpha, "step": step, "delta": delta}) >= 0
