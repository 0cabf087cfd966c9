"""Certificates of laws: a broken one is refuted again by whoever verifies, whatever is left out."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import rfc8785
from simplexcert.certify import certify_backend
from simplexcert.certify.campaign.batches import relation_cases
from simplexcert.certify.certificate import backend, canonical_bytes, statement_of, verify
from simplexcert.certify.certificate.errors import AlgebraError, CertificateError, WitnessError
from simplexcert.certify.certificate.worst_inputs import worst_of_certificate
from simplexcert.certify.checks.relations.cases import relations_for
from simplexcert.certify.cli import run
from simplexcert.certify.points import point_from
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import quantity as registry
from simplexcert.reference.errors import InputError
from simplexcert.reference.quantity import quantity_named

Maker = Callable[..., str]
DELTA, EPSILON = "dirichlet.profile.delta", "dirichlet.profile.epsilon"
STEP, LAW = "dirichlet.profile.step_for_dp", "markov.stationary"
VARIATION = "dirichlet.profile.total_variation"
SOUND = "answer = math.nextafter(truth, math.inf)"
ANOTHER = """
    answering.asked = getattr(answering, "asked", 0) + 1
    answer = truth * (1 + answering.asked % 2)
"""
# What a law of quality needs to refute.
PROMISED = f"accuracy = {{{DELTA!r}: 0.001}}"
# Each breaks the law of this name; other checks may fail, too.
BROKEN = {
    "determinism": (DELTA, ANOTHER),
    "monotone": (DELTA, "answer = 1 - truth * (1 - truth)", PROMISED),
    "limit": (DELTA, "answer = min(truth + 0.02, 0.999)", PROMISED),
    "inverse": (STEP, "answer = truth * 1.5"),
    "adjacency": (DELTA, "answer = truth / 2"),
}
# Of an inverse that is twenty times as far as it has to be, and answers its forward quantity.
TOO_FAR = """
import math
from simplexcert.reference import evaluate

class Backend:
    name, version = "far", "1"
    quantities = {
        "dirichlet.profile.delta": lambda **given: math.nextafter(
            float(evaluate("dirichlet.profile.delta", given).upper), 2.0),
        "dirichlet.profile.epsilon": lambda **given: 20 * float(
            evaluate("dirichlet.profile.epsilon", given).upper),
    }

backend = Backend()
"""


# Its last entry is another one when it is asked again.
ARRAY = """
from itertools import count
from simplexcert.reference import evaluate

ASKED = count()

def stationary(P):
    truth = evaluate("markov.stationary", {"P": P}).enclosure
    found = [float(entry.upper) for entry in truth.entries]
    return [*found[:-1], found[-1] + 1e-13 * next(ASKED)]

class Backend:
    name, version = "array", "1"
    quantities = {"markov.stationary": stationary}

backend = Backend()
"""


def made(where: str, names: str, cases: int = 30) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(
        canonical_bytes(statement_of(certify_backend(where, quantities=names, cases=cases)))
    )
    return loaded


def written(folder: Path, statement: dict[str, Any]) -> Path:
    file = folder / "certificate.json"
    file.write_bytes(rfc8785.dumps(statement))
    return file


def checks(statement: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = statement["predicate"]["checks"]
    return found


def check_of(statement: dict[str, Any], check: str, quantity: str = "") -> dict[str, Any]:
    return next(
        one
        for one in checks(statement)
        if one["check"] == check and (quantity or one["quantity"]) == one["quantity"]
    )


def pass_off(statement: dict[str, Any]) -> None:
    """Say certified wherever something is refuted."""
    for one in checks(statement):
        if one["verdict"] == "refuted":
            one |= {"verdict": "certified", "wrong": 0}
    statement["predicate"]["verdict"] = "certified"


@pytest.mark.parametrize("law", BROKEN)
def test_a_broken_law_is_refuted_and_refuted_again(
    make_backend: Maker, tmp_path: Path, law: str
) -> None:
    name, *body = BROKEN[law]
    statement = made(make_backend(name, *body), name)
    check = check_of(statement, law)
    assert (check["verdict"], check["cases"]) == ("refuted", relation_cases(30))
    found = verify(written(tmp_path, statement))
    assert found.verdict is Verdict.REFUTED
    assert found.witnesses == sum(check["cases"] > 0 for check in checks(statement))


@pytest.mark.parametrize("law", BROKEN)
def test_a_broken_law_cannot_be_passed_off_as_kept(
    make_backend: Maker, tmp_path: Path, law: str
) -> None:
    name, *body = BROKEN[law]
    statement = made(make_backend(name, *body), name)
    pass_off(statement)
    statement["predicate"]["checks"].sort(key=lambda one: one["check"] != law)
    with pytest.raises(WitnessError, match=f"{law}: the worst case is refuted, not certified"):
        verify(written(tmp_path, statement))


@pytest.mark.parametrize("law", BROKEN)
@pytest.mark.parametrize("passed_off", [False, True])
def test_nothing_that_a_law_compares_with_may_be_left_out(
    make_backend: Maker, tmp_path: Path, law: str, passed_off: bool
) -> None:
    name, *body = BROKEN[law]
    statement = made(make_backend(name, *body), name)
    if passed_off:
        pass_off(statement)
    others = len(check_of(statement, law)["worst"]["others"])
    assert others > 0 or law == "limit"
    for at in range(others):
        for second in ("overlaps", "inapplicable"):
            changed = copy.deepcopy(statement)
            del check_of(changed, law)["worst"]["others"][at]
            check_of(changed, law)["second"] = second
            with pytest.raises(CertificateError):
                verify(written(tmp_path, changed))


def test_an_inverse_too_far_on_the_safe_side_is_loose_by_the_backends_own_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needless_backend.py").write_text(TOO_FAR, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    statement = made("needless_backend:backend", "dirichlet.profile.[de]*", 12)
    inverse = check_of(statement, "inverse")
    assert (inverse["verdict"], inverse["loose"] > 0) == ("certified", True)
    assert [one["value"] is None for one in inverse["worst"]["others"]] == [True, False]
    assert {one["verdict"] for one in checks(statement) if one["check"] == "direction"} == {
        "certified"
    }
    assert verify(written(tmp_path, statement)).verdict is Verdict.CERTIFIED
    unsaid = copy.deepcopy(statement)
    check_of(unsaid, "inverse")["loose"] = 0
    with pytest.raises(WitnessError, match="the worst case is not the one that is loose"):
        verify(written(tmp_path, unsaid))
    inverse["worst"]["others"].pop()
    inverse["loose"] = 0
    with pytest.raises(WitnessError, match=rf"the backend answers {DELTA}"):
        verify(written(tmp_path, statement))


def test_so_much_slack_that_a_forward_quantity_proves_nothing_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = TOO_FAR.replace('"far", "1"', '"slack", "1"').replace(
        "    quantities =", '    slack = {"dirichlet.profile.delta": 0.5}\n    quantities ='
    )
    (tmp_path / "slack_backend.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="the most that is admitted"):
        made("slack_backend:backend", "dirichlet.profile.[de]*", 4)


def test_the_entry_that_differs_is_told_of_an_array(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "array_backend.py").write_text(ARRAY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    statement = made("array_backend:backend", LAW, 4)
    check = check_of(statement, "determinism")
    assert check["verdict"] == "refuted"
    assert check["worst"]["entry"] == [len(check["worst"]["parameters"]["P"])]
    assert verify(written(tmp_path, statement)).verdict is Verdict.REFUTED


@pytest.mark.parametrize("check", ["determinism", "limit"])
def test_a_number_has_no_entries(check: str, tmp_path: Path) -> None:
    """Of an entry the range says less; so no number may be passed off as one."""
    statement = json.loads(sound_delta())
    check_of(statement, check)["worst"].update(entry=[1])
    with pytest.raises(WitnessError, match=f"{DELTA} has no entry"):
        verify(written(tmp_path, statement))


def test_an_answer_that_fails_when_asked_again_is_an_error(
    make_backend: Maker, tmp_path: Path
) -> None:
    body = """
    answering.asked = getattr(answering, "asked", 0) + 1
    answer = math.nextafter(truth, math.inf) if answering.asked == 1 else math.nan
    """
    statement = made(make_backend(DELTA, body), DELTA, 1)
    check = check_of(statement, "determinism")
    assert (check["verdict"], check["worst"]["others"], check["second"]) == (
        "error", [], "inapplicable",
    )  # fmt: skip
    assert verify(written(tmp_path, statement)).verdict is Verdict.ERROR


# --- What was not tried ---------------------------------------------------------------------------

UNTRIED = "checks were not run"


def told(file: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert run(["verify", str(file)]) == 0
    return capsys.readouterr().out


def test_how_many_checks_were_not_run_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], make_backend: Maker
) -> None:
    lacking = made(make_backend(VARIATION, SOUND), "dirichlet.profile.[dt]*", 4)
    untried = [check for check in checks(lacking) if check["verdict"] == "inapplicable"]
    assert untried
    assert f"{len(untried)} of the {UNTRIED}" in told(written(tmp_path, lacking), capsys)
    assert UNTRIED not in told(written(tmp_path, json.loads(sound_delta())), capsys)


# --- The names of a scope -----------------------------------------------------------------------


@cache
def sound_delta() -> str:
    return canonical_bytes(statement_of(certify_backend(quantities=f"{DELTA}*", cases=4))).decode()


@pytest.fixture
def sound() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(sound_delta())
    return loaded


def test_quantities_that_came_later_are_not_in_the_scope(
    sound: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path, sound)
    assert verify(file).verdict is Verdict.CERTIFIED
    later = replace(quantity_named(DELTA), name=f"{DELTA}_later")
    monkeypatch.setitem(registry._registry, later.name, later)
    made_by = sound["predicate"]["tool"]["version"]
    monkeypatch.setattr(backend, "SMALLER_REGISTRIES", {made_by})
    assert verify(file).verdict is Verdict.CERTIFIED


@pytest.mark.parametrize("made_by", [None, "0.0.1", "99.0"])
def test_no_name_may_be_left_out_that_the_version_knew(
    sound: dict[str, Any], tmp_path: Path, made_by: str | None
) -> None:
    predicate = sound["predicate"]
    predicate["scope"]["quantities"] = "dirichlet.profile.[de]*"
    predicate["tool"]["version"] = made_by or predicate["tool"]["version"]
    with pytest.raises(AlgebraError, match=f"does not name {EPSILON}, which"):
        verify(written(tmp_path, sound))


def test_a_name_that_is_not_known_is_an_error(
    sound: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quantity_named(DELTA)
    monkeypatch.delitem(registry._registry, DELTA)
    with pytest.raises(AlgebraError, match="which is no quantity that is known"):
        verify(written(tmp_path, sound))


def test_every_law_of_every_name_stands_there(sound: dict[str, Any], tmp_path: Path) -> None:
    told = {one["check"] for one in checks(sound)}
    assert told == {"direction", *(law.check for law in relations_for(quantity_named(DELTA)))}
    for one in checks(sound):
        changed = copy.deepcopy(sound)
        checks(changed).remove(one)
        predicate = changed["predicate"]
        predicate["transcript"]["cases"] -= one["cases"]
        if one["check"] == "direction":
            predicate["sample"] = []
        with pytest.raises(AlgebraError, match=f"the check {DELTA}, {one['check']} is missing"):
            verify(written(tmp_path, changed))


def test_a_promise_of_accuracy_is_checked_wherever_the_quantity_is(tmp_path: Path) -> None:
    statement = made("simplexcert.certify.backends.float64:backend", VARIATION, 4)
    accuracy = check_of(statement, "accuracy")
    statement["predicate"]["transcript"]["cases"] -= accuracy["cases"]
    statement["predicate"]["sample"] = [
        one for one in statement["predicate"]["sample"] if one["check"] != "accuracy"
    ]
    accuracy.update(
        verdict="inapplicable",
        cases=0,
        open=0,
        worst=None,
        ulps=None,
        side="none",
        second="inapplicable",
    )
    statement["predicate"]["verdict"] = "inapplicable"  # what the laws certify is no verdict then
    with pytest.raises(AlgebraError, match="only one of its checks was run"):
        verify(written(tmp_path, statement))


@pytest.mark.parametrize("name", [DELTA, EPSILON])
def test_a_law_was_tried_where_its_quantity_is_answered_and_nowhere_else(
    make_backend: Maker, tmp_path: Path, name: str
) -> None:
    statement = made(make_backend(DELTA, SOUND), "dirichlet.profile.[de]*", 4)
    answered = name == DELTA
    law = check_of(statement, "monotone", name)
    assert (law["verdict"] == "inapplicable") is not answered
    assert verify(written(tmp_path, statement)).verdict is Verdict.CERTIFIED
    like = check_of(statement, "determinism")
    nothing = {"worst": None, "ulps": None, "side": "none", "second": "inapplicable", "cases": 0}
    said = nothing if answered else {key: like[key] for key in nothing}
    law.update(said, verdict="inapplicable" if answered else "certified")
    statement["predicate"]["transcript"]["cases"] = sum(one["cases"] for one in checks(statement))
    with pytest.raises(AlgebraError, match="does not go with what the backend answers"):
        verify(written(tmp_path, statement))


def test_the_worst_cases_of_laws_are_kept_as_points_to_look_at(
    make_backend: Maker, tmp_path: Path
) -> None:
    statement = made(make_backend(DELTA, BROKEN["monotone"][1]), DELTA, 12)
    points = worst_of_certificate(written(tmp_path, statement))
    assert (DELTA, check_of(statement, "monotone")["worst"]["parameters"]) in points
    for name, point in points:
        assert quantity_named(name).admits(point_from(quantity_named(name), point))


# --- Samplers -----------------------------------------------------------------------------------

OFFERING = 'samplers = {"laplace": lambda **given: []}'


def test_samplers_that_were_not_tested_are_told_of(make_backend: Maker, tmp_path: Path) -> None:
    statement = made(make_backend(DELTA, SOUND, OFFERING), DELTA, 4)
    predicate = statement["predicate"]
    assert (predicate["samplers_offered"], predicate["samplers"]) == (["laplace"], [])
    assert verify(written(tmp_path, statement)).verdict is Verdict.CERTIFIED
    told = "Samplers are offered and were not tested: laplace."
    predicate["non_claims"].remove(told)
    with pytest.raises(AlgebraError, match=told):
        verify(written(tmp_path, statement))


def test_samplers_that_were_asked_for_are_told_of(make_backend: Maker, tmp_path: Path) -> None:
    statement = made(make_backend(DELTA, SOUND), DELTA, 4)
    assert statement["predicate"]["samplers_offered"] == []
    statement["predicate"]["scope"]["samplers"] = True
    with pytest.raises(AlgebraError, match="none is told of"):
        verify(written(tmp_path, statement))


def test_a_sampler_whose_answers_are_no_draws_is_an_error(
    make_backend: Maker, tmp_path: Path
) -> None:
    where = make_backend(DELTA, SOUND, OFFERING)
    campaign = certify_backend(where, quantities=DELTA, cases=4, samplers=True)
    statement = json.loads(canonical_bytes(statement_of(campaign)))
    assert {one["verdict"] for one in statement["predicate"]["samplers"]} == {"error"}
    found = verify(written(tmp_path, statement))
    assert (found.verdict, campaign.verdict) == (Verdict.ERROR, Verdict.ERROR)
    assert found.as_json()["samplers"] == len(campaign.samplers)
    for one in statement["predicate"]["samplers"]:
        one["verdict"] = "certified"
    statement["predicate"]["verdict"] = "certified"
    with pytest.raises(WitnessError, match="the verdict is error"):
        verify(written(tmp_path, statement))
