"""The hostile certificates as a corpus: its index is whole, and a stranger's verifier uses it."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from simplexcert.certify.certificate import errors

HERE = Path(__file__).parent
FAULTS = {
    "any form": "CanonicalFormError",
    "any base64": "EnvelopeError",
    "any order": "EnvelopeError",
    "no signature": "SignatureError",
    "one is enough": "SignatureError",
}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(HERE)
        write = import_module("conformance").write
    folder = tmp_path_factory.mktemp("conformance") / "corpus"
    write(folder)
    write(folder)  # over an earlier one
    return folder


@pytest.fixture(scope="module")
def index(corpus: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((corpus / "index.json").read_bytes())
    return found


def test_the_index_names_every_file_with_what_it_is_held_by(
    corpus: Path, index: dict[str, Any]
) -> None:
    jsonschema.validate(index, json.loads((corpus / "index.schema.json").read_bytes()))
    refused = [case for case in index["cases"] if case["result"] == "refuse"]
    table = tomllib.loads((HERE / "table.toml").read_text(encoding="utf-8"))
    assert {case["id"]: case["kind"] for case in refused} == {
        name: row["error"] for name, row in table.items()
    }
    for case in index["cases"]:
        held = [case["certificate"], *case["keys"], *case["subjects"], case["transcript"]]
        for path in filter(None, [*held, case["changed"], case["instead_of"]]):
            assert (corpus / path).is_file(), path
        digest = hashlib.sha256((corpus / (case["changed"] or case["certificate"])).read_bytes())
        assert digest.hexdigest() == case["sha256"]
    good = {case["certificate"] for case in index["cases"] if case["result"] == "accept"}
    assert {case["instead_of"] for case in refused} - good <= {
        case["transcript"] for case in index["cases"] if case["result"] == "accept"
    }


def test_every_kind_of_error_has_its_level_and_meaning(index: dict[str, Any]) -> None:
    raised = {
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and issubclass(kind, errors.CertificateError)
    }
    assert set(index["kinds"]) == raised - {"CertificateError"} | {"InputError"}
    assert {case["kind"] for case in index["cases"]} - {None} == set(index["kinds"])


def verifier(corpus: Path, *fault: str) -> tuple[int, str]:
    if (node := shutil.which("node")) is None:
        pytest.skip("there is no Node.js here")
    command = [node, str(corpus / "verifier.mjs"), str(corpus), *fault]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_a_strangers_verifier_passes_at_its_levels(corpus: Path) -> None:
    code, out = verifier(corpus)
    assert (code, out.count("\n")) == (0, 1), out
    assert out.endswith(" 0 wrong\n")


def test_each_planted_fault_of_it_is_found(corpus: Path) -> None:
    for fault, kind in FAULTS.items():
        code, out = verifier(corpus, fault)
        assert code == 1, fault
        assert f"which is to refuse; {kind}\n" in out, fault
    code, out = verifier(corpus, "type not signed")
    assert code == 1
    assert "which is to accept; not signed\n" in out
