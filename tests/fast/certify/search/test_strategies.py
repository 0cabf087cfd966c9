"""The search: points lie in the domain, reach its edges, and are the same every time."""

from __future__ import annotations

import hashlib
import json
import math
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, pairwise
from typing import Any

import pytest
from each import each, each_of
from instances import instances
from searched_points import drawn
from simplexcert.certify.points import Point, exact_point, written_point
from simplexcert.certify.search.draws import GRID_BITS, WAYS, Choice, Draws, law, number, on_grid
from simplexcert.certify.search.hunt import hunted
from simplexcert.certify.search.strategies import drawn as of_domain
from simplexcert.certify.search.strategies import drawn_point, is_trivial, point_at, points_from
from simplexcert.reference import Quantity, quantities
from simplexcert.reference.domain import Entries, Interval
from simplexcert.reference.structures import BOUNDED_EVENTS, EVENTS

ALL = quantities()


@each(ALL.values())
def test_every_point_lies_in_the_domain_and_all_are_drawn(item: Quantity) -> None:
    """The few that are drawn twice are counted twice; whatever is found is new."""
    half = instances(12, 30)
    points = drawn(item, 2 * half)
    keys = [tuple(point.values()) for point in points]
    assert len(keys) == 2 * half
    assert len(set(keys[:half])) > 2 * half // 3
    assert len({*keys[half:]} - {*keys[:half]}) == half
    assert all(item.admits(exact_point(point)) for point in points)


def test_the_same_seed_draws_the_same_points_and_another_seed_others() -> None:
    item = ALL["dirichlet.profile.delta"]
    assert drawn(item, 40) == drawn(item, 40)
    assert drawn(item, 40) != drawn(item, 40, "t")


def daily(points: list[Point]) -> list[Point]:
    """Leave out one in eight, which is drawn beyond daily use."""
    return [point for at, point in enumerate(points) if at % 8 != 5]


def beyond(points: list[Point]) -> list[Point]:
    return points[5::8]


def test_one_point_in_eight_is_anywhere_in_the_parameters_reach() -> None:
    points = drawn(ALL["dirichlet.profile.epsilon"], 400, climbing=False)
    for name, low, high, least, most in (
        ("alpha", 1e-3, 1e3, 1e-9, 1e9),
        ("delta", 1e-12, 1, 1e-300, 1),
    ):
        inside = [float(point[name]) for point in daily(points)]  # type: ignore[arg-type]
        outside = [float(point[name]) for point in beyond(points)]  # type: ignore[arg-type]
        assert all(low <= value <= high or value in {0, 1} for value in inside)
        assert all(least <= value <= most or value == 0 for value in outside)
        assert sum(not low <= value <= high for value in outside) > 20
    vectors = beyond(drawn(ALL["dirichlet.tail.general"], 400, climbing=False))
    assert max(len(_items(point["alpha"])) for point in vectors) > 50
    matrices = beyond(drawn(ALL["markov.stationary"], 200, climbing=False))
    sizes = {len(_items(point["P"])) for point in matrices}
    assert max(sizes) == 12
    assert len(sizes) > 6


def test_points_spread_over_the_scales_and_reach_the_edges() -> None:
    points = daily(drawn(ALL["dirichlet.profile.delta"], 300, climbing=False))
    alphas = [point["alpha"] for point in points]
    assert min(alphas) == 1e-3
    assert max(alphas) >= math.nextafter(1e3, 0)
    assert sum(alpha < 1 for alpha in alphas) > 60
    assert sum(alpha > 1 for alpha in alphas) > 60
    assert len(set(alphas)) > 100
    assert any(point["epsilon"] == 0 for point in points)
    assert any(point["alpha"] == point["step"] for point in points)


def test_the_search_moves_towards_what_looks_worst() -> None:
    item = ALL["dirichlet.profile.total_variation"]
    found: list[float] = []

    def prefer_small(point: Point) -> Fraction:
        found.append(float(point["step"]))
        return Fraction(1 / point["step"])

    hunted(item, prefer_small, 200, "s")
    assert min(found) == 1e-3


def test_an_answer_wrong_beyond_all_doubles_does_not_stop_the_search() -> None:
    found: list[Point] = []

    def hopeless(point: Point) -> Fraction:
        found.append(point)
        return Fraction(10) ** 400

    hunted(ALL["dirichlet.profile.total_variation"], hopeless, 5, "s")
    assert len(found) == 5


MADE_UP = ("made.steps", "made.rows", "made.collision", "made.distance")


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", MADE_UP)
@pytest.mark.parametrize("climbing", [False, True])
def test_points_of_every_kind_lie_in_the_domain_and_are_the_same_every_time(
    name: str, climbing: bool
) -> None:
    item = quantities()[name]
    points = drawn(item, 30, climbing=climbing)
    assert len({tuple(point.values()) for point in points}) > 25
    assert all(item.admits(exact_point(point)) for point in points)
    assert points == drawn(item, 30, climbing=climbing)
    assert points != drawn(item, 30, "t", climbing=climbing)


@pytest.fixture
def laws(made_up: None) -> list[tuple[float, ...]]:  # noqa: ARG001
    points = daily(drawn(quantities()["made.collision"], 150, climbing=False))
    return [tuple(map(float, _items(point["p"]))) for point in points]


def _items(value: object) -> tuple[float, ...]:
    assert isinstance(value, tuple)
    return value


def test_the_doubles_of_a_law_sum_to_one_exactly_in_any_order(
    laws: list[tuple[float, ...]],
) -> None:
    rng = random.Random("order")  # noqa: S311 (the same orders every time)
    for shares in laws:
        assert sum(map(Fraction, shares)) == 1
        for _ in range(5):
            order = rng.sample(shares, len(shares))
            assert sum_of_doubles(order) == 1.0
            assert 1.0 - sum_of_doubles(order[1:]) == order[0]


def sum_of_doubles(shares: list[float]) -> float:
    """One rounding an addition, unlike ``sum`` from Python 3.12 on."""
    total = 0.0
    for share in shares:
        total += share
    return total


def test_laws_reach_the_corners_the_centre_and_the_scales(laws: list[tuple[float, ...]]) -> None:
    assert {len(law) for law in laws} == set(range(2, 9))
    assert any(max(law) == 1.0 for law in laws)
    assert any(max(law) - min(law) <= 2.0**-50 for law in laws)
    assert any(min(law) == 0.0 for law in laws)
    assert any(0 < min(law) < 1e-5 for law in laws)
    assert sum(min(law) > 0.01 for law in laws) > 10


def test_weights_that_are_all_zero_stand_for_the_centre() -> None:
    assert law(Choice(0, 0.0), [0.0, 0.0, 0.0, 0.0]) == (0.25, 0.25, 0.25, 0.25)


@each_of(
    "weights", [[1, 1, 1], [1e-300, 1.0], [0.0, 3.0], [0.1] * 7, [5e-324, 5e-324], [1.7e308] * 8]
)
def test_shares_on_the_grid_are_within_a_grid_step_of_the_weights(weights: list[float]) -> None:
    shares, total = on_grid(weights), sum(map(Fraction, weights))
    assert sum(map(Fraction, shares)) == 1
    for share, weight in zip(shares, weights, strict=True):
        assert (Fraction(share) * 2**GRID_BITS).denominator == 1
        gap = abs(Fraction(share) - Fraction(weight) / total)
        assert gap <= Fraction(len(weights), 2**GRID_BITS)


@pytest.mark.usefixtures("made_up")
def test_vectors_of_equal_length_are_found_at_once_and_are_equal_now_and_then() -> None:
    item = quantities()["made.distance"]
    points = daily(drawn(item, 100, climbing=False))
    assert {len(_items(point["u"])) for point in points} == set(range(1, 9))
    assert 2 < sum(point["u"] == point["v"] for point in points) < 20


@pytest.mark.usefixtures("made_up")
def test_a_hint_of_equal_length_spares_the_search_nearly_every_draw() -> None:
    """Without the hint one draw in eight has vectors of equal length."""
    item = quantities()["made.distance"]
    unconditional = replace(item, conditions=())
    points = drawn(unconditional, 60, climbing=False)
    assert all(item.admits(exact_point(point)) for point in points)
    without = {**item.parameters, "v": Entries(Interval(above=Fraction(0)))}
    points = drawn(replace(unconditional, parameters=without, slow=True), 60, climbing=False)
    assert sum(item.admits(exact_point(point)) for point in points) < 20


@pytest.mark.usefixtures("made_up")
def test_tables_have_rows_of_every_number_and_whole_columns_stay_whole() -> None:
    points = daily(drawn(quantities()["made.steps"], 200, climbing=False))
    tables = [point["releases"] for point in points]
    assert {len(_items(table)) for table in tables} == {1, 2, 3}
    rows = [row for table in tables for row in _items(table)]
    assert {tuple(map(type, _items(row))) for row in rows} == {(float, float, int)}
    counts = {_items(row)[2] for row in rows}
    assert counts == set(range(1, 11))
    alike = [table for table in tables if len(_items(table)) > 1 and len(set(_items(table))) == 1]
    assert len(alike) > 1


def test_no_backend_is_asked_of_events_whose_pair_is_a_bound_that_nothing_attains() -> None:
    """Of them a smaller answer can be sound."""
    domain = quantities()["composition.delta"].parameters["events"]
    drawn = [event for k in range(200) for event in of_domain(domain, Draws(str(k)), {})]
    names = {event.mechanism for event in drawn}
    assert names == {*EVENTS} - {*BOUNDED_EVENTS}
    assert BOUNDED_EVENTS


def test_a_point_is_its_seeds_and_its_indexs_alone() -> None:
    item = ALL["dirichlet.matrix.epsilon_bound"]
    one_by_one = [point_at(item, "s", index) for index in (3, 1, 0, 2)]
    assert list(islice(points_from(item, "s"), 4)) == [one_by_one[at] for at in (2, 1, 3, 0)]


def test_every_fourth_point_differs_from_the_one_before_in_one_parameter_at_most() -> None:
    item = ALL["dirichlet.counts.epsilon_bound"]
    points = [point_at(item, "s", index) for index in range(81)]
    for first, second in zip(points[3::4], points[4::4], strict=True):
        assert sum(first[name] != second[name] for name in first) <= 1
    changed = Counter(
        name
        for first, second in zip(points[3::4], points[4::4], strict=True)
        for name in first
        if first[name] != second[name]
    )
    assert set(changed) == set(item.parameters)


# Written down once: another version, library, platform or locale must draw the same.
PINNED = {
    "dirichlet.profile.delta": "b20d7b6fcf7e1d34",
    "dirichlet.tail.general": "e534cf4129eab417",
    "markov.stationary": "abea09ae6e7f618c",
    "pufferfish.network_influence": "21386af06ec4259c",
    "pufferfish.quilt_scale_exact": "184a43d996b3b7c9",
}


@each_of("name", PINNED)
def test_points_are_the_same_on_every_platform(name: str) -> None:
    lines = [json.dumps(written_point(point_at(ALL[name], "s", index))) for index in range(40)]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16] == PINNED[name]


@pytest.mark.parametrize(
    ("module", "absent"),
    [("draws", ("hypothesis", "numpy", "scipy")), ("hunt", ("hypothesis",))],
)
def test_drawing_needs_no_library(module: str, absent: tuple[str, ...]) -> None:
    """In a process of its own."""
    script = (
        f"import sys, simplexcert.certify.search.{module}; "
        f"print([name for name in {absent!r} if name in sys.modules])"
    )
    command = [sys.executable, "-c", script]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.parametrize(("low", "high"), [("0.001", "1000"), ("1e-12", "1"), ("3", "5")])
def test_the_logarithmic_scale_is_straight_between_powers_of_two_and_reaches_its_ends(
    low: str, high: str
) -> None:
    interval, draws = Interval(search=(low, high)), Draws("scale")
    found = [number(interval, Choice(0, draws.choice().share), ()) for _ in range(2000)]
    assert all(float(low) <= value <= float(high) for value in found)
    start, end = math.log2(float(low)), math.log2(float(high))
    for part in range(4):
        inside = [4 * (math.log2(value) - start) // (end - start) == part for value in found]
        assert 350 < sum(inside) < 650
    assert number(interval, Choice(0, 0.0), ()) == float(low)
    assert number(interval, Choice(0, 1 - 2.0**-53), ()) >= float(high) * (1 - 2.0**-48)


def test_choices_are_evenly_spread_and_some_are_made_alike() -> None:
    firsts = [Draws(f"{at}").choices(8) for at in range(1000)]
    ways = Counter(choices[0].way for choices in firsts)
    assert set(ways) == set(range(len(WAYS)))
    assert max(ways.values()) < 2 * min(ways.values())
    assert 440 < sum(choices[0].share < 1 / 2 for choices in firsts) < 560
    alike = sum(len(set(choices)) < 8 for choices in firsts)
    assert 250 < alike < 450


def test_at_most_a_tenth_of_the_truths_of_a_quick_quantity_are_ends_of_its_range() -> None:
    for name in ("dirichlet.profile.renyi", "markov.model.renyi", "pufferfish.network_influence"):
        points = [point_at(ALL[name], "s", index) for index in range(100)]
        trivial = [is_trivial(ALL[name], exact_point(point)) for point in points]
        assert 0 < sum(trivial) <= 10, name


def test_now_and_then_a_number_is_beside_the_one_before() -> None:
    points = [point_at(ALL["dirichlet.profile.delta"], "s", index) for index in range(120)]
    near = [
        one[name]
        for before, one in pairwise(points)
        for name in one
        if 0 < abs(float(one[name]) - float(before[name])) < float(before[name]) / 10  # type: ignore[arg-type]
        and sum(one[other] == before[other] for other in one) == len(one) - 1
    ]
    assert len(near) > 5


def test_now_and_then_a_matrix_is_sparse_without_being_a_permutation() -> None:
    points = [point_at(ALL["markov.period"], "s", index) for index in range(200)]
    zeros = [
        sum(entry == 0 for row in _items(point["P"]) for entry in row)  # type: ignore[attr-defined]
        for point in points
        if len(_items(point["P"])) == 3
    ]
    assert sum(2 < many < 6 for many in zeros) > 3


@cache
def chains() -> list[Any]:
    item = ALL["markov.eigenvalue_moduli"]
    return [drawn_point(item, Draws(f"{index}"))["P"] for index in range(3000)]


@pytest.mark.parametrize("nearly", [False, True])
@pytest.mark.parametrize(
    "pattern",
    [
        lambda row, column: row != column,
        lambda row, column: row <= column,
        lambda row, column: (column - row) % 2 == 1,
        lambda row, column: (column - row) % 2 == 0,
    ],
    ids=["no-loops", "no-way-back", "even-period", "two-classes"],
)
def test_now_and_then_a_chain_has_a_pattern_or_nearly(
    pattern: Callable[[int, int], bool], nearly: bool
) -> None:
    """What the pattern leaves is there, and what it leaves out is 0, or far less."""
    found = 0
    for P in chains():  # noqa: N806
        parts: dict[bool, list[float]] = {True: [], False: []}
        for row, entries in enumerate(P):
            for column, entry in enumerate(entries):
                parts[pattern(row, column)].append(entry)
        least, most = min(parts[True]), max(parts[False])
        found += len(P) > 2 and (0 < most < least / 1000 if nearly else most == 0 < least)
    assert found


def test_now_and_then_two_rows_of_parallel_vectors_agree_in_some_and_differ_in_others() -> None:
    for index in range(600):
        point = point_at(ALL["markov.model.delta_bound"], "s", index)
        for first, second in combinations(zip(*map(_items, point.values()), strict=True), 2):
            agree = [one == other for one, other in zip(first, second, strict=True)]
            if agree[0] and agree[1] and not agree[3]:
                return
    pytest.fail("no two rows do")


@pytest.mark.parametrize(
    ("name", "of_point", "most"),
    [
        ("dirichlet.matrix.delta_bound", lambda point: len(point["rows"]), 12),
        ("pufferfish.wasserstein", lambda point: len(point["mu"].points), 12),
        ("pufferfish.quilt_scale_exact", lambda point: len(point["chains"][0].P), 5),
    ],
    ids=["tables", "laws-on-the-line", "chains"],
)
def test_lists_beyond_daily_use_have_more_parts_than_any_in_it(
    name: str, of_point: Callable[[Any], int], most: int
) -> None:
    daily, beyond = (
        {
            of_point(drawn_point(ALL[name], Draws(f"{name}/{index}", beyond=far)))
            for index in range(200)
        }
        for far in (False, True)
    )
    assert max(daily) < most == max(beyond)
