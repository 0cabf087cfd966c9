"""Each law: what it refutes, what it lets pass, and which witnesses it refuses.

Laws in a campaign: how many cases they have, in which order, and what they leave alone.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from each import each, each_of
from hypothesis import given, settings
from hypothesis import strategies as st
from instances import instances
from simplexcert.certify import certify_backend
from simplexcert.certify.backends.answers import Real
from simplexcert.certify.backends.float64 import backend as float64
from simplexcert.certify.backends.loading import load_backend
from simplexcert.certify.backends.protocol import as_backend
from simplexcert.certify.campaign import Campaign, cases_of_relation
from simplexcert.certify.campaign.batches import Batch, batches_of, relation_cases
from simplexcert.certify.campaign.run import sample_share, tallies_of
from simplexcert.certify.checks.judgement import AGAINST_THE_TRUTH
from simplexcert.certify.checks.relations import cases as registry
from simplexcert.certify.checks.relations.cases import (
    StatedOther,
    relation_cases_at,
    relation_off_by,
    relation_verdict,
    relations_for,
)
from simplexcert.certify.checks.relations.determinism import Determinism
from simplexcert.certify.checks.relations.form import Form
from simplexcert.certify.checks.relations.inverse import INSTEAD_OF_NOTHING
from simplexcert.certify.checks.relations.limit import NEAR
from simplexcert.certify.checks.relations.relation import (
    SLACK_OF_RELATIONS,
    First,
    are_in_order,
    by_both_engines,
    is_in_range,
    rounded,
)
from simplexcert.certify.points import Case, exact_point, real_in
from simplexcert.certify.search.hunt import hunted
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import evaluate
from simplexcert.reference.domain import A_PROBABILITY, ANY_NUMBER, AT_LEAST_ZERO
from simplexcert.reference.enclosure import Enclosure, Enclosures
from simplexcert.reference.errors import InputError
from simplexcert.reference.precision import Budget
from simplexcert.reference.quantity import quantities, quantity_named

DELTA, EPSILON = "dirichlet.profile.delta", "dirichlet.profile.epsilon"
STEP, K = "dirichlet.profile.step_for_dp", "dirichlet.identity.k_for_dp"
BOUND = "dirichlet.identity.epsilon_bound"
COMPOSED = "dirichlet.composition.delta"
POINT = {"alpha": Fraction(2), "step": Fraction(1), "epsilon": Fraction(1, 2)}
NOTE = Path(__file__).resolve().parents[4] / "proofs_notes" / "laws-of-answers.md"
SECONDS, FEW_BITS = 20.0, 128
CERTIFIED, REFUTED = Verdict.CERTIFIED, Verdict.REFUTED


def verdict(
    check: str,
    quantity: str,
    point: Mapping[str, Any],
    value: Real,
    *others: tuple[str, Mapping[str, Any], Real | None],
    slack: Fraction = Fraction(0),
    accuracy: Fraction | None = None,
    place: tuple[int, ...] = (),
) -> Verdict:
    given = [StatedOther(*other) for other in others]
    found, _, note = relation_verdict(
        check,
        quantity_named(quantity),
        point,
        value,
        given,
        slack,
        accuracy,
        by_both_engines(SECONDS),
        place=place,
    )
    return REFUTED if note == "loose" else found


def cases(name: str, point: Mapping[str, Any], turn: int = 0, **functions: Any) -> dict[str, Case]:
    """Return the laws' cases of the built-in backend with some functions replaced."""
    answers = {**float64.quantities, **{key.replace("__", "."): f for key, f in functions.items()}}

    class Made:
        name, version, quantities = "made", "1", answers

    backend = as_backend(Made(), "made")
    first = First(point, answers[name](**point), turn)
    found = relation_cases_at(quantity_named(name), backend, first)
    return {case.check: case for case in found}


def floats(point: Mapping[str, Fraction]) -> dict[str, float]:
    return {name: float(value) for name, value in point.items()}


# Determinism


def test_the_same_answer_twice_is_certified_and_another_refuted() -> None:
    for second, found in ((Fraction(1, 3), CERTIFIED), (Fraction(1, 3) + NEAR, REFUTED)):
        one = (DELTA, POINT, second)
        assert verdict("determinism", DELTA, POINT, Fraction(1, 3), one) is found
    assert verdict("determinism", DELTA, POINT, math.inf, (DELTA, POINT, math.inf)) is CERTIFIED
    assert verdict("determinism", DELTA, POINT, math.inf, (DELTA, POINT, -math.inf)) is REFUTED


@each_of(
    "others",
    [
        (),
        ((DELTA, POINT, None),),
        ((DELTA, {**POINT, "alpha": 3}, Fraction(1, 3)),),
        ((EPSILON, {"alpha": 2, "step": 1, "delta": 1}, Fraction(1, 3)),),
        ((DELTA.replace("profile", "add_remove"), POINT, Fraction(1, 3)),),
        ((DELTA, POINT, Fraction(1, 3)),) * 2,
    ],
)
def test_a_witness_of_determinism_is_one_other_answer_at_the_point(others: Any) -> None:
    with pytest.raises(InputError, match="determinism"):
        verdict("determinism", DELTA, POINT, Fraction(1, 3), *others)


def test_of_an_array_the_first_entry_that_differs_is_the_witness() -> None:
    answers = iter([[0.5, 0.25, 0.25], [0.5, 0.25, 0.125]])
    point = {"P": ((0.5, 0.25, 0.25),) * 3}
    found = cases("markov.stationary", point, markov__stationary=lambda P: next(answers))  # noqa: ARG005
    case = found["determinism"]
    assert (case.entry, case.value, case.others[0].value) == ((3,), *map(float.hex, (0.125, 0.25)))
    assert case.verdict is REFUTED


def test_another_shape_than_before_is_an_error() -> None:
    answers = iter([[0.5, 0.5], 0.5])
    point = {"P": ((0.5, 0.5),) * 2}
    found = cases("markov.stationary", point, markov__stationary=lambda P: next(answers))  # noqa: ARG005
    assert found["determinism"].verdict is Verdict.ERROR


def test_a_list_where_a_number_is_asked_for_is_an_error_of_every_law() -> None:
    found = cases(DELTA, floats(POINT), dirichlet__profile__delta=lambda **_: [0.5])
    assert {case.verdict for case in found.values()} == {Verdict.ERROR}


@pytest.mark.parametrize("check", ["determinism", "limit"])
def test_a_witness_has_an_entry_only_where_the_quantity_has(check: str) -> None:
    """The range of an entry that has no end binds nothing: -5 would be in order."""
    point = {"alpha": 2, "step": 1, "delta": Fraction(1, 10)}
    value = Fraction(-5)
    others = ((EPSILON, point, value),) if check == "determinism" else ()
    with pytest.raises(InputError, match="no entry"):
        verdict(check, EPSILON, point, value, *others, place=(1,))


@each(quantities())
def test_entries_are_told_by_as_many_numbers_as_the_truth_has_them(name: str) -> None:
    points: list[Any] = []
    hunted(quantity_named(name), lambda point: points.append(point) or Fraction(0), 1, name)  # type: ignore[func-returns-value]
    budget = Budget(SECONDS, FEW_BITS)
    depth, found = 0, evaluate(name, exact_point(points[0]), digits=1, budget=budget).enclosure
    while isinstance(found, Enclosures):
        depth, found = depth + 1, found.entries[0]
    assert depth == quantity_named(name).shape


def test_determinism_asks_after_all_that_other_laws_ask() -> None:
    asked = []

    def remembering(**given: float) -> float:
        asked.append(given)
        return float(float64.quantities[DELTA](**given))

    point = floats(POINT)
    cases(DELTA, point, turn=1, dirichlet__profile__delta=remembering)
    assert asked[0] == asked[-1] == point
    assert len(asked) >= len(("first", "monotone", "limit", "determinism"))
    assert all(given != point for given in asked[1:-1])


# Monotone


def shifted(value: Fraction, share: str) -> Fraction:
    return value * (1 + Fraction(share))


@pytest.mark.parametrize(("share", "found"), [("0.0099", CERTIFIED), ("0.0103", REFUTED)])
def test_answers_may_be_out_of_order_by_a_hundredth(share: str, found: Verdict) -> None:
    """Delta falls with epsilon, whichever of the two is judged."""
    low, high = POINT, {**POINT, "epsilon": Fraction(1)}
    less, more = Fraction(1, 4), shifted(Fraction(1, 4), share)
    assert verdict("monotone", DELTA, low, less, (DELTA, high, more)) is found
    assert verdict("monotone", DELTA, high, more, (DELTA, low, less)) is found
    assert verdict("monotone", DELTA, low, more, (DELTA, high, less)) is CERTIFIED


def test_answers_at_one_point_have_to_agree() -> None:
    for share, found in (("0.0099", CERTIFIED), ("0.02", REFUTED)):
        one = Fraction(1, 4)
        assert verdict("monotone", DELTA, POINT, shifted(one, share), (DELTA, POINT, one)) is found
        assert verdict("monotone", DELTA, POINT, one, (DELTA, POINT, shifted(one, share))) is found


def test_declarations_widen_the_order() -> None:
    low, high = POINT, {**POINT, "epsilon": Fraction(1)}
    others = (DELTA, high, Fraction(11, 40))
    assert verdict("monotone", DELTA, low, Fraction(1, 4), others) is REFUTED
    for declared in ({"slack": NEAR * 500}, {"accuracy": NEAR * 500}):
        assert verdict("monotone", DELTA, low, Fraction(1, 4), others, **declared) is CERTIFIED


def test_an_infinite_answer_is_in_order_only_above() -> None:
    low, high = POINT, {**POINT, "epsilon": Fraction(1)}
    assert verdict("monotone", DELTA, high, math.inf, (DELTA, low, Fraction(1))) is REFUTED
    assert verdict("monotone", DELTA, high, Fraction(1), (DELTA, low, math.inf)) is CERTIFIED


def test_an_answer_beyond_all_doubles_is_a_number_like_any_other() -> None:
    low, high = POINT, {**POINT, "epsilon": Fraction(1)}
    beyond = Fraction(10**400, 3)
    assert verdict("monotone", DELTA, high, beyond, (DELTA, low, Fraction(1))) is REFUTED
    assert verdict("monotone", DELTA, high, Fraction(1), (DELTA, low, beyond)) is CERTIFIED
    assert verdict("monotone", DELTA, high, beyond, (DELTA, low, math.inf)) is CERTIFIED
    assert relation_off_by("determinism", beyond, Enclosure.infinite()) == (None, "unknown")


@pytest.mark.parametrize(
    "other",
    [
        {**POINT, "epsilon": Fraction(1), "alpha": Fraction(3)},
        {**POINT, "epsilon": Fraction(1), "step": Fraction(3)},
    ],
)
def test_two_parameters_that_differ_are_refused(other: Mapping[str, Fraction]) -> None:
    with pytest.raises(InputError, match="nothing is known of the order"):
        verdict("monotone", DELTA, POINT, Fraction(1, 4), (DELTA, other, Fraction(1, 4)))


def test_a_parameter_of_which_nothing_is_proved_is_refused() -> None:
    point = {"k": 9, "eta": "0.1", "eta_bar": "0.1", "b": "0.1", "w": 2, "gamma": "0.01"}
    for moved in ({"b": "0.2"}, {"k": 10, "w": 3}):
        other = (BOUND, {**point, **moved}, Fraction(1))
        with pytest.raises(InputError, match="nothing is known of the order"):
            verdict("monotone", BOUND, point, Fraction(1), other)
    assert verdict("monotone", BOUND, point, Fraction(1), (BOUND, {**point, "k": 10}, Fraction(2)))


def test_a_fact_is_used_only_where_it_holds() -> None:
    """The printed epsilon can fall with k where eta + s > 1 - eta_bar - eta."""
    point = {"k": 9, "eta": "0.45", "eta_bar": "0.05", "b": "0.4", "w": 2, "gamma": "0.01"}
    with pytest.raises(InputError, match="nothing is known of the order"):
        verdict("monotone", BOUND, point, Fraction(1), (BOUND, {**point, "k": 10}, Fraction(2)))


def test_a_side_that_is_absent_is_no_lag() -> None:
    """Lag 0 says that there is no such side: 1 and 2 are ordered, 0 and 1 are not."""
    name, point = "pufferfish.max_influence", {"initial": "stationary", "node": 4, "right": 1}
    whole = {**point, "P": [["1/2", "1/2"], ["1/4", "3/4"]]}
    near, far, absent = ({**whole, "left": left} for left in (1, 2, 0))
    one, two = Fraction(1), Fraction(2)
    assert verdict("monotone", name, near, two, (name, far, one)) is CERTIFIED
    for first, second in ((near, absent), (absent, near)):
        with pytest.raises(InputError, match="nothing is known of the order"):
            verdict("monotone", name, first, one, (name, second, one))


@pytest.mark.parametrize(
    ("others", "place"),
    [((), ()), (((DELTA, POINT, None),), ()), (((DELTA, POINT, Fraction(1)),), (1,))],
)
def test_a_witness_of_order_is_one_other_answer(others: Any, place: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match="monotone"):
        verdict("monotone", DELTA, POINT, Fraction(1), *others, place=place)
    other = (EPSILON, {"alpha": 2, "step": 1, "delta": 1}, Fraction(1))
    with pytest.raises(InputError, match="another quantity"):
        verdict("monotone", DELTA, POINT, Fraction(1), other)


# Limit


def test_answers_lie_where_the_quantity_can_lie() -> None:
    for value, found in ((Fraction("1.01"), CERTIFIED), (Fraction("1.02"), REFUTED)):
        assert verdict("limit", DELTA, POINT, value) is found
        assert verdict("limit", DELTA, POINT, 1 - value) is found
    assert verdict("limit", DELTA, POINT, math.inf) is REFUTED
    assert verdict("limit", DELTA, POINT, -math.inf) is REFUTED
    assert not is_in_range(-math.inf, ANY_NUMBER, Fraction(0), None)
    assert is_in_range(math.inf, ANY_NUMBER, Fraction(0), None)
    within = Fraction("1.02")
    assert verdict("limit", DELTA, POINT, within, accuracy=SLACK_OF_RELATIONS) is CERTIFIED
    assert verdict("limit", EPSILON, {"alpha": 2, "step": 1, "delta": 0}, math.inf) is CERTIFIED


def test_an_entry_of_an_unbounded_array_is_in_range() -> None:
    """Its accuracy is a share of the largest entry's, whatever that is."""
    value = Fraction(-5)
    accuracy = Fraction(1, 10**9)
    assert is_in_range(value, AT_LEAST_ZERO, Fraction(0), accuracy, of_an_entry=True)
    assert not is_in_range(value, AT_LEAST_ZERO, Fraction(0), accuracy)
    assert not is_in_range(value, A_PROBABILITY, Fraction(0), accuracy, of_an_entry=True)


def test_at_an_end_the_answer_is_near_the_limit_where_the_truth_is() -> None:
    far = {**POINT, "epsilon": Fraction(30)}
    for value, found in ((SLACK_OF_RELATIONS, CERTIFIED), (SLACK_OF_RELATIONS * 2, REFUTED)):
        assert verdict("limit", DELTA, far, value, (DELTA, far, None)) is found
    large = {"alpha": Fraction(1, 1000), "step": Fraction(1000), "epsilon": Fraction(30)}
    assert verdict("limit", DELTA, large, Fraction(1), (DELTA, large, None)) is CERTIFIED


LATE = {**POINT, "epsilon": 30}


@each_of(
    "point, other",
    [
        (POINT, (DELTA, POINT, None)),
        (LATE, (DELTA, LATE, Fraction(1))),
        (LATE, (DELTA, {**LATE, "alpha": 3}, None)),
        (LATE, (DELTA.replace("profile", "add_remove"), LATE, None)),
    ],
)
def test_a_witness_of_a_limit_is_the_truth_at_an_end(point: Any, other: Any) -> None:
    with pytest.raises(InputError, match="limit"):
        verdict("limit", DELTA, point, Fraction(1, 2), other)


# Inverse


TARGET = {"alpha": Fraction(2), "step": Fraction(1), "delta": Fraction(1, 100)}
EXACT = evaluate(EPSILON, TARGET, digits=20)


def at_epsilon(value: Fraction, sign: int = 1) -> dict[str, Fraction]:
    return {"alpha": TARGET["alpha"], "step": TARGET["step"],
            "epsilon": Fraction(rounded(value, sign))}  # fmt: skip


def judged(value: Fraction, own: Fraction | None = None, slack: str = "0") -> Verdict:
    kept = at_epsilon(value / (1 - Fraction(slack)))
    others: list[Any] = [(DELTA, kept, None)]
    if own is not None:
        others.append((DELTA, at_epsilon(value / 2, -1), own))
    return verdict("inverse", EPSILON, TARGET, value, *others, slack=Fraction(slack))


def test_an_inverse_that_misses_its_target_is_refuted() -> None:
    right = Fraction(float(EXACT.upper))
    low = Fraction(float(EXACT.lower * Fraction("0.999")))
    assert judged(shifted(right, "0.5")) is CERTIFIED
    assert judged(low) is REFUTED
    assert judged(low, slack="0.01") is CERTIFIED


def test_an_inverse_is_needlessly_far_if_half_would_do() -> None:
    value, target = shifted(Fraction(float(EXACT.upper)), "1.5"), TARGET["delta"]
    assert judged(value, own=target * (1 - SLACK_OF_RELATIONS)) is REFUTED
    assert judged(value, own=target) is CERTIFIED


def test_a_witness_of_an_inverse_is_asked_at_the_answer() -> None:
    value = Fraction(float(EXACT.upper)) * 2
    kept, half = (DELTA, at_epsilon(value), None), (DELTA, at_epsilon(value / 2), Fraction(0))
    wrong = [
        (),
        (half,),
        (kept, kept),
        (kept, half, half),
        ((DELTA, at_epsilon(value / 2), None),),
        (kept, (DELTA, at_epsilon(value / 4), Fraction(0))),
        (kept, (DELTA, {**at_epsilon(value / 2), "alpha": 1}, Fraction(0))),
        (kept, (DELTA.replace("profile", "add_remove"), at_epsilon(value / 2), Fraction(0))),
    ]
    for others in wrong:
        with pytest.raises(InputError, match="inverse"):
            verdict("inverse", EPSILON, TARGET, value, *others)


def test_an_infinite_inverse_is_held_against_the_inverse_itself() -> None:
    none = {**TARGET, "delta": Fraction(0)}
    assert verdict("inverse", EPSILON, none, math.inf) is CERTIFIED
    assert verdict("inverse", EPSILON, none, -math.inf) is REFUTED
    assert verdict("inverse", EPSILON, TARGET, math.inf) is REFUTED


def test_below_zero_a_step_is_safe_and_an_epsilon_is_not() -> None:
    target = {"alpha": Fraction(2), "epsilon": Fraction(1), "delta": Fraction(1, 100)}
    assert verdict("inverse", STEP, target, Fraction(-1)) is CERTIFIED
    assert verdict("inverse", EPSILON, TARGET, Fraction(-1)) is REFUTED


def test_a_step_of_nothing_is_needless_where_a_little_would_do() -> None:
    target = {"alpha": Fraction(2), "epsilon": Fraction(1), "delta": Fraction(1, 100)}
    little = {"alpha": 2, "step": Fraction(INSTEAD_OF_NOTHING), "epsilon": 1}
    for own, found in ((Fraction(0), REFUTED), (Fraction(1, 50), CERTIFIED)):
        assert verdict("inverse", STEP, target, Fraction(0), (DELTA, little, own)) is found


@pytest.mark.parametrize(("first", "found"), [("1/2", Verdict.INAPPLICABLE), ("1", CERTIFIED)])
def test_no_noise_at_all_keeps_a_target_only_where_there_is_nothing_to_keep(
    first: str, found: Verdict
) -> None:
    """Two states that can both be, or one alone, in a chain that never moves."""
    name, share = "pufferfish.quilt_scale_exact", Fraction(first)
    chain = {"initial": [share, 1 - share], "P": [[1, 0], [0, 1]]}
    given = {"chains": [chain], "length": 3, "epsilon": 1, "width": 3}
    assert verdict("inverse", name, quantity_named(name).read(given), Fraction(0)) is found


def test_a_concentration_is_asked_at_floor_and_step_rounded_in_its_favour() -> None:
    point = {"eta": 0.1, "b": 0.3, "epsilon": 1.0, "delta": 0.3}
    found = cases(K, point)["inverse"]
    kept, needless = (other.parameters for other in found.others)
    k, floor, step = Fraction(float.fromhex(found.value)), Fraction(0.1), Fraction(0.3) / 2
    assert kept["alpha"] >= k * floor
    assert kept["step"] <= k * step
    assert needless["alpha"] <= 2 * k * floor
    assert needless["step"] >= 2 * k * step
    assert found.verdict is CERTIFIED


def test_only_a_forward_quantity_with_little_slack_is_asked() -> None:
    class Made:
        name, version, quantities = "made", "1", float64.quantities

    point = {"alpha": 2.0, "step": 1.0, "delta": 0.01}
    first = First(point, float64.quantities[EPSILON](**point), 0)
    for slack, asked in ((0.005, 2), (0.02, 1)):
        backend = replace(as_backend(Made(), "made"), slack={DELTA: Fraction(slack)})
        found = relation_cases_at(quantity_named(EPSILON), backend, first)
        (case,) = (case for case in found if case.check == "inverse")
        assert len(case.others) == asked


# All of them


def test_a_law_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="no check called inverse"):
        verdict("inverse", DELTA, POINT, Fraction(1))


def test_where_the_first_answer_is_none_nothing_more_is_asked() -> None:
    asked = []

    def silent(**given: float) -> float:
        asked.append(given)
        return math.nan

    found = cases(DELTA, floats(POINT), dirichlet__profile__delta=silent)
    assert len(asked) == 1
    assert {case.verdict for case in found.values()} == {Verdict.ERROR}
    others = {law.check for law in relations_for(quantity_named(DELTA))} - {Form.check}
    assert set(found) == others


def test_an_answer_that_is_none_is_an_error_of_the_law_that_asked() -> None:
    def silent(**given: float) -> float:
        if given != floats(POINT):
            raise ArithmeticError
        return float(float64.quantities[DELTA](**given))

    found = cases(DELTA, floats(POINT), dirichlet__profile__delta=silent)
    assert found["monotone"].verdict is Verdict.ERROR
    assert found["monotone"].parameters != floats(POINT)
    assert found["determinism"].verdict is CERTIFIED


@pytest.mark.parametrize("turn", range(instances(3, 12)))
def test_what_a_campaign_finds_is_what_is_found_from_what_it_wrote(turn: int) -> None:
    """By both engines, from the written witness alone."""
    for name, point in (
        (DELTA, floats(POINT)),
        (EPSILON, floats(TARGET)),
        (COMPOSED, {"releases": ((2.0, 1.0, 1), (3.0, 0.5, 2)), "epsilon": 0.5}),
    ):
        for check, case in cases(name, point, turn).items():
            if check == "adjacency":
                continue
            others = [
                (one.quantity, one.parameters, one.value and real_in(one.value))
                for one in case.others
            ]
            value = real_in(case.value)
            assert verdict(check, name, case.parameters, value, *others) is case.verdict


def test_order_allows_what_is_declared_and_no_more() -> None:
    one, declared = Fraction(1), Fraction(1, 10)
    # 1 + d against 1 - d, each off by all that is declared.
    assert are_in_order(one + declared, one - declared, Fraction(0), declared)
    assert are_in_order(one + declared, one - declared, declared, None)
    assert not are_in_order(one + declared, one - declared, Fraction(0), None)
    assert not are_in_order(one + 3 * declared, one - declared, Fraction(0), declared)


OF_EPSILON = "dirichlet.profile.epsilon"
# Two batches, and one.
CASES, FEW = 104, 30


@cache
def once() -> tuple[Campaign, list[dict[str, Any]]]:
    """Return a campaign of two batches, and its lines."""
    lines: list[str] = []
    found = certify_backend(quantities=OF_EPSILON, cases=CASES, on_case=lines.append)
    return found, [json.loads(line) for line in lines]


def lines_of(cases: int = FEW, jobs: int = 1) -> list[dict[str, Any]]:
    lines: list[str] = []
    certify_backend(quantities=OF_EPSILON, cases=cases, jobs=jobs, on_case=lines.append)
    return [json.loads(line) for line in lines]


@settings(derandomize=True, database=None)
@given(st.integers(1, 3000))
def test_laws_have_a_case_at_every_fourth_point_of_each_batch(cases: int) -> None:
    batches = batches_of([OF_EPSILON], Batch(None, "", 0, cases, "s"))
    assert relation_cases(cases) == sum(len(range(0, batch.cases, 4)) for batch in batches)


def test_every_check_has_as_many_cases_as_it_should() -> None:
    checks = once()[0].checks
    names = [law.check for law in relations_for(quantity_named(OF_EPSILON))]
    assert [check.check for check in checks] == ["direction", *names]
    assert [check.cases for check in checks[1:]] == [cases_of_relation(n, CASES) for n in names]
    assert checks[0].cases == CASES
    assert {check.verdict for check in checks} == {Verdict.CERTIFIED}


def test_laws_leave_the_search_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The points, and what is compared with the truth there, are the same without them."""
    with_laws = [line for line in lines_of() if line["check"] in AGAINST_THE_TRUTH]
    monkeypatch.setattr(registry, "RELATIONS", (Determinism(), Form()))
    assert [line for line in lines_of() if line["check"] in AGAINST_THE_TRUTH] == with_laws


def test_laws_do_not_depend_on_the_number_of_workers() -> None:
    assert once()[1] == lines_of(CASES, jobs=2)


def test_a_truth_that_a_law_rests_on_has_a_second_opinion() -> None:
    """The points follow from the source's digests: the worst case may rest on no truth."""
    rested = False
    for seed in range(20):
        checks = certify_backend(quantities=OF_EPSILON, cases=20, seed=seed).checks
        worst = {one.check: one.worst for one in checks}
        second = {one.check: one.second for one in checks}
        rests = {
            name: any(one.value is None for one in case.others) for name, case in worst.items()
        }
        assert second["direction"] == "overlaps"
        assert second["determinism"] == "inapplicable"
        assert second["inverse"] == ("overlaps" if rests["inverse"] else "inapplicable")
        rested = rested or rests["inverse"]
        if rested:
            break
    assert rested


def test_others_are_written_of_laws_alone() -> None:
    found = Counter((line["check"], bool(line["others"])) for line in lines_of())
    assert found["direction", False] == FEW
    assert ("direction", True) not in found
    assert found["determinism", True] == found["monotone", True] == relation_cases(FEW)


def test_pictures_are_of_what_is_compared_with_the_truth() -> None:
    loaded = load_backend(None)
    tallies = tallies_of(loaded, [OF_EPSILON], CASES)
    kept = {check: tally.kept for (_, check), tally in tallies.items()}
    assert kept.pop("direction") == sample_share(1, CASES)
    assert set(kept.values()) == {0}
    assert all(
        check.sample == () for check in certify_backend(quantities=OF_EPSILON, cases=8).checks[1:]
    )
