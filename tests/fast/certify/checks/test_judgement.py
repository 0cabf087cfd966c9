"""The pass-or-fail rule, decided exactly at the line.

A case: what is drawn reaches the backend as lists, and is written down without loss.

An answer below a printed number is refuted below the least sound one, and nowhere else.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import calling
from each import each_of
from simplexcert.certify.backends.answers import ChangedArgumentsError
from simplexcert.certify.backends.declarations import declared_quantity
from simplexcert.certify.certificate import recheck
from simplexcert.certify.checks.case import answered, case_from, graver, gravity
from simplexcert.certify.checks.judgement import (
    Counts,
    Judgement,
    distance,
    judge,
    not_shown,
    note_of,
    overall_of_checks,
    rules_for,
)
from simplexcert.certify.checks.relations.cases import StatedOther, relation_verdict
from simplexcert.certify.checks.relations.relation import by_both_engines, by_the_first_engine
from simplexcert.certify.points import Given, exact_point, real_in, written
from simplexcert.certify.verdict import Verdict, overall_of_cases
from simplexcert.reference import evaluate, precision, quantities
from simplexcert.reference.domain import Exact
from simplexcert.reference.dyadic import MINUS_INFINITY, PLUS_INFINITY, Dyadic
from simplexcert.reference.enclosure import Enclosure, number_in
from simplexcert.reference.quantity import Quantity, quantity_named

DELTA = quantities()["dirichlet.profile.delta"]
STEP = quantities()["dirichlet.profile.step_for_dp"]
RENYI = quantities()["dirichlet.profile.renyi"]
POINT: dict[str, Exact] = {
    "alpha": Fraction(42, 25),
    "step": Fraction(1, 5),
    "epsilon": Fraction(1, 2),
}
GIVEN: Given = {"alpha": 1.68, "step": 0.2, "epsilon": 0.5}
CALIBRATION: dict[str, Exact] = {
    "alpha": Fraction(2),
    "epsilon": Fraction(1),
    "delta": Fraction(1, 1000),
}


def held(
    item: object, point: dict[str, Exact], answer: object, slack: str = "0", accuracy: str = ""
) -> list[Judgement]:
    name = item.name  # type: ignore[attr-defined]
    promised = {name: Fraction(accuracy)} if accuracy else {}
    rules = rules_for(item, {name: Fraction(slack)}, promised)  # type: ignore[arg-type]
    return [judge(item, point, answer, rule) for rule in rules]  # type: ignore[arg-type]


def doubles_around(item: object, point: dict[str, Exact]) -> tuple[float, float]:
    """Return the largest double below the truth and the smallest above."""
    truth = evaluate(item.name, point, digits=40)  # type: ignore[attr-defined]
    nearest = float(truth.lower)
    if Fraction(nearest) < truth.lower:
        return nearest, math.nextafter(nearest, math.inf)
    return math.nextafter(nearest, -math.inf), nearest


def test_the_first_double_above_the_truth_passes_and_the_one_below_fails() -> None:
    below, above = doubles_around(DELTA, POINT)
    assert held(DELTA, POINT, above)[0].verdict is Verdict.CERTIFIED
    failed = held(DELTA, POINT, below)[0]
    assert failed.verdict is Verdict.REFUTED
    assert failed.side == "below"
    assert failed.ulps is not None
    assert 0 < failed.ulps < 1


@each_of(
    "item, value, verdict",
    [
        (DELTA, 1, Verdict.REFUTED),
        (DELTA, 2, Verdict.UNDECIDED),
        (DELTA, 3, Verdict.UNDECIDED),
        (DELTA, 4, Verdict.CERTIFIED),
        (STEP, 2, Verdict.CERTIFIED),
        (STEP, 3, Verdict.UNDECIDED),
        (STEP, 4, Verdict.UNDECIDED),
        (STEP, 5, Verdict.REFUTED),
    ],
)
def test_between_the_ends_of_an_enclosure_nothing_is_decided(
    item: Quantity, value: int, verdict: Verdict
) -> None:
    rule, *_ = rules_for(item, {}, {})
    assert rule.passes(Enclosure(Dyadic(2), Dyadic(4)), Fraction(value), None) is verdict


@pytest.mark.parametrize(
    ("truth", "largest"),
    [
        (Enclosure(MINUS_INFINITY, Dyadic(1)), Dyadic(1)),
        (Enclosure(Dyadic(1), PLUS_INFINITY), Dyadic(1)),
        (Enclosure(Dyadic(1), Dyadic(2)), PLUS_INFINITY),
    ],
)
def test_no_distance_is_known_from_what_has_no_end(truth: Enclosure, largest: Dyadic) -> None:
    found = distance(truth, Fraction(5), Enclosure(Dyadic(0), largest))
    assert found == (None, "unknown")


def test_the_rule_is_mirrored_where_the_safe_side_is_below() -> None:
    below, above = doubles_around(STEP, CALIBRATION)
    assert held(STEP, CALIBRATION, below)[0].verdict is Verdict.CERTIFIED
    assert held(STEP, CALIBRATION, above)[0].verdict is Verdict.REFUTED


@pytest.mark.parametrize(("item", "point"), [(DELTA, POINT), (STEP, CALIBRATION)])
def test_a_declared_slack_moves_the_line_by_just_that(
    item: object, point: dict[str, Exact]
) -> None:
    truth = evaluate(item.name, point, digits=40)  # type: ignore[attr-defined]
    sign = -1 if item is DELTA else 1
    inside = float(truth.lower * (1 + sign * Fraction(9, 10000)))
    outside = float(truth.lower * (1 + sign * Fraction(11, 10000)))
    assert held(item, point, inside, slack="0.001")[0].verdict is Verdict.CERTIFIED
    assert held(item, point, inside)[0].verdict is Verdict.REFUTED
    assert held(item, point, outside, slack="0.001")[0].verdict is Verdict.REFUTED


@each_of(
    "share, verdict",
    [
        ("0.8999", Verdict.REFUTED),
        ("0.9001", Verdict.CERTIFIED),
        ("1.0999", Verdict.CERTIFIED),
        ("1.1001", Verdict.REFUTED),
    ],
)
def test_an_accuracy_is_decided_at_its_line_on_either_side(share: str, verdict: Verdict) -> None:
    truth = evaluate(DELTA.name, POINT, digits=40).lower
    *_, within = held(DELTA, POINT, float(truth * Fraction(share)), accuracy="0.1")
    assert within.verdict is verdict


@each_of("off, verdict", [("9.9e-10", Verdict.CERTIFIED), ("1.01e-9", Verdict.REFUTED)])
def test_without_a_safe_side_or_a_promise_an_answer_is_within_a_billionth(
    off: str, verdict: Verdict
) -> None:
    variance = quantity_named("dirichlet.utility.variance")
    point: dict[str, Exact] = {"p": Fraction(1, 2), "k": 1}  # its truth is 1/8
    for sign in (1, -1):
        (within,) = held(variance, point, float((1 + sign * Fraction(off)) / 8))
        assert within.verdict is verdict


def test_excess_on_the_safe_side_fails_only_a_declared_accuracy() -> None:
    _, above = doubles_around(DELTA, POINT)
    generous = above * 1.01
    assert [j.verdict for j in held(DELTA, POINT, generous)] == [Verdict.CERTIFIED]
    verdicts = [j.verdict for j in held(DELTA, POINT, generous, accuracy="0.001")]
    assert verdicts == [Verdict.CERTIFIED, Verdict.REFUTED]
    verdicts = [j.verdict for j in held(DELTA, POINT, generous, accuracy="0.1")]
    assert verdicts == [Verdict.CERTIFIED, Verdict.CERTIFIED]


@each_of(
    "rubbish",
    [
        float("nan"), np.nan, "0.5", None, True, [0.5], np.array([0.5]), 1j, ValueError("no"),
        {}, b"1",
    ],
)  # fmt: skip
def test_rubbish_is_an_error_and_never_a_pass(rubbish: object) -> None:
    assert held(DELTA, POINT, rubbish)[0].verdict is Verdict.ERROR


@each_of(
    "answer",
    [np.float64(1.0), np.array(1.0), 1, np.int64(1), 1.0, Decimal(1), Fraction(7, 3), 7**99],
)
def test_every_kind_of_real_scalar_is_read(answer: object) -> None:
    assert held(DELTA, POINT, answer)[0].verdict is Verdict.CERTIFIED


@each_of("answer", [Fraction(1, 10**10_000), Decimal("1e10000"), 10**10_001, Decimal("NaN")])
def test_a_number_that_cannot_be_written_down_is_no_answer(answer: object) -> None:
    assert held(DELTA, POINT, answer)[0].verdict is Verdict.ERROR


def test_a_fraction_between_two_doubles_is_judged_and_written_as_it_is() -> None:
    below, above = map(Fraction, doubles_around(DELTA, POINT))
    truth = evaluate(DELTA.name, POINT, digits=60)
    inside = (truth.upper + above) / 2, (truth.lower + below) / 2
    verdicts = [held(DELTA, POINT, answer)[0].verdict for answer in inside]
    assert verdicts == [Verdict.CERTIFIED, Verdict.REFUTED]
    case = case_from(DELTA, GIVEN, inside[0], rules_for(DELTA, {}, {})[0])
    assert case.value == f"{inside[0].numerator}/{inside[0].denominator}"
    assert real_in(case.value) == inside[0]


INFINITE: dict[str, Exact] = {"alpha": Fraction(1), "step": Fraction(1), "order": Fraction(2)}


def test_an_infinite_upper_bound_is_safe_and_an_infinite_lower_bound_is_not() -> None:
    finite = {**INFINITE, "order": Fraction(3, 2)}
    assert held(RENYI, INFINITE, math.inf)[0].verdict is Verdict.CERTIFIED
    assert held(RENYI, INFINITE, -math.inf)[0].verdict is Verdict.REFUTED
    assert held(RENYI, finite, math.inf)[0].verdict is Verdict.CERTIFIED
    assert held(RENYI, finite, -math.inf)[0].verdict is Verdict.REFUTED
    assert held(STEP, CALIBRATION, -math.inf)[0].verdict is Verdict.CERTIFIED
    assert held(STEP, CALIBRATION, math.inf)[0].verdict is Verdict.REFUTED


def test_an_infinite_answer_keeps_no_promise_of_accuracy_where_the_truth_is_finite() -> None:
    finite = {**INFINITE, "order": Fraction(3, 2)}
    verdicts = [one.verdict for one in held(RENYI, finite, math.inf, accuracy="1/10")]
    assert verdicts == [Verdict.CERTIFIED, Verdict.REFUTED]


def test_a_finite_answer_fails_where_an_upper_bound_has_to_be_infinite() -> None:
    assert held(RENYI, INFINITE, 1e308)[0].verdict is Verdict.REFUTED


def test_any_finite_answer_is_a_lower_bound_of_an_infinite_truth() -> None:
    lower = declared_quantity(RENYI, direction="lower")
    assert held(lower, INFINITE, 1e308)[0].verdict is Verdict.CERTIFIED


def note(quantity: Quantity, point: dict[str, Exact], answer: object) -> str:
    judged = held(quantity, point, answer)[0]
    return note_of(quantity, "direction", judged.value, judged.truth)


def test_an_answer_is_trivial_where_another_double_would_be_safe() -> None:
    assert note(DELTA, POINT, 1.0) == note(DELTA, POINT, math.inf) == "trivial"
    assert note(DELTA, POINT, math.nextafter(1.0, 0.0)) == ""
    assert note(STEP, CALIBRATION, 0.0) == note(STEP, CALIBRATION, -1.0) == "trivial"
    assert note(RENYI, {**INFINITE, "order": Fraction(3, 2)}, math.inf) == "trivial"
    assert note(RENYI, INFINITE, math.inf) == "closed"
    nearly: dict[str, Exact] = {**POINT, "alpha": Fraction(1, 2**90), "step": Fraction(10**6)}
    assert note(DELTA, nearly, 1.0) == "closed"
    least: dict[str, Exact] = {"epsilon": Fraction(0), "delta": Fraction(1, 10**400)}
    assert note(STEP, {**CALIBRATION, **least}, 0.0) == "closed"


@each_of(
    "counted",
    [
        ((0, 0), Verdict.INAPPLICABLE),
        ((1, 1), Verdict.INAPPLICABLE),
        ((3, 2), Verdict.INAPPLICABLE),
        ((2, 1), Verdict.CERTIFIED),
        ((1, 0), Verdict.CERTIFIED),
    ],
)
def test_sound_answers_that_mostly_say_nothing_are_inapplicable(
    counted: tuple[tuple[int, int], Verdict],
) -> None:
    (opened, trivial), verdict = counted
    counts = Counts(10, open=opened, trivial=trivial)
    assert counts.verdict("direction", Verdict.CERTIFIED) is verdict
    assert counts.verdict("direction", Verdict.REFUTED) is Verdict.REFUTED
    assert counts.verdict("monotone", Verdict.CERTIFIED) is Verdict.CERTIFIED


def test_an_answer_that_equals_a_rational_truth_passes() -> None:
    half: dict[str, Exact] = {"alpha": Fraction(1), "step": Fraction(1), "epsilon": Fraction(0)}
    exactly = held(DELTA, half, 0.5)[0]
    assert exactly.verdict is Verdict.CERTIFIED
    assert exactly.ulps == 0
    assert held(DELTA, half, math.nextafter(0.5, 0))[0].verdict is Verdict.REFUTED


STEP_POINT: Given = {"releases": ((0.1, 0.5, 3), (2.0, 1.0, 1)), "u": (0.1, 2.0), "k": 0.1, "n": 4}


def test_a_backend_is_given_tables_as_lists_of_lists() -> None:
    given = answered(lambda **given: given, STEP_POINT)
    assert given == {
        "releases": [[0.1, 0.5, 3], [2.0, 1.0, 1]], "u": [0.1, 2.0], "k": 0.1, "n": 4}  # fmt: skip
    assert isinstance(given, dict)
    assert [type(item) for item in given["releases"][0]] == [float, float, int]


def test_a_backend_that_changes_its_lists_changes_no_point() -> None:
    def spoil(releases: list[list[Any]], **_others: Any) -> float:
        releases[0][0] = releases[1] = None  # type: ignore[call-overload]
        return 1.0

    assert isinstance(answered(spoil, STEP_POINT), ChangedArgumentsError)
    assert STEP_POINT["releases"] == ((0.1, 0.5, 3), (2.0, 1.0, 1))


def test_floats_are_written_in_hex_and_integers_as_they_are() -> None:
    assert written(STEP_POINT["releases"]) == [
        ["0x1.999999999999ap-4", "0x1.0000000000000p-1", 3],
        ["0x1.0000000000000p+1", "0x1.0000000000000p+0", 1],
    ]
    assert written(STEP_POINT["u"]) == ["0x1.999999999999ap-4", "0x1.0000000000000p+1"]


def test_a_point_is_exactly_what_its_floats_are() -> None:
    exact = exact_point(STEP_POINT)
    assert exact["releases"] == ((Fraction(0.1), Fraction(1, 2), 3), (Fraction(2), Fraction(1), 1))
    assert exact["u"] == (Fraction(0.1), Fraction(2))


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize(("answer", "verdict"), [(1.5, "certified"), (1.25, "refuted")])
def test_a_case_with_a_table_is_judged_and_written_as_one_line(answer: float, verdict: str) -> None:
    quantity = quantities()["made.steps"]
    point: Given = {"releases": ((1.0, 0.5, 3),), "scale": 1.0}
    (rule,) = rules_for(quantity, {}, {})
    case = case_from(quantity, point, answer, rule)
    assert case.verdict is Verdict(verdict)
    one, half = "0x1.0000000000000p+0", "0x1.0000000000000p-1"
    assert case.as_json()["parameters"] == {"releases": [[one, half, 3]], "scale": one}
    assert f'"releases":[["{one}","{half}",3]]' in case.line()


def test_of_two_cases_that_are_equally_bad_the_earlier_one_is_the_worse() -> None:
    (rule,) = rules_for(DELTA, {}, {})
    first = case_from(DELTA, GIVEN, 0.5, rule)
    second = replace(first, reason="later")
    assert graver(first, second) is first
    assert graver(second, first) is second


def test_a_case_of_no_finite_distance_is_graver_than_one_at_the_line_and_than_no_other() -> None:
    at, none, above = (gravity(Verdict.REFUTED, "", off) for off in (0, None, Fraction(1, 2**20)))
    assert at < none < above


CONVERSION, LEAST = "dirichlet.renyi.to_approximate_dp", "renyi.epsilon_for_dp"
PRINTED_STEP, PRINTED_BOUND = "dirichlet.renyi.step", "dirichlet.renyi.epsilon_bound"
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
    step = float(evaluate(PRINTED_STEP, exact).lower)
    assert verdict(PRINTED_STEP, exact, step * 0.999)[0] is Verdict.CERTIFIED
    found, reason = verdict(PRINTED_STEP, exact, step * 1.001)
    assert found is Verdict.INAPPLICABLE
    assert reason.startswith(f"above what {PRINTED_STEP} prints")


@pytest.mark.parametrize("least", [CONVERSION, "dirichlet.counts.epsilon_minimum"])
def test_an_infinity_on_the_unsafe_side_is_refuted_without_a_least(least: str) -> None:
    at = {"eta": Fraction(1, 20), "N": 100, "n": 5, "gamma": Fraction(1, 1000)}
    assert verdict(least, AT if least == CONVERSION else at, -math.inf)[0] is Verdict.REFUTED
    exact = {"order": Fraction(2), "epsilon": Fraction(1), **SENSITIVITIES}
    assert verdict(PRINTED_STEP, exact, math.inf)[0] is Verdict.REFUTED


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
    others = [StatedOther(PRINTED_BOUND, at_step, None)]
    found, *_ = relation_verdict(
        "inverse",
        quantity_named(PRINTED_STEP),
        exact,
        step,
        others,
        Fraction(0),
        None,
        by_both_engines(20.0),
    )
    return found


def test_an_inverse_of_a_printed_bound_is_refuted_by_the_least_alone() -> None:
    """Line 1 is not kept at a little more than Algorithm 1's step; the divergence is, still."""
    step = float(evaluate(PRINTED_STEP, {"order": 2, "epsilon": 1, **SENSITIVITIES}).lower)
    assert inverse(step) is Verdict.CERTIFIED
    assert inverse(step * 1.25) is Verdict.INAPPLICABLE
    assert inverse(step * 16) is Verdict.REFUTED


def test_what_else_the_machine_does_leaves_no_case_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A clock that jumps by an hour at each look is a machine that does other things."""
    hours = itertools.count(step=3600.0)
    monkeypatch.setattr(precision.time, "monotonic", lambda: next(hours))
    quantity = quantity_named("dpsgd.delta")
    point = {"noise_multiplier": 1.0, "sampling_probability": 0.1, "steps": 10, "epsilon": 1.0}
    exact, (rule,) = exact_point(point), rules_for(quantity, {}, {})
    assert judge(quantity, exact, 1e-9, rule).verdict is Verdict.REFUTED
    exact = exact_point(point | {"epsilon": 1.25})  # where nothing is kept
    decided = by_the_first_engine(quantity, exact, lambda truth: truth.is_narrow(10))
    assert number_in(decided).is_narrow(10)


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
    monkeypatch.setattr(recheck, "_processes", lambda: 1)
    given = (f"accountant_{stated}:backend", "--quantities", CONVERSION, "--cases", "20")
    run = cli("certify", *given, "--out", "cert.json", "--transcript", "lines.jsonl.gz")
    assert run.code == code
    assert run.out.startswith(stated.upper())
    told = " ".join(run.out.split())  # it is folded
    assert (f"not shown to be sound: {CONVERSION}" in told) == (stated == "inapplicable")
    assert ("is unsound is not shown" in told) == (stated == "inapplicable")
    assert re.search(rf"^{CONVERSION} +{stated} ", run.out, re.MULTILINE)
    certificate = json.loads((tmp_path / "cert.json").read_bytes())
    checks = {each["check"]: each for each in certificate["predicate"]["checks"]}
    assert checks["direction"]["verdict"] == stated
    assert checks["direction"]["cases"] == 20
    again = cli("verify", "cert.json", "--transcript", "lines.jsonl.gz", "--recheck", "all")
    assert again.code == code
    assert again.out.startswith(stated.upper())
    said = " ".join(again.out.split())
    assert (f"not shown to be sound: {CONVERSION}" in said) == (stated == "inapplicable")
    assert ("is unsound is not shown" in said) == (stated == "inapplicable")
    # A verdict that is said where another is found does not check.
    checks["direction"]["verdict"] = "certified" if stated == "inapplicable" else "inapplicable"
    (tmp_path / "cert.json").write_text(json.dumps(certificate))
    assert cli("verify", "cert.json").code == 1
