"""Drawing: what a sampler is asked, what its answers come to, and what is kept of them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from simplexcert.certify.backends.protocol import Backend, as_backend
from simplexcert.certify.samplers import (
    CHUNK,
    DRAWS,
    Point,
    points_to_test,
    results_at,
    sampler_results,
)
from simplexcert.certify.samplers.events import AnotherWhenAskedAgain
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

POINT = Point("laplace", (Fraction(3),), 12345)
HALVES = Point("dirichlet", (Fraction(1), Fraction(1)), 7)


def offering(**samplers: Any) -> Backend:
    thing = SimpleNamespace(name="made", version="1", quantities={}, samplers=samplers)
    return as_backend(thing, "made")


def laplace(scale: float, count: int, seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).laplace(0, scale, size=count)


def uniform(alpha: list[float], count: int, seed: int) -> np.ndarray[Any, Any]:
    """Draws of Dirichlet(1, 1)."""
    assert alpha == [1.0, 1.0]
    first = np.random.default_rng(seed).random(count)
    return np.column_stack([first, 1 - first])


def test_a_sampler_is_asked_for_chunks_by_keywords_and_the_first_again() -> None:
    asked = []

    def noting(**given: Any) -> Any:
        asked.append(given)
        return laplace(**given)

    (result,) = results_at((POINT,), offering(laplace=noting))
    assert [given["count"] for given in asked] == [CHUNK] * (DRAWS // CHUNK + 1)
    assert {given["scale"] for given in asked} == {3.0}
    seeds = [given["seed"] for given in asked]
    assert seeds[0] == seeds[-1] == POINT.seed
    assert len(set(seeds)) == DRAWS // CHUNK
    assert result.draws == DRAWS
    assert result.verdict is Verdict.CERTIFIED


def test_the_same_seed_gives_the_same_result() -> None:
    one, other = (results_at((POINT,), offering(laplace=laplace))[0] for _ in range(2))
    assert one.as_json() == other.as_json()


def test_alphas_are_given_as_a_list_of_floats() -> None:
    (result,) = results_at((HALVES,), offering(dirichlet=uniform))
    assert result.verdict is Verdict.CERTIFIED
    assert result.parameters == {"alpha": ["0x1.0000000000000p+0"] * 2}


def test_only_what_is_offered_is_tested() -> None:
    offered = offering(laplace=laplace)
    assert {point.sampler for point in points_to_test(offered, 0)} == {"laplace"}
    assert points_to_test(offering(), 0) == ()
    assert sampler_results(offering(), 0) == ()


def test_progress_is_told_point_by_point() -> None:
    left: list[int] = []
    results_at((POINT, HALVES), offering(laplace=laplace, dirichlet=uniform), left.append)
    assert left == [1, 0]


def test_false_alarms_are_shared_out_over_all_tests() -> None:
    results = results_at((POINT, HALVES), offering(laplace=laplace, dirichlet=uniform))
    in_all = sum(len(result.tests) for result in results)
    assert {result.tests_in_all for result in results} == {in_all}
    assert {test.tests_in_all for result in results for test in result.tests} == {in_all}


def raising(error: BaseException) -> Callable[..., Any]:
    def sampler(**_given: Any) -> Any:
        raise error

    return sampler


@pytest.mark.parametrize(
    ("sampler", "reason"),
    [
        (raising(ValueError("no")), "ValueError: no"),
        (raising(SystemExit(0)), "SystemExit: 0"),
        (lambda **_given: None, "answered None, which is no list of draws"),
        (lambda count, **_given: [0.5] * (count + 1), "answered more than 5000 draws, not 5000"),
        (lambda count, **_given: [float("nan")] * count, "answered nan at [1]"),
        (lambda scale: scale, "TypeError"),
    ],
)
def test_an_answer_that_is_no_draws_is_an_error(sampler: Callable[..., Any], reason: str) -> None:
    """The other points are tested all the same."""
    offered = offering(laplace=sampler, dirichlet=uniform)
    wrong, right = results_at((POINT, HALVES), offered)
    assert wrong.verdict is Verdict.ERROR
    assert reason in wrong.reason
    assert (wrong.tests, wrong.draws) == ((), 0)
    assert right.verdict is Verdict.CERTIFIED
    assert wrong.tests_in_all == right.tests_in_all == len(right.tests)


def test_an_interruption_passes() -> None:
    with pytest.raises(KeyboardInterrupt):
        results_at((POINT,), offering(laplace=raising(KeyboardInterrupt())))


def test_one_other_bit_for_the_same_seed_refutes() -> None:
    asked: set[int] = set()

    def another(scale: float, count: int, seed: int) -> Any:
        draws = laplace(scale, count, seed)
        if seed in asked:
            draws[17] = np.nextafter(draws[17], np.inf)
        asked.add(seed)
        return draws

    (result,) = results_at((POINT,), offering(laplace=another))
    refuting = [test for test in result.tests if test.verdict is Verdict.REFUTED]
    assert [type(test.event) for test in refuting] == [AnotherWhenAskedAgain]
    assert refuting[0].count == 1
    assert result.worst() == refuting[0]


def test_memory_does_not_grow_with_the_draws() -> None:
    """A chunk of numbers is 40 kB, all draws are 1.6 MB."""
    offered = offering(laplace=laplace)
    results_at((POINT,), offered)
    tracemalloc.start()
    try:
        results_at((POINT,), offered)
        assert tracemalloc.get_traced_memory()[1] < 20 * 8 * CHUNK
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("samplers", "sentence"),
    [
        ({"dirichlt": laplace}, "unknown sampler 'dirichlt'; did you mean 'dirichlet'"),
        ({"laplace": 3}, "samplers['laplace'] is not callable"),
        (["laplace"], "its 'samplers' is ['laplace'], not a mapping"),
    ],
)
def test_samplers_that_are_none_are_refused(samplers: Any, sentence: str) -> None:
    thing = SimpleNamespace(name="made", version="1", quantities={}, samplers=samplers)
    with pytest.raises(InputError) as error:
        as_backend(thing, "made")
    assert sentence in str(error.value)
