"""Audits of noise on whole numbers and of random answers: decided by the exact loss, and shown."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from each import each_of
from flint import arb
from simplexcert.certify import Verdict, audit
from simplexcert.certify.audits.repair import repairs_of
from simplexcert.reference import evaluate
from simplexcert.reference.arb.balls import ball, working_precision
from simplexcert.reference.errors import DomainError, InputError

RELEASES: dict[str, dict[str, Any]] = {
    "discrete_laplace": {"scale": "3", "sensitivity": 2},
    "discrete_gaussian": {"scale": "3", "sensitivity": 2},
    "randomized_response": {"categories": 3, "truth_probability": "0.6"},
}
SLIGHTLY = Fraction(1, 10**18)
FAR = 200


def decided(mechanism: str, claim: dict[str, Any], **changed: Any) -> Any:
    release = {"mechanism": mechanism, "neighbours": "replace", **RELEASES[mechanism], **changed}
    return audit({"release": release, "claim": claim})


@each_of("mechanism", list(RELEASES))
def test_a_claim_is_decided_by_the_exact_loss_on_either_side_of_it(mechanism: str) -> None:
    for given in ({"delta": "1/100"}, {"order": "5/2"}):
        which = "epsilon" if "delta" in given else "renyi"
        least = evaluate(f"{mechanism}.{which}", RELEASES[mechanism] | given)
        below, above = Fraction(least.lower) - SLIGHTLY, Fraction(least.upper) + SLIGHTLY
        assert decided(mechanism, {"epsilon": below, **given}).verdict is Verdict.REFUTED
        assert decided(mechanism, {"epsilon": above, **given}).verdict is Verdict.CERTIFIED


@each_of("scale", ["1e-300", "1e-60", "1e30", "1e300"])
def test_at_an_order_a_claim_is_decided_at_every_size_of_the_noise(scale: str) -> None:
    """Of D = 2 and the order 5/4 it is from 4 to 5 times rate = 1/(2 s^2), however narrow or broad.

    5 = order D^2 is the continuous law's; a narrow noise's is a^2/(order - 1) less, a = 1/2 the
    distance of order D to the nearest whole number.
    """
    rate = 1 / (2 * Fraction(scale) ** 2)
    above, below = 5 * rate * (1 + SLIGHTLY), 4 * rate * (1 - SLIGHTLY)
    for epsilon, verdict in ((above, Verdict.CERTIFIED), (below, Verdict.REFUTED)):
        claim = {"epsilon": epsilon, "order": "5/4"}
        assert decided("discrete_gaussian", claim, scale=scale).verdict is verdict


def test_without_a_delta_the_largest_loss_decides() -> None:
    found = decided("discrete_laplace", {"epsilon": Fraction(2, 3), "delta": 0})
    assert found.verdict is Verdict.CERTIFIED
    less = decided("discrete_laplace", {"epsilon": Fraction(2, 3) - SLIGHTLY, "delta": 0})
    assert less.verdict is Verdict.REFUTED
    assert decided("discrete_gaussian", {"epsilon": 1000, "delta": 0}).verdict is Verdict.REFUTED
    assert decided("randomized_response", {"epsilon": "1.0986122", "delta": 0}).verdict is (
        Verdict.REFUTED
    )


@each_of("mechanism, epsilon", [("discrete_laplace", "1/3"), ("discrete_gaussian", "1/2")])
def test_the_set_of_a_witness_shows_more_than_was_claimed(mechanism: str, epsilon: str) -> None:
    """P(S) - e^epsilon Q(S), S the numbers from what is told on, is all of the exact delta."""
    found = decided(mechanism, {"epsilon": epsilon, "delta": "1e-5"})
    assert found.verdict is Verdict.REFUTED
    least = int(found.witness["at_least"])
    with working_precision(200):
        power = 1 if mechanism == "discrete_laplace" else 2
        weights = {
            k: (-ball(Fraction(abs(k) ** power, 3**power * power))).exp()
            for k in range(-FAR, FAR + 1)
        }
        whole = sum(weights.values(), arb(0))
        first = sum((weights[k - 2] for k in range(least, FAR)), arb(0))
        second = sum((weights[k] for k in range(least, FAR)), arb(0))
        shown = (first - ball(Fraction(epsilon)).exp() * second) / whole
        exact = evaluate(f"{mechanism}.delta", RELEASES[mechanism], epsilon=epsilon)
        cut = arb(2) ** -80
        assert (shown + cut.union(-cut)).overlaps(ball(Fraction(exact.lower)))
        assert shown > ball(Fraction("1e-5"))


@each_of("probability, answer", [("0.6", "1"), ("0.1", "2")])
def test_the_answer_of_a_witness_shows_it(probability: str, answer: str) -> None:
    found = decided(
        "randomized_response", {"epsilon": "1/10", "delta": 0}, truth_probability=probability
    )
    assert found.verdict is Verdict.REFUTED
    assert found.witness["answer"] == answer


def test_the_least_scale_keeps_the_claim_and_the_next_one_does_not() -> None:
    for delta in ("0", "1e-5"):
        claim = {"epsilon": "3/7", "delta": delta}
        chosen = decided("discrete_laplace", claim, scale="tight").claim.parameters.scale
        assert decided("discrete_laplace", claim, scale=chosen).verdict is Verdict.CERTIFIED
        less = chosen - Fraction(1, 10**11)
        assert decided("discrete_laplace", claim, scale=less).verdict is Verdict.REFUTED
    found = decided("discrete_laplace", {"epsilon": "1/2", "delta": 0})
    assert {each.parameter: each.value for each in repairs_of(found)}["scale"] == "4"


def test_no_noise_hides_everything() -> None:
    with pytest.raises(DomainError, match="none hides everything"):
        decided("discrete_laplace", {"epsilon": 0, "delta": 0}, scale="tight")


def test_a_scale_of_discrete_gaussian_noise_is_given() -> None:
    with pytest.raises(InputError, match="tight"):
        decided("discrete_gaussian", {"epsilon": 1, "delta": "1e-5"}, scale="tight")


def test_random_answers_do_not_hide_that_a_record_is_there() -> None:
    found = decided("randomized_response", {"epsilon": 5, "delta": "1e-5"}, neighbours="add_remove")
    assert found.verdict is Verdict.INAPPLICABLE


def test_a_sensitivity_is_a_whole_number() -> None:
    with pytest.raises(InputError, match="sensitivity"):
        decided("discrete_laplace", {"epsilon": 1, "delta": 0}, sensitivity="1/2")
