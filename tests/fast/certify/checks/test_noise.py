"""The law of noise: sound answers pass, unsafe ones are refuted by releases that are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from each import each_of
from simplexcert.certify.backends.float64 import backend as float64
from simplexcert.certify.checks.case import answered
from simplexcert.certify.checks.relations.cases import StatedOther, relation_verdict
from simplexcert.certify.checks.relations.noise import Noise, release_in
from simplexcert.certify.checks.relations.relation import (
    Declared,
    First,
    Found,
    NoNumberError,
    as_witness,
    by_both_engines,
    by_the_first_engine,
)
from simplexcert.certify.points import exact_point
from simplexcert.certify.search.strategies import points_from
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.errors import InputError
from simplexcert.reference.quantity import quantities, quantity_named
from simplexcert.reference.relations import OfChains, OfMixingChains, OfTwoStates
from simplexcert.reference.structures import ChainLaw

LAW = Noise()
PROMISES = {name: item.noise for name, item in quantities().items() if item.noise}
EXACT = "pufferfish.quilt_scale_exact"
HALF = Fraction(1, 2)
IDENTITY = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
CHAIN = {"initial": [0.5, 0.5], "P": [[0.5, 0.5], [0.5, 0.5]]}
LISTED = ChainLaw((0.5, 0.5), ((0.5, 0.5), (0.5, 0.5)))  # type: ignore[arg-type]
POINT: dict[str, Any] = {"chains": (LISTED,), "length": 3, "epsilon": 1.0, "width": 3}


def points_of(name: str, count: int) -> Iterator[Any]:
    yield from islice(points_from(quantity_named(name), "noise"), count)


def case_at(
    name: str, point: Any, turn: int, answer: Callable[..., Any], slack: Fraction = Fraction(0)
) -> tuple[Found, Verdict]:
    """Return the law's case at a point, and its verdict."""
    quantity = quantity_named(name)
    first = First(point, answered(answer, point), turn)
    declared = Declared({name: quantity}, {name: slack}, {})
    found = LAW.found(quantity, first, lambda *_: None, declared)
    return found, LAW.verdict_on(as_witness(quantity, found), slack, None, by_the_first_engine)[0]


def written(name: str, found: Found, others: Any = None, slack: Fraction = Fraction(0)) -> Verdict:
    """Judge a case as it is written down, by both engines."""
    own = [StatedOther(one.quantity, dict(one.parameters), None) for one in found.others]
    given = own if others is None else others
    arguments = (
        "adjacency",
        quantity_named(name),
        found.parameters,
        found.value,
        given,
        slack,
        None,
        by_both_engines(20.0),
    )
    return relation_verdict(*arguments)[0]


def truthful(name: str) -> Callable[..., float]:
    """Return what answers the double next to the truth, above it."""

    def answer(**point: Any) -> float:
        upper = evaluate(name, point).enclosure.upper
        near = float(upper)
        return math.nextafter(near, math.inf) if near < upper else near

    return answer


def test_all_printed_scales_and_epsilons_of_quilts_promise_something() -> None:
    assert sorted(name.removeprefix("pufferfish.") for name in PROMISES) == [
        "gk16_scale", "network_epsilon", "network_scale", "quilt_epsilon", "quilt_scale_approx",
        "quilt_scale_approx_stationary", "quilt_scale_contraction", "quilt_scale_exact",
        "quilt_scale_pieces", "quilt_scale_two_state", "wasserstein_scale",
    ]  # fmt: skip


@each_of("name", PROMISES)
def test_the_truth_keeps_its_promises(name: str) -> None:
    for turn, point in enumerate(points_of(name, 6)):
        assert case_at(name, point, turn, truthful(name))[1] is Verdict.CERTIFIED


@each_of("name", [name for name in PROMISES if name in float64.quantities])
def test_the_sound_backend_keeps_its_promises(name: str) -> None:
    for turn, point in enumerate(points_of(name, 12)):
        assert case_at(name, point, turn, float64.quantities[name])[1] is Verdict.CERTIFIED


@each_of("answer", [0.0, -1.0, -math.inf])
@each_of("name", PROMISES)
def test_nothing_is_refuted_by_a_release_that_re_derives(name: str, answer: float) -> None:
    for turn, point in enumerate(points_of(name, 20)):
        found, verdict = case_at(name, point, turn, lambda **_: answer)
        if verdict is Verdict.REFUTED:
            break
    assert verdict is Verdict.REFUTED
    assert written(name, found) is Verdict.REFUTED


@each_of("name", PROMISES)
def test_a_release_that_is_drawn_is_spoken_of(name: str) -> None:
    for turn, point in enumerate(points_of(name, 12)):
        promise = PROMISES[name]
        complete = {**exact_point(point), promise.answer: Fraction(2)}
        space = promise.releases(complete)
        if space is not None:
            release = {**release_in(space, str(turn)), "scale": float(space.scale) * 1.001}
            assert space.has(quantity_named(space.loss).read(release))


def test_no_query_that_is_drawn_adds_the_same_for_all_states() -> None:
    for states in (1, 2, 3):
        row = (Fraction(1), *[Fraction(0)] * (states - 1))
        space = OfChains((ChainLaw(row, (row,) * states),), 5, Fraction(1))
        for turn in range(40):
            values: Any = release_in(space, str(turn))["values"]
            assert all(len(set(each)) == min(states, 2) for each in values)


def test_independent_nodes_need_the_scale_of_one_entry_and_a_little_less_is_refuted() -> None:
    for answer, expected in ((1.0, Verdict.CERTIFIED), (1 - 1e-9, Verdict.REFUTED)):
        verdicts = {case_at(EXACT, POINT, turn, lambda **_: answer)[1] for turn in range(4)}  # noqa: B023
        assert expected in verdicts
        assert (Verdict.REFUTED in verdicts) is (expected is Verdict.REFUTED)


def test_a_declared_slack_is_added_before_anything_is_refuted() -> None:
    slack = Fraction(1, 10)
    cases = [case_at(EXACT, POINT, turn, lambda **_: 0.95, slack) for turn in range(4)]
    assert {verdict for _, verdict in cases} == {Verdict.CERTIFIED}
    assert {written(EXACT, found, slack=slack) for found, _ in cases} == {Verdict.CERTIFIED}


@pytest.mark.parametrize(
    ("name", "point"),
    [
        (EXACT, POINT),
        (
            "pufferfish.quilt_scale_approx",
            {"pi_min": 0.75, "gap": 0.5, "length": 5, "epsilon": 1.0},
        ),
    ],
)
def test_what_promises_nothing_is_kept_and_has_no_release(name: str, point: Any) -> None:
    answer = math.inf if name == EXACT else 0.0
    found, verdict = case_at(name, point, 0, lambda **_: answer)
    assert (found.others, verdict) == ((), Verdict.CERTIFIED)
    release = case_at(EXACT, POINT, 0, lambda **_: 1.0)[0].others[0]
    with pytest.raises(InputError, match="where nothing is promised"):
        written(name, found, [StatedOther(release.quantity, dict(release.parameters), None)])


def test_what_is_no_number_is_an_error() -> None:
    with pytest.raises(NoNumberError):
        case_at(EXACT, POINT, 0, lambda **_: math.nan)


RELEASE: dict[str, Any] = {"chains": [CHAIN], "length": 3, "values": [[0, 1]], "scale": 1.0}


def other(**changed: Any) -> list[StatedOther]:
    return [StatedOther("pufferfish.chain_loss", {**RELEASE, **changed}, None)]


def test_the_witness_that_is_changed_below_is_one() -> None:
    found = case_at(EXACT, POINT, 0, lambda **_: 1.0)[0]
    assert written(EXACT, found, other()) is Verdict.CERTIFIED


@each_of(
    "others, says",
    [
        (other(length=4), "not a release that is spoken of"),
        (other(values=[[0, 1.5]]), "not a release that is spoken of"),
        (other(scale=0.875), "not a release that is spoken of"),
        (other(scale=1.125), "not the scale that was answered for"),
        (other(chains=[{**CHAIN, "initial": [0.25, 0.75]}]), "not a release that is spoken of"),
        (
            other(chains=[{**CHAIN, "P": [[0.75, 0.25], [0.5, 0.5]]}]),
            "not a release that is spoken of",
        ),
        ([], "not a release"),
        (other() * 2, "not a release"),
        ([StatedOther("pufferfish.chain_loss", RELEASE, Fraction(9))], "not answered but enclosed"),
        (
            [StatedOther("pufferfish.entry_scale", {"lipschitz": 1, "epsilon": 1}, None)],
            "not a release",
        ),
    ],
)
def test_a_witness_that_is_not_of_the_laws_form_is_refused(others: Any, says: str) -> None:
    found = case_at(EXACT, POINT, 0, lambda **_: 1.0)[0]
    with pytest.raises(InputError, match=says):
        written(EXACT, found, others)


def release_of(chain: ChainLaw, length: int = 2) -> dict[str, Any]:
    values = ((Fraction(0), Fraction(1)),)
    return {"chains": (chain,), "length": length, "values": values, "scale": Fraction(1)}


def staying(*stay: Fraction, start: Any = (HALF, HALF)) -> ChainLaw:
    one, two = stay
    return ChainLaw(start, ((one, 1 - one), (1 - two, two)))


def test_two_states_stay_as_the_class_does_but_where_no_move_is_made() -> None:
    space = OfTwoStates(Fraction(1, 4), HALF, 3, Fraction(1))
    assert space.has(release_of(staying(Fraction(1, 4), HALF)))
    for stay in ((Fraction(1, 5), HALF), (HALF, Fraction(3, 4))):
        assert not space.has(release_of(staying(*stay)))
        assert space.has(release_of(staying(*stay), length=1))
    assert not space.has(release_of(staying(HALF, HALF, start="stationary")))


@each_of("gap, largest", [("3/4", "1/2"), ("1", "0"), ("3/2", "1/4"), ("2", "0"), ("9", "0")])
def test_symmetric_chains_mix_as_the_gap_says(gap: str, largest: str) -> None:
    space = OfMixingChains(Fraction(gap), 3, Fraction(1))
    size = Fraction(largest)
    for sign in (-1, 1):
        assert space.has(release_of(staying(*[(1 + sign * size) / 2] * 2)))
        assert not space.has(release_of(staying(*[(1 + sign * (size + Fraction(1, 99))) / 2] * 2)))
    assert not space.has(release_of(staying(HALF, Fraction(1, 3))))
    assert not space.has(release_of(staying(HALF, HALF, start=(Fraction(1), Fraction(0)))))


def test_any_start_is_each_start_and_no_other_start_is_a_listed_one() -> None:
    anywhere = OfChains((ChainLaw("any", IDENTITY),), 3, Fraction(1))
    listed = OfChains((ChainLaw("stationary", IDENTITY),), 3, Fraction(1))
    release = release_of(ChainLaw((HALF, HALF), IDENTITY))
    assert anywhere.has(release)
    assert not listed.has(release)


def test_symmetric_chains_have_the_gap_that_they_are_drawn_for() -> None:
    for gap in (Fraction(1, 9), HALF, Fraction(1), Fraction(3, 2), Fraction(2)):
        for turn in range(4):
            space = OfMixingChains(gap, 2, Fraction(1))
            chain: Any = exact_point(release_in(space, str(turn)))["chains"]
            for name in ["eigengap_reversible", *(["eigengap"] if gap <= 1 else [])]:
                assert evaluate(f"pufferfish.{name}", {"P": chain[0].P}).enclosure.upper >= gap
