"""Screening: borders are met to the last double, the worst of what was looked at come first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import count
from typing import Any

import pytest
from each import each_of
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.float64 import backend as float64
from simplexcert.certify.campaign.batches import _width
from simplexcert.certify.points import Point, exact_point
from simplexcert.certify.search.screen import Glance, screen_point, screened
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.dyadic import Dyadic
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.quantity import quantities, quantity_named

DELTA, RENYI = "dirichlet.profile.delta", "dirichlet.profile.renyi"
GAUSSIAN = "gaussian.renyi"
EPSILON_BOUND = "dirichlet.identity.epsilon_bound"
PASSED = Glance(failed=False, open=False, badness=Fraction(0), width=Fraction(0), at_end=False)


def test_every_screened_point_lies_in_the_domain_and_is_its_seeds_and_indexs_alone() -> None:
    for name, quantity in quantities().items():
        points = [screen_point(quantity, "s", index) for index in range(8)]
        assert all(quantity.admits(exact_point(point)) for point in points), name
        assert screen_point(quantity, "s", 5) == points[5], name
        assert [screen_point(quantity, "t", index) for index in range(8)] != points, name


def test_spread_points_leave_no_box_of_a_thousandth_out() -> None:
    """Of 4,000 points two in four are spread over the search ranges, evenly in logarithms."""
    quantity = quantity_named(DELTA)
    boxes = set()
    for index in range(4000):
        point = screen_point(quantity, "s", index)
        if index % 4 > 1:
            continue
        tenths = (
            math.log(point["alpha"] / 1e-3, 1e6),  # type: ignore[operator]
            math.log(point["step"] / 1e-3, 1e6),  # type: ignore[operator]
            math.log(point["epsilon"] / 1e-3, 3e4),  # type: ignore[operator]
        )
        boxes.add(tuple(min(int(7 * tenth), 6) for tenth in tenths))
    assert len(boxes) == 7**3


def looked_at(name: str, look: Callable[[Point], Glance], count: int) -> list[Point]:
    return list(screened(quantity_named(name), look, "s", range(count)))


def test_what_failed_comes_first_then_what_is_open_then_what_passed_each_by_the_worst() -> None:
    def look(point: Point) -> Glance:
        size = Fraction(point["alpha"])  # type: ignore[arg-type]
        return Glance(
            failed=size > 500, open=1 < size <= 500, badness=size, width=Fraction(0), at_end=False
        )

    sizes = [float(point["alpha"]) for point in looked_at(DELTA, look, 400)]  # type: ignore[arg-type]
    failed, left_open, passed = sizes[:3], sizes[3:5], sizes[5:]
    assert failed == sorted(failed, reverse=True)
    assert failed[-1] > 500
    assert left_open == sorted(left_open, reverse=True)
    assert 1 < left_open[-1] <= 500
    assert max(passed) <= 1
    assert len(passed) == 3


def test_the_border_of_the_domain_is_looked_at_to_the_last_double() -> None:
    quantity, met = quantity_named(EPSILON_BOUND), []

    def look(point: Point) -> Glance:
        met.append(point)
        return PASSED

    looked_at(EPSILON_BOUND, look, 1)

    def beyond(point: Point, name: str) -> Iterator[Point]:
        value: Any = point[name]
        yield {**point, name: math.nextafter(value, math.inf)}
        yield {**point, name: math.nextafter(value, 0)}

    assert any(
        not quantity.admits(exact_point(other))
        for point in met
        for name in ("eta", "eta_bar", "b", "gamma")
        for other in beyond(point, name)
    )


def test_both_sides_of_where_the_truth_becomes_infinite_are_looked_at() -> None:
    met: list[Point] = []

    def look(point: Point) -> Glance:
        met.append(point)
        alpha, step, order = (Fraction(point[name]) for name in ("alpha", "step", "order"))  # type: ignore[arg-type]
        return PASSED._replace(at_end=(order - 1) * step >= alpha)

    looked_at(RENYI, look, 1601)
    orders: dict[tuple[object, object], set[float]] = {}
    for point in met:
        orders.setdefault((point["alpha"], point["step"]), set()).add(float(point["order"]))  # type: ignore[arg-type]
    assert any(
        math.nextafter(order, math.inf) in among
        and (Fraction(order) - 1) * Fraction(step) < Fraction(alpha)  # type: ignore[arg-type]
        and (Fraction(math.nextafter(order, math.inf)) - 1) * Fraction(step) >= Fraction(alpha)  # type: ignore[arg-type]
        for (alpha, step), among in orders.items()
        for order in among
    )


def spoiled(name: str, where: Callable[..., bool]) -> Any:
    """Return a backend of one quantity that understates it by a thousandth somewhere."""
    right = float64.quantities[name]

    class Spoiled:
        version = "1"
        quantities = {  # noqa: RUF012
            name: lambda **given: right(**given) * (0.999 if where(**given) else 1)
        }

    Spoiled.name = "spoiled"  # type: ignore[attr-defined]
    return Spoiled


SMALL_BOX = spoiled(
    RENYI,
    lambda alpha, step, order: 4 < alpha < 16 and 0.1 < step < 0.2 and 2 < order < 8,
)


@pytest.mark.parametrize(("screen", "verdict"), [(0, Verdict.CERTIFIED), (5000, Verdict.REFUTED)])
def test_a_box_of_a_thousandth_is_found_by_screening_alone(screen: int, verdict: Verdict) -> None:
    where = f"{__name__}:SMALL_BOX"
    campaign = certify_backend(where, quantities=RENYI, cases=40, screen=screen)
    assert campaign.verdict is verdict
    assert {check.cases for check in campaign.checks if check.check == "direction"} == {40}


_CALLS = count(1)
NOW_AND_THEN = spoiled(GAUSSIAN, lambda **_: next(_CALLS) % 997 == 0)


def test_a_wrong_answer_of_the_screening_counts_though_the_next_one_is_right() -> None:
    where = f"{__name__}:NOW_AND_THEN"
    campaign = certify_backend(where, quantities=GAUSSIAN, cases=20, screen=1200)
    found = {check.check: check for check in campaign.checks}
    assert found["direction"].verdict is Verdict.REFUTED
    assert found["direction"].counts.wrong == 1
    assert found["determinism"].verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("aim", ["badness", "width"])
def test_a_climb_comes_nearer_to_a_ridge_than_the_spread_points(aim: str) -> None:
    """Of bad answers, and of truths that few bits enclose widely, beside alpha = 7 step."""
    met: list[Fraction] = []

    def look(point: Point) -> Glance:
        alpha, step = (Fraction(point[name]) for name in ("alpha", "step"))  # type: ignore[arg-type]
        away = abs(alpha / step / 7 - 1)
        met.append(away)
        return PASSED._replace(**{aim: 1 / (away + Fraction(1, 10**12))})

    looked_at(DELTA, look, 2000)
    assert min(met) < min(met[: len(met) * 3 // 4]) / 10


@each_of("power", [-1_000_000_000, -5000, 0, 5000, 1_000_000_000])
def test_how_narrowly_a_truth_is_enclosed_is_the_same_at_every_scale(power: int) -> None:
    """An astronomic truth that is known well is no place where doubles lose their digits."""
    assert _width(Enclosure(Dyadic(1023, power), Dyadic(1, power + 10))) == Fraction(1, 1024)
