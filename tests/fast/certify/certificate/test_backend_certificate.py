"""Certificates: reproducible, closed in shape, and refused after any change that matters."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
import rfc8785
from each import each_of
from instances import instances
from simplexcert.certify import certify_backend
from simplexcert.certify.campaign import SAMPLED
from simplexcert.certify.certificate import canonical_bytes, statement_of, verification, verify
from simplexcert.certify.certificate.agreement import answer_written
from simplexcert.certify.certificate.errors import (
    AlgebraError,
    CanonicalFormError,
    CertificateError,
    ShapeError,
    SubjectError,
    VersionError,
    WitnessError,
)
from simplexcert.certify.certificate.models import Answered, Check
from simplexcert.certify.certificate.parts import MAX_ROW, MAX_VECTOR
from simplexcert.certify.certificate.schema import SCHEMA_FILES, schema_text
from simplexcert.certify.certificate.worst_case import require_distance
from simplexcert.certify.cli import run
from simplexcert.certify.points import written_point
from simplexcert.certify.verdict import Verdict
from simplexcert.reference import quantities
from simplexcert.reference.domain.events import fields_of_event
from simplexcert.reference.enclosure import Enclosure
from simplexcert.reference.errors import InputError
from simplexcert.reference.quantity import Side
from simplexcert.reference.structures import EVENTS

DELTA = "dirichlet.profile.delta"
GENERAL = "dirichlet.tail.general"
Maker = Callable[..., str]
Change = Callable[[dict[str, Any]], object]


def certificate(make_backend: Maker, body: str, declared: str = "") -> dict[str, Any]:
    where = make_backend(DELTA, body, declared)
    campaign = certify_backend(where, quantities="dirichlet.profile.[dr]*", cases=30)
    loaded: dict[str, Any] = json.loads(canonical_bytes(statement_of(campaign)))
    return loaded


def fresh(make_backend: Maker, body: str) -> dict[str, Any]:
    """Return a certificate of its own for each test, of a campaign that is run once."""
    if body not in MADE:
        MADE[body] = json.dumps(certificate(make_backend, body))
    loaded: dict[str, Any] = json.loads(MADE[body])
    return loaded


SOUND, WRONG = "answer = math.nextafter(truth, math.inf)", "answer = truth * 0.99"
MADE: dict[str, str] = {}


@pytest.fixture
def sound(make_backend: Maker) -> dict[str, Any]:
    return fresh(make_backend, SOUND)


@pytest.fixture
def refuted(make_backend: Maker) -> dict[str, Any]:
    return fresh(make_backend, WRONG)


def test_an_answer_of_as_many_digits_as_are_taken_is_read_again(
    tmp_path: Path, make_backend: Maker
) -> None:
    fraction = "__import__('fractions').Fraction"
    body = f"answer = {fraction}(math.nextafter(truth, 1)) + 1 / {fraction}(10**9000)"
    where = make_backend(DELTA, body)
    campaign = certify_backend(where, quantities=DELTA, cases=2, screen=0)
    assert campaign.verdict is Verdict.CERTIFIED
    file = tmp_path / "certificate.json"
    file.write_bytes(canonical_bytes(statement_of(campaign)))
    assert len(delta_check(json.loads(file.read_bytes()))["worst"]["value"]) > 9000
    assert verify(file).verdict is Verdict.CERTIFIED


def written(folder: Path, statement: dict[str, Any]) -> Path:
    file = folder / "certificate.json"
    file.write_bytes(rfc8785.dumps(statement))
    return file


def delta_check(statement: dict[str, Any]) -> dict[str, Any]:
    checks: list[dict[str, Any]] = statement["predicate"]["checks"]
    return next(check for check in checks if check["quantity"] == DELTA)


def check_of_a_truth(statement: dict[str, Any]) -> dict[str, Any]:
    """Return the check of a relation whose worst case is held against an enclosed truth."""
    checks: list[dict[str, Any]] = statement["predicate"]["checks"]
    return next(
        check
        for check in checks
        if check["worst"] and any(one["value"] is None for one in check["worst"]["others"])
    )


def widen(check: dict[str, Any]) -> None:
    """State ends a millionth further apart, by which no answer is as far off."""
    upper = Decimal(check["worst"]["upper"])
    check["worst"]["upper"] = f"{upper * Decimal('1.000001'):.11e}"
    if check["side"] == "below":
        check["ulps"] = "1000000000000"


def pass_off(statement: dict[str, Any]) -> None:
    """Say certified wherever something is refuted, laws that the same answers break included."""
    for part in (*statement["predicate"]["checks"], statement["predicate"]):
        if part["verdict"] == "refuted":
            part["verdict"] = "certified"
        if "wrong" in part:
            part["wrong"] = 0


def worst_cases(statement: dict[str, Any]) -> int:
    return sum(check["worst"] is not None for check in statement["predicate"]["checks"])


def test_the_same_inputs_give_the_same_bytes(make_backend: Maker) -> None:
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    first, second = (
        canonical_bytes(statement_of(certify_backend(where, quantities=DELTA, cases=25)))
        for _ in range(2)
    )
    assert first == second


@each_of("name", SCHEMA_FILES)
def test_the_published_schema_is_the_models_own(name: str) -> None:
    assert SCHEMA_FILES[name].read_text(encoding="utf-8") == schema_text(name)


def test_a_certificate_satisfies_the_published_schema(sound: dict[str, Any]) -> None:
    jsonschema.Draft202012Validator(json.loads(schema_text(SCHEMA))).validate(sound)


def test_the_statement_is_in_toto_and_names_the_backends_files(sound: dict[str, Any]) -> None:
    assert sound["_type"] == "https://in-toto.io/Statement/v1"
    assert sound["predicateType"].endswith("/backend/v1")
    (subject,) = sound["subject"]
    assert subject["name"].endswith(".py")
    assert len(subject["digest"]["sha256"]) == 64


def test_a_sound_certificate_is_authentic_and_certified(
    sound: dict[str, Any], tmp_path: Path
) -> None:
    found = verify(written(tmp_path, sound))
    assert found.verdict is Verdict.CERTIFIED
    assert found.witnesses == worst_cases(sound) > 1


@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("answer = math.nextafter(truth, math.inf)", Verdict.CERTIFIED),
        ("answer = truth * 0.99 if len(given['alpha']) > 2 else 1.0", Verdict.REFUTED),
    ],
)
def test_a_worst_case_may_hold_a_vector(
    make_backend: Maker, tmp_path: Path, body: str, verdict: Verdict
) -> None:
    campaign = certify_backend(make_backend(GENERAL, body), quantities=GENERAL, cases=40)
    statement = json.loads(canonical_bytes(statement_of(campaign)))
    jsonschema.Draft202012Validator(json.loads(schema_text(SCHEMA))).validate(statement)
    assert verify(written(tmp_path, statement)).verdict is verdict
    entries = statement["predicate"]["checks"][0]["worst"]["parameters"]["alpha"]
    assert all(float.fromhex(entry) > 0 for entry in entries)
    entries[0] = "nan"
    with pytest.raises(ShapeError):
        verify(written(tmp_path, statement))


SCHEMA = "backend-v1.schema.json"
KINDS = {"made.steps": "releases", "made.rows": "rows", "made.collision": "p"}


def nested(make_backend: Maker, name: str, body: str) -> dict[str, Any]:
    campaign = certify_backend(make_backend(name, body), quantities=name, cases=40)
    loaded: dict[str, Any] = json.loads(canonical_bytes(statement_of(campaign)))
    return loaded


def worst_of(statement: dict[str, Any]) -> dict[str, Any]:
    parameters: dict[str, Any] = statement["predicate"]["checks"][0]["worst"]["parameters"]
    return parameters


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize(
    ("body", "verdict"),
    [
        ("answer = math.nextafter(truth, {safe} * math.inf)", Verdict.CERTIFIED),
        ("answer = truth - {safe}", Verdict.REFUTED),
    ],
)
def test_a_worst_case_may_hold_a_table_or_a_law(
    make_backend: Maker, tmp_path: Path, name: str, body: str, verdict: Verdict
) -> None:
    safe = 1 if quantities()[name].safe is Side.UPPER else -1
    statement = nested(make_backend, name, body.format(safe=safe))
    jsonschema.Draft202012Validator(json.loads(schema_text(SCHEMA))).validate(statement)
    found = verify(written(tmp_path, statement))
    assert (found.verdict, found.witnesses) == (verdict, worst_cases(statement))
    assert isinstance(worst_of(statement)[KINDS[name]], list)


@pytest.mark.usefixtures("made_up")
def test_the_same_seed_gives_the_same_bytes_for_tables(make_backend: Maker) -> None:
    where = make_backend("made.steps", "answer = math.nextafter(truth, math.inf)")
    first, second = (
        canonical_bytes(statement_of(certify_backend(where, quantities="made.steps", cases=120)))
        for _ in range(2)
    )
    assert first == second


ONE = "0x1.0000000000000p+0"
HALF = "0x1.0000000000000p-1"
TABLES: dict[str, tuple[str, Any, type[CertificateError]]] = {
    "row-cut-short": ("made.steps", [[ONE, ONE]], WitnessError),
    "row-too-long": ("made.steps", [[ONE, ONE, 1, 1]], WitnessError),
    "row-missing": ("made.steps", [], WitnessError),
    "row-empty": ("made.steps", [[]], ShapeError),
    "row-endless": ("made.steps", [[ONE, ONE, *[1] * MAX_ROW]], ShapeError),
    "rows-endless": ("made.steps", [[ONE, ONE, 1]] * (MAX_VECTOR + 1), ShapeError),
    "rows-in-rows": ("made.steps", [[[ONE, ONE, 1]]], ShapeError),
    "no-rows-but-numbers": ("made.steps", [ONE, ONE], WitnessError),
    "numbers-among-rows": ("made.steps", [[ONE, ONE, 1], ONE], WitnessError),
    "one-number": ("made.steps", ONE, WitnessError),
    "whole-numbers-among-rows": ("made.steps", [1], WitnessError),
    "count-of-a-half": ("made.steps", [[ONE, ONE, HALF]], WitnessError),
    "count-of-none": ("made.steps", [[ONE, ONE, 0]], WitnessError),
    "count-that-json-cannot-carry": ("made.steps", [[ONE, ONE, 2**53]], CertificateError),
    "count-a-truth-value": ("made.steps", [[ONE, ONE, True]], ShapeError),
    "step-infinite": ("made.steps", [[ONE, "inf", 1]], WitnessError),
    "step-not-a-number": ("made.steps", [[ONE, "nan", 1]], ShapeError),
    "step-beyond-doubles": ("made.steps", [[ONE, "0x1.0000000000000p+9999", 1]], WitnessError),
    "law-of-another-sum": ("made.collision", [HALF, ONE], WitnessError),
    "law-of-rows": ("made.collision", [[HALF, HALF]], WitnessError),
    "law-of-one": ("made.collision", [ONE], WitnessError),
    "law-for-a-number": ("made.collision", 1, WitnessError),
}


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("name", TABLES)
def test_a_tampered_table_or_law_is_refused(make_backend: Maker, tmp_path: Path, name: str) -> None:
    quantity, hostile, error = TABLES[name]
    statement = nested(make_backend, quantity, "answer = 1e300")
    assert verify(written(tmp_path, statement)).verdict is Verdict.CERTIFIED
    worst_of(statement)[KINDS[quantity]] = hostile
    file = tmp_path / "certificate.json"
    file.write_bytes(json.dumps(statement, sort_keys=True, separators=(",", ":")).encode())
    with pytest.raises(error):
        verify(file)


def test_a_refutation_is_authentic_and_stays_one(refuted: dict[str, Any], tmp_path: Path) -> None:
    assert verify(written(tmp_path, refuted)).verdict is Verdict.REFUTED


def test_the_file_at_hand_must_be_a_subject(make_backend: Maker, tmp_path: Path) -> None:
    sound = certificate(make_backend, SOUND)
    file = written(tmp_path, sound)
    backend = tmp_path / sound["subject"][0]["name"]
    assert verify(file, subject=backend).verdict is Verdict.CERTIFIED
    with pytest.raises(SubjectError):
        verify(file, subject=file)


def set_value(value: str) -> Change:
    return lambda statement: delta_check(statement)["worst"].update(value=value)


ADVERSARIAL: dict[str, tuple[Change, type[CertificateError]]] = {
    "verdict-of-the-whole-changed": (
        lambda s: s["predicate"].update(verdict="undecided"), AlgebraError),
    "part-refuted-under-a-certified-whole": (
        lambda s: delta_check(s).update(verdict="refuted"), AlgebraError),
    "all-parts-dropped": (lambda s: s["predicate"].update(checks=[]), AlgebraError),
    "cases-dropped-to-none": (lambda s: delta_check(s).update(cases=0), AlgebraError),
    "worst-case-dropped": (lambda s: delta_check(s).update(worst=None), AlgebraError),
    "check-doubled": (
        lambda s: s["predicate"]["checks"].append(copy.deepcopy(delta_check(s))), AlgebraError),
    "value-below-the-truth": (set_value("0x1.0000000000000p-1060"), WitnessError),
    "value-not-a-number": (set_value("nan"), WitnessError),
    "value-infinite": (set_value("inf"), WitnessError),
    "value-rubbish": (set_value("0.5 or so"), WitnessError),
    "enclosure-moved": (
        lambda s: delta_check(s)["worst"].update(lower="2", upper="3"), WitnessError),
    "enclosure-wider": (lambda s: widen(delta_check(s)), WitnessError),
    "enclosure-wider-of-a-relation": (lambda s: widen(check_of_a_truth(s)), WitnessError),
    "enclosure-inverted": (
        lambda s: delta_check(s)["worst"].update(lower="3", upper="2"), WitnessError),
    "enclosure-not-a-number": (lambda s: delta_check(s)["worst"].update(lower="nan"), ShapeError),
    "enclosure-astronomical": (
        lambda s: delta_check(s)["worst"].update(lower="1e+999999999999", upper="1e+999999999999"),
        WitnessError),
    "enclosure-infinitesimal": (
        lambda s: delta_check(s)["worst"].update(lower="1e-999999999999", upper="1e-999999999999"),
        WitnessError),
    "parameters-outside-the-domain": (
        lambda s: delta_check(s)["worst"]["parameters"].update(alpha="-0x1.0000000000000p+0"),
        WitnessError),
    "parameter-missing": (
        lambda s: delta_check(s)["worst"]["parameters"].pop("alpha"), WitnessError),
    "parameter-unknown": (
        lambda s: delta_check(s)["worst"]["parameters"].update(beta=1), WitnessError),
    "parameter-infinite": (
        lambda s: delta_check(s)["worst"]["parameters"].update(alpha="inf"), WitnessError),
    "parameter-beyond-doubles": (
        lambda s: delta_check(s)["worst"]["parameters"].update(alpha="0x1.0000000000000p+9999"),
        WitnessError),
    "parameter-a-list": (
        lambda s: delta_check(s)["worst"]["parameters"].update(alpha=["0x1.0000000000000p+0"]),
        WitnessError),
    "parameter-an-empty-list": (
        lambda s: delta_check(s)["worst"]["parameters"].update(alpha=[]), WitnessError),
    "quantity-unknown": (lambda s: delta_check(s).update(quantity="x.y"), AlgebraError),
    "check-that-does-not-apply": (lambda s: delta_check(s).update(check="accuracy"), AlgebraError),
    "one-check-dropped": (
        lambda s: s["predicate"]["checks"].remove(delta_check(s)), AlgebraError),
    "scope-wider-than-the-checks": (
        lambda s: s["predicate"]["scope"].update(quantities="*"), AlgebraError),
    "scope-beside-the-checks": (
        lambda s: s["predicate"]["scope"].update(quantities="dirichlet.tail.*"), AlgebraError),
    "more-cases-asked-for-than-run": (
        lambda s: s["predicate"]["scope"].update(cases=10**9), AlgebraError),
    "more-cases-said-than-asked-for": (
        lambda s: delta_check(s).update(cases=10**9), AlgebraError),
    "side-changed": (lambda s: delta_check(s).update(side="below"), WitnessError),
    "second-opinion-said-missing": (
        lambda s: delta_check(s).update(second="inapplicable"), AlgebraError),
    "distance-dropped": (lambda s: delta_check(s).update(ulps=None), AlgebraError),
    "limits-not-told": (lambda s: s["predicate"].update(non_claims=[]), AlgebraError),
    "assumptions-not-told": (lambda s: s["predicate"].update(hypotheses=[]), AlgebraError),
    "engines-not-named": (lambda s: s["predicate"].update(engines=[]), AlgebraError),
    "slack-not-told": (lambda s: delta_check(s).update(slack="1/2"), AlgebraError),
    "slack-of-everything": (lambda s: delta_check(s).update(slack="1"), WitnessError),
    "slack-of-more": (lambda s: delta_check(s).update(slack="3/2"), WitnessError),
    "slack-no-number": (lambda s: delta_check(s).update(slack="1/0"), WitnessError),
    "control-characters": (
        lambda s: s["predicate"]["scope"].update(backend="\x1b[2J CERTIFIED"), ShapeError),
    "check-unknown": (lambda s: delta_check(s).update(check="belief"), ShapeError),
    "verdict-unknown": (lambda s: s["predicate"].update(verdict="fine"), ShapeError),
    "field-unknown": (lambda s: s["predicate"].update(trusted=True), ShapeError),
    "field-missing": (lambda s: s["predicate"].pop("non_claims"), ShapeError),
    "seed-missing": (lambda s: s["predicate"].pop("seed"), ShapeError),
    "version-unknown": (
        lambda s: s.update(predicateType=s["predicateType"].replace("v1", "v9")), VersionError),
    "statement-of-another-type": (lambda s: s.update(_type="x"), ShapeError),
    "subject-dropped": (lambda s: s.update(subject=[]), ShapeError),
    "digest-cut-short": (
        lambda s: s["subject"][0]["digest"].update(sha256="abc"), ShapeError),
    "cases-negative": (lambda s: delta_check(s).update(cases=-1), ShapeError),
    "cases-fractional": (lambda s: delta_check(s).update(cases=1.5), ShapeError),
    "text-for-a-list": (lambda s: s["predicate"].update(non_claims="none"), ShapeError),
}  # fmt: skip


@pytest.mark.parametrize("name", ADVERSARIAL)
def test_a_tampered_certificate_is_refused(
    sound: dict[str, Any], tmp_path: Path, name: str
) -> None:
    change, error = ADVERSARIAL[name]
    change(sound)
    with pytest.raises(error):
        verify(written(tmp_path, sound))


def test_an_integer_that_json_cannot_carry_is_refused(
    sound: dict[str, Any], tmp_path: Path
) -> None:
    file = written(tmp_path, sound)
    alpha = delta_check(sound)["worst"]["parameters"]["alpha"]
    file.write_bytes(file.read_bytes().replace(f'"{alpha}"'.encode(), b"9007199254740993"))
    with pytest.raises(ShapeError):
        verify(file)


@each_of("text", ["", "9.9, audited by a bank", "newest", "1" * 62])
@each_of("part", ["tool", "engines"])
def test_a_version_is_a_packages_number(
    part: str, text: str, sound: dict[str, Any], tmp_path: Path
) -> None:
    statement = copy.deepcopy(sound)
    told = statement["predicate"][part]
    (told if part == "tool" else told[0])["version"] = text
    with pytest.raises(ShapeError):
        verify(written(tmp_path, statement))


@pytest.mark.parametrize("part", ["tool", "engines"])
def test_what_made_it_bears_its_own_name(part: str, sound: dict[str, Any], tmp_path: Path) -> None:
    made = sound["predicate"][part]
    (made if part == "tool" else made[0])["name"] = "another"
    with pytest.raises(ShapeError if part == "tool" else AlgebraError):
        verify(written(tmp_path, sound))


def test_a_refutation_cannot_be_passed_off_as_a_pass(
    refuted: dict[str, Any], tmp_path: Path
) -> None:
    pass_off(refuted)
    with pytest.raises(WitnessError, match="is refuted, not certified"):
        verify(written(tmp_path, refuted))


def test_a_larger_slack_than_declared_does_not_hide_in_the_statement(
    refuted: dict[str, Any], tmp_path: Path
) -> None:
    # A slack of 2 % would excuse the answers, but then the certificate has to say so.
    pass_off(refuted)
    for check in refuted["predicate"]["checks"]:
        if check["quantity"] == DELTA:
            check["slack"] = "1/50"
    with pytest.raises(AlgebraError, match=r"a relative understatement of 0\.02 is admitted"):
        verify(written(tmp_path, refuted))


def test_what_a_certificate_states_never_decides(make_backend: Maker, tmp_path: Path) -> None:
    """Where the second engine cannot tell, the stated enclosure is not believed instead."""
    name = "dirichlet.average.k_for_dp"
    where = make_backend(name, "answer = math.nextafter(truth, 0)")
    campaign = certify_backend(where, quantities=name, cases=1)
    statement = json.loads(canonical_bytes(statement_of(campaign)))
    given = {"eta": 0.999, "b": 0.001, "epsilon": 30.0, "delta": 1e-12}
    statement["predicate"]["checks"][0]["worst"] = {
        "entry": [],
        "others": [],
        "parameters": {"N": 1000, **{key: value.hex() for key, value in given.items()}},
        "value": (1e300).hex(),
        "lower": "1e+301",
        "upper": "1e+301",
    }
    with pytest.raises(WitnessError):
        verify(written(tmp_path, statement))


def test_an_honest_certificate_about_tiny_numbers_verifies(
    make_backend: Maker, tmp_path: Path
) -> None:
    body = "answer = math.nextafter(truth, math.inf)"
    where = make_backend(DELTA, body)
    for seed in (5, 8, 10):
        campaign = certify_backend(where, quantities=DELTA, cases=3, seed=seed)
        statement = json.loads(canonical_bytes(statement_of(campaign)))
        assert verify(written(tmp_path, statement)).verdict is Verdict.CERTIFIED


def test_a_refutation_that_needs_many_digits_verifies(make_backend: Maker, tmp_path: Path) -> None:
    # The truth is 1 - 4e-44, and 1.0 is above it: twenty digits do not show that.
    name = "dirichlet.profile.step_for_renyi"
    campaign = certify_backend(make_backend(name, "answer = truth"), quantities=name, cases=2)
    statement = json.loads(canonical_bytes(statement_of(campaign)))
    check = statement["predicate"]["checks"][0]
    check["verdict"] = statement["predicate"]["verdict"] = "refuted"
    check.update(side="above", ulps="1e-28")
    check["worst"] = {
        "entry": [],
        "others": [],
        "parameters": {"alpha": (1.0).hex(), "order": (2.0).hex(), "epsilon": (100.0).hex()},
        "value": (1.0).hex(),
        "lower": f"0.{'9' * 27}",
        "upper": "1",
    }
    assert verify(written(tmp_path, statement)).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.replace(b":", b": ", 1),
        lambda content: content + b"\n",
        lambda content: json.dumps(
            dict(reversed(json.loads(content).items())), separators=(",", ":")
        ).encode(),
        lambda content: content.replace(b"certified", b"\\u0063ertified", 1),
    ],
    ids=["spaces", "newline", "order", "escape"],
)
def test_bytes_that_are_not_canonical_are_refused(
    sound: dict[str, Any], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    file = written(tmp_path, sound)
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(CanonicalFormError):
        verify(file)


def test_duplicate_keys_are_refused(sound: dict[str, Any], tmp_path: Path) -> None:
    file = written(tmp_path, sound)
    file.write_bytes(file.read_bytes().replace(b'"seed":0', b'"seed":1,"seed":0'))
    with pytest.raises(InputError, match="stands twice"):
        verify(file)


@pytest.mark.parametrize("kept", [0, 1, 100, -1])
def test_a_certificate_cut_short_is_no_json(
    sound: dict[str, Any], tmp_path: Path, kept: int
) -> None:
    file = written(tmp_path, sound)
    file.write_bytes(file.read_bytes()[:kept])
    with pytest.raises(InputError, match="is not JSON"):
        verify(file)


@each_of("content", [b"[]", b"3", b"null", b'"x"', b"{}"])
def test_json_that_is_no_certificate_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "certificate.json"
    file.write_bytes(content)
    with pytest.raises(ShapeError):
        verify(file)


def test_every_single_field_matters_or_is_bound(sound: dict[str, Any], tmp_path: Path) -> None:
    """Dropping any field of the statement, at any depth, is refused."""

    def paths(node: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        if isinstance(node, dict):
            return [
                p for key, value in node.items() for p in [(*at, key), *paths(value, (*at, key))]
            ]
        if isinstance(node, list):
            return [p for i, value in enumerate(node) for p in paths(value, (*at, i))]
        return []

    free = {"parameters"}  # a table of a quantity's own parameters; dropping one is tested above
    for path in paths(sound):
        if free & set(path[:-1]):
            continue
        changed = copy.deepcopy(sound)
        node = changed
        for key in path[:-1]:
            node = node[key]
        del node[path[-1]]
        with pytest.raises(CertificateError):
            verify(written(tmp_path, changed))


# --- other versions ---------------------------------------------------------------------------


@pytest.mark.parametrize("version", [0, 2])
def test_no_other_version_is_read(sound: dict[str, Any], tmp_path: Path, version: int) -> None:
    """Whoever rewrote a certificate as one could hide what an earlier one did not ask for."""
    sound["predicateType"] = sound["predicateType"].replace("v1", f"v{version}")
    with pytest.raises(VersionError, match=f"predicateType '[^']*/v{version}'; known are"):
        verify(written(tmp_path, sound))


def test_an_endless_type_is_cut(sound: dict[str, Any], tmp_path: Path) -> None:
    sound["predicateType"] = "v" * 5000
    with pytest.raises(VersionError, match=r"predicateType 'v{300}'; known are"):
        verify(written(tmp_path, sound))


# --- what is kept for a picture -----------------------------------------------------------------


def test_the_sample_is_spread_over_the_cases(make_backend: Maker) -> None:
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    lines: list[str] = []
    campaign = certify_backend(where, quantities=DELTA, cases=30, on_case=lines.append)
    kept = [line for line in lines if json.loads(line)["check"] == "direction"]
    assert [case.line() for case in campaign.checks[0].sample] == kept
    assert not any(check.sample for check in campaign.checks[1:])
    larger = certify_backend(where, quantities="dirichlet.profile.*", cases=250)
    check = next(check for check in larger.checks if check.quantity == DELTA)
    share = SAMPLED // sum(check.check == "direction" for check in larger.checks)
    assert len(check.sample) == share < 250
    sample = json.loads(canonical_bytes(statement_of(larger)))["predicate"]["sample"]
    assert [one["quantity"] for one in sample] == [DELTA] * share
    assert all(float.fromhex(one["size"]) >= 0 for one in sample)


SAMPLES: dict[str, Change] = {
    "emptied": lambda p: p.update(sample=[]),
    "one-dropped": lambda p: p["sample"].pop(),
    "one-doubled": lambda p: p["sample"].append(p["sample"][0]),
    "of-another-check": lambda p: p["sample"][0].update(check="accuracy"),
    "of-another-quantity": lambda p: p["sample"][0].update(quantity="x"),
    "of-one-case-fewer": lambda p: p["transcript"].update(
        cases=p["transcript"]["cases"] - 1),
    "of-no-transcript": lambda p: p["transcript"].update(cases=0),
}  # fmt: skip


@pytest.mark.parametrize("name", SAMPLES)
def test_a_tampered_sample_or_count_is_refused(
    sound: dict[str, Any], tmp_path: Path, name: str
) -> None:
    SAMPLES[name](sound["predicate"])
    with pytest.raises(AlgebraError):
        verify(written(tmp_path, sound))


@pytest.mark.parametrize(("key", "value"), [("size", "nan"), ("ulps", "few"), ("side", "left")])
def test_a_sample_holds_numbers_alone(
    sound: dict[str, Any], tmp_path: Path, key: str, value: str
) -> None:
    sound["predicate"]["sample"][0][key] = value
    with pytest.raises(ShapeError):
        verify(written(tmp_path, sound))


def test_the_time_of_issue_is_told_only_when_asked(
    make_backend: Maker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    where = make_backend(DELTA, "answer = math.nextafter(truth, math.inf)")
    told = []
    for flags in ([], ["--issued"]):
        out = tmp_path / "cert.json"
        arguments = ["certify", where, "--quantities", DELTA, "--cases", "3", "--out", str(out)]
        assert run([*arguments, *flags]) == 0
        assert verify(out).verdict is Verdict.CERTIFIED
        told.append(json.loads(out.read_bytes())["predicate"]["issued"])
    assert told[0] is None
    assert told[1].endswith("Z")


def test_worst_cases_that_take_too_long_together_are_undecided(
    sound: dict[str, Any], refuted: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verification, "BACKEND_SECONDS", 0.0)
    assert verify(written(tmp_path, sound)).verdict is Verdict.UNDECIDED
    assert verify(written(tmp_path, refuted)).verdict is Verdict.REFUTED


@pytest.mark.parametrize(("body", "now"), [(SOUND, "certified"), (WRONG, "refuted")])
def test_a_check_that_is_stated_as_undecided_stays_so_and_what_is_found_is_said(
    make_backend: Maker, tmp_path: Path, body: str, now: str
) -> None:
    statement = fresh(make_backend, body)
    for part in (*statement["predicate"]["checks"], statement["predicate"]):
        if part["verdict"] == "refuted" or part is delta_check(statement):
            part["verdict"] = "undecided"
        if "wrong" in part:
            part["wrong"] = 0
    statement["predicate"]["verdict"] = "undecided"
    found = verify(written(tmp_path, statement))
    assert found.verdict is Verdict.UNDECIDED
    (said,) = (each for each in found.decided_since if each.startswith(f"{DELTA}, direction"))
    assert f"stated as undecided, its worst case is {now} now; to decide it, certify" in said


def test_the_case_of_an_undecided_check_is_still_held_against_the_truth(
    sound: dict[str, Any], tmp_path: Path
) -> None:
    delta_check(sound)["verdict"] = sound["predicate"]["verdict"] = "undecided"
    delta_check(sound)["worst"].update(lower="2", upper="3")
    with pytest.raises(WitnessError, match="the stated enclosure is not that of the truth"):
        verify(written(tmp_path, sound))


def test_no_pattern_makes_a_scope_slow(sound: dict[str, Any], tmp_path: Path) -> None:
    sound["predicate"]["scope"]["quantities"] = "*a" * 999 + "*"
    with pytest.raises(AlgebraError):
        verify(written(tmp_path, sound))


def test_a_wheel_may_be_a_subject_beside_the_installed_files(
    make_backend: Maker, tmp_path: Path
) -> None:
    where = make_backend(DELTA, SOUND)
    wheel, out = tmp_path / "made-1.whl", tmp_path / "cert.json"
    wheel.write_bytes(b"PK")
    arguments = ["certify", where, "--quantities", DELTA, "--cases", "3", "--out", str(out)]
    assert run([*arguments, "--subject", str(wheel)]) == 0
    assert len(json.loads(out.read_bytes())["subject"]) == 2
    assert verify(out, subject=wheel).verdict is Verdict.CERTIFIED
    assert run([*arguments, "--subject", str(out)]) == 3
    assert run([*arguments, "--subject", str(tmp_path)]) == 3


ADMITTING = """
    slack = {"dirichlet.profile.delta": "1/1000000"}
    accuracy = {"dirichlet.profile.delta": 0.5}
"""
HOLDS = {"statement": "every point was tried", "status": "holds", "source": "a theorem"}


@pytest.fixture
def admitting(make_backend: Maker) -> dict[str, Any]:
    """Return a certificate of two checks of one quantity, whose answers are a little too small."""
    body = "answer = truth * (1 - 5e-7) if truth > 1e-300 else math.nextafter(truth, 1)"
    if ADMITTING not in MADE:
        where = make_backend(DELTA, body, ADMITTING)
        campaign = certify_backend(where, quantities=DELTA, cases=3, seed=1)
        MADE[ADMITTING] = canonical_bytes(statement_of(campaign)).decode()
    loaded: dict[str, Any] = json.loads(MADE[ADMITTING])
    return loaded


def test_programs_are_told_what_stands_certified_and_by_how_much_slack(
    admitting: dict[str, Any], tmp_path: Path
) -> None:
    told = verify(written(tmp_path, admitting)).as_json()
    assert {"quantities": [DELTA], "cases": 3, "slack": "1/1000000"}.items() <= told.items()


def hide_the_slack(statement: dict[str, Any]) -> None:
    direction, *others = statement["predicate"]["checks"]
    direction["slack"] = "99/100"
    for check in others:
        check["slack"] = "0"
    statement["predicate"]["non_claims"].pop(0)


INVENTED: dict[str, tuple[Change, type[CertificateError]]] = {
    "slack-hidden-behind-another-check": (hide_the_slack, AlgebraError),
    "accuracy-promised-of-a-direction": (
        lambda s: s["predicate"]["checks"][0].update(accuracy="1/1000000"), AlgebraError),
    "accuracy-not-told": (
        lambda s: s["predicate"]["checks"][1].update(accuracy=None), AlgebraError),
    "distance-none": (lambda s: s["predicate"]["checks"][1].update(ulps="0"), WitnessError),
    "distance-less": (lambda s: s["predicate"]["checks"][1].update(ulps="1.5"), WitnessError),
    "distance-more": (
        lambda s: s["predicate"]["checks"][1].update(ulps="9e+20"), WitnessError),
    "distance-astronomical": (
        lambda s: s["predicate"]["checks"][1].update(ulps="9e+999999999999"), WitnessError),
    "distance-unbounded": (
        lambda s: s["predicate"]["checks"][1].update(ulps="unbounded"), WitnessError),
    "distance-unknown": (
        lambda s: s["predicate"]["checks"][1].update(ulps="unbounded", side="unknown"),
        WitnessError),
    "distance-of-an-open-enclosure": (
        lambda s: s["predicate"]["checks"][1]["worst"].update(lower="-inf"), WitnessError),
    "side-said-to-be-neither": (
        lambda s: s["predicate"]["checks"][1].update(side="at"), WitnessError),
    "hypothesis-invented": (
        lambda s: s["predicate"]["hypotheses"].append(HOLDS), AlgebraError),
    "non-claim-invented": (
        lambda s: s["predicate"]["non_claims"].append("(nothing at all)"), AlgebraError),
    "non-claims-reordered": (lambda s: s["predicate"]["non_claims"].reverse(), AlgebraError),
    "engine-invented": (
        lambda s: s["predicate"]["engines"].append(
            {"name": "a bureau of standards", "version": "1", "role": "first"}), AlgebraError),
    "subject-twice": (lambda s: s["subject"].append(s["subject"][0]), AlgebraError),
    "subjects-out-of-order": (
        lambda s: s["subject"].insert(0, {"name": "z", "digest": {"sha256": "0" * 64}}),
        AlgebraError),
    "name-with-a-space-of-no-width": (
        lambda s: s["predicate"]["scope"].update(backend="num\u200bpy"), ShapeError),
    "name-with-a-soft-hyphen": (
        lambda s: s["predicate"]["scope"].update(backend="num\u00adpy"), ShapeError),
    "name-that-is-blank": (
        lambda s: s["predicate"]["scope"].update(backend="\u3164"), ShapeError),
}  # fmt: skip


@pytest.mark.parametrize("name", INVENTED)
def test_what_is_invented_or_hidden_is_refused(
    admitting: dict[str, Any], tmp_path: Path, name: str
) -> None:
    assert verify(written(tmp_path, admitting)).verdict is Verdict.CERTIFIED
    change, error = INVENTED[name]
    change(admitting)
    with pytest.raises(error):
        verify(written(tmp_path, admitting))


def test_no_more_slack_than_a_backend_may_declare_is_verified(
    admitting: dict[str, Any], tmp_path: Path
) -> None:
    for check in admitting["predicate"]["checks"]:
        check["slack"] = "1/999999"
    told = admitting["predicate"]["non_claims"]
    told[0] = told[0].replace("1e-6", "1/999999")
    with pytest.raises(AlgebraError, match="the most that is admitted"):
        verify(written(tmp_path, admitting))


def test_the_one_admitted_slack_is_that_of_every_check(admitting: dict[str, Any]) -> None:
    checks = admitting["predicate"]["checks"]
    assert {check["slack"] for check in checks} == {"1/1000000"}
    told = {check["check"]: check["accuracy"] for check in checks}
    assert told.pop("direction") is None
    assert set(told.values()) == {"1/2"}


INFINITE = {"lower": "inf", "upper": "inf"}


@pytest.mark.parametrize(
    ("verdict", "value", "ends", "told"),
    [
        (Verdict.CERTIFIED, "inf", INFINITE, ("0", "at")),
        (Verdict.REFUTED, "-inf", INFINITE, ("unbounded", "below")),
        (Verdict.REFUTED, "0x1.0000000000000p+0", INFINITE, ("unbounded", "below")),
        (Verdict.CERTIFIED, "0x1.0000000000000p+0", {"upper": "inf"}, ("unbounded", "unknown")),
    ],
)
def test_what_is_infinite_is_unboundedly_far(
    admitting: dict[str, Any], verdict: Verdict, value: str, ends: dict[str, str],
    told: tuple[str, str],
) -> None:  # fmt: skip
    shape = admitting["predicate"]["checks"][1]
    shape["worst"] |= ends
    number = float.fromhex(value)
    answer = number if math.isinf(number) else Fraction(number)
    nothing = Enclosure.nothing_known()
    for ulps, side in {told, ("0", "at"), ("3", "above"), ("unbounded", "none")}:
        given = {**shape, "verdict": verdict, "ulps": ulps, "side": side}
        check = msgspec.convert(given, Check)
        assert check.worst
        if (ulps, side) == told:
            require_distance(check, check.worst, answer, nothing, nothing)
            continue
        with pytest.raises(WitnessError):
            require_distance(check, check.worst, answer, nothing, nothing)


def test_every_honest_distance_is_believed(tmp_path: Path) -> None:
    for seed in range(3, instances(4, 6)):
        campaign = certify_backend(quantities="dirichlet.*.[dm]*", cases=3, seed=seed)
        file = tmp_path / "honest.json"
        file.write_bytes(canonical_bytes(statement_of(campaign)))
        assert verify(file).verdict is campaign.verdict


def test_answers_that_say_nothing_are_no_pass_to_a_reader_either(
    make_backend: Maker, tmp_path: Path
) -> None:
    """That the worst of them passes alone does not make a pass of an inapplicable check."""
    campaign = certify_backend(make_backend(DELTA, "answer = 1.0"), quantities=DELTA, cases=12)
    file = tmp_path / "certificate.json"
    file.write_bytes(canonical_bytes(statement_of(campaign)))
    assert campaign.verdict is verify(file).verdict is Verdict.INAPPLICABLE


def test_a_worst_case_that_says_nothing_is_counted_as_such(
    make_backend: Maker, tmp_path: Path
) -> None:
    statement = fresh(make_backend, "answer = 1.0")
    for part in (delta_check(statement), statement["predicate"]):
        part["verdict"] = "certified"
    delta_check(statement)["trivial"] = 0
    with pytest.raises(WitnessError, match="says nothing"):
        verify(written(tmp_path, statement))


def test_a_worst_case_that_says_something_is_counted_as_such(
    sound: dict[str, Any], tmp_path: Path
) -> None:
    check = delta_check(sound)
    check["trivial"] = check["open"]
    for part in (check, sound["predicate"]):
        part["verdict"] = "inapplicable"
    with pytest.raises(WitnessError, match="says something"):
        verify(written(tmp_path, sound))


def test_nan_is_no_answer() -> None:
    """Where the truth is infinite and a lower bound is asked for, it would pass."""
    assert answer_written("inf", "it") == math.inf
    with pytest.raises(WitnessError, match="the value is NaN"):
        answer_written("nan", "it")


@each_of("mechanism", EVENTS)
def test_an_event_of_any_mechanism_is_written_and_read(mechanism: str) -> None:
    numbers = [1 if part.kind == "integer" else 0.5 for part in fields_of_event(mechanism).values()]
    event: Any = EVENTS[mechanism]._make([mechanism, *numbers])
    parameters = written_point({"events": (event, event), "neighbours": "add_remove"})
    answer = {"quantity": "composition.delta", "parameters": parameters, "value": None}
    assert msgspec.convert(answer, Answered).parameters == parameters
    schema = {**json.loads(schema_text(SCHEMA)), "$ref": "#/$defs/Answered"}
    jsonschema.Draft202012Validator(schema).validate(answer)
    for name, wrong in (("count", "many"), ("mechanism", "x y"), ("another", 1)):
        bad = {**answer, "parameters": {"events": [{**parameters["events"][0], name: wrong}]}}
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(bad, Answered)
