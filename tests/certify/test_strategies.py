"""The search: points lie in the domain, reach its edges, and are the same every time."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from simplexcert.certify.checks.case import exact_point
from simplexcert.certify.search.hunt import hunted
from simplexcert.certify.search.strategies import Point
from simplexcert.reference import Quantity, quantities

ALL = quantities()


def drawn(quantity: Quantity, cases: int, seed: str = "s", **how: bool) -> list[Point]:
    found: list[Point] = []

    def keep(point: Point) -> Fraction:
        found.append(point)
        return Fraction(0)

    hunted(quantity, keep, cases, seed, **how)
    return found


@pytest.mark.parametrize("item", ALL.values(), ids=ALL)
def test_every_point_lies_in_the_domain_and_all_are_drawn(item: Quantity) -> None:
    points = drawn(item, 60)
    assert len({tuple(point.values()) for point in points}) == len(points) == 60
    assert all(item.admits(exact_point(point)) for point in points)


def test_the_same_seed_draws_the_same_points_and_another_seed_others() -> None:
    item = ALL["dirichlet.profile.delta"]
    assert drawn(item, 40) == drawn(item, 40)
    assert drawn(item, 40) != drawn(item, 40, "t")


def test_points_spread_over_the_scales_and_reach_the_edges() -> None:
    points = drawn(ALL["dirichlet.profile.delta"], 300, climbing=False)
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


def test_a_distance_beyond_doubles_is_no_obstacle_to_the_search() -> None:
    """An answer of 1 where the truth is the least double is 10^323 units off."""
    found: list[Point] = []

    def far_off(point: Point) -> Fraction:
        found.append(point)
        return Fraction(10) ** 323

    hunted(ALL["dirichlet.profile.delta"], far_off, 5, "s")
    assert len(found) == 5
