"""Coq 8.16, where it is: the compiled theory, and what it accepts."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from machine_checked import FOLDER, files


def _coq() -> str | None:
    found = shutil.which("coqc")
    asked = [found, "--version"] if found else ["true"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    return found if "version 8.16" in told else None


NEEDS_COQ = pytest.mark.skipif(_coq() is None, reason="needs Coq 8.16")


def compiled_theory(folder: Path, *targets: str) -> Path:
    """Compile the theory in a folder, or only what these targets take."""
    for name in (*files(), "_CoqProject"):
        shutil.copy(FOLDER / name, folder)
    for command in (["coq_makefile", "-f", "_CoqProject", "-o", "Makefile"], ["make", *targets]):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder
