"""Claims that Coq checks: true ones are accepted, their falsified twins are not; needs Coq 8.16."""

from __future__ import annotations

import re
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest
from coq import NEEDS_COQ, compiled_theory
from each import each_of
from provable import RELEASES, delta_above, nearly_true
from simplexcert import audit
from simplexcert.certify.audited import Audited

NEAR = Fraction(1, 10**9)
# Who changes a number changes the theorem, and its proof is refused.
CHANGES = {"k": 2, "floor": Fraction(1, 2), "shift": 2, "epsilon": Fraction(9, 10)}

pytestmark = NEEDS_COQ


@pytest.fixture(scope="module")
def theory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of what claims take of the theory, compiled."""
    return compiled_theory(tmp_path_factory.mktemp("theory"), "CheckedClaim.vo")


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
