"""Claims that Coq checks: true ones are accepted, their falsified twins are not; needs Coq 8.16.

The proofs of the loops are of the program that runs: each change of its source breaks one of them.
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

SERIES, BETA, PROFILE = "series.py", "incomplete_beta.py", "profile.py"
DOUBLED = "doubled.py"
DIFFERENCE, FACTOR, STEEP = "DifferenceSeries", "OneFactorSeries", "SteepCase"
LAST, PAIRS, EXP = "LastSteps", "Doubled", "ExpMinus"
# What depends on the source, too, and stands between it and a file.
BETWEEN = {EXP: ("Doubled", "ExpTable")}
# What breaks, the source, the line or lines, and what stands there instead.
MUTATIONS = (
    (DIFFERENCE, SERIES, "np.multiply(low, index - 1.0,", "np.multiply(low, index,"),
    (DIFFERENCE, SERIES, "factor += scaled_low", "factor += low"),
    (DIFFERENCE, SERIES, "np.divide(partner, scratch,", "np.divide(term, scratch,"),
    (DIFFERENCE, SERIES, "np.multiply(share, factor,", "np.multiply(share, scratch,"),
    (DIFFERENCE, SERIES, "share *= step", "share *= alpha"),
    (DIFFERENCE, SERIES, "term += share\n", "term += partner\n"),
    (DIFFERENCE, SERIES, "np.add(alpha, index,", "np.add(second, index,"),
    (DIFFERENCE, SERIES, "total += term\n    weighted", "total += partner\n    weighted"),
    (DIFFERENCE, SERIES, "term += share * step", "term += share * alpha"),
    (DIFFERENCE, SERIES, "factor / (alpha + index)", "factor / (second + index)"),
    (DIFFERENCE, SERIES, "_UNITS_A_STEP = 13.0", "_UNITS_A_STEP = 10.0"),
    (FACTOR, SERIES, "np.multiply(point, index - 1.0,", "np.multiply(point, index,"),
    (FACTOR, SERIES, "factor += scaled_point", "factor += point"),
    (FACTOR, SERIES, "scaled_point) / (second + index)", "scaled_point) / (second * index)"),
    (FACTOR, BETA, "place * (index - 1.0)", "place * index"),
    (FACTOR, BETA, "/ (below + index)", "/ (front + index)"),
    (FACTOR, BETA, "term = term * ((front", "term = value * ((front"),
    (FACTOR, BETA, "_UNITS_A_STEP = 7.0", "_UNITS_A_STEP = 6.0"),
    (STEEP, BETA, "ratio -= ratio *", "ratio += ratio *"),
    (STEEP, BETA, "low = ratio - ratio * ratio", "low = ratio - ratio * total"),
    (STEEP, BETA, "scaled = total * low", "scaled = total * ratio"),
    (PAIRS, DOUBLED, "part = total - left", "part = total - right"),
    (PAIRS, DOUBLED, "high = scaled - (scaled - value)", "high = scaled - (value - scaled)"),
    (PAIRS, DOUBLED, "dropped + left_high * right_low +", "dropped + left_low * right_low +"),
    (PAIRS, DOUBLED, "return total, low - (total - high)", "return total, low - (high - total)"),
    (PAIRS, DOUBLED, "low + (left[1] + right[1])", "low + (left[1] + right[0])"),
    (PAIRS, DOUBLED, "left[0] * right[1] + left[1]", "left[1] * right[1] + left[1]"),
    (PAIRS, DOUBLED, "top[1] - high * bottom[1]", "top[1] + high * bottom[1]"),
    (EXP, DOUBLED, "near = -argument[0] - steps * _FIRST", "near = argument[0] - steps * _FIRST"),
    (EXP, DOUBLED, "low - steps * _THIRD - argument[1]", "low - steps * _THIRD + argument[1]"),
    (EXP, DOUBLED, "bent = rest * rest * tail", "bent = rest * tail"),
    (EXP, DOUBLED, "low * (1.0 + rest + bent)", "low * (1.0 + rest * bent)"),
    (EXP, DOUBLED, "times(power, growth)", "times(growth, growth)"),
    (EXP, DOUBLED, "1 / 5040, 1 / 720", "1 / 720, 1 / 720"),
    (LAST, SERIES, "_LARGEST_RATIO = 0.999", "_LARGEST_RATIO = 0.9999999999999999"),
    (LAST, SERIES, "(1.0 + 1.0 / (done + 1))", "(1.0 + 1.0 / done)"),
    (LAST, SERIES, "_NEGLIGIBLE * value * (1.0 - ratio)", "_NEGLIGIBLE * value * 2"),
    (LAST, SERIES, "UNIT + 2 * _NEGLIGIBLE", "UNIT + _NEGLIGIBLE"),
    (LAST, PROFILE, "rounding = 4 * UNIT", "rounding = 3 * UNIT"),
    (LAST, PROFILE, "(1.0 + 1e-3)", "(1.0 - 1e-3)"),
    (LAST, PROFILE, "np.abs(part) + np.abs(given", "np.abs(part) * np.abs(given"),
    (LAST, PROFILE, "return value + (1.0", "return value * (1.0"),
    (LAST, PROFILE, "np.exp(logarithm) * (1.0 + 8", "np.exp(logarithm) * (1.0 + 2"),
)


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


@each_of("name", [DIFFERENCE, FACTOR, STEEP, PAIRS, EXP, LAST])
def test_the_source_of_today_is_proved(name: str, theory: Path, tmp_path: Path) -> None:
    assert proved(theory, tmp_path, program("generate").sources_today(), name)


@each_of("name, file, old, new", MUTATIONS)
def test_a_change_of_the_source_breaks_a_proof(
    name: str, file: str, old: str, new: str, theory: Path, tmp_path: Path
) -> None:
    sources = program("generate").sources_today()
    assert sources[file].count(old) == 1
    mutated = sources | {file: sources[file].replace(old, new)}
    assert not proved(theory, tmp_path, mutated, name)
