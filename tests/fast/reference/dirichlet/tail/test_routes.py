"""The routes to the tail: they enclose one number, and the cheapest that can do it is taken.

The level of a good set: two proved signs around the only gamma.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Any

import pytest
from each import each_of
from flint import arb
from instances import instances
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.dirichlet import counts, identity
from simplexcert.reference.dirichlet.tail import (
    Miss,
    contour,
    cubature,
    route,
    routed,
    series,
)
from simplexcert.reference.dirichlet.tail.event import bracket, closed_bounds
from simplexcert.reference.enclosure import Trilean
from simplexcert.reference.errors import SoundnessError
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import Routed

ROUTES = {"series": series, "contour": contour, "cubature": cubature}
# The nested integral is there to check the others: a few digits of it, in a short time.
BITS = {"series": 128, "contour": 128, "cubature": 53}
LEAST_BITS = 20
BATCHES, BATCH = instances(1, 20), 50
ONE = Fraction(1)


def log_uniform(random: Random, low: float, high: float) -> Fraction:
    return Fraction(f"{math.exp(random.uniform(math.log(low), math.log(high))):.6g}")


def some_miss(random: Random, most: int) -> Miss:
    """Draw two to ``most`` protected coordinates, equal or not, with and without a rest."""
    count = random.randint(2, most)
    alphas = [log_uniform(random, 0.05, 50) for _ in range(count)]
    if random.random() < 0.4:
        alphas = alphas[:1] * count
    rest = Fraction(0) if random.random() < 0.2 else log_uniform(random, 0.01, 200)
    gamma = log_uniform(random, 1e-8, 0.9) / count
    return Miss.of(alphas, rest, gamma)


def by(name: str, miss: Miss) -> arb:
    with working_precision(BITS[name]):
        return ROUTES[name].probability(miss)


def assert_all_overlap(miss: Miss, names: tuple[str, ...]) -> None:
    found = {name: by(name, miss) for name in names}
    for name, value in found.items():
        assert value.is_finite(), (name, miss)
        assert value.rel_accuracy_bits() >= LEAST_BITS, (name, miss, value)
    for first, second in combinations(names, 2):
        assert found[first].overlaps(found[second]), (first, second, miss)


@pytest.mark.parametrize("batch", range(BATCHES))
def test_all_three_routes_overlap_at_random(batch: int) -> None:
    """A thousand inputs in all in tests/long, each by every route."""
    random = Random(batch)  # noqa: S311
    for _ in range(BATCH):
        assert_all_overlap(some_miss(random, 3), ("series", "contour", "cubature"))


def test_all_three_routes_overlap_for_four_coordinates() -> None:
    random = Random("four")  # noqa: S311
    found = (some_miss(random, 4) for _ in range(100))
    for miss in [miss for miss in found if miss.count == 4][:10]:
        assert_all_overlap(miss, ("series", "contour", "cubature"))


@pytest.mark.parametrize("batch", range(instances(1, 4)))
def test_series_and_contour_overlap_for_many_coordinates(batch: int) -> None:
    random = Random(f"many {batch}")  # noqa: S311
    for _ in range(instances(6, 25)):
        assert_all_overlap(some_miss(random, 8), ("series", "contour"))


EDGES = {
    "grades": Miss.of([Fraction("1.5038")] * 4, Fraction("14.5848"), Fraction("0.0004")),
    "grades, all protected": Miss.of(
        [*[Fraction("1.5038")] * 4, Fraction("14.5848")], Fraction(0), Fraction("0.0004")
    ),
    "nearly no room": Miss.of([ONE / 2, Fraction(3)], Fraction(2), Fraction("0.4999")),
    "nearly no room, no rest": Miss.of([ONE * 2, ONE * 3], Fraction(0), Fraction("0.499")),
    "whole parameters": Miss.of([ONE * 2, ONE * 2, ONE * 5], Fraction(4), ONE / 7),
    "uniform law": Miss.of([ONE] * 3, Fraction(0), ONE / 5),
    "tiny gamma": Miss.of([ONE * 2, ONE * 3], ONE, Fraction(1, 10**30)),
    "small parameters": Miss.of([ONE / 50] * 2, ONE / 50, Fraction(1, 10**6)),
    "large parameters": Miss.of([ONE * 200] * 3, Fraction(4000), Fraction(3, 100)),
    "a large and a small one": Miss.of([ONE / 10, ONE * 300], ONE, Fraction(1, 50)),
}


@each_of("edge", EDGES)
def test_routes_overlap_at_edges(edge: str) -> None:
    miss = EDGES[edge]
    with working_precision(128):
        usable = tuple(name for name, way in ROUTES.items() if way.seconds_expected(miss) <= 30)
    assert len(usable) >= 2
    assert_all_overlap(miss, usable)


@each_of(
    "miss, value",
    [
        (Miss.of([ONE, ONE], Fraction(1), Fraction(1, 2)), 1),
        (Miss.of([ONE, ONE], Fraction(1), Fraction(2, 3)), 1),
        (Miss.of([ONE, ONE], Fraction(0), Fraction(1, 2)), 1),
        (Miss.of([ONE, ONE], Fraction(1), Fraction(0)), 0),
        (Miss.of([ONE], Fraction(0), Fraction(1)), 0),
        (Miss.of([ONE], Fraction(0), Fraction(0)), 0),
        (Miss.of([ONE], Fraction(2), Fraction(1)), 1),
    ],
)
def test_what_is_certain_or_impossible_is_said_exactly(miss: Miss, value: int) -> None:
    assert routed(miss) == Routed(Fraction(value), "known exactly")


def test_the_cheapest_route_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    miss = EDGES["whole parameters"]
    for cheapest in ROUTES:
        for name, way in ROUTES.items():
            cost = 0.1 if name == cheapest else 0.2
            monkeypatch.setattr(way, "seconds_expected", lambda _, cost=cost: cost)
        assert routed(miss).route == cheapest


def test_a_route_that_says_nothing_is_followed_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    miss = EDGES["whole parameters"]
    monkeypatch.setattr(series, "seconds_expected", lambda _: 0.0)
    monkeypatch.setattr(series, "probability", lambda _: arb("nan"))
    found = routed(miss)
    assert found.route != "series"
    assert found.value.is_finite()


def test_a_wide_answer_is_cut_by_the_next_route(monkeypatch: pytest.MonkeyPatch) -> None:
    miss = EDGES["whole parameters"]
    monkeypatch.setattr(series, "seconds_expected", lambda _: 0.0)
    monkeypatch.setattr(series, "probability", lambda _: arb("0.5", "0.5"))
    assert routed(miss).value.rel_accuracy_bits() > LEAST_BITS


def test_routes_that_contradict_each_other_are_a_fault_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(series, "seconds_expected", lambda _: 0.0)
    monkeypatch.setattr(series, "probability", lambda _: arb("0.9", "0.05"))
    monkeypatch.setattr(contour, "probability", lambda _: arb("0.2", "0.05"))
    with pytest.raises(SoundnessError):
        routed(EDGES["whole parameters"])


def test_a_route_longer_than_the_time_left_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    for way in ROUTES.values():
        monkeypatch.setattr(way, "seconds_expected", lambda _: 30.0)
        monkeypatch.setattr(way, "probability", lambda _: pytest.fail("it was begun"))
    given = {"alpha": 2, "count": 3, "rest": 1, "gamma": "0.1"}
    found = evaluate("dirichlet.tail.uniform", given, budget=Budget(seconds=1.0, bits=128))
    assert found.route == "bracket"
    assert 0 < found.lower < found.upper < 1


def test_a_hopeless_route_is_never_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    for way in ROUTES.values():
        monkeypatch.setattr(way, "seconds_expected", lambda _: math.inf)
        monkeypatch.setattr(way, "probability", lambda _: pytest.fail("it was begun"))
    assert route.routed(EDGES["grades"]).route == "bracket"


@each_of("edge", EDGES)
def test_the_bracket_holds_what_the_routes_find(edge: str) -> None:
    miss = EDGES[edge]
    with working_precision(128):
        around = bracket(miss)
        assert around.is_finite()
        assert around.contains(series.probability(miss)) or around.overlaps(
            contour.probability(miss)
        )


def test_the_bracket_is_narrow_where_the_tail_is_tiny_or_nearly_certain() -> None:
    tiny = Miss.of([ONE * 1000, ONE * 2000], ONE, Fraction(1, 10**6))
    sure = Miss.of([Fraction(i, 10**12) for i in range(1, 21)], ONE, Fraction(1, 100))
    with working_precision(128):
        assert bracket(tiny).rel_accuracy_bits() > 100
        assert bracket(sure).rel_accuracy_bits() > 100


@pytest.mark.parametrize("size", [Fraction(10) ** 400, Fraction(10) ** -400])
def test_costs_are_told_for_numbers_beyond_doubles(size: Fraction) -> None:
    for miss in (
        Miss.of([size, ONE], ONE, Fraction(1, 10)),
        Miss.of([ONE, ONE], size, Fraction(1, 10)),
        Miss.of([ONE, ONE], ONE, min(size, 1 / size)),
    ):
        for way in ROUTES.values():
            assert way.seconds_expected(miss) >= 0


@each_of("gamma", ["1/1000", "1/20", "9/20"])
@each_of("alphas", ["1/50", "3", "400"])
def test_closed_bounds_hold_what_the_routes_say(alphas: str, gamma: str) -> None:
    for rest in (Fraction(0), Fraction(1, 9), Fraction(70)):
        miss = Miss.of([Fraction(alphas), Fraction(alphas) * 2], rest, Fraction(gamma))
        with working_precision(200):
            bounds, found = closed_bounds(miss), route.probability(miss)
        assert bounds.contains(found)


@each_of("alpha", ["1e-10000", "1e-300", "1e30", "1e300", "1e10000"])
@each_of("gamma", ["1e-10000", "1e-30", "1/3"])
def test_closed_bounds_are_a_probability_at_any_size(alpha: str, gamma: str) -> None:
    for rest in ("0", alpha, "1"):
        miss = Miss(((Fraction(alpha), 2),), Fraction(rest), Fraction(gamma))
        found = closed_bounds(miss)
        assert arb(0).union(arb(1)).contains(found)


def test_next_to_1_a_large_draw_is_told_by_closed_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "routes_by_cost", lambda _miss: iter(()))
    monkeypatch.setattr(route, "bracket", None)
    found = routed(Miss(((Fraction(10) ** 296, 2),), Fraction(10) ** 300, Fraction("2e-4")))
    assert found.route == "closed bounds"
    assert abs(found.value - 1) < arb(2) ** -40


def test_between_the_ends_closed_bounds_narrow_the_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "routes_by_cost", lambda _miss: iter(()))
    rest = 9998 * Fraction(10) ** 26
    miss = Miss(((Fraction(10) ** 26, 2),), rest, Fraction("0.00009999999999956"))
    assert bracket(miss).is_nan()
    found = routed(miss)
    assert found.route == "bracket"
    assert found.value < arb(2) ** -1000


# What is not looked for is not found in any time.
SECONDS = 1.0
LAWS = [("identity", "w"), ("counts", "n")]


@each_of("query, size", LAWS)
@each_of("k", ["0.7", "20.6", "400"])
@each_of("delta", ["1e-9", "0.05", "0.999"])
def test_the_tail_passes_delta_at_gamma(query: str, size: str, k: str, delta: str) -> None:
    given = {"k": k, "eta": "0.07", size: 5}
    gamma = evaluate(f"dirichlet.{query}.gamma", {**given, "delta": delta})
    assert gamma.narrow
    for end, above in ((gamma.lower, Trilean.FALSE), (gamma.upper, Trilean.TRUE)):
        at_end = evaluate(f"dirichlet.{query}.delta_bound", {**given, "gamma": end}, digits=40)
        assert at_end.enclosure.is_above(Fraction(delta)) is above


@each_of("query, size", LAWS[: instances(1, 2)])
def test_an_astronomically_small_gamma_is_bounded_and_not_looked_for(query: str, size: str) -> None:
    """K eta = 1e-6: gamma is about delta to the millionth power."""
    given = {"k": "0.001", "eta": "0.001", size: 5, "delta": "1e-5"}
    found = evaluate(f"dirichlet.{query}.gamma", given, budget=Budget(SECONDS))
    assert not found.narrow
    assert found.lower == 0
    assert 0 < found.upper < Fraction(1, 10**39000)


@each_of("k", ["1e-300", "1e-30", "1e-6", "1e100", "1e300"])
def test_next_to_the_ends_gamma_takes_no_route_to_the_tail(
    monkeypatch: pytest.MonkeyPatch, k: str
) -> None:
    """Closed bounds tell each sign that the search asks for."""
    asked: list[Miss] = []
    real = route.probability
    monkeypatch.setattr(route, "probability", lambda miss: asked.append(miss) or real(miss))
    point = {"k": k, "eta": "1e-4", "w": 3, "delta": "1e-5"}
    found = evaluate("dirichlet.identity.gamma", point, budget=Budget(bits=128))
    assert not asked
    small = found.lower == 0 and found.upper < Fraction(1, 10**39000)
    assert small if Fraction(k) < 1 else found.narrow


def test_of_a_large_draw_gamma_is_within_spreads_of_the_mean() -> None:
    """At k = 1e30 the floor's spread is 1e-13 of it; no way to a delta of 1e-5 is short there."""
    point = {"k": "1e30", "eta": "1e-4", "w": 3, "delta": "1e-5"}
    found = evaluate("dirichlet.identity.gamma", point, budget=Budget(bits=128))
    spread = Fraction(1, 10**13)
    assert 1 - 7 * spread < 10_000 * found.lower < 1 < 10_000 * found.upper < 1 + 20 * spread


def test_as_many_categories_as_one_likes_make_two_kinds_of_coordinate() -> None:
    miss = counts.worst_miss(Fraction(7), Fraction(1, 10**18), 10**17, Fraction(1, 10**19))
    assert [count for _, count in miss.groups] == [10**17 - 1, 1]
    assert miss.total == 7


def test_at_the_centre_all_coordinates_are_of_one_kind() -> None:
    fifth = Fraction(1, 5)
    assert counts.worst_miss(Fraction(5), fifth, 5, Fraction(1, 9)).groups == ((1, 5),)
    assert identity.worst_miss(Fraction(5), fifth, 5, Fraction(1, 9)).rest == 0


@each_of("name, alpha", [("uniform", {"alpha": 1, "count": 1}), ("general", {"alpha": [1]})])
def test_any_rest_from_zero_on_is_answered(name: str, alpha: dict[str, Any]) -> None:
    """One coordinate of parameter 1 beside a rest r is below 1/2 with chance 1 - 2^-r."""
    for rest in ("0", "1/1000", "1/2", "1"):
        at = {**alpha, "rest": rest, "gamma": "1/2"}
        found = evaluate(f"dirichlet.tail.{name}", at)
        with working_precision(256):
            chance = 1 - arb(2) ** -ball(Fraction(rest))
            assert ball(Fraction(found.lower)) <= chance <= ball(Fraction(found.upper))
