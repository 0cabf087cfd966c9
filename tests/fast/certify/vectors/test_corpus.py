"""The corpus for accountants: its files are what is worked out, and small accountants use them.

The consumers have the files and nothing else of ours: a sound one passes, and each planted fault is
found by a case of its own kind.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from each import each
from simplexcert.certify.backends.float64 import backend
from simplexcert.certify.vectors.corpus import (
    BUGS,
    CORPUS,
    _point,
    corpus_file,
    corpus_quantities,
    published,
)
from simplexcert.certify.vectors.points import case_id
from simplexcert.certify.vectors.schema import FOLDER
from simplexcert.reference.quantity import quantity_named

FILES: dict[str, dict[str, Any]] = {
    name: json.loads((CORPUS / f"{name}.json").read_bytes()) for name in corpus_quantities()
}
# Whose truths are worked out in a second or two; tests/long works out the others.
QUICK = [name for name in FILES if not name.startswith("dpsgd.")]
# Who wrote the files, and with which libraries: truths do not depend on it.
VERSIONS = ("generator", "engines")
FAULTS = [
    ("gaussian.delta", "Overflow"),
    ("gaussian.epsilon", "Overflow"),
    ("gaussian.delta", "Cancellation"),
    ("gaussian.delta", "TruncatedTail"),
    ("gaussian.delta", "FftRounding"),
    ("dpsgd.delta", "FftRounding"),
    ("renyi.epsilon_for_dp", "OrderDomain"),
    ("renyi.epsilon_for_dp", "OrderDomain: below 0"),
    ("dpsgd.epsilon", "OneDirection"),
    ("gaussian.noise_multiplier_for_dp", "CalibrationSide"),
    ("gaussian.noise_multiplier_for_dp", "CalibrationSide: a formula"),
    ("dpsgd.epsilon", "CentralLimit"),
    ("dpsgd.delta", "CentralLimit"),
    ("dpsgd.epsilon", "SamplingScheme"),
    ("composition.delta", "SamplingScheme: replaced"),
]


def without_versions(file: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in file.items() if key not in VERSIONS}


def cases() -> list[dict[str, Any]]:
    return [case for file in FILES.values() for case in file["cases"]]


@each(QUICK)
def test_the_files_are_what_is_worked_out_again(name: str) -> None:
    found = msgspec.to_builtins(corpus_file(name))
    assert without_versions(found) == without_versions(FILES[name]), (
        "python -m simplexcert.certify.vectors.corpus writes them again"
    )


def test_the_files_hold_each_published_input_once() -> None:
    asked = [
        case_id(one.quantity, _point(quantity_named(one.quantity), one)) for one in published()
    ]
    assert len(set(asked)) == len(asked)
    assert {case["id"] for case in cases()} == set(asked)


def test_each_kind_of_bug_has_a_published_case() -> None:
    assert {one.bug for one in published()} == set(BUGS)
    for case in cases():
        assert set(case["flags"]) & set(BUGS), case["id"]
        assert re.fullmatch(r"https://github\.com/[\w.-]+/[\w.-]+/(issues|pull)/\d+", case["issue"])
    for file in FILES.values():
        for name in set(file["flags"]) & set(BUGS):
            assert file["flags"][name] == BUGS[name]._asdict()


def test_the_files_are_what_the_schema_and_the_index_say() -> None:
    schema, index = (
        json.loads((FOLDER / name).read_bytes())
        for name in ("vectors-v0.schema.json", "vectors-index-v0.schema.json")
    )
    listed = json.loads((CORPUS / "index.json").read_bytes())
    jsonschema.validate(listed, index, jsonschema.Draft202012Validator)
    assert [entry["quantity"] for entry in listed["files"]] == list(FILES)
    for entry in listed["files"]:
        content = (CORPUS / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
        jsonschema.validate(json.loads(content), schema, jsonschema.Draft202012Validator)


def test_the_built_in_backend_passes() -> None:
    for name, file in FILES.items():
        quantity = quantity_named(name)
        for asked in (one for one in published() if one.quantity == name):
            point = _point(quantity, asked)
            (case,) = [one for one in file["cases"] if one["id"] == case_id(name, point)]
            if case["result"] == "invalid":
                continue
            answer = backend.quantities[name](**point)
            assert answer >= float.fromhex(case["upper_double"]), case


@pytest.fixture(scope="module", params=["C", "JavaScript"])
def accountant(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """The words that run a consumer."""
    folder = Path(__file__).parent / "consumer"
    if request.param == "JavaScript":
        if (node := shutil.which("node")) is None:
            pytest.skip("there is no Node.js here")
        return [node, str(folder / "accountant.mjs")]
    if (compiler := shutil.which("gcc") or shutil.which("cc")) is None:
        pytest.skip("there is no C compiler here")
    program = tmp_path_factory.mktemp("accountant") / "accountant"
    flags = ["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-D_DEFAULT_SOURCE"]
    source = folder / "accountant.c"
    subprocess.run([compiler, *flags, "-o", program, source, "-lm"], check=True)
    return [str(program)]


def check(accountant: list[str], quantity: str, *fault: str) -> tuple[int, str]:
    command = [*accountant, str(CORPUS / f"{quantity}.json"), *fault]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_sound_accountant_passes(accountant: list[str]) -> None:
    for quantity, file in FILES.items():
        code, out = check(accountant, quantity)
        assert code == 0, out
        assert out.startswith(f"{quantity}: {len(file['cases'])} cases, ")
        assert out.endswith(" 0 wrong\n")


def test_each_planted_fault_is_found_by_a_case_of_its_kind(accountant: list[str]) -> None:
    assert {fault.partition(":")[0] for _, fault in FAULTS} == set(BUGS)
    for quantity, fault in FAULTS:
        code, out = check(accountant, quantity, fault)
        assert code == 1, (quantity, fault)
        wrong = [line for line in out.splitlines() if line.startswith("wrong: ")]
        bug = fault.partition(":")[0]
        assert any(bug in line.partition(";")[2].split() for line in wrong), (quantity, fault)
