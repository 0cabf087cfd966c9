"""Audits of DP-SGD: decided by the exact loss of all sums together, in the worse order."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from each import each_of
from flint import arb
from simplexcert.certify import Verdict, audit
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.audits.repair import repairs_of
from simplexcert.certify.audits.roots import is_kept
from simplexcert.certify.mechanisms import dpsgd
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, ball_of, working_precision
from simplexcert.reference.dpsgd.route import Training, removed_shows
from simplexcert.reference.enclosure import number_in
from simplexcert.reference.errors import DomainError, InputError, UnknownNameError

RELEASE: dict[str, Any] = {
    "mechanism": "dpsgd.poisson", "noise_multiplier": 3, "sampling_probability": "0.2",
    "steps": 50, "neighbours": "add_remove",
}  # fmt: skip
ONE_STEP = {"noise_multiplier": "1/2", "sampling_probability": "1/10", "steps": 1}
PRIVATE = {"epsilon": 1, "delta": "1e-5"}
DIGITS = {"batch": 256, "records": 60000, "epochs": 60}


def decided(claim: dict[str, Any] = PRIVATE, **changed: Any) -> Any:
    release = {key: value for key, value in {**RELEASE, **changed}.items() if value is not None}
    return audit({"release": release, "claim": claim})


def test_a_claim_is_decided_by_the_exact_loss_on_either_side_of_it() -> None:
    least = evaluate(
        "dpsgd.epsilon", noise_multiplier=3, sampling_probability=Fraction(1, 5), steps=50,
        delta=Fraction(1, 10**5),
    )  # fmt: skip
    assert isinstance(least.upper, Fraction)
    off = Fraction(1, 10**6)
    above = decided({**PRIVATE, "epsilon": least.upper + off})
    below = decided({**PRIVATE, "epsilon": Fraction(least.lower) - off})
    assert (above.verdict, below.verdict) == (Verdict.CERTIFIED, Verdict.REFUTED)
    assert (above.second, below.second) == ("overlaps", "overlaps")
    would_do = {repair.parameter: repair.value for repair in repairs_of(below)}
    assert would_do.keys() == {"epsilon", "noise_multiplier", "steps"}
    assert decided({**PRIVATE, "epsilon": would_do["epsilon"]}).verdict is Verdict.CERTIFIED


def test_the_least_noise_multiplier_keeps_the_claim_and_the_next_one_does_not() -> None:
    said = {"epsilon": 1, "delta": "1e-5"}
    found = decided(said, **{**ONE_STEP, "noise_multiplier": "tight"})
    assert found.verdict is Verdict.CERTIFIED
    chosen = found.claim.parameters.given["noise_multiplier"]
    less = chosen - Fraction(1, 10**11)
    again = decided(said, **{**ONE_STEP, "noise_multiplier": less})
    assert again.verdict is Verdict.REFUTED
    would_do = {repair.parameter: repair.value for repair in repairs_of(again)}
    assert Fraction(would_do["noise_multiplier"]) == chosen


def test_the_most_steps_keep_the_claim_and_one_more_does_not() -> None:
    found = decided({**PRIVATE, "epsilon": "1/2"})
    *_, fewer = repairs_of(found)
    assert isinstance(fewer.value, str)
    most = int(fewer.value)
    assert 0 < most < 50
    kept = [found.claim.at(steps=steps) for steps in (most, most + 1)]
    assert [is_kept(one.mechanism.worst(one).asked[0]) for one in kept] == [True, False]


def test_what_one_step_loses_refutes_where_all_steps_cannot_be_planned() -> None:
    """Next to no noise: a record shows itself once it takes part, with a chance of q a step."""
    narrow = {"noise_multiplier": "1e-80", "sampling_probability": "1e-3", "steps": 5}
    found = decided({**PRIVATE, "delta": "0.0009"}, **narrow)
    assert found.verdict is Verdict.REFUTED
    assert found.witness["record"] == "removed"
    assert decided({**PRIVATE, "delta": "0.005"}, **narrow).verdict is Verdict.CERTIFIED


def test_where_one_step_is_too_many_it_is_said_so() -> None:
    *_, fewer = repairs_of(
        decided({**PRIVATE, "epsilon": "1e-3"}, noise_multiplier=1, sampling_probability=1)
    )
    assert (fewer.value, fewer.said) == (None, "none is few enough: one is too many")


def test_no_noise_is_needed_where_a_record_hardly_takes_part() -> None:
    with pytest.raises(DomainError, match="every noise_multiplier is enough; give one"):
        decided({"epsilon": 0, "delta": "1/10"}, **{**ONE_STEP, "noise_multiplier": "tight"})


def test_what_is_taken_for_granted_is_told_of_a_certified_claim() -> None:
    found = decided({"epsilon": 8, "delta": "1e-2"}, **ONE_STEP)
    assert len(found.assumptions) == len(found.hypotheses) == 5
    for words in ("Poisson", "clipped", "normal", "not divided", "without looking"):
        assert any(words in said for said in found.assumptions), words
    assert found.neighbours == "add_remove"
    assert "last model alone, nor about gradients that cannot reach" in found.non_claims[0]


def shown_by(threshold: arb, *, above: bool, first: int, epsilon: int) -> arb:
    """Enclose P(S) - e^epsilon Q(S) of one step, S the sums above, or below, a threshold.

    ``first`` is the larger mean of P, which has the record if that is 1, and else Q has.
    """
    spread, rate = ball(Fraction(1, 2)), ball(Fraction(1, 10))

    def tail(mean: int) -> arb:
        return ((threshold - mean) * (1 if above else -1) / (spread * arb(2).sqrt())).erfc() / 2

    with_record = (1 - rate) * tail(0) + rate * tail(1)
    one, other = (with_record, tail(0)) if first else (tail(0), with_record)
    return one - ball(epsilon).exp() * other


def test_the_set_of_a_witness_shows_more_than_was_claimed() -> None:
    """In one step the loss is above epsilon where y is above 1/2 + s^2 log((e^eps - 1 + q)/q)."""
    found = decided({"epsilon": 1, "delta": "1e-5"}, **ONE_STEP)
    assert found.verdict is Verdict.REFUTED
    witness = found.witness
    assert (witness["record"], witness["above"]) == ("removed", "1")
    assert witness["second"] == "without that record"
    with working_precision(128):
        threshold = arb(1) / 2 + ((arb(1).expm1()) * 10).log1p() / 4
        shown = shown_by(threshold, above=True, first=1, epsilon=1)
        assert shown > ball(Fraction(1, 10**5))
        stated = arb(witness["delta_at_epsilon"]["lower"])
        assert shown.overlaps(stated.union(arb(witness["delta_at_epsilon"]["upper"])))


def test_the_set_of_an_added_record_shows_what_the_pair_loses_in_that_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No case is known where it alone shows anything; then its set is where the loss is low."""
    monkeypatch.setattr(dpsgd, "removed_shows", lambda *_: False)
    witness = decided({"epsilon": 0, "delta": "1e-5"}, **ONE_STEP).witness
    assert (witness["record"], witness["below"]) == ("added", "0")
    assert witness["first"] == "without that record"
    exact = {key: Fraction(value) for key, value in {**ONE_STEP, "epsilon": 0}.items()}
    with working_precision(128):
        shown = shown_by(arb(1) / 2, above=False, first=0, epsilon=0)
        assert shown.overlaps(ball_of(number_in(evaluate("dpsgd.delta", exact).enclosure)))


@pytest.mark.parametrize(
    ("rate", "steps"), [(Fraction(1, 10), 1), (Fraction(1), 4), (Fraction(1, 50), 100)]
)
def test_an_order_shows_a_delta_that_it_exceeds_and_none_one_that_is_out_of_reach(
    rate: Fraction, steps: int
) -> None:
    training = Training(Fraction(1), rate, steps)
    with working_precision(128):
        assert removed_shows(training, Fraction(1, 10), Fraction(1, 10**12)) is True
        assert removed_shows(training, Fraction(1, 10), Fraction(99, 100)) is None


def test_without_a_delta_no_epsilon_is_enough() -> None:
    found = decided({"epsilon": 100, "delta": 0})
    assert found.verdict is Verdict.REFUTED
    assert found.witness["record"] == "removed"


def test_an_order_that_is_not_shown_to_exceed_a_claim_refutes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dpsgd, "removed_shows", lambda *_: None)
    assert decided(**ONE_STEP).verdict is Verdict.UNDECIDED


def test_probability_and_steps_are_worked_out_from_epochs_batch_and_records() -> None:
    release = {**RELEASE, **DIGITS}
    del release["sampling_probability"], release["steps"]
    claim = claim_in({"release": release, "claim": PRIVATE}, "it")
    given = claim.parameters.given
    assert (given["sampling_probability"], given["steps"]) == (Fraction(256, 60000), 14063)
    worst = claim.mechanism.worst(claim)
    assert worst.facts == {"sampling_probability": "8/1875", "steps": "14063"}
    assert "14063 steps" in worst.sentences[0]
    found = decided(sampling_probability=None, batch="2.5", records=10, steps=1)
    assert found.claim.parameters.sampling_probability == Fraction(1, 4)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"batches": "fixed"}, "batches = fixed"),
        ({"batches": "shuffled"}, "batches = shuffled"),
        ({"neighbours": "replace"}, "neighbours = replace"),
    ],
)
def test_of_another_mechanism_or_relation_nothing_is_said(
    changed: dict[str, Any], said: str
) -> None:
    found = decided({"epsilon": 0, "delta": 1}, **changed)
    assert found.verdict is Verdict.INAPPLICABLE
    assert said in found.why
    assert said in str(found.worst.facts["no_pair"])
    assert (found.exact, found.witness, found.assumptions) == ({}, None, [])
    sampled = found.hypotheses[0]
    assert "Poisson" in sampled.statement
    assert (sampled.status == "fails") == ("batches" in changed)


def test_of_the_last_model_alone_a_claim_is_certified_and_never_refuted() -> None:
    last = {**ONE_STEP, "shown": "last_model"}
    assert decided({"epsilon": 8, "delta": "1e-2"}, **last).verdict is Verdict.CERTIFIED
    found = decided({"epsilon": 0, "delta": "1e-5"}, **last)
    assert (found.verdict, found.attained, found.witness) == (Verdict.UNDECIDED, False, None)


@each_of(
    "changed, error, said",
    [
        ({"sampling_probability": None}, InputError, "needs sampling_probability, or both"),
        ({"batch": 5, "records": 10}, InputError, "needs sampling_probability, or both"),
        ({"sampling_probability": None, "batch": 5}, InputError, "both batch and records"),
        ({"steps": None}, InputError, "exactly one of steps and epochs"),
        ({"epochs": 3}, InputError, "exactly one of steps and epochs"),
        ({"steps": None, "epochs": 3}, InputError, "epochs needs batch and records"),
        ({"sampling_probability": "1.5"}, DomainError, "sampling_probability"),
        ({"sampling_probability": None, "batch": 11, "records": 10}, DomainError, "is more than"),
        ({"sampling_probability": None, "batch": 1, "records": "1.5"}, DomainError, "no whole"),
        ({"sampling_probability": None, "batch": 0, "records": 10}, DomainError, "not above 0"),
        ({"steps": 0}, DomainError, "steps"),
        ({"batches": "poison"}, UnknownNameError, "did you mean 'poisson'"),
        ({"shown": 1}, InputError, "shown is 1; it is one of every_sum, last_model"),
        ({"neighbours": None}, InputError, "lacks neighbours"),
    ],
)
def test_what_is_no_claim_is_refused(
    changed: dict[str, Any], error: type[InputError], said: str
) -> None:
    with pytest.raises(error, match=said):
        decided(**changed)


def test_a_claim_at_an_order_is_refused_with_what_it_needs() -> None:
    with pytest.raises(InputError, match="no Renyi divergence is known here"):
        decided({"epsilon": 1, "order": 2})
