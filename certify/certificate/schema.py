"""The published JSON Schemas of certificates, made from the models; run to write them again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from . import models_v0, models_v1
from .models import (
    CLAIMS_PREDICATE_TYPE,
    PREDICATE_TYPE,
    RELEASE_PREDICATE_TYPE,
    ClaimsStatement,
    ReleaseStatement,
    Statement,
)
from .texts import PUBLISHED_SCHEMA

_FOLDER = Path(__file__).parent
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Files by name: the predicate's type, a title, the model.
_PUBLISHED: Mapping[str, tuple[str, str, type[msgspec.Struct]]] = {
    "certificate-v0.schema.json": (
        models_v0.PREDICATE_TYPE_V0,
        "simplexcert certificate, version 0",
        models_v0.Statement,
    ),
    "certificate-v1.schema.json": (
        models_v1.PREDICATE_TYPE_V1,
        "simplexcert certificate of a backend, version 1",
        models_v1.Statement,
    ),
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
    made = msgspec.json.schema(model)
    if model is ReleaseStatement:
        made["$defs"]["Published"] = PUBLISHED_SCHEMA
    return {"$schema": _DIALECT, "$id": f"{predicate_type}/schema.json", "title": title, **made}


def schema_text(name: str) -> str:
    """Return the schema as the text of the published file."""
    return json.dumps(schema(name), indent=2) + "\n"


if __name__ == "__main__":
    for each, file in SCHEMA_FILES.items():
        file.write_text(schema_text(each), encoding="utf-8")
