"""Drawing: what a sampler is asked, what its answers come to, and what is kept of them.

What a certificate says of samplers is worked out again; what does not follow is refused.
"""

from __future__ import annotations

import copy
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from each import each_of
from simplexcert.certify.backends.protocol import Backend, as_backend
from simplexcert.certify.samplers import (
    CHUNK,
    DRAWS,
    Point,
    points_to_test,
    require_all_points,
    results_at,
    sampler_results,
    sampler_verdict,
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


@each_of(
    "sampler, reason",
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


Written = dict[str, Any]
FLAT = Point("dirichlet", (Fraction(1), Fraction(1)), 5)


def offering_gamma(factor: float) -> Backend:
    def laplace(scale: float, count: int, seed: int) -> Any:
        return np.random.default_rng(seed).laplace(0, factor * scale, size=count)

    def dirichlet(alpha: list[float], count: int, seed: int) -> Any:
        return np.random.default_rng(seed).dirichlet(factor * np.array(alpha), size=count)

    samplers = {"laplace": laplace, "dirichlet": dirichlet}
    thing = SimpleNamespace(name="made", version="1", quantities={}, samplers=samplers)
    return as_backend(thing, "made")


@pytest.fixture(scope="module")
def sound() -> Written:
    return results_at((POINT,), offering_gamma(1))[0].as_json()


@pytest.fixture(scope="module")
def refuted() -> Written:
    return results_at((POINT,), offering_gamma(1.05))[0].as_json()


def test_what_was_written_is_found_again(sound: Written, refuted: Written) -> None:
    assert sampler_verdict(sound) is Verdict.CERTIFIED
    assert sampler_verdict(refuted) is Verdict.REFUTED
    flat = results_at((FLAT,), offering_gamma(1))[0].as_json()
    assert sampler_verdict(flat) is Verdict.CERTIFIED


def test_an_account_without_tests_is_an_error(sound: Written) -> None:
    without = {**sound, "tests": [], "draws": 0, "verdict": "error"}
    assert sampler_verdict(without) is Verdict.ERROR
    for stays in ("certified", "refuted", "inapplicable"):
        with pytest.raises(InputError, match="the verdict is error, not"):
            sampler_verdict({**without, "verdict": stays})


def test_tails_and_probabilities_may_be_stated_more_widely(sound: Written) -> None:
    """Another version of the engine may round their last digits in another way."""
    wider = copy.deepcopy(sound)
    wider["tests"][5]["tail"] = {"lower": "0", "upper": "1"}
    assert sampler_verdict(wider) is Verdict.CERTIFIED


def changed(written: Written, at: int, **fields: Any) -> Written:
    other = copy.deepcopy(written)
    other["tests"][at].update(fields)
    return other


def without_test(written: Written, at: int) -> Written:
    return {**written, "tests": [*written["tests"][:at], *written["tests"][at + 1 :]]}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda one: {**one, "sampler": "gamma"}, "there is no sampler 'gamma'"),
        (lambda one: {**one, "verdict": "refuted"}, "the verdict is certified, not 'refuted'"),
        (lambda one: {**one, "draws": DRAWS - 1}, f"{DRAWS - 1} draws, and not {DRAWS}"),
        (lambda one: {**one, "false_alarm": "1/1000"}, "the rate of false alarms is 1/1000000000"),
        (lambda one: {**one, "tests_in_all": 17}, "17 tests in all, 18 here"),
        (lambda one: {**one, "tests_in_all": 1001}, "1001 tests in all"),
        (lambda one: without_test(one, 0), "the tests are not those that are made there"),
        (lambda one: without_test(one, 17), "the tests are not those that are made there"),
        (lambda one: {**one, "tests": one["tests"] * 2, "tests_in_all": 36}, "the tests are not"),
        (lambda one: {**one, "tests": one["tests"][::-1]}, "the tests are not"),
        (lambda one: changed(one, 4, test="many bits"), "the tests are not"),
        (lambda one: changed(one, 4, draws=7), "the tests are not"),
        (lambda one: changed(one, 7, parameters={"below": "0x1.8p+0"}), "the tests are not"),
        (lambda one: changed(one, 7, count=DRAWS + 1), f"a count of {DRAWS + 1} of {DRAWS}"),
        (lambda one: changed(one, 7, count=-1), f"a count of -1 of {DRAWS}"),
        (lambda one: changed(one, 7, count=DRAWS // 4), "the tail is not within"),
        (
            lambda one: changed(one, 7, probability={"lower": "0.51", "upper": "0.52"}),
            "the probability is not within",
        ),
        (
            lambda one: changed(one, 1, probability={"lower": "2e-11", "upper": "1e-11"}),
            "the probability is not within",
        ),
        (
            lambda one: changed(one, 7, count=DRAWS // 4, tail={"lower": "0", "upper": "1"}),
            "is refuted, not certified",
        ),
        (lambda one: changed(one, 7, verdict="undecided"), "the verdict is undecided, not 'certi"),
        (lambda one: {**one, "parameters": {"scale": "3"}}, "scale = '3' is no C99 hex text"),
        (lambda one: {**one, "parameters": {"scale": "nan"}}, "nan"),
        (lambda one: {**one, "parameters": {"scale": 3}}, "3 is no C99 hex text"),
        (
            lambda one: {**one, "parameters": {"scale": "0x1p+30"}},
            "scale = 1073741824 is not tested",
        ),
        (lambda one: {**one, "parameters": {"alpha": ["0x1p+0"]}}, "are not scale alone"),
        (lambda one: {**one, "parameters": {"scale": ["0x1p+0"]}}, "scale is ['0x1p+0']"),
        (
            lambda one: {**one, "sampler": "dirichlet", "parameters": {"alpha": ["0x1p+0"] * 4}},
            "dirichlet: 4 alphas are not tested",
        ),
        (
            lambda one: {**one, "sampler": "dirichlet", "parameters": {"alpha": "0x1p+0"}},
            "alpha is '0x1p+0'",
        ),
    ],
)
def test_what_does_not_follow_is_refused(
    sound: Written, change: Callable[[Written], Written], sentence: str
) -> None:
    with pytest.raises(InputError) as error:
        sampler_verdict(change(sound))
    assert sentence in str(error.value)


def test_what_is_stated_as_undecided_contradicts_nothing(sound: Written, refuted: Written) -> None:
    """It is found as it is; how the whole then stands, the certificate's verification says."""
    for written, found in ((sound, Verdict.CERTIFIED), (refuted, Verdict.REFUTED)):
        unsure = {**changed(written, 7, verdict="undecided"), "verdict": "undecided"}
        for test in unsure["tests"]:
            test["verdict"] = "undecided"
        assert sampler_verdict(unsure) is found


def test_no_count_of_a_refutation_can_be_dropped(refuted: Written) -> None:
    """A refuting test that is told of as sound, or left out, is no certificate."""
    at = next(i for i, test in enumerate(refuted["tests"]) if test["verdict"] == "refuted")
    for other in (changed(refuted, at, verdict="certified"), without_test(refuted, at)):
        with pytest.raises(InputError):
            sampler_verdict({**other, "verdict": "certified"})


def test_all_points_of_the_seed_are_required() -> None:
    written = [result.as_json() for result in sampler_results(only("laplace"), 3)]
    require_all_points(written, 3)
    require_all_points([], 3)
    for wrong, sentence in (
        (written[1:], "tests of samplers are told of"),
        ([{**one, "tests_in_all": 18} for one in written[:1]], "are not those of the seed 3"),
        (written[::-1], "are not those of the seed 3"),
    ):
        with pytest.raises(InputError, match=sentence):
            require_all_points(wrong, 3)
    with pytest.raises(InputError, match="are not those of the seed 4"):
        require_all_points(written, 4)


def only(kind: str) -> Backend:
    whole = offering_gamma(1)
    thing = SimpleNamespace(
        name="made", version="1", quantities={}, samplers={kind: whole.samplers[kind]}
    )
    return as_backend(thing, "made")
