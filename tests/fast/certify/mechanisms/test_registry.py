"""The registry of mechanisms: a module and a claim file each, and nothing else that names one."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from private_data import DRAWN
from simplexcert.certify.audits.claim import claim_in
from simplexcert.certify.mechanisms import MECHANISMS, mechanism_named, template_text
from simplexcert.certify.mechanisms.protocol import Claim
from simplexcert.certify.mechanisms.vector import CountsParameters, VectorParameters
from simplexcert.reference.errors import UnknownNameError
from simplexcert.reference.exact import parse_toml

CERTIFY = Path(__file__).parents[4] / "certify"
# What asks a mechanism: none of them may know one by name.
ASKING = ("audits", "certificate", "releasing", "simulating", "report", "cli", "ci", "adapters")


def claim_of(name: str) -> Claim:
    return claim_in(parse_toml(template_text(name)), f"{name}.toml")


def modules(*packages: str) -> Iterator[tuple[Path, ast.Module]]:
    for package in packages:
        for file in (CERTIFY / package).rglob("*.py"):
            yield file, ast.parse(file.read_text(encoding="utf-8"))


def test_each_mechanism_has_its_name_and_its_claim_file_and_no_other_file_is_there() -> None:
    folder = files("simplexcert.certify.mechanisms")
    shipped = {item.name for item in folder.iterdir() if item.name.endswith(".toml")}
    assert shipped == {f"{name}.toml" for name in MECHANISMS}
    for name in MECHANISMS:
        assert mechanism_named(name).name == name
        assert parse_toml(template_text(name))["release"]["mechanism"] == name


def test_a_claim_file_says_what_is_read_and_names_every_key_of_its_data() -> None:
    for name in DRAWN:
        text, _, settings = template_text(name).partition("\n[data]\n")
        assert "The data: " in text.replace("\n# ", " "), (
            f"{name}.toml says nothing of the data file"
        )
        for key in mechanism_named(name).data_keys:
            assert re.search(rf"(^|\W){key} = |\[data.{key}\]", settings), (
                f"{name}.toml says nothing of {key}"
            )


def test_an_unknown_mechanism_is_refused_with_the_nearest_name() -> None:
    for ask in (mechanism_named, template_text):
        with pytest.raises(UnknownNameError, match=r"dirichlet\.counts"):
            ask("dirichlet.count")


def test_whatever_asks_a_mechanism_knows_none_by_name() -> None:
    """A key that is published may be a mechanism's name as well."""
    asking = [*modules(*ASKING)]
    keys = {
        key
        for _, tree in asking
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        for key in node.keys
    }
    named = [
        f"{file.relative_to(CERTIFY)}, line {node.lineno}: {node.value}"
        for file, tree in asking
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and node.value in MECHANISMS and node not in keys
    ]
    assert named == []


def test_a_mechanism_knows_nothing_of_what_asks_it() -> None:
    known = [
        f"{file.relative_to(CERTIFY)}: {node.module}"
        for file, tree in modules("mechanisms")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in ASKING
    ]
    assert known == []


def test_parameters_that_are_published_are_read_again_as_they_are() -> None:
    for name in MECHANISMS:
        claim = claim_of(name)
        published = claim.as_json()["release"]
        assert isinstance(published, dict)
        assert set(published) <= set(claim.mechanism.keys)
        assert claim.mechanism.read(published, "again") == (claim.parameters, None)


def test_what_may_be_tight_is_a_parameter() -> None:
    for name in MECHANISMS:
        mechanism = mechanism_named(name)
        assert set(mechanism.tight.keys) <= set(mechanism.keys)


def test_the_parameters_of_another_mechanism_are_not_taken_for_its_own() -> None:
    counts = claim_of("dirichlet.counts")
    assert CountsParameters.of(counts) is counts.parameters
    with pytest.raises(TypeError, match="other parameters"):
        VectorParameters.of(counts)


def test_an_audit_loads_nothing_that_draws() -> None:
    script = (
        "import sys; from simplexcert.certify import audit; audit('example:markov.model'); "
        "drawing = [name for name in sys.modules if 'certify.releasing' in name]; "
        "sys.exit(' '.join(drawing) or 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
