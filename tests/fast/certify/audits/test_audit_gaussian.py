"""Audits of Gaussian noise: decided by the exact loss, refuted where its witness shows it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from flint import arb
from simplexcert.certify import Verdict, audit
from simplexcert.certify.audits.repair import repairs_of
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import DomainError, InputError, UnknownNameError

RELEASE: dict[str, Any] = {
    "mechanism": "gaussian", "noise_multiplier": "2", "neighbours": "replace"
}  # fmt: skip
PRIVATE = {"epsilon": 2, "delta": "1e-5"}


def decided(claim: dict[str, Any], **changed: Any) -> Any:
    return audit({"release": {**RELEASE, **changed}, "claim": claim})


def test_a_claim_is_decided_by_the_exact_loss_on_either_side_of_it() -> None:
    least = evaluate("gaussian.epsilon", noise_multiplier=2, delta=Fraction(1, 10**5))
    below, above = (Fraction(least.lower) - Fraction(1, 10**18),
                    Fraction(least.upper) + Fraction(1, 10**18))  # fmt: skip
    assert decided({**PRIVATE, "epsilon": below}).verdict is Verdict.REFUTED
    assert decided({**PRIVATE, "epsilon": above}).verdict is Verdict.CERTIFIED


def test_what_is_taken_for_granted_is_told_of_a_certified_claim() -> None:
    found = decided(PRIVATE)
    assert found.verdict is Verdict.CERTIFIED
    assert len(found.assumptions) == len(found.hypotheses) == 4
    assert any("2-norm" in said for said in found.assumptions)
    assert found.neighbours == "replace"
    assert decided(PRIVATE, neighbours="add_remove").neighbours == "add_remove"


@pytest.mark.parametrize(("multiplier", "epsilon"), [("2", 1), ("1/2", 4), ("1/3", 0)])
def test_the_set_of_a_witness_shows_more_than_was_claimed(multiplier: str, epsilon: int) -> None:
    """P(S) - e^epsilon Q(S), S the numbers above what is told, is all of the exact delta."""
    found = decided({"epsilon": epsilon, "delta": "1e-5"}, noise_multiplier=multiplier)
    assert found.verdict is Verdict.REFUTED
    witness = found.witness
    assert (witness["first"], witness["second"]) == ("1", "0")
    with working_precision(200):
        spread = ball(Fraction(multiplier))
        first, second = (
            ((ball(Fraction(witness["above"])) - at) / (spread * arb(2).sqrt())).erfc() / 2
            for at in (1, 0)
        )
        shown = first - ball(epsilon).exp() * second
        assert shown > ball(Fraction(1, 10**5))
        assert shown.overlaps(
            arb(witness["delta_at_epsilon"]["lower"]).union(
                arb(witness["delta_at_epsilon"]["upper"])
            )
        )


def test_at_an_order_the_divergence_decides() -> None:
    assert decided({"epsilon": "5/8", "order": 5}).verdict is Verdict.CERTIFIED
    assert decided({"epsilon": "0.624", "order": 5}).verdict is Verdict.REFUTED


def test_no_epsilon_is_enough_without_a_delta() -> None:
    found = decided({"epsilon": 1000, "delta": 0})
    assert found.verdict is Verdict.REFUTED
    told = {repair.parameter: repair.said for repair in repairs_of(found)}
    assert told == {
        "epsilon": "none is enough at delta = 0",
        "noise_multiplier": "there is no least noise_multiplier: none keeps delta = 0",
    }


def test_every_multiplier_keeps_a_delta_of_1() -> None:
    assert decided({"epsilon": 0, "delta": 1}).verdict is Verdict.CERTIFIED
    with pytest.raises(DomainError, match="every one keeps delta = 1"):
        decided({"epsilon": 0, "delta": 1}, noise_multiplier="tight")


def test_the_least_noise_multiplier_keeps_the_claim_and_the_next_one_does_not() -> None:
    found = decided({"epsilon": 1, "delta": "1e-5"}, noise_multiplier="tight")
    assert found.verdict is Verdict.CERTIFIED
    chosen = found.claim.parameters.noise_multiplier
    less = chosen - Fraction(1, 10**11)
    again = decided({"epsilon": 1, "delta": "1e-5"}, noise_multiplier=less)
    assert again.verdict is Verdict.REFUTED
    repaired = {repair.parameter: repair.value for repair in repairs_of(again)}
    assert Fraction(repaired["noise_multiplier"]) == chosen


def test_no_least_multiplier_is_looked_for_at_an_order() -> None:
    with pytest.raises(DomainError, match="with a delta, not at an order"):
        decided({"epsilon": 1, "order": 2}, noise_multiplier="tight")


@pytest.mark.parametrize(
    ("changed", "error", "said"),
    [
        ({"neighbours": "replaced"}, UnknownNameError, "replace"),
        ({"neighbours": 1}, InputError, "neighbours is 1"),
        ({"noise_multiplier": 0}, DomainError, "noise_multiplier"),
        ({"sigma": 1}, UnknownNameError, "sigma"),
    ],
)
def test_what_is_no_claim_is_refused(changed: dict[str, Any], error: type, said: str) -> None:
    with pytest.raises(error, match=said):
        decided(PRIVATE, **changed)


@pytest.mark.parametrize("key", ["neighbours", "noise_multiplier"])
def test_neither_neighbours_nor_noise_are_taken_for_granted(key: str) -> None:
    release = {name: value for name, value in RELEASE.items() if name != key}
    with pytest.raises(InputError, match=f"lacks {key}"):
        audit({"release": release, "claim": PRIVATE})
