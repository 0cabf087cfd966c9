"""The published JSON Schema of a certificate, made from the models; run to write it again."""

from __future__ import annotations

import json
from pathlib import Path

from .models import schema

SCHEMA_FILE = Path(__file__).with_name("certificate-v0.schema.json")


def schema_text() -> str:
    """Return the schema as the text of the published file."""
    return json.dumps(schema(), indent=2) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
