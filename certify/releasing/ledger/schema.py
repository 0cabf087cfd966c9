"""The published JSON Schema of a ledger, made from the model; run to write it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from ...certificate.schema import schema_of
from .contents import LEDGER_TYPE, Ledger

SCHEMA_FILE: Final = Path(__file__).parent / "release-ledger-v1.schema.json"
_TITLE: Final = "simplexcert ledger of releases, version 1"


def schema_text() -> str:
    """Return the schema as the text of the published file."""
    made = schema_of(LEDGER_TYPE, _TITLE, Ledger, with_published=True)
    return json.dumps(made, indent=2) + "\n"


if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
