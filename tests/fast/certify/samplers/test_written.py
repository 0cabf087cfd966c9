"""What a certificate says of samplers is worked out again; what does not follow is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from simplexcert.certify.backends.protocol import Backend, as_backend
from simplexcert.certify.samplers import (
    DRAWS,
    Point,
    require_all_points,
    results_at,
    sampler_results,
    sampler_verdict,
)
from simplexcert.certify.verdict import Verdict
from simplexcert.reference.errors import InputError

Written = dict[str, Any]
POINT = Point("laplace", (Fraction(3),), 12345)
FLAT = Point("dirichlet", (Fraction(1), Fraction(1)), 5)


def offering(factor: float) -> Backend:
    def laplace(scale: float, count: int, seed: int) -> Any:
        return np.random.default_rng(seed).laplace(0, factor * scale, size=count)

    def dirichlet(alpha: list[float], count: int, seed: int) -> Any:
        return np.random.default_rng(seed).dirichlet(factor * np.array(alpha), size=count)

    samplers = {"laplace": laplace, "dirichlet": dirichlet}
    thing = SimpleNamespace(name="made", version="1", quantities={}, samplers=samplers)
    return as_backend(thing, "made")


@pytest.fixture(scope="module")
def sound() -> Written:
    return results_at((POINT,), offering(1))[0].as_json()


@pytest.fixture(scope="module")
def refuted() -> Written:
    return results_at((POINT,), offering(1.05))[0].as_json()


def test_what_was_written_is_found_again(sound: Written, refuted: Written) -> None:
    assert sampler_verdict(sound) is Verdict.CERTIFIED
    assert sampler_verdict(refuted) is Verdict.REFUTED
    flat = results_at((FLAT,), offering(1))[0].as_json()
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
    whole = offering(1)
    thing = SimpleNamespace(
        name="made", version="1", quantities={}, samplers={kind: whole.samplers[kind]}
    )
    return as_backend(thing, "made")
