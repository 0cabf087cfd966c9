"""Hypothesis keeps its notes where no other user of the machine can have put any."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

IMPORTING = (
    "import simplexcert.certify.search\n"
    "from hypothesis.configuration import storage_directory\n"
    "print(storage_directory().path)"
)


def notes(**variables: str) -> Path:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("HYPOTHESIS")}
    done = subprocess.run(
        [sys.executable, "-c", IMPORTING],
        env={**kept, **variables}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return Path(done.stdout.strip())


def test_the_notes_are_in_a_fresh_folder_that_goes_with_its_process(tmp_path: Path) -> None:
    first, second = (notes(TMPDIR=str(tmp_path)) for _ in range(2))
    assert first != second
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_given_is_used_and_stays(tmp_path: Path) -> None:
    assert notes(HYPOTHESIS_STORAGE_DIRECTORY=str(tmp_path)) == tmp_path
    assert tmp_path.is_dir()
