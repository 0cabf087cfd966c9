"""An answer below a printed number is refuted below the least sound one, and nowhere else."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from command_line import calling
from simplexcert.certify.checks.judgement import judge, not_shown, overall_of_checks, rules_for
from simplexcert.certify.checks.laws import LawOther, law_verdict
from simplexcert.certify.verdict import Verdict, overall_of_cases
from simplexcert.reference import evaluate
from simplexcert.reference.quantity import quantity_named

CONVERSION, LEAST = "dirichlet.renyi.to_approximate_dp", "renyi.epsilon_for_dp"
STEP, BOUND = "dirichlet.renyi.step", "dirichlet.renyi.epsilon_bound"
AT = {"order": Fraction(2), "epsilon": Fraction(1, 2), "delta": Fraction(1, 100)}
SENSITIVITIES = {"delta2_squared": Fraction(2), "delta_inf": Fraction(1)}


def verdict(name: str, exact: Mapping[str, Any], answer: float) -> tuple[Verdict, str]:
    quantity = quantity_named(name)
    (rule,) = rules_for(quantity, {}, {})
    judged = judge(quantity, exact, answer, rule)
    return judged.verdict, judged.reason


def test_what_a_paper_prints_refutes_only_below_the_least() -> None:
    printed = float(evaluate(CONVERSION, AT).upper)
    least = float(evaluate(LEAST, AT).upper)
    assert least < 0.99 * printed
    assert verdict(CONVERSION, AT, printed * 1.001)[0] is Verdict.CERTIFIED
    between = verdict(CONVERSION, AT, (printed + least) / 2)
    assert between == (Verdict.INAPPLICABLE, not_shown(quantity_named(CONVERSION)))
    assert between[1].startswith(f"below what {CONVERSION} prints")
    assert verdict(CONVERSION, AT, least * 0.999)[0] is Verdict.REFUTED
    assert verdict(LEAST, AT, least * 0.999)[0] is Verdict.REFUTED


@pytest.mark.parametrize(
    ("order", "epsilon", "delta"), [("1.01", "0", "0.49999"), ("200", "0.1514308", "0.5135825")]
)
def test_the_sound_answers_of_real_accountants_are_not_refuted(
    order: str, epsilon: str, delta: str
) -> None:
    exact = {"order": Fraction(order), "epsilon": Fraction(epsilon), "delta": Fraction(delta)}
    assert verdict(CONVERSION, exact, 0.0)[0] is Verdict.INAPPLICABLE


def test_on_a_safe_lower_side_more_than_what_is_printed_is_not_shown_to_be_unsound() -> None:
    exact = {"order": Fraction(2), "epsilon": Fraction(1), **SENSITIVITIES}
    step = float(evaluate(STEP, exact).lower)
    assert verdict(STEP, exact, step * 0.999)[0] is Verdict.CERTIFIED
    found, reason = verdict(STEP, exact, step * 1.001)
    assert found is Verdict.INAPPLICABLE
    assert reason.startswith(f"above what {STEP} prints")


@pytest.mark.parametrize("least", [CONVERSION, "dirichlet.counts.epsilon_minimum"])
def test_an_infinity_on_the_unsafe_side_is_refuted_without_a_least(least: str) -> None:
    at = {"eta": Fraction(1, 20), "N": 100, "n": 5, "gamma": Fraction(1, 1000)}
    assert verdict(least, AT if least == CONVERSION else at, -math.inf)[0] is Verdict.REFUTED
    exact = {"order": Fraction(2), "epsilon": Fraction(1), **SENSITIVITIES}
    assert verdict(STEP, exact, math.inf)[0] is Verdict.REFUTED


@dataclass(frozen=True)
class One:
    quantity: str
    check: str
    verdict: Verdict


def test_laws_certify_nothing_of_answers_that_are_not_shown_to_be_sound() -> None:
    beyond = One(CONVERSION, "direction", Verdict.INAPPLICABLE)
    law = One(CONVERSION, "determinism", Verdict.CERTIFIED)
    assert overall_of_checks([beyond, law]) is Verdict.INAPPLICABLE
    assert overall_of_checks([beyond, replace(law, verdict=Verdict.REFUTED)]) is Verdict.REFUTED
    other = One(LEAST, "direction", Verdict.CERTIFIED)
    assert overall_of_checks([beyond, law, other]) is Verdict.CERTIFIED


def inverse(answer: float) -> Verdict:
    """Hold the printed bound against its target at a step that was answered."""
    step = Fraction(answer)
    at_step = {"order": Fraction(2), "step": step, **SENSITIVITIES}
    exact = {"order": Fraction(2), "epsilon": Fraction(1), **SENSITIVITIES}
    others = [LawOther(BOUND, at_step, None)]
    found, _ = law_verdict("inverse", STEP, exact, step, others, Fraction(0), None, 20.0)
    return found


def test_an_inverse_of_a_printed_bound_is_refuted_by_the_least_alone() -> None:
    """Line 1 is not kept at a little more than Algorithm 1's step; the divergence is, still."""
    step = float(evaluate(STEP, {"order": 2, "epsilon": 1, **SENSITIVITIES}).lower)
    assert inverse(step) is Verdict.CERTIFIED
    assert inverse(step * 1.25) is Verdict.INAPPLICABLE
    assert inverse(step * 16) is Verdict.REFUTED


def test_a_check_with_a_case_that_is_not_shown_is_not_certified() -> None:
    some = [Verdict.CERTIFIED, Verdict.INAPPLICABLE]
    assert overall_of_cases(some) is Verdict.INAPPLICABLE
    assert overall_of_cases([*some, Verdict.UNDECIDED]) is Verdict.UNDECIDED
    assert overall_of_cases([*some, Verdict.REFUTED]) is Verdict.REFUTED
    assert overall_of_cases([]) is Verdict.INAPPLICABLE


BACKEND = """
from simplexcert.certify.backends.float64 import backend as built_in

class Backend:
    name, version = "accountant", "1"
    quantities = {%r: lambda **at: FACTOR * built_in.quantities[%r](**at)}

backend = Backend()
"""


@pytest.mark.parametrize(
    ("factor", "code", "stated"), [("1", 5, "inapplicable"), ("0.5", 1, "refuted")]
)
def test_campaign_certificate_and_verification_say_the_same(
    factor: str,
    code: int,
    stated: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cli = calling(capsys)
    source = (BACKEND % (CONVERSION, LEAST)).replace("FACTOR", factor)
    (tmp_path / f"accountant_{stated}.py").write_text(source)
    monkeypatch.chdir(tmp_path)
    given = (f"accountant_{stated}:backend", "--quantities", CONVERSION, "--cases", "20")
    run = cli("certify", *given, "--out", "cert.json", "--transcript", "lines.jsonl.gz")
    assert run.code == code
    assert run.out.startswith(stated.upper())
    assert (f"not shown to be sound: {CONVERSION}" in run.out) == (stated == "inapplicable")
    assert ("is unsound is not shown" in run.out) == (stated == "inapplicable")
    certificate = json.loads((tmp_path / "cert.json").read_bytes())
    checks = {each["check"]: each for each in certificate["predicate"]["checks"]}
    assert checks["direction"]["verdict"] == stated
    assert checks["direction"]["cases"] == 20
    again = cli("verify", "cert.json", "--transcript", "lines.jsonl.gz", "--recheck", "all")
    assert again.code == code
    assert again.out.startswith(stated.upper())
    assert (f"not shown to be sound: {CONVERSION}" in again.out) == (stated == "inapplicable")
    assert ("is unsound is not shown" in again.out) == (stated == "inapplicable")
    # A verdict that is said where another is found does not check.
    checks["direction"]["verdict"] = "certified" if stated == "inapplicable" else "inapplicable"
    (tmp_path / "cert.json").write_text(json.dumps(certificate))
    assert cli("verify", "cert.json").code == 1
