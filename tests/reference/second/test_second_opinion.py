"""The second opinion: independent of the first engine, complete, and never of another mind."""

from __future__ import annotations

import ast
import inspect
import math
import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import gmpy2
import pytest
import simplexcert.reference.second
from simplexcert.reference import Answer, evaluate, quantities
from simplexcert.reference.domain import Entries, Exact, Interval, Value
from simplexcert.reference.exact import exact_text
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import Quantity
from simplexcert.reference.second import opinion_on, opinions

NAMES = sorted(quantities())
POINTS = 170
# Estimates by mpmath take some tenths of a second.
POINTS_ESTIMATED = 40
# The soak's points are drawn from the full ranges, where one root can take seconds.
SOAK_POINTS = 300
SOAK_SECONDS = 5.0
# Smaller ranges for the gate: the time of a root in k grows like floor/shift.
GATE_CAPS: dict[str, Mapping[str, str]] = {
    "dirichlet.identity.k_for_dp": {"eta": "0.2"},
    "dirichlet.average.k_for_dp": {"eta": "0.2", "N": "20"},
    "dirichlet.counts.k_for_dp": {"eta": "0.2", "N": "200"},
}
GATE_FLOORS: dict[str, Mapping[str, str]] = {
    # A smaller floor has its gamma at 1e-5000 and further down.
    "dirichlet.identity.gamma": {"k": "0.5", "eta": "0.01"},
    "dirichlet.counts.gamma": {"k": "0.5", "eta": "0.01"},
    "dirichlet.identity.k_for_dp": {"b": "0.05"},
    "dirichlet.average.k_for_dp": {"b": "0.2"},
}

EDGES: dict[str, list[dict[str, str]]] = {
    "dirichlet.tail.uniform": [
        {"alpha": "2", "count": "3", "rest": "0", "gamma": "1/3"},
        {"alpha": "2", "count": "1", "rest": "0", "gamma": "1"},
        {"alpha": "2", "count": "3", "rest": "1", "gamma": "0"},
        {"alpha": "0.001", "count": "3", "rest": "0", "gamma": "1e-30"},
        {"alpha": "200", "count": "5", "rest": "4000", "gamma": "0.03"},
        {"alpha": "0.3", "count": "2", "rest": "0.1", "gamma": "0.499"},
        {"alpha": "1", "count": "1", "rest": "1", "gamma": "1e-30"},
        {"alpha": "1000", "count": "2", "rest": "1", "gamma": "1e-12"},
    ],
    "dirichlet.tail.general": [
        {"alpha": '["1/2", 3, 3]', "rest": "0", "gamma": "1/4"},
        {"alpha": "[0.01, 100]", "rest": "1", "gamma": "0.001"},
        {"alpha": "[1]", "rest": "0", "gamma": "0.5"},
        {"alpha": "[1, 2]", "rest": "0", "gamma": "0.5"},
        {"alpha": "[1, 2, 3, 4, 5, 6, 7, 8]", "rest": "20", "gamma": "0.02"},
        {"alpha": '[0.2, "1/3"]', "rest": "0.1", "gamma": "1e-9"},
    ],
    "dirichlet.identity.delta_bound": [
        {"k": "24", "eta": "0.05", "w": "2", "gamma": "0.00226073"},
        {"k": "20.6", "eta": "0.073", "w": "4", "gamma": "0.0004"},
        {"k": "10", "eta": "1/4", "w": "4", "gamma": "0.01"},
        {"k": "0.05", "eta": "0.1", "w": "3", "gamma": "0.01"},
        {"k": "171.87", "eta": "0.028", "w": "5", "gamma": "0.001"},
        {"k": "5", "eta": "0.1", "w": "3", "gamma": "0"},
        {"k": "171.87", "eta": "0.028", "w": "31", "gamma": "0.001"},
    ],
    "dirichlet.identity.gamma": [
        {"k": "24", "eta": "0.05", "w": "2", "delta": "0.05"},
        {"k": "20", "eta": "0.1", "w": "2", "delta": "1e-12"},
        {"k": "0.1", "eta": "0.1", "w": "1", "delta": "1e-9"},
        {"k": "50", "eta": "1/4", "w": "4", "delta": "0.999999"},
        {"k": "100", "eta": "0.01", "w": "7", "delta": "0.5"},
    ],
    "dirichlet.counts.delta_bound": [
        {"k": "20.6", "eta": "0.073", "n": "5", "gamma": "0.0004"},
        {"k": "20.6", "eta": "0.2", "n": "5", "gamma": "0.0004"},
        {"k": "20", "eta": "0.01", "n": "50", "gamma": "0.001"},
        {"k": "0.5", "eta": "0.1", "n": "3", "gamma": "0.3"},
        {"k": "1000", "eta": "0.1", "n": "5", "gamma": "0.05"},
    ],
    "dirichlet.counts.gamma": [
        {"k": "20.6", "eta": "0.073", "n": "5", "delta": "0.0026"},
        {"k": "20.6", "eta": "0.2", "n": "5", "delta": "1e-9"},
        {"k": "1", "eta": "0.1", "n": "3", "delta": "0.9"},
        {"k": "200", "eta": "0.1", "n": "5", "delta": "1e-6"},
    ],
    "dirichlet.profile.delta": [
        {"alpha": "3", "step": "2", "epsilon": "0"},
        {"alpha": "3", "step": "2", "epsilon": "1"},
        {"alpha": "0.5", "step": "0.5", "epsilon": "0"},
        {"alpha": "5", "step": "5e-9", "epsilon": "0"},
        {"alpha": "5", "step": "5e-9", "epsilon": "5e-9"},
        {"alpha": "5", "step": "5e-9", "epsilon": "1"},
        {"alpha": "1e-9", "step": "1", "epsilon": "1"},
        {"alpha": "1", "step": "1e6", "epsilon": "1"},
        {"alpha": "1", "step": "1", "epsilon": "1e-30"},
        {"alpha": "1", "step": "1", "epsilon": "1e10"},
        {"alpha": "1e-30", "step": "5e-9", "epsilon": "30"},
        {"alpha": "1e5", "step": "1e-4", "epsilon": "0"},
        {"alpha": "1e5", "step": "1e5", "epsilon": "30"},
    ],
    "dirichlet.profile.total_variation": [
        {"alpha": "3", "step": "2"},
        {"alpha": "100", "step": "3"},
        {"alpha": "100", "step": "3e-7"},
        {"alpha": "1e-9", "step": "1"},
        {"alpha": "2", "step": "1e5"},
        {"alpha": "4000", "step": "200"},
    ],
    "dirichlet.profile.epsilon": [
        {"alpha": "3", "step": "2", "delta": "0"},
        {"alpha": "3", "step": "2", "delta": "1"},
        {"alpha": "3", "step": "2", "delta": "35/64"},
        {"alpha": "3", "step": "2", "delta": "0.5468749999"},
        {"alpha": "3", "step": "2", "delta": "1e-3000"},
        {"alpha": "5", "step": "5e-9", "delta": "1e-12"},
        {"alpha": "0.001", "step": "1000", "delta": "1e-3000"},
        {"alpha": "7.5", "step": "0.5", "delta": "1e-12"},
    ],
    "dirichlet.profile.renyi": [
        {"alpha": "6", "step": "2", "order": "1"},
        {"alpha": "6", "step": "0.5", "order": "1"},
        {"alpha": "6", "step": "2", "order": "4"},
        {"alpha": "6", "step": "2", "order": "5"},
        {"alpha": "6", "step": "2", "order": "3.9999999999999999"},
        {"alpha": "6", "step": "0.5", "order": "1.0000000001"},
        {"alpha": "5", "step": "5e-9", "order": "1"},
        {"alpha": "5", "step": "5e-9", "order": "7"},
        {"alpha": "1e5", "step": "1e-4", "order": "5"},
        {"alpha": "1e-300", "step": "1e-310", "order": "2"},
    ],
    "dirichlet.profile.step_for_dp": [
        {"alpha": "1", "epsilon": "0", "delta": "0.5"},
        {"alpha": "1", "epsilon": "0", "delta": "0.999999999999"},
        {"alpha": "1", "epsilon": "30", "delta": "0.999999999999"},
        {"alpha": "0.001", "epsilon": "0", "delta": "1e-12"},
        {"alpha": "1000", "epsilon": "30", "delta": "1e-12"},
    ],
    "dirichlet.profile.step_for_renyi": [
        {"alpha": "5", "order": "1", "epsilon": "1"},
        {"alpha": "0.001", "order": "1", "epsilon": "1000"},
        {"alpha": "1000", "order": "100", "epsilon": "1000"},
        {"alpha": "0.001", "order": "1.001", "epsilon": "1000"},
        {"alpha": "5", "order": "1.001", "epsilon": "1e-9"},
        {"alpha": "5", "order": "2", "epsilon": "40"},
    ],
    "dirichlet.identity.epsilon_bound": [
        # Equal sums exchange nothing: eta + b/2 = 1 - eta_bar - eta.
        {"k": "7", "eta": "0.2", "eta_bar": "0.3", "b": "0.6", "w": "2", "gamma": "0.01"},
        {"k": "1e5", "eta": "0.2", "eta_bar": "0.3", "b": "1e-9", "w": "2", "gamma": "0.01"},
        {"k": "1", "eta": "0.01", "eta_bar": "0.48", "b": "1", "w": "2", "gamma": "0.0067"},
    ],
    "dirichlet.identity.epsilon_simplified": [
        # Both arguments 1: the two Beta bounds are the same number.
        {"k": "4", "eta": "0.25", "eta_bar": "0.5", "b": "0.1", "w": "2", "gamma": "0.01"},
        # An argument next to 1/2, where the upper bound has its pole.
        {"k": "5.00000001", "eta": ".1", "eta_bar": ".2", "b": "1", "w": "2", "gamma": ".49999999"},
        {"k": "1e5", "eta": "0.2", "eta_bar": "0.3", "b": "1e-9", "w": "5", "gamma": "0.01"},
        {"k": "6.7", "eta": "0.15", "eta_bar": "0.15", "b": "0.1", "w": "3", "gamma": "0.01"},
    ],
    "dirichlet.average.epsilon_bound": [
        {"k": "24", "eta": ".05", "eta_bar": ".05", "b": "1", "N": "100", "w": "2", "gamma": ".01"},
        {"k": "24", "eta": ".05", "eta_bar": ".05", "b": "1", "N": "1", "w": "3", "gamma": ".3"},
    ],
    "dirichlet.counts.epsilon_bound": [
        {"k": "20.6", "eta": "0.073", "N": "98", "n": "5", "gamma": "0.005"},
        {"k": "20.6", "eta": "0.25", "N": "4", "n": "4", "gamma": "0.005"},
    ],
    "dirichlet.counts.epsilon_minimum": [
        {"eta": "1/3", "N": "4", "n": "3", "gamma": "0.3333"},
        {"eta": "0.001", "N": "10000", "n": "50", "gamma": "1e-8"},
        # Equal sums exchange nothing: 3/2 and 3 become 3 and 3/2.
        {"eta": "0.25", "N": "4", "n": "4", "gamma": "0.005"},
        {"eta": "0.073", "N": "98", "n": "5", "gamma": "0.0004"},
    ],
    "dirichlet.identity.k_for_dp": [
        {"eta": "1/20", "b": "1", "epsilon": "1", "delta": "0.761"},
        {"eta": "1/2", "b": "1", "epsilon": "0", "delta": "0.333333333334"},
        {"eta": "1/2", "b": "1e-2", "epsilon": "0", "delta": "0.999"},
    ],
    "dirichlet.average.k_for_dp": [
        {"eta": "0.05", "b": "1", "N": "100", "epsilon": "1.18", "delta": "0.05"},
        {"eta": "0.05", "b": "1", "N": "1", "epsilon": "0", "delta": "0.9"},
    ],
    "dirichlet.counts.k_for_dp": [
        {"eta": "0.073", "N": "98", "epsilon": "0.60553", "delta": "0.0019953"},
        {"eta": "0.5", "N": "2", "epsilon": "0", "delta": "0.5"},
    ],
}


def seeded(name: str) -> random.Random:
    return random.Random(name)  # noqa: S311 (test points, the same every time)


def some_number(rng: random.Random, interval: Interval, low: Fraction, high: Fraction) -> Exact:
    value = math.exp(rng.uniform(math.log(low), math.log(high)))
    return round(value) if interval.kind == "integer" else Fraction(f"{value:.8g}")


def some_point(
    quantity: Quantity,
    rng: random.Random,
    floors: Mapping[str, str],
    caps: Mapping[str, str],
) -> dict[str, Value]:
    """Return admissible parameters, each log-uniform in its search interval."""
    while True:
        point: dict[str, Value] = {}
        for name, domain in quantity.parameters.items():
            low, high = (Fraction(end) for end in domain.search)
            low, high = max(low, Fraction(floors.get(name, low))), Fraction(caps.get(name, high))
            if isinstance(domain, Entries):
                entries = range(rng.randint(1, domain.longest_searched))
                drawn = [some_number(rng, domain.each, low, high) for _ in entries]
                point[name] = tuple(Fraction(entry) for entry in drawn)
            else:
                point[name] = some_number(rng, domain, low, high)
        if quantity.admits(point):
            return point


def both(name: str, point: Mapping[str, object], budget: Budget) -> tuple[Answer, Answer]:
    first = evaluate(name, point, budget=Budget(budget.seconds, budget.bits))
    second = evaluate(name, point, engine="second", budget=Budget(budget.seconds, budget.bits))
    return first, second


def shown(first: Answer, second: Answer) -> str:
    ends = first.enclosure.decimals(20), second.enclosure.decimals(20)
    point = {name: exact_text(value) for name, value in first.parameters.items()}
    return f"{first.quantity.name} at {point}: {ends[0]} against {ends[1]}"


def test_every_quantity_has_a_second_opinion_and_nothing_else_has() -> None:
    assert sorted(opinions()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_second_opinion_takes_the_quantitys_parameters(name: str) -> None:
    expected = ["bits", *quantities()[name].parameters]
    assert list(inspect.signature(opinion_on(name).enclose).parameters) == expected


@pytest.mark.parametrize("name", NAMES)
def test_a_rigorous_opinion_comes_from_mpfr_and_any_other_says_that_it_is_none(name: str) -> None:
    opinion = opinion_on(name)
    assert opinion.engine == ("mpfr" if opinion.rigorous else "mpmath")


def test_the_second_engine_imports_nothing_of_the_first() -> None:
    for file in sorted(Path(simplexcert.reference.second.__file__).parent.glob("**/*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                imported = [f"{node.module or ''}.{alias.name}" for alias in node.names]
            else:
                continue
            parts = {part for name in imported for part in name.split(".")}
            assert not parts & {"flint", "arb", "dirichlet", "quantity", "evaluation"}, file.name


@pytest.mark.parametrize("name", NAMES)
def test_both_engines_overlap_and_are_narrow_at_random_points(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"gate {name}")
    floors, caps = GATE_FLOORS.get(name, {}), GATE_CAPS.get(name, {})
    for _ in range(POINTS if opinion_on(name).rigorous else POINTS_ESTIMATED):
        first, second = both(name, some_point(quantity, rng, floors, caps), Budget())
        assert first.narrow, shown(first, second)
        assert second.narrow, shown(first, second)
        assert first.enclosure.overlaps(second.enclosure), shown(first, second)


@pytest.mark.parametrize(
    ("name", "point"), [(name, point) for name in EDGES for point in EDGES[name]]
)
def test_both_engines_overlap_and_are_narrow_at_the_edges(name: str, point: dict[str, str]) -> None:
    first, second = both(name, point, Budget())
    assert first.narrow, shown(first, second)
    assert second.narrow, shown(first, second)
    assert first.enclosure.overlaps(second.enclosure), shown(first, second)


def test_every_quantity_has_edges() -> None:
    assert sorted(EDGES) == NAMES


@pytest.mark.soak
@pytest.mark.parametrize("name", NAMES)
def test_both_engines_overlap_over_the_full_ranges(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"soak {name}")
    for _ in range(SOAK_POINTS):
        first, second = both(name, some_point(quantity, rng, {}, {}), Budget(SOAK_SECONDS))
        assert first.enclosure.overlaps(second.enclosure), shown(first, second)


@pytest.mark.parametrize("name", NAMES)
def test_more_bits_overlap_fewer_bits(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"bits {name}")
    floors, caps = GATE_FLOORS.get(name, {}), GATE_CAPS.get(name, {})
    enclose = opinion_on(name).enclose
    for _ in range(5):
        point = some_point(quantity, rng, floors, caps)
        assert enclose(100, **point).overlaps(enclose(330, **point))


@pytest.mark.parametrize("name", NAMES)
def test_a_second_opinion_is_narrow_at_two_hundred_digits(name: str) -> None:
    for point in EDGES[name][-2:]:
        first = evaluate(name, point)
        second = evaluate(name, point, digits=200, engine="second")
        assert second.narrow, shown(first, second)
        assert first.enclosure.overlaps(second.enclosure), shown(first, second)


@pytest.mark.parametrize("name", NAMES)
def test_a_second_opinion_leaves_the_callers_context_alone(name: str) -> None:
    quantity, rng = quantities()[name], seeded(f"context {name}")
    point = some_point(quantity, rng, GATE_FLOORS.get(name, {}), GATE_CAPS.get(name, {}))
    expected = opinion_on(name).enclose(128, **point)
    with gmpy2.context(precision=11, round=gmpy2.RoundUp):
        before = str(gmpy2.get_context())
        found = opinion_on(name).enclose(128, **point)
        assert str(gmpy2.get_context()) == before
    assert (found.low, found.high) == (expected.low, expected.high)


def test_total_variation_of_whole_parameters_is_the_rational_it_is() -> None:
    enclose = opinion_on("dirichlet.profile.total_variation").enclose
    assert enclose(128, Fraction(3), Fraction(2)).exact == 1 - 2 * Fraction(1 + 7 + 21, 128)
    assert enclose(128, Fraction(1), Fraction(1)).exact == Fraction(1, 2)


def test_epsilon_at_the_total_variation_is_exactly_zero_and_just_below_it_is_not() -> None:
    enclose = opinion_on("dirichlet.profile.epsilon").enclose
    distance = opinion_on("dirichlet.profile.total_variation").enclose(64, Fraction(8), Fraction(1))
    assert distance.exact is not None
    assert enclose(128, Fraction(8), Fraction(1), distance.exact).exact == 0
    just_below = enclose(256, Fraction(8), Fraction(1), distance.exact - Fraction(1, 10**20))
    assert just_below.exact is None
    assert just_below.low.compared_with(Fraction(0)) > 0


def test_epsilon_at_delta_zero_and_renyi_beyond_its_orders_are_infinite() -> None:
    six, two = Fraction(6), Fraction(2)
    epsilon = opinion_on("dirichlet.profile.epsilon").enclose(128, six, two, Fraction(0))
    renyi = opinion_on("dirichlet.profile.renyi").enclose(128, six, two, Fraction(4))
    assert not epsilon.low.is_finite
    assert not renyi.low.is_finite


def test_kullback_leibler_of_a_whole_step_is_rational() -> None:
    enclose = opinion_on("dirichlet.profile.renyi").enclose
    found = enclose(128, Fraction(6), Fraction(2), Fraction(1))
    assert found.exact == 2 * (Fraction(1, 6) + Fraction(1, 7))


def test_delta_falls_with_epsilon_and_grows_with_the_step() -> None:
    enclose = opinion_on("dirichlet.profile.delta").enclose
    steps = [Fraction(1, 10**6), Fraction(1, 3), Fraction(7, 2), Fraction(40)]
    epsilons = [Fraction(0), Fraction(1, 10**6), Fraction(1, 3), Fraction(5), Fraction(25)]
    table = [[enclose(200, Fraction(11, 2), s, e) for e in epsilons] for s in steps]
    for row in table:
        assert all(later.high < earlier.low for earlier, later in pairwise(row))
    for column in zip(*table, strict=True):
        pairs = pairwise(column)
        assert all(smaller.high < larger.low for smaller, larger in pairs)


def test_what_is_hopeless_is_answered_at_once_by_nothing_known() -> None:
    found = opinion_on("dirichlet.profile.delta").enclose(
        128, Fraction(10**30), Fraction(1, 10**4), Fraction(0)
    )
    assert not found.low.is_finite
    assert not found.high.is_finite
