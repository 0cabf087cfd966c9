"""The pages on the predicate types: their fields are the models', their examples are made."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
from simplexcert.certify.certificate import (
    models_papers,
    papers,
    parts,
    reading,
    verification,
    worst_case,
)
from simplexcert.certify.certificate.claim import CLAIM_SECONDS, EVIDENCE_SECONDS
from simplexcert.certify.certificate.models import (
    BACKEND_TYPE,
    CLAIM_TYPE,
    Check,
    ClaimPredicate,
    Evidence,
    Predicate,
    Release,
)
from simplexcert.certify.certificate.models_papers import PAPERS_TYPE, PaperEntry, PapersPredicate
from simplexcert.certify.certificate.schema import SCHEMA_FILES
from simplexcert.certify.cli import run
from simplexcert.certify.papers import derive

NOTES = Path(__file__).resolve().parents[4] / "proofs_notes"
BACKEND, RELEASE, CLAIMS = "backend-certificate", "claim-certificate", "papers-certificate"
PAGES = {
    name: (NOTES / f"{name}.md").read_text(encoding="utf-8") for name in (BACKEND, RELEASE, CLAIMS)
}
# What an example begins with, by the language of its block.
GIVEN = {"python": "mine.py", "toml": "claim.toml", "text": "data.csv"}
SECTIONS = [
    "Purpose", "Use cases", "Prerequisites", "Model", "Schema", "Parsing rules", "Fields",
    "Example",
]  # fmt: skip
# What differs from one machine to the next; which points are drawn, the version decides.
FREE = {"version", "sha256", "worst", "ulps", "side", "size"}


def block(page: str, language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGES[page], flags=re.DOTALL)
    return str(found)


def made(page: str, folder: Path) -> dict[str, Any]:
    """Run the page's commands, each of which succeeds, and return the certificate that is made."""
    for language, name in GIVEN.items():
        if f"```{language}" in PAGES[page]:
            (folder / name).write_text(block(page, language), encoding="utf-8")
    for line in block(page, "console").strip().split("\n"):
        assert run(shlex.split(line.removeprefix("$ simplexcert "))) == 0
    loaded: dict[str, Any] = json.loads((folder / "certificate.json").read_bytes())
    return loaded


def steady(value: Any) -> Any:
    """Return the value without what differs from one machine to the next."""
    if isinstance(value, dict):
        return {key: None if key in FREE else steady(item) for key, item in value.items()}
    return [steady(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("page", PAGES)
def test_the_example_is_what_is_made(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.chdir(tmp_path)
    said, found = json.loads(block(page, "json")), made(page, tmp_path)
    if page == CLAIMS:  # whose files are those of the register, which grows
        assert all(one["name"].startswith("certify/papers/") for one in said.pop("subject"))
        found.pop("subject")
    assert steady(said) == steady(found)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_has_the_sections_of_the_template(page: str) -> None:
    assert re.findall(r"^## (.*)$", PAGES[page], flags=re.MULTILINE) == SECTIONS


@pytest.mark.parametrize(
    ("page", "models", "uri"),
    [
        (BACKEND, (Predicate, Check), BACKEND_TYPE),
        (RELEASE, (ClaimPredicate, Evidence, Release), CLAIM_TYPE),
        (CLAIMS, (PapersPredicate, PaperEntry), PAPERS_TYPE),
    ],
)
def test_every_field_is_described_once(
    page: str, models: tuple[type[msgspec.Struct], ...], uri: str
) -> None:
    rows = re.findall(r"^\| (`[^|]*`) \|", PAGES[page], flags=re.MULTILINE)
    described = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    fields = [field.name for model in models for field in msgspec.structs.fields(model)]
    assert sorted(described) == sorted(fields)
    assert f"Type URI: `{uri}`" in PAGES[page]
    (schema,) = re.findall(r"`certify/certificate/(.*\.schema\.json)`", PAGES[page])
    assert schema in SCHEMA_FILES


@pytest.mark.parametrize("page", PAGES)
def test_the_limits_are_those_that_are_kept(page: str) -> None:
    said = (
        f"{reading.MAX_CERTIFICATE_BYTES // 2**20} MiB",
        f"{reading.MAX_JSON_DEPTH} levels",
        f"{reading.MAX_JSON_VALUES:,} values",
        f"{parts.MAX_TEXT:,} characters",
        f"{parts.MAX_EXACT_DIGITS:,} digits",
    )
    assert all(limit in PAGES[page] for limit in said)
    assert f"{worst_case.WITNESS_SECONDS:g} seconds an engine" in PAGES[BACKEND]
    assert f"{verification.BACKEND_SECONDS:g} seconds for all" in PAGES[BACKEND]
    assert f"at most {CLAIM_SECONDS:g} seconds" in PAGES[RELEASE]
    assert f"each second opinion {EVIDENCE_SECONDS:g}" in PAGES[RELEASE]
    assert f"at most {papers.PAPERS_SECONDS:g} seconds" in PAGES[CLAIMS]
    assert f"piece of evidence {derive.EVIDENCE_SECONDS:g} of them" in PAGES[CLAIMS]
    assert f"{models_papers.MAX_ENTRIES:,} entries" in PAGES[CLAIMS]
    assert f"in entries of {models_papers.MAX_LONG_TEXT:,}" in PAGES[CLAIMS]
    assert papers._NARROW_DIGITS == 10
    assert "as narrowly as ten figures" in PAGES[CLAIMS]
