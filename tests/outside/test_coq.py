"""What Coq accepts, and what not: claims and their falsified twins, loops and their mutants.

Needs Coq 8.16.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from each import each_of
from machine_checked import FOLDER, files, program
from provable import RELEASES, delta_above, nearly_true
from simplexcert import audit
from simplexcert.certify.audited import Audited

NEAR = Fraction(1, 10**9)
# Who changes a number changes the theorem, and its proof is refused.
CHANGES = {"k": 2, "floor": Fraction(1, 2), "shift": 2, "epsilon": Fraction(9, 10)}

# Each breaks a proof: an operation, an operand, an index, the units that are charged.
MUTANTS = [
    (
        "series.py",
        "np.multiply(low, index - 1.0, out=factor)",
        "np.multiply(low, index, out=factor)",
    ),
    ("series.py", "factor += scaled_low", "factor += low"),
    ("series.py", "share *= step", "share *= alpha"),
    (
        "series.py",
        "np.multiply(share, factor, out=partner)",
        "np.multiply(share, share, out=partner)",
    ),
    ("series.py", "np.add(alpha, index, out=scratch)", "np.add(second, index, out=scratch)"),
    ("series.py", "term += share", "term += factor"),
    ("series.py", "total += term", "total += share"),
    ("series.py", "_UNITS_A_STEP = 13.0", "_UNITS_A_STEP = 10.0"),
    ("series.py", "term += share * step", "term += share * alpha"),
    ("series.py", "factor = low * (index - 1.0) + scaled_low", "factor = low * index + scaled_low"),
    (
        "series.py",
        "np.multiply(point, index - 1.0, out=factor)",
        "np.multiply(point, index, out=factor)",
    ),
    ("series.py", "(point * (index - 1.0) + scaled_point)", "(point * index + scaled_point)"),
    ("incomplete_beta.py", "_UNITS_A_STEP = 7.0", "_UNITS_A_STEP = 5.0"),
    ("incomplete_beta.py", "(below + index)", "(below + place)"),
    ("incomplete_beta.py", "place * (index - 1.0)", "place * index"),
]
LOOPS = ("SeriesSource.v", "DifferenceSeries.v", "RatioSeries.v")


def _coq() -> str | None:
    found = shutil.which("coqc")
    asked = [found, "--version"] if found else ["true"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    return found if "version 8.16" in told else None


pytestmark = pytest.mark.skipif(_coq() is None, reason="needs Coq 8.16")


@pytest.fixture(scope="module")
def theory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the compiled theory."""
    folder = tmp_path_factory.mktemp("theory")
    for name in (*files(), "_CoqProject"):
        shutil.copy(FOLDER / name, folder)
    for command in (["coq_makefile", "-f", "_CoqProject", "-o", "Makefile"], ["make"]):
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    return folder


def accepted(theory: Path, folder: Path, text: str) -> bool:
    (folder / "proof.v").write_text(text, encoding="utf-8")
    asked = ["coqc", "-Q", str(theory), "Simplexcert", "proof.v"]
    done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or "Error" in done.stderr
    return done.returncode == 0


def changed(text: str, name: str, by: Fraction | int) -> str:
    """Multiply a number of the theorem."""

    def times(found: re.Match[str]) -> str:
        number = Fraction(int(found[1]), int(found[2] or 1)) * by
        return f"Definition {name} := {number.numerator} / {number.denominator}."

    once, made = re.subn(
        rf"^Definition {name} := (\d+)(?: / (\d+))?\.$", times, text, flags=re.MULTILINE
    )
    assert made == 1
    return once


def falsified(text: str, true: Fraction, false: Fraction) -> str:
    """Claim another delta, in the theorem and in what its proof compares."""
    was = f"  {true.numerator} {true.denominator} (Z.to_nat"
    assert text.count(was) == 1
    is_now = f"  {false.numerator} {false.denominator} (Z.to_nat"
    return changed(text.replace(was, is_now), "delta", false / true)


def theorem(found: Audited, folder: Path) -> tuple[str, Fraction]:
    found.write_proof(folder / "claim.v")
    assert found.claim.delta is not None
    return (folder / "claim.v").read_text("utf-8"), found.claim.delta


@each_of("kind", RELEASES)
def test_a_true_claim_is_accepted_and_its_falsified_twin_is_not(
    kind: str, theory: Path, tmp_path: Path
) -> None:
    text, true = theorem(nearly_true(kind, "0.3", NEAR), tmp_path)
    assert accepted(theory, tmp_path, text)
    assert not accepted(theory, tmp_path, falsified(text, true, true * (1 - 2 * NEAR)))


def test_an_example_is_accepted_and_no_change_of_it(theory: Path, tmp_path: Path) -> None:
    found = audit("example:benvenuti2025-grades")
    text, true = theorem(found, tmp_path)
    assert accepted(theory, tmp_path, text)
    for name, by in CHANGES.items():
        assert not accepted(theory, tmp_path, changed(text, name, by)), name
    assert not accepted(theory, tmp_path, falsified(text, true, delta_above(found, -NEAR)))


def loops_hold(theory: Path, folder: Path, source: str) -> bool:
    """Whether the proofs of the loops hold of what the generator writes."""
    copy = folder / "loops"
    shutil.copytree(theory, copy)
    (copy / LOOPS[0]).write_text(source, encoding="utf-8")
    asked = ("coqc", "-Q", ".", "Simplexcert")
    try:
        return not any(
            subprocess.run([*asked, file], cwd=copy, capture_output=True, check=False).returncode
            for file in LOOPS
        )
    finally:
        shutil.rmtree(copy)


def test_a_mutated_loop_is_not_proved(theory: Path, tmp_path: Path) -> None:
    generate = program("generate")
    sources = generate.sources_today()
    assert loops_hold(theory, tmp_path, generate.generated(sources))
    for file, old, new in MUTANTS:
        assert old in sources[file], old
        mutated = generate.generated({**sources, file: sources[file].replace(old, new, 1)})
        assert not loops_hold(theory, tmp_path, mutated), (old, new)
