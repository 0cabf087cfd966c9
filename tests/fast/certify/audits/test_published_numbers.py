"""Claims of public threads on accountants, each with the number that was printed there."""

from __future__ import annotations

from fractions import Fraction

from simplexcert.certify import Verdict, audit
from simplexcert.certify.audits.claim import read_claim
from simplexcert.certify.audits.decision import HIDES_NOTHING
from simplexcert.reference import evaluate


def test_the_limit_theorem_of_opacus_643_prints_less_than_is_true() -> None:
    """1.838 is the epsilon of one Gaussian release of 1/multiplier = q sqrt(T (e^(1/s^2) - 1))."""
    found = audit("example:opacus-643")
    assert found.verdict is Verdict.REFUTED
    assert found.witness is not None
    assert found.witness["record"] == "removed"
    assert Fraction("2.36") < 48_000 * found.exact["delta_at_epsilon"].lower
    assert Fraction("1.9608") < found.exact["epsilon_at_delta"].lower
    squared = Fraction("0.04") * 50 * (Fraction("1.117519068741864") - 1)  # e^(1/9), rounded up
    below, above = Fraction("2.0626"), Fraction("2.0627")
    assert below**2 < 1 / squared < above**2
    for multiplier in (below, above):
        printed = evaluate("gaussian.epsilon", noise_multiplier=multiplier, delta="1/48000")
        assert Fraction("1.838") < printed.lower <= printed.upper < Fraction("1.839")


def test_what_its_other_accountant_printed_is_true() -> None:
    claim = read_claim("example:opacus-643").as_json()
    release = {"mechanism": claim["mechanism"], **claim["release"]}  # type: ignore[dict-item]
    told = audit({"release": release, "claim": {"epsilon": "2.16", "delta": "1/48000"}})
    assert told.verdict is Verdict.CERTIFIED


def test_no_epsilon_is_needed_in_tensorflow_privacy_166() -> None:
    found = audit("example:tensorflow-privacy-166")
    assert found.verdict is Verdict.CERTIFIED
    assert found.exact["epsilon_at_delta"].exact == 0
    assert found.exact["delta_at_epsilon"].upper < Fraction("4.021e-4")


def test_tensorflow_privacy_97_gives_a_fifth_away() -> None:
    found = audit("example:tensorflow-privacy-97")
    assert found.verdict is Verdict.CERTIFIED
    assert found.exact["epsilon_at_delta"].upper < Fraction("1.8916")


def test_where_prv_accountant_36_printed_nothing_there_is_an_epsilon_that_hides_nothing() -> None:
    found = audit("example:prv-accountant-36")
    assert found.verdict is Verdict.CERTIFIED
    assert Fraction("56.7259") < found.exact["epsilon_at_delta"].lower
    assert found.remark == HIDES_NOTHING
