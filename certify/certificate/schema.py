"""The published JSON Schemas of certificates, made from the models; run to write them again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from .models import BACKEND_TYPE, CLAIM_TYPE, ClaimStatement, Released, Statement
from .models_papers import PAPERS_TYPE, PapersStatement
from .parts import PUBLISHED_SCHEMA

# The release itself has no predicate; its schema has a name of its own all the same.
RELEASED_TYPE = "https://simplexcert.github.io/released/v1"
_FOLDER = Path(__file__).parent
# Of these models some fields are what `audit --json` publishes.
_WITH_PUBLISHED = (ClaimStatement, Released)
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Files by name: the predicate's type, a title, the model.
_PUBLISHED: Mapping[str, tuple[str, str, type[msgspec.Struct]]] = {
    "backend-v1.schema.json": (
        BACKEND_TYPE,
        "simplexcert certificate of a backend",
        Statement,
    ),
    "claim-v1.schema.json": (
        CLAIM_TYPE,
        "simplexcert certificate of a claim",
        ClaimStatement,
    ),
    "released-v1.schema.json": (
        RELEASED_TYPE,
        "simplexcert release",
        Released,
    ),
    "papers-v1.schema.json": (
        PAPERS_TYPE,
        "simplexcert certificate of the papers",
        PapersStatement,
    ),
}
SCHEMA_FILES = {name: _FOLDER / name for name in _PUBLISHED}


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema that is published in the file of this name."""
    predicate_type, title, model = _PUBLISHED[name]
    return schema_of(predicate_type, title, model, with_published=model in _WITH_PUBLISHED)


def schema_of(
    name: str, title: str, model: type[msgspec.Struct], *, with_published: bool
) -> dict[str, Any]:
    """Return the JSON Schema of a model; ``with_published`` where some of its fields are such."""
    made = msgspec.json.schema(model)
    if with_published:
        made["$defs"]["Published"] = PUBLISHED_SCHEMA
    return {"$schema": _DIALECT, "$id": f"{name}/schema.json", "title": title, **made}


def schema_text(name: str) -> str:
    """Return the schema as the text of the published file."""
    return json.dumps(schema(name), indent=2) + "\n"


if __name__ == "__main__":
    for each, file in SCHEMA_FILES.items():
        file.write_text(schema_text(each), encoding="utf-8")
