"""The programs and files of proofs_notes/machine_checked, for the tests of them."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
NOTES = ROOT / "proofs_notes"
FOLDER = NOTES / "machine_checked"


def program(name: str) -> ModuleType:
    """Return a program of the folder as a module."""
    found = spec_from_file_location(f"machine_checked_{name}", FOLDER / f"{name}.py")
    assert found
    assert found.loader
    module = module_from_spec(found)
    sys.modules[found.name] = module
    found.loader.exec_module(module)
    return module


def files() -> dict[str, str]:
    """Return the text of each Coq file by its name."""
    return {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.v"))}
