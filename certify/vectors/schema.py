"""The published JSON Schemas of the files, made from the models; run to write them again."""

from __future__ import annotations

import json
from pathlib import Path

from .models import Index, VectorFile, schema_of

FOLDER = Path(__file__).parent
SCHEMAS: dict[str, type[VectorFile | Index]] = {
    "vectors-v0.schema.json": VectorFile,
    "vectors-index-v0.schema.json": Index,
}


def schema_text(name: str) -> str:
    """Return a schema as the text of the published file."""
    return json.dumps(schema_of(SCHEMAS[name]), indent=2) + "\n"


if __name__ == "__main__":
    for each in SCHEMAS:
        (FOLDER / each).write_text(schema_text(each), encoding="utf-8")
