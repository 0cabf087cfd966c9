"""Claim files to start a release from, one a mechanism: complete, and each made by a test."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from .known import maker_named

_FOLDER: Final = "templates"


def template_text(mechanism: str) -> str:
    """Return the claim file to start from. Raises UnknownNameError with the nearest mechanism."""
    name = f"{maker_named(mechanism).mechanism}.toml"
    return (files(__package__) / _FOLDER / name).read_text(encoding="utf-8")
