"""OpenDP's measurements of a Dirichlet release: maps that never understate, and what is drawn."""

from __future__ import annotations

import doctest
import math
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from importlib.util import find_spec
from typing import Any

import opendp.prelude as dp
import pytest
from each import each_of
from opendp.mod import OpenDPException
from simplexcert.certify.adapters import opendp
from simplexcert.certify.adapters.opendp import (
    make_dirichlet_counts,
    make_dirichlet_vector,
    make_histogram,
)
from simplexcert.reference import evaluate
from simplexcert.reference.errors import InputError

GRADES = {"k": "20.6", "eta": "0.073", "N": 98, "n": 5}
# Floor and step of these: 8 of 98 records are the least share that is not below eta.
OF_GRADES = {"alpha": Fraction("20.6") * 8 / 98, "step": Fraction("20.6") / 98}
VECTOR = {"k": 10, "eta": "0.1", "eta_bar": "0.1", "W": [1, 2, 3]}
HISTOGRAM = {"step": "0.28", "alpha": "5.44"}
REPLACED, ADD_REMOVED = "dirichlet.profile", "dirichlet.add_remove"
# Each measurement, a distance of inputs, and the quantities and the point that are exact there.
EXACT: list[tuple[Callable[..., Any], Any, str, dict[str, Any]]] = [
    (lambda **how: make_histogram(3, *HISTOGRAM.values(), **how), 1, REPLACED, HISTOGRAM),
    (
        lambda **how: make_histogram(3, *HISTOGRAM.values(), "add_remove", **how),
        1,
        ADD_REMOVED,
        HISTOGRAM,
    ),
    (
        lambda **how: make_histogram(2, *HISTOGRAM.values(), **how),
        3,
        REPLACED,
        {"step": "0.84", "alpha": "5.44"},
    ),
    (lambda **how: make_dirichlet_counts(**GRADES, **how), 1, REPLACED, OF_GRADES),
    (
        lambda **how: make_dirichlet_vector(**VECTOR, **how),
        "1/20",
        REPLACED,
        {"alpha": 1, "step": "1/4"},
    ),
    # No two inputs differ by more than there is room for: 1 - eta_bar - 3 eta.
    (lambda **how: make_dirichlet_vector(**VECTOR, **how), 2, REPLACED, {"alpha": 1, "step": 6}),
]
EACH = pytest.mark.parametrize(("make", "d_in", "family", "point"), EXACT)


@pytest.fixture(autouse=True)
def features() -> Iterator[None]:
    dp.enable_features("contrib", "honest-but-curious")
    yield
    dp.disable_features("contrib", "honest-but-curious")


def drawn_from(seen: list[Fraction]) -> Callable[[Sequence[Fraction]], Sequence[Fraction]]:
    """Return a draw that keeps its parameters, and gives their mean."""

    def draw(parameters: Sequence[Fraction]) -> Sequence[Fraction]:
        seen.extend(parameters)
        return [one / sum(parameters) for one in parameters]

    return draw


@EACH
def test_a_map_is_the_float_above_the_exact_profile(
    make: Any, d_in: Any, family: str, point: dict[str, Any]
) -> None:
    profile = make().map(d_in)
    for epsilon in (0.0, 0.1, 1.0, 2.255, 30.0):
        exact = evaluate(f"{family}.delta", {**point, "epsilon": epsilon}, digits=30)
        found = profile.delta(epsilon)
        assert math.nextafter(found, 0) < exact.lower <= found


@EACH
def test_opendps_inverse_of_it_is_not_below_the_exact_one(
    make: Any, d_in: Any, family: str, point: dict[str, Any]
) -> None:
    exact = evaluate(f"{family}.epsilon", {**point, "delta": 1e-6}, digits=30)
    assert exact.lower <= make().map(d_in).epsilon(1e-6) <= exact.upper * (1 + Fraction(1, 10**9))


@EACH
def test_renyi_divergences_are_the_floats_above_the_exact_ones(
    make: Any, d_in: Any, family: str, point: dict[str, Any]
) -> None:
    curve = make(measure="renyi").map(d_in)
    for order in (1.125, 2.0):
        exact = evaluate(f"{family}.renyi", {**point, "order": order}, digits=30)
        found = curve(order)
        assert found == math.inf or math.nextafter(found, 0) < exact.lower
        assert exact.lower <= found
    assert curve(1e6) == curve(math.inf) == math.inf


@each_of("make, d_in", [each[:2] for each in EXACT])
def test_the_same_data_lose_nothing(make: Any, d_in: Any) -> None:
    assert make().map(0).delta(0.0) == 0.0
    assert make(measure="renyi").map(0)(math.inf) == 0.0
    assert make().map(d_in).delta(math.inf) == 0.0


def test_further_apart_the_map_is_not_below_one_larger_step() -> None:
    counts, histogram = make_dirichlet_counts(**GRADES), make_histogram(3, "0.28", "5.44")
    for d_in in (2, 5):
        for found, alpha, step in (
            (counts, OF_GRADES["alpha"], OF_GRADES["step"] * d_in),
            (histogram, "5.44", Fraction("0.28") * d_in),
        ):
            point = {"alpha": alpha, "step": step, "epsilon": 2}
            exact = evaluate("dirichlet.profile.delta", point)
            assert found.map(d_in).delta(2.0) >= exact.lower


def test_no_more_records_move_than_lie_above_the_floor() -> None:
    found = make_dirichlet_counts(k=10, eta="2/11", N=11, n=5)
    assert found.map(7).delta(1.0) == found.map(1).delta(1.0) > 0
    with pytest.raises(InputError, match="no two different inputs are neighbours"):
        make_dirichlet_counts(k=10, eta="0.2", N=10, n=5)


@pytest.mark.parametrize("d_in", [-1, 1001])
def test_a_distance_of_which_nothing_is_known_is_refused(d_in: int) -> None:
    with pytest.raises((OpenDPException, OverflowError)):
        make_histogram(3, 1, 1, "add_remove").map(d_in)


@pytest.mark.parametrize("d_in", [-1, math.nan, "x", math.inf])
def test_a_norm_that_is_none_is_refused(d_in: object) -> None:
    with pytest.raises(OpenDPException):
        make_dirichlet_vector(**VECTOR).map(d_in)


@pytest.mark.parametrize("value", [-1e-9, math.nan, -math.inf])
def test_an_epsilon_or_order_outside_is_refused(value: float) -> None:
    with pytest.raises(OpenDPException):
        make_histogram(3, 1, 1).map(1).delta(value)
    with pytest.raises(OpenDPException):
        make_histogram(3, 1, 1, measure="renyi").map(1)(value)


def test_opendps_combinators_go_on_from_it() -> None:
    fixed = dp.c.make_fix_delta(make_histogram(3, "0.28", "5.44"), 1e-6)
    epsilon, delta = fixed.map(1)
    given = {**HISTOGRAM, "delta": 1e-6}
    assert (delta, epsilon >= evaluate("dirichlet.profile.epsilon", given).lower) == (1e-6, True)
    assert dp.c.make_composition([fixed, fixed]).map(1)[0] >= 2 * epsilon


def test_records_counts_and_shares_are_drawn_with_their_parameters() -> None:
    seen: list[Fraction] = []
    draw = drawn_from(seen)
    make_histogram(3, "1/2", 1, draw=draw)([0, 2, 2])
    assert seen == [Fraction(3, 2), 1, 2]
    seen.clear()
    # A count below 0 is no count, but OpenDP's domain has it.
    make_histogram(3, "1/2", 1, "add_remove", draw=draw)([1, 0, -4])
    assert seen == [Fraction(3, 2), 1, 1]
    seen.clear()
    assert make_dirichlet_counts(8, "1/4", 4, 3, draw=draw)([0, 1, 1, 2]) == [1 / 4, 1 / 2, 1 / 4]
    assert seen == [2, 4, 2]
    seen.clear()
    make_dirichlet_vector(**VECTOR, draw=draw)(["0.3", "1/5", 0.125, "0.375"])
    assert seen == [3, 2, Fraction(5, 4), Fraction(15, 4)]


@pytest.mark.parametrize(
    ("make", "outside"),
    [
        (lambda draw: make_histogram(3, 1, 1, draw=draw), [[0, 3], [-1]]),
        (lambda draw: make_histogram(3, 1, 1, "add_remove", draw=draw), [[1, 2]]),
        (
            lambda draw: make_dirichlet_counts(6, "1/4", 4, 3, draw=draw),
            [[0, 1, 2], [0, 0, 1, 1], 7],
        ),
        (
            lambda draw: make_dirichlet_vector(**VECTOR, draw=draw),
            [["0.5", "0.5"], ["0.3", "0.2", "0.5", "0.1"], ["0.05", "0.25", "0.2", "0.5"],
             ["0.4", "0.4", "0.15", "0.05"], ["0.3", "0.3", "0.6", "-0.2"], ["x"], 7, []],
        ),
    ],
)  # fmt: skip
def test_what_is_no_input_is_refused_without_a_word_of_it(make: Any, outside: list[Any]) -> None:
    seen: list[Fraction] = []
    measurement = make(drawn_from(seen))
    for data in outside:
        with pytest.raises((OpenDPException, TypeError)) as caught:
            measurement(data)
        assert "0.05" not in str(caught.value)
        if "User" in str(measurement.input_domain):
            assert not measurement.input_domain.member(data)
    assert not seen


@each_of(
    "make, said",
    [
        (lambda: make_histogram(1, 1, 1), "cells"),
        (lambda: make_histogram(10**7, 1, 1), "cells"),
        (lambda: make_histogram(3, 0, 1), "step"),
        (lambda: make_histogram(3, 1, 1, "replaced"), "did you mean 'replace'"),
        (lambda: make_histogram(3, 1, 1, measure="profil"), "did you mean 'profile'"),
        (lambda: make_dirichlet_counts(6, "1/3", 4, 3), "no input satisfies"),
        (lambda: make_dirichlet_vector(10, "0.4", "0.1", [1, 2, 3]), "no input satisfies"),
        (lambda: make_dirichlet_vector(10, "0.1", "0.1", [0, 1]), "from 1 on"),
    ],
)
def test_what_is_no_mechanism_is_refused(make: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        make()


def test_exact_draws_are_asked_for_floats_and_refuse_no_data(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []

    def published_vector(*given: Any) -> list[Fraction]:
        asked.append(given)
        return [Fraction(1, 2**53), 1 - Fraction(1, 2**53)]

    monkeypatch.setattr(opendp, "published_vector", published_vector)
    monkeypatch.setattr(opendp, "operating_system", max)
    assert make_histogram(2, 1, "1/1000")([1]) == [2.0**-53, 1 - 2.0**-53]
    assert asked == [([Fraction(1, 1000), Fraction(1001, 1000)], 53, max)]
    with pytest.raises(InputError, match=r"0\.001"):
        make_histogram(2, 1, "1/1001")
    assert make_histogram(2, 1, "1/1001", draw=drawn_from([])).map(1)


@each_of(
    "make, said",
    [
        (lambda **how: make_histogram(3, 1, 10**300, **how), "10\\^300"),
        (lambda **how: make_histogram(3, 1, 10**300, "add_remove", **how), "10\\^300"),
        (lambda **how: make_dirichlet_counts(10**302, "1/4", 4, 3, **how), "10\\^300"),
        (lambda **how: make_dirichlet_vector(10**302, "0.1", "0.1", [1, 2], **how), "10\\^300"),
        (lambda **how: make_dirichlet_vector(1, "0.0005", "0.1", [1, 2], **how), "0\\.001"),
    ],
)
def test_no_data_are_refused_where_a_neighbour_is_drawn(make: Any, said: str) -> None:
    """A map is false of draws that refuse one of two neighbours: such parameters are refused."""
    with pytest.raises(InputError, match=said):
        make()
    assert make(draw=drawn_from([]))


@pytest.mark.skipif(find_spec("simplexcert.reference.sampling") is None, reason="no exact draws")
def test_the_exact_draws_are_shares() -> None:
    found = make_histogram(3, "0.28", "5.44")([0, 1, 1])
    assert sum(map(Fraction, found)) == 1
    assert all(share >= 0 for share in found)


def test_the_example_is_as_shown() -> None:
    assert doctest.testmod(opendp) == (0, 7)


@pytest.mark.parametrize(
    ("make", "given"),
    [
        (make_dirichlet_counts, {**GRADES, "eta": "1/5", "N": 35}),
        (make_dirichlet_counts, {**GRADES, "n": 1}),
        (make_dirichlet_vector, {**VECTOR, "W": [2]}),
        (make_dirichlet_vector, {**VECTOR, "eta_bar": "0.7"}),
    ],
)
def test_without_two_neighbouring_inputs_no_measurement_is_made(
    make: Callable[..., Any], given: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match="no two different inputs are neighbours"):
        make(**given)
