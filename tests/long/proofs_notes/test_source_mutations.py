"""The proofs of the loops are of the program that runs: each change of its source breaks one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from coq import NEEDS_COQ, compiled_theory
from each import each_of
from machine_checked import (
    DIFFERENCE,
    EXP,
    FACTOR,
    LAST,
    MUTATIONS,
    NEAR,
    PAIRS,
    REST,
    SIZES,
    STEEP,
    program,
)

pytestmark = NEEDS_COQ
# What depends on the source, too, and stands between it and a file.
BETWEEN = {EXP: ("Doubled", "ExpTable"), NEAR: ("Doubled",), REST: ("LastSteps",)}


@pytest.fixture(scope="module")
def theory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled theory."""
    return compiled_theory(tmp_path_factory.mktemp("theory"))


def proved(theory: Path, folder: Path, sources: dict[str, str], name: str) -> bool:
    """Whether a file's proofs hold of other sources than today's."""
    for compiled in theory.glob("*.vo"):
        shutil.copy(compiled, folder)
    shutil.copy(theory / f"{name}.v", folder)
    (folder / "SeriesSource.v").write_text(program("generate").generated(sources), "utf-8")

    def compiled_is(file: str) -> bool:
        asked = ["coqc", "-w", "none", "-Q", ".", "Simplexcert", f"{file}.v"]
        done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0 or "Error" in done.stderr
        return done.returncode == 0

    assert compiled_is("SeriesSource")
    for file in BETWEEN.get(name, ()):
        shutil.copy(theory / f"{file}.v", folder)
        assert compiled_is(file)
    return compiled_is(name)


@each_of("name", [DIFFERENCE, FACTOR, STEEP, NEAR, PAIRS, EXP, LAST, SIZES, REST])
def test_the_source_of_today_is_proved(name: str, theory: Path, tmp_path: Path) -> None:
    assert proved(theory, tmp_path, program("generate").sources_today(), name)


@each_of("name, file, old, new", MUTATIONS)
def test_a_change_of_the_source_breaks_a_proof(
    name: str, file: str, old: str, new: str, theory: Path, tmp_path: Path
) -> None:
    sources = program("generate").sources_today()
    mutated = sources | {file: sources[file].replace(old, new)}
    assert not proved(theory, tmp_path, mutated, name)
