"""A point becomes smaller: its parts are cut together, laws stay laws, and nothing is random."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import pytest
from each import each, each_of
from hypothesis import given
from hypothesis import strategies as st
from simplexcert.certify.points import Point, exact_point
from simplexcert.certify.search.draws import GRID_BITS, on_grid
from simplexcert.certify.search.local import at, leaves
from simplexcert.certify.search.smaller import _with_digits, axes_of, reduced, shortened
from simplexcert.certify.search.strategies import point_at
from simplexcert.reference import Quantity, quantities
from simplexcert.reference.domain import Interval, Law
from simplexcert.reference.quantity import quantity_named
from simplexcert.reference.structures import ChainLaw, LineLaw, NetworkNode

ALL = quantities()
STRUCTURED = [
    item
    for item in ALL.values()
    if any(not isinstance(kind, Interval) for kind in item.parameters.values())
]


def numbers_in(value: Any) -> Iterator[float]:
    if isinstance(value, tuple):
        for part in value:
            yield from numbers_in(part)
    elif not isinstance(value, str):
        yield value


def laws_in(item: Quantity, point: Mapping[str, Any]) -> Iterator[tuple[float, ...]]:
    for name, kind in item.parameters.items():
        for path, leaf in leaves(kind, point[name]):
            if isinstance(leaf, Law):
                yield at(point[name], path)


def smallest(item: Quantity, point: Point, holds: Any = lambda _: True) -> dict[str, Any]:
    return reduced(item, point, holds)


@each(ALL.values())
def test_only_other_points_of_the_domain_are_asked_about_and_each_once(item: Quantity) -> None:
    """Laws stay on their grid, where their doubles sum to 1 exactly."""
    point, asked = point_at(item, "smaller", 3), list[Point]()

    def every_other(one: Point) -> bool:
        asked.append(one)
        return len(asked) % 2 == 0

    found = reduced(item, point, every_other)
    keys = [tuple(one.values()) for one in (point, *asked)]
    assert len(set(keys)) == len(keys)
    assert all(item.admits(exact_point(one)) for one in asked)
    for law in (law for one in asked for law in laws_in(item, one)):
        assert all((Fraction(share) * 2**GRID_BITS).denominator == 1 for share in law)
    assert found == (asked[len(asked) // 2 * 2 - 1] if len(asked) > 1 else point)


@each(STRUCTURED)
def test_a_point_at_which_all_holds_becomes_small_and_stays(item: Quantity) -> None:
    point = point_at(item, "smaller", 3)
    found = smallest(item, point)
    assert smallest(item, point) == found
    assert smallest(item, found) == found
    sizes = [len(list(numbers_in(tuple(one.values())))) for one in (point, found)]
    assert sizes[1] <= min(sizes[0], 16)
    # Three binary digits are enough for every number but the shares that have what others lose.
    shares = {share for law in laws_in(item, found) for share in law}
    for number in {*numbers_in(tuple(found.values()))} - shares:
        top = abs(Fraction(number)).numerator
        assert (top // (top & -top or 1)).bit_length() <= 3


def test_a_number_next_to_an_open_end_stays_inside_of_it() -> None:
    above_one = Interval(above=Fraction(1))
    assert _with_digits(above_one, math.nextafter(1.0, 2.0), 1) == 2.0
    assert _with_digits(above_one, math.nextafter(1.0, 2.0), 3) == 1.25
    assert _with_digits(Interval(below=Fraction(1)), math.nextafter(1.0, 0.0), 2) == 0.75
    assert _with_digits(Interval(), math.nextafter(1.0, 2.0), 3) == 1.0


def classes_of(matrix: Any, least: float) -> int:
    """Count the communicating classes where what is below ``least`` is left out."""
    states = range(len(matrix))
    reached = [[row == to or matrix[row][to] > least for to in states] for row in states]
    for mid in states:
        for row in states:
            for to in states:
                reached[row][to] |= reached[row][mid] and reached[mid][to]
    return len(
        {tuple(a and reached[to][row] for to, a in enumerate(reached[row])) for row in states}
    )


def test_a_matrix_that_a_faint_entry_connects_is_told_by_two_states() -> None:
    """SciPy's csgraph leaves entries below 1e-8 out."""
    item = quantity_named("markov.communicating_classes")
    rows = ([0.25, 0.5, 0.25], [0.7, 0.3, 1.3e-10], [0.1, 0.2, 0.7])
    point: Point = {"P": tuple(map(on_grid, rows))}
    faint = on_grid([0.9, 3.4e-11, 0.1])
    point["P"] = (faint, point["P"][1], point["P"][2])  # type: ignore[index]
    found = smallest(item, point, lambda one: classes_of(one["P"], 0) < classes_of(one["P"], 1e-8))
    ((faintest, rest), other) = sorted(map(sorted, found["P"]), reverse=True)
    assert (other, faintest + rest) == ([0.0, 1.0], 1.0)
    assert math.frexp(faintest)[0] == 0.5


def test_what_has_one_length_is_cut_at_the_same_places() -> None:
    item = quantity_named("dirichlet.renyi.divergence")
    point: Point = {
        "u": (0.3, 7.7, 0.61, 555.0, 0.2),
        "v": (0.7, 0.01, 31.0, 4.1, 0.2),
        "order": 2.3,
    }
    apart = lambda one: any(a > 100 and b < 10 for a, b in zip(one["u"], one["v"], strict=True))  # noqa: E731
    found = smallest(item, point, apart)
    assert sorted(zip(found["u"], found["v"], strict=True)) == [(512.0, 1.0)]


def test_a_number_that_counts_rows_goes_down_with_them() -> None:
    item = quantity_named("pufferfish.chain_loss")
    chain = ChainLaw("stationary", ((0.25, 0.75), (0.5, 0.5)))
    point: Point = {
        "chains": (chain, chain._replace(initial=(0.125, 0.875))),
        "length": 3,
        "values": ((0.0, 3.7), (1.0, 1.0), (9.1, 0.0)),
        "scale": 3.3,
    }
    found = smallest(item, point, lambda one: len(one["values"]) == one["length"])
    assert (found["length"], len(found["values"]), len(found["chains"])) == (1, 1, 1)
    wide = smallest(item, point, lambda one: max(map(max, one["values"])) > 5)
    assert max(map(max, wide["values"])) in (8.0, 9.1)


def test_numbers_that_name_places_are_renumbered() -> None:
    item = quantity_named("pufferfish.instantiation_loss")
    point: Point = {
        "values": (1.0, 2.0, 3.0, 40.0),
        "laws": (on_grid([1, 2, 3, 4]), on_grid([4, 3, 2, 1])),
        "secrets": ((1, 3), (2,), (4,)),
        "pairs": ((2, 3),),
        "scale": 1.0,
    }
    found = smallest(item, point, lambda one: max(one["values"]) > 30)
    assert len(found["values"]) == len(found["laws"][0]) == 2
    assert found["pairs"] == ((1, 2),)
    assert sorted(found["secrets"]) == [(1,), (2,)]


def test_a_node_that_goes_leaves_its_children_as_in_its_first_state() -> None:
    network = (
        NetworkNode((), ((0.5, 0.5),)),
        NetworkNode((), ((0.25, 0.75),)),
        NetworkNode((1, 2), ((0.1, 0.9), (0.2, 0.8), (0.3, 0.7), (0.4, 0.6))),
    )
    (axis,) = axes_of(ALL["pufferfish.network_influence"].parameters["network"], network)
    assert axis.length == 3
    assert axis.without({0})[-1] == NetworkNode((1,), ((0.1, 0.9), (0.2, 0.8)))
    assert axis.without({1})[-1] == NetworkNode((1,), ((0.1, 0.9), (0.3, 0.7)))
    assert axis.without({0, 1}) == (NetworkNode((), ((0.1, 0.9),)),)


def test_atoms_go_with_their_mass() -> None:
    item = quantity_named("pufferfish.wasserstein")
    law = LineLaw((-3.0, 0.5, 12.25, 29.0), (0.125, 0.5, 0.125, 0.25))
    found = smallest(item, {"mu": law, "nu": law}, lambda one: max(one["mu"].points) > 20)
    assert found == {"mu": LineLaw((32.0,), (1.0,)), "nu": LineLaw((0.0,), (1.0,))}


def test_rows_become_one_with_counts_of_1() -> None:
    item = quantity_named("dirichlet.composition.delta")
    releases = ((2.5, 1.7, 4), (33.3, 12.0, 9), (7.0, 0.3, 2))
    found = smallest(
        item,
        {"releases": releases, "epsilon": 0.7},
        lambda one: any(row[0] > 30 for row in one["releases"]),
    )
    assert found == {"releases": ((32.0, 1.0, 1),), "epsilon": 0.5}


def test_an_end_of_a_domain_is_no_simple_number() -> None:
    item = quantity_named("dirichlet.matrix.delta_bound")
    point: Point = {"k": 3.7, "eta": 0.1, "rows": ((2, 0.013), (1, 0.2))}
    ((_, gamma),) = smallest(item, point)["rows"]
    assert 0 < gamma < 1


@pytest.mark.parametrize("most", [0, 2])
def test_once_nothing_holds_the_point_stays(most: int) -> None:
    item, asked = quantity_named("markov.stationary"), list[Point]()
    point: Point = {"P": tuple(on_grid([3 + row, 2, 5 + row * row]) for row in range(3))}

    def holds(one: Point) -> bool:
        asked.append(one)
        return len(asked) <= most

    assert reduced(item, point, holds) == (asked[most - 1] if most else point)


@given(
    st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=6),
    st.integers(1, 32),
)
def test_a_law_with_fewer_digits_is_still_a_law(weights: list[float], digits: int) -> None:
    law = on_grid(weights)
    item = quantity_named("dirichlet.utility.expected_kl")
    rounded: Any = shortened(item, {"p": law, "k": 1.0}, digits, "p")["p"]
    assert sum(map(Fraction, rounded)) == 1
    assert min(rounded) >= 0
    largest = law.index(max(law))
    for place, (share, before) in enumerate(zip(rounded, law, strict=True)):
        if place != largest:
            assert before * (1 - 2.0 ** (1 - digits)) <= share <= before
            assert_has_digits(share, digits)


def test_the_law_of_a_constant_has_no_digit_to_lose() -> None:
    item = quantity_named("pufferfish.wasserstein")
    one = LineLaw((3.0,), (1.0,))
    assert shortened(item, {"mu": one, "nu": one}, 1, "mu")["mu"] == LineLaw((4.0,), (1.0,))


def assert_has_digits(value: float, digits: int) -> None:
    top = abs(Fraction(value)).numerator
    assert (top // (top & -top or 1)).bit_length() <= digits


VARIANCE = quantity_named("dirichlet.utility.variance")


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(1, 53))
def test_a_number_with_fewer_digits_is_near_and_has_them(value: float, digits: int) -> None:
    rounded: Any = shortened(VARIANCE, {"p": 0.5, "k": value}, digits, "k")["k"]
    assert math.isfinite(rounded)
    if abs(value) < 2.0**1000 and abs(value) > 2.0**-1000:
        assert abs(rounded - value) <= abs(value) * 2.0 ** (1 - digits)
        assert_has_digits(rounded, digits)


@each_of("value, digits, expected", [(1000, 3, 896), (5, 3, 5), (7, 1, 4)])
def test_an_integer_keeps_its_leading_digits(value: int, digits: int, expected: int) -> None:
    quantity = quantity_named("dirichlet.counts.epsilon_bound")
    assert shortened(quantity, {"N": value}, digits, "N") == {"N": expected}
