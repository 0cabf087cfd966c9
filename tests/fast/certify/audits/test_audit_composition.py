"""Audits of several releases together: decided by the exact loss, one relation for all events."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from each import each_of
from simplexcert.certify import Verdict, audit
from simplexcert.reference import evaluate
from simplexcert.reference.errors import InputError, UnknownNameError

NORMAL = {"mechanism": "gaussian", "noise_multiplier": 2, "count": 3}
DOUBLE = {"mechanism": "laplace", "noise_multiplier": 5}
TRAINED = {
    "mechanism": "dpsgd",
    "noise_multiplier": 1,
    "sampling_probability": "1/10",
    "steps": 100,
}
WHOLE = {"mechanism": "discrete_laplace", "scale": "4", "sensitivity": 2, "count": 3}
BROAD = {"mechanism": "discrete_gaussian", "scale": "6", "sensitivity": 1, "count": 5}
ANSWER = {"mechanism": "randomized_response", "categories": 3, "truth_probability": "2/5"}
CHOSEN = {"mechanism": "exponential_mechanism", "loss_range": "1/4"}
SHARES = {"mechanism": "dirichlet", "alpha": 5, "step": "1/5"}


def decided(*events: dict[str, Any], neighbours: str = "replace", **claim: Any) -> Any:
    release = {"mechanism": "composition", "neighbours": neighbours, "events": list(events)}
    return audit({"release": release, "claim": {"epsilon": 1, "delta": "1e-5", **claim}})


def test_a_claim_is_decided_by_the_exact_loss_on_either_side_of_it() -> None:
    least = evaluate(
        "composition.epsilon", events=[NORMAL, DOUBLE], neighbours="replace", delta="1e-5"
    )
    little = Fraction(1, 10**17)
    below, above = Fraction(least.lower) - little, Fraction(least.upper) + little
    refuted = decided(NORMAL, DOUBLE, epsilon=below)
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.attained
    assert Fraction(refuted.witness["above"]) == below
    assert decided(NORMAL, DOUBLE, epsilon=above).verdict is Verdict.CERTIFIED


@each_of("events", [(WHOLE, BROAD, ANSWER), (WHOLE, DOUBLE), (BROAD, NORMAL)])
def test_noise_on_whole_numbers_is_decided_on_either_side_of_it(
    events: tuple[dict[str, Any], ...],
) -> None:
    least = evaluate("composition.epsilon", events=events, neighbours="replace", delta="1e-5")
    little = Fraction(1, 10**17)
    below, above = Fraction(least.lower) - little, Fraction(least.upper) + little
    assert decided(*events, epsilon=below).verdict is Verdict.REFUTED
    assert decided(*events, epsilon=above).verdict is Verdict.CERTIFIED


@each_of("size", ["1e-300", "1e-80"])
def test_a_claim_is_decided_where_sizes_are_beyond_what_a_line_is_planned_for(size: str) -> None:
    """Much less noise than that refutes by itself, much more certifies beside anything as broad."""
    narrow, broad = Fraction(size), 1 / Fraction(size)
    hiding = ({**DOUBLE, "noise_multiplier": broad}, {**BROAD, "scale": broad})
    showing = (TRAINED | {"sampling_probability": "1/1000"}, {**WHOLE, "scale": narrow})
    assert decided(*hiding).verdict is Verdict.CERTIFIED
    assert decided({**SHARES, "step": narrow}, *hiding).verdict is Verdict.CERTIFIED
    assert decided({**BROAD, "scale": narrow}, *hiding).verdict is Verdict.REFUTED
    found = decided(*showing, *hiding, neighbours="add_remove")
    assert found.verdict is Verdict.REFUTED
    assert found.attained


def test_without_a_delta_the_largest_loss_of_all_decides() -> None:
    found = decided(WHOLE, DOUBLE, epsilon=Fraction(3, 2) + Fraction(1, 5), delta=0)
    assert found.verdict is Verdict.CERTIFIED
    assert decided(WHOLE, DOUBLE, epsilon="1.6999", delta=0).verdict is Verdict.REFUTED
    assert decided(WHOLE, BROAD, epsilon=1000, delta=0).verdict is Verdict.REFUTED


def test_random_answers_have_no_pair_where_records_are_added() -> None:
    found = decided(WHOLE, ANSWER, neighbours="add_remove")
    assert found.verdict is Verdict.INAPPLICABLE
    assert "event 2 is randomized_response" in str(found.vacuity.sentence)


def test_the_witness_names_the_order_that_loses_more_than_was_claimed() -> None:
    found = decided(TRAINED, DOUBLE, neighbours="add_remove")
    assert found.verdict is Verdict.REFUTED
    assert found.witness["first"].startswith("with")


def test_a_mixture_with_a_limit_is_certified_and_never_refuted() -> None:
    """Under add_remove no two counts attain the gamma pair."""
    kept = decided(SHARES, DOUBLE, neighbours="add_remove")
    assert kept.verdict is Verdict.CERTIFIED
    assert not kept.attained
    less = {"neighbours": "add_remove", "epsilon": "1/4"}
    assert decided(SHARES, DOUBLE, **less).verdict is Verdict.UNDECIDED
    assert decided(SHARES, DOUBLE, epsilon="1/4").verdict is Verdict.REFUTED


def test_choices_by_utility_are_certified_and_never_refuted() -> None:
    """Their pair is the worst at each epsilon by itself."""
    kept = decided(CHOSEN, {**CHOSEN, "count": 2})
    assert kept.verdict is Verdict.CERTIFIED
    assert not kept.attained
    assert decided({**CHOSEN, "count": 3}, epsilon="1/2").verdict is Verdict.UNDECIDED
    flipped = {"mechanism": "permute_and_flip", "largest_loss": "1/4", "count": 3}
    assert decided(flipped).verdict is Verdict.CERTIFIED
    assert decided(flipped, epsilon="1/2").verdict is Verdict.UNDECIDED


def test_an_event_without_a_pair_under_the_relation_is_inapplicable_and_named() -> None:
    found = decided(NORMAL, TRAINED)
    assert found.verdict is Verdict.INAPPLICABLE
    why = found.claim.mechanism.vacuity(found.claim)
    assert why is not None
    assert "event 2 is dpsgd" in why.sentence


def test_what_is_taken_for_granted_is_told_of_each_mechanism_that_occurs() -> None:
    told = decided(NORMAL, DOUBLE, epsilon=9).assumptions
    assert len(told) == 3
    assert any("2-norm" in said for said in told)
    assert any("1-norm" in said for said in told)
    assert not any("Poisson" in said for said in told)


def test_a_bounded_loss_keeps_a_claim_without_a_delta() -> None:
    assert decided(DOUBLE, DOUBLE, epsilon="2/5", delta=0).verdict is Verdict.CERTIFIED
    assert decided(DOUBLE, DOUBLE, epsilon="0.3999", delta=0).verdict is Verdict.REFUTED
    assert decided(DOUBLE, NORMAL, epsilon=99, delta=0).verdict is Verdict.REFUTED


@each_of(
    "event, error, said",
    [
        ({"mechanism": "gauss", "noise_multiplier": 2}, UnknownNameError, "gaussian"),
        ({"mechanism": "gaussian", "scale": 2}, UnknownNameError, "scale"),
        ({"mechanism": "gaussian"}, InputError, "noise_multiplier"),
        ({"noise_multiplier": 2}, InputError, "not an object with a mechanism"),
        ({"mechanism": "laplace", "noise_multiplier": 0}, InputError, "event 1, noise_multiplier"),
    ],
)
def test_what_is_no_event_is_refused_with_its_place(
    event: dict[str, Any], error: type, said: str
) -> None:
    with pytest.raises(error, match=said):
        decided(event)


def test_no_order_is_asked_of_a_composition() -> None:
    with pytest.raises(InputError, match="not an order"):
        audit(
            {
                "release": {
                    "mechanism": "composition", "neighbours": "replace", "events": [NORMAL]
                },
                "claim": {"epsilon": 1, "order": 2},
            }
        )  # fmt: skip
