"""Audits of Laplace noise: decided by the exact loss, which has a bound, and refuted by its set."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from simplexcert.certify import Verdict, audit
from simplexcert.certify.audits.repair import repairs_of
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import DomainError

RELEASE: dict[str, Any] = {
    "mechanism": "laplace", "noise_multiplier": "2", "neighbours": "replace"
}  # fmt: skip
SLIGHTLY = Fraction(1, 10**18)


def decided(claim: dict[str, Any], **changed: Any) -> Any:
    return audit({"release": {**RELEASE, **changed}, "claim": claim})


def test_a_claim_is_decided_by_the_exact_loss_on_either_side_of_it() -> None:
    least = evaluate("laplace.epsilon", noise_multiplier=2, delta="1/100")
    below, above = Fraction(least.lower) - SLIGHTLY, Fraction(least.upper) + SLIGHTLY
    assert decided({"epsilon": below, "delta": "1/100"}).verdict is Verdict.REFUTED
    assert decided({"epsilon": above, "delta": "1/100"}).verdict is Verdict.CERTIFIED


def test_without_a_delta_the_largest_loss_decides_exactly() -> None:
    assert decided({"epsilon": "1/2", "delta": 0}).verdict is Verdict.CERTIFIED
    found = decided({"epsilon": Fraction(1, 2) - SLIGHTLY, "delta": 0})
    assert found.verdict is Verdict.REFUTED
    repaired = {repair.parameter: repair.value for repair in repairs_of(found)}
    assert repaired["epsilon"] == "0.5"


def test_at_an_order_the_divergence_decides() -> None:
    exact = evaluate("laplace.renyi", noise_multiplier=2, order=5)
    above, below = Fraction(exact.upper) + SLIGHTLY, Fraction(exact.lower) - SLIGHTLY
    assert decided({"epsilon": above, "order": 5}).verdict is Verdict.CERTIFIED
    assert decided({"epsilon": below, "order": 5}).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    ("multiplier", "epsilon", "delta"), [("2", "1/4", "1e-5"), ("1/3", "0", "0"), ("1", "3/4", "0")]
)
def test_the_set_of_a_witness_shows_more_than_was_claimed(
    multiplier: str, epsilon: str, delta: str
) -> None:
    """P(S) - e^epsilon Q(S), S the numbers above what is told, is all of the exact delta."""
    found = decided({"epsilon": epsilon, "delta": delta}, noise_multiplier=multiplier)
    assert found.verdict is Verdict.REFUTED
    above, b = Fraction(found.witness["above"]), Fraction(multiplier)
    assert 0 < above < 1
    with working_precision(200):
        first = 1 - ball((above - 1) / b).exp() / 2
        shown = first - ball(Fraction(epsilon)).exp() * (-ball(above / b)).exp() / 2
        exact = evaluate("laplace.delta", noise_multiplier=multiplier, epsilon=epsilon)
        assert shown > ball(Fraction(delta))
        assert ball(Fraction(exact.lower)) <= shown.upper()
        assert shown.lower() <= ball(Fraction(exact.upper))


def test_the_least_noise_multiplier_keeps_the_claim_and_the_next_one_does_not() -> None:
    for delta in ("0", "1e-5"):
        claim = {"epsilon": "3/7", "delta": delta}
        chosen = decided(claim, noise_multiplier="tight").claim.parameters.noise_multiplier
        assert decided(claim, noise_multiplier=chosen).verdict is Verdict.CERTIFIED
        less = chosen - Fraction(1, 10**11)
        assert decided(claim, noise_multiplier=less).verdict is Verdict.REFUTED


def test_no_noise_hides_everything() -> None:
    assert decided({"epsilon": 0, "delta": 0}).verdict is Verdict.REFUTED
    with pytest.raises(DomainError, match="none hides everything"):
        decided({"epsilon": 0, "delta": 0}, noise_multiplier="tight")


def test_the_sensitivity_is_in_the_1_norm() -> None:
    found = decided({"epsilon": 1, "delta": 0})
    assert any("1-norm" in said for said in found.assumptions)
    assert len(found.assumptions) == 4
