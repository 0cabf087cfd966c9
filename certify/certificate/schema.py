"""The published JSON Schemas of certificates, made from the models; run to write them again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from .models import (
    CLAIMS_PREDICATE_TYPE,
    MADE_PREDICATE_TYPE,
    PREDICATE_TYPE,
    RELEASE_PREDICATE_TYPE,
    ClaimsStatement,
    MadeStatement,
    ReleaseStatement,
    Statement,
)
from .models_made import Released
from .texts import PUBLISHED_SCHEMA

# The release itself has no predicate; its schema has a name of its own all the same.
RELEASED_TYPE = "https://simplexcert.github.io/released/v1"
_FOLDER = Path(__file__).parent
# Of these models some fields are what `audit --json` publishes.
_WITH_PUBLISHED = (ReleaseStatement, MadeStatement, Released)
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Files by name: the predicate's type, a title, the model.
_PUBLISHED: Mapping[str, tuple[str, str, type[msgspec.Struct]]] = {
    "certificate-v2.schema.json": (
        PREDICATE_TYPE,
        "simplexcert certificate of a backend, version 2",
        Statement,
    ),
    "release-certificate-v1.schema.json": (
        RELEASE_PREDICATE_TYPE,
        "simplexcert certificate of a release, version 1",
        ReleaseStatement,
    ),
    "made-release-certificate-v1.schema.json": (
        MADE_PREDICATE_TYPE,
        "simplexcert certificate of a release that was made, version 1",
        MadeStatement,
    ),
    "released-v1.schema.json": (
        RELEASED_TYPE,
        "simplexcert release, version 1",
        Released,
    ),
    "claims-certificate-v1.schema.json": (
        CLAIMS_PREDICATE_TYPE,
        "simplexcert certificate of the register of claims, version 1",
        ClaimsStatement,
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
